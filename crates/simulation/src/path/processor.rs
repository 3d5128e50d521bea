//! A processor on a path: the kernel goes ahead of the process, as in the packet engine, and puts a
//! job that is under way off by as much as it takes.

use quantity::Time;

/// A piece of work of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// A segment is copied to the send buffer and, where the windows allow it at the start, sent.
    Segment { payload: u32, leaves: bool },
    /// A segment is copied from the receive buffer.
    Read,
    /// An acknowledgement is made, because reading has opened the window.
    Acknowledge,
}

/// What a processor is doing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Processor {
    kernel_free: Time,
    pub job: Option<Job>,
    /// When the job ends, if the kernel does not put it off further.
    pub job_end: Time,
}

impl Processor {
    /// Charges kernel work that becomes possible at `now`; returns when it is done.
    pub fn charge(&mut self, now: Time, work: Time) -> Time {
        self.kernel_free = self.kernel_free.max(now) + work;
        if self.job.is_some() {
            self.job_end += work;
        }
        self.kernel_free
    }

    /// Starts a job at `now` or when the kernel is done; returns whether it is over at once.
    pub fn start(&mut self, now: Time, work: Time, job: Job) -> bool {
        let begin = now.max(self.kernel_free);
        if begin == now && work == Time::ZERO {
            return true;
        }
        self.job = Some(job);
        self.job_end = begin + work;
        false
    }

    /// Puts everything off by `span`, for a jump over whole periods.
    pub fn put_off(&mut self, span: Time) {
        self.kernel_free += span;
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
        state.extend([self.kernel_free.saturating_sub(now).ps(), code, u64::from(payload)]);
        state.push(end.ps());
    }
}
