//! The small tables, and what a view reads.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;
use std::sync::Arc;

use super::view::{MAX_MASK_CELLS, MAX_PATTERNS, Word};
use crate::board::{Grid, Move};
use crate::pdb::{Index, Table, ascending, row_bytes};
use crate::search::bits::{Field, Numbers};
use crate::search::fast::processor::Processor;

/// The most tiles of a pattern: ranks have 13 bits, sets 19.
pub(crate) const MAX_TILES: usize = 7;

/// Small tables for boards of one size.
pub(crate) struct Masks {
    pub grid: Grid,
    /// [`MoveKey::OFFSET`] by the cells that a tile leaves and comes to.
    pub offsets: BTreeMap<(usize, usize), u16>,
    pub(super) numberings: BTreeMap<usize, Numbering>,
}

/// Small tables for patterns of one number of tiles: from the mask of a pattern's cells to its
/// cohort, and from rank to rank.
pub(super) struct Numbering {
    pub index: Arc<Index>,
    /// The number of bits by which ranks are shifted up.
    pub up: u32,
    /// The records by the number of the set, in ascending order of the masks.
    pub records: Vec<Record>,
    /// The bits of a record that hold the cohort.
    pub cohort_bits: u32,
    /// The distinct zone maps of all sets, the most frequent ones first.
    pub zone_maps: Vec<ZoneMap>,
    /// The zone map of each set, for sets whose record has no room for it.
    pub rare: Vec<u32>,
    /// The effect of a move, by [`MoveKey::OFFSET`], the tiles between, and the number of those before.
    pub changes: Vec<Change>,
    /// Rows of whole [`ROW_UNIT`]s.
    pub transitions: Vec<u16>,
}

/// The start of the row of transitions in [`ROW`], in [`ROW_UNIT`]s. Above: the difference of the numbers of
/// the sets, with its sign.
pub(super) type Change = i32;

pub(super) const ROW_UNIT: usize = 8;
pub(super) const ROW: Field = Field::new(0, ROW_BITS);
pub(super) const ROW_BITS: u32 = 12;
/// Numbers of tiles before a move: below this.
pub(super) const PLACES: usize = 8;

/// A set of cells: its first cohort in the low bits, and above it the number of its zone map, or a
/// reference to [`Numbering::rare`]. There is a record for each set, and they must stay in the
/// second-level cache.
pub(super) type Record = u32;

/// The zone of each free cell; room for 32 cells, so that a zone map is half a cache line.
pub(super) type ZoneMap = [u8; 32];

/// A move of the tile in one cell to another, as a pattern's symmetry shows it, in two words.
pub(super) type MaskMove = [u64; 2];

/// The fields of the first word of a [`MaskMove`]: cells.
pub(super) struct MoveCells;

impl MoveCells {
    /// Both cells and [`Word::EVEN`], in their places in a pattern's word.
    pub const FLIP: Field = Field::new(0, 32);
    /// The cells before both.
    pub const BEFORE: Field = Self::FLIP.then(32);
}

/// The fields of the second word of a [`MaskMove`]: what its [`Change`] is found by, and the tile's cell.
pub(super) struct MoveKey;

impl MoveKey {
    /// The cells between both, once the first of both and those before it are shifted out.
    pub const BETWEEN: Field = Field::new(0, 16);
    /// The number of cells shifted out.
    pub const SKIP: Field = Self::BETWEEN.then(8);
    /// The tile's cell.
    pub const CELL: Field = Self::SKIP.then(8);
    /// The place of this move in [`Numbering::changes`], in [`PLACES`].
    pub const OFFSET: Field = Self::CELL.then(16);
}

/// A move for all patterns: one cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct MaskMoves(pub [MaskMove; MAX_PATTERNS]);

/// Everything that a view reads.
pub(crate) struct MaskTables<'a> {
    /// The moves, by four times the blank's cell plus the move.
    pub(super) moves: Vec<MaskMoves>,
    pub(super) sides: [Side; MAX_PATTERNS],
    /// Whether all patterns have the same number of tiles: then sides differ in their tables only.
    pub(super) are_alike: bool,
    pub(super) bytes: PhantomData<&'a [u8]>,
}

/// Everything that a pattern of a view reads: the addresses of its table and of the tables in [`Numbering`],
/// whose provenance is exposed.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub table: u64,
    pub changes: u64,
    pub transitions: u64,
    pub records: u64,
    pub zone_maps: u64,
    pub rare: u64,
    pub cohort_bits: u64,
    /// The bytes between the bits of two ranks that follow each other. As ranks are moved up, it is divided by
    /// the same power of two.
    pub stride: u64,
}

