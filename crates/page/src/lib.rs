//! The computations of pages. Python packs a network or a run through `binding`; a page opens the
//! bytes with this crate, compiled to WebAssembly, and asks whenever its reader changes something.
//!
//! Each feature is one core: `failures` proves the impact of any set of failures, by the rule of
//! the crate `resilience`; `play` runs the packet engine. Both have one form of bytes (postcard)
//! and one form of questions and answers (`exchange`). A core and the native build agree to the
//! bit: they compute with integers and with single operations on floating point numbers.

mod exchange;
#[cfg(feature = "failures")]
pub mod failures;
#[cfg(feature = "play")]
pub mod play;

/// The bytes were not packed by this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the bytes were packed by another version")]
pub struct Malformed;

/// Returns a value as bytes.
fn to_bytes(value: &impl serde::Serialize) -> Vec<u8> {
    // A vector grows until memory ends; postcard has no other error here.
    postcard::to_allocvec(value).expect("as long as there is memory")
}

/// Returns the value in some bytes.
fn from_bytes<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, Malformed> {
    postcard::from_bytes(bytes).map_err(|_| Malformed)
}
