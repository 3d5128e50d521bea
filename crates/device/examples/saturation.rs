//! Prints what saturated collision domains carry, as in `docs/design/csma-cd.md`.
//!
//! `cargo run --release -p device --example saturation`
#![allow(clippy::disallowed_macros)] // An example shows its result.

use device::saturation::{Saturation, Source, saturate};
use device::{DeviceError, HubConfig};
use quantity::{Rate, Time};

const STATIONS: [u32; 7] = [1, 2, 4, 8, 16, 24, 36];
const FRAME_BYTES: [u32; 6] = [64, 128, 256, 512, 1024, 1518];
const N_FRAMES: usize = 200_000;

fn fast(n_stations: u32, frame_bytes: u32, spacing: Time) -> Result<Saturation, DeviceError> {
    let config = HubConfig {
        n_stations,
        rate: Rate::from_mbps(100),
        domain_delay: Time::from_ns(600),
        queue_limit: None,
        seed: 1,
        hub_id: 0,
    };
    saturate(config, Source { frame_bytes, spacing }, N_FRAMES)
}

fn print_table(title: &str, runs: &[Vec<Saturation>], value: impl Fn(&Saturation) -> String) {
    println!("\n{title}\n\n| frame | {} |", STATIONS.map(|n| n.to_string()).join(" | "));
    println!("|---|{}", "---|".repeat(STATIONS.len()));
    for (bytes, row) in FRAME_BYTES.iter().zip(runs) {
        let cells: Vec<String> = row.iter().map(&value).collect();
        println!("| {bytes} | {} |", cells.join(" | "));
    }
}

fn print_sharing() -> Result<(), DeviceError> {
    println!("\nSharing, frames of 1518 bytes\n");
    println!(
        "| stations | host spacing us | mean run | Jain 10 n | Jain 100 n | Jain all | given up % |"
    );
    println!("|---|---|---|---|---|---|---|");
    for n in [2, 4, 8, 16, 36] {
        for spacing_us in [0, 10, 50] {
            let run = fast(n, 1518, Time::from_us(spacing_us))?;
            let window = 10 * n as usize;
            println!(
                "| {n} | {spacing_us} | {:.1} | {:.3} | {:.3} | {:.4} | {:.2} |",
                run.mean_run,
                run.fairness(window),
                run.fairness(10 * window),
                run.fairness_overall(),
                100.0 * run.given_up_share,
            );
        }
    }
    Ok(())
}

fn main() -> Result<(), DeviceError> {
    let row = |bytes| STATIONS.iter().map(|&n| fast(n, bytes, Time::ZERO)).collect();
    let runs: Vec<Vec<Saturation>> =
        FRAME_BYTES.into_iter().map(row).collect::<Result<_, DeviceError>>()?;
    print_table("Share of the rate carried as frame bits, %", &runs, |run| {
        format!("{:.1}", 100.0 * run.utilisation)
    });
    print_table("Collisions per frame delivered", &runs, |run| {
        format!("{:.2}", run.collisions_per_frame)
    });
    print_table("Frames given up, %", &runs, |run| format!("{:.2}", 100.0 * run.given_up_share));
    print_sharing()
}
