//! The heuristics that have a name and need no pattern databases, and the code that is compiled for each.
//!
//! # How to add a heuristic
//!
//! 1. Write it in a new file: a type that implements [`Heuristic`], built from a grid and the blank's goal
//!    cell, with a `Carry` that is `Copy`. The head of the file states its origin, its cost and why it is
//!    admissible and consistent. If it does not exist for every grid, its constructor returns
//!    [`GridTooLarge`].
//! 2. Add a row to `heuristics!` in this file.
//! 3. Declare the module and export the type in `lib.rs`, and describe it in the table there.
//!
//! Then the heuristic can be parsed, displayed, composed and searched with, and the help and the
//! messages list it. `tests/it/heuristics.rs` checks every heuristic of [`Named::ALL`] on whole spaces.
//!
//! A new addition to Manhattan distance needs a proof that nothing is counted twice. It is a field of
//! [`Additions`], and its row names it.

use std::fmt;

use taquin_engine::board::Grid;

use crate::{
    Additions, Additive, EnhancedManhattan, GridTooLarge, Heuristic, LinearConflict, Manhattan,
    Max, Misplaced, Use, WalkingDistance,
};

/// Defines the heuristics with a name, and the bounds of a maximum: these heuristics and others.
macro_rules! heuristics {
    (
        unnamed: $($other:ident($bound:ty)),*;
        $($(#[$doc:meta])* $named:ident($heuristic:ty): $name:literal, $summary:literal, $additions:expr, $new:expr;)*
    ) => {
        /// A heuristic that has a name and needs no pattern databases.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Named {
            $($(#[$doc])* $named,)*
        }

        impl Named {
            /// All of them, simple ones first.
            pub const ALL: &[Named] = &[$(Named::$named,)*];

            /// The name that [`Spec`](crate::Spec) parses.
            pub fn name(self) -> &'static str {
                match self { $(Named::$named => $name,)* }
            }

            /// One line about it, without a full stop.
            pub fn summary(self) -> &'static str {
                match self { $(Named::$named => $summary,)* }
            }

            /// Its additions to Manhattan distance, if [`EnhancedManhattan`] can combine them with others. Then
            /// it can be a term of a sum.
            pub fn additions(self) -> Option<Additions> {
                match self { $(Named::$named => $additions,)* }
            }

            /// The heuristic, for a goal with the blank in this cell.
            pub(crate) fn bound(self, grid: Grid, blank: usize) -> Result<Bound, GridTooLarge> {
                match self { $(Named::$named => Ok(Bound::$named($new(grid, blank)?)),)* }
            }
        }

        bounds! { $($named($heuristic),)* $($other($bound),)* }
    };
}

/// Defines an enum of heuristics that is a heuristic itself.
macro_rules! bounds {
    ($($bound:ident($heuristic:ty),)*) => {
        /// One bound of a [`Composed`](crate::Composed) heuristic.
        #[derive(Debug)]
        pub(crate) enum Bound {
            $($bound($heuristic),)*
        }

        /// The value that a search carries for a [`Bound`].
        #[derive(Clone, Copy)]
        pub(crate) enum BoundCarry {
            /// For the unused places of an array.
            None,
            $($bound(<$heuristic as Heuristic>::Carry),)*
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

/// A constructor of a heuristic that exists for every grid.
fn always<H>(new: fn(Grid, usize) -> H) -> impl Fn(Grid, usize) -> Result<H, GridTooLarge> {
    move |grid, blank| Ok(new(grid, blank))
}

/// A constructor of Manhattan distance with additions.
fn with(additions: Additions) -> impl Fn(Grid, usize) -> Result<EnhancedManhattan, GridTooLarge> {
    move |grid, blank| Ok(EnhancedManhattan::new(grid, blank, additions))
}

heuristics! {
    unnamed: Sum(EnhancedManhattan), Tables(Additive), Mirrored(Max<Additive, Additive>);
    /// [`Misplaced`].
    Misplaced(Misplaced): "misplaced",
        "the tiles that are not in their goal cells, rounded up to the parity of the distance",
        None, always(Misplaced::new);
    /// [`Manhattan`].
    Manhattan(Manhattan): "manhattan", "the sum of the tiles' distances from their goal cells",
        Some(Additions::NONE), always(Manhattan::new);
    /// [`LinearConflict`].
    LinearConflict(LinearConflict): "linear-conflict",
        "Manhattan distance, and tiles that block each other in their goal line",
        Some(Additions::LINEAR_CONFLICT), always(LinearConflict::new);
    /// Manhattan distance with [corner tiles](Additions::CORNER_TILES).
    CornerTiles(EnhancedManhattan): "corner-tiles",
        "Manhattan distance, and tiles at home that must let another into a corner",
        Some(Additions::CORNER_TILES), with(Additions::CORNER_TILES);
    /// Manhattan distance with the [last move](Additions::LAST_MOVE).
    LastMove(EnhancedManhattan): "last-move",
        "Manhattan distance, and the detour of the tile that makes the last move",
        Some(Additions::LAST_MOVE), with(Additions::LAST_MOVE);
    /// [`WalkingDistance`].
    WalkingDistance(WalkingDistance): "walking-distance",
        "the moves that bring all tiles to their goal rows and columns, where only the blank lets tiles pass; up \
         to 4x4, 5x3 and 6x2",
        None, WalkingDistance::new;
}

/// Writes the name.
impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
