//! A run in a page: all that the packet engine needs is packed into bytes, which the page embeds
//! and plays as often as the reader likes, with another seed, size or fault.
//!
//! Python packs through `binding`; the page calls this crate compiled to WebAssembly (`calls`).
//! Both sides run the same engine, whose arithmetic is that of integers and of single operations on
//! floating point numbers, so that they agree to the bit.

mod calls;
mod packed;
mod session;
mod told;

pub use packed::{PackError, PackedProgram, PackedRun};
pub use session::{Changes, PlayError, Played, Session};
