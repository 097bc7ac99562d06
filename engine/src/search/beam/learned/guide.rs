//! The sum of weights, kept up to date move by move.

use std::array;
use std::collections::HashMap;

use super::correction::Correction;
use super::network::Network;
use super::numbers::LearnedNumbers;
use super::terms::{BLANK, PairKind, Terms};
use super::weights::Weights;
use crate::board::{Grid, Metric, Move, Position};
use crate::heuristic::{Heuristic, Manhattan};

/// Ranks the positions of beams by weights that were learned from solutions.
#[derive(Clone, Debug)]
pub struct Learned {
    grid: Grid,
    goal_blank: usize,
    manhattan: Manhattan,
    /// The weight of a tile, by label and cell.
    tiles: Box<[i32]>,
    /// The class of a cell, by cell and label. It has a place for each number of 16 bits, and `pairs` for
    /// each number of 8 bits, so that no look-up can be out of bounds.
    classes: Box<[u8; 1 << 16]>,
    /// The neighbours of each cell in the directions of [`Move::ALL`].
    neighbours: Box<[[Near; 4]]>,
    /// The cells near each cell that are not neighbours: four on the diagonals, four beyond neighbours.
    others: Box<[[Near; 8]]>,
    /// The weight of a pair, by [`Near::pair`], by the class of the other cell, then by the class of the cell
    /// itself.
    pairs: Box<[Pair; 1 << 8]>,
    /// The number that a network adds to the sum.
    correction: Option<Box<Correction>>,
}

/// The cells from which on a network makes solutions shorter. Beams of smaller boards are so wide that it costs more than
/// it tells.
const WITH_NETWORK: usize = 37;

/// A cell near another one; the cell itself, with weights of 0, where there is none. So a sum over all has
/// no branches.
#[derive(Clone, Copy, Debug)]
struct Near {
    cell: u8,
    /// The weights of both.
    pair: u8,
    /// The place of the cell's classes.
    classes: u16,
}

/// The rank of a position whose weights add up to 0. Some sums are negative.
const ZERO: i32 = 1 << 30;

/// The room for the classes of a cell: a row of weights has 64 bytes.
const ROOM: usize = 32;
const _: () = assert!(Terms::CLASSES <= ROOM);

/// The weights of a kind of pair.
type Pair = [[i16; ROOM]; ROOM];

/// The pair of a cell and itself.
const NONE: Pair = [[0; ROOM]; ROOM];
static NO_ROW: [i16; ROOM] = [0; ROOM];

impl Learned {
    /// The guide for a goal with the blank in cell `goal_blank`, for beams that count in this metric: by weights,
    /// and for moves of large boards by a network, too.
    ///
    /// # Panics
    /// If the grid has no such cell, or there are no [`LearnedNumbers`].
    pub fn new(grid: Grid, goal_blank: usize, metric: Metric) -> Learned {
        let numbers = LearnedNumbers::get().expect("the host has given the numbers");
        let learned = Learned::with_weights(grid, goal_blank, numbers.weights(metric));
        if metric == Metric::Single && grid.cells() >= WITH_NETWORK {
            learned.with_network(numbers.network())
        } else {
            learned
        }
    }

    /// The guide by these weights and this network.
    #[must_use]
    pub fn with_network(self, network: &Network) -> Learned {
        let correction = Correction::new(self.grid, self.goal_blank, network);
        Learned { correction: Some(Box::new(correction)), ..self }
    }

    /// The guide by these weights.
    ///
    /// # Panics
    /// If the grid has no such cell.
    pub fn with_weights(grid: Grid, goal_blank: usize, weights: &Weights) -> Learned {
        let cells = grid.cells();
        let terms = Terms::new(grid, goal_blank);
        let tile = |i: usize| {
            let mut weight = 0.0;
            terms.of_tile(i / cells, i % cells, |i, times| {
                weight += f32::from(weights.0[i]) * times
            });
            weight as i32
        };
        let mut classes = vec![0; 1 << 16];
        for (i, class) in classes[..cells * cells].iter_mut().enumerate() {
            *class = terms.class(i % cells, i / cells) as u8;
        }
        let mut pairs =
            Pairs { terms: &terms, weights, cells, known: HashMap::new(), pairs: vec![NONE] };
        let neighbours = (0..cells)
            .map(|cell| Move::ALL.map(|m| pairs.near(cell, grid.source(cell, m))))
            .collect();
        let others = (0..cells).map(|cell| {
            let mut others = (0..cells).filter(|&other| grid.distance(cell, other) == 2);
            array::from_fn(|_| pairs.near(cell, others.next()))
        });
        let others = others.collect();
        let mut pairs = pairs.pairs;
        pairs.resize(1 << 8, NONE);
        Learned {
            grid,
            goal_blank,
            manhattan: Manhattan::new(grid, goal_blank),
            tiles: (0..cells * cells).map(tile).collect(),
            classes: classes.try_into().expect("it has this length"),
            neighbours,
            others,
            pairs: pairs.try_into().expect("it has this length"),
            correction: None,
        }
    }

