//! Numbers of threads, paths, names, metrics, and conventions.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command};
use taquin_engine::names;

use crate::board::{Convention, Metric};
use crate::solver::MAX_THREADS;

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
        assert!(seed("-1").is_err() && seed("a").is_err() && seed("7") == Ok(7));
        assert_eq!((threads("1"), threads("1024")), (Ok(1), Ok(1024)));
    }
}
