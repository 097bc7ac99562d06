//! Masks instead of a board, for up to four patterns that together hold every tile.
//!
//! A *view* of a position is what one partition's tables need of it: for each pattern the mask of
//! its tiles' cells, the rank of their order, and what its current table bit says. All of it fits 24 bytes.
//! Each pattern may be seen through a symmetry of the board, which serves both the mirror of a
//! partition and patterns that share a table.
//!
//! A move of the tile in a cell to the blank's cell:
//!
//! 1. The mask that holds the cell tells which pattern moves; both cells change in it.
//! 2. The numbers of its cells before and between the two tell how the order is permuted, and
//!    `transition[row][rank]` the new rank.
//! 3. Two tables, by half of the mask each, add up to the number of the set, whose record tells
//!    the cohort. Cohort and rank are the address of the new bit.
//! 4. Old bit, new bit and parity tell whether h rose or fell by one.
//!
//! Unlike the [coordinates](super::coordinates) of two patterns, nothing is tabulated by the
//! places of all tiles, of which four patterns have too many.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;

use super::space::Space;
use crate::board::{Grid, Move, Symmetry};
use crate::pdb::{Index, Pattern, Table, row_bytes};
use crate::prefetch::prefetch;

/// The most patterns of a partition.
pub(crate) const MAX_PATTERNS: usize = 4;

/// The most cells of a board: both halves of a mask are small.
pub(crate) const MAX_CELLS: usize = 25;

/// The most tiles of a pattern: ranks have 13 bits.
pub(crate) const MAX_TILES: usize = 7;

/// A view of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    /// The cells of each pattern's tiles, as its symmetry shows them.
    masks: [u32; MAX_PATTERNS],
    /// The rank of pattern p's order from bit 13 p, at bit 52 + p the table bit of its next state
    /// for which h falls, and the blank's cell, without symmetry, from bit 56.
    packed: u64,
}

const RANK_BITS: usize = 13;
const RANK: u64 = (1 << RANK_BITS) - 1;
const RANKS: u64 = (1 << (RANK_BITS * MAX_PATTERNS)) - 1;
const FALLS_SHIFT: usize = RANK_BITS * MAX_PATTERNS;
const BLANK_SHIFT: usize = 56;

/// Small tables for boards of one size.
pub(crate) struct Masks {
    grid: Grid,
    numberings: BTreeMap<usize, Numbering>,
}

/// The lower half of a mask.
const LOW_BITS: usize = 13;
const LOW: u32 = (1 << LOW_BITS) - 1;

/// From the mask of a pattern's cells to its cohort, and from row to row of its orders, for one
/// number of tiles.
struct Numbering {
    index: Arc<Index>,
    /// By the lower and the upper half of a mask; the sum is the mask's number in ascending
    /// order.
    low: Vec<u16>,
    high: Vec<u32>,
    /// By that number.
    records: Vec<Record>,
    /// Bits 1 and 2 of each free cell's zone; the first entry is for all sets of one or two zones.
    more_zones: Vec<[u32; 2]>,
    /// Offsets of `transitions`, by direction and places.
    rows: Vec<u16>,
    transitions: Vec<u16>,
}

/// What is known of a set of cells. Bits 0 to 19: the first cohort. 20: the colour. 21 to 38: the
/// place of further bits of zones in [`Numbering::more_zones`]. From 39: the lowest bit of each
/// free cell's zone.
type Record = u64;

const COHORT: u64 = (1 << 20) - 1;
const COLOUR_SHIFT: u32 = 20;
const MORE_SHIFT: u32 = 21;
const MORE: u64 = (1 << 18) - 1;
const ZONE_SHIFT: u32 = 39;

/// Where a row stands among [`Numbering::rows`]: bit 6 says whether the tile goes back; then come the
/// lesser of its two places, and the greater.
const BACK_SHIFT: usize = 6;
const FIRST_SHIFT: usize = 3;

