//! The ids of devices, ports and links: dense indices, given out in the order of description.

quantity::id! {
    /// Index of a device. Nodes are `0..n_nodes`, hubs and switches follow.
    pub DeviceId;
    /// Index of a node, which is also the number of its [`DeviceId`].
    pub NodeId;
    /// Index of a port over all devices.
    pub PortId;
    /// Index of a link.
    pub LinkId;
    /// Index of a wire: the ports that a frame joins without passing a node, bonds or not.
    pub WireId;
    /// Index of a place of a packet: a node that forwards it by its main table, or a port, for
    /// whose incoming packets the node has another table. The nodes come first.
    pub PlaceId;
}

impl From<NodeId> for DeviceId {
    #[inline(always)]
    fn from(node: NodeId) -> DeviceId {
        DeviceId::new(node.get())
    }
}

impl From<NodeId> for PlaceId {
    #[inline(always)]
    fn from(node: NodeId) -> PlaceId {
        PlaceId::new(node.get())
    }
}

impl PartialEq<DeviceId> for NodeId {
    #[inline(always)]
    fn eq(&self, device: &DeviceId) -> bool {
        self.get() == device.get()
    }
}
