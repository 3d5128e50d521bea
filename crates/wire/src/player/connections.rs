//! The connections of one rank, one for each rank that it exchanges messages with. All listen; of
//! every two the higher rank connects, and tells its number first.

use std::collections::{BTreeMap, VecDeque};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::thread::sleep;
use std::time::{Duration, Instant};

use host::Head;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::TimeSpec;
use program::Rank;

use super::stream::{Incoming, Outgoing};
use crate::error::errno;

/// The longest wait for a peer to listen.
const PATIENCE: Duration = Duration::from_secs(30);
/// Time between two attempts to connect.
const RETRY: Duration = Duration::from_millis(20);
/// Bytes read at once.
const READ_BYTES: usize = 1 << 16;

/// A rank that waits for others to connect.
#[derive(Debug)]
pub struct Listener {
    rank: Rank,
    socket: TcpListener,
}

/// The connections of a rank, by peer.
#[derive(Debug)]
pub struct Connections {
    peers: BTreeMap<Rank, Peer>,
    buffer: Vec<u8>,
    /// The peer whose connection was used last.
    pub(super) last_used: Option<Rank>,
    /// The ranks to which a transfer that waited for room is written.
    flushed: VecDeque<Rank>,
}

#[derive(Debug)]
struct Peer {
    stream: TcpStream,
    incoming: Incoming,
    /// The transfer that waits for room.
    postponed: Option<Outgoing>,
}

impl Listener {
    /// Listens at an address.
    ///
    /// # Errors
    /// When the address is in use, or is not the node's.
    pub fn open(rank: Rank, address: &str, port: u16) -> Result<Listener, Errno> {
        let socket = TcpListener::bind((address, port)).map_err(errno)?;
        Ok(Listener { rank, socket })
    }

    /// Connects to the lower ranks among the peers, and waits for the higher ones to connect.
    ///
    /// # Errors
    /// When a peer cannot be reached in time.
    pub fn join(self, peers: &BTreeMap<Rank, (String, u16)>) -> Result<Connections, Errno> {
        let mut found = BTreeMap::new();
        for (&peer, (address, port)) in peers.range(..self.rank) {
            let mut stream = connect(address, *port)?;
            stream.write_all(&self.rank.get().to_be_bytes()).map_err(errno)?;
            found.insert(peer, stream);
        }
        for _ in peers.range(self.rank..) {
            let (mut stream, _) = self.socket.accept().map_err(errno)?;
            let mut rank = [0; 4];
            stream.read_exact(&mut rank).map_err(errno)?;
            found.insert(Rank::new(u32::from_be_bytes(rank)), stream);
        }
        let peer = |(rank, stream): (Rank, TcpStream)| {
            stream.set_nodelay(true).and_then(|()| stream.set_nonblocking(true)).map_err(errno)?;
            Ok((rank, Peer { stream, incoming: Incoming::default(), postponed: None }))
        };
        let peers = found.into_iter().map(peer).collect::<Result<_, Errno>>()?;
        Ok(Connections {
            peers,
            buffer: vec![0; READ_BYTES],
            last_used: None,
            flushed: VecDeque::new(),
        })
    }
}

impl Connections {
    /// Writes as much of a transfer as the kernel takes; returns whether that is all.
    pub(super) fn write(&mut self, outgoing: &mut Outgoing) -> Result<bool, Errno> {
        self.last_used = Some(outgoing.to);
        let peer = self.peers.get_mut(&outgoing.to).ok_or(Errno::ENOTCONN)?;
        peer.write(outgoing)
    }

    /// Takes the rest of a transfer, which leaves while the rank waits for anything.
    pub(super) fn postpone(&mut self, outgoing: Outgoing) {
        let peer = self.peers.get_mut(&outgoing.to);
        let peer = peer.expect("a rank has a connection to each that it writes to");
        peer.postponed = Some(outgoing);
    }

    /// Returns whether transfers wait for room.
    pub(super) fn has_postponed(&self) -> bool {
        self.peers.values().any(|peer| peer.postponed.is_some())
    }

    /// Returns a rank to which a transfer that waited for room is written, once.
    pub(super) fn next_flushed(&mut self) -> Option<Rank> {
        self.flushed.pop_front()
    }

    /// Waits until a connection can be written to, or, if `reads`, until something has arrived, or
    /// until a time has passed; reads it, and returns the senders and heads of transfers that are
    /// complete.
    pub(super) fn wait(
        &mut self,
        to: Option<Rank>,
        reads: bool,
        most: Option<Duration>,
    ) -> Result<Vec<(Rank, Head)>, Errno> {
        for (&rank, peer) in &mut self.peers {
            if peer.write_postponed()? {
                self.flushed.push_back(rank);
            }
        }
        if !self.flushed.is_empty() {
            return Ok(Vec::new());
        }
        let flags = |rank: Rank, peer: &Peer| {
            let writes = to == Some(rank) || peer.postponed.is_some();
            let write = if writes { PollFlags::POLLOUT } else { PollFlags::empty() };
            let read = if reads { PollFlags::POLLIN } else { PollFlags::empty() };
            write | read
        };
        let mut polled: Vec<PollFd<'_>> = self
            .peers
            .iter()
            .map(|(&rank, peer)| PollFd::new(peer.stream.as_fd(), flags(rank, peer)))
            .collect();
        match ppoll(&mut polled, most.map(TimeSpec::from), None) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error),
        }
        let is_readable = |fd: &PollFd<'_>| {
            fd.revents()
                .is_some_and(|found| found.intersects(PollFlags::POLLIN | PollFlags::POLLHUP))
        };
        let readable: Vec<bool> = polled.iter().map(is_readable).collect();
        let mut heads = Vec::new();
        for ((&rank, peer), is_readable) in self.peers.iter_mut().zip(readable) {
            if is_readable && reads {
                self.last_used = Some(rank);
                heads.extend(peer.read(&mut self.buffer)?.into_iter().map(|head| (rank, head)));
            }
        }
        Ok(heads)
    }
}

impl Peer {
    /// Writes as much of a transfer as the kernel takes; returns whether that is all.
    fn write(&mut self, outgoing: &mut Outgoing) -> Result<bool, Errno> {
        while !outgoing.is_done() {
            match self.stream.write_vectored(&outgoing.next()) {
                Ok(n) => outgoing.advance(n),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(errno(error)),
            }
        }
        Ok(true)
    }

    /// Writes as much of the transfer that waits for room as the kernel takes; returns whether that
    /// was its end.
    fn write_postponed(&mut self) -> Result<bool, Errno> {
        let Some(mut outgoing) = self.postponed.take() else { return Ok(false) };
        let is_done = self.write(&mut outgoing)?;
        if !is_done {
            self.postponed = Some(outgoing);
        }
        Ok(is_done)
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<Vec<Head>, Errno> {
        match self.stream.read(buffer) {
            Ok(0) => Err(Errno::ECONNRESET),
            Ok(n) => self.incoming.take(&buffer[..n]).ok_or(Errno::EBADMSG),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                Ok(Vec::new())
            }
            Err(error) => Err(errno(error)),
        }
    }
}

fn connect(address: &str, port: u16) -> Result<TcpStream, Errno> {
    let begin = Instant::now();
    loop {
        match TcpStream::connect((address, port)) {
            Ok(stream) => return Ok(stream),
            Err(error) if begin.elapsed() > PATIENCE => return Err(errno(error)),
            Err(_) => sleep(RETRY),
        }
    }
}
