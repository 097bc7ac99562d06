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

use std::rc::Rc;

use self::cuts::Piece;
use self::rows::{Kind, Row};
use crate::board::{Board, Goal, Grid, LabelledBoard, OpenError, ParseError};

pub use labels::labelled;
pub use lines::{LineFault, LinesOf, text};
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

/// A guess.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Note {
    /// A text next to the tiles is not a part of the board.
    #[error("{0:?} is read as a label, not as tiles")]
    Label(String),
    /// Two numbers before tiles in one row are the width and the height.
    #[error("the size is read as width and height: {} columns and {} rows", .0.width(), .0.height())]
    Order(Grid),
    /// This sign, or the largest of the numbers 1 to `n`, is the blank.
    #[error("{0:?} is read as the blank")]
    Blank(String),
    /// The tiles are counted from 0, and this sign is the blank.
    #[error("{0:?} is read as the blank, and the tiles as counted from 0: each is 1 more")]
    FromZero(String),
    /// The blank is not written, and belongs to this row and column, from 1.
    #[error("the blank is not written, and is read in row {0}, column {1}")]
    LeftOut(usize, usize),
    /// Numbers of moves are the cells of the blank.
    #[error("the numbers are read as cells of the blank, counted from 0, not as tiles")]
    Cells,
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
    #[error("{text:?} cannot be read{}: write the rows of one board, and a name on a line of its own", place(*.line))]
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
    /// A line that is not text, or an object without a board.
    #[error("{0}")]
    Source(String),
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
    /// The last board was one line, and no empty line has come since.
    is_lined: bool,
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

/// The first and the last line of rows, and what they are.
type Answer = ([usize; 2], Result<Reading, ReadError>);

/// The boards of rows that belong together, and the errors in their places.
fn read(rows: &[Row], context: Context) -> Vec<Answer> {
    let lines = |rows: &[Row]| [rows.first(), rows.last()].map(|row| row.map_or(1, |row| row.line));
    if let Some(row) = rows.iter().find(|row| row.texts().any(is_turning)) {
        return vec![(lines(rows), Err(ReadError::Unexplained { text: row.text(), line: None }))];
    }
    // A size that contradicts the given one is the error of all rows below it.
    let is_other = |row: &Row| match (&row.kind, context.size) {
        (Kind::Size(sides, _), Some(size)) => sides[..] != [size.width(), size.height()],
        _ => false,
    };
    let mut views: Vec<_> =
        views(rows).into_iter().map(|(view, note)| (view, note, false)).collect();
    if !rows.iter().any(is_other) {
        views.extend(views.last().map(|(split, ..)| (split.clone(), None, true)));
    }
    for (view, note, with_faults) in views {
        let found = cuts::cuts(&view, context, with_faults);
        let Some(cut) = found.first() else { continue };
        // Next to faults, any cut is good enough.
        if !with_faults
            && let Some(other) = found.get(1)
            && let Some((one, other)) = cut.boards().zip(other.boards()).find(|(a, b)| a != b)
        {
            return vec![(lines(rows), Err(ReadError::Two(one.clone(), other.clone())))];
        }
        let fault = |rows: &[Row]| (lines(rows), Err(fault::fault(rows, context)));
        let answers = |piece: &Rc<Piece>| -> Vec<Answer> {
            match &**piece {
                (rows, Some(board)) => {
                    let mut reading = board.reading.clone();
                    reading.notes.extend(note.clone());
                    vec![(lines(rows), Ok(reading))]
                }
                (rows, None) if cut.is_lined() => {
                    rows.chunk_by(|a, b| a.line == b.line).map(fault).collect()
                }
                (rows, None) => vec![fault(rows)],
            }
        };
        return cut.pieces.iter().flat_map(answers).collect();
    }
    vec![(lines(rows), Err(fault::fault(rows, context)))]
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

/// The rows; then without names before each row; then without the numbers of a table's rows; then with the number before
/// a board in one row as a row. With the guess that each rests on.
fn views(rows: &[Row]) -> Vec<(Vec<Row>, Option<Note>)> {
    let is_before =
        |pair: &[Row]| pair[0].is_name() && pair[1].is_named && pair[1].line == pair[0].line;
    let others = (0..rows.len()).filter(|&at| !rows.get(at..at + 2).is_some_and(is_before));
    let mut views =
        vec![(rows.to_vec(), None), (others.map(|at| rows[at].clone()).collect(), None)];
    for head in [0, 1] {
        let Some(body) = rows.get(head..).filter(|body| body.len() > 2) else { continue };
        let numbers = body.iter().map(|row| row.cells[0].number());
        let counts = |first: u64| numbers.clone().eq((first..).map(Some).take(body.len()));
        // The columns have names or numbers, too.
        let is_head =
            |row: &Row| (0..2).contains(&(body[0].cells.len().wrapping_sub(row.cells.len())));
        if (counts(0) || counts(1))
            && body.iter().all(|row| row.cells.len() > 2)
            && rows[..head].iter().all(is_head)
        {
            let view = body.iter().map(|row| row.of(&row.cells[1..])).collect();
            let column: Vec<&str> = body.iter().map(|row| &*row.cells[0].text).collect();
            views.push((view, (head == 0).then(|| Note::Label(column.join(" ")))));
        }
    }
    // A board in a word may also have a number after it. One row alone, or one with the first tile twice,
    // is as likely to have a tile too many.
    let is_numbered = |row: &Row| match &row.cells[..] {
        [first, last] => (first.text.len() >= cuts::MANY) != (last.text.len() >= cuts::MANY),
        [first, others @ .., last] => {
            !row.is_named
                && others.len() + 1 >= cuts::MANY
                && Grid::square(others.len() + 1).is_some()
                && first.number().is_some()
                && first.number() != last.number()
        }
        _ => false,
    };
    let are_numbered = rows.iter().filter(|row| is_numbered(row)).count() > 1;
    let is_split =
        |row: &Row| is_numbered(row) && (are_numbered || row.cells.len() == 2 || row.is_padded());
    let split = |row: &Row| match is_split(row) {
        true => vec![row.of(&row.cells[..1]), row.of(&row.cells[1..])],
        false => vec![row.clone()],
    };
    views.push((rows.iter().flat_map(split).collect(), None));
    views
}
