//! Marks of the packets that a node itself sends, by nf_tables. A packet whose mark changes has its
//! route looked up again, whatever route its socket remembers: a kernel does not tell sockets of
//! IPv6 that the interface of their route has lost its carrier. See
//! `include/uapi/linux/netfilter/nf_tables.h` of Linux for the messages.

use std::io::Error;

use netlink_sys::{Socket, SocketAddr, protocols::NETLINK_NETFILTER};
use nix::Result;
use nix::errno::Errno;

use super::spec::MarkSpec;
use crate::error::errno;

/// Name of the table.
const TABLE: &str = "linkwright";
/// Name of its chain.
const CHAIN: &str = "marks";
/// Number of IPv6 among the families of netfilter.
const IPV6: u8 = 10;
/// Number of nf_tables among the parts of netfilter, the high byte of a message's type.
const NF_TABLES: u16 = 10;
const BATCH_BEGIN: u16 = 16;
const BATCH_END: u16 = 17;
const NEW_TABLE: u16 = NF_TABLES << 8;
const NEW_CHAIN: u16 = NF_TABLES << 8 | 3;
const NEW_RULE: u16 = NF_TABLES << 8 | 6;
/// Flags of messages: a request, with an acknowledgement, that makes something and appends it.
const REQUEST: u16 = 0x1;
const MAKE: u16 = REQUEST | 0x4 | 0x400 | 0x800;
/// The hook of packets that the machine itself sends, and the priority of chains that change them.
const OUTPUT: u32 = 3;
const MANGLE: i32 = -150;
/// Register of 16 bytes.
const REGISTER: u32 = 1;
/// Place and length of the destination in the header of IPv6.
const DESTINATION: (u32, u32) = (24, 16);
const NETWORK_HEADER: u32 = 1;
const META_MARK: u32 = 3;
const NESTED: u16 = 0x8000;
const HEADER_BYTES: usize = 16;
/// Type of a message with an error number, 0 for an acknowledgement.
const ERROR: u16 = 2;

/// Marks packets in the namespace of the calling thread.
///
/// # Errors
/// When the kernel refuses, for example without nf_tables.
pub(super) fn set(marks: &[MarkSpec]) -> Result<()> {
    if marks.is_empty() {
        return Ok(());
    }
    let mut socket = Socket::new(NETLINK_NETFILTER).map_err(errno)?;
    socket.bind_auto().map_err(errno)?;
    socket.connect(&SocketAddr::new(0, 0)).map_err(errno)?;
    socket.send(&orders(marks), 0).map_err(errno)?;
    // The table, the chain and each rule are acknowledged.
    let mut left = 2 + marks.len();
    while left > 0 {
        let (received, _) = socket.recv_from_full().map_err(errno)?;
        left = left.saturating_sub(acknowledged(&received)?);
    }
    Ok(())
}

/// Returns the number of acknowledgements in an answer, or the first error.
fn acknowledged(mut rest: &[u8]) -> Result<usize> {
    let mut n = 0;
    while let Some((header, body)) = rest.split_at_checked(HEADER_BYTES) {
        let length = u32::from_ne_bytes([header[0], header[1], header[2], header[3]]) as usize;
        if u16::from_ne_bytes([header[4], header[5]]) == ERROR {
            let code = body.first_chunk().map_or(0, |code| i32::from_ne_bytes(*code));
            if code != 0 {
                return Err(errno(Error::from_raw_os_error(-code)));
            }
            n += 1;
        }
        rest = rest.get(length.max(HEADER_BYTES).next_multiple_of(4)..).unwrap_or_default();
    }
    if n == 0 { Err(Errno::EBADMSG) } else { Ok(n) }
}

fn orders(marks: &[MarkSpec]) -> Vec<u8> {
    let mut found = message(BATCH_BEGIN, REQUEST, 0, NF_TABLES, &[]);
    found.extend(message(NEW_TABLE, MAKE, IPV6, 0, &text(1, TABLE)));
    let hook = [number(1, OUTPUT), number(2, MANGLE as u32)].concat();
    let chain = [text(1, TABLE), text(3, CHAIN), nested(4, &hook), text(7, "route")].concat();
    found.extend(message(NEW_CHAIN, MAKE, IPV6, 0, &chain));
    for mark in marks {
        let rule = [text(1, TABLE), text(2, CHAIN), nested(4, &expressions(mark))].concat();
        found.extend(message(NEW_RULE, MAKE, IPV6, 0, &rule));
    }
    found.extend(message(BATCH_END, REQUEST, 0, NF_TABLES, &[]));
    found
}

/// Returns the steps of a rule: load the destination, keep its prefix, compare it, set the mark.
fn expressions(spec: &MarkSpec) -> Vec<u8> {
    let kept = u128::MAX.checked_shl(128 - u32::from(spec.prefix_length)).unwrap_or(0);
    let load = [
        number(1, REGISTER),
        number(2, NETWORK_HEADER),
        number(3, DESTINATION.0),
        number(4, DESTINATION.1),
    ];
    let keep = [
        number(1, REGISTER),
        number(2, REGISTER),
        number(3, DESTINATION.1),
        value(4, &kept.to_be_bytes()),
        value(5, &[0; 16]),
    ];
    let compare = [
        number(1, REGISTER),
        number(2, 0),
        value(3, &(spec.destination.bits & kept).to_be_bytes()),
    ];
    let take = [number(1, REGISTER), value(2, &spec.mark.to_ne_bytes())];
    let give = [number(2, META_MARK), number(3, REGISTER)];
    [
        expression("payload", &load.concat()),
        expression("bitwise", &keep.concat()),
        expression("cmp", &compare.concat()),
        expression("immediate", &take.concat()),
        expression("meta", &give.concat()),
    ]
    .concat()
}

fn expression(name: &str, data: &[u8]) -> Vec<u8> {
    nested(1, &[text(1, name), nested(2, data)].concat())
}

fn message(kind: u16, flags: u16, family: u8, resource: u16, attributes: &[u8]) -> Vec<u8> {
    let mut found = Vec::with_capacity(HEADER_BYTES + 4 + attributes.len());
    found.extend(((HEADER_BYTES + 4 + attributes.len()) as u32).to_ne_bytes());
    found.extend(kind.to_ne_bytes());
    found.extend(flags.to_ne_bytes());
    found.extend([0; 8]);
    found.extend([family, 0]);
    found.extend(resource.to_be_bytes());
    found.extend(attributes);
    found
}

fn attribute(kind: u16, value: &[u8]) -> Vec<u8> {
    let mut found = Vec::with_capacity(4 + value.len().next_multiple_of(4));
    found.extend(((4 + value.len()) as u16).to_ne_bytes());
    found.extend(kind.to_ne_bytes());
    found.extend(value);
    found.resize(found.len().next_multiple_of(4), 0);
    found
}

fn nested(kind: u16, attributes: &[u8]) -> Vec<u8> {
    attribute(kind | NESTED, attributes)
}

fn number(kind: u16, number: u32) -> Vec<u8> {
    attribute(kind, &number.to_be_bytes())
}

fn text(kind: u16, text: &str) -> Vec<u8> {
    attribute(kind, &[text.as_bytes(), &[0]].concat())
}

fn value(kind: u16, bytes: &[u8]) -> Vec<u8> {
    nested(kind, &attribute(1, bytes))
}
