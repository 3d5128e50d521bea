//! The resources of a network, numbered: every port's outgoing channel, every collision domain,
//! every backplane, every node's processor, and the kernel's processors beside it.

use host::Processors;
use network::{BackplaneId, DeviceId, Fabric, NodeId, PortId};
use quantity::{Id, IdVec};

use crate::solver::ResourceId;

quantity::id! {
    /// Index of the first resource of a connection.
    pub(crate) WayId;
}

/// The resources of all connections by the places of their claims, close together in memory: small
/// transfers read them at every stage.
#[derive(Debug, Default)]
pub(crate) struct Ways {
    resources: IdVec<WayId, ResourceId>,
}

impl Ways {
    /// Adds the resources of a connection.
    pub fn add(&mut self, resources: impl Iterator<Item = ResourceId>) -> WayId {
        let first = WayId::from_index(self.resources.len());
        self.resources.as_mut_vec().extend(resources);
        first
    }

    /// Returns a resource of a connection by the place of its claim.
    #[inline]
    pub fn at(&self, way: WayId, place: u32) -> ResourceId {
        self.resources[way.offset(place)]
    }
}

/// The first number of each kind of resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resources {
    first_hub: u32,
    first_backplane: u32,
    first_processor: u32,
    first_kernel: u32,
    first_further: u32,
    end: u32,
}

impl Resources {
    /// Numbers the resources of a network whose hosts have the given processors, with those of
    /// further ranks.
    pub fn new(fabric: &Fabric, processors: &Processors, n_further: u32) -> Resources {
        let first_hub = fabric.ports().len() as u32;
        // Hubs follow the nodes among the devices; the numbers of switches remain unused.
        let first_backplane = first_hub + fabric.n_devices() - fabric.n_nodes();
        let first_processor = first_backplane + fabric.backplanes().len() as u32;
        // Hubs are looked up by their device number.
        let first_hub = first_hub.wrapping_sub(fabric.n_nodes());
        let has_more = processors.n_cpus > 1;
        let first_kernel = first_processor + if has_more { fabric.n_nodes() } else { 0 };
        let first_further = first_kernel + fabric.n_nodes();
        Resources {
            first_hub,
            first_backplane,
            first_processor,
            first_kernel,
            first_further,
            end: first_further + n_further,
        }
    }

    /// Returns the number of resources.
    pub fn n(self) -> u32 {
        self.end
    }

    /// Returns the channel that a port sends into.
    pub fn wire(self, port: PortId) -> ResourceId {
        ResourceId::new(port.get())
    }

    /// Returns a collision domain, given its hub with the lowest number.
    pub fn hub(self, hub: DeviceId) -> ResourceId {
        ResourceId::new(self.first_hub.wrapping_add(hub.get()))
    }

    pub fn backplane(self, backplane: BackplaneId) -> ResourceId {
        ResourceId::new(self.first_backplane + backplane.get())
    }

    pub fn processor(self, node: NodeId) -> ResourceId {
        ResourceId::new(self.first_processor + node.get())
    }

    /// Returns the kernel's processors of a node, if they are separate; otherwise the processor of
    /// the process.
    pub fn kernel(self, node: NodeId) -> ResourceId {
        ResourceId::new(self.first_kernel + node.get())
    }

    /// Returns another processor of a node, for ranks that are not the first there.
    pub fn further(self, number: u32) -> ResourceId {
        ResourceId::new(self.first_further + number)
    }

    /// Returns the number of processors of all kinds.
    pub fn n_processors(self) -> usize {
        (self.end - self.first_processor) as usize
    }

    /// Returns the index of a processor among those of all kinds.
    pub fn processor_index(self, processor: ResourceId) -> usize {
        (processor.get() - self.first_processor) as usize
    }

    /// Returns the node whose first processor a resource is.
    pub fn node_of(self, processor: ResourceId) -> Option<NodeId> {
        let (place, n_nodes) =
            (processor.get() - self.first_processor, self.first_further - self.first_kernel);
        (place < n_nodes).then(|| NodeId::new(place))
    }
}
