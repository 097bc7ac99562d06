//! Searches with a heuristic composed at run time. Each is compiled for the parts of the heuristic.
//!
//! The heuristic must be one of the position's goal. With another one a search may panic, not end, or
//! find a solution that is not optimal. [`BrokenTable`] is the error of a table that does not lead to
//! the goal.

use super::{
    Control, Deepening, Outcome, SearchError, Solutions, Stop, Ties, Width, a_star, beam, ida,
    ida_star,
};
use crate::board::{Moves, Position};
use crate::heuristic::{Composed, Heuristic, Use};
use crate::pdb::BrokenTable;

/// Runs a search with the heuristic, after a look at the tables.
fn apply<T>(
    position: &Position,
    heuristic: &Composed,
    search: impl Use<Output = T>,
) -> Result<T, BrokenTable> {
    heuristic.value(position.labels())?;
    Ok(heuristic.apply(search))
}

/// [`ida_star`] with a composed heuristic.
///
/// # Errors
/// [`BrokenTable`]
pub fn ida_star_composed(
    position: &Position,
    heuristic: &Composed,
    control: &Control,
) -> Result<Outcome, BrokenTable> {
    struct Ida<'a>(&'a Position, &'a Control);

    impl Use for Ida<'_> {
        type Output = Outcome;

        fn with<H: Heuristic>(self, heuristic: &H) -> Outcome {
            ida_star(self.0, heuristic, self.1)
        }
    }

    apply(position, heuristic, Ida(position, control))
}

/// Calls `then` with the search of [`ida`] by a composed heuristic.
///
/// # Errors
/// [`BrokenTable`]
pub fn ida_composed<T>(
    position: &Position,
    heuristic: &Composed,
    then: impl FnOnce(&mut dyn Deepening) -> T,
) -> Result<T, BrokenTable> {
    struct Ida<'a, F>(&'a Position, F);

    impl<T, F: FnOnce(&mut dyn Deepening) -> T> Use for Ida<'_, F> {
        type Output = T;

        fn with<H: Heuristic>(self, heuristic: &H) -> T {
            (self.1)(&mut ida(self.0, heuristic))
        }
    }

    apply(position, heuristic, Ida(position, then))
}

/// [`a_star`] with a composed heuristic.
///
/// # Errors
/// [`BrokenTable`]
pub fn a_star_composed(
    position: &Position,
    heuristic: &Composed,
    ties: Ties,
    moves: Option<u32>,
    control: &Control,
) -> Result<Outcome, BrokenTable> {
    struct AStar<'a>(&'a Position, Ties, Option<u32>, &'a Control);

    impl Use for AStar<'_> {
        type Output = Outcome;

        fn with<H: Heuristic>(self, heuristic: &H) -> Outcome {
            a_star(self.0, heuristic, self.1, self.2, self.3)
        }
    }

    apply(position, heuristic, AStar(position, ties, moves, control))
}

/// [`beam`](beam()) with a composed heuristic.
///
/// # Errors
/// [`BrokenTable`]
pub fn beam_composed(
    position: &Position,
    heuristic: &Composed,
    width: impl Into<Width>,
    below: usize,
    control: &Control,
) -> Result<Option<Moves>, BrokenTable> {
    struct Beam<'a>(&'a Position, Width, usize, &'a Control);

    impl Use for Beam<'_> {
        type Output = Option<Moves>;

        fn with<H: Heuristic>(self, heuristic: &H) -> Option<Moves> {
            beam(self.0, heuristic, self.1, self.2, self.3)
        }
    }

    apply(position, heuristic, Beam(position, width.into(), below, control))
}

impl Solutions {
    /// [`Solutions::search`] with a composed heuristic.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn search_composed(
        position: &Position,
        length: u32,
        heuristic: &Composed,
        control: &Control,
    ) -> Result<Solutions, SearchError> {
        struct All<'a>(&'a Position, u32, &'a Control);

        impl Use for All<'_> {
            type Output = Result<Solutions, Stop>;

            fn with<H: Heuristic>(self, heuristic: &H) -> Self::Output {
                Solutions::search(self.0, self.1, heuristic, self.2)
            }
        }

        apply(position, heuristic, All(position, length, control))?.map_err(SearchError::Stopped)
    }
}
