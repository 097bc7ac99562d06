//! The program, the machine and the settings that gave a figure.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::settings::Settings;
use super::suite::Suite;
use super::{chains, statistics, truth};

/// The origin of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Provenance {
    /// `taquin`, with its version.
    pub program: String,
    /// The commit, of a build in a git checkout or with the environment variable `TAQUIN_COMMIT`. It ends in
    /// `-dirty` if sources were changed since.
    pub commit: Option<String>,
    /// The date and time in UTC, as in `2026-05-01T12:00:00Z`.
    pub date: String,
    /// The command line.
    pub command: Vec<String>,
    /// Operating system and architecture.
    pub system: String,
    /// The name of the processor, where the system tells it.
    pub processor: Option<String>,
    /// The logical processors that the program may use.
    pub cores: usize,
    /// The size of the boards.
    pub size: String,
    /// The goal as a board.
    pub goal: String,
    /// The metric that counted the moves.
    pub metric: String,
    /// The settings. Its budget is the time of all searches.
    #[serde(flatten)]
    pub settings: Settings,
    /// The seeds of the values over random boards, the intervals, and the walks.
    pub seeds: [u64; 3],
}

impl Provenance {
    /// The origin of a run that begins now.
    #[doc(hidden)]
    pub fn now(suite: &Suite, settings: &Settings, command: Vec<String>) -> Provenance {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Provenance {
            program: concat!("taquin ", env!("CARGO_PKG_VERSION")).to_owned(),
            commit: option_env!("TAQUIN_COMMIT").map(str::to_owned),
            date: date(seconds),
            command,
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            processor: processor(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            size: suite.grid().to_string(),
            goal: suite.goal.to_string(),
            metric: suite.metric.name().to_owned(),
            settings: settings.clone(),
            seeds: [chains::SEED, statistics::SEED, truth::SEED],
        }
    }
}

/// The name of the processor.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Seconds since 1970 as a date. The days of a year are counted from March, so that February is last.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }
}
