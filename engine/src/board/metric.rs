//! Metrics: what counts as one move.

use std::fmt;
use std::str::FromStr;

use super::Moves;

/// The unit that counts as one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// One tile that moves into the blank. This is the usual count.
    #[default]
    Single,
    /// A *slide*: one tile or several next to each other in a row or column that move by one cell
    /// towards the blank. On 4×4 a slide has up to three tiles.
    Multi,
}

impl Metric {
    /// Both metrics.
    pub const ALL: [Metric; 2] = [Metric::Single, Metric::Multi];

    /// The name in one word: `single` or `multi`.
    #[doc(hidden)]
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Single => "single",
            Metric::Multi => "multi",
        }
    }

    /// A length in words: `1 move`, `32 slides`.
    #[doc(hidden)]
    pub fn in_words(self, length: usize) -> String {
        let noun = match self {
            Metric::Single => "move",
            Metric::Multi => "slide",
        };
        format!("{length} {noun}{}", if length == 1 { "" } else { "s" })
    }
}

/// Writes [`Metric::name`].
impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(feature = "serde")]
crate::serde_as_text!(Metric);

/// The error for a name that no metric has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no metric {name:?}: write single or multi")]
#[non_exhaustive]
pub struct MetricError {
    /// The name.
    pub name: String,
}

/// Reads the name that [`Display`](fmt::Display) writes.
impl FromStr for Metric {
    type Err = MetricError;

    fn from_str(name: &str) -> Result<Metric, MetricError> {
        let found = Metric::ALL.into_iter().find(|metric| metric.name() == name);
        found.ok_or_else(|| MetricError { name: name.to_owned() })
    }
}

impl Moves {
    /// The length of the path in a metric. A run of equal moves is one slide.
    pub fn length(&self, metric: Metric) -> usize {
        match metric {
            Metric::Single => self.len(),
            Metric::Multi => self.runs().count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_equal_moves_is_one_slide() {
        for (text, single, multi) in [("", 0, 0), ("U", 1, 1), ("3d2ru", 6, 3), ("udud", 4, 4)] {
            let path: Moves = text.parse().unwrap();
            let lengths = Metric::ALL.map(|metric| path.length(metric));
            assert_eq!(lengths, [single, multi], "{text}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for metric in Metric::ALL {
            assert_eq!(metric.to_string().parse(), Ok(metric));
        }
        assert!("double".parse::<Metric>().is_err());
        assert_eq!(Metric::Single.in_words(0), "0 moves");
        assert_eq!(Metric::Multi.in_words(1), "1 slide");
    }
}
