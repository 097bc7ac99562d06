//! The goal of a solver, for boards of every size or of one.

use std::fmt;
use std::str::FromStr;

use crate::board::{
    Board, BoardError, Goal, GoalError, Grid, LabelledBoard, OpenError, OpenGoal, OpenPosition,
    ParseError,
};
use crate::read::{self, Expected, Note};

/// A goal that was read once: one of [`Goal::NAMES`], for boards of every size; or a board, whose tiles are names. With
/// equal tiles, or with `*` or `?` for cells that do not matter, it is open.
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
pub struct GoalSpec {
    form: Form,
    notes: Vec<Note>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// One of [`Goal::NAMES`], for every size, or tiles in one row, for every shape with that number of
    /// cells.
    Text(String),
    /// The names of the tiles.
    Names(OpenGoal),
}

impl GoalSpec {
    /// Reads a name of a goal, or a board, whose blank has this text if one is given and some cell has it.
    ///
    /// # Errors
    /// [`GoalError`] for text that is neither.
    pub fn read(text: &str, blank: Option<&str>) -> Result<GoalSpec, GoalError> {
        if let Some(name) = Goal::name(text.trim()) {
            return Ok(Form::Text(name.to_owned()).into());
        }
        let expected = Expected { blank: blank.map(str::to_owned), ..Expected::default() };
        let error = match read::goal(Goal::unnamed(text), &expected) {
            Ok((goal, notes)) => return Ok(GoalSpec { form: Form::Names(goal), notes }),
            Err(error @ OpenError::Text(_)) => error,
            Err(error) => return Err(error.into()),
        };
        match Goal::unnamed(text).parse::<Board>() {
            // A word is a name, although its letters could be tiles.
            Err(ParseError::NoShape { found }) if text.contains(char::is_numeric) => {
                let widths = (2..=found / 2).filter(|width| found % width == 0);
                let grids = widths.filter_map(|width| Grid::new(width, found / width).ok());
                let goals = grids.map(|grid| Goal::parse(text, grid));
                let goal = goals.reduce(Result::or);
                match goal.unwrap_or(Err(ParseError::NoShape { found }.into())) {
                    Err(GoalError::Board(ParseError::Board(
                        repeated @ BoardError::Repeated { .. },
                    ))) => Err(GoalError::EqualInRow(repeated)),
                    goal => goal.map(|_| Form::Text(text.trim().to_owned()).into()),
                }
            }
            Err(ParseError::Board(repeated @ BoardError::Repeated { .. })) => {
                Err(GoalError::EqualInRow(repeated))
            }
            _ => match Goal::parse(text, four()) {
                // Rows of letters are not a name.
                Err(GoalError::Unknown { .. }) if text.contains('/') => Err(error.into()),
                Err(_) if text.contains(['*', '?']) => Err(error.into()),
                goal => Ok(goal?.into()),
            },
        }
    }

    /// The goal for boards of a size.
    ///
    /// # Errors
    /// [`GoalError`] if the goal is a board of another size, or is open.
    pub fn goal(&self, grid: Grid) -> Result<Goal, GoalError> {
        self.target(grid)?.board()
    }

    /// The goal for a size; without one, for the size of the goal if it is a board, else for 4×4.
    ///
    /// # Errors
    /// As [`GoalSpec::target`].
    pub fn sized(&self, size: Option<Grid>) -> Result<Target, GoalError> {
        self.target(size.or(self.names().map(OpenGoal::grid)).unwrap_or_else(four))
    }

    /// The goal for boards of a size, even if it is open.
    ///
    /// # Errors
    /// [`GoalError`] if the goal has another size.
    pub fn target(&self, grid: Grid) -> Result<Target, GoalError> {
        match &self.form {
            Form::Text(text) => Ok(Target::Board(Goal::parse(text, grid)?)),
            Form::Names(goal) if goal.grid() == grid => Ok(goal.clone().into()),
            Form::Names(goal) => Err(GoalError::Size { goal: goal.grid(), board: grid }),
        }
    }

    /// The goal, if it is open.
    pub fn open(&self) -> Option<&OpenGoal> {
        self.names().filter(|goal| goal.is_open())
    }

