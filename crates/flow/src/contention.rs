//! Throughput of a collision domain when several stations always have a next frame.
//!
//! Measured on the CSMA/CD device: `device::saturation`, two runs of 100,000 frames at 100 Mb/s, a
//! one-way delay of 0.6 us, no host spacing. Contention adds to each delivered frame a number of
//! bit times beyond frame, preamble and gap, independent of the rate: 8 L / utilisation - (8 L +
//! 160). The test below measures a part of the table again. The cost is interpolated linearly in
//! the number of stations and in the length of the frame, and constant beyond the last entry.

use crate::units::CAPACITY;

const STATIONS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
const FRAME_BYTES: [u32; 6] = [64, 128, 256, 512, 1024, 1518];

/// Tenths of a bit time per frame delivered, by length of the frame and number of stations.
const COSTS: [[u32; 8]; 6] = [
    [0, 29, 85, 203, 470, 1133, 2884, 5045],
    [0, 50, 153, 351, 790, 1740, 3688, 5543],
    [0, 92, 272, 637, 1359, 2724, 4631, 5936],
    [0, 175, 514, 1144, 2274, 3929, 5410, 6189],
    [0, 335, 946, 2011, 3528, 5054, 5953, 6568],
    [0, 486, 1336, 2672, 4280, 5517, 6151, 6952],
];

/// Preamble and gap.
const BITS_AROUND_A_FRAME: u32 = 160;

/// Returns the capacity of a collision domain in which `n_stations` send frames of `frame_bytes`.
pub(crate) fn capacity(n_stations: u32, frame_bytes: u32) -> u128 {
    let busy = 10 * u128::from(8 * frame_bytes + BITS_AROUND_A_FRAME);
    CAPACITY / (busy + u128::from(cost(n_stations, frame_bytes))) * busy
}

/// Returns the cost of contention per frame, in tenths of a bit time.
fn cost(n_stations: u32, frame_bytes: u32) -> u32 {
    let (row, below, width) = place(&FRAME_BYTES, frame_bytes);
    let at = |row: usize| {
        let (column, beyond, distance) = place(&STATIONS, n_stations);
        between((COSTS[row][column], COSTS[row][column + 1]), beyond, distance)
    };
    between((at(row), at(row + 1)), below, width)
}

/// Returns the table entry below a value, the distance to it, and the distance between the entries.
fn place(entries: &[u32], value: u32) -> (usize, u32, u32) {
    let value = value.clamp(entries[0], entries[entries.len() - 1]);
    let index = entries.partition_point(|&entry| entry <= value).clamp(1, entries.len() - 1) - 1;
    (index, value - entries[index], entries[index + 1] - entries[index])
}

fn between((low, high): (u32, u32), beyond: u32, distance: u32) -> u32 {
    low + (u64::from(high - low) * u64::from(beyond) / u64::from(distance)) as u32
}

#[cfg(test)]
mod tests {
    use device::HubConfig;
    use device::saturation::{Source, saturate};
    use quantity::{Rate, Time};

    use super::*;

    fn measured(n_stations: u32, frame_bytes: u32) -> f64 {
        let config = HubConfig {
            n_stations,
            rate: Rate::from_mbps(100),
            domain_delay: Time::from_ns(600),
            queue_limit: None,
            seed: 7,
            hub_id: 0,
        };
        saturate(config, Source { frame_bytes, spacing: Time::ZERO }, 40_000).unwrap().utilisation
    }

    fn modelled(n_stations: u32, frame_bytes: u32) -> f64 {
        let bits = f64::from(8 * frame_bytes);
        let share = capacity(n_stations, frame_bytes) as f64 / CAPACITY as f64;
        share * bits / (bits + f64::from(BITS_AROUND_A_FRAME))
    }

    #[test]
    fn the_device_carries_what_the_table_says_at_its_entries_and_between_them() {
        for n_stations in [1, 2, 3, 5, 8, 12, 24, 48, 100] {
            for frame_bytes in [64, 90, 512, 800, 1518] {
                let (found, model) =
                    (measured(n_stations, frame_bytes), modelled(n_stations, frame_bytes));
                // The noise of a run is half a percentage point; between entries the curve is not
                // quite linear.
                assert!(
                    (found - model).abs() < 0.012,
                    "{n_stations} stations, {frame_bytes} bytes: {found} measured, {model} here"
                );
            }
        }
    }

    #[test]
    fn a_station_alone_has_all_of_it_and_many_have_the_last_entry() {
        assert_eq!(cost(0, 1518), 0);
        assert_eq!(cost(1, 9018), 0);
        assert_eq!(cost(1000, 9018), 6952);
        assert_eq!(cost(3, 64), 57);
    }
}
