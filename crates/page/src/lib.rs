//! The failure proof behind the page of a check, which asks for the impact of any set of failures
//! and for the routes between two nodes. The crate `resilience` has the rule; here are the columns
//! that the page embeds, the routes that it draws, and the functions that its script calls.

mod calls;
mod columns;
mod page;
mod routes;

pub use columns::network_of;
pub use page::Page;
pub use routes::{End, PageRoute, Tables};
