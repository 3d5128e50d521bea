//! Every call that can last goes through here: the work has a thread of its own with the
//! interpreter released, and the calling thread looks for signals, so that Ctrl-C is heard within a
//! moment.
//!
//! Python tells only its main thread of signals. A thread that simulates for it obeys a [`Stop`],
//! which the main thread requests when it hears one.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// How long the calling thread waits between two looks at the signals.
const SIGNAL_PERIOD: Duration = Duration::from_millis(50);

/// Ends the long calls of the threads that obey it.
#[pyclass(frozen, module = "linkwright._core")]
#[derive(Clone, Default)]
struct Stop(Arc<AtomicBool>);

thread_local! {
    /// What the calls of this thread obey.
    static OBEYED: RefCell<Stop> = RefCell::default();
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Stop {
        Stop::default()
    }

    /// Lets the long calls of the present thread obey this from now on.
    fn obey(&self) {
        OBEYED.set(self.clone());
    }

    /// Ends the calls that obey it, and every later one, with `KeyboardInterrupt`.
    fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Returns what `work` returns, or the exception of a signal; then the work has been told to stop
/// by the flag it is given, and waited for.
pub fn long_call<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    reported_call(py, |_| Ok(()), work)
}

/// Does the same, and calls `report` as often as it looks for signals; an exception of it ends the
/// work like that of a signal.
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
        // The receiver may have gone on a signal; then nobody wants to know.
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

/// Waits until the work is done.
fn look_until(
    is_done: &mpsc::Receiver<()>,
    obeyed: &Stop,
    report: impl Fn(Python<'_>) -> PyResult<()>,
) -> PyResult<()> {
    // A panic of the work drops the sender, which ends the waiting as well.
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