    /// The sum of weights of a position given as labels, a thousand for each move or slide to the goal.
    pub fn sum(&self, labels: &[u8]) -> i32 {
        self.start(labels).1
    }

    /// Panics if these are not the weights for the position's goal.
    pub(crate) fn assert_goal_of(&self, position: &Position) {
        let goal = (position.grid(), position.goal_blank());
        assert!(goal == (self.grid, self.goal_blank), "the weights are those of another goal");
    }

    /// The cell whose tile the move with this place in [`Move::ALL`] takes to a cell, or the cell itself if
    /// there is none.
    #[inline(always)]
    pub(crate) fn source(&self, cell: usize, m: usize) -> usize {
        self.neighbours[cell][m].cell.into()
    }

    #[inline(always)]
    fn tile(&self, label: u8, cell: usize) -> i32 {
        self.tiles[usize::from(label) * self.neighbours.len() + cell]
    }

    #[inline(always)]
    fn class_of(&self, label: u8, cell: usize) -> usize {
        self.classes[cell * self.neighbours.len() + usize::from(label)].into()
    }

    /// The weights of a pair, by the class of the cell that the other one, which has this label, is near to.
    #[inline(always)]
    fn row(&self, other: Near, label: u8) -> &[i16; ROOM] {
        let class = self.classes[usize::from(other.classes.wrapping_add(label.into()))];
        &self.pairs[usize::from(other.pair)][usize::from(class) % ROOM]
    }
}

/// Its [rank](Heuristic::rank) is the sum of weights, its value Manhattan distance.
impl Heuristic for Learned {
    /// The carried value of Manhattan distance, and the sum of weights.
    type Carry = (<Manhattan as Heuristic>::Carry, i32);

    fn start(&self, labels: &[u8]) -> Self::Carry {
        let of = |cell: usize| {
            let class = self.class_of(labels[cell], cell);
            let near = self.neighbours[cell].iter().chain(&self.others[cell]);
            // Each pair once: from the lower cell to the higher one.
            let near = near.filter(|near| usize::from(near.cell) > cell);
            let pairs = near.map(|&near| self.row(near, labels[usize::from(near.cell)])[class]);
            let pairs: i32 = pairs.map(i32::from).sum();
            self.tile(labels[cell], cell) + pairs
        };
        let weights: i32 = (0..labels.len()).map(of).sum();
        let correction = self.correction.as_ref().map_or(0, |correction| correction.of(labels));
        (self.manhattan.start(labels), weights + correction)
    }

