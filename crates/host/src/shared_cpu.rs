//! The processor of a process whose kernel is not followed piece by piece, but known to take a
//! share of it: work goes on at what is left, and changes its pace with that.

use quantity::Time;

use crate::cpus::JobEnd;

/// A processor with what its process works on. `J` tells what that is.
#[derive(Clone, Debug)]
pub struct SharedCpu<J> {
    job: Option<SharedJob<J>>,
    /// When the end of the job will be asked for; `Time::MAX` for never.
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
    /// This part
    pub part: u64,
    /// of so many.
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

    /// Starts a job; returns whether it takes no time and is over. Otherwise `next_end` says when
    /// to ask for its end.
    pub fn start(&mut self, now: Time, work: Time, job: J, share: Share) -> bool {
        let is_over = work == Time::ZERO;
        self.job = (!is_over).then_some(SharedJob { job, left: work, since: now, share });
        is_over
    }

    /// Goes on with the job at another share.
    pub fn set_share(&mut self, now: Time, share: Share) {
        if let Some(job) = &mut self.job {
            job.left = job.left.saturating_sub(job.done(now));
            (job.since, job.share) = (now, share);
        }
    }

    /// Returns when the end of the job is to be asked for, if nobody will before.
    pub fn next_end(&mut self) -> Option<Time> {
        let due = self.job.as_ref()?.due()?;
        (due < self.asked_at).then(|| {
            self.asked_at = due;
            due
        })
    }

    /// Ends the job, if it is over. When it is not, it goes on at the present share, which
    /// `next_end` then follows.
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
    /// Returns how much of it has been done since it was last looked at.
    fn done(&self, now: Time) -> Time {
        let Share { part, whole } = self.share;
        let span = now.saturating_sub(self.since);
        Time::from_ps((u128::from(span.ps()) * u128::from(part) / u128::from(whole)) as u64)
    }

    /// Returns when it ends at its present share; `None` for never.
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
