//! The functions that the script of a page calls (`frontend/src/failures/core.ts`). A page has one
//! network, which is never freed.
#![allow(unsafe_code)] // names that the script finds; no memory is touched unchecked

use std::cell::RefCell;

use quantity::columns;
use resilience::rerouting::{Cause, DestinationId};
use resilience::{LinkId, NodeId, Part, PortId};

use super::packed::PackedNetwork;
use super::routes::{End, PageRoute, Tables};
use super::trial::{Outcome, PageImpact, Trial};
use crate::exchange::{Answer, Question, asked, part, word};

thread_local! {
    static TRIAL: RefCell<Option<Trial<'static>>> = const { RefCell::new(None) };
}

columns! {
    /// The hops of a route.
    "hops": Hops of HopRow {
        /// The port out.
        port: u32,
        /// The port in.
        via: u32,
        /// The number of links in between.
        n_links: u32,
    }
}

columns! {
    /// The links of all hops, in order.
    "links": Links of LinkRow {
        /// The link.
        id: u32,
    }
}

/// Opens the network in the question.
#[unsafe(no_mangle)]
extern "C" fn failures_open() -> bool {
    match PackedNetwork::open(&asked()) {
        Ok(baseline) => {
            TRIAL.set(Some(Trial::new(Box::leak(Box::new(baseline)))));
            Answer::default().give(())
        }
        Err(error) => Answer::refuse("text", error),
    }
}

/// Fails the parts in the question, each a line of its kind and its id.
#[unsafe(no_mangle)]
extern "C" fn failures_fail() -> bool {
    let question = Question::take();
    let parts: Vec<Part> =
        question.lines().filter_map(|(kind, words)| part(kind, &words)).collect();
    with_trial(|trial| impact(trial.fail(&parts)))
}

/// Traces a route: `from` a node, `to` a destination, by the `tables` of a moment.
#[unsafe(no_mangle)]
extern "C" fn failures_route() -> bool {
    let (mut from, mut to, mut tables) = (0, 0, Tables::Before);
    for (name, words) in Question::take().lines() {
        let number = || word(&words, 0).unwrap_or(0);
        match name {
            "from" => from = number(),
            "to" => to = number(),
            _ => tables = tables_of(words.first().copied()),
        }
    }
    with_trial(|trial| traced(trial.route(NodeId::new(from), DestinationId::new(to), tables)))
}

fn with_trial(ask: impl FnOnce(&mut Trial<'static>) -> bool) -> bool {
    TRIAL.with_borrow_mut(|trial| match trial {
        Some(trial) => ask(trial),
        None => Answer::refuse("text", "no network is open"),
    })
}

fn tables_of(name: Option<&str>) -> Tables {
    match name {
        Some("after") => Tables::After,
        Some("recomputed") => Tables::Recomputed,
        _ => Tables::Before,
    }
}

fn impact(found: PageImpact) -> bool {
    let mut answer = Answer::default();
    for (name, count) in found.whole.counts() {
        answer.value(format_args!("counts.{name}"), count);
    }
    if let Some((outcome, from, to)) = found.worst {
        let outcome = match outcome {
            Outcome::Rerouted => "rerouted",
            Outcome::Helped => "helped",
            Outcome::Disconnected => "disconnected",
        };
        answer.value("worst.outcome", outcome);
        answer.value("worst.from", from);
        answer.value("worst.to", to);
    }
    answer.columns(&found.nodes.named());
    answer.columns(&found.links.named());
    answer.give(found)
}

fn traced(route: PageRoute) -> bool {
    let mut answer = Answer::default();
    let end = match route.end {
        End::Arrived => "arrived",
        End::Lost(Cause::NoRoute) => "no-route",
        End::Lost(Cause::Unseen) => "unseen",
        End::Lost(Cause::Loop) => "loop",
        End::Disconnected => "disconnected",
    };
    answer.value("route.end", end);
    answer.value("route.at", route.at);
    if let Some(attempt) = route.attempt {
        answer.value("attempt.port", attempt.port);
        if let Some(via) = attempt.via {
            answer.value("attempt.via", via);
        }
    }
    let row = |(port, via, links): &(PortId, PortId, Vec<LinkId>)| HopRow {
        port: port.get(),
        via: via.get(),
        n_links: links.len() as u32,
    };
    let hops: Hops = route.hops.iter().map(row).collect();
    let links = route.hops.iter().flat_map(|(_, _, links)| links);
    let links: Links = links.map(|link| LinkRow { id: link.get() }).collect();
    answer.columns(&hops.named());
    answer.columns(&links.named());
    answer.give((hops, links))
}
