//! The goal of a solver, for boards of every size or of one.

use std::fmt;
use std::str::FromStr;

use crate::board::{
    Board, BoardError, Goal, GoalError, Grid, LabelledBoard, OpenError, OpenGoal, OpenPosition,
    ParseError,
};
use crate::read;

/// A goal that was read once: one of [`Goal::NAMES`], for boards of every size, a board, or an open goal, with equal
/// tiles or with `*` or `?` for cells that do not matter.
///
/// ```
/// use taquin::solver::GoalSpec;
///
/// let spec: GoalSpec = "spiral".parse()?;
/// assert_eq!(spec.goal("3x3".parse()?)?.to_string(), "1 2 3 / 8 0 4 / 7 6 5");
/// assert!("corner".parse::<GoalSpec>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalSpec(Form);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// One of [`Goal::NAMES`], for every size, or tiles in one row, for every shape with that number of
    /// cells.
    Text(String),
    Board(Goal),
    Open(OpenGoal),
}

impl GoalSpec {
    /// The goal for boards of a size.
    ///
    /// # Errors
    /// [`GoalError`] if the goal is a board of another size, or is open.
    pub fn goal(&self, grid: Grid) -> Result<Goal, GoalError> {
        match &self.0 {
            Form::Text(text) => Goal::parse(text, grid),
            Form::Board(goal) if goal.board().grid() == grid => Ok(goal.clone()),
            Form::Board(goal) => Err(GoalError::Size { goal: goal.board().grid(), board: grid }),
            Form::Open(_) => Err(GoalError::NotOneBoard),
        }
    }

    /// The goal for a size; without one, for the size of the goal if it is a board, else for 4×4.
    ///
    /// # Errors
    /// As [`GoalSpec::goal`].
    pub fn sized(&self, size: Option<Grid>) -> Result<Goal, GoalError> {
        match (&self.0, size) {
            (_, Some(size)) => self.goal(size),
            (Form::Board(goal), None) => Ok(goal.clone()),
            (Form::Text(_) | Form::Open(_), None) => self.goal(four()),
        }
    }

    /// The goal for boards of a size, even if it is open.
    ///
    /// # Errors
    /// [`GoalError`] if the goal has another size.
    pub fn target(&self, grid: Grid) -> Result<Target, GoalError> {
        match &self.0 {
            Form::Open(goal) if goal.grid() == grid => Ok(Target::Open(goal.clone())),
            Form::Open(goal) => Err(GoalError::Size { goal: goal.grid(), board: grid }),
            _ => Ok(Target::Board(self.goal(grid)?)),
        }
    }

    /// The goal, if it is open.
    pub fn open(&self) -> Option<&OpenGoal> {
        match &self.0 {
            Form::Open(goal) => Some(goal),
            _ => None,
        }
    }

    /// Reads a name, or one board.
    fn closed(text: &str) -> Result<GoalSpec, GoalError> {
        if let Some(name) = Goal::name(text.trim()) {
            return Ok(GoalSpec(Form::Text(name.to_owned())));
        }
        match Goal::unnamed(text).parse::<Board>() {
            Ok(board) => Ok(board.into()),
            // A word is a name, although its letters could be tiles.
            Err(ParseError::NoShape { found }) if text.contains(char::is_numeric) => {
                let widths = (2..=found / 2).filter(|width| found % width == 0);
                let grids = widths.filter_map(|width| Grid::new(width, found / width).ok());
                let goals = grids.map(|grid| Goal::parse(text, grid));
                goals.reduce(Result::or).unwrap_or(Err(ParseError::NoShape { found }.into()))?;
                Ok(GoalSpec(Form::Text(text.trim().to_owned())))
            }
            Err(_) => Ok(Goal::parse(text, four())?.into()),
        }
    }
}

/// A goal for boards of a size: one board, or an open one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// One board.
    Board(Goal),
    /// An open goal.
    Open(OpenGoal),
}

impl Target {
    /// Returns whether another arrangement of a board's tiles is the goal.
    ///
    /// # Errors
    /// [`OpenError`] if the board does not fit the goal.
    pub fn is_reached(&self, board: &LabelledBoard, end: &Board) -> Result<bool, OpenError> {
        match self {
            Target::Board(goal) => Ok(end == goal.board()),
            Target::Open(goal) => Ok(OpenPosition::new(goal, board)?.is_reached(end)),
        }
    }

