//! The macro behind the table of heuristics in the [module above](super).
//!
//! The table has a row for each heuristic that has a name and needs no pattern databases. From
//! its rows follow [`Named`](super::Named) with names and summaries, the parser of
//! [`Spec`](super::Spec), the messages that list what exists, the bounds of a
//! [`Composed`](super::Composed) heuristic, and the searches that are compiled for them.
//!
//! # How to add a heuristic
//!
//! 1. Write it in a file of its own in this folder: a type that implements
//!    [`Heuristic`](super::Heuristic), built from a grid and the blank's goal cell, with a `Carry`
//!    that is `Copy`. The head of the file shows why it is admissible, whether it is consistent,
//!    and what it costs. If it does not exist for every grid, its constructor returns
//!    [`GridTooLarge`](super::GridTooLarge).
//! 2. In `mod.rs`, declare the module, export the type, and add a row to the table. The row's
//!    `build` is an expression of the two names at the head of the table, with `?` if it can fail.
//!    Leave `adds` out: it marks what [`EnhancedManhattan`](super::EnhancedManhattan) can add up.
//!
//! Then the heuristic can be parsed, displayed, composed and searched with, and the help and the
//! messages list it. `tests/it/composed.rs` checks every heuristic of the table: it never exceeds the
//! optimal length, and it is consistent.
//!
//! Two steps are for special cases:
//! - A pair that deserves a compiled search of its own is a variant of `Kind` in `composed.rs`.
//! - A new addition to Manhattan distance needs a proof that nothing is counted twice. It is a
//!   field of [`Additions`](super::Additions), and `adds` in its row.

/// Defines [`Named`](super::Named) and the bounds that a composed heuristic consists of.
macro_rules! registry {
    (($grid:ident, $goal_blank:ident) $($heuristic:ident {
        name: $name:literal,
        summary: $summary:literal,
        build: $build:expr,
        $(adds: $additions:expr,)?
    })*) => {
        /// A heuristic that has a name and needs no pattern databases.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Named {
            $(
                #[doc = concat!("`", $name, "`: ", $summary, ".")]
                $heuristic,
            )*
        }

        impl Named {
            /// All of them, simple ones first.
            pub const ALL: &[Named] = &[$(Named::$heuristic),*];

            /// The name that [`Spec`] parses.
            pub fn name(self) -> &'static str {
                match self { $(Named::$heuristic => $name,)* }
            }

            /// One line about it, without a full stop.
            pub fn summary(self) -> &'static str {
                match self { $(Named::$heuristic => $summary,)* }
            }

            /// Its additions to Manhattan distance, if [`EnhancedManhattan`] can combine them with
            /// others. Then it can be a term of a sum.
            pub fn additions(self) -> Option<Additions> {
                match self {
                    $($(Named::$heuristic => Some($additions),)?)*
                    _ => None,
                }
            }
        }

        impl Part {
            /// The heuristic of this name, for a goal with the blank in this cell.
            fn named(named: Named, $grid: Grid, $goal_blank: usize) -> Result<Self, GridTooLarge> {
                Ok(match named { $(Named::$heuristic => Part::$heuristic($build),)* })
            }
        }

        parts! {
            $($heuristic: $heuristic => <$heuristic as Heuristic>::Carry,)*
            Sum: EnhancedManhattan => <EnhancedManhattan as Heuristic>::Carry,
            Tables: Additive<Table> => AdditiveCarry,
            MirroredTables: Mirror<Table> => AdditiveCarry,
            Plain: Additive<PlainTable> => AdditiveCarry,
            MirroredPlain: Mirror<PlainTable> => AdditiveCarry,
        }
    };
}

/// Defines the bounds of a maximum: an enum of heuristics that is a heuristic itself.
macro_rules! parts {
    ($($part:ident: $heuristic:ty => $carry:ty,)*) => {
        /// One bound of a [`Composed`] heuristic.
        enum Part {
            $($part($heuristic),)*
        }

        /// The value that a search carries for a [`Part`].
        #[derive(Clone, Copy)]
        enum PartCarry {
            /// For the places of an array that are left over.
            None,
            $($part($carry),)*
        }

        impl Part {
            /// Passes the heuristic to code that is compiled for its type.
            fn apply<U: Use>(&self, task: U) -> U::Output {
                match self { $(Part::$part(heuristic) => task.with(heuristic),)* }
            }
        }

        impl Heuristic for Part {
            type Carry = PartCarry;

            fn start(&self, labels: &[u8]) -> PartCarry {
                match self {
                    $(Part::$part(heuristic) => PartCarry::$part(heuristic.start(labels)),)*
                }
            }

            // As calls, these two functions cost some maxima a quarter of their speed.
            #[inline(always)]
            fn moved(&self, carry: &PartCarry, labels: &[u8], from: usize, to: usize) -> PartCarry {
                match (self, carry) {
                    $((Part::$part(heuristic), PartCarry::$part(carry)) => {
                        PartCarry::$part(heuristic.moved(carry, labels, from, to))
                    })*
                    _ => unreachable!("a carried value has the kind of its part"),
                }
            }

            #[inline(always)]
            fn value(&self, carry: &PartCarry) -> u32 {
                match (self, carry) {
                    $((Part::$part(heuristic), PartCarry::$part(carry)) => heuristic.value(carry),)*
                    _ => unreachable!("a carried value has the kind of its part"),
                }
            }
        }
    };
}
