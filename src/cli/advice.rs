//! Errors for the user: the message of the library, and the command or option that helps.

use std::fmt::Display;
use std::io;
use std::path::Path;

use anyhow::Context;
use taquin_engine::names;

use super::process::{ExitCode, say};
use crate::board::{Goal, Metric};
use crate::lab;
use crate::pdb::{OpenErrorKind, Pattern};
use crate::read::ReadError;
use crate::solver::{CheckpointError, Error};
use crate::store::{PartError, PartErrorKind, Set, SetError, StoreError};
use crate::text::grouped;

/// An error for the user: the message with the command or the option that helps, and the kind of error as a
/// word for programs.
#[derive(Debug)]
pub struct Advice<'a> {
    pub message: String,
    pub kind: &'static str,
    /// The names of the goals that a board can reach, if it cannot reach the one that is asked for.
    pub reachable: Option<&'a [&'static str]>,
}

impl<'a> Advice<'a> {
    /// The advice on an error, from the error of the library that it is, or stands for.
    pub fn on(error: &'a anyhow::Error) -> Advice<'a> {
        let found = error.downcast_ref().map(of_solver);
        let found = found.or_else(|| error.downcast_ref().map(of_lab));
        let found = found.or_else(|| error.downcast_ref().map(of_part));
        let found = found.or_else(|| error.downcast_ref().map(of_set));
        let found = found.or_else(|| error.downcast_ref().map(of_text));
        let (kind, hint) = found.unwrap_or_else(|| ("input", String::new()));
        // Some go on with the sentence of the error.
        let goes_on = hint.is_empty() || hint.starts_with([',', ';']);
        let message = format!("{error:#}{}{hint}", if goes_on { "" } else { ": " });
        let reachable = match error.downcast_ref() {
            Some(Error::Unsolvable { reachable, .. }) => Some(&**reachable),
            _ => None,
        };
        Advice { message, kind, reachable }
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

/// The kind of an error, and the hint, which may be empty.
type Help = (&'static str, String);

fn of_text(error: &ReadError) -> Help {
    let hint = match error {
        ReadError::Several(2) => ", or a board and its goal with --goal-follows",
        ReadError::NotATile { text, .. } if text.chars().all(char::is_alphabetic) => {
            "; if its tiles have labels, give the goal with --goal"
        }
        _ => "",
    };
    ("input", hint.into())
}

fn of_set(error: &SetError) -> Help {
    let hint = match error {
        SetError::NoStandard(_) => "give one with --partition, as in 1,2,3/4,5,6",
        _ => "",
    };
    ("usage", hint.into())
}

fn of_part(error: &PartError) -> Help {
    let hint = match &error.kind {
        PartErrorKind::Open(kind) => of_file(&error.path, kind),
        PartErrorKind::TooLarge(_) => "allow more with --memory; with --quick it takes less".into(),
        PartErrorKind::Wrong(_) => command_for(&error.path, true)
            .map_or(String::new(), |command| format!("rebuild with {command}")),
        PartErrorKind::Write(reason) => match reason.kind() {
            io::ErrorKind::FileTooLarge => "raise the limit on file sizes, see ulimit -f".into(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space".into(),
            _ => String::new(),
        },
        _ => String::new(),
    };
    ("database", hint)
}

fn of_lab(error: &lab::Error) -> Help {
    match error {
        lab::Error::Solver(error) => of_solver(error),
        lab::Error::NoStandard => ("input", "give --heuristics manhattan".into()),
        lab::Error::Contradiction(_) => {
            ("database", "the databases may be damaged: check with `pdb-gen verify`".into())
        }
        _ => ("input", String::new()),
    }
}

fn of_solver(error: &Error) -> Help {
    match error {
        Error::Unsolvable { reachable, .. } => ("unsolvable", other_goals(reachable)),
        Error::Store(error) => ("database", of_store(error)),
        Error::Damaged(error) => ("database", of_file(&error.path, &error.kind)),
        Error::Broken { .. } => (
            "database",
            "check with `pdb-gen verify`, and rebuild with `pdb-gen build --force`".into(),
        ),
        Error::Wrong { origin: Some(_), .. } => ("internal", "check with `pdb-gen verify`".into()),
        Error::Wrong { .. } => ("internal", String::new()),
        // The board may be sound.
        Error::Unavailable { .. } | Error::Heuristic(_) => ("usage", String::new()),
        Error::NotForSlides { .. } => {
            ("usage", "change --heuristic or --method, or leave --metric out".into())
        }
        Error::Without { option: "count", .. } => ("usage", "leave --count and --all out".into()),
        Error::Without { option, .. } => ("usage", format!("leave --{option} out")),
        Error::Checkpoint(error) => {
            let hint = match error {
                CheckpointError::Exists(_) => "continue with --resume, or remove the file",
                CheckpointError::InUse(_) => "name another file",
                CheckpointError::Damaged(_) => "remove it, and start again",
                CheckpointError::Other { .. } => "use another file, or remove this one",
                _ => "",
            };
            ("usage", hint.into())
        }
        _ => ("input", String::new()),
    }
}

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

/// The boards of a batch: their worst exit code, and the goals that those can reach that cannot reach theirs.
#[derive(Debug, Default)]
pub struct Tally {
    pub boards: u64,
    unreached: u64,
    /// The number of them that can reach each goal of [`Goal::NAMES`].
    others: [u64; Goal::NAMES.len()],
    worst: Option<ExitCode>,
}

impl Tally {
    /// Counts a board with its exit code, and the other goals that it can reach if it cannot reach its own.
    pub fn count(&mut self, code: ExitCode, reachable: Option<&[&'static str]>) {
        self.boards += 1;
        self.worst = self.worst.max(Some(code));
        self.unreached += u64::from(reachable.is_some());
        for (name, boards) in Goal::NAMES.iter().zip(&mut self.others) {
            *boards += u64::from(reachable.is_some_and(|names| names.contains(name)));
        }
    }

    /// The goal that fits better, if most boards of the batch cannot reach theirs.
    fn advice(&self) -> Option<String> {
        let most = self.others.into_iter().max().filter(|&most| most > 0)?;
        let goal = Goal::NAMES[self.others.iter().position(|&boards| boards == most)?];
        (self.boards > 1 && self.unreached * 2 > self.boards).then(|| {
            let [boards, most, total] = [self.unreached, most, self.boards].map(grouped);
            format!(
                "{boards} of {total} boards cannot reach the goal, and {most} of them can reach {goal}: --goal {goal}"
            )
        })
    }

    /// Says the advice, if there is one, and gives the worst exit code.
    ///
    /// # Errors
    /// There was no board.
    pub fn end(&self) -> anyhow::Result<ExitCode> {
        if let Some(advice) = self.advice() {
            say!("{advice}");
        }
        self.worst.context("there is no board in the input")
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
        let mut tally = Tally::default();
        assert!(tally.end().is_err());
        tally.count(ExitCode::Negative, Some(&["blank-first", "spiral"]));
        assert_eq!(tally.advice(), None);
        tally.count(ExitCode::Fine, None);
        assert_eq!(tally.advice(), None);
        tally.count(ExitCode::Negative, Some(&["spiral"]));
        assert_eq!(tally.end().unwrap(), ExitCode::Negative);
        assert_eq!(
            tally.advice().unwrap(),
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
