//! Why a routing scheme cannot serve a fabric: the broken rules, what broke them, and after a
//! semicolon the remedy. Addresses that are not reached are no errors; see `metrics::reachability`.

use serde::Serialize;
use thiserror::Error;

use crate::ids::{AddressId, NodeId, PortId, SegmentId};

/// Why a routing scheme cannot serve a fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize)]
#[error("{self:?}")]
pub enum RoutingError {
    /// The nodes with coordinates are not as many as the shape has positions.
    NotAGrid {
        /// How many positions the shape has.
        positions: u64,
        /// How many nodes have coordinates inside it.
        nodes: u32,
    },
    /// Two nodes stand at the same position.
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
        /// Another node of it.
        other: NodeId,
        /// The axis the line extends along.
        axis: u32,
    },
    /// A segment joins nodes that are not those of two neighbouring groups.
    IrregularStack {
        /// The segment.
        segment: SegmentId,
    },
    /// The shape has fewer than two groups: no axis but the last has two positions or more.
    NoGroups,
    /// The tables of shortest paths would be too large.
    TableTooLarge {
        /// How many entries are needed.
        entries: u64,
        /// How many are allowed.
        most: u64,
    },
    /// An explicit route stands at a node that does not exist.
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
    /// The gateway of an explicit route cannot be reached by the port it leaves by.
    GatewayElsewhere {
        /// Index of the route.
        route: usize,
        /// The gateway.
        address: AddressId,
        /// The port the route leaves by.
        port: PortId,
    },
    /// The prefix of an explicit route is longer than its address, or has bits beyond its length.
    NotAPrefix {
        /// Index of the route.
        route: usize,
    },
}
