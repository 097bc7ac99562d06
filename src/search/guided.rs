//! The plain search with a heuristic put together at run time.

use super::{Control, Outcome, ida_star};
use crate::board::Grid;
use crate::heuristic::{Composed, Heuristic, Use};
use crate::pdb::BrokenTable;

/// [`ida_star`] with a [`Composed`] heuristic; the search is compiled for what it is made of.
///
/// # Errors
/// [`BrokenTable`] where a table does not lead to the goal.
pub fn ida_star_guided<B: AsRef<[u8]> + Send + Sync>(
    grid: Grid,
    blank: usize,
    labels: &[u8],
    heuristic: &Composed<B>,
    control: &Control,
) -> Result<Outcome, BrokenTable> {
    heuristic.value(labels)?;
    Ok(heuristic.apply(Search { grid, blank, labels, control }))
}

struct Search<'a> {
    grid: Grid,
    blank: usize,
    labels: &'a [u8],
    control: &'a Control,
}

impl Use for Search<'_> {
    type Output = Outcome;

    fn with<H: Heuristic>(self, heuristic: &H) -> Outcome {
        ida_star(self.grid, self.blank, self.labels, heuristic, self.control)
    }
}
