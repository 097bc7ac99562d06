//! Masks instead of a board, for up to four patterns that together hold every tile.
//!
//! A *view* of a position is what one partition's tables need of it. For each pattern there is a
//! word: the mask of its tiles' cells, the number of that set, the rank of the tiles' order. One
//! more word holds the pattern of each cell's tile and the current table bits. A view is 40 bytes,
//! and a move changes two of the five words. Each pattern may be seen through a symmetry of the
//! board. This covers both the mirror of a partition and patterns that share a table.
//!
//! A move of the tile in a cell to the blank's cell:
//!
//! 1. The cell's entry gives the pattern that moves.
//! 2. The number of its tiles before both cells, and the set of those between them, determine how
//!    the number of the set changes, and how the order is permuted:
//!    `changes[cells][between][before]`.
//! 3. `transition[row][rank]` gives the new rank.
//! 4. The record of the new set gives the cohort. Cohort and rank are the address of the new bit.
//! 5. Old bit, new bit and parity show whether h rose or fell by one.
//!
//! Unlike the [coordinates](super::coordinates) of two patterns, no table has an entry for each
//! placement of all tiles: four patterns have too many. As there, nothing branches on a table bit
//! or on the pattern moved.

#[cfg(target_arch = "x86_64")]
mod vectors;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;
use std::sync::Arc;

use super::space::{PatternView, Space, mix};
use crate::board::{Grid, Move};
use crate::pdb::{Index, ascending, read_byte, row_bytes};
use crate::prefetch::prefetch;

/// The most patterns of a partition.
pub(crate) const MAX_PATTERNS: usize = 4;

/// The most cells of a board: a mask has that many bits.
pub(crate) const MAX_MASK_CELLS: usize = 25;

/// The most tiles of a pattern: ranks have 13 bits, sets 19.
pub(crate) const MAX_TILES: usize = 7;

/// A view of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct View {
    /// A word for each pattern, as its symmetry shows it. Bits 0 to 24: the cells of its tiles.
    /// 25: whether h is even. From 26: the rank, moved up so that it has [`RANK_LOW`] low bits that
    /// do not tell a transition where to read. From 40: the number of the set.
    words: [u64; MAX_PATTERNS],
    /// Without symmetry: two bits a cell for the pattern that holds its tile, 0 for the blank;
    /// from bit 50 the table bits; from bit 56 twice the blank's cell.
    owners: u64,
}

const EVEN_SHIFT: u32 = 25;
const RANK_SHIFT: u32 = 26;
const RANK: u32 = (1 << 13) - 1;
const RANK_LOW: u32 = 3;
const SET_SHIFT: u32 = 40;
/// The cells and the parity.
const CELLS: u32 = (1 << RANK_SHIFT) - 1;
const BITS_SHIFT: u32 = 2 * MAX_MASK_CELLS as u32;
const BLANK_SHIFT: u32 = 56;

/// Small tables for boards of one size.
pub(crate) struct Masks {
    grid: Grid,
    /// [`MaskMove::offset`] by the cells that a tile leaves and comes to.
    offsets: BTreeMap<(usize, usize), u16>,
    numberings: BTreeMap<usize, Numbering>,
}

/// Small tables for patterns of one number of tiles: from the mask of a pattern's cells to its
/// cohort, and from rank to rank.
struct Numbering {
    index: Arc<Index>,
    /// The number of bits by which ranks are shifted up.
    up: u32,
    /// By the number of the set, in ascending order of the masks.
    records: Vec<Record>,
    /// The bits of a record that hold the cohort.
    cohort_bits: u32,
    /// The distinct zone maps of all sets, the most frequent ones first.
    zone_maps: Vec<ZoneMap>,
    /// The zone map of each set, for sets whose record has no room for it.
    rare: Vec<u32>,
    /// The effect of a move, by [`MaskMove::offset`], the tiles between, and the number of those before.
    changes: Vec<Change>,
    /// Rows of whole [`ROW_UNIT`]s.
    transitions: Vec<u16>,
}

/// Bits 0 to 11: the start of the row of transitions, in [`ROW_UNIT`]s. Above: the difference of
/// the numbers of the sets.
type Change = i32;

const ROW_UNIT: usize = 8;
const ROW_BITS: u32 = 12;
const ROW: i32 = (1 << ROW_BITS) - 1;
/// Numbers of tiles before a move: below this.
const PLACES: usize = 8;

/// A set of cells: its first cohort in the low bits, and above it the number of its zone map, or a
/// reference to [`Numbering::rare`]. There is a record for each set, and they must stay in the
/// second-level cache.
type Record = u32;

/// The zone of each free cell; room for 32 cells, so that a zone map is half a cache line.
type ZoneMap = [u8; 32];

/// A move of the tile in one cell to another, as a pattern's symmetry shows it.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct MaskMove {
    /// Both cells, and [`EVEN_SHIFT`].
    flip: u32,
    /// The cells before both.
    before: u32,
    /// The cells between them, once the first of both and those before it are shifted out.
    between: u16,
    /// The number of cells shifted out.
    skip: u8,
    /// The tile's cell.
    cell: u8,
    /// The place of this move in [`Numbering::changes`], in [`PLACES`].
    offset: u16,
    /// Twice the tile's cell, without symmetry: the same for all patterns.
    from: u16,
}

