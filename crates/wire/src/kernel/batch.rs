//! A netlink socket, and messages sent over it in batches: orders, of which only failures are
//! answered, and questions, each with an answer.

use netlink_packet_core::{
    NLM_F_ACK, NLM_F_DUMP, NLM_F_REQUEST, NetlinkHeader, NetlinkMessage, NetlinkPayload,
};
use netlink_packet_route::RouteNetlinkMessage;
use netlink_sys::{Socket, SocketAddr, protocols::NETLINK_ROUTE};
use nix::errno::Errno;

use crate::error::{Refusal, Step, errno};

/// Bytes sent at once. The kernel works on them before the call returns.
const BATCH_BYTES: usize = 64 << 10;
/// Requests sent at once that each have an answer, which must all find space in the socket.
const BATCH_ANSWERS: usize = 64;

/// A request that failed, by its number, or a socket that did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failure<T> {
    /// The request, by the caller's mark; `None` where the socket failed.
    pub of: Option<T>,
    pub errno: i32,
}

/// The kernel's answer to a request.
type Answer = NetlinkPayload<RouteNetlinkMessage>;

/// The step that a request is part of, and the index of its subject.
pub(super) type Mark = (Step, u32);

impl From<Failure<Mark>> for Refusal {
    fn from(Failure { of, errno }: Failure<Mark>) -> Refusal {
        let (step, index) = of.unwrap_or((Step::Netlink, 0));
        Refusal { step, index, errno }
    }
}

/// A socket in the namespace of the thread that opened it, and the requests not yet sent.
pub(super) struct Batch<T> {
    socket: Socket,
    buffer: Vec<u8>,
    /// The offset of the last request in the buffer.
    last: usize,
    /// The caller's mark of each request in the buffer.
    marks: Vec<T>,
}

impl<T: Copy> Batch<T> {
    /// Opens a socket.
    pub fn open() -> Result<Batch<T>, Failure<T>> {
        let mut socket = Socket::new(NETLINK_ROUTE).map_err(failed)?;
        socket.bind_auto().map_err(failed)?;
        socket.connect(&SocketAddr::new(0, 0)).map_err(failed)?;
        Ok(Batch { socket, buffer: Vec::with_capacity(BATCH_BYTES), last: 0, marks: Vec::new() })
    }

    /// Adds an order, which has no answer unless it fails, and sends the batch when it is full.
    pub fn order(
        &mut self,
        mark: T,
        flags: u16,
        message: RouteNetlinkMessage,
    ) -> Result<(), Failure<T>> {
        let request = self.request(flags, message);
        if self.buffer.len() + request.buffer_len() > BATCH_BYTES {
            self.send()?;
        }
        self.push(mark, request);
        Ok(())
    }

    /// Sends the orders, and waits until the kernel has carried them out.
    pub fn send(&mut self) -> Result<(), Failure<T>> {
        let Some(last) = self.marks.len().checked_sub(1) else { return Ok(()) };
        // Failures are answered without being asked for; one acknowledgement, of the last order,
        // tells that all have been carried out. The flags of a message are its bytes 6 and 7.
        let flags = self.last + 6..self.last + 8;
        let before = u16::from_ne_bytes([self.buffer[flags.start], self.buffer[flags.start + 1]]);
        self.buffer[flags].copy_from_slice(&(before | NLM_F_ACK).to_ne_bytes());
        let marks = self.transmit()?;
        self.answers(|number, payload| match payload {
            NetlinkPayload::Error(error) => match error.code {
                Some(code) => Err(Failure { of: Some(marks[number]), errno: -code.get() }),
                None => Ok(number == last),
            },
            _ => Ok(false),
        })
    }

    /// Asks questions and returns the answer to each: a message, or an error number.
    pub fn ask(
        &mut self,
        questions: impl IntoIterator<Item = (T, RouteNetlinkMessage)>,
    ) -> Result<Vec<Result<RouteNetlinkMessage, i32>>, Failure<T>> {
        let mut found = Vec::new();
        let mut questions = questions.into_iter();
        loop {
            for (mark, message) in questions.by_ref().take(BATCH_ANSWERS) {
                let request = self.request(0, message);
                self.push(mark, request);
            }
            let Some(last) = self.marks.len().checked_sub(1) else { return Ok(found) };
            self.transmit()?;
            self.answers(|number, payload| {
                match payload {
                    NetlinkPayload::InnerMessage(answer) => found.push(Ok(answer)),
                    NetlinkPayload::Error(error) => {
                        found.push(Err(error.code.map_or(0, |code| -code.get())));
                    }
                    _ => return Ok(false),
                }
                Ok(number == last)
            })?;
        }
    }

    /// Asks for a list, and returns its entries.
    pub fn list(
        &mut self,
        mark: T,
        question: RouteNetlinkMessage,
    ) -> Result<Vec<RouteNetlinkMessage>, Failure<T>> {
        let request = self.request(NLM_F_DUMP, question);
        self.push(mark, request);
        self.transmit()?;
        let mut found = Vec::new();
        self.answers(|_, payload| match payload {
            NetlinkPayload::InnerMessage(entry) => {
                found.push(entry);
                Ok(false)
            }
            NetlinkPayload::Done(_) => Ok(true),
            NetlinkPayload::Error(error) => {
                Err(Failure { of: Some(mark), errno: error.code.map_or(0, |code| -code.get()) })
            }
            _ => Ok(false),
        })?;
        Ok(found)
    }

    fn request(
        &self,
        flags: u16,
        message: RouteNetlinkMessage,
    ) -> NetlinkMessage<RouteNetlinkMessage> {
        let mut header = NetlinkHeader::default();
        header.flags = NLM_F_REQUEST | flags;
        let mut request = NetlinkMessage::new(header, NetlinkPayload::from(message));
        request.finalize();
        request
    }

    fn push(&mut self, mark: T, mut request: NetlinkMessage<RouteNetlinkMessage>) {
        request.header.sequence_number = self.marks.len() as u32;
        self.last = self.buffer.len();
        self.buffer.resize(self.last + request.buffer_len(), 0);
        request.serialize(&mut self.buffer[self.last..]);
        self.marks.push(mark);
    }

    fn transmit(&mut self) -> Result<Vec<T>, Failure<T>> {
        self.socket.send(&self.buffer, 0).map_err(failed)?;
        self.buffer.clear();
        Ok(std::mem::take(&mut self.marks))
    }

    /// Hands answers with the numbers of their requests to `take`, until it returns true.
    fn answers(
        &self,
        mut take: impl FnMut(usize, Answer) -> Result<bool, Failure<T>>,
    ) -> Result<(), Failure<T>> {
        loop {
            let (received, _) = self.socket.recv_from_full().map_err(failed)?;
            let mut rest = &received[..];
            while !rest.is_empty() {
                let answer = NetlinkMessage::<RouteNetlinkMessage>::deserialize(rest)
                    .map_err(|_| Failure { of: None, errno: Errno::EBADMSG as i32 })?;
                let length = (answer.header.length as usize).next_multiple_of(4);
                if take(answer.header.sequence_number as usize, answer.payload)? {
                    return Ok(());
                }
                rest = rest.get(length..).unwrap_or_default();
            }
        }
    }
}

fn failed<T>(error: std::io::Error) -> Failure<T> {
    Failure { of: None, errno: errno(error) as i32 }
}
