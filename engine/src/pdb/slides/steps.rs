//! Slides between sets of cells.
//!
//! A slide along a line carries the tiles of one set to another, keeps their order along lines of
//! that direction, and moves the blank from cell to cell. Where the blank can come from and go to
//! is the same for all orders of a set.

use std::collections::BTreeMap;

use super::placements::Placements;
use super::record::MAX_SLIDE_CELLS;
use crate::board::Grid;
use crate::parallel::map_chunks;

/// Slides from one set to another, or within a set where they move no tile of the pattern.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// The number of the set before.
    pub source: u16,
    /// The cells of the blank before, any of which leads to all of `to`: a bit for each free cell of
    /// the set.
    pub from: u16,
    /// The cells of the blank after, likewise.
    pub to: u16,
}

/// The steps that lead to each set, by slides along the given lines.
pub(super) fn steps_to(lines: &[Vec<usize>], placements: &Placements) -> Vec<Vec<Step>> {
    let sets = placements.sets();
    let from = map_chunks(sets, 1, |_, set| steps_from(lines, set[0]));
    let mut steps = vec![Vec::new(); sets.len()];
    let all = u16::MAX >> (MAX_SLIDE_CELLS - placements.cells());
    for (source, from) in (0..).zip(from) {
        let free = all & !sets[usize::from(source)];
        for ((target, to), from) in from {
            let (from, to) = (compressed(from, free), compressed(to, all & !target));
            steps[placements.set(target)].push(Step { source, from, to });
        }
    }
    steps
}

/// The bits of `mask` that are in `cells`, next to each other.
fn compressed(mask: u16, cells: u16) -> u16 {
    let (mut cells, mut bits, mut place) = (cells, 0, 0);
    while cells != 0 {
        bits |= (mask >> cells.trailing_zeros() & 1) << place;
        cells &= cells - 1;
        place += 1;
    }
    bits
}

/// The slides from a set: for each set that they lead to and cells of the blank after, the cells of
/// the blank before.
fn steps_from(lines: &[Vec<usize>], set: u16) -> BTreeMap<(u16, u16), u16> {
    // By the blank's cell before and the set after, the cells of the blank after.
    let mut slides: BTreeMap<(usize, u16), u16> = BTreeMap::new();
    for line in lines {
        for (place, &blank) in line.iter().enumerate().filter(|&(_, &cell)| set >> cell & 1 == 0) {
            let mut slide = |cells: &mut dyn Iterator<Item = &usize>| {
                let (mut set, mut free) = (set, blank);
                for &cell in cells {
                    // The tile in this cell, if it is one of the pattern, moves to the free cell.
                    set = set & !(1 << cell) | (set >> cell & 1) << free;
                    free = cell;
                    *slides.entry((blank, set)).or_default() |= 1 << cell;
                }
            };
            slide(&mut line[..place].iter().rev());
            slide(&mut line[place + 1..].iter());
        }
    }
    let mut steps = BTreeMap::new();
    for ((blank, set), to) in slides {
        *steps.entry((set, to)).or_default() |= 1 << blank;
    }
    steps
}

/// The rows of a grid, and its columns.
pub(super) fn lines(grid: Grid) -> [Vec<Vec<usize>>; 2] {
    let (width, height) = (grid.width(), grid.height());
    let row = |row: usize| (0..width).map(|column| row * width + column).collect();
    let column = |column: usize| (0..height).map(|row| row * width + column).collect();
    [(0..height).map(row).collect(), (0..width).map(column).collect()]
}