/// The steps of one move for all patterns: one cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct MaskMoves([MaskMove; MAX_PATTERNS]);

/// Everything that a view reads.
pub(crate) struct ViewTables<'a> {
    /// By four times the blank's cell plus the move.
    steps: Vec<MaskMoves>,
    sides: [Side; MAX_PATTERNS],
    tables: PhantomData<&'a [u8]>,
}

/// Everything that a pattern of a view reads: the starts of the tables in [`Numbering`], and its
/// own table.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Side {
    table: *const u8,
    changes: *const Change,
    transitions: *const u16,
    records: *const Record,
    zone_maps: *const ZoneMap,
    rare: *const u32,
    cohort_bits: u64,
    /// The bytes in a row of cohorts, less those that the ranks are moved up by.
    row_bytes: u64,
}

// SAFETY: the pointers are to what is borrowed for `'a` and only read.
unsafe impl Sync for ViewTables<'_> {}

impl Side {
    /// The cohort of a set that leaves a cell free, which is the blank's, from the set's record.
    ///
    /// # Safety
    /// The set is below the number of sets, and the record is its own.
    #[inline(always)]
    unsafe fn cohort(&self, set: u32, record: Record, cell: usize) -> u32 {
        let bits = self.cohort_bits as u32 & 31;
        let first = record & ((1 << bits) - 1);
        let mut number = record >> bits;
        if number == u32::MAX >> bits {
            // SAFETY: there is one for every set.
            number = unsafe { *self.rare.add(set as usize) };
        }
        // SAFETY: the record, or else the list of rare ones, names a zone map.
        first + u32::from(unsafe { (&*self.zone_maps.add(number as usize))[cell % 32] })
    }
}

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

impl Masks {
    /// The small tables for patterns with these numberings, of a grid of at most [`MAX_MASK_CELLS`] cells and
    /// at most [`MAX_TILES`] tiles. Numberings of other grids are left out.
    ///
    /// Costs some 30 ms for 6 tiles of 5×5: 177,100 sets, 2,969 zone maps.
    pub fn new(grid: Grid, indexes: impl IntoIterator<Item = Arc<Index>>) -> Masks {
        Masks::with_cohort_bits(grid, indexes, |index| index.cohorts().ilog2() + 1)
    }

    /// [`Masks::new`] with this many bits of a record for the cohort.
    pub(super) fn with_cohort_bits(
        grid: Grid,
        indexes: impl IntoIterator<Item = Arc<Index>>,
        cohort_bits: impl Fn(&Index) -> u32,
    ) -> Masks {
        let offsets = offsets(grid);
        let mut numberings = BTreeMap::new();
        for index in indexes.into_iter().filter(|index| index.grid() == grid) {
            let tiles = index.orders().tiles();
            let bytes = row_bytes(index.cohorts()) * index.orders().len();
            assert!(tiles <= MAX_TILES && u32::try_from(bytes).is_ok());
            let bits = cohort_bits(&index);
            numberings.entry(tiles).or_insert_with(|| Numbering::new(index, bits, &offsets));
        }
        Masks { grid, offsets, numberings }
    }
}

/// The start of the changes for each step of a tile from a cell to a neighbour; there is a change
/// for each set of the cells between.
fn offsets(grid: Grid) -> BTreeMap<(usize, usize), u16> {
    let mut offsets = BTreeMap::new();
    let mut end = 0u16;
    assert!(grid.cells() <= MAX_MASK_CELLS);
    for to in 0..grid.cells() {
        for from in Move::ALL.into_iter().filter_map(|m| grid.source(to, m)) {
            offsets.insert((from, to), end);
            end += 1 << (from.abs_diff(to) - 1);
        }
    }
    offsets
}

