//! Pings: echo requests of ICMP from nodes to addresses, answered by other nodes' kernels. Each
//! node has one on its way at a time, so that no queue fills.

use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use network::Ip;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, poll};
use nix::sys::socket::{
    AddressFamily, MsgFlags, SockFlag, SockProtocol, SockType, SockaddrStorage, recv, sendto,
    socket,
};

use super::node::Node;
use super::requests::kernel_ip;
use crate::error::{Refusal, Step};

/// Longest wait for an answer.
const WAIT: Duration = Duration::from_secs(1);
/// Longest time between two looks at the order to stop.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);
/// Requests sent before an address counts as silent; a hub may lose some.
const TRIES: u32 = 3;
/// Shortest header of IPv4, in words of 32 bits counted by the low half of its first byte.
const WORD_BYTES: usize = 4;
/// Header of an echo, with the number of the ping behind it.
const ECHO_BYTES: usize = 8 + 4;

/// Types of an echo request, in versions 4 and 6.
const REQUEST: [u8; 2] = [8, 128];
/// Types of the answer.
const ANSWER: [u8; 2] = [0, 129];

/// The pings of one node, one after the other.
#[derive(Debug)]
pub struct Pings {
    to: Vec<Ip>,
    /// Round-trip time of each so far; `None` for one that was not answered.
    times: Vec<Option<Duration>>,
    v4: Option<OwnedFd>,
    v6: Option<OwnedFd>,
    tries: u32,
    sent: Instant,
}

impl Node {
    /// Prepares pings of addresses, which must not be the node's own. The calling thread stays in
    /// the node.
    ///
    /// # Errors
    /// When the calling thread may not enter the node, or has no raw socket.
    pub fn pings(&self, to: Vec<Ip>) -> Result<Pings, Refusal> {
        self.namespace.enter().map_err(|errno| Refusal::of(Step::Namespace, errno))?;
        let open = |is_v6: bool| {
            let (family, protocol) = match is_v6 {
                false => (AddressFamily::Inet, SockProtocol::Icmp),
                true => (AddressFamily::Inet6, SockProtocol::IcmpV6),
            };
            let is_used = to.iter().any(|ip| ip.is_v6 == is_v6);
            is_used.then(|| raw(family, protocol)).transpose()
        };
        let refused = |errno| Refusal::of(Step::Interface, errno);
        let (v4, v6) = (open(false).map_err(refused)?, open(true).map_err(refused)?);
        Ok(Pings { to, times: Vec::new(), v4, v6, tries: 0, sent: Instant::now() })
    }
}

/// Sends the pings of all nodes, one at a time from each, until told to stop; returns the
/// round-trip times.
///
/// # Errors
/// When a socket can no longer be waited for.
pub fn ping(mut nodes: Vec<Pings>, stop: &AtomicBool) -> nix::Result<Vec<Vec<Option<Duration>>>> {
    for node in &mut nodes {
        node.repeat();
    }
    while let Some(longest) = nodes.iter().filter_map(Pings::time_left).min()
        && !stop.load(Ordering::Relaxed)
    {
        let sockets = nodes.iter().flat_map(|node| [&node.v4, &node.v6]).flatten();
        let mut watched: Vec<PollFd<'_>> =
            sockets.map(|socket| PollFd::new(socket.as_fd(), PollFlags::POLLIN)).collect();
        let wait_ms = longest.min(LONGEST_SLEEP).as_millis() as u16;
        match poll(&mut watched, wait_ms + 1) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error),
        }
        for node in &mut nodes {
            node.listen();
            node.give_up_or_repeat();
        }
    }
    Ok(nodes.into_iter().map(|node| node.times).collect())
}

impl Pings {
    fn now(&self) -> Option<Ip> {
        self.to.get(self.times.len()).copied()
    }

    fn time_left(&self) -> Option<Duration> {
        self.now().map(|_| WAIT.saturating_sub(self.sent.elapsed()))
    }

