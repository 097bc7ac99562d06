//! The terminal while a game is on it, and as it was before.
//!
//! It is restored when the [`Screen`] is dropped, and before the message of a panic is printed,
//! whichever thread panics.

use std::io::{self, Stdout, Write};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::force_color_output;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};

/// The screen of a game.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    restored: Restored,
}

impl Screen {
    /// Takes the terminal.
    pub fn enter(coloured: bool) -> io::Result<Screen> {
        // The library would hear NO_COLOR even if colours are asked for.
        force_color_output(coloured);
        let restored = Restored::by(|| leave(&mut io::stdout()));
        enter(&mut io::stdout())?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        Ok(Screen { terminal, restored })
    }

    pub fn draw(&mut self, render: impl FnOnce(&mut Frame)) -> io::Result<()> {
        // After a panic in another thread, its message stays.
        if !self.restored.is_done() {
            self.terminal.draw(render)?;
        }
        Ok(())
    }

    /// Draws everything again the next time.
    pub fn clear(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal.resize((ratatui::layout::Position::ORIGIN, size).into())
    }

    /// Gives the terminal back, and stops the program, as Ctrl-Z does, until it is continued.
    pub fn suspend(&mut self) -> io::Result<()> {
        leave(&mut io::stdout());
        stop();
        self.resume()
    }

    /// Takes the terminal again after the program was stopped and continued.
    pub fn resume(&mut self) -> io::Result<()> {
        // A shell may have changed the mode in between, and the mode to return to is not this one.
        let _ = disable_raw_mode();
        enter(&mut io::stdout())?;
        self.clear()
    }
}

fn enter(out: &mut impl Write) -> io::Result<()> {
    enable_raw_mode()?;
    execute!(out, EnterAlternateScreen, EnableMouseCapture, Hide)
}

/// Restores the terminal. If it is gone, there is nothing to restore.
fn leave(out: &mut impl Write) {
    let _ = execute!(out, DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// Sends the signal that the terminal sends for Ctrl-Z in its usual mode: to this program and those
/// that run in one job with it.
pub fn stop_all() {
    #[cfg(unix)]
    // SAFETY: the call takes numbers only; 0 stands for the process group.
    unsafe {
        libc::kill(0, libc::SIGTSTP)
    };
}

/// Stops the process by SIGTSTP in its default way. Where no shell could continue it, the system
/// ignores the signal.
#[cfg(unix)]
fn stop() {
    let mut default = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    let mut before = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: zero is a value of the type: the default action, no flags, an empty mask.
    let default = unsafe { default.assume_init_mut() };
    default.sa_sigaction = libc::SIG_DFL;
    // SAFETY: both actions are valid, and `before` receives the old one.
    if unsafe { libc::sigaction(libc::SIGTSTP, default, before.as_mut_ptr()) } == 0 {
        let _ = signal_hook::low_level::raise(libc::SIGTSTP);
        // SAFETY: the first call has written the action that was in effect.
        unsafe { libc::sigaction(libc::SIGTSTP, before.as_ptr(), std::ptr::null_mut()) };
    }
}

#[cfg(not(unix))]
fn stop() {}

/// Calls a function once: when it is dropped, or before a panic is reported.
struct Restored {
    done: Arc<AtomicBool>,
    restore: Arc<dyn Fn() + Send + Sync>,
}

impl Restored {
    fn by(restore: impl Fn() + Send + Sync + 'static) -> Restored {
        let restored = Restored { done: Arc::default(), restore: Arc::new(restore) };
        let (done, restore) = (restored.done.clone(), restored.restore.clone());
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            once(&done, &*restore);
            report(panic);
        }));
        restored
    }

    fn is_done(&self) -> bool {
        self.done.load(Ordering::SeqCst)
    }
}

fn once(done: &AtomicBool, restore: &dyn Fn()) {
    if !done.swap(true, Ordering::SeqCst) {
        restore();
    }
}

impl Drop for Restored {
    fn drop(&mut self) {
        once(&self.done, &*self.restore);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn leaving_undoes_what_entering_does() {
        let mut out = Vec::new();
        leave(&mut out);
        let text = String::from_utf8(out).unwrap();
        // The alternate screen, the buttons of the mouse, and the cursor.
        for sequence in ["\x1b[?1049l", "\x1b[?1000l", "\x1b[?25h"] {
            assert!(text.contains(sequence), "{text:?}");
        }
    }

    #[test]
    fn a_drop_restores_once() {
        let log: Arc<Mutex<u32>> = Arc::default();
        let count = log.clone();
        drop(Restored::by(move || *count.lock().unwrap() += 1));
        assert_eq!(*log.lock().unwrap(), 1);
    }

    #[test]
    fn a_panic_is_reported_on_the_restored_terminal() {
        let log: Arc<Mutex<Vec<&str>>> = Arc::default();
        let (reports, restores) = (log.clone(), log.clone());
        // The message of the panic. Other tests of this process may panic too.
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if panic.payload().downcast_ref() == Some(&"a fault of the search") {
                reports.lock().unwrap().push("reported");
            } else {
                before(panic);
            }
        }));
        let restored = Restored::by(move || restores.lock().unwrap().push("restored"));
        let fault = std::thread::spawn(|| panic!("a fault of the search"));
        assert!(fault.join().is_err());
        assert!(restored.is_done());
        drop(restored);
        assert_eq!(*log.lock().unwrap(), ["restored", "reported"]);
    }
}
