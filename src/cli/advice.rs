//! Errors for the user: the message of the library, and the command or option that helps.

use std::fmt;
use std::io;
use std::path::Path;

use taquin_engine::names;

use super::exit::{ExitCode, Failure};
use crate::board::{Goal, GoalError, Metric};
use crate::pdb::{OpenError, OpenErrorKind, Pattern};
use crate::read::ReadError;
use crate::solver::{CheckpointError, Error, NotForOpenGoals};
use crate::store::{PartError, PartErrorKind, Set, SetError, StoreError, TooLarge};
use crate::text::grouped;

/// Why a board has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    // Not a source: the message says it all.
    #[error("{}", Advised(.0))]
    Read(ReadError),
    #[error(transparent)]
    Goal(#[from] GoalError),
    #[error("this object is for the goal {}: give that goal with --goal, or --goal blank-last to overrule it", .0.board())]
    OtherGoal(Goal),
    #[error("{}", Advised(.0))]
    Solver(Error),
}

impl From<ReadError> for Trouble {
    fn from(error: ReadError) -> Trouble {
        Trouble::Read(error)
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Solver(error)
    }
}

impl Trouble {
    /// The code to exit with.
    pub fn code(&self) -> ExitCode {
        match self.kind() {
            "input" | "usage" => ExitCode::Usage,
            "unsolvable" => ExitCode::Negative,
            _ => ExitCode::Database,
        }
    }

    /// The names of the goals that a board can reach, if it cannot reach the one that is asked for.
    pub fn reachable(&self) -> &[&'static str] {
        match self {
            Trouble::Solver(Error::Unsolvable { reachable, .. }) => reachable,
            _ => &[],
        }
    }

    /// The error as a word for programs.
    pub fn kind(&self) -> &'static str {
        let Trouble::Solver(error) = self else { return "input" };
        match error {
            Error::Unsolvable { .. } => "unsolvable",
            Error::Store(_) | Error::Damaged(_) | Error::Broken { .. } => "database",
            Error::Engine(_) | Error::SlideEngine(_) | Error::Wrong { .. } => "internal",
            // The board may be sound.
            Error::Unavailable { .. }
            | Error::NotForSlides { .. }
            | Error::Metric(_)
            | Error::Open(_)
            | Error::Heuristic(_)
            | Error::Checkpoint(_) => "usage",
            _ => "input",
        }
    }
}

/// The failure of a program with an error of a solver.
pub fn failure(error: impl Into<Error>) -> Failure {
    let trouble = Trouble::from(error.into());
    Failure { code: trouble.code(), error: trouble.into() }
}

/// An error with its advice.
pub struct Advised<'a, E>(pub &'a E);

impl fmt::Display for Advised<'_, ReadError> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        match self.0 {
            ReadError::NotATile { text, .. } if text.chars().all(char::is_alphabetic) => {
                f.write_str("; if its tiles have labels, give the goal with --goal")
            }
            ReadError::Several(2) => f.write_str(", or a board and its goal with --goal-follows"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Advised<'_, Error> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Error::Store(error) => Advised(&**error).fmt(f),
            Error::Damaged(error) => Advised(&**error).fmt(f),
            Error::Checkpoint(error) => Advised(&**error).fmt(f),
            Error::Broken { .. } => {
                write!(
                    f,
                    "{}: check with `pdb-gen verify`, and rebuild with `pdb-gen build --force`",
                    self.0
                )
            }
            Error::Wrong { origin: Some(_), .. } => {
                write!(f, "{}: check with `pdb-gen verify`", self.0)
            }
            Error::NotForSlides { .. } => {
                write!(f, "{}: change --heuristic or --method, or leave --metric out", self.0)
            }
            Error::Unsolvable { reachable, .. } => {
                write!(f, "{}{}", self.0, other_goals(reachable))
            }
            Error::Metric(_) => write!(f, "{}: leave --metric out", self.0),
            Error::Open(what) => {
                let option = match what {
                    NotForOpenGoals::Metric => "--metric",
                    NotForOpenGoals::Heuristic => "--heuristic",
                    NotForOpenGoals::Count => "--count and --all",
                    _ => "--method",
                };
                write!(f, "{}: leave {option} out", self.0)
            }
            error => error.fmt(f),
        }
    }
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
    /// Counts a board that can reach these goals only.
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

impl fmt::Display for Advised<'_, StoreError> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            StoreError::Missing { set, folder } => {
                write!(f, "{}: build them with `{}`", self.0, command(set, folder, false))
            }
            StoreError::Unusable { set, folder, reason } => {
                let OpenError { path, kind } = &**reason;
                advise(path, kind, &|force| Some(command(set, folder, force)), f)
            }
            StoreError::TooLarge(error) => Advised(error).fmt(f),
            error => error.fmt(f),
        }
    }
}

impl fmt::Display for Advised<'_, TooLarge> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: use patterns of fewer tiles, or allow more with --memory", self.0)
    }
}