impl MaskTables<'_> {
    /// A number of the side of each pattern. Not for tables.
    #[inline(always)]
    pub(super) fn each<P: Processor>(
        &self,
        p: P,
        patterns: P::Numbers,
        number: impl Fn(&Side) -> u64,
    ) -> P::Numbers {
        if self.are_alike {
            return p.all(number(&self.sides[0]));
        }
        let patterns = p.array(patterns);
        p.numbers(|slot| number(&self.sides[patterns[slot] as usize % MAX_PATTERNS]))
    }

    /// The cohorts of sets of patterns that leave a cell free, which is the blank's, from the sets' records.
    ///
    /// # Safety
    /// - A set is below the number of sets, and the record is its own.
    #[inline(always)]
    pub(super) unsafe fn cohorts<P: Processor>(
        &self,
        p: P,
        pattern: P::Numbers,
        set: P::Numbers,
        record: P::Numbers,
        cell: P::Numbers,
    ) -> P::Numbers {
        let bits = self.each(p, pattern, |side| side.cohort_bits);
        let mut name = record.down_by(bits);
        let first = record ^ name.up_by(bits);
        let is_rare = name.equal(p.all(u32::MAX.into()).down_by(bits));
        if !is_rare.is_zero() {
            let rare = self.each(p, pattern, |side| side.rare);
            let address = rare.plus(set.up(size_of::<u32>().ilog2()));
            // SAFETY: there is a name for each set.
            let rare = unsafe { p.read::<u32>(&p.array(address)) };
            name = name ^ (name ^ rare) & is_rare;
        }
        let map = name.up(size_of::<ZoneMap>().ilog2());
        let zone = self.each(p, pattern, |side| side.zone_maps).plus(map).plus(cell);
        // SAFETY: the record, or else the list of rare ones, names a zone map.
        first.plus(unsafe { p.read::<u8>(&p.array(zone)) })
    }
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
    pub(crate) fn with_cohort_bits(
        grid: Grid,
        indexes: impl IntoIterator<Item = Arc<Index>>,
        cohort_bits: impl Fn(&Index) -> u32,
    ) -> Masks {
        let offsets = offsets(grid);
        let mut numberings = BTreeMap::new();
        for index in indexes.into_iter().filter(|index| index.grid() == grid) {
            let tiles = index.orders().tiles();
            assert!(tiles <= MAX_TILES && u32::try_from(Table::length(&index)).is_ok());
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
    pub fn new(
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
        let up = Word::LOW.most().count_ones() - orders.pairs() as u32;
        let mut transitions = Vec::new();
        let row_length = orders.len() >> orders.pairs();
        for row in orders.transitions().chunks(row_length) {
            transitions.extend(row.iter().map(|&rank| rank << up));
            transitions.resize(transitions.len().next_multiple_of(ROW_UNIT), 0);
        }
        let units = row_length.div_ceil(ROW_UNIT);
        assert!(transitions.len() as u64 / ROW_UNIT as u64 <= ROW.most() + 1);
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
    pub fn side(&self, table: *const u8) -> Side {
        Side {
            table: exposed(table),
            changes: exposed(self.changes.as_ptr()),
            transitions: exposed(self.transitions.as_ptr()),
            records: exposed(self.records.as_ptr()),
            zone_maps: exposed(self.zone_maps.as_ptr()),
            rare: exposed(self.rare.as_ptr()),
            cohort_bits: self.cohort_bits.into(),
            stride: row_bytes(self.index.cohorts() as u64) >> self.up,
        }
    }
}

/// The address of what is read at addresses.
pub(super) fn exposed<T>(start: *const T) -> u64 {
    start.expose_provenance() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fast::processor::Scalar;

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
            let view_tables = MaskTables {
                moves: Vec::new(),
                sides: [numbering.side(std::ptr::null()); MAX_PATTERNS],
                are_alike: true,
                bytes: PhantomData,
            };
            let named = (u32::MAX >> cohort_bits) as usize;
            assert_eq!(numbering.zone_maps.len() > named, cohort_bits == few);
            for set in 0..index.sets() {
                let mask = index.mask(set);
                let number = ascending(mask);
                let record = numbering.records[number as usize];
                for cell in (0..grid.cells()).filter(|&cell| mask & 1 << cell == 0) {
                    // SAFETY: the record is that of the set.
                    let cohort = unsafe {
                        let [set, record, cell] = [number.into(), record.into(), cell as u64];
                        view_tables.cohorts(Scalar, 0, set, record, cell)
                    };
                    assert_eq!(cohort as usize, index.cohort(set, cell), "{mask:b}, {cell}");
                }
            }
        }
    }
}