/// A move of the tile in one cell to another, as each pattern's symmetry shows it.
#[derive(Clone, Copy, Default)]
#[repr(align(16))]
struct Step {
    /// The tile's cell, as a mask.
    take: [u32; MAX_PATTERNS],
    /// Both cells.
    flip: [u32; MAX_PATTERNS],
    /// The cells before both, and in the upper half those between them.
    passed: [u64; MAX_PATTERNS],
    /// [`BACK_SHIFT`] applied to whether the tile goes back.
    back: [u8; MAX_PATTERNS],
    /// The blank's next cell, without symmetry.
    blank: u8,
}

/// A pattern of a view: its table and how its cells are seen.
pub(crate) struct Seen<'a, B> {
    pub table: &'a Table<B>,
    pub symmetry: Symmetry,
}

/// The steps of a view, by the blank's cell and the move.
pub(crate) struct Steps(Vec<[Step; 4]>);

/// What a view reads.
pub(crate) struct ViewTables<'a> {
    steps: &'a [[Step; 4]],
    sides: [Side; MAX_PATTERNS],
    tables: PhantomData<&'a [u8]>,
}

/// What a pattern of a view reads: the starts of the tables in [`Numbering`], and its own.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Side {
    table: *const u8,
    low: *const u16,
    high: *const u32,
    records: *const Record,
    more_zones: *const [u32; 2],
    rows: *const u16,
    transitions: *const u16,
    row_bytes: u32,
    /// The low bits of a rank that a transition leaves to an exclusive or: how many, and a mask.
    pairs: u8,
    flips: u8,
    /// 1 less the colour of the goal's set.
    colour: u8,
}

// SAFETY: the pointers are to what is borrowed for `'a` and only read.
unsafe impl Sync for ViewTables<'_> {}

/// A child's view, its table bit not yet known.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    view: View,
    /// The byte that holds the bit.
    byte: *const u8,
    /// Where the bit goes in [`View::packed`].
    place: u64,
    /// The bit of the byte, as a mask.
    mask: u8,
    /// The new bit for which h falls.
    falls: u8,
}

impl Masks {
    /// The small tables for patterns with these numberings, all of one grid; `None` where a field would overflow
    /// its bits.
    ///
    /// Costs some 10 ms for 6 tiles of 5×5: 177,100 sets.
    pub fn new(indexes: impl IntoIterator<Item = Arc<Index>>) -> Option<Masks> {
        let mut grid = None;
        let mut numberings = BTreeMap::new();
        for index in indexes {
            let tiles = index.orders().tiles();
            assert!(*grid.get_or_insert(index.grid()) == index.grid());
            let bytes = row_bytes(index.cohorts()) * index.orders().len();
            if index.grid().cells() > MAX_CELLS
                || tiles > MAX_TILES
                || u32::try_from(bytes).is_err()
            {
                return None;
            }
            numberings.entry(tiles).or_insert_with(|| Numbering::new(index));
        }
        Some(Masks { grid: grid?, numberings })
    }

    /// The steps of patterns seen through these symmetries.
    pub fn steps(&self, symmetries: &[Symmetry]) -> Steps {
        let grid = self.grid;
        let step = |blank: usize, m: Move| {
            let Some(from) = grid.source(blank, m) else { return Step::default() };
            let mut step = Step { blank: from as u8, ..Step::default() };
            for (p, symmetry) in symmetries.iter().enumerate() {
                let [from, to] = [from, blank].map(|cell| symmetry.cell(grid, cell));
                let (first, second) = (from.min(to), from.max(to));
                step.take[p] = 1 << from;
                step.flip[p] = 1 << from | 1 << to;
                step.passed[p] = ((1 << first) - 1) | (((1 << second) - (2 << first)) << 32);
                step.back[p] = u8::from(from > to) << BACK_SHIFT;
            }
            step
        };
        Steps((0..grid.cells()).map(|blank| Move::ALL.map(|m| step(blank, m))).collect())
    }

