//! TAP interfaces: the end of a cable that a node sees. One lives as long as its descriptor.
#![allow(unsafe_code)] // The requests of the TUN driver have no safe wrapper.

use std::fs::OpenOptions;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;

use nix::Result;
use nix::errno::Errno;
use nix::libc::{self, c_char, c_int, c_short};

use crate::error::errno;

/// The head of `struct ifreq` as the TUN driver reads it.
#[repr(C)]
struct InterfaceRequest {
    name: [c_char; libc::IFNAMSIZ],
    flags: c_short,
    padding: [u8; 22],
}

nix::ioctl_write_ptr_bad!(set_interface, libc::TUNSETIFF as libc::c_ulong, InterfaceRequest);
nix::ioctl_write_int_bad!(set_persistent, libc::TUNSETPERSIST as libc::c_ulong);
nix::ioctl_write_ptr!(set_carrier, b'T', 226, c_int);

/// Opens the TUN driver.
///
/// # Errors
/// When /dev/net/tun is missing or may not be opened.
pub(super) fn open() -> Result<OwnedFd> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC);
    Ok(options.open("/dev/net/tun").map_err(errno)?.into())
}

/// Creates a TAP interface in the namespace of the calling thread.
///
/// # Errors
/// When the name is too long or taken, or the kernel refuses.
pub(super) fn create(tun: &OwnedFd, name: &str) -> Result<()> {
    let mut request = InterfaceRequest { name: [0; libc::IFNAMSIZ], flags: 0, padding: [0; 22] };
    if name.len() >= libc::IFNAMSIZ {
        return Err(Errno::ENAMETOOLONG);
    }
    for (to, from) in request.name.iter_mut().zip(name.bytes()) {
        *to = from as c_char;
    }
    request.flags = (libc::IFF_TAP | libc::IFF_NO_PI) as c_short;
    // SAFETY: the descriptor is open, and the request is as long as `struct ifreq`.
    unsafe { set_interface(tun.as_raw_fd(), &request) }?;
    // It then ends with its namespace, whose interfaces the kernel removes all at once; without it,
    // each would be removed as its descriptor is closed, at some 25 ms.
    // SAFETY: the descriptor is open.
    unsafe { set_persistent(tun.as_raw_fd(), 1) }.map(drop)
}

/// Gives the interface carrier, or takes it away as when the cable is unplugged.
///
/// # Errors
/// When the kernel refuses.
pub fn plug(tap: &OwnedFd, has_carrier: bool) -> Result<()> {
    let carrier = c_int::from(has_carrier);
    // SAFETY: the descriptor is open, and the request is one integer.
    unsafe { set_carrier(tap.as_raw_fd(), &carrier) }.map(drop)
}