    /// Returns whether the goal wants the tile that is in a cell there.
    pub fn is_home(&self, board: &LabelledBoard, cell: usize) -> bool {
        let tile = board.board().tiles()[cell];
        match self {
            Target::Board(goal) => tile == goal.board().tiles()[cell],
            Target::Open(goal) => tile > 0 && *goal.words()[cell] == *board.label(tile),
        }
    }
}

/// The goal with the blank last.
impl Default for GoalSpec {
    fn default() -> GoalSpec {
        GoalSpec(Form::Text(Goal::NAMES[0].to_owned()))
    }
}

fn four() -> Grid {
    Grid::square(16).expect("4x4 is a size")
}

/// Reads a name, a board as text, or an open goal.
impl FromStr for GoalSpec {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<GoalSpec, GoalError> {
        let error = match GoalSpec::closed(text) {
            Ok(spec) => return Ok(spec),
            Err(error) => error,
        };
        let open = OpenGoal::parse(text, None);
        match (open, read::board(text, None)) {
            (Ok(goal), _) if goal.is_open() => Ok(GoalSpec(Form::Open(goal))),
            // A board in another form, without a guess.
            (_, Ok(reading)) if reading.notes.is_empty() => {
                Ok(Goal::from(reading.board.board().clone()).into())
            }
            (Err(open), _) if text.contains(['*', '?']) => Err(open.into()),
            // Rows of letters are not a name.
            (Err(open), _) if text.contains('/') && matches!(error, GoalError::Unknown { .. }) => {
                Err(open.into())
            }
            _ => Err(match error {
                GoalError::Board(ParseError::Board(repeated @ BoardError::Repeated { .. })) => {
                    GoalError::EqualInRow(repeated)
                }
                error => error,
            }),
        }
    }
}

/// Writes the text that [`FromStr`] reads.
impl fmt::Display for GoalSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Text(text) => f.pad(text),
            Form::Board(goal) => goal.fmt(f),
            Form::Open(goal) => goal.fmt(f),
        }
    }
}

impl From<Goal> for GoalSpec {
    fn from(goal: Goal) -> GoalSpec {
        GoalSpec(Form::Board(goal))
    }
}

impl From<Board> for GoalSpec {
    fn from(board: Board) -> GoalSpec {
        Goal::from(board).into()
    }
}

impl TryFrom<&str> for GoalSpec {
    type Error = GoalError;

    fn try_from(text: &str) -> Result<GoalSpec, GoalError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_read_back() {
        for text in ["spiral", "blank-first", "1 2 3 / 4 5 0", "1 2 3 4 5 0"] {
            let spec: GoalSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
        for text in ["1 2 3 / * * *", "A A B / B C _", "1 1 2 / 2 * *"] {
            let spec: GoalSpec = text.parse().unwrap();
            assert_eq!((spec.to_string(), spec.open().is_some()), (text.to_owned(), true));
            let grid = Grid::new(3, 2).unwrap();
            assert_eq!(spec.goal(grid), Err(GoalError::NotOneBoard));
            assert!(matches!(spec.target(grid), Ok(Target::Open(_))));
            assert!(spec.target(four()).is_err() && spec.sized(None).is_err());
        }
        for (text, name) in
            [(" Blank-First ", "blank-first"), ("snail", "spiral"), ("col", "columns")]
        {
            assert_eq!(text.parse::<GoalSpec>().unwrap().to_string(), name);
        }
        let last = GoalSpec::default();
        assert_eq!(last.to_string(), "blank-last");
        assert_eq!(last.sized(None), last.goal(four()));
    }

    #[test]
    fn a_board_is_the_goal_of_its_size_alone() {
        let grid = |width, height| Grid::new(width, height).unwrap();
        let goal = Goal::named("snake", grid(3, 2)).unwrap();
        let spec = GoalSpec::from(goal.clone());
        assert_eq!((spec.sized(None), spec.goal(grid(3, 2))), (Ok(goal.clone()), Ok(goal)));
        let other = GoalError::Size { goal: grid(3, 2), board: grid(2, 3) };
        assert_eq!(spec.goal(grid(2, 3)), Err(other));
        // The boards give a row its shape.
        let row: GoalSpec = "1 2 3 4 5 0".parse().unwrap();
        for (width, height) in [(3, 2), (2, 3)] {
            assert_eq!(row.goal(grid(width, height)).unwrap().board().grid(), grid(width, height));
        }
        assert!(row.goal(grid(2, 2)).is_err());
    }
}
