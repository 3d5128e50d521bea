//! The cost of a frame hop and the memory of a node and of a connection, from 16 to 10,000 nodes;
//! and the memory of a whole process that simulates a run and knows no Python.
//!
//! `cargo bench -p packet --bench scale` prints the table, every row from a process of its own;
//! with a kind, a side and hosts behind `--` it runs that row here (`-- p-mesh 24 ideal` is W3).
//! Speed counts the time on the processor of the fastest of several runs.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, clippy::disallowed_macros)]
// A benchmark reads the clock and its own memory, starts itself, and prints.

mod grids;
// The bench builds few of these networks.
#[allow(dead_code, unused_imports)]
#[path = "../../tests/networks/mod.rs"]
mod networks;

use std::process::Command;

use grids::{Kind, grid, permutation};
use program::{Action, AlgorithmSet, Program, Step};

/// Frame hops that one run takes at most, about; above, messages are shorter.
const MOST_HOPS: f64 = 20e6;
const SIDES: [u32; 7] = [4, 8, 16, 24, 32, 50, 100];
const LONGEST_RING: u32 = 64;
const LARGEST_MESSAGE: f64 = 1e6;
/// Payload of a segment, and frames per segment with an acknowledgement for every second one.
const SEGMENT_BYTES: f64 = 1460.0;
const FRAMES_PER_SEGMENT: f64 = 1.5;
/// Processor time spent on one row at least, and on a batch of runs: the kernel counts it in steps
/// of some milliseconds.
const ENOUGH_NS: u64 = 3_000_000_000;
const BATCH_NS: u64 = 250_000_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match words.as_slice() {
        [kind, side, hosts] => {
            let (_, kind) = Kind::ALL.into_iter().find(|(name, _)| name == kind).expect("a kind");
            row(kind, side.parse().expect("a side"), hosts == "ideal");
        }
        _ => table(),
    }
}

fn table() {
    println!(
        "{:8}{:>8}{:>7}{:>9}{:>11}{:>9}{:>8}{:>10}{:>10}{:>9}",
        "kind", "nodes", "hosts", "bytes", "hops", "sim s", "M/s", "B/node", "B/conn", "RSS MB"
    );
    let program = std::env::current_exe().expect("this program");
    for hosts in ["ideal", "full"] {
        for (kind, side) in Kind::ALL.iter().flat_map(|(kind, _)| SIDES.map(|side| (kind, side))) {
            // A packet may be relayed 64 times, which is too few half-way round a longer ring.
            if *kind == "torus" && side > LONGEST_RING {
                continue;
            }
            let arguments = [*kind, &side.to_string(), hosts];
            let done = Command::new(&program).args(arguments).status().expect("a row");
            assert!(done.success());
        }
    }
}

fn row(kind: Kind, side: u32, is_ideal: bool) {
    let (name, _) = Kind::ALL[usize::from(kind == Kind::Torus)];
    let n = side * side;
    let bytes = message_bytes(kind, side);
    let host = if is_ideal { networks::ideal() } else { networks::linux_2_0() };
    let network = grid(kind, side);
    let program = permutation(n, bytes);
    let idle = Program::compile(n, &[Step::all(Action::Mark { mark: 0 })], AlgorithmSet::Mpich1_1);
    let idle = idle.expect("a program");
    let before = memory_kib("VmRSS");
    let at_rest =
        networks::simulate(&network, &host, &idle, |_, _| memory_kib("VmRSS")).expect("idle");
    let run = || {
        let found = networks::simulate(&network, &host, &program, |marks, model| {
            let (_, ends, _) = model.memory_bytes();
            let last = marks.iter().map(|mark| mark.time.seconds()).fold(0.0, f64::max);
            (model.counters().frame_hops, last, 2 * ends / model.endpoints().len())
        });
        found.expect("a run")
    };
    let (hops, simulated_s, per_connection) = run();
    let peak = memory_kib("VmHWM");
    let ns_per_run = fastest_ns(run);
    println!(
        "{name:8}{n:8}{:>7}{bytes:9}{hops:11}{simulated_s:9.3}{:8.2}{:10}{per_connection:10}{:9.1}",
        if is_ideal { "ideal" } else { "full" },
        hops as f64 / ns_per_run * 1e3,
        (at_rest.saturating_sub(before)) * 1024 / u64::from(n),
        peak as f64 / 1024.0,
    );
}

/// Returns the processor time of a run: the fastest of several batches, since whatever else the
/// machine does only slows a run down.
fn fastest_ns<T>(run: impl Fn() -> T) -> f64 {
    let (start, mut best) = (processor_ns(), f64::INFINITY);
    while processor_ns() - start < ENOUGH_NS {
        let (begin, mut n_runs) = (processor_ns(), 0);
        while processor_ns() - begin < BATCH_NS {
            run();
            n_runs += 1;
        }
        best = best.min((processor_ns() - begin) as f64 / f64::from(n_runs));
    }
    best
}

/// Returns the size of the messages of a row.
fn message_bytes(kind: Kind, side: u32) -> u64 {
    let hops_per_byte = f64::from(side * side) * kind.mean_wires(side) * FRAMES_PER_SEGMENT;
    let most = MOST_HOPS / hops_per_byte * SEGMENT_BYTES;
    most.min(LARGEST_MESSAGE) as u64
}

/// Returns a line of this process's status, in KiB.
fn memory_kib(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with(name)).expect("a line");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).expect("KiB")
}

/// Returns the nanoseconds this process, which has one thread, was on a processor.
fn processor_ns() -> u64 {
    let line = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    line.split_whitespace().next().and_then(|ns| ns.parse().ok()).expect("ns")
}
