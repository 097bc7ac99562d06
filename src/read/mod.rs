//! Boards and moves as people write them.
//!
//! No form is recognised. A text becomes rows of cells, and the rows are cut wherever they can be cut: a board
//! checks itself, as few texts hold the tiles 0 to `n` - 1 once each by chance.
//!
//! 1. The text becomes rows of cells in one pass (`rows.rs`).
//! 2. Cells are a board if they are its tiles, each once (`tiles.rs`).
//! 3. All cuts of the rows into headings and boards are tried; a heading must be explained (`cuts.rs`).
//! 4. One cut is the answer. Without a cut there is one error, for the whole grid (`fault.rs`). Two cuts are an
//!    error that shows both.
//!
//! In a stream, each board has one answer or one error, in order ([`Boards`]). `Board::from_str` reads the plain
//! forms alone.

mod cuts;
mod fault;
mod labels;
mod lines;
mod moves;
#[cfg(feature = "serde")]
mod objects;
mod rows;
mod stream;
mod tiles;

use std::fmt;

use self::rows::{Cell, Kind, Row};
use crate::board::{Board, Goal, Grid, LabelledBoard, OpenError, ParseError};

pub use labels::labelled;
pub use lines::{LineFault, LinesOf, file, text};
pub use moves::{MovesError, moves};
#[cfg(feature = "serde")]
pub use objects::{object, open_goal, text_of};
pub use rows::BLANKS;
pub use stream::{Boards, Item, Lines};

/// A board that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading<B = Board> {
    /// The board.
    pub board: B,
    /// The guesses that the reading rests on. Whoever shows the answer shows them.
    pub notes: Vec<Note>,
    /// The name or the numbers above the board.
    pub label: Option<String>,
    /// The goal that an object gives.
    pub goal: Option<Goal>,
}

/// A board of a stream, or why there is none in its place.
#[cfg(feature = "serde")]
pub(crate) type Answer = Result<Reading<LabelledBoard>, ReadError>;

/// A guess.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Note {
    /// A text next to the tiles is not a part of the board.
    Label(String),
    /// Two numbers before tiles in one row are the width and the height.
    Order(Grid),
    /// This sign, or the largest of the numbers 1 to `n`, is the blank.
    Blank(String),
    /// The tiles are counted from 0, and this sign is the blank.
    FromZero(String),
    /// The blank is not written, and belongs to this row and column, from 1.
    LeftOut(usize, usize),
    /// Numbers of moves are the cells of the blank.
    Cells,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Label(text) => write!(f, "{text:?} is read as a label, not as tiles"),
            Note::Order(grid) => {
                let [width, height] = [grid.width(), grid.height()];
                write!(f, "the size is read as width and height: {width} columns and {height} rows")
            }
            Note::Blank(text) => write!(f, "{text:?} is read as the blank"),
            Note::FromZero(sign) => {
                write!(
                    f,
                    "{sign:?} is read as the blank, and the tiles as counted from 0: each is 1 more"
                )
            }
            Note::Cells => f.write_str(
                "the numbers are read as cells of the blank, counted from 0, not as tiles",
            ),
            Note::LeftOut(row, column) => {
                write!(f, "the blank is not written, and is read in row {row}, column {column}")
            }
        }
    }
}

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The tiles have a fault.
    #[error("{error}{}", place(*.line))]
    Board {
        /// The fault.
        error: ParseError,
        /// The line of the text, from 1, if it has several.
        line: Option<usize>,
    },
    /// A size or a number before the tiles does not fit.
    #[error("the text before the tiles says {stated}, but the board is {grid}")]
    Size {
        /// The text.
        stated: String,
        /// The size of the tiles.
        grid: Grid,
    },
    /// Rows that cannot all be of one board.
    #[error("{text:?} is not explained: write the rows of one board, and a name on a line of its own{}", place(*.line))]
    Unexplained {
        /// The text.
        text: String,
        /// The line of the text, from 1, if it has several.
        line: Option<usize>,
    },
    /// A text that is two boards.
    #[error("this can be read as {0}, and as {1}: write a slash after each row")]
    Two(Board, Board),
    /// Several boards where one is expected.
    #[error("these are {0} boards, and one is expected here: give each by itself")]
    Several(usize),
    /// The text is not JSON, or its fields are of other kinds.
    #[error("this JSON has no board, which is a list of tiles as in {{\"board\":[1,2,3,0]}}: {0}")]
    Fields(String),
    /// The object has no list of tiles.
    #[error("this object has no \"board\", which is a list of tiles as in {{\"board\":[1,2,3,0]}}")]
    NoBoard,
    /// The object is that of a board without an answer.
    #[error("this object has no board, but an error: {0}")]
    NoAnswer(String),
    /// The goal of an object is not a board of that size.
    #[error("the goal is not a board: {0}")]
    Goal(String),
    /// The board does not fit a goal that leaves something open.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A text that is not a tile.
    #[error("{text:?} is not a tile{}: write the rows in numbers, with one of {} for the blank", place(*.line), BLANKS.join(" "))]
    NotATile {
        /// The text, shortened.
        text: String,
        /// The line of the text, from 1, if it has several.
        line: Option<usize>,
    },
    /// The line could not be read as text.
    #[error("{0}")]
    Line(String),
}

