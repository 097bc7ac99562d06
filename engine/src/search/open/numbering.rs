//! Numbers the placements of the tiles of some classes.
//!
//! 1. The cells of the first class are a subset of all cells, the cells of the next class a subset of the
//!    remaining cells, and so on.
//! 2. A subset of *m* cells with the places p₁ < p₂ < … among the remaining cells has the number C(p₁, 1) +
//!    C(p₂, 2) + … + C(pₘ, m): the combinatorial number system.
//! 3. The numbers of the subsets are the digits of the number of the placement, the first class's lowest.

use crate::pdb::BINOMIAL;
use crate::search::solutions::Masks;

/// A class, and the number of its tiles.
pub(super) type SizedClass = (u8, u8);

/// A numbering of the placements of some classes.
#[derive(Debug)]
pub(super) struct Numbering {
    cells: usize,
    pub classes: Vec<SizedClass>,
    /// The number of subsets for each class.
    bases: Vec<u32>,
}

impl Numbering {
    /// The numbering for some classes.
    pub fn new(cells: usize, classes: &[SizedClass]) -> Numbering {
        let mut left = cells;
        let bases = classes.iter().map(|&(_, tiles)| {
            let subsets = BINOMIAL[left][usize::from(tiles)];
            left -= usize::from(tiles);
            subsets
        });
        Numbering { cells, bases: bases.collect(), classes: classes.to_vec() }
    }

    /// The number of placements; at most the largest `u64`.
    pub fn len(&self) -> u64 {
        self.bases.iter().fold(1, |placements, &base| placements.saturating_mul(base.into()))
    }

    pub fn holds(&self, class: u8) -> bool {
        self.classes.iter().any(|&(known, _)| known == class)
    }

    /// The number of a placement.
    pub fn rank(&self, masks: &Masks) -> usize {
        let mut free: u32 = (1 << self.cells) - 1;
        let (mut rank, mut weight) = (0, 1);
        for (&(class, _), &base) in self.classes.iter().zip(&self.bases) {
            let mask = masks[usize::from(class)];
            let place = |cell: usize| (free & ((1 << cell) - 1)).count_ones() as usize;
            let terms = bits(mask).zip(1..).map(|(cell, number)| BINOMIAL[place(cell)][number]);
            rank += weight * terms.sum::<u32>() as usize;
            weight *= base as usize;
            free &= !mask;
        }
        rank
    }

    /// The placement with a number. Only the masks of its classes are set.
    pub fn placement(&self, mut rank: usize) -> Masks {
        let mut masks = [0; 32];
        let mut free: u32 = (1 << self.cells) - 1;
        for (&(class, tiles), &base) in self.classes.iter().zip(&self.bases) {
            let (mut left, mut mask) = ((rank % base as usize) as u32, 0);
            rank /= base as usize;
            let mut place = free.count_ones() as usize;
            for number in (1..=usize::from(tiles)).rev() {
                place -= 1;
                while BINOMIAL[place][number] > left {
                    place -= 1;
                }
                left -= BINOMIAL[place][number];
                mask |= 1 << bits(free).nth(place).expect("so many cells are free");
            }
            masks[usize::from(class)] = mask;
            free &= !mask;
        }
        masks
    }
}

/// The places of the bits that are set.
pub(super) fn bits(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            place
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_that_of_its_placement() {
        for (cells, classes) in [
            (9, vec![(0, 3), (2, 2)]),
            (6, vec![(1, 1), (0, 1), (4, 4)]),
            (25, vec![(3, 2)]),
            (4, vec![]),
        ] {
            let numbering = Numbering::new(cells, &classes);
            for rank in 0..numbering.len() as usize {
                let masks = numbering.placement(rank);
                assert_eq!(numbering.rank(&masks), rank);
                for &(class, tiles) in &classes {
                    assert_eq!(masks[usize::from(class)].count_ones(), u32::from(tiles));
                }
            }
        }
        assert_eq!(Numbering::new(9, &[(0, 3), (1, 3)]).len(), 84 * 20);
        assert_eq!(Numbering::new(25, &[(0, 12), (1, 12)]).len(), 5_200_300 * 13);
    }
}
