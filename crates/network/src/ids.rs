//! The ids of a network: dense indices, given out in the order in which things are described.

/// Index of a device. Nodes are `0..n_nodes`, hubs and switches follow.
pub type DeviceId = u32;
/// Index of a node, which is also its [`DeviceId`].
pub type NodeId = u32;
/// Index of a port over all devices.
pub type PortId = u32;
/// Index of a link.
pub type LinkId = u32;
/// Index of a broadcast domain.
pub type SegmentId = u32;
/// Index of a wire, which is all that a frame reaches without passing a node.
pub type WireId = u32;
/// Index of a backplane; logical switches of one chassis share one.
pub type BackplaneId = u32;
/// Index of a subnet.
pub type SubnetId = u32;
/// Index of an address.
pub type AddressId = u32;
