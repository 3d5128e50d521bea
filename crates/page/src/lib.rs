//! The page of a check asks two things: the impact of any set of failures, and the routes between
//! two nodes. The rule is that of the crate `resilience`; here are the columns that the page
//! carries, the routes that it draws, and the functions that its script calls.

mod calls;
mod columns;
mod page;
mod routes;

pub use columns::network_of;
pub use page::Page;
pub use routes::{End, PageRoute, Tables};
