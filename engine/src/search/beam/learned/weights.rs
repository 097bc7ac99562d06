//! Sets of weights.

use std::ops::RangeInclusive;

use super::file;
use super::terms::Terms;

/// The scale of weights: on average, the rank falls by this much with each move or slide of a short solution.
pub const STEP: u32 = 1000;

/// The cells of boards that single-move beams search both ways, from the board and from the goal: the shorter of two
/// solutions for half of the nodes each is shorter there than one for all nodes.
pub const BOTH_WAYS: RangeInclusive<usize> = 26..=49;

/// The first line of a file.
const FIRST: &str = "taquin weights 1\n";

/// The weights of [`Terms`], in thousandths of a move or slide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(pub(super) Box<[i16]>);

impl Weights {
    /// These weights, in the order of [`Terms`]; `None` if there are more or fewer.
    pub fn new(weights: impl IntoIterator<Item = i16>) -> Option<Weights> {
        let weights: Box<[i16]> = weights.into_iter().collect();
        (weights.len() == Terms::COUNT).then_some(Weights(weights))
    }

    /// The lines about the weights of a file, and the weights; `None` if the file is of another kind, or
    /// damaged.
    pub fn read(file: &[u8]) -> Option<(&str, Weights)> {
        let (about, weights, rest) = Weights::read_first(file)?;
        rest.is_empty().then_some((about, weights))
    }

    /// As [`Weights::read`], of the first of several files, with the bytes after it.
    pub(super) fn read_first(file: &[u8]) -> Option<(&str, Weights, &[u8])> {
        let (about, weights, rest) = file::read(FIRST, Terms::COUNT, file)?;
        Some((about, Weights::new(weights)?, rest))
    }

    /// A file of the weights with these lines about them, none of which is empty.
    pub fn file(&self, about: &str) -> Vec<u8> {
        file::write(FIRST, about, &self.0)
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
}
