//! The laboratory measures how strong heuristics are and how fast the searches with them are, and records
//! both.
//!
//! ```text
//! Suite (boards) ───────┐
//! Contender ─▶ Entry ───┴▶ Contest ─▶ Tried (trials of a board) ─▶ rows ─▶ Record
//!                   └────▶ measure (values over random boards), compare (with true distances)
//! ```
//!
//! A [`Contender`] is a search with a heuristic: one of ours, or a file of values, a program or a function
//! from outside. Loaded, it is an [`Entry`]. [`Contest::run`] tries all entries on a board before the next
//! board, so that a load on the machine slows all of them down, and the ratios hold.
//!
//! ```
//! use taquin::lab::{self, Contender, Entry, Settings, Suite};
//! use taquin::{Cancel, Goal, Metric, Store};
//!
//! let suite = Suite::random(Goal::named("blank-last", "3x3".parse()?)?, Metric::Single, 10, 1);
//! let entries = Contender::parse_list("manhattan,ida:4-4:mirror")?
//!     .iter()
//!     .map(|contender| Entry::load(contender, &suite, &Store::memory(), &Settings::default(), |_| ()))
//!     .collect::<Result<Vec<_>, _>>()?;
//! let cancel = Cancel::new();
//! let (entries, suite, settings) = (&entries[..], &suite, Settings::default());
//! let contest =
//!     lab::Contest { entries, suite, settings, cancel: &cancel, distances: None, record: None };
//! let (tried, ended) = contest.run(&|_| ());
//! ended?;
//! let rows = lab::rows(entries, &tried);
//! assert_eq!((rows[0].solved, rows[1].about.heuristic.as_str()), (10, "ida:4-4:mirror"));
//! assert!(rows[1].nodes_ratio.unwrap() < 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod branching;
mod chains;
mod contender;
mod contest;
mod csv;
mod drawing;
mod entry;
mod error;
mod foreign;
mod korf;
mod machine;
mod predict;
mod program;
mod record;
mod report;
mod settings;
mod statistics;
mod suggest;
mod suite;
mod summary;
mod trial;
mod truth;
mod values;

pub use contender::{Contender, Search, Source};
pub use contest::{Contest, distances};
pub use csv::searches;
pub use drawing::draw;
pub use entry::{About, Entry, TableRecord};
pub use error::Error;
pub use machine::Provenance;
pub use record::Record;
pub use report::{by_depth, markdown, not_narrow, table};
pub use settings::Settings;
pub use suggest::{Suggestion, suggest};
pub use suite::{Case, Suite};
pub use summary::{Row, rows};
pub use trial::{Step, Trial, Tried};
pub use truth::{Edge, Truth, compare};
pub use values::{CHAINS, Values, measure};
