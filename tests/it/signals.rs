//! Programs that receive signals from a test.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// Makes a program heed interrupts even if the tests were started to ignore them, as they are in
/// the background jobs of a shell: it would inherit that.
pub fn heed(command: &mut Command) {
    let heed = || {
        // SAFETY: a call that may be made between fork and exec, with a valid signal and action.
        unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
        Ok(())
    };
    // SAFETY: the closure makes one call that is safe there, and touches no memory.
    unsafe { command.pre_exec(heed) };
}

/// Sends a signal by the system's own program.
pub fn send(signal: &str, child: &Child) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args([&format!("-{signal}"), &pid]).status().unwrap().success());
}
