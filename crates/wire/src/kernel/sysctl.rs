//! Settings of the network namespace of the calling thread.

use std::fs;

use nix::Result;
use nix::errno::Errno;

/// Sets a sysctl below /proc/sys/net.
///
/// # Errors
/// When the kernel has no such setting, or refuses the value.
pub(super) fn set(path: &str, value: &str) -> Result<()> {
    fs::write(format!("/proc/sys/net/{path}"), value)
        .map_err(|error| Errno::from_raw(error.raw_os_error().unwrap_or(0)))
}
