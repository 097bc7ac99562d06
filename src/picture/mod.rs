//! Pictures as SVG text: boards, solutions, and the values of heuristics.
//!
//! ```
//! use taquin::{Board, picture};
//!
//! let board: Board = "1 2 3 / 4 5 6 / 7 0 8".parse()?;
//! assert!(picture::board(&board).starts_with("<svg "));
//!
//! let mut sheet = picture::Sheet::default();
//! sheet.add("one move", &board, &"L".parse()?);
//! assert!(sheet.finish("solutions").contains(">1: Left<"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod histogram;
mod motion;
pub(crate) mod plot;
pub(crate) mod shapes;
mod sheet;

#[cfg(feature = "lab")]
pub(crate) use histogram::plot as histogram_plot;
pub use histogram::{Sample, histogram};
pub use motion::motion;
pub use sheet::{MOST, Sheet, board};
