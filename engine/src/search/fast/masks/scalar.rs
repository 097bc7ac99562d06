//! The look-ups, one child at a time.

#[cfg(target_arch = "x86_64")]
use super::avx2::Vectors;
use super::tables::{
    MaskMove, MaskMoves, Masks, Numbering, PLACES, ROW, ROW_BITS, ROW_UNIT, ViewTables,
};
use super::view::{
    BITS_SHIFT, BLANK_SHIFT, CELLS, EVEN_SHIFT, MAX_PATTERNS, RANK, RANK_LOW, RANK_SHIFT,
    SET_SHIFT, View, WORD,
};
use crate::board::Move;
use crate::pdb::{ascending, read_byte};
use crate::prefetch::prefetch;
use crate::search::fast::space::{PatternView, Space, mix};
use std::marker::PhantomData;

/// A child's view, its table bit not yet known.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct Pending {
    view: View,
    /// The byte that holds the bit.
    byte: *const u8,
    /// The bit of the byte.
    bit: u8,
    /// The place of the bit in [`View::owners`].
    shift: u8,
    /// The new bit for which h falls.
    falls: u8,
}

impl Space for Masks {
    type View = View;
    type Tables<'a> = ViewTables<'a>;
    type Pending = Pending;

    #[cfg(target_arch = "x86_64")]
    type Vectors = Vectors;

