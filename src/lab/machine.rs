//! The program, the machine and the settings that gave a figure.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Suite, chains, statistics, truth};

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

/// The settings of a run. Records have them; times in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The boards that are tried at the same time. Each search uses one thread.
    pub threads: usize,
    /// The time for the search of a board.
    #[serde(serialize_with = "to_seconds", deserialize_with = "from_seconds")]
    pub time_limit: Option<Duration>,
    /// The nodes for the search of a board.
    pub node_limit: Option<u64>,
    /// The time of the run. Boards without all their trials at its end do not count.
    #[serde(serialize_with = "to_seconds", deserialize_with = "from_seconds")]
    pub budget: Option<Duration>,
    /// The run ends once the 95 % interval of each ratio of nodes is at most this share of the ratio to
    /// either side.
    pub until: Option<f64>,
    /// The positions that a program values at once in a search.
    pub batch: usize,
    /// The weight of the path in A* with a program: see
    /// [`batch_a_star`](crate::reference::batch_a_star()).
    pub weight: f64,
    /// The time for a batch of a program.
    #[serde(skip)]
    pub answer_time: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            time_limit: None,
            node_limit: None,
            budget: None,
            until: None,
            batch: 1000,
            weight: 1.0,
            answer_time: Duration::from_secs(60),
        }
    }
}

fn to_seconds<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_secs_f64()).serialize(serializer)
}

fn from_seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let time = Option::<f64>::deserialize(deserializer)?.map(Duration::try_from_secs_f64);
    time.transpose().map_err(serde::de::Error::custom)
}
