//! Transfers in the bytes of a connection: the number of zeros behind the head, the head, and the
//! zeros.

use std::io::IoSlice;

use host::{Head, Transfer};
use program::Rank;
use simulation::is_head;

/// A transfer that is being written: its head, then zeros.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub to: Rank,
    head: [u8; FRAME_BYTES],
    /// Bytes written, of the head and the zeros behind it.
    written: u64,
    total: u64,
}

/// A head, and in front of it the number of zeros behind it.
const FRAME_BYTES: usize = 8 + Head::BYTES;
/// Zeros written at once.
pub(super) static ZEROS: [u8; 1 << 16] = [0; 1 << 16];

impl Outgoing {
    /// Returns a transfer of which nothing is written. The head takes the place of its first bytes,
    /// so that a transfer has its own length if it is as long as a head.
    pub fn new(to: Rank, transfer: Transfer) -> Outgoing {
        let total = (u64::from(transfer.header) + transfer.body).max(FRAME_BYTES as u64);
        let mut bytes = [0; FRAME_BYTES];
        bytes[..8].copy_from_slice(&(total - FRAME_BYTES as u64).to_be_bytes());
        bytes[8..].copy_from_slice(&transfer.head.to_bytes());
        Outgoing { to, head: bytes, written: 0, total }
    }

    /// Returns whether all is written.
    pub fn is_done(&self) -> bool {
        self.written == self.total
    }

    /// Returns the next bytes to write: of the head, and of the zeros behind it, in one call, so
    /// that a short transfer is one segment.
    pub fn next(&self) -> [IoSlice<'_>; 2] {
        let of_head = self.written.min(FRAME_BYTES as u64) as usize;
        let zeros = self.total - self.written.max(FRAME_BYTES as u64);
        let zeros = zeros.min(ZEROS.len() as u64) as usize;
        [IoSlice::new(&self.head[of_head..]), IoSlice::new(&ZEROS[..zeros])]
    }

    /// Notes that bytes have been written.
    pub fn advance(&mut self, n: usize) {
        self.written += n as u64;
    }
}

/// The transfer that arrives on a connection.
#[derive(Debug, Default)]
pub(super) struct Incoming {
    /// The bytes of its head so far.
    head: Vec<u8>,
    /// Zeros still to come.
    left: u64,
}

impl Incoming {
    /// Takes bytes that have arrived; returns the heads of the transfers that they complete, or
    /// `None` if they are no heads.
    pub fn take(&mut self, mut bytes: &[u8]) -> Option<Vec<Head>> {
        let mut complete = Vec::new();
        while !bytes.is_empty() {
            if self.head.len() < FRAME_BYTES {
                let n = bytes.len().min(FRAME_BYTES - self.head.len());
                self.head.extend(&bytes[..n]);
                bytes = &bytes[n..];
                if self.head.len() == FRAME_BYTES {
                    self.left = u64::from_be_bytes(*self.head.first_chunk()?);
                }
            }
            let n = (bytes.len() as u64).min(self.left);
            self.left -= n;
            bytes = &bytes[n as usize..];
            if self.head.len() == FRAME_BYTES && self.left == 0 {
                let head = Head::from_bytes(self.head.last_chunk()?);
                complete.push(Some(head).filter(|&head| is_head(head))?);
                self.head.clear();
            }
        }
        Some(complete)
    }
}
