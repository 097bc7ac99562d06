//! Metrics: what counts as one move.

use super::{Moves, named::named};

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

named!(Metric { Single = "single", Multi = "multi" }, MetricError = "there is no metric {name:?}: write single or multi");

impl Metric {
    /// A length in words: `1 move`, `32 slides`.
    pub fn in_words(self, length: usize) -> String {
        let noun = match self {
            Metric::Single => "move",
            Metric::Multi => "slide",
        };
        format!("{length} {noun}{}", if length == 1 { "" } else { "s" })
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
        assert!("double".parse::<Metric>().is_err());
        assert_eq!(Metric::Single.in_words(0), "0 moves");
        assert_eq!(Metric::Multi.in_words(1), "1 slide");
    }
}
