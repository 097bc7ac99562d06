//! The look-ups of the children.
//!
//! A child needs six reads one after the other: owners, move and word, change, record and transition, zone, table
//! byte. A processor looks only a few hundred instructions ahead. So each of the first reads has a pass of its
//! own over all children: the waits for them overlap.

use std::marker::PhantomData;
use std::ops::Range;

use super::tables::{
    Change, MaskMove, MaskMoves, MaskTables, Masks, MoveCells, MoveKey, PLACES, ROW, ROW_BITS,
    ROW_UNIT, Record, exposed,
};
use super::view::{IN_WORD, MAX_PATTERNS, MaskView, Owners, Word};
use crate::board::Move;
use crate::pdb::ascending;
use crate::prefetch::prefetch;
use crate::search::bits::{Field, Numbers};
use crate::search::fast::list::{List, MOST_CHILDREN, PerChild};
use crate::search::fast::meta::MAX_VIEWS;
use crate::search::fast::processor::Processor;
use crate::search::fast::space::{PatternView, Space, mix};

/// Views of children. Each pass leaves the fields so; an empty place is unchanged:
///
/// | field | `begin` | `read_moves` | `read_changes` | `read_records` |
/// |---|---|---|---|---|
/// | `addresses` | of the parent's view | | | of the table bit |
/// | `owners` | the parent's | | | the child's |
/// | `words` | the address of the moved pattern's word | this word before the move | | |
/// | `moves` | of [`Moved`], `FROM` and `PATTERN` | `FLIP` and `CELL`, too | [`Word::SET`], too | |
/// | `next` | the address of the move | of the change | of the record | where the table bit is: [`Bit`] |
/// | `transitions` | | | the address of the transition | |
/// | `children` | | | | the child's words |
#[derive(Default)]
pub(crate) struct Views {
    addresses: PerChild,
    owners: PerChild,
    words: PerChild,
    moves: PerChild,
    next: PerChild,
    transitions: PerChild,
    children: Children,
}

/// The words of children, by view and child.
struct Children([[[u64; MAX_PATTERNS]; MOST_CHILDREN]; MAX_VIEWS]);

impl Default for Children {
    fn default() -> Children {
        Children([[[0; MAX_PATTERNS]; MOST_CHILDREN]; MAX_VIEWS])
    }
}

/// The fields of what is known of a move. The number of the new set is in [`Word::SET`].
struct Moved;

impl Moved {
    /// The changes of [`Word::CELLS`] and [`Word::EVEN`].
    const FLIP: Field = Field::new(0, 26);
    /// The tile's cell as the pattern's symmetry shows it.
    const CELL: Field = Self::FLIP.then(5);
    /// Twice the cell without symmetry.
    const FROM: Field = Field::new(32, 6);
    /// The pattern.
    const PATTERN: Field = Self::FROM.then(2);
}

/// The fields that tell where a child's table bit is.
struct Bit;

impl Bit {
    /// Its place in its byte.
    const IN_BYTE: Field = Field::new(0, 3);
    /// The bit for which h falls.
    const FALLS: Field = Self::IN_BYTE.then(1);
    /// Its place in the owners.
    const IN_OWNERS: Field = Self::FALLS.then(6);
}

/// The factors of a hash's terms: odd numbers of many bits.
const FACTORS: [u64; MAX_PATTERNS] = [mix(1) | 1, mix(2) | 1, mix(3) | 1, mix(4) | 1];

impl Space for Masks {
    type View = MaskView;
    type Tables<'a> = MaskTables<'a>;
    type Views = Views;