    /// The tables of a view.
    ///
    /// # Panics
    /// Where a table is not numbered as one that these were made for.
    pub fn tables<'a, B: AsRef<[u8]>>(
        &'a self,
        seen: &[Seen<'a, B>],
        steps: &'a Steps,
    ) -> ViewTables<'a> {
        let side = |p: usize| {
            // Patterns that a partition does not have never move.
            let table = seen[p.min(seen.len() - 1)].table;
            let pattern = table.pattern();
            let numbering = &self.numberings[&pattern.len()];
            assert_eq!(pattern.grid(), self.grid);
            let index = &numbering.index;
            let bits = table.bits();
            assert_eq!(bits.len(), Table::<B>::bytes(index), "the table has changed its length");
            Side {
                table: bits.as_ptr(),
                low: numbering.low.as_ptr(),
                high: numbering.high.as_ptr(),
                records: numbering.records.as_ptr(),
                more_zones: numbering.more_zones.as_ptr(),
                rows: numbering.rows.as_ptr(),
                transitions: numbering.transitions.as_ptr(),
                row_bytes: row_bytes(index.cohorts()) as u32,
                pairs: index.orders().pairs() as u8,
                flips: (1 << index.orders().pairs()) - 1,
                colour: 1 - index.colour(pattern.mask()) as u8,
            }
        };
        ViewTables { steps: &steps.0, sides: std::array::from_fn(side), tables: PhantomData }
    }

    /// The view of a position given as labels.
    pub fn view<B: AsRef<[u8]>>(&self, seen: &[Seen<'_, B>], labels: &[u8]) -> View {
        let mut view = View::default();
        for (p, Seen { table, symmetry }) in seen.iter().enumerate() {
            let pattern = table.pattern();
            let state = table.state(&carried(pattern, *symmetry, labels));
            let residue = table.residue(state);
            // From an even h, the bit changes where h falls; from an odd one, where it rises.
            let falls = u64::from(residue >> 1 ^ residue & 1 ^ 1);
            view.masks[p] = state.mask as u32;
            view.packed |= (state.rank as u64) << (RANK_BITS * p) | falls << (FALLS_SHIFT + p);
        }
        let wanted = seen[0].table.pattern().blank();
        let blank = labels.iter().position(|&label| usize::from(label) == wanted);
        view.packed |= (blank.expect("the blank is on the board") as u64) << BLANK_SHIFT;
        view
    }
}

/// The masks after a step, and the pattern that moves.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
fn moved(masks: &[u32; MAX_PATTERNS], step: &Step) -> ([u32; MAX_PATTERNS], usize) {
    use std::arch::x86_64::*;
    // SAFETY: SSE2 is part of x86-64; all loads and stores are of whole arrays.
    unsafe {
        let before = _mm_loadu_si128(masks.as_ptr().cast());
        let take = _mm_loadu_si128(step.take.as_ptr().cast());
        let flip = _mm_loadu_si128(step.flip.as_ptr().cast());
        let stays = _mm_cmpeq_epi32(_mm_and_si128(before, take), _mm_setzero_si128());
        let after = _mm_xor_si128(before, _mm_andnot_si128(stays, flip));
        let mut masks = [0; MAX_PATTERNS];
        _mm_storeu_si128(masks.as_mut_ptr().cast(), after);
        (masks, (!_mm_movemask_ps(_mm_castsi128_ps(stays))).trailing_zeros() as usize)
    }
}

/// The masks after a step, and the pattern that moves.
#[inline(always)]
#[cfg(not(target_arch = "x86_64"))]
fn moved(masks: &[u32; MAX_PATTERNS], step: &Step) -> ([u32; MAX_PATTERNS], usize) {
    let mut after = *masks;
    let mut pattern = 0;
    for p in 0..MAX_PATTERNS {
        let moves = u32::from(masks[p] & step.take[p] != 0);
        after[p] ^= step.flip[p] & moves.wrapping_neg();
        pattern |= p & (moves.wrapping_neg() as usize);
    }
    (after, pattern)
}

