//! Pattern databases that count slides, for [`Metric::Multi`](crate::board::Metric::Multi).
//!
//! A slide may move tiles of several patterns at once, so values of disjoint patterns cannot be added. A
//! [`SlideTable`] is therefore not additive: it counts *all* slides, also of other tiles and of the blank
//! alone, and the other tiles look alike. The largest value of several such tables is a lower bound.
//!
//! Two slides in the same line are at most one slide, so an optimal solution alternates between
//! rows and columns. A table knows which comes next: its values are for positions whose next slide
//! is along a *row*. For a column, look up the position's mirror image along the main diagonal, in
//! a table of the mirrored goal.
//!
//! 1. [`Placements`] numbers the placements of a pattern's tiles.
//! 2. [`generate_slides`] builds the table by breadth-first search, over all placements, all cells
//!    of the blank and both directions.
//! 3. The table has a *record* of 16 bits for each placement: the least value over all cells of the blank,
//!    and a bit for each cell where the value is larger by two or more. A look-up returns the least value, or
//!    two more. It is never larger than the number of slides.
//!
//! A test compares every record with a search over slides of single tiles on a board.
//!
//! A table of 7 tiles on 4×4 has 57,657,600 records, 115 MB.

mod generate;
mod placements;
mod record;
mod reorder;
mod standard;
mod steps;
mod table;

pub use generate::generate_slides;
pub use placements::Placements;
pub use record::{MAX_SLIDE_CELLS, counts_slides};
pub use standard::slide_patterns;
pub use table::{Probe, SlideTable};
