//! Searches for solutions.
//!
//! All of them take a [`Position`](crate::board::Position), which is solvable by construction, and
//! return an [`Outcome`] or a path on its canonical board.
//!
//! | | optimal | purpose |
//! |---|---|---|
//! | [`Engine`] | yes | iterative deepening with pattern databases: the fast search |
//! | [`ida_star`] | yes | plain IDA\* with any [heuristic](crate::heuristic): the reference |
//! | [`SlideEngine`] | in slides | the same in the metric that counts slides, up to 16 cells |
//! | [`slide_ida`] | in slides | the same without tables, on boards of any size |
//! | [`Engine::beam`] | no | a short solution with the tables of the fast search, in milliseconds |
//! | [`beam`] | no | a short solution of boards of any size, by [learned weights](Learned) or any heuristic |
//! | [`staged`], [`shorten`] | no | boards of any size, line after line, then shortened |
//! | [`OpenSearch`] | yes | goals with equal tiles or cells that do not matter, up to 25 cells |
//! | [`Solutions`] | all | counts and lists all optimal solutions |
//!
//! The folders, each of which uses only those above it:
//!
//! | folder | contents |
//! |---|---|
//! | `run` | what all searches have in common: limits, events, records, outcomes, thresholds |
//! | `moves` | the automaton of moves |
//! | the file `bits.rs` | the fields of packed words |
//! | `fast` | the inner loop: read the head of its mod.rs first |
//! | `solutions`, then the file `ida.rs` | all optimal solutions; plain IDA\* |
//! | `stages` | solutions by stages, and shorter ones window by window |
//! | `threshold` | one threshold in subtrees, on all threads |
//! | `engine` | threshold after threshold with pattern databases |
//! | `beam`, `open`, `slides` | beams, open goals, the multi-tile metric |
//!
//! [`Limits`] end a search and receive its [events](Event), a [`Cancel`] handle cancels it from another
//! thread, and a [`Record`] holds the state from which a [`Search`] continues later.
//!
//! ```
//! use taquin_engine::board::{Canonical, Goal, Grid};
//! use taquin_engine::heuristic::Manhattan;
//! use taquin_engine::search::{Limits, ida_star};
//!
//! let goal = Goal::named("blank-last", Grid::new(3, 3)?)?;
//! let canonical = Canonical::of(&goal);
//! let position = canonical.position(&"8 6 7 / 2 5 4 / 3 0 1".parse()?)?;
//! let manhattan = Manhattan::new(position.grid(), position.goal_blank());
//! let outcome = ida_star(&position, &manhattan, &Limits::default());
//! assert_eq!(outcome.path.map(|path| path.len()), Some(31));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod beam;
mod bits;
mod engine;
mod fast;
mod ida;
mod moves;
mod open;
mod run;
mod slides;
mod solutions;
mod stages;
mod threshold;

pub use beam::{
    BOTH_WAYS, Learned, LearnedNumbers, Network, Patches, STEP, Terms, Weights, Width, beam,
};
pub use engine::{Engine, LaneEnd, PartResult, Search, SearchError, Supply, is_view};
pub use ida::{ida, ida_star};
pub use open::{OpenSearch, TableSizes};
pub use run::{
    Clock, Count, Deepening, Event, Finished, Limits, Meter, Outcome, Proof, Record, Searched,
    Stop, Threshold, Unrecorded,
};
pub use slides::{SlideEngine, slide_ida};
pub use solutions::Solutions;
pub use stages::{Stage, lessons, shorten, staged};
pub use threshold::{Prefix, PrefixError, Root, Roots};

pub use crate::Cancel;
