//! The move automaton of a board, packed for the inner loop.

use super::automaton::{self, Forbidden};
use crate::board::Grid;
use crate::search::bits::Field;

/// The words that the automata of 4×4 and 5×5 forbid, as tries, computed by the build script: to find the words
/// takes a tenth of a second. The automaton of 5×5 has 52,606 states. One of length 14 would have more states
/// than 16 bits of a node can tell apart. WebAssembly computes it, to keep the .wasm small.
static TRIE_4X4: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/trie_4x4.bin"));
#[cfg(not(target_family = "wasm"))]
static TRIE_5X5: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/trie_5x5.bin"));

/// The words with the minimal ones: the blank's cell, the length, the forbidden word, the
/// minimal one. WebAssembly computes them when
/// solutions are counted, to keep the .wasm small.
const EQUIVALENTS: [&[u8]; 2] = match cfg!(target_family = "wasm") {
    true => [&[], &[]],
    false => [
        include_bytes!(concat!(env!("OUT_DIR"), "/equivalents_4x4.bin")),
        include_bytes!(concat!(env!("OUT_DIR"), "/equivalents_5x5.bin")),
    ],
};

/// The length of the automaton of other boards. Miri would take minutes to compute the long one.
const LENGTH: usize = if cfg!(miri) { 4 } else { 8 };

/// The most cells of a board whose automaton has more than the words that undo a move. The automata of larger
/// boards take too long to compute.
const AUTOMATON_CELLS: usize = automaton::MOST_CELLS;

/// The order in which children are searched, as in [`Move::ALL`](crate::board::Move::ALL).
const ORDER: [u16; 4] = [0, 1, 2, 3];

/// The order on 5×5, as in published node counts: Down, Right, Left, Up.
const ORDER_5X5: [u16; 4] = [3, 1, 2, 0];

/// A move that a state permits, and the state after it. 0 stands for none: no move leads to the state 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Step(pub u32);

impl Step {
    /// The number of the move.
    pub const MOVE: Field = Field::new(0, 2);
    /// The next state.
    pub const STATE: Field = Self::MOVE.then(16);

    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub fn m(self) -> usize {
        Self::MOVE.of(u64::from(self.0)) as usize
    }
}

/// The steps of a state, the last move to try first, then none.
pub(crate) type Steps = [Step; 4];

/// The most steps of a state: the most children of a node.
pub(crate) const MOST_STEPS: usize = 4;

/// The number of a state's steps.
#[inline(always)]
pub(crate) fn number_of_steps(steps: &Steps) -> usize {
    steps.iter().map(|step| usize::from(!step.is_none())).sum()
}

/// The automaton in the form that the loop reads: the steps of each state.
pub(crate) struct StepTable(Vec<Steps>);

/// The automaton of a board: of length 12 for 4×4 and 5×5, and 8 for others of up to 25 cells, for which it is
/// computed here.
pub(crate) fn rows(grid: Grid) -> automaton::Rows {
    match (grid.width(), grid.height()) {
        (4, 4) => automaton::rows(4, 4, TRIE_4X4),
        #[cfg(not(target_family = "wasm"))]
        (5, 5) => automaton::rows(5, 5, TRIE_5X5),
        #[cfg(target_family = "wasm")]
        (5, 5) => automaton::build(5, 5, automaton::LONG),
        (width, height) if grid.cells() <= AUTOMATON_CELLS => {
            automaton::build(width, height, LENGTH)
        }
        (width, height) => automaton::without_undoing(width, height),
    }
}

impl StepTable {
    /// The automaton of a board.
    pub fn new(grid: Grid) -> StepTable {
        StepTable::pack(grid, rows(grid))
    }

    /// The forbidden words that a path without detours may have, with the minimal words for the
    /// same positions.
    pub fn equivalents(grid: Grid) -> Vec<Forbidden> {
        let (length, built) = match (grid.width(), grid.height()) {
            (4, 4) => (automaton::LONG, EQUIVALENTS[0]),
            (5, 5) => (automaton::LONG, EQUIVALENTS[1]),
            _ => (LENGTH, &[][..]),
        };
        if !built.is_empty() {
            return read_equivalents(built);
        }
        let mut words = automaton::forbidden_words(grid.width(), grid.height(), length);
        words.retain(Forbidden::is_as_short);
        words
    }

    /// The automaton that forbids undoing the last move, and nothing else.
    pub fn without_undoing(grid: Grid) -> StepTable {
        StepTable::pack(grid, automaton::without_undoing(grid.width(), grid.height()))
    }

    /// Packs an automaton, whose states have 16 bits.
    fn pack(grid: Grid, rows: automaton::Rows) -> StepTable {
        assert!(rows.len() <= 1 << 16);
        let order = if (grid.width(), grid.height()) == (5, 5) { ORDER_5X5 } else { ORDER };
        // Which moves are permitted is unpredictable, so there are no branches on that.
        let pack = |row: [u16; 4]| {
            let mut steps = Steps::default();
            let mut next = 0;
            for m in order.into_iter().rev() {
                let state = row[usize::from(m)];
                let step = Step::STATE.word(u64::from(state)) | u64::from(m);
                steps[next & 3] = Step(if state == 0 { 0 } else { step as u32 });
                next += usize::from(state != 0);
            }
            steps
        };
        StepTable(rows.into_iter().map(pack).collect())
    }

    /// The state of no move made yet, with the blank in a cell.
    pub fn start(&self, blank: usize) -> u16 {
        1 + blank as u16
    }

    /// The steps of a state.
    #[inline(always)]
    pub fn of(&self, state: u64) -> &Steps {
        &self.0[state as usize]
    }

    /// The address of a state's steps, for a prefetch.
    #[inline(always)]
    pub fn address(&self, state: u64) -> *const u8 {
        self.0.as_ptr().wrapping_add(state as usize).cast()
    }
}

/// Reads the build script's output.
fn read_equivalents(mut bytes: &[u8]) -> Vec<Forbidden> {
    let mut all = Vec::new();
    while let [start, length, rest @ ..] = bytes {
        let (word, rest) = rest.split_at(usize::from(*length));
        let (minimal, rest) = rest.split_at(usize::from(*length));
        let (word, minimal) = (word.to_vec(), minimal.to_vec());
        all.push(Forbidden { start: usize::from(*start), word, minimal });
        bytes = rest;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other automata have other node counts.
    #[test]
    fn automata_have_not_changed() {
        for (side, trie, hash) in
            [(4, TRIE_4X4, 2_630_643_017_586_764_151), (5, TRIE_5X5, 17_284_265_347_002_586_666)]
        {
            let rows = automaton::rows(side, side, trie);
            let bytes: Vec<u8> = rows.as_flattened().iter().flat_map(|s| s.to_le_bytes()).collect();
            assert_eq!(xxhash_rust::xxh3::xxh3_64(&bytes), hash);
        }
    }
}
