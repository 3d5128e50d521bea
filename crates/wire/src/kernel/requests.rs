//! Netlink requests in batches. A request asks for no acknowledgement, only the last of a batch
//! does: refusals come without being asked for, and one answer tells that all have been read.

use std::net::IpAddr;

use netlink_packet_core::{
    NLM_F_ACK, NLM_F_CREATE, NLM_F_EXCL, NLM_F_REQUEST, NetlinkHeader, NetlinkMessage,
    NetlinkPayload,
};
use netlink_packet_route::address::{
    AddressAttribute, AddressHeaderFlags, AddressMessage, AddressScope,
};
use netlink_packet_route::link::{LinkAttribute, LinkFlags, LinkMessage};
use netlink_packet_route::neighbour::{
    NeighbourAttribute, NeighbourMessage, NeighbourState,
};
use netlink_packet_route::route::{
    RouteAttribute, RouteHeader, RouteMessage, RouteProtocol, RouteScope, RouteType,
};
use netlink_packet_route::{AddressFamily, RouteNetlinkMessage};
use netlink_sys::{Socket, SocketAddr, protocols::NETLINK_ROUTE};
use nix::errno::Errno;

use super::node::{InterfaceSpec, NeighbourSpec, RouteSpec};
use crate::error::Step;

/// Bytes sent at once.
const BATCH_BYTES: usize = 64 << 10;

/// A request that the kernel refused, or a socket that failed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refusal {
    pub step: Step,
    pub index: u32,
    pub errno: i32,
}

/// A netlink socket in the namespace of the thread that opened it, with the requests not yet sent.
pub(super) struct Requests {
    socket: Socket,
    buffer: Vec<u8>,
    /// Where the last request begins.
    last: usize,
    /// What each request of the batch is about.
    about: Vec<(Step, u32)>,
}

impl Requests {
    /// Opens a socket.
    pub fn open() -> Result<Requests, Refusal> {
        let mut socket = Socket::new(NETLINK_ROUTE).map_err(socket_failed)?;
        socket.bind_auto().map_err(socket_failed)?;
        socket.connect(&SocketAddr::new(0, 0)).map_err(socket_failed)?;
        Ok(Requests { socket, buffer: Vec::with_capacity(BATCH_BYTES), last: 0, about: Vec::new() })
    }

    /// Gives an interface its hardware address and MTU, and switches it on.
    pub fn set_up(&mut self, index: u32, link: u32, spec: Option<&InterfaceSpec>) -> Result<(), Refusal> {
        let mut message = LinkMessage::default();
        message.header.index = link;
        message.header.flags = LinkFlags::Up;
        message.header.change_mask = LinkFlags::Up;
        if let Some(spec) = spec {
            message.attributes.push(LinkAttribute::Address(spec.mac.to_vec()));
            message.attributes.push(LinkAttribute::Mtu(spec.mtu));
        }
        self.add(Step::Interface, index, 0, RouteNetlinkMessage::SetLink(message))
    }

    /// Adds an address to an interface.
    pub fn add_address(&mut self, index: u32, link: u32, address: IpAddr, prefix_length: u8) -> Result<(), Refusal> {
        let mut message = AddressMessage::default();
        message.header.family = family(address);
        message.header.prefix_len = prefix_length;
        message.header.scope = AddressScope::Universe;
        message.header.index = link;
        if address.is_ipv6() {
            // Nobody else can have it: no time is spent on asking.
            message.header.flags = AddressHeaderFlags::Nodad;
        }
        message.attributes.push(AddressAttribute::Local(address));
        message.attributes.push(AddressAttribute::Address(address));
        self.add(Step::Address, index, CREATE, RouteNetlinkMessage::NewAddress(message))
    }

