//! The parser of GOAL text, in one pass over its bytes.
//!
//! The language is that of LogGOPSim's `txt2bin` [LOGGOPSIM]: keywords need no space behind them,
//! attributes are in the order `tag`, `cpu`, `nic`, a statement ends with its line, and a
//! dependency names labels of tasks above it. In addition, a comment may also follow a statement,
//! and ranks may come in any order. `nic` is read and ignored: routes choose the port.

use std::collections::BTreeMap;

use quantity::{IdVec, Ids, OptionalId};

use super::{Dependency, GoalError, Graph, Place, Task, TaskId, TaskKind};
use crate::compile::{MAX_OPERATIONS, MAX_RANKS};
use crate::operation::{ANY_TAG, COLLECTIVE_TAGS, Rank, Tag};

const SEND: &str = "send <bytes>b to <rank> [tag <n>] [cpu <n>] [nic <n>]";
const RECEIVE: &str = "recv <bytes>b from <rank> [tag <n>] [cpu <n>] [nic <n>]";
const CALC: &str = "calc <ns> [cpu <n>]";
const RANK: &str = "rank <n> {";
const RANKS: &str = "num_ranks <n>";
const DEPENDENCY: &str = "<label> requires <label>, or <label> irequires <label>";
const STATEMENT: &str = "[<label>:] send, recv or calc, or a dependency";
const LARGEST_CPU: u64 = u8::MAX as u64;

/// Returns the tasks and dependencies of a GOAL text.
///
/// # Errors
/// When the text breaks the grammar, or names a rank or label that does not exist.
pub(super) fn read(text: &[u8]) -> Result<Graph, GoalError> {
    let mut scanner = Scanner {
        text,
        at: 0,
        line: 1,
        tasks: IdVec::new(),
        dependencies: Vec::new(),
        ranks: IdVec::new(),
    };
    scanner.file()?;
    scanner.graph()
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    line: u32,
    tasks: IdVec<TaskId, Task>,
    dependencies: Vec<Dependency>,
    /// The tasks of each rank that has been described.
    ranks: IdVec<Rank, Option<Ids<TaskId>>>,
}

impl<'a> Scanner<'a> {
    fn file(&mut self) -> Result<(), GoalError> {
        loop {
            self.skip_lines()?;
            if self.at == self.text.len() {
                break;
            }
            let (start, word) = (self.at, self.word());
            match word {
                b"num_ranks" if self.ranks.is_empty() => self.number_of_ranks()?,
                b"num_ranks" => return Err(GoalError::RanksTwice { line: self.line }),
                b"rank" if self.ranks.is_empty() => return Err(GoalError::NoRanks),
                b"rank" => self.rank()?,
                _ => {
                    self.at = start;
                    return Err(self.unexpected("num_ranks or rank", RANK));
                }
            }
        }
        if self.ranks.is_empty() { Err(GoalError::NoRanks) } else { Ok(()) }
    }

    /// Returns the graph of a text that has been read.
    fn graph(self) -> Result<Graph, GoalError> {
        let n_ranks = self.ranks.n();
        let described = |(rank, tasks): (Rank, &Option<Ids<TaskId>>)| {
            tasks.clone().ok_or(GoalError::RankMissing { rank, n_ranks })
        };
        let ranks = self.ranks.with_ids().map(described).collect::<Result<_, _>>()?;
        Ok(Graph { tasks: self.tasks, dependencies: self.dependencies, ranks })
    }

    fn number_of_ranks(&mut self) -> Result<(), GoalError> {
        let n_ranks = self.number("the number of ranks", MAX_RANKS.into(), RANKS)?;
        if n_ranks == 0 {
            return Err(GoalError::NoRanks);
        }
        self.ranks = IdVec::filled(None, n_ranks as u32);
        Ok(())
    }

    fn rank(&mut self) -> Result<(), GoalError> {
        let number = self.number("a rank", u64::MAX, RANK)?;
        let rank = self.known_rank(number)?;
        let line = self.line;
        if self.ranks[rank].is_some() {
            return Err(GoalError::RankTwice { line, rank });
        }
        self.keyword(b"{", "'{'", RANK)?;
        let first = TaskId::new(self.tasks.n());
        let mut labels = Labels::default();
        loop {
            self.skip_lines()?;
            if self.at == self.text.len() {
                return Err(GoalError::OpenRank { rank });
            }
            if self.accept(b"}") {
                break;
            }
            self.statement(&mut labels)?;
        }
        self.ranks[rank] = Some(Ids { start: first, end: TaskId::new(self.tasks.n()) });
        Ok(())
    }

