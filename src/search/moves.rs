//! The move automaton of a board, packed for the inner loop.

use super::automaton;
use crate::board::Grid;

/// The automaton of the 4×4 board, made by the build script.
static FOUR_BY_FOUR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/automaton_4x4.bin"));

/// The automaton's rows as the loop wants them: next state × 4 + move, the permitted moves last
/// first, then zeros.
pub(crate) struct Moves(Vec<[u16; 4]>);

impl Moves {
    /// The automaton of a board: of length 12 for 4×4, shorter for others, whose searches it has
    /// to be built for first.
    pub fn new(grid: Grid) -> Moves {
        if (grid.width(), grid.height()) == (4, 4) {
            let (states, _) = FOUR_BY_FOUR.as_chunks::<2>();
            let (rows, _) = states.as_chunks::<4>();
            return Moves::pack(rows.iter().map(|row| row.map(u16::from_le_bytes)));
        }
        Moves::pack(automaton::build(grid.width(), grid.height(), 8).into_iter())
    }

    /// Packs an automaton of fewer than 16,384 states.
    fn pack(rows: impl ExactSizeIterator<Item = [u16; 4]>) -> Moves {
        assert!(rows.len() < 1 << 14);
        let pack = |row: [u16; 4]| {
            let mut packed = [0; 4];
            let permitted = (0..4).rev().filter(|&m| row[m] != 0);
            for (place, m) in packed.iter_mut().zip(permitted) {
                *place = row[m] << 2 | m as u16;
            }
            packed
        };
        Moves(rows.map(pack).collect())
    }

    /// The state of no move made yet, with the blank in a cell.
    pub fn start(&self, blank: usize) -> u16 {
        1 + blank as u16
    }

    /// The row of a state.
    #[inline(always)]
    pub fn row(&self, state: u64) -> &[u16; 4] {
        &self.0[state as usize]
    }

    /// The address of a state's row, for a prefetch.
    #[inline(always)]
    pub fn line(&self, state: u64) -> *const u8 {
        self.0.as_ptr().wrapping_add(state as usize).cast()
    }
}
