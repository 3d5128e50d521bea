//! The ids of a network: dense indices in the order of the description.

pub use resilience::{DeviceId, LinkId, NodeId, PortId, WireId};

quantity::id! {
    /// Index of a broadcast domain.
    pub SegmentId;
    /// Index of a backplane; logical switches of one chassis share one.
    pub BackplaneId;
    /// Index of a subnet.
    pub SubnetId;
    /// Index of an address.
    pub AddressId;
}
