//! Questions and answers between a core and the script of its page, through the memory that both
//! see; `frontend/src/core.ts` is the other side.
//!
//! The script asks for a buffer, writes a question there and calls a core by name; the call returns
//! whether there is an answer, or the reason why there is none. A question is bytes to open, or
//! lines of words: a name and its values. An answer is lines too: `value TABLE.NAME TEXT` is a
//! single value, `column TABLE.NAME TYPE ADDRESS LENGTH` a column of numbers, which stays in its
//! place until the next call.
#![allow(unsafe_code)] // names that the script finds; no memory is touched unchecked

use std::any::Any;
use std::cell::RefCell;
use std::fmt::{Display, Write};
use std::str::FromStr;

use quantity::{Column, NamedColumn};
use resilience::{DeviceId, LinkId, Part, PortId};

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
    static TABLES: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// Makes a buffer for a question of `n_bytes` bytes and returns its address.
#[unsafe(no_mangle)]
extern "C" fn page_question(n_bytes: usize) -> *const u8 {
    QUESTION.with_borrow_mut(|bytes| {
        bytes.clear();
        bytes.resize(n_bytes, 0);
        bytes.as_ptr()
    })
}

/// Returns the address of the last answer.
#[unsafe(no_mangle)]
extern "C" fn page_answer() -> *const u8 {
    ANSWER.with_borrow(|text| text.as_ptr())
}

/// Returns the length of the last answer in bytes.
#[unsafe(no_mangle)]
extern "C" fn page_answer_length() -> usize {
    ANSWER.with_borrow(String::len)
}

/// Forgets the last answer and its tables.
#[unsafe(no_mangle)]
extern "C" fn page_forget() {
    TABLES.set(None);
    ANSWER.take();
}

/// Returns the bytes of the question.
pub(crate) fn asked() -> Vec<u8> {
    QUESTION.take()
}

/// A question of lines: the words of each.
pub(crate) struct Question(String);

impl Question {
    /// Takes the question that the script has written.
    pub fn take() -> Question {
        Question(String::from_utf8(asked()).unwrap_or_default())
    }

    /// Yields the words of each line after its name.
    pub fn lines(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        self.0.lines().filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?, words.collect()))
        })
    }
}

/// Returns the part in a line: its kind is the name, its id the first word.
pub(crate) fn part(kind: &str, words: &[&str]) -> Option<Part> {
    let id = word(words, 0)?;
    Some(match kind {
        "cable" => Part::Cable(LinkId::new(id)),
        "nic" => Part::Port(PortId::new(id)),
        _ => Part::Device(DeviceId::new(id)),
    })
}

/// Returns one of the words of a line, read.
pub(crate) fn word<T: FromStr>(words: &[&str], at: usize) -> Option<T> {
    words.get(at)?.parse().ok()
}

/// Lines of an answer.
#[derive(Default)]
pub(crate) struct Answer(String);

impl Answer {
    /// Adds a value. Its text has one line.
    pub fn value(&mut self, name: impl Display, value: impl Display) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "value {name} {value}");
    }

    /// Adds the places of columns.
    pub fn columns(&mut self, columns: &[NamedColumn<'_>]) {
        for &(name, column) in columns {
            let (address, kind, length) = match column {
                Column::Bytes(values) => (values.as_ptr().addr(), "u8", values.len()),
                Column::Words(values) => (values.as_ptr().addr(), "u32", values.len()),
                Column::Numbers(values) => (values.as_ptr().addr(), "f64", values.len()),
            };
            let _ = writeln!(self.0, "column {name} {kind} {address} {length}");
        }
    }

    /// Gives the answer to the script, and keeps the tables that it points into. Returns true: the
    /// script was answered.
    pub fn give(self, tables: impl Any) -> bool {
        TABLES.set(Some(Box::new(tables)));
        ANSWER.set(self.0);
        true
    }

    /// Gives the reason why there is no answer. Returns false.
    pub fn refuse(name: &str, reason: impl Display) -> bool {
        let mut answer = Answer::default();
        answer.value(format_args!("refusal.{name}"), reason);
        answer.give(());
        false
    }
}