    /// The names of the tiles, if the goal is a board.
    pub fn names(&self) -> Option<&OpenGoal> {
        match &self.form {
            Form::Names(goal) => Some(goal),
            Form::Text(_) => None,
        }
    }

    /// A board with the names of the tiles.
    pub fn named(&self, board: Board) -> LabelledBoard {
        match self.names() {
            Some(goal) => goal.named(board),
            None => board.into(),
        }
    }

    /// The guesses that the goal rests on.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The size, the goal and the blank that boards are read with, of which the caller may give the size and the blank.
    pub fn expected(&self, size: Option<Grid>, blank: Option<&str>) -> Expected {
        let expected = self.names().map_or_else(Expected::default, Expected::for_goal);
        let own = expected.size.filter(|_| expected.goal.is_some());
        Expected { size: size.or(own), blank: blank.map(str::to_owned), ..expected }
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

/// A goal of which all cells differ is one board.
impl From<OpenGoal> for Target {
    fn from(goal: OpenGoal) -> Target {
        goal.closed().map_or(Target::Open(goal), Target::Board)
    }
}

impl Target {
    /// The goal that is one board.
    ///
    /// # Errors
    /// [`GoalError::NotOneBoard`] if it is open.
    pub fn board(self) -> Result<Goal, GoalError> {
        match self {
            Target::Board(goal) => Ok(goal),
            Target::Open(_) => Err(GoalError::NotOneBoard),
        }
    }

    /// The shape.
    pub fn grid(&self) -> Grid {
        match self {
            Target::Board(goal) => goal.board().grid(),
            Target::Open(goal) => goal.grid(),
        }
    }

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
        Form::Text(Goal::NAMES[0].to_owned()).into()
    }
}

impl From<Form> for GoalSpec {
    fn from(form: Form) -> GoalSpec {
        GoalSpec { form, notes: Vec::new() }
    }
}

fn four() -> Grid {
    Grid::square(16).expect("4x4 is a size")
}

/// Reads a name, or a board as text, which may be open.
impl FromStr for GoalSpec {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<GoalSpec, GoalError> {
        GoalSpec::read(text, None)
    }
}

/// Writes the text that [`FromStr`] reads.
impl fmt::Display for GoalSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            Form::Text(text) => f.pad(text),
            Form::Names(goal) if goal.is_plain() => match goal.closed() {
                Some(goal) => goal.fmt(f),
                None => goal.fmt(f),
            },
            Form::Names(goal) => goal.fmt(f),
        }
    }
}

impl From<Target> for GoalSpec {
    fn from(target: Target) -> GoalSpec {
        match target {
            Target::Board(goal) => goal.into(),
            Target::Open(goal) => goal.into(),
        }
    }
}

impl From<OpenGoal> for GoalSpec {
    fn from(goal: OpenGoal) -> GoalSpec {
        Form::Names(goal).into()
    }
}

impl From<Goal> for GoalSpec {
    fn from(goal: Goal) -> GoalSpec {
        OpenGoal::from(&goal).into()
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
            assert!(spec.target(four()).is_err() && spec.sized(None).is_ok());
        }
        for (text, name) in
            [(" Blank-First ", "blank-first"), ("snail", "spiral"), ("col", "columns")]
        {
            assert_eq!(text.parse::<GoalSpec>().unwrap().to_string(), name);
        }
        // Rows of tiles are not a size.
        for text in ["1 2 3 / 4 5 6 / 7 8 0 9", "", "1 0 2 0"] {
            assert!(text.parse::<GoalSpec>().is_err(), "{text}");
        }
        let last = GoalSpec::default();
        assert_eq!(last.to_string(), "blank-last");
        assert_eq!(last.sized(None), last.target(four()));
    }

    #[test]
    fn a_board_is_the_goal_of_its_size_alone() {
        let grid = |width, height| Grid::new(width, height).unwrap();
        let goal = Goal::named("snake", grid(3, 2)).unwrap();
        let spec = GoalSpec::from(goal.clone());
        assert_eq!(
            (spec.sized(None), spec.goal(grid(3, 2))),
            (Ok(Target::Board(goal.clone())), Ok(goal))
        );
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
