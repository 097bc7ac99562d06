//! The settings of a run.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
    /// [`batch_a_star`](crate::classics::batch_a_star()).
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