    /// Values one child: in the engine's beams, whose boards are smaller than those with a network, and in beams of
    /// slides, which have none. Beams of moves on boards of any size value all children of a position together, by
    /// [`moved_each`](Heuristic::moved_each).
    #[inline(always)]
    fn moved(&self, carry: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry {
        let (distance, sum) = carry;
        assert!(labels.len() >= self.neighbours.len());
        // SAFETY: a cell near another one is one of the grid, and each has a label.
        let row =
            |near: Near| self.row(near, unsafe { *labels.get_unchecked(usize::from(near.cell)) });
        let label = labels[to];
        let (old, new) = (self.class_of(label, from) % ROOM, self.class_of(label, to) % ROOM);
        let mut sum = sum + self.tile(label, to) - self.tile(label, from);
        let mut between = 0;
        for (&a, &b) in self.neighbours[from].iter().zip(&self.neighbours[to]) {
            let (a_row, b_row) = (row(a), row(b));
            sum += i32::from(a_row[BLANK]) - i32::from(a_row[old]);
            sum += i32::from(b_row[new]) - i32::from(b_row[BLANK]);
            between = if usize::from(a.cell) == to { a.pair } else { between };
        }
        // The pair of both cells was counted twice, each time as if one of them had not changed.
        let pair = &self.pairs[usize::from(between)];
        sum +=
            i32::from(pair[new][old]) - i32::from(pair[new][BLANK]) - i32::from(pair[BLANK][old]);
        // The empty cell has no pairs with these.
        for (&a, &b) in self.others[from].iter().zip(&self.others[to]) {
            sum += i32::from(row(b)[new]) - i32::from(row(a)[old]);
        }
        if let Some(correction) = &self.correction {
            // Slow, and no beam of `Learned::new` comes here.
            let mut before = labels.to_vec();
            before.swap(from, to);
            sum += correction.of(labels) - correction.of(&before);
        }
        (self.manhattan.moved(distance, labels, from, to), sum)
    }

    /// All tiles come to the same cell, so the weights of the pairs there are found once for all of them.
    #[inline(always)]
    fn moved_each(
        &self,
        (distance, sum): &Self::Carry,
        labels: &mut [u8],
        sources: [Option<usize>; 4],
        to: usize,
        mut take: impl FnMut(usize, Self::Carry),
    ) {
        assert!(labels.len() >= self.neighbours.len());
        let labels = &*labels;
        // SAFETY: a cell near another one is one of the grid, and each has a label.
        let row =
            |near: Near| self.row(near, unsafe { *labels.get_unchecked(usize::from(near.cell)) });
        // Loops, because the compiler makes calls of the closures of arrays.
        let mut rows = [&NO_ROW; 12];
        let mut empty = 0;
        for (place, &near) in self.neighbours[to].iter().enumerate() {
            rows[place] = row(near);
            empty += i32::from(rows[place][BLANK]);
        }
        for (place, &near) in self.others[to].iter().enumerate() {
            rows[4 + place] = row(near);
        }
        let corrections =
            self.correction.as_ref().map_or([0; 4], |network| network.changes(labels, to, sources));
        for (m, from) in sources.into_iter().enumerate() {
            let Some(from) = from else { continue };
            let label = labels[from];
            let (old, new) = (self.class_of(label, from) % ROOM, self.class_of(label, to) % ROOM);
            let mut sum =
                sum + corrections[m] + self.tile(label, to) - self.tile(label, from) - empty;
            for row in rows {
                sum += i32::from(row[new]);
            }
            for &near in &self.neighbours[from] {
                let row = row(near);
                sum += i32::from(row[BLANK]) - i32::from(row[old]);
            }
            for &near in &self.others[from] {
                sum -= i32::from(row(near)[old]);
            }
            // The pair of both cells, which the tile and the blank exchange, has been counted as if only one of
            // them had changed.
            let between = &self.pairs[usize::from(self.neighbours[to][m].pair)];
            sum += i32::from(between[BLANK][new]) - i32::from(rows[m][new])
                + i32::from(rows[m][BLANK]);
            take(m, (self.manhattan.after(distance, label, from, to), sum));
        }
    }

    #[inline(always)]
    fn value(&self, carry: &Self::Carry) -> u32 {
        self.manhattan.value(&carry.0)
    }

    #[inline(always)]
    fn rank(&self, carry: &Self::Carry) -> u32 {
        (carry.1 + ZERO) as u32
    }

    #[inline(always)]
    fn moved_to_rank(
        &self,
        (distance, _): &Self::Carry,
        labels: &[u8],
        from: usize,
        to: usize,
        rank: u32,
    ) -> Self::Carry {
        (self.manhattan.moved(distance, labels, from, to), rank as i32 - ZERO)
    }
}

/// Collects the weights of pairs, each kind once.
struct Pairs<'a> {
    terms: &'a Terms,
    weights: &'a Weights,
    cells: usize,
    /// The number of a kind of pair.
    known: HashMap<PairKind, u8>,
    pairs: Vec<Pair>,
}

