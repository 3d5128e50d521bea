//! Settings of the network namespace of the calling thread.

use std::fs;

use nix::Result;

use crate::error::errno;

/// Sets a sysctl below /proc/sys/net.
///
/// # Errors
/// When the kernel has no such setting, or refuses the value.
pub(super) fn set(path: &str, value: &str) -> Result<()> {
    fs::write(format!("/proc/sys/net/{path}"), value).map_err(errno)
}
