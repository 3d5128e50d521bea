//! Small transfers in flight, and the queues in which they wait. Their events are handled in
//! `flight`.

use quantity::{IdVec, Time};

use crate::connection::ConnectionId;
use crate::passage::Stage;
use crate::profile::ProfileId;
use crate::resources::WayId;
use crate::solver::ResourceId;

quantity::id! {
    /// Index of a burst in flight.
    pub(crate) BurstId;
}

/// A burst in flight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Burst {
    pub connection: ConnectionId,
    pub profile: ProfileId,
    /// The transfers that it carries.
    pub n_transfers: u32,
    /// The first of its resources.
    pub way: WayId,
    /// The stage that it comes to next, and the resource of that stage.
    pub place: u32,
    pub next: ResourceId,
    /// Its beginning and all its waits.
    pub begin: Time,
}

/// The bursts in flight, in an arena.
#[derive(Debug, Default)]
pub(crate) struct Bursts {
    bursts: IdVec<BurstId, Burst>,
    free: Vec<BurstId>,
}

/// The use of a resource by bursts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Queue {
    /// When all bursts so far have passed.
    free: Time,
    /// The work of all bursts so far.
    pub work: Time,
}

impl Queue {
    /// Returns the time until all bursts here have passed.
    pub fn backlog(&self, now: Time) -> Time {
        self.free.saturating_sub(now)
    }

    /// Queues a burst whose work takes `span` here; returns how much later its last frame passes
    /// than on an idle path.
    pub fn pass(&mut self, now: Time, stage: &Stage, span: Time) -> Time {
        self.free = self.free.max(now) + span;
        self.work += stage.work;
        self.backlog(now).saturating_sub(stage.spread)
    }

    /// Adds work of acknowledgements: it delays those who wait, and fits between those who do not.
    pub fn squeeze_in(&mut self, now: Time, work: Time) {
        if self.free > now {
            self.free += work;
        }
        self.work += work;
    }
}

impl Bursts {
    pub fn insert(&mut self, burst: Burst) -> BurstId {
        match self.free.pop() {
            Some(id) => {
                self.bursts[id] = burst;
                id
            }
            None => self.bursts.push(burst),
        }
    }

    /// Removes a burst; its id may be reused.
    pub fn remove(&mut self, id: BurstId) -> Burst {
        self.free.push(id);
        self.bursts[id]
    }

    #[inline]
    pub fn get(&self, id: BurstId) -> Burst {
        self.bursts[id]
    }

    #[inline]
    pub fn get_mut(&mut self, id: BurstId) -> &mut Burst {
        &mut self.bursts[id]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stage(work_ns: u64, spread_ns: u64) -> Stage {
        let [work, spread] = [work_ns, spread_ns].map(Time::from_ns);
        Stage { place: 0, head: Time::ZERO, work, spread }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: proptest::test_runner::RngSeed::Fixed(0),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        /// The last of many is through after the work of all, in whatever order they come and
        /// however slowly; alone, each is through in time.
        #[test]
        fn a_resource_works_as_long_as_its_work_takes(
            works in prop::collection::vec((1u64..1_000, 0u64..2_000), 1..50)
        ) {
            let (mut queue, now) = (Queue::default(), Time::from_ns(5));
            let mut all = Time::ZERO;
            for &(work, more) in &works {
                let stage = stage(work, work + more);
                prop_assert_eq!(Queue::default().pass(now, &stage, stage.work), Time::ZERO);
                let wait = queue.pass(now, &stage, stage.work);
                all += stage.work;
                prop_assert_eq!(now + wait + stage.spread, (now + all).max(now + stage.spread));
            }
            prop_assert_eq!(queue.backlog(now), all);
            prop_assert_eq!(queue.work, all);
        }
    }

    #[test]
    fn acknowledgements_delay_those_who_wait_and_nobody_else() {
        let (mut queue, work) = (Queue::default(), Time::from_ns(7));
        queue.squeeze_in(Time::ZERO, work);
        assert_eq!(queue.backlog(Time::ZERO), Time::ZERO);
        queue.pass(Time::ZERO, &stage(10, 10), Time::from_ns(10));
        queue.squeeze_in(Time::ZERO, work);
        assert_eq!(queue.backlog(Time::ZERO), Time::from_ns(17));
        assert_eq!(queue.work, Time::from_ns(24));
    }
}