impl Pairs<'_> {
    fn near(&mut self, cell: usize, other: Option<usize>) -> Near {
        let pair = other.map_or(0, |other| self.pair(cell, other));
        let other = other.unwrap_or(cell);
        Near { cell: other as u8, pair, classes: (other * self.cells) as u16 }
    }

    fn pair(&mut self, cell: usize, other: usize) -> u8 {
        let next = self.pairs.len() as u8;
        let pair = *self.known.entry(self.terms.kind(cell, other)).or_insert(next);
        if pair == next {
            let mut rows = NONE;
            for (theirs, row) in rows[..Terms::CLASSES].iter_mut().enumerate() {
                for (own, weight) in row[..Terms::CLASSES].iter_mut().enumerate() {
                    let i = self.terms.of_pair((cell, own), (other, theirs));
                    *weight = i.map_or(0, |i| self.weights.0[i]);
                }
            }
            self.pairs.push(rows);
        }
        pair
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::transposed;

    fn rank(guide: &Learned, labels: &[u8]) -> u32 {
        guide.rank(&guide.start(labels))
    }

    #[test]
    fn a_move_changes_the_rank_as_the_definition_does() {
        let numbers = LearnedNumbers::get().unwrap();
        for (width, height) in [(2, 2), (4, 3), (2, 7), (6, 6), (16, 15), (16, 16), (128, 2)] {
            let grid = Grid::new(width, height).unwrap();
            for (metric, blank) in Metric::ALL.into_iter().flat_map(|metric| {
                [0, grid.cells() / 2 + 1, grid.cells() - 1].map(|blank| (metric, blank))
            }) {
                let guide = Learned::with_weights(grid, blank, numbers.weights(metric));
                let guide = guide.with_network(numbers.network());
                let mut position = Position::goal(grid, blank);
                let mut carry = guide.start(position.labels());
                for i in 0..400 {
                    let m = Move::ALL[(i * i / 3 + i + blank) % 4];
                    let to = position.blank();
                    let sources = Move::ALL.map(|m| grid.source(to, m));
                    let mut labels = position.labels().to_vec();
                    let mut count = 0;
                    guide.moved_each(&carry, &mut labels, sources, to, |m, carry| {
                        let mut child = position.labels().to_vec();
                        child.swap(sources[m].unwrap(), to);
                        assert_eq!(carry, guide.start(&child), "{grid} {metric} {blank} {i}");
                        count += 1;
                    });
                    assert_eq!(labels, position.labels());
                    assert_eq!(count, sources.iter().flatten().count());
                    if let Some((from, to)) = position.make(m) {
                        let before = carry;
                        carry = guide.moved(&before, position.labels(), from, to);
                        let start = guide.start(position.labels());
                        assert_eq!(carry, start, "{grid} {metric} {blank} {i}");
                        let rank = guide.rank(&carry);
                        let same = guide.moved_to_rank(&before, position.labels(), from, to, rank);
                        assert_eq!(same, carry);
                    }
                }
                assert!(!position.is_goal());
                assert!(guide.value(&carry) > 0);
            }
        }
    }

    #[test]
    fn the_longest_boards_do_not_overflow() {
        for (width, height) in [(128, 2), (16, 15), (16, 16)] {
            let grid = Grid::new(width, height).unwrap();
            let goal: Vec<u8> = (0..=(grid.cells() - 1) as u8).collect();
            let mut far = goal.clone();
            far[1..].reverse();
            let guide = Learned::new(grid, 0, Metric::Single);
            assert!(rank(&guide, &goal) < rank(&guide, &far), "{grid}");
            let cells = || 0..grid.cells();
            let most = |cell| cells().map(|label| guide.tile(label as u8, cell)).max();
            let sum: i64 = cells().filter_map(most).map(i64::from).sum();
            assert!(sum < 1 << 30, "{grid}");
        }
    }

    #[test]
    fn mirror_images_and_all_corners_are_alike() {
        let square = Grid::new(5, 5).unwrap();
        let mut position = Position::goal(square, 0);
        // A network sees the difference.
        let numbers = LearnedNumbers::get().unwrap();
        let guide = Learned::with_weights(square, 0, numbers.weights(Metric::Single));
        for i in 0..200 {
            position.make(Move::ALL[(i * i / 3 + i) % 4]);
            let labels = position.labels();
            assert_eq!(rank(&guide, labels), rank(&guide, &transposed(square, labels)), "{i}");
        }
        let grid = Grid::new(6, 5).unwrap();
        let guides = [0, 5, 24, 29].map(|blank| Learned::new(grid, blank, Metric::Single));
        let at = |corner: usize, cell: usize| {
            let (row, column) = (grid.row(cell), grid.column(cell));
            let [low, right] = [corner / 2, corner % 2].map(|side| side == 1);
            6 * if low { 4 - row } else { row } + if right { 5 - column } else { column }
        };
        let mut position = Position::goal(grid, 0);
        for i in 0..200 {
            position.make(Move::ALL[(i * i / 3 + i) % 4]);
            let ranks = [0, 1, 2, 3].map(|corner| {
                let mut labels = [0; 30];
                for (cell, &label) in position.labels().iter().enumerate() {
                    labels[at(corner, cell)] = at(corner, label.into()) as u8;
                }
                rank(&guides[corner], &labels)
            });
            assert_eq!(ranks, [ranks[0]; 4], "{i}");
        }
    }
}
