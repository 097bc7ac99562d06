//! The heuristics that have a name and need no pattern databases.
//!
//! # How to add a heuristic
//!
//! 1. Write it in a file of its own in this folder: a type that implements
//!    [`Heuristic`](super::Heuristic), built from a grid and the blank's goal cell, with a `Carry`
//!    that is `Copy`. The head of the file proves that it is admissible, and has its consistency
//!    and cost. If it does not exist for every grid, its constructor returns
//!    [`GridTooLarge`](super::GridTooLarge).
//! 2. Declare the module and export the type in `mod.rs`, add a variant to [`Named`], and one to the
//!    `bounds!` of `composed.rs`.
//!
//! Then the heuristic can be parsed, displayed, composed and searched with, and the help and the
//! messages list it. `tests/it/composed.rs` checks every heuristic of [`Named::ALL`]: it never exceeds
//! the optimal length, and it is consistent.
//!
//! Two steps are for special cases:
//! - A pair that deserves a compiled search of its own is a variant of `Kind` in `composed.rs`.
//! - A new addition to Manhattan distance needs a proof that nothing is counted twice. It is a
//!   field of [`Additions`], and [`Named::additions`] has it.

use std::fmt;

use super::Additions;

/// A heuristic that has a name and needs no pattern databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Named {
    /// [`Manhattan`](super::Manhattan).
    Manhattan,
    /// [`LinearConflict`](super::LinearConflict).
    LinearConflict,
    /// Manhattan distance with [corner tiles](Additions::CORNER_TILES).
    CornerTiles,
    /// Manhattan distance with the [last move](Additions::LAST_MOVE).
    LastMove,
    /// [`WalkingDistance`](super::WalkingDistance).
    WalkingDistance,
}

impl Named {
    /// All of them, simple ones first.
    pub const ALL: &[Named] = &[
        Named::Manhattan,
        Named::LinearConflict,
        Named::CornerTiles,
        Named::LastMove,
        Named::WalkingDistance,
    ];

    /// The name that [`Spec`](super::Spec) parses.
    pub fn name(self) -> &'static str {
        match self {
            Named::Manhattan => "manhattan",
            Named::LinearConflict => "linear-conflict",
            Named::CornerTiles => "corner-tiles",
            Named::LastMove => "last-move",
            Named::WalkingDistance => "walking-distance",
        }
    }

    /// One line about it, without a full stop.
    pub fn summary(self) -> &'static str {
        match self {
            Named::Manhattan => "the sum of the tiles' distances from their goal cells",
            Named::LinearConflict => {
                "Manhattan distance, and tiles that block each other in their goal line"
            }
            Named::CornerTiles => {
                "Manhattan distance, and tiles at home that must let another into a corner"
            }
            Named::LastMove => {
                "Manhattan distance, and the detour of the tile that makes the last move"
            }
            Named::WalkingDistance => {
                "the moves that bring all tiles to their goal rows and columns, where only the \
                 blank lets tiles pass; up to 4x4, 5x3 and 6x2"
            }
        }
    }

    /// Its additions to Manhattan distance, if [`EnhancedManhattan`](super::EnhancedManhattan) can
    /// combine them with others. Then it can be a term of a sum.
    pub fn additions(self) -> Option<Additions> {
        match self {
            Named::Manhattan => Some(Additions::NONE),
            Named::LinearConflict => Some(Additions::LINEAR_CONFLICT),
            Named::CornerTiles => Some(Additions::CORNER_TILES),
            Named::LastMove => Some(Additions::LAST_MOVE),
            Named::WalkingDistance => None,
        }
    }
}

/// Writes the name.
impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
