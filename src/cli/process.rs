//! A program as the system sees it: exit codes, the standard streams, and the command line.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::sync::OnceLock;

use anyhow::{Context, anyhow};

/// The exit codes of both programs. The greatest is the worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ExitCode {
    /// Success: every board is solved, every file is sound.
    #[default]
    Fine = 0,
    /// The answer is no: a board cannot be solved, or a limit ended its search too early.
    Negative = 1,
    /// The input is wrong or cannot be read, or the output cannot be written.
    Usage = 2,
    /// A database is missing, damaged, or cannot be written, or an answer failed its check.
    Database = 3,
}

/// Refuses the first of these combinations of options that is given, with its message.
pub fn refuse(rules: impl IntoIterator<Item = (bool, &'static str)>) -> anyhow::Result<()> {
    match rules.into_iter().find(|&(is_given, _)| is_given) {
        Some((_, message)) => Err(anyhow!(message)),
        None => Ok(()),
    }
}

/// Writes a line to the standard error, after the name of the program. A line that cannot be written does not
/// stop the program.
macro_rules! say {
    ($($message:tt)*) => { $crate::cli::process::tell(format_args!($($message)*)) };
}
pub(crate) use say;

pub fn tell(message: fmt::Arguments<'_>) {
    let program = PROGRAM.get().map_or("taquin", |(program, _)| program);
    let message = unnumbered(&message.to_string());
    let _ = writeln!(io::stderr().lock(), "{program}: {message}");
}

/// A message without the numbers that errors of the system end with: `No such file or directory (os error 2)`.
pub fn unnumbered(message: &str) -> String {
    let mut parts = message.split(" (os error ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once(')').map_or(part, |(_, rest)| rest))
}

/// Writes a line to the standard output. A reader that is gone is not an error.
pub fn print(line: &str) -> anyhow::Result<()> {
    put(&format!("{line}\n"), false)
}

/// Writes text to the standard output, or to the standard error where something else is on the
/// standard output.
pub fn put(text: &str, to_errors: bool) -> anyhow::Result<()> {
    match to_errors {
        true => written(io::stderr().lock().write_all(text.as_bytes())).map(drop),
        false => written(io::stdout().lock().write_all(text.as_bytes())).map(drop),
    }
}

/// Returns whether the output still has a reader. A reader that is gone is not an error.
pub fn written(result: io::Result<()>) -> anyhow::Result<bool> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        result => result.map(|()| true).context("cannot write the output"),
    }
}

/// The program and its command line, which begins with the program too. Where another program, such as an
/// interpreter, runs this one, the process has a different command line.
static PROGRAM: OnceLock<(&str, Vec<OsString>)> = OnceLock::new();

/// Keeps the program and its command line. The first one stays.
pub fn keep(
    program: &'static str,
    words: impl IntoIterator<Item = OsString>,
) -> &'static [OsString] {
    &PROGRAM.get_or_init(|| (program, words.into_iter().collect())).1
}

/// The command line.
pub fn words() -> Vec<String> {
    let words = PROGRAM.get().map_or(&[][..], |(_, words)| words);
    words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [ExitCode; 4] =
        [ExitCode::Fine, ExitCode::Negative, ExitCode::Usage, ExitCode::Database];

    #[test]
    fn the_codes_are_fixed_and_the_worst_is_the_greatest() {
        assert_eq!(ALL.map(|code| code as u8), [0, 1, 2, 3]);
        assert!(ALL.is_sorted());
        assert_eq!(ExitCode::default(), ExitCode::Fine);
    }

    #[test]
    fn the_help_explains_every_code() {
        for code in ALL {
            let line = format!("\n  {}  ", code as u8);
            assert!(include_str!("help/taquin.txt").contains(&line), "{code:?}");
            let has = include_str!("help/pdb-gen.txt").contains(&line);
            assert!(has || code == ExitCode::Negative, "{code:?}");
        }
    }
}