impl Numbering {
    fn new(
        index: Arc<Index>,
        cohort_bits: u32,
        offsets: &BTreeMap<(usize, usize), u16>,
    ) -> Numbering {
        // The name of a zone map comes after the cohort.
        assert!(cohort_bits < u32::BITS && index.cohorts() <= 1 << cohort_bits);
        let cells = index.grid().cells();
        let mut counts: HashMap<ZoneMap, usize> = HashMap::new();
        let maps: Vec<ZoneMap> = (0..index.sets())
            .map(|set| {
                let (mask, first) = (index.mask(set), index.cohorts_of(set).start);
                let mut zones = [0; 32];
                for cell in 0..cells {
                    // Nothing reads the zone of a tile's cell. With that of the cell before it, a sixth
                    // of the zone maps is enough.
                    zones[cell] = match mask & 1 << cell {
                        0 => (index.cohort(set, cell) - first) as u8,
                        _ => zones[cell.saturating_sub(1)],
                    };
                }
                *counts.entry(zones).or_default() += 1;
                zones
            })
            .collect();
        let mut zone_maps: Vec<ZoneMap> = counts.keys().copied().collect();
        zone_maps.sort_unstable_by_key(|zones| (Reverse(counts[zones]), *zones));
        let name: HashMap<&ZoneMap, u32> = zone_maps.iter().zip(0..).collect();
        let mut records = vec![0; index.sets()];
        let mut rare = vec![0; index.sets()];
        for (set, zones) in maps.iter().enumerate() {
            let number = ascending(index.mask(set)) as usize;
            let shown = name[zones].min(u32::MAX >> cohort_bits);
            records[number] = index.cohorts_of(set).start as u32 | shown << cohort_bits;
            rare[number] = name[zones];
        }
        let orders = index.orders();
        let up = RANK_LOW - orders.pairs() as u32;
        let mut transitions = Vec::new();
        let row_length = orders.len() >> orders.pairs();
        for row in orders.transitions().chunks(row_length) {
            transitions.extend(row.iter().map(|&rank| rank << up));
            transitions.resize(transitions.len().next_multiple_of(ROW_UNIT), 0);
        }
        let units = row_length.div_ceil(ROW_UNIT);
        assert!(transitions.len() / ROW_UNIT <= 1 << ROW_BITS);
        let tiles = orders.tiles();
        let mut changes = Vec::new();
        for (&(from, to), &offset) in offsets {
            let first = from.min(to) + 1;
            let start = usize::from(offset) * PLACES;
            changes.resize(changes.len().max(start + (PLACES << (from.abs_diff(to) - 1))), 0);
            for between in 0..1usize << (from.abs_diff(to) - 1) {
                let most = tiles.saturating_sub(between.count_ones() as usize).min(first);
                for before in 0..most {
                    // The tiles of a set up to both cells, without the one that moves.
                    let others = ((1u64 << before) - 1) | ((between as u64) << first);
                    let number = |cell: usize| ascending(others | 1 << cell) as Change;
                    let place = |cell: usize| (others & ((1 << cell) - 1)).count_ones() as usize;
                    let row = (orders.row(place(from), place(to)) * units) as Change;
                    changes[start + between * PLACES + before] =
                        (number(to) - number(from)) << ROW_BITS | row;
                }
            }
        }
        Numbering { index, up, records, cohort_bits, zone_maps, rare, changes, transitions }
    }

    /// Everything that a pattern reads, for a table that begins at `table`.
    fn side(&self, table: *const u8) -> Side {
        Side {
            table: exposed(table),
            changes: exposed(self.changes.as_ptr()),
            transitions: exposed(self.transitions.as_ptr()),
            records: exposed(self.records.as_ptr()),
            zone_maps: exposed(self.zone_maps.as_ptr()),
            rare: exposed(self.rare.as_ptr()),
            cohort_bits: self.cohort_bits.into(),
            row_bytes: row_bytes(self.index.cohorts()) as u64 >> self.up,
        }
    }
}

/// The start of what `Space::Vectors` reads at addresses.
fn exposed<T>(start: *const T) -> *const T {
    start.expose_provenance();
    start
}

/// By pattern: all ones in its word.
const WORD: [[u64; MAX_PATTERNS]; MAX_PATTERNS] = {
    let mut word = [[0; MAX_PATTERNS]; MAX_PATTERNS];
    let mut p = 0;
    while p < MAX_PATTERNS {
        word[p][p] = u64::MAX;
        p += 1;
    }
    word
};

/// The factors of a hash's terms: odd numbers of many bits.
const FACTORS: [u64; MAX_PATTERNS] = [mix(1) | 1, mix(2) | 1, mix(3) | 1, mix(4) | 1];

impl Space for Masks {
    type View = View;
    type Tables<'a> = ViewTables<'a>;
    type Pending = Pending;

    #[cfg(target_arch = "x86_64")]
    type Vectors = vectors::Vectors;

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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Cancel;
    use crate::board::Symmetry;
    use crate::pdb::{Partition, Pattern, Table, generate};

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

    /// Where a record has room for the names of some zone maps only, and where it has enough.
    #[test]
    fn records_tell_all_cohorts() {
        let (grid, tiles) = if cfg!(miri) { (Grid::new(3, 2), 2) } else { (Grid::new(5, 3), 5) };
        let grid = grid.unwrap();
        let index = Arc::new(Index::new(grid, tiles));
        let few = if cfg!(miri) { 30 } else { 28 };
        for cohort_bits in [few, index.cohorts().ilog2() + 1] {
            let offsets = offsets(grid);
            let numbering = Numbering::new(index.clone(), cohort_bits, &offsets);
            let side = numbering.side(std::ptr::null());
            let named = (u32::MAX >> cohort_bits) as usize;
            assert_eq!(numbering.zone_maps.len() > named, cohort_bits == few);
            for set in 0..index.sets() {
                let mask = index.mask(set);
                let number = ascending(mask);
                let record = numbering.records[number as usize];
                for cell in (0..grid.cells()).filter(|&cell| mask & 1 << cell == 0) {
                    // SAFETY: the record is that of the set.
                    let cohort = unsafe { side.cohort(number, record, cell) };
                    assert_eq!(cohort as usize, index.cohort(set, cell), "{mask:b}, {cell}");
                }
            }
        }
    }
}
