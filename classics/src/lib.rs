//! Searches and heuristics of the literature, for [Taquin](https://docs.rs/taquin), the sliding-tile solver.
//! Each is one short file, to be read alongside the paper. **This crate promises no stability.** Use the
//! crate `taquin` instead.
//!
//! The fast search does not depend on them. The methods for comparison, the laboratory and the tests of the
//! fast search use them. The trait [`Heuristic`], Manhattan distance, linear conflict and plain IDA\* are in
//! `taquin_engine`, because stages and beams need them.
//!
//! # The searches
//!
//! | | optimal | |
//! |---|---|---|
//! | [`ida_star`] | yes | Korf 1985 |
//! | [`a_star`], [`bfs`] | yes | Hart, Nilsson & Raphael 1968; they remember every position |
//! | [`batch_a_star`], [`batch_ida_star`] | if admissible | values of many positions at a time, from outside |
//! | [`greedy`] | no | bounded breadth-first searches stitched together |
//!
//! # The heuristics
//!
//! The averages are over random 4×4 boards with the blank's goal in a corner. The nodes are the average that
//! iterative deepening generates for Korf's 100 boards.
//!
//! | heuristic | name | average | nodes | speed |
//! |---|---|---|---|---|
//! | [`Misplaced`] | `misplaced` | 14.56 | | two comparisons per move |
//! | [`Manhattan`] | `manhattan` | 37 | 363,028,080 | two look-ups per move in a small table |
//! | with [corner tiles](Additions::CORNER_TILES) | `corner-tiles` | 37.69 | | a few bits more |
//! | with the [last move](Additions::LAST_MOVE) | `last-move` | 38.13 | | two more look-ups |
//! | [`LinearConflict`] | `linear-conflict` | 38.92 | 45,425,337 | half of Manhattan distance |
//! | [`WalkingDistance`] | `walking-distance` | 39.29 | 63,001,934 | two look-ups; small grids only |
//! | [`EnhancedManhattan`] | all four with `+` | 40.39 | 9,961,191 | a third of linear conflict |
//! | [`Additive`] | `5-5-5:plain` | 41.70 | | a look-up in pattern databases |
//! | | `7-8` | 45.61 | | the same in larger ones |
//! | with its [mirror](Additive::mirrored) | `7-8:mirror` | 46.44 | | twice the look-ups |
//!
//! # Composition
//!
//! The larger of two bounds is a bound: [`Max`]. Their sum is one only if no move is counted twice.
//! [`EnhancedManhattan`] makes such a sum of Manhattan distance, linear conflict, corner tiles and
//! last move, and [`Additive`] one of tables for disjoint patterns.
//!
//! Heuristics can also be composed at run time. A [`Spec`] is parsed from a text such as
//! `manhattan+linear-conflict+last-move` or `max(walking-distance,5-5-5:mirror)`, and [`Composed`]
//! builds it.

mod additive;
mod batched;
mod best_first;
mod composed;
mod corner_tiles;
mod enhanced;
mod graph;
mod greedy;
mod last_move;
mod max;
mod misplaced;
mod spec;
mod walking_distance;

pub use additive::{Additive, AdditiveCarry, MAX_PATTERNS, PartitionTables, PatternTable};
pub use batched::{Evaluate, batch_ida_star};
pub use best_first::{Ties, a_star, batch_a_star, bfs};
pub use composed::{ComposeError, Composed, Use};
pub use enhanced::{Additions, EnhancedManhattan};
pub use greedy::greedy;
pub use max::Max;
pub use misplaced::Misplaced;
pub use spec::{Spec, SpecError, Term, names};
pub use taquin_engine::heuristic::{Heuristic, LinearConflict, Manhattan};
pub use taquin_engine::search::ida_star;
pub use walking_distance::{GridTooLarge, WalkingDistance};
