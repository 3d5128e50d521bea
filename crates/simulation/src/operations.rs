//! The operations of a rank: computations, sleeps, disks, marks and the events between its streams.
//! Its messages are in `messaging`.

use program::{Action, Cpu, DiskRequest, EventNumber, RequestNumber};
use quantity::Time;

use crate::conditions::Conditions;
use crate::effect::{Effect, Flow, Then};
use crate::executor::Executor;
use crate::matching::Receive;
use crate::message::{Call, Message};
use crate::model::{Datagram, over_at};
use crate::stream::{StreamState, Wait};

impl Executor {
    pub(crate) fn operation(&mut self, now: Time, run: &Conditions<'_>) -> Flow {
        let Some(action) = self.stream.walk.peek(run.program, self.rank) else {
            return self.stream_ended();
        };
        if self.stream.cpu.is_some() && self.waits_for_cpu(action) {
            return self.go_on(Then::CheckWait);
        }
        self.stream.walk.pass();
        self.n_begun += 1;
        self.act(action, now, run)
    }

    /// Ends the served stream, and with the last one its rank.
    fn stream_ended(&mut self) -> Flow {
        if self.others.as_mut().is_some_and(|others| !others.end_one()) {
            self.stream.wait = Wait::Ended;
            return self.go_on(Then::CheckWait);
        }
        self.stream.wait = Wait::Ended;
        self.then = Then::CheckWait;
        self.has_finished = true;
        Flow::Do(Effect::Finish)
    }

    /// Returns whether an operation of the served stream waits for the stream's processor.
    fn waits_for_cpu(&mut self, action: Action) -> bool {
        let StreamState { id, cpu, .. } = self.stream;
        let (Some(others), Some(cpu)) = (&mut self.others, cpu) else {
            return false;
        };
        let waits = !others.take_cpu(cpu, id, action);
        if waits {
            self.stream.wait = Wait::Cpu;
        }
        waits
    }

    fn act(&mut self, action: Action, now: Time, run: &Conditions<'_>) -> Flow {
        match action {
            Action::Send { to, bytes, tag } => {
                self.send(Message::new(to, bytes, tag, self.call(None)), run)
            }
            Action::SyncSend { to, bytes, tag } => {
                self.send_synchronously(Message::new(to, bytes, tag, self.call(None)), run)
            }
            Action::StartSyncSend { to, bytes, tag, number } => {
                self.send_synchronously(Message::new(to, bytes, tag, self.call(Some(number))), run)
            }
            Action::StartSend { to, bytes, tag, number } => {
                self.send(Message::new(to, bytes, tag, self.call(Some(number))), run)
            }
            Action::Receive { from, tag } => {
                self.receive(Receive { from, tag, call: self.call(None) }, run)
            }
            Action::StartReceive { from, tag, number } => {
                self.receive(Receive { from, tag, call: self.call(Some(number)) }, run)
            }
            Action::WaitAll => self.wait(Wait::Started),
            Action::Wait { number } => self.wait(Wait::Number(number)),
            Action::Compute { work } => {
                self.silence.allow(now, work);
                match self.stream.cpu {
                    Some(cpu) => self.compute_on(cpu, work),
                    None => self.compute(work, Then::Operation),
                }
            }
            Action::Datagram { to, bytes, answer, protocol, spacing } => {
                self.silence.allow(now, spacing);
                self.then = Then::Operation;
                Flow::Do(Effect::Send(Datagram { to, bytes, answer, protocol, spacing }))
            }
            Action::Sleep { spacing } => {
                let last = self.slept_until;
                let end = last.map_or(now, |last| now.max(over_at(last, spacing)));
                self.slept_until = Some(end);
                self.sleep(end, now)
            }
            Action::Disk(request) => self.use_disk(request, run),
            Action::Mark { mark } => Flow::Do(Effect::Mark(mark)),
            Action::Signal { event } => self.signal(event),
            Action::Await { event } => self.wait_for(event),
        }
    }

    /// Returns a call of the served stream.
    fn call(&self, request: Option<RequestNumber>) -> Call {
        Call { stream: self.stream.id, request }
    }

    /// Signals an event; the process lets streams that it serves go first.
    fn signal(&mut self, event: EventNumber) -> Flow {
        self.others.as_mut().expect("a rank with events has streams").signal(event);
        if self.stream.cpu.is_some() {
            return Flow::Ready;
        }
        self.give_way();
        self.go_on(Then::CheckWait)
    }

    fn wait_for(&mut self, event: EventNumber) -> Flow {
        let others = self.others.as_mut().expect("a rank with events has streams");
        if others.use_signal(event, self.stream.id) {
            return Flow::Ready;
        }
        self.stream.wait = Wait::Event;
        self.go_on(Then::CheckWait)
    }

    /// Computes on a processor of the served stream's own, beside the process.
    fn compute_on(&mut self, cpu: Cpu, span: Time) -> Flow {
        if span == Time::ZERO {
            return Flow::Ready;
        }
        self.stream.wait = Wait::Cpu;
        self.others.iter_mut().for_each(|others| others.occupy(cpu));
        self.then = Then::CheckWait;
        Flow::Do(Effect::SetTimer { stream: self.stream.id, span })
    }

    /// Copies the data of a request; the order of copy and disk does not matter to a process that
    /// does one thing at a time.
    fn use_disk(&mut self, request: DiskRequest, run: &Conditions<'_>) -> Flow {
        let copy = run.disk.map_or(Time::ZERO, |disk| match request {
            DiskRequest::Read { bytes } | DiskRequest::Write { bytes } => disk.copy.of(bytes),
            DiskRequest::Flush => Time::ZERO,
        });
        self.compute(copy, Then::Disk(request))
    }

    pub(crate) fn ask_disk(
        &mut self,
        request: DiskRequest,
        now: Time,
        run: &Conditions<'_>,
    ) -> Flow {
        let Some(model) = run.disk else {
            unreachable!("no program that uses disks runs without them")
        };
        let end = match request {
            DiskRequest::Read { bytes } => self.disk.read(&model, now, bytes),
            DiskRequest::Write { bytes } => self.disk.write(&model, now, bytes),
            DiskRequest::Flush => self.disk.flush(&model, now),
        };
        self.sleep(end, now)
    }

    /// Continues a rank with its next operation at `end`, or at once if that has passed.
    fn sleep(&mut self, end: Time, now: Time) -> Flow {
        self.then = Then::Operation;
        if end <= now {
            return Flow::Ready;
        }
        self.silence.allow(now, end.saturating_sub(now));
        Flow::Do(Effect::Sleep(end))
    }
}
