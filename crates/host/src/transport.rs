//! The ends of connections between processes, whatever moves their data.
//!
//! Engines, events, observers and recordings name an end by its number. The end itself is of one
//! transport: [`crate::tcp::Endpoint`] of TCP. Only the code that drives that transport, and the
//! code that shows its headers, knows more.

quantity::id! {
    /// One end of a connection.
    pub EndpointId;
}
