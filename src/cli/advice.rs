//! Errors for the user: the message of the library, and the command or option that helps.

use std::borrow::Cow;
use std::fmt::Display;
use std::io;
use std::path::Path;

use taquin_engine::names;

use super::process::{ExitCode, say, unnumbered};
use crate::board::{Grid, Metric};
use crate::classics::Spec;
use crate::lab;
use crate::pdb::OpenErrorKind;
use crate::read::ReadError;
use crate::solver::{CheckpointError, Error, Method, PacketError};
use crate::store::{PartError, PartErrorKind, Set, SetError, StoreError};
use crate::text::quoted;

/// An error for the user: the message with the command or the option that helps, and the kind of error as a
/// word for programs.
#[derive(Debug)]
pub struct Advice<'a> {
    pub message: String,
    pub kind: &'static str,
    /// The names of the goals that a board can reach, if it cannot reach the one that is asked for.
    pub reachable: &'a [&'static str],
}

impl<'a> Advice<'a> {
    /// The advice on an error, from the error of the library that it is, or stands for.
    pub fn on(error: &'a anyhow::Error) -> Advice<'a> {
        Advice::of(error, false)
    }

    /// The advice on an error of a board, which its goal may follow.
    pub fn of(error: &'a anyhow::Error, goal_follows: bool) -> Advice<'a> {
        let (kind, hint) = help(error);
        // Some go on with the sentence of the error.
        let goes_on = hint.is_empty() || hint.starts_with([',', ';', '.']);
        let reachable = match of_solver(error) {
            Some(Error::Unsolvable { reachable, .. }) => &reachable[..],
            _ => &[],
        };
        let others = other_goals(reachable, goal_follows);
        let message = format!("{error:#}{}{hint}{others}", if goes_on { "" } else { ": " });
        Advice { message: unnumbered(&message), kind, reachable }
    }

    /// The code to exit with.
    pub fn code(&self) -> ExitCode {
        match self.kind {
            "input" | "usage" => ExitCode::Usage,
            "unsolvable" => ExitCode::Negative,
            _ => ExitCode::Database,
        }
    }
}

/// Says an error, and gives the code to exit with. The message begins with the origin of what is wrong.
pub fn report(origin: impl Display, error: &anyhow::Error) -> ExitCode {
    let advice = Advice::on(error);
    say!("{origin}{}", advice.message);
    advice.code()
}

/// A hint, which may be empty.
type Hint = Cow<'static, str>;

/// The error of the solver that an error is, or stands for.
fn of_solver(error: &anyhow::Error) -> Option<&Error> {
    match error.downcast_ref() {
        Some(lab::Error::Solver(error)) => Some(error),
        _ => error.downcast_ref(),
    }
}

/// The kind of an error, and the hint.
fn help(error: &anyhow::Error) -> (&'static str, Hint) {
    if let Some(error) = of_solver(error) {
        return solver(error);
    }
    if let Some(error) = error.downcast_ref() {
        return ("database", part(error));
    }
    if let Some(lab::Error::Contradiction(_)) = error.downcast_ref() {
        return ("database", "the databases may be damaged: check with `pdb-gen verify`".into());
    }
    if let Some(PacketError::Damaged) = error.downcast_ref() {
        return ("input", "make packets with `taquin split`".into());
    }
    let hint = match (error.downcast_ref(), error.downcast_ref(), error.downcast_ref()) {
        (Some(lab::Error::NoStandard), ..) => "give --heuristics manhattan",
        (_, Some(SetError::NoStandard(_)), _) => "give one with --partition, as in 1,2,3/4,5,6",
        (.., Some(ReadError::Several(2))) => ", or the goal of the first with --goal",
        (.., Some(ReadError::NotATile { text, .. })) if text.chars().all(char::is_alphabetic) => {
            "; if its tiles have labels, give the goal with --goal"
        }
        _ => "",
    };
    ("input", hint.into())
}

fn solver(error: &Error) -> (&'static str, Hint) {
    match error {
        Error::Unsolvable { .. } => ("unsolvable", "".into()),
        Error::Store(error) => ("database", store(error)),
        Error::Damaged(error) => ("database", file(&error.path, &error.kind).into()),
        Error::Broken { .. } => (
            "database",
            "check with `pdb-gen verify`, and rebuild with `pdb-gen build --force`".into(),
        ),
        Error::Wrong { origin: Some(_), .. } => ("internal", "check with `pdb-gen verify`".into()),
        Error::Wrong { .. } => ("internal", "".into()),
        // The board may be sound.
        Error::Unavailable { .. } | Error::Heuristic(_) => ("usage", "".into()),
        Error::NotForSlides { heuristic: Spec::Standard, method: Method::Plain } => {
            ("usage", "give --heuristic manhattan".into())
        }
        Error::NotForSlides { .. } => {
            ("usage", "change --heuristic or --method, or leave --metric out".into())
        }
        Error::Few { count: count @ 1.., .. } => ("input", format!("use --count {count}").into()),
        Error::Without { option: "count", .. } => ("usage", "leave --count and --all out".into()),
        Error::Without { option, .. } => ("usage", format!("leave --{option} out").into()),
        Error::Checkpoint(error) => {
            let hint = match error {
                CheckpointError::Exists(_) => "continue with --resume, or remove the file",
                CheckpointError::InUse(_) => "name another file",
                CheckpointError::Damaged(_) | CheckpointError::Other { .. } => {
                    "use another file, or remove this one"
                }
                _ => "",
            };
            ("usage", hint.into())
        }
        _ => ("input", "".into()),
    }
}

fn store(error: &StoreError) -> Hint {
    match error {
        StoreError::Missing { set, folder } => {
            format!("build them with `{}`", command(set, folder)).into()
        }
        StoreError::Unusable(reason) => file(&reason.path, &reason.kind).into(),
        StoreError::TooLarge(_) => {
            "use patterns of fewer tiles, or allow more with --memory".into()
        }
        _ => "".into(),
    }
}

fn part(PartError { path, kind }: &PartError) -> Hint {
    let hint = match kind {
        PartErrorKind::Open(kind) => file(path, kind),
        PartErrorKind::TooLarge(_) => "allow more with --memory; with --quick it takes less",
        PartErrorKind::Wrong(_) => ANEW,
        PartErrorKind::Write(reason) => match reason.kind() {
            io::ErrorKind::FileTooLarge => "raise the limit on file sizes, see ulimit -f",
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space",
            _ => "",
        },
        _ => "",
    };
    hint.into()
}

const ANEW: &str = "remove it, and it is built anew when it is needed";

fn file(path: &Path, kind: &OpenErrorKind) -> &'static str {
    match kind {
        OpenErrorKind::Missing => "build databases with `pdb-gen build`",
        OpenErrorKind::Read(_) => "check its permissions",
        OpenErrorKind::Map(_) => {
            "raise the limit on address space, or use a file system that supports mapping"
        }
        OpenErrorKind::Memory { .. } => "free some memory",
        _ if is_ours(path) => ANEW,
        _ => "",
    }
}

/// Returns whether a file has the name of a database, as in `4x3-0-1.2.3.pdb`. Another one is not built anew.
fn is_ours(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let size = name.strip_suffix(".pdb").and_then(|name| name.split_once('-'));
    size.is_some_and(|(size, _)| size.parse::<Grid>().is_ok())
}

/// The command that builds a set in a folder.
fn command(set: &Set, folder: &Path) -> String {
    let kind = match set.metric() {
        Metric::Multi => "metric",
        Metric::Single if set.is_catalogue() => "catalogue",
        Metric::Single => "partition",
    };
    let (grid, name, folder) = (set.grid(), set.name(), quoted(&folder.display().to_string()));
    let blank = match set.goal_blank() {
        0 => String::new(),
        blank => format!(" --blank {blank}"),
    };
    format!("pdb-gen build --size {grid} --{kind} {name}{blank} --out {folder}")
}

/// The end of the message that a board cannot reach its goal, which may follow it: the goals that it can reach.
pub fn other_goals(reachable: &[&str], goal_follows: bool) -> String {
    let [first, ..] = reachable else { return String::new() };
    let advice = if goal_follows { "write the tiles of" } else { "use --goal" };
    let after = if goal_follows { " after it" } else { "" };
    format!(". The board can reach {}: {advice} {first}{after}", names::either(reachable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_fails_its_check_is_as_bad_as_a_damaged_database() {
        let error = Error::Wrong { what: "a path that ends elsewhere", origin: None }.into();
        assert_eq!(Advice::on(&error).code(), ExitCode::Database);
    }

    #[test]
    fn commands_can_be_pasted() {
        let grid = |side| Grid::new(side, side).unwrap();
        let quoted = if cfg!(windows) { r#""my 'tables'""# } else { r"'my '\''tables'\'''" };
        for (set, folder, expected) in [
            (Set::standard(grid(4), 0), "/a/b", "4x4 --partition 7-8 --out /a/b"),
            (Set::standard(grid(5), 0), "x", "5x5 --catalogue small --out x"),
            (Set::slides(grid(4), 15).ok(), "x", "4x4 --metric multi --out x"),
            (
                Set::standard(grid(4), 5),
                "my 'tables'",
                &format!("4x4 --partition 7-8 --blank 5 --out {quoted}"),
            ),
        ] {
            let command = command(&set.unwrap(), Path::new(folder));
            assert_eq!(command, format!("pdb-gen build --size {expected}"));
        }
        for (name, expected) in [("a b/4x3-11-0.1.2.pdb", true), ("x.pdb", false), ("4x3", false)] {
            assert_eq!(is_ours(Path::new(name)), expected, "{name}");
        }
    }
}