/// How many bits of a word's lower half are set, and how many of the whole.
///
/// Half the work of counting each, where there is no instruction for it.
#[inline(always)]
fn places(word: u64) -> [usize; 2] {
    let word = word - (word >> 1 & 0x5555_5555_5555_5555);
    let word = (word & 0x3333_3333_3333_3333) + (word >> 2 & 0x3333_3333_3333_3333);
    let word = (word + (word >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = word.wrapping_mul(0x0101_0101_0101_0101);
    [(sums >> 24 & 0xff) as usize, (sums >> 56) as usize]
}

/// A position as a symmetry shows it to a pattern: cells and tiles carried along, and the blank still
/// known by its name.
pub(crate) fn carried(pattern: Pattern, symmetry: Symmetry, labels: &[u8]) -> Box<[u8]> {
    let (grid, blank) = (pattern.grid(), pattern.blank());
    let mut image = vec![0; labels.len()].into_boxed_slice();
    for (cell, &label) in labels.iter().enumerate() {
        let shown = match symmetry.cell(grid, usize::from(label)) {
            _ if usize::from(label) == blank => blank,
            // What takes the place of the blank's name is of no pattern.
            name if name == blank => symmetry.cell(grid, blank),
            name => name,
        };
        image[symmetry.cell(grid, cell)] = shown as u8;
    }
    image
}

impl Numbering {
    fn new(index: Arc<Index>) -> Numbering {
        let (cells, tiles) = (index.grid().cells(), index.orders().tiles());
        // The number of a mask in ascending order is the sum of binomial[cell][place + 1] over its
        // cells; the places of the upper half's follow from their number.
        let mut binomial = [[0u32; MAX_TILES + 2]; MAX_CELLS + 1];
        for n in 0..binomial.len() {
            binomial[n][0] = 1;
            for k in 1..=(MAX_TILES + 1).min(n) {
                binomial[n][k] = binomial[n - 1][k - 1] + binomial[n - 1][k];
            }
        }
        let part = |first: usize, bits: usize, mask: u32, place: usize| {
            let cells = (0..bits).filter(|&bit| mask & 1 << bit != 0).map(|bit| first + bit);
            cells.zip(place..).map(|(cell, place)| binomial[cell][place + 1]).sum()
        };
        let half = |first: usize, bits: usize| {
            (0..1 << bits).map(move |mask: u32| match mask.count_ones() as usize {
                // Never read.
                ones if ones > tiles => 0,
                ones => part(first, bits, mask, if first == 0 { 0 } else { tiles - ones }),
            })
        };
        // At most 13 choose 6.
        let low: Vec<u16> = half(0, LOW_BITS).map(|number: u32| number as u16).collect();
        let high: Vec<u32> = half(LOW_BITS, cells.saturating_sub(LOW_BITS)).collect();
        let mut records = vec![0; index.sets()];
        let mut more_zones = vec![[0; 2]];
        for set in 0..index.sets() {
            let mask = index.mask(set) as u32;
            let cohorts = index.cohorts_of(set);
            let mut record =
                cohorts.start as u64 | u64::from(index.colour(mask.into())) << COLOUR_SHIFT;
            // Nearly all sets have one zone.
            if cohorts.len() > 1 {
                let mut zones = [0u32; 3];
                for cell in (0..cells).filter(|&cell| mask & 1 << cell == 0) {
                    let zone = index.cohort(set, cell) - cohorts.start;
                    for (bit, cells) in zones.iter_mut().enumerate() {
                        *cells |= ((zone >> bit & 1) as u32) << cell;
                    }
                }
                record |= u64::from(zones[0]) << ZONE_SHIFT;
                if cohorts.len() > 2 {
                    assert!(cohorts.len() <= 8, "so few tiles part fewer regions");
                    record |= (more_zones.len() as u64) << MORE_SHIFT;
                    more_zones.push([zones[1], zones[2]]);
                }
            }
            let number = u32::from(low[(mask & LOW) as usize]) + high[(mask >> LOW_BITS) as usize];
            records[number as usize] = record;
        }
        assert!(index.cohorts() as u64 <= COHORT + 1 && more_zones.len() as u64 <= MORE + 1);
        let orders = index.orders();
        let row_length = orders.len() >> orders.pairs();
        let mut rows = vec![0; 2 << BACK_SHIFT];
        for first in 0..tiles {
            for second in first..tiles.min(first + index.grid().width()) {
                let place = first << FIRST_SHIFT | second;
                rows[place] = (orders.row(first, second) * row_length) as u16;
                rows[1 << BACK_SHIFT | place] = (orders.row(second, first) * row_length) as u16;
            }
        }
        let transitions = orders.transitions().to_vec();
        assert!(transitions.len() <= 1 << 16);
        Numbering { index, low, high, records, more_zones, rows, transitions }
    }
}

impl Space for Masks {
    type View = View;
    type Tables<'a> = ViewTables<'a>;
    type Child = Child;

    const NONE: Child = Child {
        view: View { masks: [0; MAX_PATTERNS], packed: 0 },
        byte: std::ptr::null(),
        place: 0,
        mask: 0,
        falls: 0,
    };

    /// The steps know how a view is turned.
    #[inline(always)]
    fn turn(_view: usize, _tables: &ViewTables<'_>) -> usize {
        0
    }

    #[inline(always)]
    unsafe fn child(&self, view: &View, m: usize, tables: &ViewTables<'_>) -> Child {
        let blank = (view.packed >> BLANK_SHIFT) as usize;
        // SAFETY: the blank of a view is in a cell of the board; `m` is 0 to 3.
        let step = unsafe { tables.steps.get_unchecked(blank).get_unchecked(m) };
        let (masks, pattern) = moved(&view.masks, step);
        // SAFETY: some pattern holds the tile that moves.
        unsafe { std::hint::assert_unchecked(pattern < MAX_PATTERNS) };
        let side = &tables.sides[pattern];
        let before = view.masks[pattern];
        let after = before ^ step.flip[pattern];
        let both = u64::from(before) | u64::from(before) << 32;
        let [first, second] = places(both & step.passed[pattern]);
        let row = usize::from(step.back[pattern]) | first << FIRST_SHIFT | second;
        let shift = RANK_BITS * pattern;
        let rank = view.packed >> shift & RANK;
        // SAFETY: all pointers of a side are to whole tables for its number of tiles, which the
        // mask has, as moves only change its cells; the rank is one of its orders, as transitions
        // lead only to such.
        let (changed, record) = unsafe {
            let row = *side.rows.add(row);
            let changed = *side.transitions.add(usize::from(row) + (rank >> side.pairs) as usize);
            let low = *side.low.add((after & LOW) as usize);
            let high = *side.high.add((after >> LOW_BITS) as usize);
            (changed, *side.records.add((u32::from(low) + high) as usize))
        };
        let take = step.take[pattern];
        let mut cohort =
            (record & COHORT) as u32 + u32::from((record >> ZONE_SHIFT) as u32 & take != 0);
        if record & MORE << MORE_SHIFT != 0 {
            // SAFETY: the record says where its further bits are.
            let more = unsafe { *side.more_zones.add((record >> MORE_SHIFT & MORE) as usize) };
            cohort += u32::from(more[0] & take != 0) << 1 | u32::from(more[1] & take != 0) << 2;
        }
        let rank_after = u64::from(changed) ^ rank & u64::from(side.flips);
        let byte = rank_after as u32 * side.row_bytes + cohort / 8;
        // The bit for which h falls next is the new one, or the other one where the new h is
        // even.
        let even = record >> COLOUR_SHIFT & 1 ^ u64::from(side.colour);
        let place = 1 << (FALLS_SHIFT + pattern);
        let packed = view.packed & (RANKS | ((1 << BLANK_SHIFT) - 1) & !place)
            ^ (rank ^ rank_after) << shift
            ^ even << (FALLS_SHIFT + pattern)
            | u64::from(step.blank) << BLANK_SHIFT;
        Child {
            view: View { masks, packed },
            byte: side.table.wrapping_add(byte as usize),
            place,
            mask: 1 << (cohort % 8),
            falls: u8::from(view.packed & place != 0),
        }
    }

    #[inline(always)]
    fn fetch_child(&self, child: &Child) {
        prefetch(child.byte);
    }

    /// The small tables stay in the second-level cache.
    #[inline(always)]
    fn fetch_view(&self, _view: &View) {}

    #[inline(always)]
    unsafe fn resolve(child: &Child) -> (View, u64) {
        // SAFETY: `child` made a pointer into a table that the caller says is alive.
        let byte = unsafe { *child.byte };
        let bit = u64::from(byte & child.mask != 0);
        let View { masks, packed } = child.view;
        let view = View { masks, packed: packed ^ bit.wrapping_neg() & child.place };
        (view, bit ^ u64::from(child.falls))
    }

    #[inline(always)]
    fn same_position(a: &View, b: &View) -> bool {
        a.masks == b.masks && (a.packed ^ b.packed) & RANKS == 0
    }
}