    fn tables<'a>(&'a self, patterns: &[PatternView<'a>]) -> MaskTables<'a> {
        let grid = self.grid;
        let moves = |blank: usize, m: Move| {
            let mut moves = MaskMoves::default();
            let Some(from) = grid.source(blank, m) else { return moves };
            for (shown, pattern) in moves.0.iter_mut().zip(patterns) {
                let [from, to] = [from, blank].map(|cell| pattern.symmetry.cell(grid, cell));
                let (first, second) = (from.min(to), from.max(to));
                let flip = 1 << from | 1 << to | Word::EVEN.mask();
                let before: u64 = (1 << first) - 1;
                let between: u64 = (1 << (second - first - 1)) - 1;
                *shown = [
                    MoveCells::FLIP.word(flip) | MoveCells::BEFORE.word(before),
                    MoveKey::BETWEEN.word(between)
                        | MoveKey::SKIP.word(first as u64 + 1)
                        | MoveKey::CELL.word(from as u64)
                        | MoveKey::OFFSET.word(u64::from(self.offsets[&(from, to)])),
                ];
            }
            moves
        };
        let blanks = 0..grid.cells();
        let moves = blanks.flat_map(|blank| Move::ALL.map(|m| moves(blank, m))).collect();
        let side = |p: usize| {
            // Patterns that a partition does not have never move.
            let table = patterns[p.min(patterns.len() - 1)].table;
            let pattern = table.pattern();
            let numbering = &self.numberings[&pattern.len()];
            assert_eq!(pattern.grid(), self.grid);
            numbering.side(table.bytes().as_ptr())
        };
        let are_alike = self.numberings.len() == 1;
        MaskTables { moves, sides: std::array::from_fn(side), are_alike, bytes: PhantomData }
    }

    fn view(&self, patterns: &[PatternView<'_>], labels: &[u8]) -> MaskView {
        let mut view = MaskView::default();
        for (p, shown) in patterns.iter().enumerate() {
            let state = shown.state(labels);
            let residue = shown.table.residue(state);
            let up = self.numberings[&shown.table.pattern().len()].up;
            view.words[p] = Word::CELLS.word(state.mask)
                | Word::EVEN.word(u64::from(residue & 1 ^ 1))
                | Word::RANK.word((state.rank as u64) << up)
                | Word::SET.word(u64::from(ascending(state.mask)));
            view.owners |= Owners::BIT.word(u64::from(residue >> 1)) << p;
            for cell in (0..self.grid.cells())
                .filter(|&cell| state.mask & 1 << shown.symmetry.cell(self.grid, cell) != 0)
            {
                view.owners |= (p as u64) << (2 * cell);
            }
        }
        let wanted = patterns[0].blank;
        let blank = labels.iter().position(|&label| usize::from(label) == wanted);
        let blank = blank.expect("the blank is on the board") as u64;
        view.owners |= Owners::BLANK.word(2 * blank);
        view
    }

    /// The small tables stay in the second-level cache.
    #[inline(always)]
    fn fetch(&self, _view: &MaskView, _tables: &MaskTables<'_>) {}

    #[inline(always)]
    unsafe fn generate<P: Processor, const V: usize>(
        &self,
        p: P,
        tables: &[MaskTables<'_>; V],
        views: Range<usize>,
        list: &List,
        found: &mut Views,
    ) {
        // Twice the distance of the tile's cell from the blank's: below, left, right and above, as the tile
        // moves up, right, left and down.
        let row = 2 * self.grid.width() as i64;
        let distances = p.four([row, -2, 2, -row].map(|distance| distance as u64));
        // SAFETY: the caller's.
        unsafe {
            for view in views.clone() {
                found.begin(p, &tables[view], view, list, distances);
            }
            let count = list.vectors::<P>();
            for view in views.clone() {
                found.read_moves(p, &tables[view], view, count);
            }
            for view in views.clone() {
                found.read_changes(p, &tables[view], view, count);
            }
            for view in views {
                found.read_records(p, &tables[view], view, count);
            }
        }
    }

    #[inline(always)]
    unsafe fn resolve<P: Processor>(p: P, views: Range<usize>, list: &mut List, found: &mut Views) {
        for view in views {
            for i in 0..list.vectors::<P>() {
                // SAFETY: `generate` found these addresses in tables that the caller says are alive.
                let byte = unsafe { p.read_bytes(found.addresses.part::<P>(view, i)) };
                let place = found.next.load(p, view, i);
                let bit = byte.down_by(Bit::IN_BYTE.of(place)) & p.all(1);
                let in_owners = bit.up_by(Bit::IN_OWNERS.of(place));
                found.owners.store(p, view, i, found.owners.load(p, view, i) | in_owners);
                list.lower(p, view, i, bit ^ Bit::FALLS.of(place));
            }
        }
    }

    #[inline(always)]
    fn found(found: &Views, view: usize, place: usize) -> MaskView {
        MaskView { words: found.children.0[view][place], owners: found.owners.of(view, place) }
    }

    #[inline(always)]
    fn same_position(a: &MaskView, b: &MaskView) -> bool {
        a.words == b.words
    }

    fn hash(view: &MaskView) -> u64 {
        // Products, because they can be computed at the same time. A product has the zeros at the end of
        // its word, so the rank is moved there.
        let folded = view.words.iter().map(|word| *word ^ Word::UPPER.of(*word));
        let terms = folded.zip(FACTORS).map(|(word, factor)| word.wrapping_mul(factor));
        mix(terms.fold(0, u64::wrapping_add))
    }
}

impl Views {
    /// Finds the patterns moved, and their moves.
    ///
    /// # Safety
    /// - As for [`Space::generate`].
    #[inline(always)]
    unsafe fn begin<P: Processor>(
        &mut self,
        p: P,
        tables: &MaskTables<'_>,
        view: usize,
        list: &List,
        distances: P::Four,
    ) {
        let first_move = p.all(exposed(tables.moves.as_ptr()));
        for i in 0..list.vectors::<P>() {
            let parents = list.parents::<P>(i);
            let address = p.load(parents).plus(p.all((view * size_of::<MaskView>()) as u64));
            // SAFETY: the caller vouches for the parents' views.
            let owners =
                p.numbers(|slot| unsafe { (*(parents[slot] as *const MaskView).add(view)).owners });
            let m = list.moves(p, i);
            let to = Owners::BLANK.of(owners);
            let from = to.plus(p.choose(distances, m));
            let pattern = owners.down_by(from) & p.all(MAX_PATTERNS as u64 - 1);
            let moves = to.up(1).plus(m).up(size_of::<MaskMoves>().ilog2());
            let at = first_move.plus(moves).plus(pattern.up(size_of::<MaskMove>().ilog2()));
            self.addresses.store(p, view, i, address);
            self.owners.store(p, view, i, owners);
            self.words.store(p, view, i, address.plus(pattern.up(size_of::<u64>().ilog2())));
            self.moves.store(p, view, i, Moved::FROM.word(from) | Moved::PATTERN.word(pattern));
            self.next.store(p, view, i, at);
        }
    }

    /// Reads the moves and the words of the patterns moved, and finds the changes.
    ///
    /// # Safety
    /// - [`Views::begin`] has found the same number of vectors, and the caller keeps the conditions of
    ///   [`Space::generate`].
    #[inline(always)]
    unsafe fn read_moves<P: Processor>(
        &mut self,
        p: P,
        tables: &MaskTables<'_>,
        view: usize,
        count: usize,
    ) {
        for i in 0..count {
            // SAFETY: `begin` found these addresses of moves and of words.
            let ([cells, key], word) = unsafe {
                let moves = p.read_pairs(self.next.part::<P>(view, i));
                (moves, p.read::<u64>(self.words.part::<P>(view, i)))
            };
            let before = (word & MoveCells::BEFORE.of(cells)).count_ones();
            let between = word.down_by(MoveKey::SKIP.of(key)) & MoveKey::BETWEEN.of(key);
            let change = MoveKey::OFFSET.of(key).plus(between).up(PLACES.ilog2()).plus(before);
            let moves = self.moves.load(p, view, i);
            let pattern = Moved::PATTERN.of(moves);
            let changes = tables.each(p, pattern, |side| side.changes);
            let known = Moved::FLIP.only(cells) | Moved::CELL.word(MoveKey::CELL.of(key));
            self.words.store(p, view, i, word);
            self.moves.store(p, view, i, moves | known);
            self.next.store(p, view, i, changes.plus(change.up(size_of::<Change>().ilog2())));
        }
    }

    /// Reads the changes, and finds the new sets and the transitions.
    ///
    /// # Safety
    /// - As for [`Views::read_moves`], which has been called.
    #[inline(always)]
    unsafe fn read_changes<P: Processor>(
        &mut self,
        p: P,
        tables: &MaskTables<'_>,
        view: usize,
        count: usize,
    ) {
        for i in 0..count {
            // SAFETY: `read_moves` found these addresses. A change is read as bits, without its sign.
            let change = unsafe { p.read::<u32>(self.next.part::<P>(view, i)) };
            let (word, moves) = (self.words.load(p, view, i), self.moves.load(p, view, i));
            let pattern = Moved::PATTERN.of(moves);
            let set = Word::SET.of(word).plus(change.down_signed(ROW_BITS));
            let set = set & p.all(u32::MAX.into());
            let row = ROW.of(change).up(ROW_UNIT.ilog2());
            let transition = row.plus(Word::HIGH.of(word)).up(size_of::<u16>().ilog2());
            let records = tables.each(p, pattern, |side| side.records);
            let transitions = tables.each(p, pattern, |side| side.transitions);
            self.moves.store(p, view, i, moves | Word::SET.word(set));
            self.next.store(p, view, i, records.plus(set.up(size_of::<Record>().ilog2())));
            self.transitions.store(p, view, i, transitions.plus(transition));
            let records = self.next.part::<P>(view, i);
            records.iter().for_each(|&record| prefetch(record as *const u8));
        }
    }

    /// Reads the records, the transitions and the zone maps, completes the children, and prefetches
    /// their table bits.
    ///
    /// # Safety
    /// - As for [`Views::read_changes`], which has been called.
    #[inline(always)]
    unsafe fn read_records<P: Processor>(
        &mut self,
        p: P,
        tables: &MaskTables<'_>,
        view: usize,
        count: usize,
    ) {
        let bits = p.four(tables.sides.map(|side| side.table));
        for i in 0..count {
            let (word, moves) = (self.words.load(p, view, i), self.moves.load(p, view, i));
            let (pattern, set) = (Moved::PATTERN.of(moves), Word::SET.of(moves));
            // SAFETY: `read_changes` found these addresses, the record of a set among them.
            let (changed, cohort) = unsafe {
                let record = p.read::<Record>(self.next.part::<P>(view, i));
                let changed = p.read::<u16>(self.transitions.part::<P>(view, i));
                (changed, tables.cohorts(p, pattern, set, record, Moved::CELL.of(moves)))
            };
            let rank = changed ^ Word::LOW.of(word);
            let stride = tables.each(p, pattern, |side| side.stride);
            let byte = p.choose(bits, pattern).plus(rank.times(stride)).plus(cohort.down(3));

            let cells = Moved::FLIP.only(word ^ moves);
            let after = cells | Word::RANK.word(rank) | Word::SET.only(moves);
            let difference = p.array(word ^ after);
            let patterns = p.array(pattern);
            for slot in 0..P::WIDTH {
                let address = self.addresses.of(view, i * P::WIDTH + slot);
                // SAFETY: the address of a view, which begins with its words.
                let words = unsafe { &*(address as *const [u64; MAX_PATTERNS]) };
                let in_word = &IN_WORD[patterns[slot] as usize % MAX_PATTERNS];
                // All words are written, so that they are copied in the pieces in which they were written.
                self.children.0[view][i * P::WIDTH + slot] =
                    std::array::from_fn(|w| words[w] ^ difference[slot] & in_word[w]);
            }

            let owners = self.owners.load(p, view, i);
            let (to, from) = (Owners::BLANK.of(owners), Moved::FROM.of(moves));
            let place = pattern.plus(p.all(Owners::BIT.mask().ilog2().into()));
            let bit = owners.down_by(place) & p.all(1);
            let moved = pattern.up_by(from) | pattern.up_by(to) | bit.up_by(place);
            let owners = Owners::BLANK.clear(owners) ^ moved | Owners::BLANK.word(from);
            // From an even h, the bit changes where h falls; from an odd one, where it rises.
            let falls = bit ^ Word::EVEN.of(word);
            let place = Bit::IN_OWNERS.word(place) | Bit::FALLS.word(falls);
            self.owners.store(p, view, i, owners);
            self.next.store(p, view, i, place | Bit::IN_BYTE.only(cohort));
            self.addresses.store(p, view, i, byte);
            let bytes = self.addresses.part::<P>(view, i);
            bytes.iter().for_each(|&byte| prefetch(byte as *const u8));
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use crate::Cancel;
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
}
