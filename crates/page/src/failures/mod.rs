//! The proof of failures in a page, which asks for the impact of any set of failures and for the
//! routes between two nodes. The crate `resilience` has the rule; here are the packed network, the
//! routes that a page draws, and the functions that its script calls.

mod calls;
mod packed;
mod routes;
mod trial;

pub use packed::PackedNetwork;
pub use routes::{End, PageRoute, Tables};
pub use trial::{Outcome, PageImpact, Trial};
