//! The processors of a node on a path. On that of the process the kernel goes ahead, as in the
//! packet engine, and puts a job that is under way off by as much as it takes; what it does on
//! others is beside the process.

use quantity::Time;

/// A piece of work of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// A segment, or several that leave as one, is copied to the send buffer and, where the windows
    /// allow it at the start, sent.
    Segment { payload: u32, leaves: bool },
    /// A segment is copied from the receive buffer.
    Read,
    /// An acknowledgement is made, because reading has opened the window.
    Acknowledge,
}

/// Processors of a node that a path can tell apart: that of the process, and one for each way.
pub(super) const N_CPUS: usize = 3;

/// What the processors of a node are doing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Processor {
    /// When the kernel is done on each, that of the process first.
    kernel_free: [Time; N_CPUS],
    pub job: Option<Job>,
    /// When the job ends, if the kernel does not put it off further.
    pub job_end: Time,
}

impl Processor {
    /// Charges kernel work that becomes possible at `now`; returns when it is done.
    pub fn charge(&mut self, cpu: usize, now: Time, work: Time) -> Time {
        let free = &mut self.kernel_free[cpu];
        *free = now.max(*free) + work;
        if cpu == 0 && self.job.is_some() {
            self.job_end += work;
        }
        *free
    }

    /// Starts a job at `now` or when the kernel is done; returns whether it is over at once.
    pub fn start(&mut self, now: Time, work: Time, job: Job) -> bool {
        let begin = now.max(self.kernel_free[0]);
        if begin == now && work == Time::ZERO {
            return true;
        }
        self.job = Some(job);
        self.job_end = begin + work;
        false
    }

    /// Puts everything off by `span`, for a jump over whole periods.
    pub fn put_off(&mut self, span: Time) {
        self.kernel_free.iter_mut().for_each(|free| *free += span);
        self.job_end += span;
    }

    /// Appends what the times to come depend on.
    pub fn describe(&self, now: Time, state: &mut Vec<u64>) {
        let (code, payload) = match self.job {
            None => (0, 0),
            Some(Job::Segment { payload, leaves: false }) => (1, payload),
            Some(Job::Segment { payload, leaves: true }) => (2, payload),
            Some(Job::Read) => (3, 0),
            Some(Job::Acknowledge) => (4, 0),
        };
        let end = self.job.map_or(Time::ZERO, |_| self.job_end.saturating_sub(now));
        state.extend(self.kernel_free.map(|free| free.saturating_sub(now).ps()));
        state.extend([code, u64::from(payload), end.ps()]);
    }
}
