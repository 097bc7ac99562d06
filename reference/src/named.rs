//! The heuristics that have a name and need no pattern databases, and the code that is compiled for each.
//!
//! # How to add a heuristic
//!
//! 1. Write it in a new file: a type that implements [`Heuristic`], built from a grid and the blank's goal
//!    cell, with a `Carry` that is `Copy`. The head of the file states its origin, its cost and why it is
//!    admissible and consistent. If it does not exist for every grid, its constructor returns
//!    [`GridTooLarge`].
//! 2. Declare the module and export the type in `lib.rs`.
//! 3. Add a row to `named!` and one to `bounds!` in this file. The compiler then names the two `match`
//!    expressions to complete.
//!
//! Then the heuristic can be parsed, displayed, composed and searched with, and the help and the
//! messages list it. `tests/it/heuristics.rs` checks every heuristic of [`Named::ALL`] on whole spaces.
//!
//! A new addition to Manhattan distance needs a proof that nothing is counted twice. It is a field of
//! [`Additions`], and [`Named::additions`] has it.

use std::fmt;

use taquin_engine::board::Grid;
use taquin_engine::pdb::{PlainTable, Table};

use crate::{
    Additions, Additive, AdditiveCarry, EnhancedManhattan, GridTooLarge, Heuristic, LinearConflict,
    Manhattan, Misplaced, MisplacedCarry, Use, WalkingDistance,
};

/// Defines the names, and the list of all of them.
macro_rules! named {
    ($($(#[$doc:meta])* $variant:ident: $name:literal, $summary:literal;)*) => {
        /// A heuristic that has a name and needs no pattern databases.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Named {
            $($(#[$doc])* $variant,)*
        }

        impl Named {
            /// All of them, simple ones first.
            pub const ALL: &[Named] = &[$(Named::$variant,)*];

            /// The name that [`Spec`](crate::Spec) parses.
            pub fn name(self) -> &'static str {
                match self { $(Named::$variant => $name,)* }
            }

            /// One line about it, without a full stop.
            pub fn summary(self) -> &'static str {
                match self { $(Named::$variant => $summary,)* }
            }
        }
    };
}

named! {
    /// [`Misplaced`].
    Misplaced: "misplaced", "the tiles that are not in their goal cells, rounded up to the parity of the distance";
    /// [`Manhattan`].
    Manhattan: "manhattan", "the sum of the tiles' distances from their goal cells";
    /// [`LinearConflict`].
    LinearConflict: "linear-conflict", "Manhattan distance, and tiles that block each other in their goal line";
    /// Manhattan distance with [corner tiles](Additions::CORNER_TILES).
    CornerTiles: "corner-tiles", "Manhattan distance, and tiles at home that must let another into a corner";
    /// Manhattan distance with the [last move](Additions::LAST_MOVE).
    LastMove: "last-move", "Manhattan distance, and the detour of the tile that makes the last move";
    /// [`WalkingDistance`].
    WalkingDistance: "walking-distance",
        "the moves that bring all tiles to their goal rows and columns, where only the blank lets tiles pass; up \
         to 4x4, 5x3 and 6x2";
}

impl Named {
    /// Its additions to Manhattan distance, if [`EnhancedManhattan`] can combine them with others. Then it
    /// can be a term of a sum.
    pub fn additions(self) -> Option<Additions> {
        match self {
            Named::Manhattan => Some(Additions::NONE),
            Named::LinearConflict => Some(Additions::LINEAR_CONFLICT),
            Named::CornerTiles => Some(Additions::CORNER_TILES),
            Named::LastMove => Some(Additions::LAST_MOVE),
            Named::Misplaced | Named::WalkingDistance => None,
        }
    }
}

/// Writes the name.
impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Defines the bounds of a maximum: an enum of heuristics that is a heuristic itself.
macro_rules! bounds {
    ($($bound:ident: $heuristic:ty => $carry:ty,)*) => {
        /// One bound of a [`Composed`](crate::Composed) heuristic.
        pub(crate) enum Bound {
            $($bound($heuristic),)*
        }

        /// The value that a search carries for a [`Bound`].
        #[derive(Clone, Copy)]
        pub(crate) enum BoundCarry {
            /// For the unused places of an array.
            None,
            $($bound($carry),)*
        }

        impl Bound {
            /// Passes the heuristic to code that is compiled for its type.
            pub fn apply<U: Use>(&self, task: U) -> U::Output {
                match self { $(Bound::$bound(heuristic) => task.with(heuristic),)* }
            }
        }

        impl Heuristic for Bound {
            type Carry = BoundCarry;

            fn start(&self, labels: &[u8]) -> BoundCarry {
                match self {
                    $(Bound::$bound(heuristic) => BoundCarry::$bound(heuristic.start(labels)),)*
                }
            }

            // As calls, these two functions cost some maxima a quarter of their speed.
            #[inline(always)]
            fn moved(&self, carry: &BoundCarry, labels: &[u8], from: usize, to: usize) -> BoundCarry {
                match (self, carry) {
                    $((Bound::$bound(heuristic), BoundCarry::$bound(carry)) => {
                        BoundCarry::$bound(heuristic.moved(carry, labels, from, to))
                    })*
                    _ => unreachable!("a carried value has the kind of its bound"),
                }
            }

            #[inline(always)]
            fn value(&self, carry: &BoundCarry) -> u32 {
                match (self, carry) {
                    $((Bound::$bound(heuristic), BoundCarry::$bound(carry)) => heuristic.value(carry),)*
                    _ => unreachable!("a carried value has the kind of its bound"),
                }
            }
        }
    };
}

bounds! {
    Misplaced: Misplaced => MisplacedCarry,
    Manhattan: Manhattan => <Manhattan as Heuristic>::Carry,
    LinearConflict: LinearConflict => <LinearConflict as Heuristic>::Carry,
    Sum: EnhancedManhattan => <EnhancedManhattan as Heuristic>::Carry,
    WalkingDistance: WalkingDistance => <WalkingDistance as Heuristic>::Carry,
    Tables: Additive<Table> => AdditiveCarry,
    Plain: Additive<PlainTable> => AdditiveCarry,
}

impl Bound {
    /// The heuristic of this name, for a goal with the blank in this cell.
    pub fn named(named: Named, grid: Grid, blank: usize) -> Result<Bound, GridTooLarge> {
        let sum = |additions| Bound::Sum(EnhancedManhattan::new(grid, blank, additions));
        Ok(match named {
            Named::Misplaced => Bound::Misplaced(Misplaced::new(grid, blank)),
            Named::Manhattan => Bound::Manhattan(Manhattan::new(grid, blank)),
            Named::LinearConflict => Bound::LinearConflict(LinearConflict::new(grid, blank)),
            Named::CornerTiles => sum(Additions::CORNER_TILES),
            Named::LastMove => sum(Additions::LAST_MOVE),
            Named::WalkingDistance => Bound::WalkingDistance(WalkingDistance::new(grid, blank)?),
        })
    }
}
