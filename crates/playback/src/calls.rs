//! The functions that the script of the page calls. Questions cross as bytes in the memory that
//! both sides see, answers as text: one line per column of the recording with its name, the type of
//! its numbers, its address and its length, and one per figure; or the reason why there is none. A
//! page has one run.
#![allow(unsafe_code)] // names that the script finds; no memory is touched unchecked

use std::cell::RefCell;
use std::fmt::Write;

use network::metrics::Part;
use network::{DeviceId, LinkId, PortId};
use packet::{Fault, FaultKind};
use quantity::Time;

use crate::session::{Changes, Played, Session, place};
use crate::told::told;

thread_local! {
    static QUESTION: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
    static PLAYED: RefCell<Option<Played>> = const { RefCell::new(None) };
}

/// Numbers of a fault in a question: code and id of its part, its begin and its end.
const PER_FAULT: usize = 4;

/// Makes a buffer for a question of `n_numbers` numbers of eight bytes, and returns its address.
#[unsafe(no_mangle)]
extern "C" fn question(n_numbers: usize) -> *const f64 {
    QUESTION.with_borrow_mut(|numbers| {
        numbers.clear();
        numbers.resize(n_numbers, 0.0);
        numbers.as_ptr()
    })
}

/// Returns the address of the last answer.
#[unsafe(no_mangle)]
extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|text| text.as_ptr())
}

/// Returns the length of the last answer.
#[unsafe(no_mangle)]
extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(String::len)
}

/// Opens the run in the question, which has `n_bytes` bytes; returns whether it is one.
#[unsafe(no_mangle)]
extern "C" fn open(n_bytes: usize) -> bool {
    let mut bytes: Vec<u8> = QUESTION.take().iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(n_bytes);
    match Session::open(&bytes) {
        Ok(session) => {
            SESSION.set(Some(session));
            true
        }
        Err(error) => {
            ANSWER.set(format!("The run cannot be opened: {error}."));
            false
        }
    }
}

/// Plays the run with the changes in the question: the place of the program, 1 and a seed or 0 and
/// anything, 1 with faults instead of those of the run or 0 without, and these faults. Returns
/// whether it could be played.
#[unsafe(no_mangle)]
extern "C" fn play() -> bool {
    PLAYED.set(None);
    let changes = changes(&QUESTION.take());
    let played = SESSION.with_borrow(|session| Some(session.as_ref()?.play(&changes)));
    match played {
        Some(Ok(played)) => {
            ANSWER.set(directory(&played));
            PLAYED.set(Some(played));
            true
        }
        Some(Err(error)) => {
            ANSWER.set(told(&error));
            false
        }
        None => {
            ANSWER.set("No run is open.".to_owned());
            false
        }
    }
}

/// Forgets the last recording.
#[unsafe(no_mangle)]
extern "C" fn forget() {
    PLAYED.set(None);
    ANSWER.take();
}

fn changes(question: &[f64]) -> Changes {
    let [program, has_seed, seed, has_faults, faults @ ..] = question else {
        return Changes::default();
    };
    Changes {
        // A seed of 64 bits does not fit in a number: its bits cross.
        seed: (*has_seed != 0.0).then_some(seed.to_bits()),
        program: *program as usize,
        faults: (*has_faults != 0.0).then(|| faults.chunks_exact(PER_FAULT).map(fault).collect()),
    }
}

fn fault(numbers: &[f64]) -> Fault {
    let id = numbers[1] as u32;
    let part = match numbers[0] as u32 {
        0 => Part::Cable(LinkId::new(id)),
        1 => Part::Port(PortId::new(id)),
        _ => Part::Device(DeviceId::new(id)),
    };
    let (from, until) = (Time::from_seconds(numbers[2]), Time::from_seconds(numbers[3]));
    Fault { parts: vec![part], kind: FaultKind::Down, from, until }
}

/// Returns where everything of a recording lies.
fn directory(played: &Played) -> String {
    let mut text = format!("is_whole {}\n", u8::from(played.is_whole()));
    let mut line = |words: std::fmt::Arguments<'_>| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{words}");
    };
    line(format_args!("figure simulated_s {}", played.outcome.simulated.seconds()));
    for (name, value) in played.outcome.figures() {
        line(format_args!("figure {name} {value}"));
    }
    for (name, column) in played.columns() {
        let (address, kind, length) = place(column);
        line(format_args!("column {name} {kind} {address} {length}"));
    }
    text
}
