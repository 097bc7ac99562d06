//! Values of arguments: numbers with units, paths, goals, and names.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::ensure;
use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::board::{GoalError, OpenError};
use crate::cli::process::unnumbered;
use crate::read;
use crate::solver::GoalSpec;
use crate::text::grouped;

/// A number times its unit, if it is not negative.
fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    // The longest beginning that is a number, with its exponent.
    let mut ends = (0..=text.len()).rev().filter(|&end| text.is_char_boundary(end));
    let split = |end| Some((text[..end].parse::<f64>().ok()?, text[end..].trim()));
    let (number, unit) = ends.find_map(split)?;
    let (_, factor) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    let value = number * factor;
    (value >= 0.0 && value.is_finite()).then_some(value)
}

/// The forms of a number, for one that cannot be read. A comma may stand for a point, or separate thousands.
fn forms(text: &str, forms: &str) -> String {
    match text.contains(',') {
        true => format!("a number cannot contain a comma: {forms}"),
        false => forms.to_owned(),
    }
}

/// Parses a duration, as in `10`, `0.5`, `200ms`, `2m` or `1h`.
///
/// # Errors
/// The forms that there are.
pub fn time(text: &str) -> Result<Duration, String> {
    let units = [("", 1.0), ("s", 1.0), ("ms", 1e-3), ("m", 60.0), ("min", 60.0), ("h", 3600.0)];
    scaled(text, &units)
        // A time that is too long becomes the longest one.
        .map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
        .ok_or_else(|| forms(text, "write seconds, as in 10 or 0.5, or with a unit: ms, s, m or h"))
}

/// Parses a count, as in `500000`, `2e6`, `10k` or `10M`.
///
/// # Errors
/// The forms that there are.
pub fn count(text: &str) -> Result<u64, String> {
    if let Ok(count) = text.trim().parse() {
        return Ok(count);
    }
    let units = [("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)];
    // A number that is too large becomes the largest one.
    scaled(text, &units)
        .filter(|count| count.fract() == 0.0)
        .map(|count| count as u64)
        .ok_or_else(|| forms(text, "write a whole number, as in 500000, 2e6, 10k, 10M or 2G"))
}

/// A parser of a number of things, within bounds.
pub fn count_in(
    bounds: RangeInclusive<u64>,
    things: &'static str,
) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        let [least, most] = [*bounds.start(), *bounds.end()].map(grouped);
        let count = Some(count(text)?).filter(|count| bounds.contains(count));
        count.ok_or_else(|| format!("the number of {things} must be {least} to {most}"))
    }
}

/// Parses a number of moves. No board is so far from its goal as the largest number.
pub fn length(text: &str) -> Result<u32, String> {
    let length = count(text).map_err(|_| forms(text, "write a whole number of moves, as in 8"))?;
    Ok(u32::try_from(length).unwrap_or(u32::MAX))
}

/// Parses a distance, or a range of distances with both ends.
///
/// # Errors
/// The forms that there are.
pub fn span(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let ends = first.trim().parse().ok().zip(last.trim_start_matches('=').trim().parse().ok());
    ends.filter(|(first, last)| first <= last)
        .map(|(first, last)| first..=last)
        .ok_or_else(|| "write a number of moves, as in 30, or a range with the smaller number first, as in 20..40".to_owned())
}

/// Parses a number of bytes. `K`, `M` and so on are powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let bare = text.trim().strip_suffix(['b', 'B']).unwrap_or(text);
    let bare = bare.strip_suffix('i').unwrap_or(bare);
    let power = |n| f64::from(1024).powi(n);
    let units = [("", 1.0), ("K", power(1)), ("M", power(2)), ("G", power(3)), ("T", power(4))];
    scaled(bare, &units)
        .filter(|&bytes| bytes < u64::MAX as f64)
        .map(|bytes| bytes as u64)
        .ok_or_else(|| forms(text, "write a number of bytes below 2^64, as in 500M or 2G"))
}

/// A whole number, such as a seed or the number of a cell.
pub fn number<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{text:?} is not a whole number, or is too large"))
}

/// A path that is not empty: an empty one would stand for the current folder.
pub fn path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|text: OsString| {
        if text.is_empty() { Err("a path cannot be empty") } else { Ok(PathBuf::from(text)) }
    })
}

/// The text of a file or a stream, which has at most so many bytes.
pub fn read_text(source: impl Read, most: u64) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= most, "it is longer than {} KiB", most >> 10);
    Ok(read::text(bytes)?)
}

/// The longest file of a goal.
const MAX_GOAL: u64 = 64 << 10;

/// A goal, and the file that it was read from.
#[derive(Clone, Debug)]
pub struct GoalArg {
    text: String,
    /// Another option may name the blank that it lacks.
    spec: Result<GoalSpec, GoalError>,
    pub file: Option<PathBuf>,
}

impl GoalArg {
    /// The goal, whose blank has this text if one is given.
    pub fn spec(&self, blank: Option<&str>) -> Result<GoalSpec, GoalError> {
        blank.map_or_else(|| self.spec.clone(), |_| GoalSpec::read(&self.text, blank))
    }
}

