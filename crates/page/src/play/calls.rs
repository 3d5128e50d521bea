//! The functions that the script of a page calls (`frontend/src/play/engine.ts`). A page has one
//! run.
#![allow(unsafe_code)] // names that the script finds; no memory is touched unchecked

use std::cell::RefCell;

use packet::{Fault, FaultKind, PacketError};
use quantity::Time;

use super::session::{Changes, PlayError, Played, Session};
use crate::exchange::{Answer, Question, asked, part, word};

thread_local! {
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// Opens the run in the question.
#[unsafe(no_mangle)]
extern "C" fn play_open() -> bool {
    match Session::open(&asked()) {
        Ok(session) => {
            SESSION.set(Some(session));
            Answer::default().give(())
        }
        Err(error) => Answer::refuse("text", format_args!("the run cannot be opened: {error}")),
    }
}

/// Plays the run with the changes in the question: the `program` by its place, a `seed`, and after
/// the line `faults` those that replace the ones of the run. Each is a line: the kind of its part,
/// the id, its begin and its end in seconds.
#[unsafe(no_mangle)]
extern "C" fn play_run() -> bool {
    let changes = changes(&Question::take());
    let played = SESSION.with_borrow(|session| Some(session.as_ref()?.play(&changes)));
    match played {
        Some(Ok(played)) => recorded(played),
        Some(Err(PlayError::Run(PacketError::Run(error)))) => {
            Answer::refuse("run", serde_json::to_string(&error).unwrap_or_default())
        }
        Some(Err(error)) => Answer::refuse("text", format_args!("the run is not played: {error}")),
        None => Answer::refuse("text", "no run is open"),
    }
}

fn changes(question: &Question) -> Changes {
    let mut changes = Changes::default();
    for (name, words) in question.lines() {
        match name {
            "program" => changes.program = word(&words, 0).unwrap_or_default(),
            "seed" => changes.seed = word(&words, 0),
            "faults" => changes.faults = Some(Vec::new()),
            kind => changes.faults.get_or_insert_default().extend(fault(kind, &words)),
        }
    }
    changes
}

fn fault(kind: &str, words: &[&str]) -> Option<Fault> {
    let parts = vec![part(kind, words)?];
    let from = Time::from_seconds(word(words, 1)?);
    let until = word(words, 2).map_or(Time::MAX, Time::from_seconds);
    Some(Fault { parts, kind: FaultKind::Down, from, until })
}

fn recorded(played: Played) -> bool {
    let mut answer = Answer::default();
    answer.value("run.is_whole", played.is_whole());
    answer.value("figures.simulated_s", played.outcome.simulated.seconds());
    for (name, value) in played.outcome.figures() {
        answer.value(format_args!("figures.{name}"), value);
    }
    answer.columns(&played.columns());
    answer.give(played)
}
