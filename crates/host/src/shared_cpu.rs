//! The processor of a process whose kernel work is not simulated, but known to take a share of it:
//! a job continues at the share that is left, and changes its speed with it.

use quantity::Time;

use crate::cpus::JobEnd;

/// A processor and the job of its process, identified by `J`.
#[derive(Clone, Debug)]
pub struct SharedCpu<J> {
    job: Option<SharedJob<J>>,
    /// The pending check for the end of the job; `Time::MAX` for none.
    asked_at: Time,
}

/// A job at its present share.
#[derive(Clone, Copy, Debug)]
struct SharedJob<J> {
    job: J,
    left: Time,
    since: Time,
    share: Share,
}

/// A part of a processor.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Numerator of the share.
    pub part: u64,
    /// Denominator of the share.
    pub whole: u64,
}

impl<J> Default for SharedCpu<J> {
    fn default() -> SharedCpu<J> {
        SharedCpu { job: None, asked_at: Time::MAX }
    }
}

impl<J: Copy> SharedCpu<J> {
    /// Returns whether the process works.
    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// Starts a job; returns true if it takes no time and is over. Otherwise `next_end` gives the
    /// time at which to check for its end.
    pub fn start(&mut self, now: Time, work: Time, job: J, share: Share) -> bool {
        let is_over = work == Time::ZERO;
        self.job = (!is_over).then_some(SharedJob { job, left: work, since: now, share });
        is_over
    }

    /// Continues the job at another share.
    pub fn set_share(&mut self, now: Time, share: Share) {
        if let Some(job) = &mut self.job {
            job.left = job.left.saturating_sub(job.done(now));
            (job.since, job.share) = (now, share);
        }
    }

    /// Returns the time at which to check for the end of the job, unless an earlier check is
    /// pending.
    pub fn next_end(&mut self) -> Option<Time> {
        let due = self.job.as_ref()?.due()?;
        (due < self.asked_at).then(|| {
            self.asked_at = due;
            due
        })
    }

    /// Ends the job, if it is over. Otherwise it continues at the present share, and `next_end`
    /// gives the new time.
    pub fn end_job(&mut self, now: Time, share: Share) -> JobEnd<J> {
        if self.asked_at != now {
            return JobEnd::Idle;
        }
        self.asked_at = Time::MAX;
        match self.job {
            None => JobEnd::Idle,
            Some(job) if job.done(now) >= job.left => {
                self.job = None;
                JobEnd::Over(job.job)
            }
            Some(_) => {
                self.set_share(now, share);
                self.next_end().map_or(JobEnd::Idle, JobEnd::Later)
            }
        }
    }
}

impl<J> SharedJob<J> {
    /// Returns the work done since the last update.
    fn done(&self, now: Time) -> Time {
        let Share { part, whole } = self.share;
        let span = now.saturating_sub(self.since);
        Time::from_ps((u128::from(span.ps()) * u128::from(part) / u128::from(whole)) as u64)
    }

    /// Returns the end of the job at its present share; `None` for never.
    fn due(&self) -> Option<Time> {
        let Share { part, whole } = self.share;
        let wait = (u128::from(self.left.ps()) * u128::from(whole)).checked_div(part.into())?;
        let wait = wait + u128::from(part < whole);
        u64::try_from(wait).ok()?.checked_add(self.since.ps()).map(Time::from_ps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_goes_on_at_the_share_that_is_left() {
        let us = Time::from_us;
        let share = |part| Share { part, whole: 4 };
        let mut cpu = SharedCpu::default();
        assert!(cpu.start(us(0), Time::ZERO, 'a', share(4)), "no work takes no time");
        assert!(!cpu.start(us(0), us(8), 'b', share(4)));
        assert_eq!(cpu.next_end(), Some(us(8)));
        assert_eq!(cpu.next_end(), None, "it is asked for already");
        cpu.set_share(us(4), share(1));
        assert_eq!(cpu.next_end(), None, "the end has moved back");
        let JobEnd::Later(end) = cpu.end_job(us(8), share(1)) else { panic!("it is not over") };
        assert_eq!(end, us(20) + Time::from_ps(1), "three are left, at a quarter");
        assert_eq!(cpu.end_job(end, share(1)), JobEnd::Over('b'));
        assert_eq!(cpu.end_job(end, share(1)), JobEnd::Idle);
    }
}
