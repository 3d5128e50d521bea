//! The claim of a connection on each resource: the stages of its routes, with the costs per byte,
//! frame and segment.
//!
//! Similar connections share claims that leave the resources out; with the sizes of a transfer the
//! claims become weights in `profile`.

use network::{NodeId, PortId};
use simulation::path::{Leg, Route, Stage};

use crate::resources::Resources;
use crate::solver::ResourceId;
use crate::units::{Weight, wire_weight};

/// The claim of a transfer on a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Claim {
    /// Per byte on the wire, preamble and gap counted, of data and of acknowledgements.
    pub wire: Weight,
    pub ack_wire: Weight,
    /// Per byte of the frames, of data and of acknowledgements.
    pub frame: Weight,
    pub ack_frame: Weight,
    /// The work of a node's processor.
    pub task: Task,
}

/// The work of a processor for a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Task {
    #[default]
    Nothing,
    /// The work of the process, and of the kernel if it shares the processor.
    Send,
    Receive,
    /// The work of a kernel on processors of its own.
    TakeAcks,
    TakeData,
    /// Relaying data, acknowledgements or both.
    Forward {
        data: bool,
        acks: bool,
    },
}

/// The resources of a connection, and the claims in the same order.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    /// The claims of the data, in the order in which they pass.
    pub data: Vec<(ResourceId, Claim)>,
    pub acks: Vec<(ResourceId, Claim)>,
    /// The collision domains that the data are sent into, with the sending station.
    pub hubs: Vec<(ResourceId, PortId)>,
    /// The port by which the data leave their node, and the weight of a byte there.
    pub outlet: (PortId, Weight),
}

impl Claims {
    /// Returns the claims of a connection whose data take route `there` and whose acknowledgements
    /// take `back`, between processes on the processors of `sender` and `receiver`. The kernel
    /// works beside the process if the processors `are_apart`.
    pub fn new(
        resources: &Resources,
        are_apart: bool,
        (there, back): (&Route, &Route),
        [sender, receiver]: [ResourceId; 2],
    ) -> Claims {
        let outlet = there.legs.first().map_or_else(Default::default, outlet);
        let mut claims = Claims { outlet, ..Claims::default() };
        claims.processor(sender, Task::Send);
        if are_apart {
            claims.processor(resources.kernel(there.from), Task::TakeAcks);
        }
        let ends = there.forwarders().map(Some).chain([None]);
        for (leg, forwarder) in there.legs.iter().zip(ends) {
            claims.data_leg(resources, leg);
            if let Some(node) = forwarder {
                let task = Task::Forward { data: true, acks: false };
                claims.processor(resources.kernel(node), task);
            }
        }
        if are_apart {
            claims.processor(resources.kernel(back.from), Task::TakeData);
        }
        claims.processor(receiver, Task::Receive);
        back.legs.iter().for_each(|leg| claims.ack_leg(resources, leg));
        for node in back.forwarders() {
            claims.ack_processor(resources, node);
        }
        claims
    }

    fn processor(&mut self, id: ResourceId, task: Task) {
        entry(&mut self.data, id).task = task;
    }

    /// Acknowledgements that return through a resource of the data are part of its claim.
    fn ack_processor(&mut self, resources: &Resources, node: NodeId) {
        let processor = resources.kernel(node);
        match self.data.iter_mut().find(|(id, _)| *id == processor) {
            Some((_, Claim { task: Task::Forward { acks, .. }, .. })) => *acks = true,
            Some(_) => {}
            None => {
                let task = Task::Forward { data: false, acks: true };
                entry(&mut self.acks, processor).task = task;
            }
        }
    }

    fn data_leg(&mut self, resources: &Resources, leg: &Leg) {
        for (stage, n_lanes) in leg.lanes() {
            let Some((id, weight, is_wire)) = resources.stage(stage) else { continue };
            let claim = entry(&mut self.data, id);
            let weight = weight / n_lanes;
            if is_wire {
                claim.wire += weight
            } else {
                claim.frame += weight
            }
            if let Stage::Hub { port, .. } = *stage
                && !self.hubs.contains(&(id, port))
            {
                self.hubs.push((id, port));
            }
        }
    }

    fn ack_leg(&mut self, resources: &Resources, leg: &Leg) {
        for (stage, n_lanes) in leg.lanes() {
            let Some((id, weight, is_wire)) = resources.stage(stage) else { continue };
            let list = if self.data.iter().any(|&(known, _)| known == id) {
                &mut self.data
            } else {
                &mut self.acks
            };
            let claim = entry(list, id);
            let weight = weight / n_lanes;
            if is_wire { claim.ack_wire += weight } else { claim.ack_frame += weight }
        }
    }
}

/// Returns the first port of a leg, and the weight of a byte on all its lanes together.
fn outlet(leg: &Leg) -> (PortId, Weight) {
    match leg.stages.first() {
        Some(&(Stage::Wire { port, rate, .. } | Stage::Hub { port, rate, .. })) => {
            (port, wire_weight(rate) / u64::from(leg.n_lanes.max(1)))
        }
        Some(Stage::Switch { .. }) | None => (PortId::new(0), 0),
    }
}

/// Returns the claim on a resource, entered on first use.
fn entry(claims: &mut Vec<(ResourceId, Claim)>, id: ResourceId) -> &mut Claim {
    let place = claims.iter().position(|&(known, _)| known == id).unwrap_or_else(|| {
        claims.push((id, Claim::default()));
        claims.len() - 1
    });
    &mut claims[place].1
}

impl Resources {
    /// Returns the resource of a stage, its weight per byte, and whether preamble and gap count;
    /// `None` for a stage without a limit.
    fn stage(&self, stage: &Stage) -> Option<(ResourceId, Weight, bool)> {
        Some(match *stage {
            Stage::Wire { port, rate, .. } => (self.wire(port), wire_weight(rate), true),
            Stage::Hub { hub, rate, .. } => (self.hub(hub), wire_weight(rate), true),
            Stage::Switch { backplane, .. } => {
                let (id, rate) = backplane?;
                (self.backplane(id), wire_weight(rate), false)
            }
        })
    }
}
