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
//! [`Limits`] end a search and receive its [events](Event), a [`Cancel`] handle cancels it from another
//! thread, and a [`Record`] holds the state from which a [`Search`] goes on later.
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

mod automaton;
mod beam;
mod births;
mod board_stream;
mod children;
mod choice;
mod clock;
mod coordinates;
mod deepening;
mod engine;
mod estimate;
mod exhaust;
mod expand;
mod frontier;
mod ida;
mod journal;
mod lanes;
mod limits;
mod masks;
mod moves;
mod open;
mod parts;
mod proof;
mod race;
mod shorten;
mod slides;
mod solutions;
mod solve;
mod space;
mod staged;
mod states;
mod tree;
#[cfg(target_arch = "x86_64")]
mod vector;

pub use beam::{Learned, STEP, Terms, Weights, Width, beam};
pub use board_stream::{Supply, Verdict};
pub use clock::Clock;
pub use deepening::{Deepening, Meter, Plain, Searched};
pub use engine::{Engine, SearchError, is_view};
pub use frontier::{Prefix, PrefixError, Root, Roots};
pub use ida::{Outcome, ida, ida_star};
pub use journal::{Event, Finished, Record, Threshold};
pub use limits::{Limits, Stop};
pub use open::{OpenOutcome, OpenSearch, TableSizes};
pub use parts::Part;
pub use proof::Proof;
pub use shorten::shorten;
pub use slides::{SlideEngine, slide_ida};
pub use solutions::Solutions;
pub use solve::Search;
pub use staged::{Stage, staged};

pub use crate::Cancel;
