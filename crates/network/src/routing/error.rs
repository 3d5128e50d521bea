//! The rules that a fabric must keep for a routing scheme to serve it. Unreachable addresses are
//! not errors; see `metrics::reachability`.

use serde::Serialize;
use thiserror::Error;

use crate::ids::{AddressId, LinkId, NodeId, PortId, SegmentId};

/// A rule that a fabric breaks for a routing scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum RoutingError {
    /// The number of nodes with coordinates differs from the number of positions of the shape.
    NotAGrid {
        /// Number of positions of the shape.
        positions: u64,
        /// Number of nodes with coordinates inside the shape.
        nodes: u32,
    },
    /// Two nodes have the same position.
    PositionTaken {
        /// The node with the lower id.
        first: NodeId,
        /// The other node.
        second: NodeId,
    },
    /// A segment joins nodes that are neither neighbours along one axis nor a complete line.
    IrregularSegment {
        /// The segment.
        segment: SegmentId,
    },
    /// A node lacks a link to a neighbour that dimension order needs.
    MissingLink {
        /// The node.
        node: NodeId,
        /// The axis.
        axis: u32,
    },
    /// A line in which some nodes are joined past their neighbours is not a full mesh.
    MissingCable {
        /// A node of the line.
        node: NodeId,
        /// A node of the line that is not joined to the first.
        other: NodeId,
        /// The axis the line extends along.
        axis: u32,
    },
    /// A segment joins nodes other than those of two neighbouring groups.
    IrregularStack {
        /// The segment.
        segment: SegmentId,
    },
    /// The shape has fewer than two groups: no axis but the last has two positions or more.
    NoGroups,
    /// The tables of shortest paths would be too large.
    TableTooLarge {
        /// Number of entries needed.
        entries: u64,
        /// Number of entries allowed.
        most: u64,
    },
    /// The tables of routes by incoming interface would be too large.
    TooManyDetours {
        /// Number of entries needed.
        entries: u64,
        /// Number of entries allowed.
        most: u64,
    },
    /// Routes by incoming interface need a cable between two nodes, where this link has a hub or a
    /// switch at one end.
    NotACable {
        /// The link.
        link: LinkId,
    },
    /// Too many sets of cuts would have to be tried.
    TooManyCuts {
        /// Number of packets that would have to be followed.
        tried: u64,
        /// Number of packets allowed.
        most: u64,
    },
    /// No trees to a node that survive the cuts were found.
    NoTrees {
        /// The node.
        node: NodeId,
        /// The number of cuts.
        cuts: u32,
    },
    /// Routes by incoming interface do not serve bonds.
    BondedDetours,
    /// An explicit route belongs to a node that does not exist.
    UnknownNode {
        /// Index of the route.
        route: usize,
        /// The node named.
        node: NodeId,
    },
    /// An explicit route leaves by a port that its node does not have.
    ForeignPort {
        /// Index of the route.
        route: usize,
        /// The node.
        node: NodeId,
        /// The port named.
        port: PortId,
    },
    /// An explicit route names a gateway address that does not exist.
    UnknownGateway {
        /// Index of the route.
        route: usize,
        /// The address named.
        address: AddressId,
    },
    /// The gateway of an explicit route is not reachable by the port of the route.
    GatewayElsewhere {
        /// Index of the route.
        route: usize,
        /// The gateway.
        address: AddressId,
        /// The port of the route.
        port: PortId,
    },
    /// The prefix of an explicit route is longer than its address, or has bits beyond its length.
    NotAPrefix {
        /// Index of the route.
        route: usize,
    },
}
