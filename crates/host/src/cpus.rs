//! The processors of a node, on one of which kernel work preempts the process.
//!
//! Kernel work is served in order and at once, and delays a working process by exactly its
//! duration. So the end of kernel work is known when it is charged, and only the end of a piece of
//! process work, a job, must be checked: that event comes too early if the kernel has delayed the
//! job meanwhile.

use quantity::Time;

use crate::prefetch::prefetch;

/// The processors of a node; number 0 runs the process. `J` identifies its job.
#[derive(Clone, Debug)]
pub struct Cpus<J> {
    /// The end of the kernel's work on the processor of the process.
    kernel_free: Time,
    /// The end of the kernel's work on each of the other processors.
    others_free: Box<[Time]>,
    job: Option<J>,
    /// The end of the job, if nothing delays it further.
    job_end: Time,
}

/// The outcome of a check for the end of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobEnd<J> {
    /// The kernel has delayed the job until this time.
    Later(Time),
    /// The job is over.
    Over(J),
    /// There is no job.
    Idle,
}

impl<J> Default for Cpus<J> {
    fn default() -> Cpus<J> {
        Cpus {
            kernel_free: Time::ZERO,
            others_free: Box::default(),
            job: None,
            job_end: Time::ZERO,
        }
    }
}

impl<J: Copy> Cpus<J> {
    /// Returns `n_cpus` idle processors.
    pub fn new(n_cpus: u32) -> Cpus<J> {
        Cpus { others_free: vec![Time::ZERO; n_cpus as usize - 1].into(), ..Cpus::default() }
    }

    /// Charges a processor with kernel work from `now` on; returns the time at which it is done.
    /// Only work on its own processor delays the process.
    #[inline]
    pub fn charge(&mut self, cpu: u32, now: Time, work: Time) -> Time {
        if cpu > 0 {
            let free = &mut self.others_free[cpu as usize - 1];
            *free = now.max(*free) + work;
            return *free;
        }
        self.kernel_free = self.kernel_free.max(now) + work;
        self.put_off(work);
        self.kernel_free
    }

    /// Takes over the kernel's work on the processor of the process, which is known to end at
    /// `done`.
    pub fn follow(&mut self, done: Time, work: Time) {
        self.kernel_free = done;
        self.put_off(work);
    }

    /// Returns the end of the kernel's work on a processor.
    #[inline]
    pub fn kernel_free(&self, cpu: u32) -> Time {
        match cpu {
            0 => self.kernel_free,
            cpu => self.others_free[cpu as usize - 1],
        }
    }

    /// Delays the job in progress, if there is one.
    #[inline]
    pub fn put_off(&mut self, work: Time) {
        if self.job.is_some() {
            self.job_end += work;
        }
    }

    /// Returns the job in progress.
    #[inline]
    pub fn job(&self) -> Option<J> {
        self.job
    }

    /// Returns the end of the job, if nothing delays it further.
    pub fn job_end(&self) -> Time {
        self.job_end
    }

    /// Starts a job as soon as the kernel is done; returns the time at which to check for its end,
    /// `None` if it takes no time and is over.
    #[inline]
    pub fn start(&mut self, now: Time, work: Time, job: J) -> Option<Time> {
        let begin = now.max(self.kernel_free);
        if begin == now && work == Time::ZERO {
            return None;
        }
        self.run_until(begin + work, job);
        Some(self.job_end)
    }

    /// Sets a job that ends at `end`.
    pub fn run_until(&mut self, end: Time, job: J) {
        (self.job, self.job_end) = (Some(job), end);
    }

    /// Ends the job, if it is over.
    #[inline]
    pub fn end_job(&mut self, now: Time) -> JobEnd<J> {
        if self.job_end > now {
            return JobEnd::Later(self.job_end);
        }
        self.job.take().map_or(JobEnd::Idle, JobEnd::Over)
    }

    /// Prefetches the processors.
    #[inline]
    pub fn prefetch(&self) {
        prefetch(&self.kernel_free);
        prefetch(&self.job_end);
    }

    /// Returns the bytes of heap memory held.
    pub fn heap_bytes(&self) -> usize {
        size_of_val(&*self.others_free)
    }

    /// Moves all times by `span`, so that everything to come happens that much later.
    pub fn shift(&mut self, span: Time) {
        self.kernel_free += span;
        self.others_free.iter_mut().for_each(|free| *free += span);
        self.job_end += span;
    }

    /// Appends to `state` everything that future times depend on, relative to `now`; `code` tells
    /// jobs apart.
    pub fn describe(&self, now: Time, code: impl FnOnce(J) -> u64, state: &mut Vec<u64>) {
        let free = std::iter::once(&self.kernel_free).chain(&self.others_free);
        state.extend(free.map(|free| free.saturating_sub(now).ps()));
        let end = self.job.map_or(Time::ZERO, |_| self.job_end.saturating_sub(now));
        state.extend([self.job.map_or(u64::MAX, code), end.ps()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(us: u64) -> Time {
        Time::from_us(us)
    }

    #[test]
    fn the_kernel_puts_a_job_on_its_own_processor_off() {
        let mut cpus = Cpus::new(2);
        assert_eq!(cpus.charge(0, us(0), us(3)), us(3));
        assert_eq!(cpus.start(us(1), us(5), 'a'), Some(us(8)), "behind the kernel");
        assert_eq!(cpus.charge(1, us(2), us(9)), us(11), "beside the process");
        assert_eq!(cpus.end_job(us(8)), JobEnd::Over('a'));
        assert_eq!(cpus.start(us(8), us(5), 'b'), Some(us(13)));
        assert_eq!(cpus.charge(0, us(9), us(2)), us(11));
        assert_eq!(cpus.end_job(us(13)), JobEnd::Later(us(15)));
        assert_eq!(cpus.end_job(us(15)), JobEnd::Over('b'));
        assert_eq!(cpus.end_job(us(15)), JobEnd::Idle);
        assert_eq!(cpus.start(us(15), Time::ZERO, 'c'), None, "it takes no time");
    }
}
