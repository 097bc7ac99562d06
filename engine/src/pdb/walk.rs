//! The values of states, found by walking downhill.
//!
//! A table has a bit for each state, which shows whether a neighbour is nearer to the goal. A step of a walk
//! looks at one neighbour after the other until one is. Each look reads a different place in the table, most
//! likely not in the cache, and the next look depends on it. Different walks are independent, so
//! [`Table::values`] takes several of them in turn. Each prefetches the bit that it looks at in its next
//! turn.

use super::states::{PatternMoves, State};
use super::table::{BrokenTable, Table};
use crate::prefetch::prefetch;

/// The number of walks at a time.
const WALKS: usize = 32;

/// The largest value: a file's header has 256 levels.
const MOST: u32 = 255;

impl Table {
    /// The number of moves of the pattern's tiles from a state to the goal. A walk downhill finds it, with
    /// one step for each move and a few look-ups for each step.
    ///
    /// # Errors
    /// [`BrokenTable`] when the walk comes to a state without a way down, does not reach the goal
    /// in 255 steps, or finds another value than 0 there.
    pub fn value(&self, state: State) -> Result<u32, BrokenTable> {
        Ok(self.values(&[state])?[0])
    }

    /// The values of states, in their order. Many states take half the time of a
    /// [`Table::value`] for each.
    ///
    /// # Errors
    /// As [`Table::value`].
    pub fn values(&self, states: &[State]) -> Result<Vec<u32>, BrokenTable> {
        let mut values = vec![0; states.len()];
        let mut waiting =
            states.iter().zip(&mut values).map(|(&state, value)| (Walk::new(self, state), value));
        let mut walks: Vec<_> = waiting.by_ref().take(WALKS).collect();
        while !walks.is_empty() {
            let mut turn = 0;
            while let Some((walk, value)) = walks.get_mut(turn) {
                if let Some(found) = walk.look(self)? {
                    **value = found;
                    let Some(next) = waiting.next() else {
                        walks.swap_remove(turn);
                        continue;
                    };
                    walks[turn] = next;
                }
                turn += 1;
            }
        }
        Ok(values)
    }
}

/// A walk downhill.
struct Walk {
    /// The state that the walk is at, the number of steps to it, and the moves from there that it
    /// has not looked at. Before the first look there are none.
    state: State,
    steps: u32,
    moves: PatternMoves,
    /// The value of the next state, modulo 4; any before the first look.
    wanted: Option<u32>,
    /// The neighbour that it looks at next, and its cohort.
    next: State,
    cohort: usize,
}

impl Walk {
    fn new(table: &Table, start: State) -> Walk {
        let mut walk = Walk {
            state: start,
            steps: 0,
            moves: PatternMoves::default(),
            wanted: None,
            next: start,
            cohort: 0,
        };
        walk.look_next_at(table, start);
        walk
    }

    fn look_next_at(&mut self, table: &Table, next: State) {
        self.next = next;
        self.cohort = table.cohort(next);
        prefetch(table.bytes().as_ptr().wrapping_add(table.byte(self.cohort, next.rank)));
    }

    /// Looks at a neighbour, and goes there if it is nearer to the goal. Returns the number of
    /// steps at the end of the walk.
    fn look(&mut self, table: &Table) -> Result<Option<u32>, BrokenTable> {
        let broken = || BrokenTable { pattern: table.pattern() };
        let residue = table.residue_in(self.cohort, self.next);
        if self.wanted.is_none_or(|wanted| wanted == residue) {
            if table.is_goal(self.cohort, self.next) {
                return if residue == 0 { Ok(Some(self.steps)) } else { Err(broken()) };
            }
            if self.steps == MOST {
                return Err(broken());
            }
            self.steps += 1;
            self.state = self.next;
            let (mask, flood) = (self.state.mask, table.index().flood());
            let zone = flood.region(self.state.blank as u32, flood.all & !mask);
            self.moves = table.index().moves(mask, zone);
            self.wanted = Some((residue + 3) % 4);
        }
        let (from, to) = self.moves.next().ok_or_else(broken)?;
        self.look_next_at(table, table.after(self.state, from, to));
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Cancel;
    use crate::board::Grid;
    use crate::pdb::{Buffer, Index, Pattern, generate};

    fn pattern() -> Pattern {
        Pattern::new(Grid::new(3, 2).unwrap(), 5, [0, 1, 4]).unwrap()
    }

    /// A state in each cohort, with each order.
    fn states(index: &Index) -> Vec<State> {
        let blanks = |mask: u64| (0..6).filter(move |cell| mask & 1 << cell == 0);
        let orders = 0..index.orders().len();
        (0..index.sets())
            .map(|set| index.mask(set))
            .flat_map(|mask| blanks(mask).map(move |blank| (mask, blank)))
            .flat_map(|(mask, blank)| orders.clone().map(move |rank| State { mask, blank, rank }))
            .collect()
    }

    #[test]
    fn values_of_many_states_are_those_of_each() {
        let index = Arc::new(Index::new(pattern().grid(), 3));
        let generated = generate(&index, &pattern(), &Cancel::new(), &mut |_| ()).unwrap();
        let table = Table::new(pattern(), index, generated.bits);
        let states = states(table.index());
        let each: Vec<u32> = states.iter().map(|&state| table.value(state).unwrap()).collect();
        assert!(each.contains(&0) && states.len() > 2 * WALKS);
        for count in [0, 1, WALKS - 1, WALKS, WALKS + 1, states.len()] {
            assert_eq!(table.values(&states[..count]).unwrap(), each[..count]);
        }
    }

    #[test]
    fn a_damaged_table_has_no_values() {
        let index = Arc::new(Index::new(pattern().grid(), 3));
        for byte in [0, 255] {
            let bits = Buffer::copy_of(&vec![byte; Table::length(&index)]).unwrap();
            let table = Table::new(pattern(), Arc::clone(&index), bits);
            let states = states(&index);
            assert!(states.iter().any(|&state| table.value(state).is_err()));
            assert_eq!(table.values(&states), Err(BrokenTable { pattern: pattern() }));
        }
    }
}
