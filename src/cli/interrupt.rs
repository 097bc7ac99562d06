//! Signals: interrupts, and a file that grows too large.
//!
//! SIGINT, SIGTERM, SIGHUP and SIGQUIT kill the program as they do by default, so that its parent sees the
//! signal. But first
//!
//! 1. the searches under way are cancelled, and answered by their bounds and short solutions, within two
//!    seconds;
//! 2. the temporary files are removed.
//!
//! A second signal does not wait for this. Signals that the program was started to ignore stay
//! ignored, as in the background jobs of a shell.

use std::sync::OnceLock;

use crate::search::Cancel;

#[cfg(unix)]
pub use unix::{finish, install};

/// Ends the searches under way. Without it a signal waits for nothing.
static CANCEL: OnceLock<Cancel> = OnceLock::new();

/// Returns the flag that a signal sets. From now on it waits for the answers, until [`finish`].
pub fn cancel() -> Cancel {
    CANCEL.get_or_init(Cancel::new).clone()
}

/// Without signals there is nothing to install.
#[cfg(not(unix))]
pub fn install() {}

/// Without signals there is nothing to finish.
#[cfg(not(unix))]
pub fn finish() {}

#[cfg(unix)]
mod unix {
    use std::ffi::c_int;
    use std::mem::MaybeUninit;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::CANCEL;
    use crate::pdb;

    /// The time for answers after a signal.
    const GRACE: Duration = Duration::from_secs(2);

    /// The time in which a second signal is taken for the first one.
    const TWICE: Duration = Duration::from_millis(300);

    /// The signal received, or 0.
    static RECEIVED: AtomicI32 = AtomicI32::new(0);

    /// Installs the handlers described above, and turns a write beyond the limit on file sizes into an
    /// error. Without a thread for this, interrupts keep their default effect.
    pub fn install() {
        // The handler does nothing. But with a handler a write fails instead of killing.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
        let wanted = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
        let wanted = wanted.into_iter().filter(|&signal| !is_ignored(signal));
        // The thread is started before the handlers, which would swallow the signals without one: so none is set at first.
        let Ok(signals) = Signals::new([0; 0]) else { return };
        let handlers = signals.handle();
        let watch = move || watch(signals);
        if thread::Builder::new().name("signals".to_owned()).spawn(watch).is_ok() {
            wanted.for_each(|signal| _ = handlers.add_signal(signal));
        }
    }

    fn is_ignored(signal: c_int) -> bool {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: without a new action, only the old one is written, to memory of its type.
        let asked = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
        // SAFETY: written by the call, and zero is a value of it too.
        asked == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
    }

    fn watch(mut signals: Signals) {
        let Some(signal) = signals.forever().next() else { return };
        RECEIVED.store(signal, Ordering::SeqCst);
        let begin = Instant::now();
        if let Some(cancel) = CANCEL.get() {
            cancel.cancel();
            // Programs such as `timeout` send the same signal twice at once.
            while begin.elapsed() < GRACE
                && (signals.pending().count() == 0 || begin.elapsed() < TWICE)
            {
                thread::sleep(Duration::from_millis(10));
            }
        }
        die(signal);
    }

    /// Ends the program by the signal that it received, if any.
    pub fn finish() {
        match RECEIVED.load(Ordering::SeqCst) {
            0 => {}
            signal => die(signal),
        }
    }

    fn die(signal: c_int) -> ! {
        pdb::abandon();
        let _ = emulate_default_handler(signal);
        // Not reached, as these signals end a program by default.
        std::process::exit(128 + signal)
    }
}
