//! Ids of the devices of a run, which events name and wires define. The ids of frames and datagrams
//! are with their tables.

quantity::id! {
    /// A collision domain: hubs that are wired together.
    pub HubId;
    /// A switch.
    pub SwitchId;
    /// A process of a node.
    pub ProcessId;
}
