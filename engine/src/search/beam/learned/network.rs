//! A small network that sees the patches of a board.
//!
//! Weights of pairs add up, but three tiles round a corner may cost more or less than their pairs. So a layer
//! of [`Network::UNITS`] units looks at each [patch](Patches): a unit is the sum of a number for each cell of
//! the patch, by its place and class, or 0 if that is negative. The first half of the units count for the
//! rank, the other half against it. The numbers are the same for all patches, on boards of all sizes.

use super::file;
use super::patches::Patches;

/// The first line of a file.
const FIRST: &str = "taquin network 1\n";

/// The numbers of a network, in thousandths of a move: by place in a patch, by class, and by unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network(pub(super) Box<[i16]>);

impl Network {
    /// The units of a patch.
    pub const UNITS: usize = 16;

    /// The count of numbers.
    pub const COUNT: usize = Patches::PLACES * Patches::CLASSES * Network::UNITS;

    /// The largest absolute value of a number: the sums of patches, and of those beyond a border, then have 16 bits.
    pub const MOST: i16 = 2000;

    /// The network with these numbers; `None` if there are more or fewer than [`Network::COUNT`], or one is
    /// too large.
    pub fn new(numbers: impl IntoIterator<Item = i16>) -> Option<Network> {
        let numbers: Box<[i16]> = numbers.into_iter().collect();
        let is_small = |number: &i16| number.unsigned_abs() <= Network::MOST.unsigned_abs();
        (numbers.len() == Network::COUNT && numbers.iter().all(is_small))
            .then_some(Network(numbers))
    }

    /// The lines about the network of a file, and the network; `None` if the file is of another kind, or damaged.
    pub fn read(file: &[u8]) -> Option<(&str, Network)> {
        let (about, numbers, rest) = file::read(FIRST, Network::COUNT, file)?;
        let network = Network::new(numbers)?;
        rest.is_empty().then_some((about, network))
    }

    /// A file of the network with these lines about it, none of which is empty.
    pub fn file(&self, about: &str) -> Vec<u8> {
        file::write(FIRST, about, &self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_as_written() {
        let numbers = (0..Network::COUNT).map(|i| (i * 31 % 4001) as i16 - 2000);
        let network = Network::new(numbers.clone()).unwrap();
        let file = network.file("seed 1\n");
        assert_eq!(Network::read(&file), Some(("seed 1\n", network)));
        assert_eq!(Network::read(&file[1..]), None);
        assert_eq!(Network::new(numbers.clone().skip(1)), None);
        assert_eq!(Network::new(numbers.map(|number| number - 1)), None);
    }
}
