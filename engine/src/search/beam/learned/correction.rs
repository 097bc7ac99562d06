//! The number that a network adds to the rank of a position, kept up to date move by move.
//!
//! A move changes the patches that contain the cell of the tile or that of the blank. The units of all patches
//! near the blank are found once for the moves of a position, and each move changes some of them. The numbers are
//! those of the empty cell and differences from them: so a move changes a patch by the class of the tile alone,
//! before and after.

use super::network::Network;
use super::patches::{EMPTY, OFFSETS, Offset, Patches};
use super::units::{Instructions, Plain, Row};
use crate::board::{Grid, Move};

/// The blank's cell and its neighbours: a move changes the first one and one of the others.
const CHANGING: [Offset; 5] = [[0, 0], [-1, 0], [0, -1], [0, 1], [1, 0]];

/// The patches that a move may change.
const NEAR: usize = 25;

/// The farthest cells seen, in rows or columns.
const REACH: isize = 5;
/// The cells in a row of the square of all cells within reach.
const SIDE: usize = 2 * REACH as usize + 1;

/// The place of a cell in the square.
const fn at([row, column]: Offset) -> usize {
    (row + REACH) as usize * SIDE + (column + REACH) as usize
}

/// The offsets of the square for which a condition holds.
fn offsets(is: impl Fn(Offset) -> bool) -> Vec<Offset> {
    let all = (-REACH..=REACH).flat_map(|row| (-REACH..=REACH).map(move |column| [row, column]));
    all.filter(|&offset| is(offset)).collect()
}

fn minus([a, b]: Offset, [c, d]: Offset) -> Offset {
    [a - c, b - d]
}

/// The classes of the cells of the square.
type Square = [Class; SIDE * SIDE];

// The units of a patch fit, with all that a move adds to them before it takes something off. Those of a patch beyond
// the border, which are the least number, stay negative.
const _: () =
    assert!((Patches::PLACES + 2) as isize * (Network::MOST as isize) < i16::MAX as isize);
const BEYOND: Row = Row([i16::MIN; Network::UNITS]);

/// The bytes of the rows of a place in a patch: those of all classes.
const ROWS: usize = Patches::CLASSES * size_of::<Row>();
const _: () = assert!(Patches::PLACES * ROWS <= 1 << 16);

/// The place of a cell in a patch, as the bytes before its rows; `None` if it does not belong to it.
fn place(offset: Offset) -> Option<u16> {
    OFFSETS.iter().position(|&of_patch| of_patch == offset).map(|place| (place * ROWS) as u16)
}

/// The patches that a move of a certain neighbour changes, as places among the near ones, and in each the
/// places of the blank's cell and of the neighbour.
#[derive(Clone, Copy, Debug)]
struct Changed {
    both: [(usize, [u16; 2]); 8],
    blank: [(usize, u16); 5],
    neighbour: [(usize, u16); 5],
}

impl Changed {
    fn new(near: &[Offset; NEAR], neighbour: Offset) -> Changed {
        let (mut both, mut blank, mut other) = (Vec::new(), Vec::new(), Vec::new());
        for (patch, &centre) in near.iter().enumerate() {
            match (place(minus([0, 0], centre)), place(minus(neighbour, centre))) {
                (Some(a), Some(b)) => both.push((patch, [a, b])),
                (Some(a), None) => blank.push((patch, a)),
                (None, Some(b)) => other.push((patch, b)),
                (None, None) => {}
            }
        }
        Changed {
            both: both.try_into().expect("two cells side by side are in eight patches"),
            blank: blank.try_into().expect("five patches have one of them"),
            neighbour: other.try_into().expect("five patches have the other"),
        }
    }
}

/// The class of a cell, as the bytes before its row among those of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Class(u16);

impl Class {
    const OUTSIDE: Class = Class::new(Patches::OUTSIDE);

    const fn new(class: usize) -> Class {
        assert!(class < Patches::CLASSES);
        Class((class * size_of::<Row>()) as u16)
    }
}

/// A cell seen from another one.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    cell: u8,
    /// Its place in the square.
    place: u8,
    /// The place of its classes by label.
    classes: u16,
}

/// The surroundings of a cell, without what is beyond the border.
#[derive(Clone, Debug)]
struct Around {
    seen: Box<[Seen]>,
    /// The near patches.
    patches: Box<[u8]>,
}

