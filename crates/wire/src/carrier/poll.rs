//! Waiting for frames: epoll with a time-out finer than a millisecond.
#![allow(unsafe_code)] // nix has no wrapper of epoll_pwait2.

use std::os::fd::{AsFd, AsRawFd};
use std::time::Duration;

use nix::Result;
use nix::errno::Errno;
use nix::libc;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags};

/// Interfaces that may be readable.
#[derive(Debug)]
pub(super) struct Poll {
    epoll: Epoll,
    found: Vec<libc::epoll_event>,
}

impl Poll {
    /// Returns a poll of no interface, for at most `n`.
    pub fn new(n: usize) -> Result<Poll> {
        let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
        Ok(Poll { epoll, found: vec![libc::epoll_event { events: 0, u64: 0 }; n.max(1)] })
    }

    /// Watches a descriptor under a number.
    pub fn watch(&self, fd: impl AsFd, number: usize) -> Result<()> {
        self.epoll.add(fd, EpollEvent::new(EpollFlags::EPOLLIN, number as u64))
    }

    /// Stops or continues to watch a descriptor.
    pub fn pause(&self, fd: impl AsFd, number: usize, is_paused: bool) -> Result<()> {
        let flags = if is_paused { EpollFlags::empty() } else { EpollFlags::EPOLLIN };
        self.epoll.modify(fd, &mut EpollEvent::new(flags, number as u64))
    }

    /// Waits until a descriptor is readable, at most `longest`; returns their numbers.
    pub fn wait(&mut self, longest: Duration) -> Result<Vec<usize>> {
        let time = libc::timespec {
            tv_sec: longest.as_secs() as libc::time_t,
            tv_nsec: libc::c_long::from(longest.subsec_nanos() as i32),
        };
        // SAFETY: the events and the time outlive the call, and the kernel writes no more events
        // than there is room for.
        let n = unsafe {
            libc::epoll_pwait2(
                self.epoll.0.as_raw_fd(),
                self.found.as_mut_ptr(),
                self.found.len() as libc::c_int,
                &time,
                std::ptr::null(),
            )
        };
        let n = match Errno::result(n) {
            Ok(n) => n as usize,
            Err(Errno::EINTR) => 0,
            Err(error) => return Err(error),
        };
        Ok(self.found[..n].iter().map(|event| event.u64 as usize).collect())
    }
}
