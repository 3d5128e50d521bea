//! GOAL text: its parsing, the streams of its tasks, its errors, and its writing. The language is
//! checked against the published scanner of LogGOPSim's `txt2bin`, state by state; that program
//! itself is not run.

use crate::interpreter::{Outcome, Sending, play};
use program::goal::{GoalError, GoalWriter, Place, read};
use program::{AlgorithmSet, Program, Rank, STEP_KINDS};

/// The example of the paper: a dependency on an end, one on a start, every attribute.
const EVERYTHING: &str = "\
// a comment
num_ranks 2 /* two
lines */
rank 0 { // the first
l1: calc 100 cpu 2
l2: send 10b to 1 tag 3 cpu 1 nic 2\r
l3: recv 20 b from 1 tag 4 nic 1

\tfour : calc 7
l2 requires l1
l3 irequires l2
four requires l3
send 1b to 1
}
rank 1 {x: recv10bfrom0tag3
ab_9:recv1bfrom-1
c: send 20b to 0 tag 4 cpu 0 // behind
c requires ab_9 /* too */
recv 0b from -1 tag -1
send 5b to 1
}";

fn moves(text: &str, rank: i32) -> Vec<(&'static str, i32, u64)> {
    let columns = read(text.as_bytes()).unwrap().steps().unwrap();
    (0..columns.kind.len())
        .filter(|&row| columns.rank[row] == rank)
        .map(|row| {
            let kind = STEP_KINDS[usize::from(columns.kind[row])];
            (kind, columns.peer[row], columns.size_bytes[row])
        })
        .collect()
}

fn program(text: &str) -> Program {
    let graph = read(text.as_bytes()).unwrap();
    let columns = graph.steps().unwrap();
    let steps = columns.columns().steps(graph.n_ranks()).unwrap();
    Program::compile(graph.n_ranks(), &steps, AlgorithmSet::Mpich1_1).unwrap()
}

fn outcome(text: &str, sending: Sending) -> Outcome {
    play(&program(text), sending)
}

fn ranks(bodies: &[&str]) -> String {
    let mut text = format!("num_ranks {}\n", bodies.len());
    for (rank, body) in bodies.iter().enumerate() {
        text += &format!("rank {rank} {{\n{body}\n}}\n");
    }
    text
}

fn error(text: &str) -> GoalError {
    read(text.as_bytes()).and_then(|graph| graph.steps()).unwrap_err()
}

#[test]
fn the_whole_language_is_read() {
    let text = EVERYTHING;
    let graph = read(text.as_bytes()).unwrap();
    assert_eq!((graph.n_ranks(), graph.n_tasks()), (2, 10));
    // Each task that another one need not follow has a stream; `peer` is its processor.
    assert_eq!(
        moves(text, 0),
        [
            ("stream", 2, 0),
            ("compute", 0, 0),
            ("signal", 0, 0),
            ("signal", 0, 0),
            ("stream", 1, 0),
            ("wait_for", 0, 0),
            ("start_send", 1, 10),
            ("signal", 0, 0),
            ("wait", 0, 0),
            ("signal", 0, 0),
            ("stream", 0, 0),
            ("wait_for", 0, 0),
            ("receive", 1, 0),
            ("compute", 0, 0),
            ("signal", 0, 0),
            ("stream", 0, 0),
            ("send", 1, 1),
            ("signal", 0, 0),
            ("stream", -1, 0),
            ("repeat", 0, 0),
            ("wait_for", 0, 0),
            ("end_repeat", 0, 0),
        ]
    );
    assert_eq!(outcome(text, Sending::Buffered).stuck, []);
}

#[test]
fn tasks_of_several_orders_run_as_their_messages_come() {
    // Rank 1 sends only when it has heard from rank 2, which waits for the second chain of rank 0.
    let text = ranks(&[
        "a: recv 1b from 1\nb: send 3b to 1 tag 9\nb requires a\nc: recv 1b from 2\n\
         d: send 4b to 2 tag 9\nd requires c",
        "a: recv 1b from 2\nb: send 1b to 0\nb requires a\nc: recv 3b from 0 tag 9\nc requires b",
        "a: send 1b to 0\nb: recv 4b from 0 tag 9\nb requires a\nc: send 1b to 1\nc requires b",
    ]);
    for sending in [Sending::Synchronous, Sending::Buffered] {
        let outcome = outcome(&text, sending);
        assert_eq!((outcome.stuck.len(), outcome.n_unreceived), (0, 0));
    }
    let others = ["stream", "signal", "wait_for", "repeat", "end_repeat"];
    let of_rank_1: Vec<_> = moves(&text, 1).iter().map(|step| step.0).collect();
    assert!(!of_rank_1.iter().any(|kind| others.contains(kind)), "{of_rank_1:?}");
}

