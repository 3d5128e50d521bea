//! A collision domain under the heaviest load: every station always has a next frame.
//!
//! A saturated run gives the capacity of a hub shared by n stations, the collisions and lost frames
//! per frame delivered, and how evenly the medium is shared over short and long spans (the capture
//! effect). It serves the checks against published curves and the engines that need the capacity of
//! a hub without simulating a workload on it.

use std::collections::BTreeSet;

use crate::error::DeviceError;
use crate::ethernet::{ByteTime, GAP_BYTES};
use crate::hub::{Decision, Hub, HubConfig};
use quantity::Time;

/// The traffic that every station generates.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The length of all frames, header to frame check sequence.
    pub frame_bytes: u32,
    /// The time a host needs between the end of one frame and the readiness of its next.
    pub spacing: Time,
}

/// Throughput and fairness of a saturated collision domain.
#[derive(Clone, Debug)]
pub struct Saturation {
    /// Share of the rate carried as frame bits; preamble and gap are not counted.
    pub utilisation: f64,
    /// Collisions per frame delivered.
    pub collisions_per_frame: f64,
    /// Share of all frames given up after sixteen collisions.
    pub given_up_share: f64,
    /// Mean number of frames a station sends before another one does.
    pub mean_run: f64,
    /// The station of each frame delivered, in order.
    senders: Vec<u32>,
    n_stations: u32,
}

impl Saturation {
    /// Returns Jain's fairness index of the frames per station, averaged over windows of `n_frames`
    /// frames.
    ///
    /// It is 1 when all stations send equally often and 1/n when one sends alone (Jain, Chiu, Hawe
    /// 1984).
    pub fn fairness(&self, n_frames: usize) -> f64 {
        let windows = self.senders.chunks_exact(n_frames);
        let n_windows = windows.len();
        windows.map(|window| jain_index(window, self.n_stations)).sum::<f64>() / n_windows as f64
    }

    /// Returns Jain's fairness index over the whole run.
    pub fn fairness_overall(&self) -> f64 {
        jain_index(&self.senders, self.n_stations)
    }
}

/// Runs the collision domain of `config` until `n_frames` are delivered.
///
/// # Errors
/// When the hub cannot be built.
pub fn saturate(
    config: HubConfig,
    source: Source,
    n_frames: usize,
) -> Result<Saturation, DeviceError> {
    let mut hub = Hub::new(config)?;
    let mut ready: BTreeSet<(Time, u32)> =
        (0..config.n_stations).map(|i| (Time::ZERO, i)).collect();
    let mut senders = Vec::with_capacity(n_frames);
    let mut last_end = Time::ZERO;
    while senders.len() < n_frames {
        while let Some(&(time, station)) = ready.first()
            && time <= hub.next_decision()
        {
            ready.pop_first();
            hub.offer(time, station, 0, source.frame_bytes);
        }
        let now = hub.next_decision();
        match hub.decide(now) {
            Some(Decision::Sent { station, end, .. }) => {
                senders.push(station);
                last_end = end;
                ready.insert((end + source.spacing, station));
            }
            Some(Decision::Collided { end, .. }) => {
                ready
                    .extend(hub.given_up().iter().map(|lost| (end + source.spacing, lost.station)));
            }
            None => {}
        }
    }
    let elapsed = last_end + ByteTime::new(config.rate).of(GAP_BYTES);
    Ok(summary(&config, &hub, senders, elapsed))
}

fn summary(config: &HubConfig, hub: &Hub, senders: Vec<u32>, elapsed: Time) -> Saturation {
    let counters = hub.counters();
    let capacity_bits = elapsed.seconds() * config.rate.bps() as f64;
    let changes = senders.windows(2).filter(|pair| pair[0] != pair[1]).count();
    Saturation {
        utilisation: counters.bytes as f64 * 8.0 / capacity_bits,
        collisions_per_frame: counters.collisions as f64 / counters.frames as f64,
        given_up_share: counters.given_up as f64 / (counters.frames + counters.given_up) as f64,
        mean_run: senders.len() as f64 / (changes + 1) as f64,
        senders,
        n_stations: config.n_stations,
    }
}

fn jain_index(senders: &[u32], n_stations: u32) -> f64 {
    let mut shares = vec![0.0; n_stations as usize];
    for &station in senders {
        shares[station as usize] += 1.0;
    }
    let squares: f64 = shares.iter().map(|share| share * share).sum();
    (senders.len() as f64).powi(2) / (f64::from(n_stations) * squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fairness_index_is_1_for_equal_shares_and_1_over_n_for_one_sender() {
        assert_eq!(jain_index(&[0, 1, 2, 3, 0, 1, 2, 3], 4), 1.0);
        assert_eq!(jain_index(&[2; 12], 4), 0.25);
        assert_eq!(jain_index(&[0, 0, 1, 1], 4), 0.5);
    }
}