    /// Takes in all that has arrived, and sends the next request after each answer.
    fn listen(&mut self) {
        let mut packet = [0; 128];
        for is_v6 in [false, true] {
            while let Some(n) = self.receive(is_v6, &mut packet) {
                if self.now().is_some() && number(is_v6, &packet[..n]) == Some(self.number()) {
                    self.end(Some(self.sent.elapsed()));
                }
            }
        }
    }

    fn give_up_or_repeat(&mut self) {
        if self.time_left() != Some(Duration::ZERO) {
            return;
        }
        if self.tries < TRIES {
            self.repeat();
        } else {
            self.end(None);
        }
    }

    fn end(&mut self, time: Option<Duration>) {
        self.times.push(time);
        self.tries = 0;
        self.repeat();
    }

    fn repeat(&mut self) {
        self.tries += 1;
        self.sent = Instant::now();
        self.send();
    }

    fn send(&self) {
        let Some(to) = self.now() else { return };
        let socket = self.socket(to.is_v6).expect("a socket of each family that is pinged");
        let address = SockaddrStorage::from(std::net::SocketAddr::new(kernel_ip(to), 0));
        // A node without a route, or with a full queue, gets no answer.
        let _ = sendto(
            socket.as_raw_fd(),
            &request(to.is_v6, self.number()),
            &address,
            MsgFlags::empty(),
        );
    }

    fn number(&self) -> u32 {
        self.times.len() as u32
    }

    fn socket(&self, is_v6: bool) -> Option<&OwnedFd> {
        if is_v6 { self.v6.as_ref() } else { self.v4.as_ref() }
    }

    fn receive(&self, is_v6: bool, packet: &mut [u8]) -> Option<usize> {
        recv(self.socket(is_v6)?.as_raw_fd(), packet, MsgFlags::empty()).ok()
    }
}

fn raw(family: AddressFamily, protocol: SockProtocol) -> nix::Result<OwnedFd> {
    socket(family, SockType::Raw, SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK, protocol)
}

/// Returns an echo request with a number.
fn request(is_v6: bool, number: u32) -> [u8; ECHO_BYTES] {
    let mut echo = [0; ECHO_BYTES];
    echo[0] = REQUEST[usize::from(is_v6)];
    echo[8..].copy_from_slice(&number.to_be_bytes());
    // The kernel has the checksum of version 6.
    if !is_v6 {
        let checksum = !sum_of_words(&echo);
        echo[2..4].copy_from_slice(&checksum.to_be_bytes());
    }
    echo
}

/// Returns the sum of words of 16 bits that ICMP's checksum is the complement of.
fn sum_of_words(bytes: &[u8]) -> u16 {
    let words = bytes.chunks(2).map(|two| u32::from(two[0]) << 8 | u32::from(two[1]));
    let mut sum: u32 = words.sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum as u16
}

/// Returns the number in a packet that answers an echo request.
fn number(is_v6: bool, packet: &[u8]) -> Option<u32> {
    // Raw sockets of version 4 get the header of the packet too.
    let header = if is_v6 { 0 } else { usize::from(packet.first()? & 0x0f) * WORD_BYTES };
    let echo = packet.get(header..header + ECHO_BYTES)?;
    let number = echo[8..].try_into().expect("four bytes");
    (echo[0] == ANSWER[usize::from(is_v6)]).then(|| u32::from_be_bytes(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_of_a_request_makes_its_sum_all_ones() {
        for number in [0, 1, 0xf7ff_ffff, 0x1234_5678, u32::MAX] {
            let echo = request(false, number);
            assert_eq!(sum_of_words(&echo), 0xffff, "{number}");
        }
    }

    #[test]
    fn answers_have_the_number_and_requests_have_none() {
        let mut echo = request(true, 77);
        assert_eq!(number(true, &echo), None);
        echo[0] = ANSWER[1];
        assert_eq!(number(true, &echo), Some(77));
        let mut packet = vec![0x46; 24];
        packet.extend(request(false, 78));
        assert_eq!(number(false, &packet), None);
        packet[24] = ANSWER[0];
        assert_eq!(number(false, &packet), Some(78));
        assert_eq!(number(false, &packet[..30]), None);
        assert_eq!(number(false, &[]), None);
    }
}
