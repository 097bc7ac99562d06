//! The move automaton of a board, packed for the inner loop.

use super::automaton;
use crate::board::Grid;

/// The automaton of the 4×4 board, computed by the build script.
static FOUR_BY_FOUR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/automaton_4x4.bin"));

/// The automaton of the 5×5 board, of length 10: the longest that 16-bit rows hold. In WebAssembly,
/// which is downloaded, it is computed when a search needs it.
#[cfg(not(target_family = "wasm"))]
static FIVE_BY_FIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/automaton_5x5.bin"));

/// The length of the automaton of other boards. Miri would take minutes to compute the long one.
const LENGTH: usize = if cfg!(miri) { 4 } else { 8 };

/// The order in which children are searched: that of [`Move::ALL`](crate::board::Move::ALL).
const ORDER: [u16; 4] = [0, 1, 2, 3];

/// The order on 5×5, that of published node counts: Down, Right, Left, Up.
const ORDER_5X5: [u16; 4] = [3, 1, 2, 0];

/// The automaton's rows in the form that the loop reads: next state × 4 + move, the permitted moves
/// in reverse order, then zeros.
pub(crate) struct Moves(Vec<[u16; 4]>);

impl Moves {
    /// The automaton of a board: of length 12 for 4×4, 10 for 5×5, and 8 for others, for which it is
    /// computed here.
    pub fn new(grid: Grid) -> Moves {
        let rows = match (grid.width(), grid.height()) {
            (4, 4) => Moves::read(FOUR_BY_FOUR),
            #[cfg(not(target_family = "wasm"))]
            (5, 5) => Moves::read(FIVE_BY_FIVE),
            // As in the build script.
            #[cfg(target_family = "wasm")]
            (5, 5) => automaton::build(5, 5, 10),
            (width, height) => automaton::build(width, height, LENGTH),
        };
        Moves::pack(grid, rows)
    }

    /// The automaton that forbids undoing the last move, and nothing else.
    pub fn without_undoing(grid: Grid) -> Moves {
        Moves::pack(grid, automaton::build(grid.width(), grid.height(), 2))
    }

    /// Reads the build script's output.
    fn read(bytes: &[u8]) -> automaton::Rows {
        let (states, _) = bytes.as_chunks::<2>();
        let (rows, _) = states.as_chunks::<4>();
        rows.iter().map(|row| row.map(u16::from_le_bytes)).collect()
    }

    /// Packs an automaton of fewer than 16,384 states.
    fn pack(grid: Grid, rows: automaton::Rows) -> Moves {
        assert!(rows.len() < 1 << 14);
        let order = if (grid.width(), grid.height()) == (5, 5) { ORDER_5X5 } else { ORDER };
        let pack = |row: [u16; 4]| {
            let mut packed = [0; 4];
            let permitted = order.into_iter().rev().filter(|&m| row[usize::from(m)] != 0);
            for (place, m) in packed.iter_mut().zip(permitted) {
                *place = row[usize::from(m)] << 2 | m;
            }
            packed
        };
        Moves(rows.into_iter().map(pack).collect())
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
