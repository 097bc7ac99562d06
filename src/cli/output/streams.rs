//! Lines on the standard output and the standard error.

use std::fmt;
use std::io::{self, Write};

use crate::cli::exit::Failure;

/// Writes a line to the standard error. A line that cannot be written does not stop the program.
pub fn say(program: &str, message: impl fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{program}: {message}");
}

/// Writes a line to the standard output. A reader that is gone is not an error.
pub fn print(line: &str) -> Result<(), Failure> {
    written(writeln!(io::stdout().lock(), "{line}")).map(drop)
}

/// Writes text to the standard output, or to the standard error where something else is on the
/// standard output.
pub fn text(text: &str, to_errors: bool) -> Result<(), Failure> {
    match to_errors {
        true => written(io::stderr().lock().write_all(text.as_bytes())).map(drop),
        false => written(io::stdout().lock().write_all(text.as_bytes())).map(drop),
    }
}

/// Returns whether the output still has a reader. A reader that is gone is not an error.
pub fn written(result: io::Result<()>) -> Result<bool, Failure> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => {
            Err(Failure::usage(anyhow::Error::new(error).context("cannot write the output")))
        }
        Ok(()) => Ok(true),
    }
}
