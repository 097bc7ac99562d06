//! Signals: interrupts, a file that grows too large, and a database file that was cut short.
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
//!
//! The system sends SIGBUS to a program that reads a mapped file beyond its end. If that file is a
//! database, the program names it and exits with the code of a database that cannot be used.

/// Installs the handlers described above, and turns a write beyond the limit on file sizes into an
/// error. Without a thread for this, interrupts keep their default effect. `program` is the name
/// before messages.
#[cfg_attr(not(unix), allow(unused_variables))]
pub fn install(program: &'static str) {
    #[cfg(unix)]
    unix::install(program);
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
    use std::ffi::{c_int, c_void};
    use std::mem::MaybeUninit;
    use std::os::unix::ffi::OsStrExt;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
    use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
    use std::thread;
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::super::exit::ExitCode;
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

    /// The name of the program, and the action of SIGBUS before [`install`].
    static BEFORE: OnceLock<(&str, libc::sigaction)> = OnceLock::new();

    fn answering() -> MutexGuard<'static, Option<Stop>> {
        ANSWERING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn install(program: &'static str) {
        if let Some(before) = action(libc::SIGBUS)
            && BEFORE.set((program, before)).is_ok()
        {
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = on_bus_error;
            let mut new = before;
            new.sa_sigaction = handler as usize;
            new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            // SAFETY: the handler has the type that the flags say, and calls only what a signal
            // handler may call.
            unsafe { libc::sigaction(libc::SIGBUS, &new, null_mut()) };
        }
        // The handler does nothing. But with a handler a write fails instead of killing.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
        let wanted: Vec<c_int> =
            [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&s| !is_ignored(s)).collect();
        // Started before the handlers, which would swallow the signals without a thread.
        let (sender, receiver) = std::sync::mpsc::channel::<Signals>();
        let watch = move || {
            if let Ok(signals) = receiver.recv() {
                watch(signals);
            }
        };
        if thread::Builder::new().name("signals".to_owned()).spawn(watch).is_ok()
            && let Ok(signals) = Signals::new(wanted)
        {
            let _ = sender.send(signals);
        }
    }

    fn is_ignored(signal: c_int) -> bool {
        action(signal).is_some_and(|action| action.sa_sigaction == libc::SIG_IGN)
    }

    /// The action of a signal.
    fn action(signal: c_int) -> Option<libc::sigaction> {
        let mut action = MaybeUninit::zeroed();
        // SAFETY: without a new action, only the old one is written, to memory of its type.
        let asked = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
        // SAFETY: written by the call, and zero is a value of it too.
        (asked == 0).then(|| unsafe { action.assume_init() })
    }

    /// Ends the program if a database file was cut short. Otherwise the signal has its former action
    /// when the read is repeated.
    ///
    /// It may interrupt anything: it takes no lock and allocates nothing.
    extern "C" fn on_bus_error(_: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
        static SAID: AtomicBool = AtomicBool::new(false);
        let Some((program, before)) = BEFORE.get() else { return };
        // SAFETY: the system describes the signal here; that of SIGBUS has an address.
        let address = unsafe { (*info).si_addr() }.addr();
        let Some(path) = pdb::mapped_file(address) else {
            // SAFETY: the action was in effect before.
            unsafe { libc::sigaction(libc::SIGBUS, before, null_mut()) };
            return;
        };
        // Of several threads, one says it.
        while SAID.swap(true, Ordering::SeqCst) {
            // SAFETY: it takes no argument.
            unsafe { libc::pause() };
        }
        const ADVICE: &str =
            ": cut short while it was in use: remove it, and the next run builds it again\n";
        let path = path.as_os_str().as_bytes();
        for text in [program.as_bytes(), b": ", path, ADVICE.as_bytes()] {
            // SAFETY: these are the bytes of the text.
            unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
        }
        // SAFETY: it takes a number, and runs nothing of this program.
        unsafe { libc::_exit(ExitCode::Database as c_int) }
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