fn place(line: Option<usize>) -> String {
    line.map_or(String::new(), |line| format!(" (line {line})"))
}

impl From<ParseError> for ReadError {
    fn from(error: ParseError) -> ReadError {
        ReadError::Board { error, line: None }
    }
}

/// The conditions under which rows are read.
#[derive(Clone, Copy, Debug, Default)]
struct Context {
    /// The size that the caller gives.
    size: Option<Grid>,
    /// The boards of the stream before these rows.
    before: usize,
    /// More rows may follow.
    has_more: bool,
    /// The first board has a heading.
    is_headed: bool,
}

/// Reads the boards of a text, of the given size if there is one, in order.
pub fn boards(text: &str, size: Option<Grid>) -> Vec<Result<Reading, ReadError>> {
    let plain = |reading: Reading<LabelledBoard>| reading.map(|board| board.board().clone());
    Boards::new(text.lines(), size).map(|item| item.reading.map(plain)).collect()
}

/// Reads the one board of a text, of the given size if there is one.
///
/// # Errors
/// [`ReadError`] if the text has no board of that size, or several.
pub fn board(text: &str, size: Option<Grid>) -> Result<Reading, ReadError> {
    if let Ok(board) = Board::parse(text, size) {
        return Ok(board.into());
    }
    let mut all = boards(text, size);
    match all.len() {
        0 => Err(ParseError::Empty.into()),
        1 => all.swap_remove(0),
        found => match all.into_iter().find_map(Result::err) {
            Some(error) => Err(error),
            None => Err(ReadError::Several(found)),
        },
    }
}

impl<B> From<B> for Reading<B> {
    fn from(board: B) -> Reading<B> {
        Reading { board, notes: Vec::new(), label: None, goal: None }
    }
}

impl From<Reading> for Reading<LabelledBoard> {
    fn from(reading: Reading) -> Reading<LabelledBoard> {
        reading.map(LabelledBoard::from)
    }
}

impl<B> Reading<B> {
    /// The reading with another form of its board.
    fn map<C>(self, form: impl FnOnce(B) -> C) -> Reading<C> {
        let Reading { board, notes, label, goal } = self;
        Reading { board: form(board), notes, label, goal }
    }
}

/// Reads the boards of rows that belong together.
fn read(rows: &[Row], context: Context) -> Result<Vec<(usize, Reading)>, ReadError> {
    if let Some(row) = rows.iter().find(|row| row.texts().any(is_turning)) {
        return Err(ReadError::Unexplained { text: row.text(), line: None });
    }
    let all = |views: &Vec<Vec<Row>>| {
        views.iter().flat_map(|view| cuts::cuts(view, context)).collect::<Vec<_>>()
    };
    let found =
        views(rows, context).iter().map(all).find(|cuts| !cuts.is_empty()).unwrap_or_default();
    match &found[..] {
        [] => Err(fault::fault(rows, context.size)),
        [cut] => {
            let reading = |placed: &cuts::Placed| {
                let notes = placed.notes.iter().cloned().collect();
                let label = placed.label.clone();
                (placed.line, Reading { board: placed.board.clone(), notes, label, goal: None })
            };
            Ok(cut.iter().map(reading).collect())
        }
        [one, other, ..] => {
            let pair = one.iter().zip(other).find(|(one, other)| one.board != other.board);
            let (one, other) = pair.unwrap_or((&one[0], &other[0]));
            Err(ReadError::Two(one.board.clone(), other.board.clone()))
        }
    }
}

