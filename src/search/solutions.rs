//! All optimal solutions of a position: counted, or one by one.
//!
//! Depth-first search with a heuristic to the optimal length. What was found out about a position
//! with so many moves left is kept, as long as there is room: the number of solutions from there.
//! Most positions near the goal are reached in many ways, so the count takes far fewer nodes than
//! there are solutions.

use std::collections::HashMap;

use super::graph::Hand;
use super::{Control, Stop};
use crate::board::{Grid, Move, Path};
use crate::heuristic::Heuristic;

/// The most positions that are kept.
const KEPT: usize = 4_000_000;

/// The search for all solutions of a position.
pub struct Solutions<'a, H: Heuristic> {
    heuristic: &'a H,
    hand: Hand,
    start: H::Carry,
    length: u32,
    control: &'a Control,
    generated: u64,
    stopped: Option<Stop>,
    /// Hashes of positions and the moves left, and the solutions from there.
    known: HashMap<u128, u128>,
}

impl<'a, H: Heuristic> Solutions<'a, H> {
    /// The solutions of `length` moves, the optimal number, of the position `labels` (see
    /// [`Canonical`](crate::board::Canonical)) on `grid`, whose goal has the blank in cell `blank`.
    pub fn new(
        grid: Grid,
        blank: usize,
        labels: &[u8],
        length: u32,
        heuristic: &'a H,
        control: &'a Control,
    ) -> Self {
        Solutions {
            heuristic,
            hand: Hand::new(grid, blank, labels),
            start: heuristic.start(labels),
            length,
            control,
            generated: 0,
            stopped: None,
            known: HashMap::new(),
        }
    }

    /// How many there are.
    ///
    /// # Errors
    /// What stopped the search before it knew.
    pub fn count(&mut self) -> Result<u128, Stop> {
        let count = self.visit(&self.start.clone(), None, self.length);
        self.stopped.map_or(Ok(count), Err)
    }

    /// Gives each to `found`, in the order of [`Move::ALL`], until that says `false`.
    ///
    /// # Errors
    /// What stopped the search before all were found.
    pub fn each(&mut self, mut found: impl FnMut(&Path) -> bool) -> Result<(), Stop> {
        self.count()?;
        let mut path = Path::default();
        self.walk(&self.start.clone(), None, self.length, &mut path, &mut found);
        self.stopped.map_or(Ok(()), Err)
    }

    /// The number of solutions of so many moves from the position at hand.
    fn visit(&mut self, state: &H::Carry, last: Option<Move>, left: u32) -> u128 {
        if left == 0 {
            return self.hand.is_goal().into();
        }
        // The last move is not part of it: to take it back leads nowhere in as few moves.
        let key = self.key(left);
        if let Some(&count) = self.known.get(&key) {
            return count;
        }
        let mut count = 0_u128;
        for m in Move::ALL {
            if last == Some(m.opposite()) || self.stopped.is_some() {
                continue;
            }
            if let Some(state) = self.forth(state, m, left) {
                count = count.saturating_add(self.visit(&state, Some(m), left - 1));
                self.back(m);
            }
        }
        if self.stopped.is_none() && self.known.len() < KEPT {
            self.known.insert(key, count);
        }
        count
    }

    /// Goes through the solutions; `false` as soon as no more are wanted.
    fn walk(
        &mut self,
        state: &H::Carry,
        last: Option<Move>,
        left: u32,
        path: &mut Path,
        found: &mut impl FnMut(&Path) -> bool,
    ) -> bool {
        if left == 0 {
            return !self.hand.is_goal() || found(path);
        }
        if self.known.get(&self.key(left)) == Some(&0) {
            return true;
        }
        for m in Move::ALL {
            if last == Some(m.opposite()) || self.stopped.is_some() {
                continue;
            }
            let Some(state) = self.forth(state, m, left) else { continue };
            path.0.push(m);
            let wanted = self.walk(&state, Some(m), left - 1, path, found);
            path.0.pop();
            self.back(m);
            if !wanted {
                return false;
            }
        }
        true
    }

    /// Makes a move, where the goal may still be reached in what is left.
    fn forth(&mut self, state: &H::Carry, m: Move, left: u32) -> Option<H::Carry> {
        let (from, to) = self.hand.make(m)?;
        self.generated += 1;
        if self.generated.is_multiple_of(4096) {
            self.stopped = self.control.check(self.generated);
        }
        let state = self.heuristic.moved(state, &self.hand.labels, from, to);
        if self.heuristic.value(&state) < left {
            return Some(state);
        }
        self.back(m);
        None
    }

    fn back(&mut self, m: Move) {
        self.hand.make(m.opposite()).expect("it was made");
    }

    fn key(&self, left: u32) -> u128 {
        xxhash_rust::xxh3::xxh3_128_with_seed(&self.hand.labels, left.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::Manhattan;

    #[test]
    fn they_are_counted_and_found_alike() {
        let grid = Grid::new(3, 3).unwrap();
        let manhattan = Manhattan::new(grid, 0);
        let control = Control::default();
        // Counted once by going through all paths of that length: 40 of 31 moves, 1 of 2.
        for labels in
            [[8, 0, 6, 5, 4, 7, 2, 3, 1], [1, 4, 2, 3, 0, 5, 6, 7, 8], [0, 1, 2, 3, 4, 5, 6, 7, 8]]
        {
            let outcome = super::super::ida_star(grid, 0, &labels, &manhattan, &control);
            let length = outcome.lower_bound;
            let mut solutions = Solutions::new(grid, 0, &labels, length, &manhattan, &control);
            let count = solutions.count().unwrap();
            let mut all = Vec::new();
            solutions
                .each(|path| {
                    all.push(path.clone());
                    true
                })
                .unwrap();
            assert_eq!(all.len() as u128, count);
            assert_eq!(Some(&all[0]), outcome.path.as_ref());
            for path in &all {
                let mut hand = Hand::new(grid, 0, &labels);
                path.iter().for_each(|m| assert!(hand.make(m).is_some()));
                assert!(hand.is_goal() && path.len() as u32 == length);
            }
            let as_text: std::collections::BTreeSet<_> = all.iter().map(Path::to_string).collect();
            assert_eq!(as_text.len(), all.len());
            assert_eq!(count, plain(&mut Hand::new(grid, 0, &labels), &manhattan, length, None));
            let mut seen = 0;
            solutions
                .each(|_| {
                    seen += 1;
                    seen < 2
                })
                .unwrap();
            assert!(seen <= 2);
        }
        let stopped = Control::default().with_nodes(0);
        let mut solutions =
            Solutions::new(grid, 0, &[8, 0, 6, 5, 4, 7, 2, 3, 1], 31, &manhattan, &stopped);
        assert_eq!(solutions.count(), Err(Stop::Nodes));
    }

    /// The same, with nothing remembered.
    fn plain(hand: &mut Hand, manhattan: &Manhattan, left: u32, last: Option<Move>) -> u128 {
        if manhattan.value(&manhattan.start(&hand.labels)) > left {
            return 0;
        }
        if left == 0 {
            return hand.is_goal().into();
        }
        let mut count = 0;
        for m in Move::ALL {
            if last != Some(m.opposite()) && hand.make(m).is_some() {
                count += plain(hand, manhattan, left - 1, Some(m));
                hand.make(m.opposite());
            }
        }
        count
    }
}
