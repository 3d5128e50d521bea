//! Network namespaces held by descriptors alone: no name under /run/netns, no mount. They end with
//! the last descriptor and the last process inside.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::Result;
use nix::sched::{CloneFlags, setns, unshare};
use nix::unistd::sethostname;

use crate::error::errno;

/// The network and the UTS namespace (host name) of a node.
#[derive(Debug)]
pub struct Namespace {
    net: OwnedFd,
    uts: OwnedFd,
}

impl Namespace {
    /// Creates namespaces with a host name, and leaves the calling thread in them.
    ///
    /// # Errors
    /// When the kernel refuses, for example without the capability CAP_SYS_ADMIN.
    pub fn create(hostname: &str) -> Result<Namespace> {
        unshare(CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWUTS)?;
        sethostname(hostname)?;
        Ok(Namespace { net: of_thread("net")?, uts: of_thread("uts")? })
    }

    /// Moves the calling thread into the namespaces.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn enter(&self) -> Result<()> {
        setns(&self.net, CloneFlags::CLONE_NEWNET)?;
        setns(&self.uts, CloneFlags::CLONE_NEWUTS)
    }

    /// Returns the descriptor of the network namespace.
    pub fn net(&self) -> BorrowedFd<'_> {
        self.net.as_fd()
    }

    /// Returns the descriptor of the UTS namespace.
    pub fn uts(&self) -> BorrowedFd<'_> {
        self.uts.as_fd()
    }
}

/// Moves the calling thread into the namespace that a file stands for.
///
/// # Errors
/// When there is no such file, or the kernel refuses.
pub fn enter(file: &str) -> Result<()> {
    setns(File::open(file).map_err(errno)?, CloneFlags::empty())
}

fn of_thread(kind: &str) -> Result<OwnedFd> {
    let file = File::open(format!("/proc/thread-self/ns/{kind}")).map_err(errno)?;
    Ok(file.into())
}
