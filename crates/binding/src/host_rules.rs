//! Which values the constants of hosts can have: outside of these a run would divide by zero, go on
//! without an end or leave the range of time. They are wider than what any machine has.

use pyo3::prelude::*;

use crate::errors::bad_constant;

/// The longest fixed cost, and the longest time that a host waits for something, in microseconds.
const MOST_US: f64 = 4_294_967_296.0;
/// The highest cost per byte.
const MOST_US_PER_BYTE: f64 = 1e3;
/// The largest TCP segment: an IP packet is at most 65,535 bytes long.
const MOST_SEGMENT_BYTES: u32 = 65_495;
/// The largest window of a receiver: what TCP can scale one to [RFC-7323].
const MOST_WINDOW_BYTES: u32 = 1 << 30;
/// The longest header of a message or control message.
const MOST_HEADER_BYTES: u32 = 1 << 20;

/// Most processors, and queues of a NIC.
pub const MOST_CPUS: u32 = 4096;

/// Checks costs, pairs of microseconds and microseconds per byte.
pub fn expect_costs(costs: &[(&str, (f64, f64))]) -> PyResult<()> {
    let is_cost = |&(us, us_per_byte): &(f64, f64)| {
        (0.0..=MOST_US).contains(&us) && (0.0..=MOST_US_PER_BYTE).contains(&us_per_byte)
    };
    match costs.iter().find(|(_, cost)| !is_cost(cost)) {
        Some((name, _)) => Err(bad_constant(name, "a cost is at most 2^32 us and 1000 us/byte")),
        None => Ok(()),
    }
}

/// Checks times in microseconds.
pub fn expect_times(times: &[(&str, f64)]) -> PyResult<()> {
    match times.iter().find(|(_, us)| !(0.0..=MOST_US).contains(us)) {
        Some((name, _)) => Err(bad_constant(name, "a time is between 0 and 2^32 us")),
        None => Ok(()),
    }
}

/// Checks numbers of what a host has at least one of, and not more than these.
pub fn expect_some(counts: &[(&str, u32, u32)]) -> PyResult<()> {
    match counts.iter().find(|&&(_, count, most)| !(1..=most).contains(&count)) {
        Some((name, _, most)) => Err(bad_constant(name, &format!("it is between 1 and {most}"))),
        None => Ok(()),
    }
}

/// Checks headers of messages.
pub fn expect_headers(headers: &[(&str, u32)]) -> PyResult<()> {
    match headers.iter().find(|&&(_, bytes)| bytes > MOST_HEADER_BYTES) {
        Some((name, _)) => Err(bad_constant(name, "a header is at most 1 MiB long")),
        None => Ok(()),
    }
}

/// Checks that a segment fits into a packet, and one at least into the window of the receiver.
pub fn expect_window(segment_bytes: u32, window_bytes: u32) -> PyResult<()> {
    if !(1..=MOST_SEGMENT_BYTES).contains(&segment_bytes) {
        return Err(bad_constant("segment_bytes", "a segment has 1 to 65,495 bytes"));
    }
    if window_bytes < segment_bytes || window_bytes > MOST_WINDOW_BYTES {
        return Err(bad_constant(
            "receive_buffer_bytes",
            "its window holds a segment, at most 1 GiB",
        ));
    }
    Ok(())
}