impl fmt::Display for Advised<'_, SetError> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        match self.0 {
            SetError::NoStandard(_) => {
                f.write_str(": give one with --partition, as in 1,2,3/4,5,6")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Advised<'_, PartError> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PartError { path, kind } = self.0;
        if let PartErrorKind::Open(kind) = kind {
            return advise(path, kind, &|force| command_for(path, force), f);
        }
        self.0.fmt(f)?;
        match kind {
            PartErrorKind::TooLarge(_) => {
                f.write_str(": allow more with --memory; with --quick it takes less")
            }
            PartErrorKind::Wrong(_) => match command_for(path, true) {
                Some(command) => write!(f, ": rebuild with `{command}`"),
                None => Ok(()),
            },
            PartErrorKind::Write(reason) => match reason.kind() {
                io::ErrorKind::FileTooLarge => {
                    f.write_str(": raise the limit on file sizes, see ulimit -f")
                }
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    f.write_str(": free some space")
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Advised<'_, OpenError> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OpenError { path, kind } = self.0;
        advise(path, kind, &|force| command_for(path, force), f)
    }
}

/// Writes an error of a file, and what helps. `command` builds the file anew, by force if another
/// one is there.
fn advise(
    path: &Path,
    kind: &OpenErrorKind,
    command: &dyn Fn(bool) -> Option<String>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let command = |force| command(force).map(|command| format!("`{command}`"));
    let advice = match kind {
        OpenErrorKind::Missing => Some(match command(false) {
            Some(command) => format!("build it with {command}"),
            None => {
                let folder = quote(&path.display().to_string());
                format!("build the databases there with `pdb-gen build --out {folder}`")
            }
        }),
        OpenErrorKind::NotAFile => {
            command(false).map(|command| format!("remove it, then build the file with {command}"))
        }
        OpenErrorKind::Read(_) => Some(match command(true) {
            Some(command) => format!("check its permissions, or rebuild with {command}"),
            None => "check its permissions".to_owned(),
        }),
        // Another file would not help.
        OpenErrorKind::Map(_) => Some(
            "raise the limit on address space, or use a file system that supports mapping"
                .to_owned(),
        ),
        OpenErrorKind::Memory { .. } => Some("free some memory".to_owned()),
        _ => command(true).map(|command| format!("rebuild with {command}")),
    };
    match advice {
        Some(advice) => write!(f, "{}: {kind}: {advice}", path.display()),
        None => write!(f, "{}: {kind}", path.display()),
    }
}

impl fmt::Display for Advised<'_, CheckpointError> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        match self.0 {
            CheckpointError::Exists(_) => {
                f.write_str(": continue with --resume, or remove the file")
            }
            CheckpointError::InUse(_) => f.write_str(": name another file"),
            CheckpointError::Damaged(_) => f.write_str(": remove it, and start again"),
            CheckpointError::Other { .. } => f.write_str(": use another file, or remove this one"),
            _ => Ok(()),
        }
    }
}

/// The command that builds a set in a folder.
fn command(set: &Set, folder: &Path, force: bool) -> String {
    let kind = match set.metric() {
        Metric::Multi => "metric",
        Metric::Single if set.is_catalogue() => "catalogue",
        Metric::Single => "partition",
    };
    let mut command = format!("pdb-gen build --size {} --{kind} {}", set.grid(), set.name());
    if set.goal_blank() != 0 {
        command += &format!(" --blank {}", set.goal_blank());
    }
    if force {
        command += " --force";
    }
    command + " --out " + &quote(&folder.display().to_string())
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
    Some(format!("pdb-gen build --size {grid} --blank {blank} {what}{force} --out {folder}"))
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
            command(&set, Path::new("/a/b"), false),
            "pdb-gen build --size 4x4 --partition 7-8 --out /a/b"
        );
        let set = Set::standard(grid(4), 5).unwrap();
        let out = if cfg!(windows) { r#""my 'tables'""# } else { r"'my '\''tables'\'''" };
        assert_eq!(
            command(&set, Path::new("my 'tables'"), true),
            format!("pdb-gen build --size 4x4 --partition 7-8 --blank 5 --force --out {out}")
        );
        let set = Set::standard(grid(5), 0).unwrap();
        assert_eq!(
            command(&set, Path::new("x"), false),
            "pdb-gen build --size 5x5 --catalogue small --out x"
        );
        let out = if cfg!(windows) { r#""a b""# } else { "'a b'" };
        assert_eq!(
            command_for(Path::new("a b/4x3-11-0.1.2.pdb"), true).unwrap(),
            format!("pdb-gen build --size 4x3 --blank 11 --partition 0,1,2 --force --out {out}")
        );
        assert_eq!(
            command(&Set::slides(grid(4), 15).unwrap(), Path::new("x"), false),
            "pdb-gen build --size 4x4 --metric multi --out x"
        );
        assert_eq!(
            command_for(Path::new("x/4x3-11-0.1.2-multi.pdb"), false).unwrap(),
            "pdb-gen build --size 4x3 --blank 11 --metric multi --out x"
        );
        for name in ["x.pdb", "4x3-0-0.1.2.pdb", "4x3-0-2.1.pdb", "4x3-0-1.2", "4x3-0.pdb"] {
            assert_eq!(command_for(Path::new(name), false), None, "{name}");
        }
    }
}
