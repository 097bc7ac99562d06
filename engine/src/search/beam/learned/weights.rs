//! Files of weights.
//!
//! A file begins with lines of text, which say how the weights were made. After an empty line come the
//! weights, as little-endian 16-bit numbers, and their xxh3 checksum in eight bytes.

use std::ops::RangeInclusive;

use xxhash_rust::xxh3::xxh3_64;

use super::terms::Terms;
use crate::board::{Grid, Metric};

/// The scale of weights: on average, the rank falls by this much with each move or slide of a short solution.
pub const STEP: u32 = 1000;

/// The cells of boards that single-move beams search both ways, from the board and from the goal: the shorter of two
/// solutions for half of the nodes each is shorter there than one for all nodes. Their weights are learned both ways,
/// too; on other boards, those make solutions longer.
pub const BOTH_WAYS: RangeInclusive<usize> = 26..=49;

/// The first line of a file.
const FIRST: &str = "taquin weights 1\n";

/// The weights of [`Terms`], in thousandths of a move or slide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(pub(super) Box<[i16]>);

impl Weights {
    /// The weights of beams on this grid that count in this metric.
    pub fn of(grid: Grid, metric: Metric) -> Weights {
        Weights::read(Weights::file_of(grid, metric)).expect("a test reads the file").1
    }

    fn file_of(grid: Grid, metric: Metric) -> &'static [u8] {
        match metric {
            Metric::Single if BOTH_WAYS.contains(&grid.cells()) => include_bytes!("both.weights"),
            Metric::Single => include_bytes!("moves.weights"),
            Metric::Multi => include_bytes!("slides.weights"),
        }
    }

    /// These weights, in the order of [`Terms`]; `None` if there are more or fewer.
    pub fn new(weights: impl IntoIterator<Item = i16>) -> Option<Weights> {
        let weights: Box<[i16]> = weights.into_iter().collect();
        (weights.len() == Terms::COUNT).then_some(Weights(weights))
    }

    /// The lines about the weights of a file, and the weights; `None` if the file is of another kind, or
    /// damaged.
    pub fn read(file: &[u8]) -> Option<(&str, Weights)> {
        let end = file.windows(2).position(|pair| pair == b"\n\n")? + 1;
        let about = str::from_utf8(&file[..end]).ok()?.strip_prefix(FIRST)?;
        let (weights, checksum) = file[end + 1..].split_last_chunk()?;
        if xxh3_64(weights) != u64::from_le_bytes(*checksum) {
            return None;
        }
        let (weights, []) = weights.as_chunks() else { return None };
        Some((about, Weights::new(weights.iter().map(|&bytes| i16::from_le_bytes(bytes)))?))
    }

    /// A file of the weights with these lines about them, none of which is empty.
    pub fn file(&self, about: &str) -> Vec<u8> {
        let weights: Vec<u8> = self.0.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        let checksum = xxh3_64(&weights).to_le_bytes();
        [FIRST.as_bytes(), about.as_bytes(), b"\n", &weights, &checksum].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_as_written() {
        let numbers = (0..Terms::COUNT).map(|i| (i * 31 % 5000) as i16 - 2500);
        let weights = Weights::new(numbers).unwrap();
        let file = weights.file("seed 1\nsamples 2\n");
        assert_eq!(Weights::read(&file), Some(("seed 1\nsamples 2\n", weights)));
        for i in 0..file.len() {
            let mut damaged = file.clone();
            damaged[i] ^= 1;
            let read = Weights::read(&damaged);
            // The lines are for readers.
            assert!(read.is_none() || FIRST.len() <= i && i < 40, "{i}");
        }
        assert_eq!(Weights::read(&file[..file.len() - 2]), None);
        assert_eq!(Weights::read(b""), None);
        assert_eq!(Weights::new([1, 2, 3]), None);
    }

    #[test]
    fn the_files_say_how_their_weights_were_made() {
        let of = |side, metric| Weights::file_of(Grid::new(side, side).unwrap(), metric);
        for (side, metric) in [(5, Metric::Single), (6, Metric::Single), (6, Metric::Multi)] {
            let (about, _) = Weights::read(of(side, metric)).unwrap();
            let names = about.lines().map(|line| line.split_once(' ').unwrap().0);
            assert_eq!(
                names.collect::<Vec<_>>(),
                ["commit", "seed", "samples", "loss"],
                "{side} {metric}"
            );
        }
    }
}