    fn statement(&mut self, labels: &mut Labels<'a>) -> Result<(), GoalError> {
        let word = self.word();
        let (kind, cpu) = match word {
            b"send" => self.send()?,
            b"recv" => self.receive()?,
            b"calc" => self.calc()?,
            b"" => return Err(self.unexpected("a task or a dependency", STATEMENT)),
            _ => {
                self.skip_spaces();
                if !self.accept(b":") {
                    return self.dependency(word, labels);
                }
                let task = TaskId::new(self.tasks.n());
                if !labels.insert(word, task) {
                    return Err(GoalError::LabelTwice { line: self.line, label: shown(word) });
                }
                self.labelled()?
            }
        };
        if self.tasks.len() == MAX_OPERATIONS {
            return Err(GoalError::TooManyTasks { limit: MAX_OPERATIONS });
        }
        self.tasks.push(Task { kind, cpu, at: Place::Line(self.line) });
        self.end_of_statement()
    }

    fn labelled(&mut self) -> Result<(TaskKind, u8), GoalError> {
        self.skip_spaces();
        if self.accept(b"send") {
            self.send()
        } else if self.accept(b"recv") {
            self.receive()
        } else if self.accept(b"calc") {
            self.calc()
        } else {
            Err(self.unexpected("send, recv or calc", STATEMENT))
        }
    }

    fn dependency(&mut self, after: &'a [u8], labels: &Labels<'a>) -> Result<(), GoalError> {
        let is_start = self.accept(b"irequires");
        if !is_start && !self.accept(b"requires") {
            return Err(self.unexpected("':', requires or irequires", DEPENDENCY));
        }
        self.skip_spaces();
        let before = self.word();
        if before.is_empty() {
            return Err(self.unexpected("a label", DEPENDENCY));
        }
        let line = self.line;
        let find = |label: &[u8]| {
            labels.get(label).ok_or_else(|| GoalError::UnknownLabel { line, label: shown(label) })
        };
        let (after, before) = (find(after)?, find(before)?);
        self.dependencies.push(Dependency { before, after, is_start });
        self.end_of_statement()
    }

    fn send(&mut self) -> Result<(TaskKind, u8), GoalError> {
        let bytes = self.size(SEND)?;
        self.keyword(b"to", "to", SEND)?;
        let number = self.number("a rank", u64::MAX, SEND)?;
        let to = self.known_rank(number)?;
        let (tag, cpu) = self.attributes(SEND)?;
        if tag == ANY_TAG {
            return Err(GoalError::SendOfAnyTag { line: self.line });
        }
        Ok((TaskKind::Send { to, bytes, tag }, cpu))
    }

    fn receive(&mut self) -> Result<(TaskKind, u8), GoalError> {
        self.size(RECEIVE)?;
        self.keyword(b"from", "from", RECEIVE)?;
        self.skip_spaces();
        let from = if self.accept(b"-1") {
            None
        } else {
            let number = self.number("a rank", u64::MAX, RECEIVE)?;
            Some(self.known_rank(number)?)
        };
        let (tag, cpu) = self.attributes(RECEIVE)?;
        Ok((TaskKind::Receive { from, tag }, cpu))
    }

    fn calc(&mut self) -> Result<(TaskKind, u8), GoalError> {
        // The longest computation of a program, less a second for the rounding to seconds.
        let nanoseconds = self.number("a computation", 9_999_999_000_000_000, CALC)?;
        self.skip_spaces();
        let cpu = if self.accept(b"cpu") { self.number("a cpu", LARGEST_CPU, CALC)? } else { 0 };
        Ok((TaskKind::Compute { nanoseconds }, cpu as u8))
    }

    fn size(&mut self, form: &'static str) -> Result<u64, GoalError> {
        let bytes = self.number("a size", 1 << 40, form)?;
        self.keyword(b"b", "b", form)?;
        Ok(bytes)
    }

    /// Reads `tag`, `cpu` and `nic`; returns the tag and the processor.
    fn attributes(&mut self, form: &'static str) -> Result<(Tag, u8), GoalError> {
        let mut tag = 0;
        self.skip_spaces();
        if self.accept(b"tag") {
            self.skip_spaces();
            tag = if self.accept(b"-1") {
                ANY_TAG
            } else {
                self.number("a tag", u64::from(COLLECTIVE_TAGS) - 1, form)? as Tag
            };
            self.skip_spaces();
        }
        let mut numbers = [0; 2];
        for (attribute, number) in [&b"cpu"[..], b"nic"].into_iter().zip(&mut numbers) {
            if self.accept(attribute) {
                *number = self.number("a cpu or nic", LARGEST_CPU, form)?;
                self.skip_spaces();
            }
        }
        Ok((tag, numbers[0] as u8))
    }

    fn known_rank(&self, rank: u64) -> Result<Rank, GoalError> {
        let n_ranks = self.ranks.n();
        if rank < u64::from(n_ranks) {
            Ok(Rank::new(rank as u32))
        } else {
            Err(GoalError::RankOutOfRange { line: self.line, rank, n_ranks })
        }
    }

