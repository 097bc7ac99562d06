use std::convert::Infallible;
use std::str::FromStr;

use super::{Board, BoardError, Grid, Move, OpenError, ParseError};
use crate::names;

/// The position a search is to reach.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Goal(Board);

/// The reason why a text is not a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GoalError {
    /// Neither a known name nor something that could be a board.
    #[error("there is no goal {name:?}: {}", advice(name))]
    Unknown {
        /// The name as given.
        name: String,
    },
    /// Text that looks like a board but is not one.
    #[error("the goal is not a board: {0}")]
    Board(ParseError),
    /// An open goal that is not well formed or does not fit a board.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A goal with equal tiles in one row.
    #[error("the goal is not a board: {0}; if tiles are equal, write the rows of the goal with /")]
    EqualInRow(BoardError),
    /// An open goal, where one board is needed.
    #[error("an open goal (equal tiles or *) is not possible here: give one board")]
    NotOneBoard,
    /// A goal board of another size than the board to solve.
    #[error("the goal is {} {goal} board, but the boards are {board}", goal.article())]
    Size {
        /// The goal's size.
        goal: Grid,
        /// The size of the board to solve.
        board: Grid,
    },
}

/// The cells in the order in which the tiles 1, 2, … and the blank fill them.
type Order = fn(Grid) -> Vec<usize>;

/// The named goals.
const NAMED: [(&str, Order); 7] = [
    ("blank-last", |grid| reading(grid, grid.cells() - 1)),
    ("blank-first", |grid| reading(grid, 0)),
    ("blank-top-right", |grid| reading(grid, grid.width() - 1)),
    ("blank-bottom-left", |grid| reading(grid, grid.cells() - grid.width())),
    ("spiral", spiral),
    ("snake", snake),
    ("columns", columns),
];

/// Other names of goals. They are not abbreviated.
const ALIASES: [(&str, &str); 3] =
    [("blank-top-left", "blank-first"), ("blank-bottom-right", "blank-last"), ("snail", "spiral")];

/// The name that is meant, or a list of all.
fn advice(name: &str) -> String {
    // For the corners, a name with the same beginning does not help.
    let others = ["snail", "top-left", "top-right", "bottom-left", "bottom-right"];
    let names: Vec<&str> = Goal::NAMES.into_iter().chain(others).collect();
    names::meant(name, &names).unwrap_or_else(|| {
        let names = Goal::NAMES.join(", ");
        format!("write {names}, or a board as in `1 2 3 4 / 5 6 7 8 / …`")
    })
}

// Not by `#[from]`, which would make it the error's source too, and repeat it in reports.
impl From<ParseError> for GoalError {
    fn from(error: ParseError) -> GoalError {
        GoalError::Board(error)
    }
}

/// The error of conversions that cannot fail.
impl From<Infallible> for GoalError {
    fn from(never: Infallible) -> GoalError {
        match never {}
    }
}

/// Whether a goal can be reached, with the counts that decide it.
///
/// Each move transposes the blank with a tile and moves the blank one step, so both parities change
/// together. All positions of equal parity are connected (Johnson & Story 1879).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Solvability {
    /// The fewest transpositions (of any two cells) that turn the board into the goal.
    pub transpositions: usize,
    /// Steps from the blank's cell to its cell in the goal.
    pub blank_distance: usize,
}

impl Solvability {
    /// Counts the cycles of the permutation that `label` gives: the goal cell of the content of each
    /// cell.
    pub(super) fn of(
        grid: Grid,
        label: impl Fn(usize) -> usize,
        blank: usize,
        goal_blank: usize,
    ) -> Solvability {
        let mut seen = [false; super::MAX_CELLS];
        let mut cycles = 0;
        for start in 0..grid.cells() {
            let mut cell = start;
            cycles += usize::from(!seen[cell]);
            while !std::mem::replace(&mut seen[cell], true) {
                cell = label(cell);
            }
        }
        Solvability {
            transpositions: grid.cells() - cycles,
            blank_distance: grid.distance(blank, goal_blank),
        }
    }

    /// Returns whether moves can reach the goal: both counts are even, or both odd.
    pub fn is_solvable(self) -> bool {
        self.transpositions % 2 == self.blank_distance % 2
    }

    /// The parity of a count, in a word.
    pub fn parity(count: usize) -> &'static str {
        if count.is_multiple_of(2) { "even" } else { "odd" }
    }
}

/// `3 transpositions (odd) and a blank distance of 2 (even): unsolvable`
impl std::fmt::Display for Solvability {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Solvability { transpositions, blank_distance } = *self;
        let [first, second] = [transpositions, blank_distance].map(Solvability::parity);
        let s = if transpositions == 1 { "" } else { "s" };
        let verdict = if self.is_solvable() { "solvable" } else { "unsolvable" };
        write!(f, "{transpositions} transposition{s} ({first}) and a blank distance of ")?;
        write!(f, "{blank_distance} ({second}): {verdict}")
    }
}

impl From<Board> for Goal {
    fn from(board: Board) -> Goal {
        Goal(board)
    }
}

impl Goal {
    /// The names that [`Goal::named`] accepts.
    pub const NAMES: [&str; NAMED.len()] = {
        let [a, b, c, d, e, f, g] = NAMED;
        [a.0, b.0, c.0, d.0, e.0, f.0, g.0]
    };

