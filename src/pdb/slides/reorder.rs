//! From the order of tiles by rows to the order by columns, and back.
//!
//! A slide along a row does not change the order in which the tiles are met row by row, and one
//! along a column that column by column. The search of [`super::generate`] keeps the states of each
//! direction in the order that its slides keep. Between two levels the orders of each set are
//! permuted. The permutation depends on the set, but many sets share one.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Placements;
use crate::board::Grid;

/// The permutations of the orders of each set.
pub(super) struct Reorder {
    /// For each direction in which the states are wanted, the permutation of each set.
    of_set: [Vec<u32>; 2],
    /// For each rank, the rank of the same order in the other direction.
    permutations: Vec<Vec<u16>>,
}

impl Reorder {
    pub fn new(grid: Grid, placements: &Placements) -> Reorder {
        let mut numbers = BTreeMap::new();
        let mut number = |places: Vec<u8>| {
            let next = numbers.len() as u32;
            *numbers.entry(places).or_insert(next)
        };
        let mut of_set = [Vec::new(), Vec::new()];
        for &set in placements.sets() {
            let by_rows: Vec<usize> =
                (0..grid.cells()).filter(|cell| set >> cell & 1 == 1).collect();
            let mut by_columns = by_rows.clone();
            by_columns.sort_by_key(|&cell| (grid.column(cell), grid.row(cell)));
            for (of_set, [wanted, given]) in
                of_set.iter_mut().zip([[&by_rows, &by_columns], [&by_columns, &by_rows]])
            {
                let place = |cell| given.iter().position(|other| other == cell);
                let places = wanted.iter().map(|cell| place(cell).expect("the same cells") as u8);
                of_set.push(number(places.collect()));
            }
        }
        let mut permutations = vec![Vec::new(); numbers.len()];
        let numbers: Vec<_> = numbers.into_iter().collect();
        let made: Vec<_> = numbers
            .par_iter()
            .map(|(places, number)| (*number as usize, permutation(places, placements.orders())))
            .collect();
        for (number, permutation) in made {
            permutations[number] = permutation;
        }
        Reorder { of_set, permutations }
    }

    /// Permutes the block of a set that is ordered in the other direction into `direction`.
    pub fn block(&self, direction: usize, set: usize, from: &[u16], to: &mut [u16]) {
        let permutation = &self.permutations[self.of_set[direction][set] as usize];
        for (to, &rank) in to.iter_mut().zip(permutation) {
            *to = from[usize::from(rank)];
        }
    }
}

/// For the rank of each order of tiles, the rank of the order in which place `i` is called
/// `places[i]`.
fn permutation(places: &[u8], orders: usize) -> Vec<u16> {
    let mut ranks = Vec::with_capacity(orders);
    let left: u32 = (1 << places.len()) - 1;
    extend(places, left, left, 0, &mut ranks);
    ranks
}

/// Adds the ranks of all orders of the remaining tiles. `left` are the places without a tile, and
/// `renamed` the same places by their other names.
fn extend(places: &[u8], left: u32, renamed: u32, rank: u32, ranks: &mut Vec<u16>) {
    if left == 0 {
        ranks.push(rank as u16);
        return;
    }
    for place in (0..places.len()).filter(|place| left >> place & 1 == 1) {
        let name = 1u32 << places[place];
        let digit = (renamed & (name - 1)).count_ones();
        let rank = rank * left.count_ones() + digit;
        extend(places, left & !(1 << place), renamed & !name, rank, ranks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_way_and_back_is_the_identity() {
        let grid = Grid::new(3, 2).unwrap();
        let placements = Placements::new(6, 3);
        let reorder = Reorder::new(grid, &placements);
        let block: Vec<u16> = (0..placements.orders() as u16).collect();
        let mut changed = 0;
        for set in 0..placements.sets().len() {
            let (mut there, mut back) = (block.clone(), block.clone());
            reorder.block(1, set, &block, &mut there);
            reorder.block(0, set, &there, &mut back);
            assert_eq!(back, block);
            changed += usize::from(there != block);
        }
        // Cells 0, 1 and 3 of the two rows are met as 0, 3, 1 by columns.
        assert!(changed > 0);
    }
}
