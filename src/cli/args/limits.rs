//! `--time-limit`, `--node-limit` and `--memory`.

use std::time::Duration;

use clap::Args;

use crate::solver::Limits;
use crate::text::grouped;

/// The limits of the search of a board.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct LimitArgs {
    /// Time for a board: 10, 0.5, 200ms, 2m or 1h
    #[arg(long, value_name = "TIME", value_parser = time, allow_negative_numbers = true)]
    pub time_limit: Option<Duration>,

    /// Nodes to generate for a board: 500000, 2e6 or 10M
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub node_limit: Option<u64>,
}

/// The memory of a build or a proof.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Memory limit, as in 500M or 2G [default: nine tenths of the available memory]
    #[arg(long = "memory", value_name = "SIZE", value_parser = size, allow_negative_numbers = true)]
    pub bytes: Option<u64>,
}

impl LimitArgs {
    /// The limits for a solver.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        if let Some(time) = self.time_limit {
            limits = limits.time(time);
        }
        if let Some(nodes) = self.node_limit {
            limits = limits.nodes(nodes);
        }
        limits
    }
}

/// Splits a number from its unit.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let is_number = |c: char| c.is_ascii_digit() || "+-.".contains(c);
    let mut end = text.find(|c| !is_number(c)).unwrap_or(text.len());
    // An exponent is not a unit.
    if text[end..].starts_with(['e', 'E']) && text[end + 1..].starts_with(is_number) {
        let exponent = &text[end + 1..];
        end += 1 + exponent.find(|c| !is_number(c)).unwrap_or(exponent.len());
    }
    (&text[..end], text[end..].trim())
}

/// A number times its unit, if it is not negative.
fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (number, unit) = split(text);
    let (_, factor) = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    let value = number.parse::<f64>().ok()? * factor;
    (value >= 0.0 && value.is_finite()).then_some(value)
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
        .ok_or_else(|| "write seconds, as in 10 or 0.5, or with a unit: ms, s, m or h".to_owned())
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
        .ok_or_else(|| "write a whole number, as in 500000, 2e6, 10k, 10M or 2G".to_owned())
}

/// Parses a count of at most `most` things.
pub fn count_to(most: u64, things: &str, text: &str) -> Result<u64, String> {
    match count(text)? {
        count if count <= most => Ok(count),
        _ => Err(format!("the number of {things} must be at most {}", grouped(most))),
    }
}

/// Parses the length of a solution. No board is so far from its goal as the largest number.
pub fn length(text: &str) -> Result<u32, String> {
    Ok(u32::try_from(count(text)?).unwrap_or(u32::MAX))
}

/// Parses a number of bytes. `K`, `M` and so on are powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let powers = ["", "K", "M", "G", "T"].iter().zip(0..);
    let units: Vec<(String, f64)> = powers
        .flat_map(|(unit, power)| {
            let bytes = 1024_f64.powi(power);
            ["", "B", "iB"].map(|end| (format!("{unit}{end}"), bytes))
        })
        .collect();
    let units: Vec<(&str, f64)> = units.iter().map(|(unit, bytes)| (&**unit, *bytes)).collect();
    scaled(text, &units)
        .map(|bytes| bytes as u64)
        .ok_or_else(|| "write a number of bytes, as in 500M or 2G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let milliseconds = |text| time(text).ok().map(|time| time.as_millis());
        for (text, expected) in [
            ("10", 10_000),
            ("0.5", 500),
            (".5s", 500),
            ("200ms", 200),
            ("2 m", 120_000),
            ("2min", 120_000),
            ("1H", 3_600_000),
            ("1e1", 10_000),
            ("0", 0),
            ("1e30", Duration::MAX.as_millis()),
        ] {
            assert_eq!(milliseconds(text), Some(expected), "{text}");
        }
        for text in ["", "s", "-1", "-0.5s", "ten", "1d", "nan", "inf", "1e400", "1.2.3"] {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }

    #[test]
    fn counts_have_factors() {
        for (text, expected) in [
            ("0", 0),
            ("500000", 500_000),
            ("2e6", 2_000_000),
            ("10M", 10_000_000),
            ("1.5k", 1500),
            ("18446744073709551615", u64::MAX),
            ("1e30", u64::MAX),
        ] {
            assert_eq!(count(text), Ok(expected), "{text}");
        }
        for text in ["", "-1", "1.5", "1e-3", "0.0001k", "M", "1x", "1 000", "0x10"] {
            assert!(count(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_in_bytes() {
        for (text, expected) in [
            ("0", 0),
            ("1000", 1000),
            ("1k", 1024),
            ("500M", 500 << 20),
            ("1.5G", 3 << 29),
            ("2GB", 2 << 30),
            ("2GiB", 2 << 30),
            ("1TiB", 1 << 40),
        ] {
            assert_eq!(size(text), Ok(expected), "{text}");
        }
        for text in ["", "-1", "G", "1X", "1Gi B"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