    /// The name of [`Goal::NAMES`] that a text stands for: the name itself, in upper or lower case, or a
    /// beginning of it that no other name has, or an alias. Spaces and underscores count as hyphens.
    pub fn name(text: &str) -> Option<&'static str> {
        // Whoever lists the goals of a board has the names as they are.
        if let Some(name) = Goal::NAMES.into_iter().find(|name| *name == text) {
            return Some(name);
        }
        let text = Goal::unnamed(text).to_ascii_lowercase().replace(['_', ' '], "-");
        let corner = format!("blank-{text}");
        let mut names = Goal::NAMES.map(|name| (name, name)).into_iter().chain(ALIASES);
        let whole = names.clone().find(|(name, _)| [&*text, &*corner].contains(name));
        // An abbreviation may be of either.
        let begun = || names::find(&text, &[&Goal::NAMES[..], &["snail"]].concat());
        whole
            .or_else(|| begun().and_then(|begun| names.find(|(name, _)| *name == begun)))
            .map(|(_, name)| name)
    }

    /// A goal without `goal:` before it.
    pub fn unnamed(text: &str) -> &str {
        match text.split_once([':', '=']) {
            Some((name, goal)) if name.trim().eq_ignore_ascii_case("goal") => goal.trim(),
            _ => text.trim(),
        }
    }

    /// The names of the goals that a board can reach.
    pub fn reachable(board: &Board) -> Vec<&'static str> {
        let reaches = |name: &&str| {
            let goal = Goal::named(name, board.grid());
            goal.is_ok_and(|goal| goal.solvability(board).is_solvable())
        };
        Goal::NAMES.into_iter().filter(reaches).collect()
    }

    /// A goal by its name, for a board of any size.
    ///
    /// The four corner goals hold the tiles in reading order around the blank. `spiral` winds
    /// clockwise inwards from the top left, `snake` reads every second row backwards,
    /// `columns` goes down the columns; these three end with the blank.
    ///
    /// Names are read in upper or lower case, and may be abbreviated as long as they are unique;
    /// `spiral` is also called `snail`, and the corner of the blank is a name, as in `top-left`.
    ///
    /// # Errors
    /// [`GoalError::Unknown`] for any other name.
    pub fn named(name: &str, grid: Grid) -> Result<Goal, GoalError> {
        let known = Goal::name(name).and_then(|name| NAMED.iter().find(|known| known.0 == name));
        let (_, order) = known.ok_or_else(|| GoalError::Unknown { name: name.to_owned() })?;
        let mut tiles = vec![0; grid.cells()];
        let numbers = 1..=(grid.cells() - 1) as u8;
        order(grid).iter().zip(numbers).for_each(|(&cell, tile)| tiles[cell] = tile);
        Ok(Goal(Board::from_permutation(grid, tiles.into())))
    }

    /// A goal by name or as a board, for boards of a given size.
    ///
    /// # Errors
    /// [`GoalError`] for text that is neither, or a board of another size.
    pub fn parse(text: &str, grid: Grid) -> Result<Goal, GoalError> {
        let text = Goal::unnamed(text);
        let named = Goal::named(text, grid);
        if named.is_ok() || !text.contains(|c: char| c.is_ascii_digit() || matches!(c, '_' | '.')) {
            return named;
        }
        let board = match Board::from_str(text) {
            Err(ParseError::NoShape { .. }) => Board::parse(text, Some(grid))?,
            board => board?,
        };
        if board.grid() != grid {
            return Err(GoalError::Size { goal: board.grid(), board: grid });
        }
        Ok(Goal(board))
    }

    /// The goal position.
    pub fn board(&self) -> &Board {
        &self.0
    }

    /// Returns whether `board` can reach this goal, with the counts that decide it.
    ///
    /// # Panics
    /// If the board has another size than the goal.
    pub fn solvability(&self, board: &Board) -> Solvability {
        let grid = self.0.grid();
        assert_eq!(board.grid(), grid, "board and goal differ in size");
        let mut goal_cell = [0; super::MAX_CELLS];
        for (cell, &tile) in self.0.tiles().iter().enumerate() {
            goal_cell[usize::from(tile)] = cell;
        }
        let label = |cell: usize| goal_cell[usize::from(board.tiles()[cell])];
        Solvability::of(grid, label, board.blank(), self.0.blank())
    }
}

impl Board {
    /// Returns whether this is the goal.
    pub fn is_goal(&self, goal: &Goal) -> bool {
        self == goal.board()
    }
}

impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// The cells in reading order, that of the blank last.
fn reading(grid: Grid, blank: usize) -> Vec<usize> {
    (0..grid.cells()).filter(|&cell| cell != blank).chain([blank]).collect()
}

/// The cells row by row, to the right and back again.
fn snake(grid: Grid) -> Vec<usize> {
    let mut order: Vec<usize> = (0..grid.cells()).collect();
    order.chunks_mut(grid.width()).skip(1).step_by(2).for_each(<[usize]>::reverse);
    order
}

/// The cells column by column.
fn columns(grid: Grid) -> Vec<usize> {
    let column = |first| (first..grid.cells()).step_by(grid.width());
    (0..grid.width()).flat_map(column).collect()
}

/// The cells clockwise from the top left, inwards.
fn spiral(grid: Grid) -> Vec<usize> {
    let mut order = vec![0];
    // The moves that take a blank to the right, down, to the left, up.
    let mut turns = [Move::Left, Move::Up, Move::Right, Move::Down].into_iter().cycle().peekable();
    while order.len() < grid.cells() {
        let ahead = turns.peek().and_then(|&m| grid.source(order[order.len() - 1], m));
        match ahead.filter(|cell| !order.contains(cell)) {
            Some(cell) => order.push(cell),
            None => drop(turns.next()),
        }
    }
    order
}
