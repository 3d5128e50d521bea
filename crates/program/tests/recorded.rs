//! The messages of collectives beside recordings of the real libraries: of each kind, size and
//! number of ranks the same messages, and the same bytes, between each two ranks.
//!
//! `benchmarks/collectives/record.py` makes the recordings. MPICH copies what a rank sends to
//! itself, so that such messages are in none of them.

use std::collections::BTreeMap;

use program::{AlgorithmSet, Collective, Program, Rank, Step};
use quantity::Id;

/// Messages and bytes by source and destination.
type Counts = BTreeMap<(u32, u32), (u64, u64)>;

fn collective(kind: &str, bytes: u64, root: u32) -> Collective {
    let root = Rank::new(root);
    match kind {
        "broadcast" => Collective::Broadcast { root, bytes },
        "reduce" => Collective::Reduce { root, bytes },
        "all_reduce" => Collective::AllReduce { bytes },
        "barrier" => Collective::Barrier,
        "all_gather" => Collective::AllGather { bytes },
        "all_to_all" => Collective::AllToAll { bytes },
        "gather" => Collective::Gather { root, bytes },
        "scatter" => Collective::Scatter { root, bytes },
        "reduce_scatter" => Collective::ReduceScatter { bytes },
        _ => panic!("no collective {kind}"),
    }
}

/// Reads pairs as "FROM>TO MESSAGESxBYTES ...".
fn recorded(text: &str) -> Counts {
    let words: Vec<&str> = text.split_whitespace().collect();
    let numbers = |word: &str, at: char| {
        let (first, second) = word.split_once(at).expect("two numbers");
        (first.parse::<u64>().expect("a number"), second.parse::<u64>().expect("a number"))
    };
    let pair = |pair: &[&str]| {
        let (from, to) = numbers(pair[0], '>');
        ((from as u32, to as u32), numbers(pair[1], 'x'))
    };
    words.chunks(2).map(pair).collect()
}

fn modelled(library: AlgorithmSet, collective: Collective, n_ranks: u32) -> Counts {
    let program = Program::compile(n_ranks, &[Step::all(collective)], library).expect("a program");
    let mut counts = Counts::new();
    for rank in Rank::first(n_ranks) {
        for action in program.actions(rank) {
            if let Some((to, bytes, _)) = action.sent()
                && to != rank
            {
                let count = counts.entry((rank.get(), to.get())).or_default();
                *count = (count.0 + 1, count.1 + bytes);
            }
        }
    }
    counts
}

/// Compares all cases of a recording; returns their number.
fn check(library: AlgorithmSet, recording: &str) -> usize {
    let (mut n_ranks, mut n_cases, mut wrong) = (0, 0, Vec::new());
    for line in recording.lines().filter(|line| !line.starts_with('#')) {
        if let Some(ranks) = line.strip_prefix("ranks ") {
            n_ranks = ranks.parse().expect("a number of ranks");
            continue;
        }
        let (case, pairs) = line.split_once(':').expect("a case");
        let words: Vec<&str> = case.split(' ').collect();
        let bytes = words[1].parse().expect("bytes");
        let collective = collective(words[0], bytes, words[2].parse().expect("a root"));
        let (is, ought) = (modelled(library, collective, n_ranks), recorded(pairs));
        if is != ought {
            wrong.push(format!("{n_ranks} ranks, {case}\n  is {is:?}\n  ought {ought:?}"));
        }
        n_cases += 1;
    }
    assert!(wrong.is_empty(), "{} of {n_cases}:\n{}", wrong.len(), wrong.join("\n"));
    n_cases
}

#[test]
fn messages_are_those_of_mpich() {
    assert!(check(AlgorithmSet::Mpich4, include_str!("recorded/mpich-4.txt")) > 500);
}

#[test]
fn messages_are_those_of_open_mpi() {
    assert!(check(AlgorithmSet::OpenMpi4, include_str!("recorded/openmpi-4.txt")) > 500);
}
