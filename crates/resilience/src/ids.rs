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
}

impl From<NodeId> for DeviceId {
    #[inline(always)]
    fn from(node: NodeId) -> DeviceId {
        DeviceId::new(node.get())
    }
}

impl PartialEq<DeviceId> for NodeId {
    #[inline(always)]
    fn eq(&self, device: &DeviceId) -> bool {
        self.get() == device.get()
    }
}
