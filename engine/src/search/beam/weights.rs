//! The weights of [`Learned`](super::Learned), in thousandths of a step.
//!
//! They come from repeated rounds, of which docs/EXPERIMENTS.md has the figures:
//!
//! 1. Random boards of 5×5 to 10×10 are solved by beams with the weights so far.
//! 2. In each level, the position on the way to the solution should rank before others of the level. A
//!    logistic loss is minimised, at first of weights that do not depend on the location of a pair, and
//!    then of what each location adds.
//! 3. This is repeated with the new weights.

/// The number of locations of a pair of cells side by side.
pub(super) const LOCATIONS: usize = 9;

/// The number of classes of a cell: five by five for the steps of its tile, and one for the blank.
pub(super) const CLASSES: usize = 26;

/// For each step of a tile from home.
pub(super) const STEP: i32 = 1000;

/// For each step, if the home is as far from that of the blank as can be; in proportion, if it is nearer.
pub(super) const FAR: i32 = 235;

/// For the squares of the steps along both axes, over 9.
pub(super) const SQUARE: i32 = 1253;

/// For the cubes of the steps along both axes, over 27.
pub(super) const CUBE: i32 = 735;

/// For each tile that has to leave its line.
pub(super) const CONFLICT: i32 = 1278;

/// By the larger and the smaller number of steps along an axis, at most 5.
#[rustfmt::skip]
pub(super) const DISTANCES: [[i16; 6]; 6] = [
    [0, 0, 0, 0, 0, 0],
    [36, -110, 0, 0, 0, 0],
    [34, -105, -335, 0, 0, 0],
    [96, -16, -246, -18, 0, 0],
    [208, 154, -150, 85, 372, 0],
    [376, 277, 44, 171, 638, 797],
];

/// By the borders of a tile's home, and its steps along both axes, at most 2: row 3a + b and column 3c + d
/// for the borders a, b and the steps c, d along the two axes, the lesser pair (a, c) first.
#[rustfmt::skip]
pub(super) const HOMES: [[i16; 9]; 9] = [
    [0, 456, 1180, 0, 576, 1046, 0, 0, 825],
    [0, -126, -339, 68, -248, -24, -104, -274, -39],
    [0, 520, 1638, 206, 913, 1372, 1332, 1484, 1489],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, -52, -323, 0, -412, -898, 0, 0, -1004],
    [0, 459, 230, -199, 201, 243, -102, 314, 457],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
];

/// By the borders of a tile's cell, in the same way.
#[rustfmt::skip]
pub(super) const CELLS: [[i16; 9]; 9] = [
    [0, 30, 635, 0, 418, 748, 0, 0, 101],
    [0, 125, 350, 558, 199, 343, -91, 37, 174],
    [0, -413, 809, 909, 304, 267, 844, 229, 97],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 72, -69, 0, 39, 18, 0, 0, 70],
    [0, -332, -455, 167, -426, -352, 163, -317, -276],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, -1784, -4, 0, -1319, -907, 0, 0, -581],
];

/// By the location of two cells side by side, by the class of the left one and by that of the right one,
/// on a board whose blank belongs at the upper left. The location is three times the border that the pair
/// touches (0 the right one, 1 none, 2 the left one), plus the border along which it lies (0 the lower one,
/// 1 none, 2 the upper one). Classes that a border makes impossible have the same weights in several
/// locations.
pub(super) const PAIRS: [[[i16; CLASSES]; CLASSES]; LOCATIONS] = include!("pairs.in");
