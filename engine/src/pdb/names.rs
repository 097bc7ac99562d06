//! The partitions and catalogues that have names, and those that are the defaults of a shape.

use crate::board::Grid;

/// The named partitions and catalogues: size, name, and the tiles for goals with the blank first. The
/// partitions of a catalogue are separated by spaces.
///
/// `small` is the catalogue of that name of Clausecker and Reinefeld (2019). Its first partition comes from
/// Korf and Felner (2002).
const NAMED: [(usize, usize, &str, &str); 10] = [
    (4, 4, "7-8", "1,2,3,4,5,6,7/8,9,10,11,12,13,14,15"),
    (4, 4, "7-8b", "1,2,4,5,8,9,12/3,6,7,10,11,13,14,15"),
    (4, 4, "7-8c", "1,2,3,5,6,7,11/4,8,9,10,12,13,14,15"),
    (4, 4, "6-6-3", "1,2,4,5,8,9/3,6,7,10,11,15/12,13,14"),
    (4, 4, "5-5-5", "1,2,4,5,8/3,6,7,10,11/9,12,13,14,15"),
    (4, 4, "4-4-4-3", "2,3,6,7/8,9,12,13/10,11,14,15/1,4,5"),
    (3, 3, "4-4", "1,2,4,5/3,6,7,8"),
    (5, 5, "6-6-6-6", "1,5,6,10,11,12/2,3,4,7,8,9/13,14,18,19,23,24/15,16,17,20,21,22"),
    (5, 5, "7-7-7-3", "2,3,4,7,8,9,12/10,11,15,16,20,21,22/13,14,17,18,19,23,24/1,5,6"),
    (5, 5, "small", SMALL),
];

const SMALL: &str = "\
    1,5,6,10,11,12/2,3,4,7,8,9/13,14,18,19,23,24/15,16,17,20,21,22 \
    1,2,5,6,10,11/3,4,7,8,9,12/13,14,18,19,23,24/15,16,17,20,21,22 \
    1,5,6,10,11,12/2,3,4,7,8,9/13,14,15,16,17,18/19,20,21,22,23,24 \
    1,2,5,6,10,11/3,4,7,8,9,12/13,14,15,16,17,18/19,20,21,22,23,24 \
    1,5,6,10,15,20/2,3,4,7,8,9/11,12,16,17,21,22/13,14,18,19,23,24 \
    1,2,5,6,10,11/3,4,9,14,19,24/7,8,12,13,18,23/15,16,17,20,21,22 \
    1,5,6,10,15,20/2,3,4,7,8,9/11,12,13,16,17,18/14,19,21,22,23,24";

/// The names of a size that stand for one partition, or for a catalogue of several, and their lists of tiles.
pub(super) fn of_size(
    grid: Grid,
    catalogues: bool,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let size = (grid.width(), grid.height());
    let named = NAMED
        .into_iter()
        .filter(move |(w, h, _, lists)| (*w, *h) == size && lists.contains(' ') == catalogues);
    named.map(|(.., name, lists)| (name, lists))
}

/// The default partitions of shapes whose tiles in reading order make a worse one: size, the blank's goal cell, and
/// the tiles. `pdb-gen suggest` found them; docs/EXPERIMENTS.md has the nodes that they take.
pub(super) const SUGGESTED: [(usize, usize, usize, &str); 24] = [
    (5, 2, 0, "1,2,5,6,7/3,4,8,9"),
    (5, 2, 1, "0,2,5,6,7/3,4,8,9"),
    (5, 2, 2, "0,1,5,6/3,4,7,8,9"),
    (6, 2, 0, "1,2,6,7,8/3,4,5,9,10,11"),
    (6, 2, 1, "0,2,6,7,8/3,4,5,9,10,11"),
    (6, 2, 2, "0,1,6,7,8/3,4,5,9,10,11"),
    (7, 2, 0, "1,2,3,7,8,9,10/4,5,6,11,12,13"),
    (7, 2, 1, "0,2,3,7,8,9,10/4,5,6,11,12,13"),
    (7, 2, 2, "0,1,3,7,8,9,10/4,5,6,11,12,13"),
    (7, 2, 3, "0,1,2,7,8,9/4,5,6,10,11,12,13"),
    (8, 2, 0, "1,2,3,8,9,10,11/4,5,6,7,12,13,14,15"),
    (8, 2, 1, "0,2,3,8,9,10,11/4,5,6,7,12,13,14,15"),
    (8, 2, 2, "0,1,3,8,9,10,11/4,5,6,7,12,13,14,15"),
    (8, 2, 3, "0,1,2,8,9,10,11/4,5,6,7,12,13,14,15"),
    (4, 3, 1, "0,2,4,5,8,9/3,6,7,10,11"),
    (4, 3, 4, "0,1,5,8,9/2,3,6,7,10,11"),
    (4, 3, 5, "0,1,4,8,9/2,3,6,7,10,11"),
    (5, 3, 0, "1,2,5,6,10,11/3,4,7,8,9,12,13,14"),
    (5, 3, 1, "0,2,5,6,10,11,12/3,4,7,8,9,13,14"),
    (5, 3, 2, "0,1,5,6,7,10,11/3,4,8,9,12,13,14"),
    (5, 3, 5, "0,1,6,7,10,11,12/2,3,4,8,9,13,14"),
    (5, 3, 6, "0,1,2,5,7,10,11/3,4,8,9,12,13,14"),
    (6, 3, 0, "1,2,6,7,8,12,13/3,4,9,10,14,15,16/5,11,17"),
    (9, 2, 0, "1,2,3,9,10,11,12/4,5,6,13,14,15/7,8,16,17"),
];

/// The suggested lists of tiles of a goal.
pub(super) fn suggested(grid: Grid, blank: usize) -> Option<&'static str> {
    let goal = (grid.width(), grid.height(), blank);
    SUGGESTED.iter().find(|(w, h, cell, _)| (*w, *h, *cell) == goal).map(|(.., lists)| *lists)
}
