//! All optimal solutions of a position: counted, or one by one.
//!
//! A depth-first search with a heuristic to the optimal length. For each position and number of
//! moves left, the number of solutions from there is remembered, as long as there is room. Most
//! positions near the goal are reached by many paths, so counting needs far fewer nodes than there
//! are solutions.

use std::collections::HashMap;

use super::{Control, Stop};
use crate::board::{Move, Path, Position};
use crate::heuristic::Heuristic;

/// The most positions that are remembered.
const REMEMBERED: usize = 4_000_000;

/// The search for all solutions of a position.
pub struct Solutions<'a, H: Heuristic> {
    heuristic: &'a H,
    position: Position,
    start: H::Carry,
    length: u32,
    control: &'a Control,
    generated: u64,
    stopped: Option<Stop>,
    /// The number of solutions, by the hash of the position and the moves left.
    known: HashMap<u128, u128>,
}

impl<'a, H: Heuristic> Solutions<'a, H> {
    /// The search for the solutions of `length` moves, the optimal number.
    ///
    /// The heuristic must be one of the position's goal. With another one the search may panic, not
    /// end, or find a solution that is not optimal.
    pub fn new(position: &Position, length: u32, heuristic: &'a H, control: &'a Control) -> Self {
        Solutions {
            heuristic,
            position: position.clone(),
            start: heuristic.start(position.labels()),
            length,
            control,
            generated: 0,
            stopped: None,
            known: HashMap::new(),
        }
    }

    /// The number of solutions.
    ///
    /// # Errors
    /// The reason if the search was stopped.
    pub fn count(&mut self) -> Result<u128, Stop> {
        let count = self.visit(&self.start.clone(), None, self.length);
        self.stopped.map_or(Ok(count), Err)
    }

    /// Calls `found` with each solution, in the order of [`Move::ALL`], until it returns `false`.
    ///
    /// # Errors
    /// The reason if the search was stopped.
    pub fn each(&mut self, mut found: impl FnMut(&Path) -> bool) -> Result<(), Stop> {
        self.count()?;
        let mut path = Path::default();
        self.walk(&self.start.clone(), None, self.length, &mut path, &mut found);
        self.stopped.map_or(Ok(()), Err)
    }

    /// The number of solutions of `left` moves from the current position.
    fn visit(&mut self, carry: &H::Carry, last: Option<Move>, left: u32) -> u128 {
        if left == 0 {
            return self.position.is_goal().into();
        }
        // The last move is not part of the key: undoing it leads nowhere in as few moves.
        let key = self.key(left);
        if let Some(&count) = self.known.get(&key) {
            return count;
        }
        let mut count = 0_u128;
        for m in Move::ALL {
            if last == Some(m.opposite()) || self.stopped.is_some() {
                continue;
            }
            if let Some(carry) = self.forth(carry, m, left) {
                count = count.saturating_add(self.visit(&carry, Some(m), left - 1));
                self.back(m);
            }
        }
        if self.stopped.is_none() && self.known.len() < REMEMBERED {
            self.known.insert(key, count);
        }
        count
    }

    /// Goes through the solutions; returns `false` as soon as no more are wanted.
    fn walk(
        &mut self,
        carry: &H::Carry,
        last: Option<Move>,
        left: u32,
        path: &mut Path,
        found: &mut impl FnMut(&Path) -> bool,
    ) -> bool {
        if left == 0 {
            return !self.position.is_goal() || found(path);
        }
        if self.known.get(&self.key(left)) == Some(&0) {
            return true;
        }
        for m in Move::ALL {
            if last == Some(m.opposite()) || self.stopped.is_some() {
                continue;
            }
            let Some(carry) = self.forth(carry, m, left) else { continue };
            path.0.push(m);
            let wanted = self.walk(&carry, Some(m), left - 1, path, found);
            path.0.pop();
            self.back(m);
            if !wanted {
                return false;
            }
        }
        true
    }

    /// Makes a move, if the goal may still be reached in the moves left.
    fn forth(&mut self, carry: &H::Carry, m: Move, left: u32) -> Option<H::Carry> {
        let (from, to) = self.position.make(m)?;
        self.generated += 1;
        if self.generated.is_multiple_of(4096) {
            self.stopped = self.control.check(self.generated);
        }
        let carry = self.heuristic.moved(carry, self.position.labels(), from, to);
        if self.heuristic.value(&carry) < left {
            return Some(carry);
        }
        self.back(m);
        None
    }

    fn back(&mut self, m: Move) {
        self.position.make(m.opposite()).expect("it was made");
    }

    fn key(&self, left: u32) -> u128 {
        xxhash_rust::xxh3::xxh3_128_with_seed(self.position.labels(), left.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Grid;
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
            let start = Position::new(grid, 0, &labels).unwrap();
            let outcome = super::super::ida_star(&start, &manhattan, &control);
            let length = outcome.lower_bound;
            let mut solutions = Solutions::new(&start, length, &manhattan, &control);
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
                let mut position = start.clone();
                path.iter().for_each(|m| assert!(position.make(m).is_some()));
                assert!(position.is_goal() && path.len() as u32 == length);
            }
            let as_text: std::collections::BTreeSet<_> = all.iter().map(Path::to_string).collect();
            assert_eq!(as_text.len(), all.len());
            assert_eq!(count, plain(&mut start.clone(), &manhattan, length, None));
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
        let hardest = Position::new(grid, 0, &[8, 0, 6, 5, 4, 7, 2, 3, 1]).unwrap();
        let mut solutions = Solutions::new(&hardest, 31, &manhattan, &stopped);
        assert_eq!(solutions.count(), Err(Stop::Nodes));
    }

    /// The number of solutions, with nothing remembered.
    fn plain(at: &mut Position, manhattan: &Manhattan, left: u32, last: Option<Move>) -> u128 {
        if manhattan.value(&manhattan.start(at.labels())) > left {
            return 0;
        }
        if left == 0 {
            return at.is_goal().into();
        }
        let mut count = 0;
        for m in Move::ALL {
            if last != Some(m.opposite()) && at.make(m).is_some() {
                count += plain(at, manhattan, left - 1, Some(m));
                at.make(m.opposite());
            }
        }
        count
    }
}
