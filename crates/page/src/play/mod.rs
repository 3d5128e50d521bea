//! A run in a page: all that the packet engine needs, as bytes that are opened once and played as
//! often as the reader likes, with another seed, size or fault.

mod calls;
mod packed;
mod session;

pub use packed::{PackError, PackedProgram, PackedRun};
pub use session::{Changes, PlayError, Played, Session};
