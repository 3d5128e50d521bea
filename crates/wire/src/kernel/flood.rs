//! Datagrams as fast as a node sends them, to find out how many frames the machine moves.

use std::net::UdpSocket;
use std::time::{Duration, Instant};

use network::Ip;

use super::node::Node;
use super::requests::kernel_ip;
use crate::error::{Refusal, Step, errno};

/// User data of a datagram that fills an Ethernet frame.
const DATAGRAM_BYTES: usize = 1472;
/// The port of the discard service, which no node has.
const DISCARD: u16 = 9;

impl Node {
    /// Sends datagrams of full frames for a while. The calling thread stays in the node.
    ///
    /// # Errors
    /// When the calling thread may not enter the node, or has no socket.
    pub fn flood(&self, to: Ip, span: Duration) -> Result<(), Refusal> {
        self.namespace.enter().map_err(|errno| Refusal::of(Step::Namespace, errno))?;
        let any = if to.is_v6 { "[::]:0" } else { "0.0.0.0:0" };
        let socket =
            UdpSocket::bind(any).map_err(|error| Refusal::of(Step::Interface, errno(error)))?;
        let (begin, datagram) = (Instant::now(), [0; DATAGRAM_BYTES]);
        while begin.elapsed() < span {
            // A full queue, or the answer that the port is closed, is no reason to stop.
            let _ = socket.send_to(&datagram, (kernel_ip(to), DISCARD));
        }
        Ok(())
    }
}