/// Returns whether a text is an object, or a list of them. Braces are brackets of rows too.
pub(crate) fn is_object(text: &str) -> bool {
    let text = text.trim_start_matches([' ', '\n', '\r', '\t', '\u{feff}', '[']);
    text.starts_with('{') && text.replace([' ', '\n'], "").contains("\":")
}

/// Returns whether a call exchanges rows and columns, so that the lists of the text are columns.
fn is_turning(name: &str) -> bool {
    let name = name.to_lowercase();
    name.len() > 2 && ["zip", "transpose", "cbind"].iter().any(|call| name.ends_with(call))
}

/// The rows; then without names before each row, or without the numbers of a table's rows; then one row without a number
/// at one of its ends. The views of a group are looked at together, as two of them may have a board.
fn views(rows: &[Row], context: Context) -> Vec<Vec<Vec<Row>>> {
    let is_before =
        |pair: &[Row]| pair[0].is_name() && pair[1].is_named && pair[1].line == pair[0].line;
    let others = (0..rows.len()).filter(|&at| !rows.get(at..at + 2).is_some_and(is_before));
    let mut views = vec![vec![rows.to_vec()], vec![others.map(|at| rows[at].clone()).collect()]];
    let label =
        |cells: &[Cell], row: &Row| Row { kind: Kind::Name, is_noted: true, ..row.of(cells) };
    for head in [0, 1] {
        let Some(body) = rows.get(head..).filter(|body| body.len() > 2) else { continue };
        let numbers: Vec<Option<u64>> = body.iter().map(|row| row.cells[0].number()).collect();
        let counts = |first: u64| numbers.iter().copied().eq((first..).map(Some).take(body.len()));
        // The columns have names or numbers, too.
        let is_head =
            |row: &Row| (0..2).contains(&(body[0].cells.len().wrapping_sub(row.cells.len())));
        if (counts(0) || counts(1))
            && body.iter().all(|row| row.cells.len() > 2)
            && rows[..head].iter().all(is_head)
        {
            let mut view: Vec<Row> = body.iter().map(|row| row.of(&row.cells[1..])).collect();
            if head == 0 {
                let numbers: Vec<Cell> = body.iter().map(|row| row.cells[0].clone()).collect();
                view.insert(0, label(&numbers, &rows[0]));
            }
            views.push(vec![view]);
        }
    }
    if let [row] = rows
        && let [first, .., last] = &row.cells[..]
        && !row.is_named
    {
        let length = |cell: &Cell| cell.text.chars().count();
        let count = row.cells.len() - 1;
        let tiles = if count > 1 { count } else { length(first).max(length(last)) };
        // The number of the board is before its tiles. Any other number may be a tile too many.
        let is_zeroed = first.text.len() > 1 && first.text.starts_with('0');
        let is_next = |number: u64| number.abs_diff(context.before as u64) < 2;
        let is_no_tile = |cell: &Cell| cell.number().is_some_and(|number| number >= tiles as u64);
        let is_first =
            first.number().is_some_and(|number| is_zeroed || is_next(number)) || is_no_tile(first);
        let is_last = is_no_tile(last);
        let (before, after) = (row.of(&row.cells[1..]), row.of(&row.cells[..count]));
        let is_board = |row: &Row| tiles::board(std::slice::from_ref(row), context.size).is_some();
        let are_both = is_board(&before) && is_board(&after);
        let first = Row { is_noted: !is_zeroed, ..label(&row.cells[..1], row) };
        let last = label(&row.cells[count..], row);
        if tiles > 8 && (is_first || is_last) {
            let both = [(is_first, vec![first, before]), (is_last, vec![last, after])].into_iter();
            views.push(
                both.filter(|(is_label, _)| *is_label || are_both).map(|(_, view)| view).collect(),
            );
        }
    }
    views
}
