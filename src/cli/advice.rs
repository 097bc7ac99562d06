//! Errors for the user: the message of the library, and the command or option that helps.

use std::fmt;
use std::io;
use std::path::Path;

use taquin_engine::names;

use super::process::{ExitCode, Failure};
use crate::board::{Goal, GoalError, Metric};
use crate::pdb::{OpenErrorKind, Pattern};
use crate::read::ReadError;
use crate::solver::{CheckpointError, Error, PacketError};
use crate::store::{PartError, PartErrorKind, Set, SetError, StoreError};
use crate::text::grouped;

/// An error of a board, a solver or a database: the message with the command or the option that helps, and the
/// kind of error as a word for programs.
#[derive(Debug)]
pub struct Trouble {
    message: String,
    pub kind: &'static str,
    /// The names of the goals that a board can reach, if it cannot reach the one that is asked for.
    pub reachable: Vec<&'static str>,
}

impl std::error::Error for Trouble {}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Trouble {
    /// The kind of an error, its message, and the hint, if it is not empty.
    fn new(kind: &'static str, error: impl fmt::Display, hint: impl Into<String>) -> Trouble {
        let hint = match hint.into() {
            none if none.is_empty() => none,
            hint => format!(": {hint}"),
        };
        Trouble { message: format!("{error}{hint}"), kind, reachable: Vec::new() }
    }

