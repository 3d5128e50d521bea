//! The wrapper of every call that can take long: the work runs on a thread of its own with the
//! interpreter released, and the calling thread polls for signals, so that Ctrl-C works within a
//! moment.
//!
//! Python delivers signals to its main thread only. A thread that simulates for it obeys a
//! [`Stop`], which the main thread requests when a signal arrives.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// Interval at which the calling thread polls for signals.
const SIGNAL_PERIOD: Duration = Duration::from_millis(50);

/// A handle that ends the long calls of the threads that obey it.
#[pyclass(frozen, module = "linkwright._core")]
#[derive(Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Returns the flag, for work that ends by itself when it becomes true.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

thread_local! {
    /// The stop handle of this thread's calls.
    static OBEYED: RefCell<Stop> = RefCell::default();
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Stop {
        Stop::default()
    }

    /// Makes the long calls of the present thread obey this handle from now on.
    fn obey(&self) {
        OBEYED.set(self.clone());
    }

    /// Ends all present and later calls that obey this handle, with `KeyboardInterrupt`.
    fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Returns the result of `work`, or the exception of a signal; in that case the flag given to the
/// work has been set, and the work has ended.
pub fn long_call<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    reported_call(py, |_| Ok(()), work)
}

/// Runs `work` like [`long_call`], and calls `report` at every poll for signals; an exception of
/// `report` ends the work like a signal.
pub fn reported_call<T: Send>(
    py: Python<'_>,
    report: impl Fn(Python<'_>) -> PyResult<()> + Send,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = &AtomicBool::new(false);
    let obeyed = OBEYED.with_borrow(Stop::clone);
    let (done, is_done) = mpsc::channel();
    let task = move || {
        let result = work(stop);
        // After a signal the receiver may be gone, and the message is not needed.
        let _ = done.send(());
        result
    };
    py.detach(move || {
        std::thread::scope(|scope| {
            let worker = scope.spawn(task);
            let signal = look_until(&is_done, &obeyed, report);
            if signal.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            signal.map(|()| result)
        })
    })
}

/// Waits for the end of the work.
fn look_until(
    is_done: &mpsc::Receiver<()>,
    obeyed: &Stop,
    report: impl Fn(Python<'_>) -> PyResult<()>,
) -> PyResult<()> {
    // A panic of the work drops the sender, which also ends the wait.
    while is_done.recv_timeout(SIGNAL_PERIOD) == Err(mpsc::RecvTimeoutError::Timeout) {
        if obeyed.0.load(Ordering::Relaxed) {
            return Err(PyKeyboardInterrupt::new_err("told to stop"));
        }
        Python::attach(|py| py.check_signals().and_then(|()| report(py)))?;
    }
    Ok(())
}

/// Adds this file's class to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Stop>()
}
