//! The faults of an open goal, or of a board for it.

use crate::board::{Grid, ParseError};

/// Why a text is not an open goal, or a board does not fit one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The text is not a grid of labels.
    #[error(transparent)]
    Text(#[from] ParseError),
    /// A goal without a cell for the blank, or with several.
    #[error(
        "the goal has {0} cells for the blank: write one, as in `A A / B _`, or cells that do not matter, as in `A A / * *`"
    )]
    GoalBlanks(usize),
    /// A board without a blank, or with several.
    #[error("the board has {0} blanks: write one, as 0, _ or .")]
    Blanks(usize),
    /// A cell of a board that does not matter.
    #[error("* is only for goals: write a label in every cell of the board")]
    Any,
    /// A goal of another size than the board.
    #[error("the goal is {} {goal} board, but this board is {board}", goal.article())]
    Size {
        /// The goal's size.
        goal: Grid,
        /// The board's size.
        board: Grid,
    },
    /// The labels of the board do not match the labels of the goal.
    #[error("the board does not fit the goal: {}", counts(.0))]
    Labels(Vec<String>),
}

/// Four labels, and how many more there are.
fn counts(labels: &[String]) -> String {
    match labels.split_at_checked(4) {
        Some((shown, more @ [_, ..])) => {
            format!("{}; and {} more labels", shown.join("; "), more.len())
        }
        _ => labels.join("; "),
    }
}