/// A network for a goal.
#[derive(Clone, Debug)]
pub(super) struct Correction {
    /// The units of a patch of empty cells.
    empty: Row,
    /// The difference from the empty cell, by place in a patch and class.
    rows: Box<[Row; Patches::PLACES * Patches::CLASSES]>,
    cells: usize,
    /// The classes by cell and label. It has a place for each number of 16 bits.
    classes: Box<[Class; 1 << 16]>,
    /// The surroundings of each cell.
    around: Box<[Around]>,
    /// The places in the square of the centres of near patches.
    near: [usize; NEAR],
    /// By move.
    changed: [Changed; 4],
    #[cfg(target_arch = "x86_64")]
    avx2: Option<super::units::Avx2>,
}

impl Correction {
    /// The network for a goal with the blank in cell `goal_blank`.
    pub fn new(grid: Grid, goal_blank: usize, network: &Network) -> Correction {
        let (patches, cells) = (Patches::new(grid, goal_blank), grid.cells());
        let mut classes = vec![Class::OUTSIDE; 1 << 16];
        for (i, class) in classes[..cells * cells].iter_mut().enumerate() {
            *class = Class::new(patches.class(i % cells, i / cells));
        }
        let is_near = |centre| CHANGING.iter().any(|&cell| place(minus(cell, centre)).is_some());
        let near: [Offset; NEAR] = offsets(is_near).try_into().expect("there are so many");
        let seen = offsets(|cell| OFFSETS.iter().any(|&offset| is_near(minus(cell, offset))));
        let around = |cell| {
            let seen = seen.iter().filter_map(|&offset| {
                let seen = patches.cell_from(cell, offset)?;
                let classes = (seen * cells) as u16;
                Some(Seen { cell: seen as u8, place: at(offset) as u8, classes })
            });
            let is_cell = |&patch: &u8| patches.cell_from(cell, near[usize::from(patch)]).is_some();
            Around { seen: seen.collect(), patches: (0..NEAR as u8).filter(is_cell).collect() }
        };
        let mut rows = Box::new([Row([0; Network::UNITS]); Patches::PLACES * Patches::CLASSES]);
        let mut empty = Row([0; Network::UNITS]);
        let row = |i: usize, unit: usize| network.0[i * Network::UNITS + unit];
        for (i, differences) in rows.iter_mut().enumerate() {
            let of_empty = i - i % Patches::CLASSES + EMPTY;
            for (unit, difference) in differences.0.iter_mut().enumerate() {
                *difference = row(i, unit) - row(of_empty, unit);
                empty.0[unit] += if i == of_empty { row(i, unit) } else { 0 };
            }
        }
        // In any cell with such a neighbour.
        let changed = Move::ALL.map(|m| {
            let source = |cell| Some((cell, grid.source(cell, m)?));
            let (cell, source) = (0..cells).find_map(source).expect("a board has all moves");
            let is_source = |offset: &Offset| patches.cell_from(cell, *offset) == Some(source);
            let neighbour = CHANGING.into_iter().find(is_source).expect("it is a neighbour");
            Changed::new(&near, neighbour)
        });
        Correction {
            empty,
            rows,
            cells,
            classes: classes.try_into().expect("it has this length"),
            around: (0..cells).map(around).collect(),
            near: near.map(at),
            changed,
            #[cfg(target_arch = "x86_64")]
            avx2: super::units::Avx2::detect(),
        }
    }

    /// The sum over all patches of a position.
    pub fn of(&self, labels: &[u8]) -> i32 {
        let of_patch = |cell| {
            let classes = self.classes_around(labels, cell);
            total(Plain.store(Plain.positive(self.units(Plain, &classes, at([0, 0])))))
        };
        (0..self.cells).map(of_patch).sum()
    }