    fn tables<'a>(&'a self, patterns: &[PatternView<'a>]) -> ViewTables<'a> {
        let grid = self.grid;
        let steps = |blank: usize, m: Move| {
            let mut steps = MaskMoves::default();
            let Some(from) = grid.source(blank, m) else { return steps };
            for (step, pattern) in steps.0.iter_mut().zip(patterns) {
                let [shown, to] = [from, blank].map(|cell| pattern.symmetry.cell(grid, cell));
                let (first, second) = (shown.min(to), shown.max(to));
                *step = MaskMove {
                    flip: 1 << shown | 1 << to | 1 << EVEN_SHIFT,
                    before: (1 << first) - 1,
                    between: (1 << (second - first - 1)) - 1,
                    skip: first as u8 + 1,
                    cell: shown as u8,
                    offset: self.offsets[&(shown, to)],
                    from: 2 * from as u16,
                };
            }
            steps
        };
        let blanks = 0..grid.cells();
        let steps = blanks.flat_map(|blank| Move::ALL.map(|m| steps(blank, m))).collect();
        let side = |p: usize| {
            // Patterns that a partition does not have never move.
            let table = patterns[p.min(patterns.len() - 1)].table;
            let pattern = table.pattern();
            let numbering = &self.numberings[&pattern.len()];
            assert_eq!(pattern.grid(), self.grid);
            numbering.side(table.bytes().as_ptr())
        };
        ViewTables { steps, sides: std::array::from_fn(side), tables: PhantomData }
    }

    fn view(&self, patterns: &[PatternView<'_>], labels: &[u8]) -> View {
        let mut view = View::default();
        for (p, shown) in patterns.iter().enumerate() {
            let state = shown.state(labels);
            let residue = shown.table.residue(state);
            let Numbering { up, .. } = self.numberings[&shown.table.pattern().len()];
            view.words[p] = state.mask
                | u64::from(residue & 1 ^ 1) << EVEN_SHIFT
                | (state.rank as u64) << up << RANK_SHIFT
                | u64::from(ascending(state.mask)) << SET_SHIFT;
            view.owners |= u64::from(residue >> 1) << (BITS_SHIFT + p as u32);
            for cell in (0..self.grid.cells())
                .filter(|&cell| state.mask & 1 << shown.symmetry.cell(self.grid, cell) != 0)
            {
                view.owners |= (p as u64) << (2 * cell);
            }
        }
        let wanted = patterns[0].blank;
        let blank = labels.iter().position(|&label| usize::from(label) == wanted);
        let blank = blank.expect("the blank is on the board") as u64;
        view.owners |= (2 * blank) << BLANK_SHIFT;
        view
    }

    #[inline(always)]
    unsafe fn child(&self, view: &View, m: usize, tables: &ViewTables<'_>) -> Pending {
        let place = (view.owners >> BLANK_SHIFT) as usize * 2 + m;
        debug_assert!(place < tables.steps.len());
        // SAFETY: the blank of a view is in a cell of the board; `m` is 0 to 3.
        let MaskMoves(steps) = unsafe { tables.steps.get_unchecked(place) };
        let pattern = (view.owners >> (steps[0].from & 63)) as usize % MAX_PATTERNS;
        let (step, side, word) = (&steps[pattern], &tables.sides[pattern], view.words[pattern]);
        let before = (word as u32 & step.before).count_ones();
        let between = (word >> (step.skip & 63)) as usize & usize::from(step.between);
        let change = (usize::from(step.offset) + between) * PLACES + before as usize;
        // SAFETY: the changes are those for the number of tiles that the word has.
        let change = unsafe { *side.changes.add(change) };
        let set = (word >> SET_SHIFT) as u32;
        let set = set.wrapping_add_signed(change >> ROW_BITS);
        let rank = (word >> RANK_SHIFT) as u32 & RANK;
        let transition = (change & ROW) as u32 * ROW_UNIT as u32 + (rank >> RANK_LOW);
        // SAFETY: the tables of a side are whole ones for the number of tiles that the word has; its
        // set is that of its mask, as changes keep it so; its rank is one of its orders, as
        // transitions lead only to such.
        let (changed, record) = unsafe {
            let changed = *side.transitions.add(transition as usize);
            (u32::from(changed), *side.records.add(set as usize))
        };
        // SAFETY: the set is one of the pattern's number of tiles.
        let cohort = unsafe { side.cohort(set, record, usize::from(step.cell)) };
        let rank = changed ^ (word >> RANK_SHIFT) as u32 & ((1 << RANK_LOW) - 1);
        let byte = rank * side.row_bytes as u32 + cohort / 8;
        let after = u64::from(word as u32 & CELLS ^ step.flip)
            | u64::from(rank) << RANK_SHIFT
            | u64::from(set) << SET_SHIFT;
        // All words are written, so that they are copied in the pieces in which they were written.
        let words = std::array::from_fn(|p| view.words[p] ^ (word ^ after) & WORD[pattern][p]);
        let (owner, from) = (pattern as u64, step.from & 63);
        let to = (view.owners >> BLANK_SHIFT) as u8 & 63;
        let shift = BITS_SHIFT as u8 + pattern as u8;
        let bit = view.owners >> shift & 1;
        let owners = view.owners & ((1 << BLANK_SHIFT) - 1)
            ^ (owner << from | owner << to | bit << shift)
            | u64::from(from) << BLANK_SHIFT;
        Pending {
            view: View { words, owners },
            byte: side.table.wrapping_add(byte as usize),
            bit: (cohort % 8) as u8,
            shift,
            // From an even h, the bit changes where h falls; from an odd one, where it rises.
            falls: (bit ^ word >> EVEN_SHIFT & 1) as u8,
        }
    }

    #[inline(always)]
    fn fetch_child(&self, child: &Pending) {
        prefetch(child.byte);
    }

    /// The small tables stay in the second-level cache.
    #[inline(always)]
    fn fetch_view(&self, _view: &View, _tables: &ViewTables<'_>) {}

    #[inline(always)]
    unsafe fn resolve(child: &Pending) -> (View, u64) {
        // SAFETY: `child` made a pointer into a table that the caller says is alive.
        let byte = u32::from(unsafe { read_byte(child.byte) });
        let bit = u64::from(byte >> (child.bit & 7) & 1);
        let View { words, owners } = child.view;
        (View { words, owners: owners | bit << (child.shift & 63) }, bit ^ u64::from(child.falls))
    }

    #[inline(always)]
    fn same_position(a: &View, b: &View) -> bool {
        a.words == b.words
    }

    fn hash(view: &View) -> u64 {
        // Products, because they can be computed at the same time. A product has the zeros at the end of
        // its word, so the rank is moved there.
        let folded = view.words.iter().map(|word| word ^ word >> RANK_SHIFT);
        let terms = folded.zip(FACTORS).map(|(word, factor)| word.wrapping_mul(factor));
        mix(terms.fold(0, u64::wrapping_add))
    }
}

/// The factors of a hash's terms: odd numbers of many bits.
const FACTORS: [u64; MAX_PATTERNS] = [mix(1) | 1, mix(2) | 1, mix(3) | 1, mix(4) | 1];

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Cancel;
    use crate::board::{Grid, Symmetry};
    use crate::pdb::{Index, Partition, Pattern, Table, generate};

    /// A partition's tables.
    pub fn tables(partition: &Partition) -> Vec<Table> {
        let table = |pattern: &Pattern| {
            let index = Arc::new(Index::new(pattern.grid(), pattern.len()));
            let bits = generate(&index, pattern, &Cancel::new(), &mut |_| ()).unwrap().bits;
            Table::new(*pattern, index, bits)
        };
        partition.patterns().iter().map(table).collect()
    }

    /// After each of many moves, a view equals the view made from the board, and h changes by the reported amount.
    fn wander(width: usize, height: usize, partition: &str, steps: usize) {
        let grid = Grid::new(width, height).unwrap();
        let partition = Partition::parse(partition, grid, 0).unwrap();
        let tables = tables(&partition);
        let masks = Masks::new(grid, tables.iter().map(|table| table.index().clone()));
        let seen = |symmetry| {
            let seen = |table| PatternView { table, symmetry, blank: 0 };
            tables.iter().map(seen).collect::<Vec<_>>()
        };
        let value = |patterns: &[PatternView<'_>], labels: &[u8]| -> u32 {
            patterns.iter().map(|pattern| pattern.value(labels).unwrap()).sum()
        };
        let symmetries = [Symmetry::IDENTITY, Symmetry::TRANSPOSE];
        for symmetry in symmetries.into_iter().take(1 + usize::from(width == height)) {
            let seen = seen(symmetry);
            let view_tables = masks.tables(&seen);
            let mut labels: Vec<u8> = (0..grid.cells() as u8).collect();
            let mut view = masks.view(&seen, &labels);
            let (mut blank, mut random) = (0, 1u64);
            for _ in 0..steps {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let m = Move::ALL[(random >> 62) as usize];
                let Some(from) = grid.source(blank, m) else { continue };
                let before = value(&seen, &labels);
                // SAFETY: the view is of these tables, and the move stays on the board.
                let (child, rose) =
                    unsafe { Masks::resolve(&masks.child(&view, m as usize, &view_tables)) };
                labels.swap(blank, from);
                blank = from;
                view = child;
                assert_eq!(view, masks.view(&seen, &labels), "{labels:?}");
                assert_eq!(before + 2 * rose as u32 - 1, value(&seen, &labels), "{labels:?}");
            }
        }
    }

    #[test]
    fn a_view_that_moves_is_the_view_of_the_position() {
        if cfg!(miri) {
            return wander(2, 3, "1,2/3,4/5", 50);
        }
        wander(4, 4, "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15", 5_000);
        wander(5, 3, "1,2,3,4,5,6,7/8,9,10,11,12,13,14", 5_000);
        wander(3, 4, "1,2,3,4,5,6/7,8,9/10/11", 5_000);
    }
}
