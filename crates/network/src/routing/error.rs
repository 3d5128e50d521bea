//! Why a routing scheme cannot serve a fabric: the broken rules, what broke them, and after a
//! semicolon the remedy. Addresses that are not reached are no errors; see `metrics::reachability`.

use thiserror::Error;

use crate::address::AddressId;
use crate::fabric::{NodeId, PortId, SegmentId};

/// Why a routing scheme cannot serve a fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RoutingError {
    /// The nodes with coordinates are not as many as the shape has positions.
    #[error(
        "the scheme needs a node at each of the {positions} positions of the shape, {nodes} \
         nodes have coordinates; use shortest-path"
    )]
    NotAGrid {
        /// How many positions the shape has.
        positions: u64,
        /// How many nodes have coordinates inside it.
        nodes: u32,
    },
    /// Two nodes stand at the same position.
    #[error("nodes {first} and {second} have the same coordinates; give each its own")]
    PositionTaken {
        /// The node with the lower id.
        first: NodeId,
        /// The other node.
        second: NodeId,
    },
    /// A segment joins nodes that are neither neighbours along one axis nor a complete line.
    #[error(
        "segment {segment} joins nodes that are neither two neighbours nor a whole line of the \
         shape; use shortest-path"
    )]
    IrregularSegment {
        /// The segment.
        segment: SegmentId,
    },
    /// A node lacks a link to a neighbour that dimension order needs.
    #[error("node {node} has no link to its neighbour along axis {axis}; use shortest-path")]
    MissingLink {
        /// The node.
        node: NodeId,
        /// The axis.
        axis: u32,
    },
    /// A line in which some nodes are joined past their neighbours is not a full mesh.
    #[error(
        "along axis {axis} cables skip neighbours, as in a full mesh, but nodes {node} and {other} \
         are not joined; join them, or use shortest-path"
    )]
    MissingCable {
        /// A node of the line.
        node: NodeId,
        /// Another node of it.
        other: NodeId,
        /// The axis the line extends along.
        axis: u32,
    },
    /// A segment joins nodes that are not those of two neighbouring groups.
    #[error(
        "segment {segment} joins nodes that do not stand in two neighbouring groups; use \
         shortest-path"
    )]
    IrregularStack {
        /// The segment.
        segment: SegmentId,
    },
    /// The shape has no groups: it has fewer than two axes.
    #[error("stack routing needs groups of nodes, a shape of two axes or more; use shortest-path")]
    NoGroups,
    /// The tables of shortest paths would be too large.
    #[error(
        "tables of shortest paths would hold {entries} entries, at most {most} are allowed; use \
         dimension-order for a regular shape, or explicit tables"
    )]
    TableTooLarge {
        /// How many entries are needed.
        entries: u64,
        /// How many are allowed.
        most: u64,
    },
    /// An explicit route stands at a node that does not exist.
    #[error("route {route} is for node {node}, which does not exist")]
    UnknownNode {
        /// Index of the route.
        route: usize,
        /// The node named.
        node: NodeId,
    },
    /// An explicit route leaves by a port that its node does not have.
    #[error("route {route} leaves by port {port}, which node {node} does not have")]
    ForeignPort {
        /// Index of the route.
        route: usize,
        /// The node.
        node: NodeId,
        /// The port named.
        port: PortId,
    },
    /// An explicit route names a gateway address that does not exist.
    #[error("route {route} goes via address {address}, which does not exist")]
    UnknownGateway {
        /// Index of the route.
        route: usize,
        /// The address named.
        address: AddressId,
    },
    /// The gateway of an explicit route cannot be reached by the port it leaves by.
    #[error(
        "route {route} goes via address {address}, which is not on the segment of port {port}; \
         name a gateway that the port reaches directly"
    )]
    GatewayElsewhere {
        /// Index of the route.
        route: usize,
        /// The gateway.
        address: AddressId,
        /// The port the route leaves by.
        port: PortId,
    },
    /// The prefix of an explicit route is longer than its address, or has bits beyond its length.
    #[error("route {route} has a destination that is no prefix: its host bits must be zero")]
    NotAPrefix {
        /// Index of the route.
        route: usize,
    },
}