#[test]
fn a_task_may_wait_for_many_others_and_for_their_starts() {
    let many: String = (0..9).map(|i| format!("r{i}: recv 1b from 1 tag {i}\n")).collect();
    let all: String = (0..9).map(|i| format!("end requires r{i}\n")).collect();
    let body = format!(
        "{many}end: send 1b to 1\n{all}calm: calc 5\nnext: calc 6 cpu 1\nnext irequires calm"
    );
    let sends: String = (0..9).rev().map(|i| format!("send 1b to 0 tag {i}\n")).collect();
    let text = ranks(&[&body, &format!("{sends}recv 1b from 0")]);
    let outcome = outcome(&text, Sending::Synchronous);
    assert_eq!((outcome.stuck.len(), outcome.n_unreceived), (0, 0));
}

/// A binary file of two ranks, as `txt2bin` of LogGOPSim writes it.
fn binary() -> Vec<u8> {
    // Rank 0 computes, then sends; rank 1 receives from any rank.
    let parts = [
        part(&[(3, 0, 100, 0, &[1]), (1, 1, 10, 7, &[])], 1),
        part(&[(2, u32::MAX, 10, u32::MAX, &[])], 1),
    ];
    let mut head = 4223_u64.to_le_bytes().to_vec();
    head.extend(2_u32.to_le_bytes());
    head.extend([2, 0]);
    let mut at = head.len() + 4 * 8 - 8;
    for part in &parts {
        head.extend((at as u64).to_le_bytes());
        at += part.len();
        head.extend((at as u64).to_le_bytes());
    }
    head.extend(parts.concat());
    head
}

type BinaryTask<'a> = (u8, u32, u64, u32, &'a [u32]);

fn part(tasks: &[BinaryTask<'_>], n_free: u32) -> Vec<u8> {
    let mut part = (tasks.len() as u32).to_le_bytes().to_vec();
    part.extend(n_free.to_le_bytes());
    part.extend((0..n_free).flat_map(u32::to_le_bytes));
    let mut place = 0_u32;
    for &(kind, peer, size, tag, successors) in tasks {
        part.extend(0_u32.to_le_bytes());
        part.push(kind);
        part.extend(peer.to_le_bytes());
        part.extend(size.to_le_bytes());
        part.extend(tag.to_le_bytes());
        part.extend([0, 0]);
        let n = successors.len() as u32;
        part.extend([n, place, 0, place + n].into_iter().flat_map(u32::to_le_bytes));
        place += n;
    }
    part.extend(tasks.iter().flat_map(|task| task.4).flat_map(|after| after.to_le_bytes()));
    part
}

#[test]
fn a_binary_file_is_read_as_the_text_that_it_is_from() {
    let text =
        ranks(&["a: calc 100\nb: send 10b to 1 tag 7\nb requires a", "recv 10b from -1 tag -1"]);
    let of = |content: &[u8]| read(content).unwrap().steps().unwrap();
    assert_eq!(of(&binary()), of(text.as_bytes()));
    for length in 8..binary().len() {
        assert!(matches!(read(&binary()[..length]), Err(GoalError::Binary { .. })), "{length}");
    }
    let mut spent = binary();
    spent[..8].copy_from_slice(&2342_u64.to_le_bytes());
    assert_eq!(read(&spent), Err(GoalError::Spent));
}

#[test]
fn a_binary_file_with_mistakes_is_refused() {
    let of = |task: BinaryTask<'_>| {
        let mut content = binary();
        let at = 8 + 6 + 4 * 8 + 4 * 3;
        let other = part(&[task], 1);
        content[at..at + 39].copy_from_slice(&other[12..12 + 39]);
        read(&content).and_then(|graph| graph.steps()).map(|_| ())
    };
    assert_eq!(of((3, 0, 100, 0, &[])), Ok(()));
    for task in [(0, 0, 1, 0), (1, 2, 1, 0), (1, 1, u64::MAX, 0), (1, 1, 1, u32::MAX)] {
        let (kind, peer, size, tag) = task;
        let error = of((kind, peer, size, tag, &[]));
        assert!(matches!(error, Err(GoalError::Binary { .. })), "{task:?}: {error:?}");
    }
    let error = of((1, 1, 1, 5, &[]));
    let expected = GoalError::NeverSent { at: Place::Task(0), rank: Rank::new(0) };
    assert_eq!(error, Err(expected));
}

#[test]
fn sends_that_wait_for_each_other_are_buffered() {
    let body = |peer| {
        format!(
            "s: send 1b to {peer}\nr: recv 1b from {peer}\nr requires s\nt: calc 1\nt requires r"
        )
    };
    let text = ranks(&[&body(1), &body(0)]);
    assert_eq!(moves(&text, 0)[..2], [("send", 1, 1), ("receive", 1, 0)]);
    assert_eq!(outcome(&text, Sending::Buffered).stuck, []);
    assert_eq!(outcome(&text, Sending::Synchronous).stuck, [0, 1].map(Rank::new));
}