    /// Adds a route to the main table.
    pub fn add_route(&mut self, index: u32, link: u32, spec: &RouteSpec) -> Result<(), Refusal> {
        let mut message = RouteMessage::default();
        message.header.address_family = family(spec.destination);
        message.header.destination_prefix_length = spec.prefix_length;
        message.header.table = RouteHeader::RT_TABLE_MAIN;
        message.header.protocol = RouteProtocol::Static;
        message.header.kind = RouteType::Unicast;
        message.header.scope = match spec.via {
            Some(_) => RouteScope::Universe,
            None => RouteScope::Link,
        };
        let attributes = &mut message.attributes;
        attributes.push(RouteAttribute::Destination(spec.destination.into()));
        attributes.push(RouteAttribute::Oif(link));
        attributes.push(RouteAttribute::Priority(spec.metric));
        attributes.extend(spec.via.map(|via| RouteAttribute::Gateway(via.into())));
        attributes.extend(spec.source.map(|source| RouteAttribute::PrefSource(source.into())));
        self.add(Step::Route, index, CREATE, RouteNetlinkMessage::NewRoute(message))
    }

    /// Adds a permanent neighbour.
    pub fn add_neighbour(&mut self, index: u32, link: u32, spec: &NeighbourSpec) -> Result<(), Refusal> {
        let mut message = NeighbourMessage::default();
        message.header.family = family(spec.address);
        message.header.ifindex = link;
        message.header.state = NeighbourState::Permanent;
        message.attributes.push(NeighbourAttribute::Destination(spec.address.into()));
        message.attributes.push(NeighbourAttribute::LinkLayerAddress(spec.mac.to_vec()));
        self.add(Step::Neighbour, index, CREATE, RouteNetlinkMessage::NewNeighbour(message))
    }

    fn add(&mut self, step: Step, index: u32, flags: u16, message: RouteNetlinkMessage) -> Result<(), Refusal> {
        let mut header = NetlinkHeader::default();
        header.flags = NLM_F_REQUEST | flags;
        header.sequence_number = self.about.len() as u32;
        let mut request = NetlinkMessage::new(header, NetlinkPayload::from(message));
        request.finalize();
        if self.buffer.len() + request.buffer_len() > BATCH_BYTES {
            self.send()?;
            request.header.sequence_number = 0;
        }
        self.last = self.buffer.len();
        self.buffer.resize(self.last + request.buffer_len(), 0);
        request.serialize(&mut self.buffer[self.last..]);
        self.about.push((step, index));
        Ok(())
    }

    /// Sends what has been gathered, and waits until the kernel has done it.
    pub fn send(&mut self) -> Result<(), Refusal> {
        let Some(n_requests) = self.about.len().checked_sub(1) else { return Ok(()) };
        let last = n_requests as u32;
        // The flags of a request are its bytes 6 and 7.
        let flags = u16::from_ne_bytes([self.buffer[self.last + 6], self.buffer[self.last + 7]]);
        self.buffer[self.last + 6..self.last + 8]
            .copy_from_slice(&(flags | NLM_F_ACK).to_ne_bytes());
        self.socket.send(&self.buffer, 0).map_err(socket_failed)?;
        self.buffer.clear();
        let about = std::mem::take(&mut self.about);
        loop {
            let (answers, _) = self.socket.recv_from_full().map_err(socket_failed)?;
            let mut rest = &answers[..];
            while !rest.is_empty() {
                let answer = NetlinkMessage::<RouteNetlinkMessage>::deserialize(rest)
                    .map_err(|_| Refusal { step: Step::Netlink, index: 0, errno: Errno::EBADMSG as i32 })?;
                let number = answer.header.sequence_number;
                if let NetlinkPayload::Error(error) = answer.payload {
                    if let Some(code) = error.code {
                        let (step, index) = about[number as usize];
                        return Err(Refusal { step, index, errno: -code.get() });
                    }
                    if number == last {
                        return Ok(());
                    }
                }
                let length = (answer.header.length as usize).next_multiple_of(4);
                rest = rest.get(length..).unwrap_or_default();
            }
        }
    }
}

const CREATE: u16 = NLM_F_CREATE | NLM_F_EXCL;

fn family(address: IpAddr) -> AddressFamily {
    if address.is_ipv6() { AddressFamily::Inet6 } else { AddressFamily::Inet }
}

fn socket_failed(error: std::io::Error) -> Refusal {
    Refusal { step: Step::Netlink, index: 0, errno: error.raw_os_error().unwrap_or(0) }
}
