//! The functions that the script of the page calls. Numbers cross as 32-bit words in the memory
//! that both sides see: the script asks for room, writes a question there, calls, and reads the
//! answer. A page has one network, which is never let go.
#![allow(unsafe_code)] // names that the script finds; no memory is touched unchecked

use std::cell::RefCell;

use resilience::NodeId;
use resilience::rerouting::DestinationId;

use crate::{Page, Tables, network_of};

thread_local! {
    static QUESTION: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
    static PAGE: RefCell<Option<Page<'static>>> = const { RefCell::new(None) };
}

/// Makes room for a question of so many words and returns where it is.
#[unsafe(no_mangle)]
extern "C" fn question(n_words: usize) -> *const u32 {
    QUESTION.with_borrow_mut(|words| {
        words.clear();
        words.resize(n_words, 0);
        words.as_ptr()
    })
}

/// Returns where the last answer is.
#[unsafe(no_mangle)]
extern "C" fn answer() -> *const u32 {
    ANSWER.with_borrow(|words| words.as_ptr())
}

/// Takes the network: the question is its columns.
#[unsafe(no_mangle)]
extern "C" fn open() {
    let words = QUESTION.take();
    PAGE.set(Some(Page::new(Box::leak(Box::new(network_of(&words))))));
}

/// Lets parts fail, which are the question, and returns the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn fail() -> usize {
    let parts = QUESTION.take();
    answered(|page| page.fail(&parts))
}

/// Asks for a route, and returns the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn route(from: u32, to: u32, is_whole: bool, is_recomputed: bool) -> usize {
    let tables = if is_recomputed { Tables::Recomputed } else { Tables::Present };
    let (from, to) = (NodeId::new(from), DestinationId::new(to));
    answered(|page| page.route(from, to, is_whole, tables).words())
}

fn answered(ask: impl FnOnce(&mut Page<'static>) -> Vec<u32>) -> usize {
    let words = PAGE.with_borrow_mut(|page| page.as_mut().map(ask)).unwrap_or_default();
    let n_words = words.len();
    ANSWER.set(words);
    n_words
}
