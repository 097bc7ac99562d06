//! Numbers of threads, paths, names, metrics, and conventions.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command};
use taquin_engine::names;

use crate::board::{Convention, GoalError, Metric};
use crate::read;
use crate::solver::{GoalSpec, MAX_THREADS};

/// `--threads`.
#[derive(Debug, Args)]
pub struct Threads {
    /// Number of threads [default: one per core]
    #[arg(id = "threads", short = 't', long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    pub count: Option<usize>,
}

/// A number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=MAX_THREADS) => Ok(threads),
        _ => Err(format!("the number of threads must be 1 to {MAX_THREADS}")),
    }
}

/// A whole number.
pub fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("{text:?} is not a whole number"))
}

/// A seed of random boards.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}

/// A path that is not empty: an empty one would stand for the current folder.
pub fn path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|text: OsString| {
        if text.is_empty() { Err("a path cannot be empty") } else { Ok(PathBuf::from(text)) }
    })
}

/// The longest file of a goal.
const MAX_GOAL: u64 = 64 << 10;

/// A goal, and the file that it was read from.
#[derive(Clone, Debug)]
pub struct GoalArg {
    pub spec: GoalSpec,
    pub file: Option<PathBuf>,
}

/// A goal, or `@` and the file that has it.
pub fn goal(text: &str) -> Result<GoalArg, String> {
    let Some(path) = text.strip_prefix('@') else {
        let spec = text.parse().map_err(|error: GoalError| match Path::new(text).is_file() {
            true => format!("{text} is a file: write @{text}"),
            false => error.to_string(),
        })?;
        return Ok(GoalArg { spec, file: None });
    };
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_GOAL + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("{path}: {error}"))?;
    if bytes.len() as u64 > MAX_GOAL {
        return Err(format!("{path}: the file is longer than {} KiB", MAX_GOAL >> 10));
    }
    let goal = read::text(bytes).map_err(|error| format!("{path}: {error}"))?;
    let goal = read::text_of(&goal).map_err(|error| format!("{path}: {error}"))?;
    let spec = goal.parse().map_err(|error: GoalError| format!("{path}: {error}"))?;
    Ok(GoalArg { spec, file: Some(path.into()) })
}

/// A name, or a beginning of it that no other name has. The help lists the names.
#[derive(Clone)]
pub struct Names(pub Vec<PossibleValue>);

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let known: Vec<&str> = self.0.iter().map(PossibleValue::get_name).collect();
        let name = value.to_str().and_then(|text| names::find(text, &known));
        let value = name.map_or(value, OsStr::new);
        PossibleValuesParser::new(self.0.clone()).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().cloned()))
    }
}

/// A metric by its name.
pub fn metric() -> impl TypedValueParser<Value = Metric> {
    let names = PossibleValuesParser::new(Metric::ALL.map(Metric::name));
    names.map(|name| name.parse().expect("these are the names"))
}

/// A convention by its name.
pub fn convention() -> impl TypedValueParser<Value = Convention> {
    let tile = PossibleValue::new("tile").help("The tile that moves into the blank");
    let blank = PossibleValue::new("blank").help("The blank, which goes the opposite way");
    let names = PossibleValuesParser::new([tile, blank]);
    names.map(|name| name.parse().expect("these are the names"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_bounded() {
        for text in ["0", "1025", "-1", "", "two", "99999999999999999999999"] {
            assert!(threads(text).is_err(), "{text}");
        }
        assert_eq!((threads("1"), threads("1024")), (Ok(1), Ok(1024)));
        assert!(seed("-1").is_err() && seed("a").is_err() && seed("7") == Ok(7));
    }

    #[test]
    fn goals_come_from_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("goal.txt");
        for (text, goal) in [
            ("# the goal\n3\n0 1 2\n3 4 5\n6 7 8\n", "0 1 2 / 3 4 5 / 6 7 8"),
            ("spiral\n", "spiral"),
            ("A A B # top\nB _ *\n", "A A B / B _ *"),
            ("{\"board\":[[0,1],[2,3]]}", "0 1 / 2 3"),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(self::goal(&format!("@{}", path.display())).unwrap().spec.to_string(), goal);
        }
        let bare = self::goal(&path.display().to_string()).unwrap_err();
        assert!(bare.contains("is a file: write @"), "{bare}");
        assert!(self::goal("@no such file").unwrap_err().starts_with("no such file: "));
        assert!(self::goal("sprial").unwrap_err().contains("did you mean spiral"));
        std::fs::write(&path, "1 2 3 / 4 5").unwrap();
        assert!(self::goal(&format!("@{}", path.display())).unwrap_err().contains("row 2"));
    }
}
