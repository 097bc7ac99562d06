//! The output of the programs: answers, tables, pictures, files and progress.

mod analysis;
mod board;
mod file;
mod picture;
mod progress;
mod report;

pub use analysis::{Analysed, analysed};
pub use board::drawn;
pub use file::{Files, Output, is_standard};
pub use picture::{Picture, is_svg};
pub use progress::Progress;
pub use report::{All, Answer, Head, Printer, Shows, object, reject};
