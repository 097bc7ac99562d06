//! The states of patterns in a numbering: of positions, of the goal, and after a move.

use std::fmt;

use super::index::{Index, below};
use super::orders::MAX_PATTERN;
use super::pattern::Pattern;
use crate::board::Grid;

/// The state of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The cells of the pattern's tiles.
    pub mask: u64,
    /// A cell of the blank's zone.
    pub blank: usize,
    /// The rank of the tiles' order.
    pub rank: usize,
}

impl Index {
    /// The numbering for `tiles` tiles.
    ///
    /// # Panics
    /// - When the grid has more than [`MAX_PDB_CELLS`](super::MAX_PDB_CELLS) cells.
    /// - Unless `tiles` is 1 to [`MAX_PATTERN`] and leaves a cell for the blank.
    /// - When there are 2³² cohorts or more, as of 8 tiles on 8×8.
    pub fn new(grid: Grid, tiles: usize) -> Index {
        Index::of_size(grid.width(), grid.height(), tiles)
    }

    /// The board's shape.
    pub fn grid(&self) -> Grid {
        let (all, width) = (self.flood().all, self.flood().width);
        Grid::new(width, all.count_ones() as usize / width).expect("it was made for a grid")
    }

    /// The row of `Orders::transitions` for a tile that moves between two cells. `mask` is the
    /// set before the move.
    #[inline]
    pub fn row(&self, mask: u64, from: usize, to: usize) -> usize {
        let place = (mask & below(from)).count_ones() as usize;
        let after = (mask & !(1 << from) & below(to)).count_ones() as usize;
        self.orders().row(place, after)
    }

    /// The state of a pattern in a position given as labels (see
    /// [`Canonical`](crate::board::Canonical)).
    pub fn state(&self, pattern: &Pattern, labels: &[u8]) -> State {
        let mut order = [0; MAX_PATTERN];
        let (mut mask, mut blank, mut place) = (0, 0, 0);
        for (cell, &label) in labels.iter().enumerate() {
            if usize::from(label) == pattern.blank() {
                blank = cell;
            } else if pattern.mask() & 1 << label != 0 {
                order[place] = (pattern.mask() & below(usize::from(label))).count_ones() as u8;
                place += 1;
                mask |= 1 << cell;
            }
        }
        State { mask, blank, rank: self.orders().rank(&order[..place]) }
    }

    /// The state after the pattern's tile in cell `from` has moved to `to`.
    #[inline]
    pub fn after(&self, state: State, from: usize, to: usize) -> State {
        let row = self.row(state.mask, from, to);
        State {
            mask: state.mask & !(1 << from) | 1 << to,
            blank: from,
            rank: self.orders().after(row, state.rank),
        }
    }

    /// The goal of a pattern: every tile in its own cell.
    pub fn goal(&self, pattern: &Pattern) -> State {
        let labels: Vec<u8> = (0..pattern.grid().cells() as u8).collect();
        self.state(pattern, &labels)
    }

    /// The moves of pattern tiles from a set into a zone.
    pub(crate) fn moves(&self, mask: u64, zone: u64) -> PatternMoves {
        PatternMoves { tiles: self.flood().moves(mask, zone), width: self.flood().width }
    }

    /// The colour of each cohort's set.
    pub(crate) fn colours(&self) -> impl Iterator<Item = usize> {
        let colour = |set| self.colour(self.mask(set)) as usize;
        (0..self.sets()).flat_map(move |set| self.cohorts_of(set).map(move |_| colour(set)))
    }

    /// The moves of pattern tiles in each cohort.
    pub(crate) fn edges(&self) -> impl Iterator<Item = Vec<Edge>> {
        (0..self.sets()).flat_map(move |set| {
            let mask = self.mask(set);
            self.flood().regions(self.flood().all & !mask).map(move |zone| {
                let edge = |(from, to): (usize, usize)| {
                    let after = mask & !(1 << from) | 1 << to;
                    Edge {
                        other: self.cohort(self.set(after), from) as u32,
                        row: self.row(mask, from, to) as u16,
                        back: self.row(after, to, from) as u16,
                    }
                };
                self.moves(mask, zone).map(edge).collect()
            })
        })
    }
}

/// A move from one cohort to another one, which can be taken back.
pub(crate) struct Edge {
    /// The number of the other cohort.
    pub other: u32,
    /// The row of [`Orders::transitions`](super::Orders::transitions) for the move.
    pub row: u16,
    /// The row for the move back.
    pub back: u16,
}

/// Moves of pattern tiles into a region of free cells: the cells of the tile before and after.
#[derive(Clone, Default)]
pub(crate) struct PatternMoves {
    /// The tiles that can go up, left, right and down.
    tiles: [u64; 4],
    width: usize,
}

impl Iterator for PatternMoves {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let direction = self.tiles.iter().position(|&tiles| tiles != 0)?;
        let tiles = &mut self.tiles[direction];
        let from = tiles.trailing_zeros() as usize;
        *tiles &= *tiles - 1;
        let to = match direction {
            0 => from - self.width,
            1 => from - 1,
            2 => from + 1,
            _ => from + self.width,
        };
        Some((from, to))
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles = self.orders().tiles();
        write!(f, "Index({}, {tiles} tiles, {} cohorts)", self.grid(), self.cohorts())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_in_order() {
        let cases = [(3, 2, 2), (4, 4, 1), (4, 4, 8), (5, 5, 6), (8, 8, 3)];
        for &(w, h, k) in if cfg!(miri) { &cases[..2] } else { &cases[..] } {
            let grid = Grid::new(w, h).unwrap();
            let index = Index::new(grid, k);
            for set in 0..index.sets() {
                assert_eq!(index.set(index.mask(set)), set);
                assert_eq!(index.mask(set).count_ones() as usize, k);
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too slow")]
    fn sizes_are_the_published_ones() {
        let states = |w, h, k| Index::new(Grid::new(w, h).unwrap(), k).states();
        assert_eq!(states(4, 4, 7), 139_849_920);
        assert_eq!(states(4, 4, 8), 1_425_191_040);
        assert_eq!(states(5, 5, 6), 181_008_000);
    }

    #[test]
    fn zones_are_the_connected_regions() {
        let (width, tiles) = if cfg!(miri) { (2, 2) } else { (4, 4) };
        let grid = Grid::new(width, 3).unwrap();
        let index = Index::new(grid, tiles);
        for set in 0..index.sets() {
            let mask = index.mask(set);
            let free = |c: &usize| mask & 1 << c == 0;
            for a in (0..grid.cells()).filter(free) {
                // The slow reference: closure over neighbours.
                let mut region = vec![a];
                let mut next = 0;
                while let Some(&c) = region.get(next) {
                    next += 1;
                    for n in grid.neighbours(c).filter(free) {
                        if !region.contains(&n) {
                            region.push(n);
                        }
                    }
                }
                for b in (0..grid.cells()).filter(free) {
                    assert_eq!(index.cohort(set, a) == index.cohort(set, b), region.contains(&b));
                }
                assert!(index.cohorts_of(set).contains(&index.cohort(set, a)));
            }
        }
    }
}