    /// The change of the sum by each of up to four moves of tiles to the blank in cell `to`, from these cells.
    #[inline(always)]
    pub fn changes(&self, labels: &[u8], to: usize, sources: [Option<usize>; 4]) -> [i32; 4] {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = self.avx2 {
            // SAFETY: the processor has AVX2.
            return unsafe { self.changes_wide(avx2, labels, to, sources) };
        }
        self.changes_by(Plain, labels, to, sources)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn changes_wide(
        &self,
        avx2: super::units::Avx2,
        labels: &[u8],
        to: usize,
        sources: [Option<usize>; 4],
    ) -> [i32; 4] {
        self.changes_by(avx2, labels, to, sources)
    }

    #[inline(always)]
    fn changes_by<I: Instructions>(
        &self,
        by: I,
        labels: &[u8],
        to: usize,
        sources: [Option<usize>; 4],
    ) -> [i32; 4] {
        let classes = self.classes_around(labels, to);
        let mut units = [by.load(&BEYOND); NEAR];
        for &patch in &self.around[to].patches {
            units[usize::from(patch)] = self.units(by, &classes, self.near[usize::from(patch)]);
        }
        let mut changes = [Row([0; Network::UNITS]); 4];
        for (m, from) in sources.into_iter().enumerate() {
            let Some(from) = from else { continue };
            let changed = &self.changed[m];
            let old = self.classes[from * self.cells + usize::from(labels[from])];
            let new = self.classes[to * self.cells + usize::from(labels[from])];
            let mut change = by.load(&changes[m]);
            for &(patch, [blank, neighbour]) in &changed.both {
                let after = by.add(units[patch], self.row(by, blank, new));
                let after = by.subtract(after, self.row(by, neighbour, old));
                change = turned(by, change, units[patch], after);
            }
            for &(patch, blank) in &changed.blank {
                let after = by.add(units[patch], self.row(by, blank, new));
                change = turned(by, change, units[patch], after);
            }
            for &(patch, neighbour) in &changed.neighbour {
                let after = by.subtract(units[patch], self.row(by, neighbour, old));
                change = turned(by, change, units[patch], after);
            }
            changes[m] = by.store(change);
        }
        totals(&changes)
    }

    /// The classes of the cells seen from one.
    #[inline(always)]
    fn classes_around(&self, labels: &[u8], cell: usize) -> Square {
        assert_eq!(labels.len(), self.cells);
        let mut classes = [Class::OUTSIDE; SIDE * SIDE];
        for &Seen { cell, place, classes: begin } in &self.around[cell].seen {
            // SAFETY: it is a cell of the grid, and each has a label.
            let label = unsafe { *labels.get_unchecked(usize::from(cell)) };
            classes[usize::from(place)] = self.classes[usize::from(begin + u16::from(label))];
        }
        classes
    }

    /// The units of the patch whose centre is in this place of the square.
    #[inline(always)]
    fn units<I: Instructions>(&self, by: I, classes: &Square, centre: usize) -> I::Units {
        let first = centre + at([-2, -2]) - at([0, 0]);
        let classes: &[Class; 4 * SIDE + 5] =
            classes[first..][..4 * SIDE + 5].try_into().expect("it has this length");
        let mut units = by.load(&self.empty);
        let mut i = 0;
        while i < OFFSETS.len() {
            let [row, column] = OFFSETS[i];
            let class = classes[(row + 2) as usize * SIDE + (column + 2) as usize];
            units = by.add(units, self.row(by, (i * ROWS) as u16, class));
            i += 1;
        }
        units
    }

    #[inline(always)]
    fn row<I: Instructions>(&self, by: I, place: u16, class: Class) -> I::Units {
        let bytes = usize::from(place) + usize::from(class.0);
        debug_assert!(bytes < size_of_val(&*self.rows) && bytes.is_multiple_of(size_of::<Row>()));
        // SAFETY: a place is that of a patch, and a class one of the classes: together they are a row.
        by.load(unsafe { &*self.rows.as_ptr().byte_add(bytes) })
    }
}

/// A sum of changes with that of a patch.
#[inline(always)]
fn turned<I: Instructions>(by: I, change: I::Units, before: I::Units, after: I::Units) -> I::Units {
    by.add(change, by.subtract(by.positive(after), by.positive(before)))
}

/// The sums of units. It is not inlined, or the compiler would transpose the additions before it, too.
#[inline(never)]
fn totals(changes: &[Row; 4]) -> [i32; 4] {
    changes.map(total)
}

fn total(Row(units): Row) -> i32 {
    let (more, less) = units.split_at(Network::UNITS / 2);
    let sum = |units: &[i16]| units.iter().map(|&unit| i32::from(unit)).sum::<i32>();
    sum(more) - sum(less)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_instructions_give_the_same() {
        let grid = Grid::new(5, 3).unwrap();
        // The largest numbers, too.
        let numbers = (0..Network::COUNT).map(|i| (i * 7919 % 4001) as i16 - Network::MOST);
        for blank in [0, 7] {
            let network = Network::new(numbers.clone()).unwrap();
            let correction = Correction::new(grid, blank, &network);
            let mut position = crate::board::Position::goal(grid, blank);
            for i in 0..200 {
                let (labels, to) = (position.labels(), position.blank());
                let sources = Move::ALL.map(|m| grid.source(to, m));
                let changes = correction.changes(labels, to, sources);
                assert_eq!(changes, correction.changes_by(Plain, labels, to, sources), "{i}");
                for (from, change) in sources.into_iter().zip(changes) {
                    let mut after = labels.to_vec();
                    after.swap(from.unwrap_or(to), to);
                    assert_eq!(correction.of(&after) - correction.of(labels), change, "{i}");
                }
                position.make(Move::ALL[(i * i / 3 + i) % 4]);
            }
        }
    }
}
