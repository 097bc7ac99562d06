//! Signals: interrupts, and a file that grows too large.
//!
//! SIGINT, SIGTERM and SIGHUP kill the program as they do by default, so that its parent sees the
//! signal. But first
//!
//! 1. the searches under way are cancelled, and answered by their bounds and short solutions, within two
//!    seconds;
//! 2. the temporary files are removed.
//!
//! A second signal does not wait for this. Signals that the program was started to ignore stay
//! ignored, as in the background jobs of a shell.

/// Installs the handlers described above, and turns a write beyond the limit on file sizes into an
/// error. Without a thread for this, interrupts keep their default effect.
pub fn install() {
    #[cfg(unix)]
    unix::install();
}

/// While it lives, a signal calls `stop`, and then waits for [`finish`].
pub struct Answering(());

impl Answering {
    #[cfg_attr(not(unix), allow(unused_variables))]
    pub fn new(stop: impl Fn() + Send + 'static) -> Answering {
        #[cfg(unix)]
        unix::answer(Some(Box::new(stop)));
        Answering(())
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        #[cfg(unix)]
        unix::answer(None);
    }
}

/// Ends the program by the signal that it received, if any.
pub fn finish() {
    #[cfg(unix)]
    unix::finish();
}

#[cfg(unix)]
mod unix {
    use std::ffi::c_int;
    use std::mem::MaybeUninit;
    use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
    use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
    use std::thread;
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use crate::pdb;

    /// The time for answers after a signal.
    const GRACE: Duration = Duration::from_secs(2);

    /// The time in which a second signal is taken for the first one.
    const TWICE: Duration = Duration::from_millis(300);

    type Stop = Box<dyn Fn() + Send>;

    /// The function that cancels the searches under way.
    static ANSWERING: Mutex<Option<Stop>> = Mutex::new(None);
    /// The signal received, or 0.
    static RECEIVED: AtomicI32 = AtomicI32::new(0);

    fn answering() -> MutexGuard<'static, Option<Stop>> {
        ANSWERING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn install() {
        // The handler does nothing. But with a handler a write fails instead of killing.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
        // Started before the handlers, which would swallow the signals without a thread.
        let (sender, receiver) = mpsc::channel::<Signals>();
        let watch = move || receiver.recv().map_or((), watch);
        if thread::Builder::new().name("signals".to_owned()).spawn(watch).is_ok()
            && let Ok(signals) = Signals::new(wanted)
        {
            let _ = sender.send(signals);
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
        let waits = match &*answering() {
            Some(stop) => {
                stop();
                true
            }
            None => false,
        };
        let begin = Instant::now();
        while waits && begin.elapsed() < GRACE {
            // Programs such as `timeout` send the same signal twice at once.
            let again = signals.pending().count() > 0;
            if again && begin.elapsed() > TWICE {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        die(signal);
    }

    pub fn answer(stop: Option<Stop>) {
        *answering() = stop;
    }

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
