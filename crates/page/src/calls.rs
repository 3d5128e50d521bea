//! The functions that the script of the page calls. Numbers cross as 32-bit words in the memory
//! that both sides see: the script asks for a buffer, writes a question there, calls, and reads the
//! answer. A page has one network, which is never freed.
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

/// Makes a buffer for a question of `n_words` words and returns its address.
#[unsafe(no_mangle)]
extern "C" fn question(n_words: usize) -> *const u32 {
    QUESTION.with_borrow_mut(|words| {
        words.clear();
        words.resize(n_words, 0);
        words.as_ptr()
    })
}

/// Returns the address of the last answer.
#[unsafe(no_mangle)]
extern "C" fn answer() -> *const u32 {
    ANSWER.with_borrow(|words| words.as_ptr())
}

/// Reads the network from the question, which is its columns.
#[unsafe(no_mangle)]
extern "C" fn open() {
    let words = QUESTION.take();
    PAGE.set(Some(Page::new(Box::leak(Box::new(network_of(&words))))));
}

/// Fails the parts in the question, and returns the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn fail() -> usize {
    let parts = QUESTION.take();
    answered(|page| page.fail(&parts))
}

/// Traces a route, and returns the length of the answer.
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
