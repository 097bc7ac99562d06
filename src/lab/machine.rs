//! The program and the machine that gave a figure.

use std::time::SystemTime;

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
    pub fn now(suite: &Suite, settings: &Settings, command: Vec<String>) -> Provenance {
        Provenance {
            program: concat!("taquin ", env!("CARGO_PKG_VERSION")).to_owned(),
            commit: option_env!("TAQUIN_COMMIT").map(str::to_owned),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
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
