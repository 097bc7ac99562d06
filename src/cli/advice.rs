//! Errors for the user: the message of the library, and the command or option that helps.

use std::fmt;
use std::io;
use std::path::Path;

use super::exit::ExitCode;
use super::input::json::JsonError;
use super::input::lines::Fault;
use crate::board::{GoalError, ParseError};
use crate::pdb::OpenError;
use crate::solver::{CheckpointError, Error};
use crate::store::{PartError, Set, SetError, StoreError, TooLarge};

/// Why a board has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(transparent)]
    Board(#[from] ParseError),
    #[error(transparent)]
    Json(#[from] JsonError),
    #[error(transparent)]
    Goal(#[from] GoalError),
    // Not a source: the message says it all.
    #[error("{}", Advised(.0))]
    Solver(Error),
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
            "input" => ExitCode::Usage,
            "unsolvable" => ExitCode::Negative,
            _ => ExitCode::Database,
        }
    }

    /// The error as a word for programs.
    pub fn kind(&self) -> &'static str {
        let Trouble::Solver(error) = self else { return "input" };
        match error {
            Error::Unsolvable(_) => "unsolvable",
            Error::Store(_) | Error::Damaged(_) | Error::Broken { .. } => "database",
            Error::Engine(_) | Error::Wrong { .. } => "internal",
            _ => "input",
        }
    }
}

/// An error with its advice.
pub struct Advised<'a, E>(pub &'a E);

impl fmt::Display for Advised<'_, Error> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Error::Store(error) => Advised(&**error).fmt(f),
            Error::Damaged(error) => Advised(&**error).fmt(f),
            Error::Checkpoint(error) => Advised(&**error).fmt(f),
            Error::Broken { .. } => {
                write!(f, "{}: check with `pdb-gen verify`, and {REBUILD}", self.0)
            }
            Error::Wrong { .. } => write!(f, "{}: check with `pdb-gen verify`", self.0),
            error => error.fmt(f),
        }
    }
}

impl fmt::Display for Advised<'_, StoreError> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            StoreError::Missing { set, folder } => {
                write!(f, "{}: build them with `{}`", self.0, command(set, folder, false))
            }
            StoreError::Unusable { set, folder, reason } => {
                Advised(&**reason).fmt(f)?;
                match **reason {
                    // Another file would not help.
                    OpenError::Map { .. } | OpenError::Memory { .. } => Ok(()),
                    // The command does not replace what is not a file.
                    OpenError::NotAFile { .. } => {
                        write!(f, "; in full: `{}`", command(set, folder, false))
                    }
                    _ => write!(f, "; in full: `{}`", command(set, folder, true)),
                }
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
        match self.0 {
            PartError::Open(error) => return Advised(error).fmt(f),
            error => error.fmt(f)?,
        }
        match self.0 {
            PartError::TooLarge { .. } => f.write_str(": use --quick, or allow more with --memory"),
            PartError::Wrong { .. } => write!(f, ": {REBUILD}"),
            PartError::Write { reason, .. } => match reason.kind() {
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

const REBUILD: &str = "rebuild with `pdb-gen build --force`";

impl fmt::Display for Advised<'_, OpenError> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.0)?;
        match self.0 {
            OpenError::Missing { .. } => f.write_str("build it with `pdb-gen build`"),
            OpenError::NotAFile { .. } => {
                f.write_str("remove it, then build the file with `pdb-gen build`")
            }
            OpenError::Read { .. } => write!(f, "check its permissions, or {REBUILD}"),
            OpenError::Map { .. } => f.write_str(
                "raise the limit on address space, or use a file system that supports mapping",
            ),
            OpenError::Memory { .. } => f.write_str("free some memory"),
            _ => f.write_str(REBUILD),
        }
    }
}

impl fmt::Display for Advised<'_, CheckpointError> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        match self.0 {
            CheckpointError::Exists(_) => {
                f.write_str(": continue with --resume, or remove the file")
            }
            CheckpointError::Damaged(_) => f.write_str(": remove it, and start again"),
            CheckpointError::Other { .. } => f.write_str(": use another file, or remove this one"),
            _ => Ok(()),
        }
    }
}

/// The command that builds a set in a folder.
fn command(set: &Set, folder: &Path, force: bool) -> String {
    let kind = if set.is_catalogue() { "catalogue" } else { "partition" };
    let mut command = format!("pdb-gen build --size {} --{kind} {}", set.grid(), set.name());
    if set.goal_blank() != 0 {
        command += &format!(" --blank {}", set.goal_blank());
    }
    if force {
        command += " --force";
    }
    command + " --out " + &quote(&folder.display().to_string())
}

/// Quotes a word for a shell.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./,:+=@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Grid;

    #[test]
    fn commands_can_be_pasted() {
        let grid = |side| Grid::new(side, side).unwrap();
        let set = Set::standard(grid(4), 0).unwrap();
        assert_eq!(
            command(&set, Path::new("/a/b"), false),
            "pdb-gen build --size 4x4 --partition 7-8 --out /a/b"
        );
        let set = Set::standard(grid(4), 5).unwrap();
        assert_eq!(
            command(&set, Path::new("my 'tables'"), true),
            r"pdb-gen build --size 4x4 --partition 7-8 --blank 5 --force --out 'my '\''tables'\'''"
        );
        let set = Set::standard(grid(5), 0).unwrap();
        assert_eq!(
            command(&set, Path::new("x"), false),
            "pdb-gen build --size 5x5 --catalogue small --out x"
        );
    }
}