    // The elements of statements.

    fn end_of_statement(&mut self) -> Result<(), GoalError> {
        self.skip_spaces();
        while self.skip_comment()? {
            self.skip_spaces();
        }
        // A comment with a line end in it has ended the statement, and so has the end of the text.
        match self.text.get(self.at) {
            None | Some(b'\n') => Ok(()),
            _ => Err(self.unexpected("the end of the line", STATEMENT)),
        }
    }

    fn keyword(
        &mut self,
        keyword: &[u8],
        expected: &'static str,
        form: &'static str,
    ) -> Result<(), GoalError> {
        self.skip_spaces();
        if self.accept(keyword) { Ok(()) } else { Err(self.unexpected(expected, form)) }
    }

    fn number(
        &mut self,
        what: &'static str,
        limit: u64,
        form: &'static str,
    ) -> Result<u64, GoalError> {
        self.skip_spaces();
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.unexpected(what, form));
        }
        let add = |sum: u64, digit: &u8| {
            sum.checked_mul(10).and_then(|sum| sum.checked_add(u64::from(digit - b'0')))
        };
        match digits.iter().try_fold(0, add) {
            Some(number) if number <= limit => Ok(number),
            _ => {
                let number = shown(digits);
                Err(GoalError::NumberTooLarge { line: self.line, what, number, limit })
            }
        }
    }

    /// Reads an identifier; empty if there is none.
    fn word(&mut self) -> &'a [u8] {
        if !self.text.get(self.at).is_some_and(u8::is_ascii_alphabetic) {
            return b"";
        }
        self.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }

    fn take_while(&mut self, is_part: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&byte| !is_part(byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn accept(&mut self, word: &[u8]) -> bool {
        let is_here = self.text[self.at..].starts_with(word);
        if is_here {
            self.at += word.len();
        }
        is_here
    }

    fn skip_spaces(&mut self) {
        self.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
    }

    fn skip_lines(&mut self) -> Result<(), GoalError> {
        loop {
            self.skip_spaces();
            if self.accept(b"\n") {
                self.line += 1;
            } else if !self.skip_comment()? {
                return Ok(());
            }
        }
    }

    fn skip_comment(&mut self) -> Result<bool, GoalError> {
        if self.accept(b"//") {
            self.take_while(|byte| byte != b'\n');
            return Ok(true);
        }
        let rest = &self.text[self.at..];
        if !rest.starts_with(b"/*") {
            return Ok(false);
        }
        let Some(length) = rest[2..].windows(2).position(|pair| pair == b"*/") else {
            return Err(self.unexpected("the end of the comment", "/* comment */"));
        };
        let comment = &rest[..length + 4];
        self.line += comment.iter().filter(|&&byte| byte == b'\n').count() as u32;
        self.at += comment.len();
        Ok(true)
    }

    fn unexpected(&self, expected: &'static str, form: &'static str) -> GoalError {
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|byte| b" \t\r\n".contains(byte)).unwrap_or(rest.len());
        let found = match rest {
            [] => "the end of the text".to_owned(),
            [b' ' | b'\t' | b'\r' | b'\n', ..] => "the end of the line".to_owned(),
            _ => shown(&rest[..end.min(40)]),
        };
        GoalError::Syntax { line: self.line, expected, found, form }
    }
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The labels of one rank. Nearly all files use one letter with a number: those are in a table.
#[derive(Default)]
struct Labels<'a> {
    /// By number, the task of the label `l<number>`.
    numbered: Vec<OptionalId<TaskId>>,
    others: BTreeMap<&'a [u8], TaskId>,
}

impl<'a> Labels<'a> {
    /// Adds a label; returns false if it exists already.
    fn insert(&mut self, label: &'a [u8], task: TaskId) -> bool {
        let Some(number) = place(label).filter(|&place| place <= 2 * self.numbered.len() + 1024)
        else {
            return self.others.insert(label, task).is_none();
        };
        if number >= self.numbered.len() {
            self.numbered.resize(number + 1, OptionalId::none());
        }
        let is_new = self.numbered[number].is_none() && !self.others.contains_key(label);
        self.numbered[number] = task.into();
        is_new
    }

    fn get(&self, label: &[u8]) -> Option<TaskId> {
        let numbered = place(label).and_then(|place| self.numbered.get(place)?.get());
        numbered.or_else(|| self.others.get(label).copied())
    }
}

/// Returns the number of a label `l<number>` that is written in its shortest form.
fn place(label: &[u8]) -> Option<usize> {
    match label {
        [b'l', digits @ ..] if (1..10).contains(&digits.len()) => match digits {
            [b'0', _, ..] => None,
            _ => digits.iter().try_fold(0, |sum, byte| {
                byte.is_ascii_digit().then(|| 10 * sum + usize::from(byte - b'0'))
            }),
        },
        _ => None,
    }
}
