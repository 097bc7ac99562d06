//! States in layers by their distance from the start.

use super::heuristic::ClassTables;
use crate::board::{Board, Grid, Move, OpenPosition, Wish};
use crate::parallel::{map_chunks, sort, threads};
use crate::search::run::{Meter, Stop};
use crate::search::solutions::{EMPTY, Layer, PackedState, States, in_cell, state};

/// The states that a thread expands at once.
const CHUNK: usize = 1 << 10;

/// The chunks for each thread between two looks at the limits.
const TURNS: usize = 8;

/// The space of the states of a goal, for a search.
pub(super) struct StateSpace<'a> {
    pub states: States,
    /// The state at which the search begins.
    pub start: PackedState,
    pub tables: &'a ClassTables,
    /// The bits of the cells that matter, and their values in the goal.
    matters: PackedState,
    wanted: PackedState,
    /// The parity of the cells where the blank may end, if all have the same.
    end: Option<u32>,
}

impl<'a> StateSpace<'a> {
    pub fn new(position: &OpenPosition, tables: &'a ClassTables) -> StateSpace<'a> {
        let (grid, wishes) = (position.grid(), position.goal().cells());
        let (mut matters, mut wanted) = (0, 0);
        for (cell, &wish) in wishes.iter().enumerate() {
            let class = match wish {
                Wish::Any => continue,
                Wish::Blank => EMPTY,
                Wish::Label(class) => class,
            };
            matters |= in_cell(EMPTY, cell);
            wanted |= in_cell(class, cell);
        }
        let end = if wishes.contains(&Wish::Blank) { Wish::Blank } else { Wish::Any };
        let ends = (0..wishes.len()).filter(|&cell| wishes[cell] == end);
        let mut ends = ends.map(|cell| colour(grid, cell));
        let end = ends.next().filter(|first| ends.all(|other| other == *first));
        let (states, start) = (States::new(grid), state_of(position, position.board()));
        StateSpace { states, start, tables, matters, wanted, end }
    }

    pub fn is_goal(&self, state: PackedState) -> bool {
        state & self.matters == self.wanted
    }

    /// The least length of a solution that is at least `bound`, by the parity of the blank's steps.
    pub fn of_parity(&self, bound: u32) -> u32 {
        let blank = colour(self.states.grid(), self.states.blank(self.start));
        match self.end {
            Some(end) if (blank + end + bound) % 2 == 1 => bound + 1,
            _ => bound,
        }
    }

    /// A lower bound on the length of a solution.
    pub fn bound(&self) -> u32 {
        self.of_parity(self.value())
    }

    /// The tables' value of the start.
    pub fn value(&self) -> u32 {
        let (masks, blank) = self.states.masks(self.start);
        self.tables.value(&masks, blank)
    }

    /// The layers of a threshold, up to an empty one, and the least number of moves beyond the threshold that
    /// other states would need. There is room for so many states. `None` after a layer with which the search
    /// has generated more than `most` nodes.
    ///
    /// # Errors
    /// The reason if the search is stopped.
    pub fn layers(
        &self,
        threshold: u32,
        most: u64,
        mut room: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<(Vec<Layer>, u32)>, Stop> {
        let (mut layers, mut beyond) = (vec![vec![self.start]], u32::MAX);
        for budget in (0..threshold).rev() {
            let (layer, earlier) = layers.split_last().expect("the start is a layer");
            let mut next = Layer::new();
            for states in layer.chunks(TURNS * threads() * CHUNK) {
                let expand = |_, states: &[PackedState]| self.expand(states, budget);
                for (part, generated, least) in map_chunks(states, CHUNK, expand) {
                    meter.generated += generated;
                    beyond = least.min(beyond);
                    next.try_reserve(part.len()).map_err(|_| Stop::Memory)?;
                    next.extend(part);
                }
                meter.expanded += states.len() as u64;
                meter.check()?;
                // They exist twice while they are put in order.
                if 2 * next.len() > room {
                    return Err(Stop::Memory);
                }
            }
            sort(&mut next);
            next.dedup();
            // A state was seen before only in the layer of its parents' parents.
            let mut seen = earlier.last().into_iter().flatten().peekable();
            next.retain(|state| {
                while seen.next_if(|&old| old < state).is_some() {}
                seen.peek() != Some(&state)
            });
            if next.is_empty() {
                break;
            }
            next.shrink_to_fit();
            room = room.saturating_sub(next.len());
            layers.push(next);
            if meter.generated > most {
                return Ok(None);
            }
        }
        Ok(Some((layers, beyond)))
    }

    /// The children of some states, the number generated, and the least number of moves beyond the budget
    /// that a pruned one would need.
    fn expand(&self, states: &[PackedState], budget: u32) -> (Vec<PackedState>, u64, u32) {
        let (mut children, mut generated, mut beyond) = (Vec::new(), 0, u32::MAX);
        for &state in states {
            self.for_each_child(state, |_, value, child| {
                generated += 1;
                match value.checked_sub(budget) {
                    None | Some(0) => children.push(child),
                    Some(more) => beyond = more.min(beyond),
                }
            });
        }
        (children, generated, beyond)
    }

    /// Calls `take` with each move of a state, and the lower bound and the state after it.
    #[inline]
    pub fn for_each_child(&self, state: PackedState, mut take: impl FnMut(Move, u32, PackedState)) {
        let (mut masks, blank) = self.states.masks(state);
        let ranks = self.tables.ranks(&masks);
        for (m, class, from, child) in self.states.children(state, blank) {
            let moved = 1 << from | 1 << blank;
            masks[usize::from(class)] ^= moved;
            take(m, self.tables.value_after(&ranks, class, &masks, from), child);
            masks[usize::from(class)] ^= moved;
        }
    }

    /// Leaves only the states on paths from the first layer to goals in the last one.
    pub fn keep_solutions(&self, layers: &mut [Layer]) {
        let Some(last) = layers.last_mut() else { return };
        last.retain(|&state| self.is_goal(state));
        for depth in (1..layers.len()).rev() {
            let (layer, below) = layers.split_at_mut(depth);
            let (layer, below) = (&mut layer[depth - 1], &below[0]);
            let leads = |&state: &PackedState| {
                let mut children = self.states.children(state, self.states.blank(state));
                children.any(|(.., child)| below.binary_search(&child).is_ok())
            };
            let kept =
                |_, part: &[PackedState]| part.iter().copied().filter(leads).collect::<Vec<_>>();
            *layer = map_chunks(layer, CHUNK, kept).concat();
        }
    }
}

/// The state of a board for the position's goal.
fn state_of(position: &OpenPosition, board: &Board) -> PackedState {
    // The class of the blank has the largest number.
    state(board.tiles().iter().map(|&tile| position.class(tile).min(EMPTY)))
}

fn colour(grid: Grid, cell: usize) -> u32 {
    (grid.row(cell) + grid.column(cell)) as u32 % 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Moves, OpenGoal};
    use crate::search::open::heuristic::{TablePlan, TableSizes};
    use crate::search::open::numbering::bits;
    use crate::search::run::Limits;

    #[test]
    fn states_move_as_boards_do() {
        let goal = OpenGoal::parse("A A B / * B _", None).unwrap();
        let board = goal.read("A B B / A C _").unwrap();
        let position = OpenPosition::new(&goal, &board).unwrap();
        let plan = TablePlan::of(&position, TableSizes::SMALL);
        let tables = ClassTables::build(&plan, &goal, &Limits::default()).unwrap();
        let space = StateSpace::new(&position, &tables);
        let mut board = position.board().clone();
        for m in "DRURDLLUR".parse::<Moves>().unwrap().iter() {
            let state = state_of(&position, &board);
            let (masks, blank) = space.states.masks(state);
            assert_eq!((blank, masks[0].count_ones()), (board.blank(), 2));
            assert_eq!(bits(masks[31]).collect::<Vec<_>>(), [blank]);
            let child = space.states.children(state, blank).find(|child| child.0 == m);
            assert_eq!(board.apply(m), child.is_some());
            if let Some((.., child)) = child {
                assert_eq!(child, state_of(&position, &board));
                assert_eq!(space.is_goal(child), position.is_reached(&board));
            }
        }
    }
}