#[test]
fn what_is_no_program_is_refused_with_its_line() {
    let label = |label: &str| label.to_owned();
    let cases = [
        ("", GoalError::NoRanks),
        ("rank 0 {\n}\n", GoalError::NoRanks),
        ("num_ranks 0\n", GoalError::NoRanks),
        ("num_ranks 1\nnum_ranks 1\n", GoalError::RanksTwice { line: 2 }),
        ("num_ranks 2\nrank 1 {\n}\n", GoalError::RankMissing { rank: Rank::new(0), n_ranks: 2 }),
        ("num_ranks 1\nrank 1 {\n}\n", GoalError::RankOutOfRange { line: 2, rank: 1, n_ranks: 1 }),
        (
            "num_ranks 1\nrank 0 {\n}\nrank 0 {",
            GoalError::RankTwice { line: 4, rank: Rank::new(0) },
        ),
        ("num_ranks 1\nrank 0 {\n", GoalError::OpenRank { rank: Rank::new(0) }),
        (
            "num_ranks 1\nrank 0 {\na: calc 1\na: calc 2\n}",
            GoalError::LabelTwice { line: 4, label: label("a") },
        ),
        (
            "num_ranks 1\nrank 0 {\na: calc 1\na requires l2\nl2: calc 2\n}",
            GoalError::UnknownLabel { line: 4, label: label("l2") },
        ),
        (
            "num_ranks 1\nrank 0 {\nsend 1b to 1\n}",
            GoalError::RankOutOfRange { line: 3, rank: 1, n_ranks: 1 },
        ),
        ("num_ranks 1\nrank 0 {\nsend 1b to 0 tag -1\n}", GoalError::SendOfAnyTag { line: 3 }),
        (
            "num_ranks 1\nrank 0 {\nsend 1b to 0 tag 2147483648\n}",
            GoalError::NumberTooLarge {
                line: 3,
                what: "a tag",
                number: label("2147483648"),
                limit: 2_147_483_647,
            },
        ),
        (
            "num_ranks 1\nrank 0 {\n/*\n*/ a: calc 1\nb: calc 1\na requires b\nb irequires a\n}",
            GoalError::Circle { at: Place::Line(4), rank: Rank::new(0) },
        ),
        (
            "num_ranks 1\nrank 0 {\nrecv 1b from 0\n}",
            GoalError::NeverReceived { at: Place::Line(3), rank: Rank::new(0) },
        ),
        (
            "num_ranks 1\nrank 0 {\nsend 1b to 0\n}",
            GoalError::NeverSent { at: Place::Line(3), rank: Rank::new(0) },
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn a_syntax_error_names_the_expected_and_the_found_word() {
    let syntax = [
        ("num_ranks x", "the number of ranks", "x"),
        ("num_ranks 1\nrank 0\n{", "'{'", "the end of the line"),
        ("num_ranks 1\nsend", "num_ranks or rank", "send"),
        ("num_ranks 1\nrank 0 {\n1: calc 1\n}", "a task or a dependency", "1:"),
        ("num_ranks 1\nrank 0 {\na calc 1\n}", "':', requires or irequires", "calc"),
        ("num_ranks 1\nrank 0 {\na: wait\n}", "send, recv or calc", "wait"),
        ("num_ranks 1\nrank 0 {\nsend 1 to 0\n}", "b", "to"),
        ("num_ranks 1\nrank 0 {\nsend 1b from 0\n}", "to", "from"),
        ("num_ranks 1\nrank 0 {\nsend 1b to -1\n}", "a rank", "-1"),
        ("num_ranks 1\nrank 0 {\nrecv 1b from 0 nic 0 cpu 0\n}", "the end of the line", "cpu"),
        ("num_ranks 1\nrank 0 {\ncalc 1 nic 0\n}", "the end of the line", "nic"),
        ("num_ranks 1\nrank 0 {\ncalc 1 }", "the end of the line", "}"),
        ("num_ranks 1\nrank 0 {\na: calc 1\na requires\n}", "a label", "the end of the line"),
        ("num_ranks 1\n/* open", "the end of the comment", "/*"),
    ];
    for (text, wanted, instead) in syntax {
        match error(text) {
            GoalError::Syntax { expected, found: there, .. } => {
                assert_eq!((expected, there), (wanted, instead.to_owned()), "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn what_is_written_is_read_as_the_same_program() {
    let text = "num_ranks 2\n\nrank 0 {\nl1: calc 100\nl2: send 10b to 1 tag 3\nl2 requires l1\n\
                l3: recv 20b from 1 tag 4\nl3 irequires l2\nl4: calc 7\nl4 irequires l3\n\
                l5: calc 8\nl5 requires l4\nl5 requires l2\nl5 requires l3\n}\n\n\
                rank 1 {\nl1: recv 10b from 0 tag 3\nl2: send 20b to 0 tag 4\nl2 requires l1\n}\n";
    let program = program(text);
    let mut writer = GoalWriter::new(&program).unwrap();
    let written = writer.piece(&program).unwrap();
    assert_eq!(writer.piece(&program), None);
    // A requirement met by an earlier one is left out, and one common to both ends is written once.
    assert_eq!(self::program(&written), program);
    assert_eq!(written.lines().next(), Some("num_ranks 2"));
}