impl From<GoalSpec> for GoalArg {
    fn from(spec: GoalSpec) -> GoalArg {
        GoalArg { text: spec.to_string(), spec: Ok(spec), file: None }
    }
}

/// A goal, or `@` and the file that has it.
pub fn goal(text: &str) -> Result<GoalArg, String> {
    let Some(path) = text.strip_prefix('@') else {
        return match of_text(text.to_owned(), None) {
            Ok(goal) if goal.spec.is_ok() => Ok(goal),
            _ if Path::new(text).is_file() => Err(format!("{text} is a file: write @{text}")),
            goal => goal.map_err(|error| error.to_string()),
        };
    };
    let goal =
        File::open(path).map_err(anyhow::Error::from).and_then(|file| read_text(file, MAX_GOAL));
    let goal = goal.map_err(|error| unnumbered(&format!("cannot read {path}: {error:#}")))?;
    // A comment is not a part of the goal.
    let lines = goal.lines().map(|line| line.split_once('#').map_or(line, |(before, _)| before));
    let goal = lines.collect::<Vec<_>>().join("\n");
    let goal = read::text_of(&goal).map_err(|error| format!("{path}: {error}"))?;
    of_text(goal, Some(path.into())).map_err(|error| format!("{path}: {error}"))
}

fn of_text(text: String, file: Option<PathBuf>) -> Result<GoalArg, GoalError> {
    match text.parse::<GoalSpec>() {
        Err(error) if !matches!(error, GoalError::Open(OpenError::GoalBlanks(_))) => Err(error),
        spec => Ok(GoalArg { text, spec, file }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts, each with the number that it stands for.
    fn pairs(list: &str) -> impl Iterator<Item = (&str, &str)> {
        list.split(", ").map(|pair| pair.split_once(" = ").unwrap())
    }

    #[test]
    fn times_have_units() {
        let milliseconds = |text| time(text).ok().map(|time| time.as_millis());
        let known = "10 = 10000, 0.5 = 500, .5s = 500, 200ms = 200, 2 m = 120000, 2min = 120000, 1H = 3600000, \
            1e1 = 10000, 0 = 0";
        for (text, expected) in pairs(known) {
            assert_eq!(milliseconds(text), expected.parse().ok(), "{text}");
        }
        assert_eq!(milliseconds("1e30"), Some(Duration::MAX.as_millis()));
        let comma = time("0,5").unwrap_err();
        assert!(comma.starts_with("a number cannot contain a comma: write seconds"), "{comma}");
        for text in ["", "s", "-1", "-0.5s", "ten", "1d", "nan", "inf", "1e400", "1.2.3"] {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }

    #[test]
    fn counts_have_factors() {
        let known = "0 = 0, 500000 = 500000, 2e6 = 2000000, 10M = 10000000, 1.5k = 1500, \
            18446744073709551615 = 18446744073709551615, 1e30 = 18446744073709551615";
        for (text, expected) in pairs(known) {
            assert_eq!(count(text), Ok(expected.parse().unwrap()), "{text}");
        }
        for text in ["", "-1", "1.5", "1e-3", "0.0001k", "M", "1x", "1 000", "0x10"] {
            assert!(count(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_in_bytes() {
        let known = "0 = 0, 1000 = 1000, 1k = 1024, 500M = 524288000, 1.5G = 1610612736, 2GB = 2147483648, \
            2GiB = 2147483648, 1TiB = 1099511627776";
        for (text, expected) in pairs(known) {
            assert_eq!(size(text), Ok(expected.parse().unwrap()), "{text}");
        }
        for text in ["", "-1", "G", "1X", "1Gi B", "1e30", "17592186044416M"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn counts_have_bounds() {
        let parse = count_in(1..=1024, "threads");
        for text in ["0", "1025", "-1", "", "two", "99999999999999999999999"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!((parse("1"), parse("1k")), (Ok(1), Ok(1000)));
    }

    #[test]
    fn distances_have_both_ends() {
        for (text, known) in
            [("30", 30..=30), ("20..40", 20..=40), ("20..=40", 20..=40), (" 0 .. 1", 0..=1)]
        {
            assert_eq!(span(text), Ok(known), "{text}");
        }
        for text in ["", "..", "20..", "..40", "40..20", "-1", "1..2..3", "20-40", "1e1"] {
            assert!(span(text).is_err(), "{text}");
        }
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
            let read = self::goal(&format!("@{}", path.display())).unwrap();
            assert_eq!(read.spec(None).unwrap().to_string(), goal);
        }
        let bare = self::goal(&path.display().to_string()).unwrap_err();
        assert!(bare.contains("is a file: write @"), "{bare}");
        assert!(self::goal("@no such file").unwrap_err().starts_with("cannot read no such file: "));
        assert!(self::goal("sprial").unwrap_err().contains("did you mean spiral"));
        std::fs::write(&path, "1 2 3 / 4").unwrap();
        assert!(self::goal(&format!("@{}", path.display())).unwrap_err().contains("row 2"));
    }
}