    /// An object has another goal than the command.
    pub fn other_goal(goal: &Goal) -> Trouble {
        let message = format!("this object is for the goal {}", goal.board());
        let hint = "give that goal with --goal, or --goal blank-last to overrule it";
        Trouble::new("input", message, hint)
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

impl<E> From<E> for Failure
where
    Trouble: From<E>,
{
    fn from(error: E) -> Failure {
        let trouble = Trouble::from(error);
        Failure { code: trouble.code(), error: trouble.into() }
    }
}

impl From<ReadError> for Trouble {
    fn from(error: ReadError) -> Trouble {
        let rest = match &error {
            ReadError::Several(2) => ", or a board and its goal with --goal-follows",
            ReadError::NotATile { text, .. } if text.chars().all(char::is_alphabetic) => {
                "; if its tiles have labels, give the goal with --goal"
            }
            _ => "",
        };
        Trouble::new("input", format_args!("{error}{rest}"), "")
    }
}

impl From<GoalError> for Trouble {
    fn from(error: GoalError) -> Trouble {
        Trouble::new("input", error, "")
    }
}

impl From<SetError> for Trouble {
    fn from(error: SetError) -> Trouble {
        let hint = match error {
            SetError::NoStandard(_) => "give one with --partition, as in 1,2,3/4,5,6",
            _ => "",
        };
        Trouble::new("usage", error, hint)
    }
}

impl From<PartError> for Trouble {
    fn from(error: PartError) -> Trouble {
        let hint = match &error.kind {
            PartErrorKind::Open(kind) => of_file(&error.path, kind),
            PartErrorKind::TooLarge(_) => {
                "allow more with --memory; with --quick it takes less".into()
            }
            PartErrorKind::Wrong(_) => command_for(&error.path, true)
                .map_or(String::new(), |command| format!("rebuild with {command}")),
            PartErrorKind::Write(reason) => match reason.kind() {
                io::ErrorKind::FileTooLarge => {
                    "raise the limit on file sizes, see ulimit -f".into()
                }
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "free some space".into()
                }
                _ => String::new(),
            },
            _ => String::new(),
        };
        Trouble::new("database", error, hint)
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        let (kind, hint) = match &error {
            Error::Unsolvable { reachable, .. } => {
                let message = format!("{error}{}", other_goals(reachable));
                let reachable = reachable.clone();
                return Trouble { message, kind: "unsolvable", reachable };
            }
            Error::Store(error) => ("database", of_store(error)),
            Error::Damaged(error) => ("database", of_file(&error.path, &error.kind)),
            Error::Broken { .. } => (
                "database",
                "check with `pdb-gen verify`, and rebuild with `pdb-gen build --force`".into(),
            ),
            Error::Wrong { origin: Some(_), .. } => {
                ("internal", "check with `pdb-gen verify`".into())
            }
            Error::Wrong { .. } => ("internal", String::new()),
            // The board may be sound.
            Error::Unavailable { .. } | Error::Heuristic(_) => ("usage", String::new()),
            Error::NotForSlides { .. } => {
                ("usage", "change --heuristic or --method, or leave --metric out".into())
            }
            Error::Without { option: "count", .. } => {
                ("usage", "leave --count and --all out".into())
            }
            Error::Without { option, .. } => ("usage", format!("leave --{option} out")),
            Error::Checkpoint(error) => {
                let hint = match error {
                    CheckpointError::Exists(_) => "continue with --resume, or remove the file",
                    CheckpointError::InUse(_) => "name another file",
                    CheckpointError::Damaged(_) => "remove it, and start again",
                    CheckpointError::Other(..) => "use another file, or remove this one",
                    _ => "",
                };
                ("usage", hint.into())
            }
            _ => ("input", String::new()),
        };
        Trouble::new(kind, error, hint)
    }
}

macro_rules! solver_errors {
    ($($error:ty),*) => {
        $(impl From<$error> for Trouble {
            fn from(error: $error) -> Trouble {
                Error::from(error).into()
            }
        })*
    };
}
solver_errors!(StoreError, CheckpointError, PacketError);

fn of_store(error: &StoreError) -> String {
    match error {
        StoreError::Missing { set, folder } => {
            format!("build them with `{}`", command(set, folder))
        }
        StoreError::Unusable(reason) => of_file(&reason.path, &reason.kind),
        StoreError::TooLarge(_) => {
            "use patterns of fewer tiles, or allow more with --memory".into()
        }
        _ => String::new(),
    }
}

/// The help for a file: as a rule the command that builds it anew, by force if another one is there.
fn of_file(path: &Path, kind: &OpenErrorKind) -> String {
    let (words, force) = match kind {
        OpenErrorKind::Missing => ("build it with ", false),
        OpenErrorKind::NotAFile => ("remove it, then build the file with ", false),
        OpenErrorKind::Read(_) => ("check its permissions, or rebuild with ", true),
        // Another file would not help.
        OpenErrorKind::Map(_) => {
            return "raise the limit on address space, or use a file system that supports mapping"
                .into();
        }
        OpenErrorKind::Memory { .. } => return "free some memory".into(),
        _ => ("rebuild with ", true),
    };
    match (command_for(path, force), kind) {
        (Some(command), _) => format!("{words}{command}"),
        (None, OpenErrorKind::Missing) => {
            let folder = quote(&path.display().to_string());
            format!("build the databases there with `pdb-gen build --out {folder}`")
        }
        (None, OpenErrorKind::Read(_)) => "check its permissions".into(),
        (None, _) => String::new(),
    }
}

/// The command that builds a set in a folder.
fn command(set: &Set, folder: &Path) -> String {
    let kind = match set.metric() {
        Metric::Multi => "metric",
        Metric::Single if set.is_catalogue() => "catalogue",
        Metric::Single => "partition",
    };
    let (grid, name, folder) = (set.grid(), set.name(), quote(&folder.display().to_string()));
    let blank = match set.goal_blank() {
        0 => String::new(),
        blank => format!(" --blank {blank}"),
    };
    format!("pdb-gen build --size {grid} --{kind} {name}{blank} --out {folder}")
}

/// The command that builds the file of a path, if it has the name of a database.
fn command_for(path: &Path, force: bool) -> Option<String> {
    let folder = path.parent().unwrap_or(Path::new("")).display().to_string();
    let folder = quote(if folder.is_empty() { "." } else { &folder });
    let force = if force { " --force" } else { "" };
    let (metric, pattern) = named(path.file_name()?.to_str()?)?;
    let (grid, blank) = (pattern.grid(), pattern.blank());
    let what = match metric {
        Metric::Single => {
            let tiles: Vec<String> = pattern.tiles().map(|tile| tile.to_string()).collect();
            format!("--partition {}", tiles.join(","))
        }
        // The others of the set are built again, too.
        Metric::Multi => format!("--metric {metric}"),
    };
    Some(format!("`pdb-gen build --size {grid} --blank {blank} {what}{force} --out {folder}`"))
}

/// The metric and the pattern that a file name stands for.
fn named(name: &str) -> Option<(Metric, Pattern)> {
    let mut parts = name.strip_suffix(".pdb")?.splitn(3, '-');
    let grid = parts.next()?.parse().ok()?;
    let blank = parts.next()?.parse().ok()?;
    let tiles = parts.next()?.split(['.', '-']).map_while(|tile| tile.parse().ok());
    let pattern = Pattern::new(grid, blank, tiles).ok()?;
    let metric = Metric::ALL.into_iter().find(|&metric| pattern.file_name(metric) == name)?;
    // A list of one tile would be taken for a name.
    (pattern.len() > 1).then_some((metric, pattern))
}

/// The end of the message that a board cannot reach its goal: the goals that it can reach.
pub fn other_goals(reachable: &[&str]) -> String {
    match reachable {
        [] => String::new(),
        [first, ..] => format!("; it can reach {}: --goal {first}", names::either(reachable)),
    }
}

/// The boards of a batch that cannot reach the goal.
#[derive(Debug, Default)]
pub struct Unreached {
    boards: u64,
    /// The number of them that can reach each goal of [`Goal::NAMES`].
    others: [u64; Goal::NAMES.len()],
}

impl Unreached {
    /// Counts a board that can reach other goals only.
    pub fn count(&mut self, reachable: &[&'static str]) {
        self.boards += 1;
        for (name, boards) in Goal::NAMES.iter().zip(&mut self.others) {
            *boards += u64::from(reachable.contains(name));
        }
    }

    /// The goal that fits better, if most boards of the batch cannot reach theirs.
    pub fn advice(&self, total: u64) -> Option<String> {
        let most = self.others.iter().copied().max().filter(|&most| most > 0)?;
        let goal = Goal::NAMES[self.others.iter().position(|&boards| boards == most)?];
        (total > 1 && self.boards * 2 > total).then(|| {
            let [boards, most, total] = [self.boards, most, total].map(grouped);
            format!(
                "{boards} of {total} boards cannot reach the goal, and {most} of them can reach {goal}: --goal {goal}"
            )
        })
    }
}

/// Quotes a word for a shell, on Windows for each of its two. No name of a file has a quote there.
pub fn quote(word: &str) -> String {
    let plain = if cfg!(windows) { r"_-./,:+=@%\" } else { "_-./,:+=@%" };
    if !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || plain.contains(c)) {
        word.to_owned()
    } else if cfg!(windows) {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Grid;

    #[test]
    fn a_batch_is_told_the_goal_of_most_boards() {
        let mut unreached = Unreached::default();
        unreached.count(&["blank-first", "spiral"]);
        assert_eq!(unreached.advice(1), None);
        assert_eq!(unreached.advice(2), None);
        unreached.count(&["spiral"]);
        assert_eq!(
            unreached.advice(3).unwrap(),
            "2 of 3 boards cannot reach the goal, and 2 of them can reach spiral: --goal spiral"
        );
        assert_eq!(other_goals(&["a", "b"]), "; it can reach a or b: --goal a");
        assert_eq!(other_goals(&[]), "");
    }

    #[test]
    fn commands_can_be_pasted() {
        let grid = |side| Grid::new(side, side).unwrap();
        let set = Set::standard(grid(4), 0).unwrap();
        assert_eq!(
            command(&set, Path::new("/a/b")),
            "pdb-gen build --size 4x4 --partition 7-8 --out /a/b"
        );
        let set = Set::standard(grid(4), 5).unwrap();
        let out = if cfg!(windows) { r#""my 'tables'""# } else { r"'my '\''tables'\'''" };
        assert_eq!(
            command(&set, Path::new("my 'tables'")),
            format!("pdb-gen build --size 4x4 --partition 7-8 --blank 5 --out {out}")
        );
        let set = Set::standard(grid(5), 0).unwrap();
        assert_eq!(
            command(&set, Path::new("x")),
            "pdb-gen build --size 5x5 --catalogue small --out x"
        );
        let out = if cfg!(windows) { r#""a b""# } else { "'a b'" };
        assert_eq!(
            command_for(Path::new("a b/4x3-11-0.1.2.pdb"), true).unwrap(),
            format!("`pdb-gen build --size 4x3 --blank 11 --partition 0,1,2 --force --out {out}`")
        );
        assert_eq!(
            command(&Set::slides(grid(4), 15).unwrap(), Path::new("x")),
            "pdb-gen build --size 4x4 --metric multi --out x"
        );
        assert_eq!(
            command_for(Path::new("x/4x3-11-0.1.2-multi.pdb"), false).unwrap(),
            "`pdb-gen build --size 4x3 --blank 11 --metric multi --out x`"
        );
        for name in ["x.pdb", "4x3-0-0.1.2.pdb", "4x3-0-2.1.pdb", "4x3-0-1.2", "4x3-0.pdb"] {
            assert_eq!(command_for(Path::new(name), false), None, "{name}");
        }
    }
}
