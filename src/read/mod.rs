//! Boards and moves as people write them.
//!
//! Input formats are not detected. A text becomes rows of cells, and the rows are cut wherever they can be cut: a board
//! checks itself, as few texts hold the tiles 0 to `n` - 1 once each by chance.
//!
//! 1. Each line is stripped of what surrounds its tiles, and unmatched brackets are found (`marks.rs`).
//! 2. They become rows of cells in lists, in one pass: what separates cells and what ends rows is the match of
//!    `Scan::line` (`scan.rs`). A list that a call may turn is an error (`calls.rs`), and rows may be names or sizes
//!    (`kinds.rs`, `sizes.rs`).
//! 3. Cells are a board if they are its tiles, each once (`tiles.rs`).
//! 4. All cuts of the rows into headings and boards are tried (`cuts.rs`); a heading is a size, a label or numbers
//!    (`headings.rs`).
//! 5. One cut is the answer. Without a cut, each list or line is read by itself if one is a board (`stream.rs`); else
//!    there is one error, for the whole grid (`fault.rs`). Two cuts are an error that shows both.
//!
//! `rules.md` names the forms that are read, and the code of each says its name in backquotes.
//!
//! In a stream, each board has one answer or one error, in order ([`Boards`]). `Board::from_str` reads the plain
//! forms alone.

mod calls;
mod cuts;
mod fault;
mod goals;
mod headings;
mod kinds;
mod lines;
mod marks;
mod moves;
#[cfg(feature = "serde")]
mod objects;
mod rows;
mod scan;
mod sizes;
mod stream;
mod tiles;

use std::sync::Arc;

use self::headings::Placed;
use self::rows::{Kind, Row};
use crate::board::{Board, Grid, LabelledBoard, OpenGoal, ParseError, shortened};

pub use goals::goal;
pub use lines::{LineFault, LinesOf, MAX_LINE, text};
pub use moves::{MovesError, moves};
#[cfg(feature = "serde")]
pub use objects::{object, text_of};
pub use rows::BLANKS;
pub use stream::{Boards, Item, Lines};

/// A board that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The board, whose tiles have labels if the goal is open.
    pub board: LabelledBoard,
    /// The guesses that the reading rests on. Whoever shows the answer shows them.
    pub notes: Vec<Note>,
    /// The name or the numbers above the board, or the name after it.
    pub label: Option<String>,
    /// The goal that an object gives.
    pub goal: Option<OpenGoal>,
}

/// The size, the goal and the blank that boards are read with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// The size of boards in one row.
    pub size: Option<Grid>,
    /// The goal, whose names the tiles have. Without one, tiles are numbers, or letters in their place.
    pub goal: Option<OpenGoal>,
    /// The text of the blank.
    pub blank: Option<String>,
}

impl From<Option<Grid>> for Expected {
    fn from(size: Option<Grid>) -> Expected {
        Expected { size, ..Expected::default() }
    }
}

impl Expected {
    /// Boards for a goal: of its size, with its names unless they are the numbers of tiles.
    pub fn for_goal(goal: &OpenGoal) -> Expected {
        let names = Some(goal).filter(|goal| !goal.is_plain());
        Expected { size: Some(goal.grid()), goal: names.cloned(), blank: None }
    }

    /// Reads a board in a plain form.
    fn read_plain(&self, text: &str) -> Option<LabelledBoard> {
        if !has_even_brackets(text) {
            return None;
        }
        match (&self.goal, &self.blank) {
            (None, None) => Some(Board::parse(text, self.size).ok()?.into()),
            (Some(goal), None) => goal.read(text).ok(),
            (_, Some(_)) => None,
        }
    }
}

impl From<LabelledBoard> for Reading {
    fn from(board: LabelledBoard) -> Reading {
        Reading { board, notes: Vec::new(), label: None, goal: None }
    }
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
}

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A fault, its place, and the way out.
    #[error("{0}")]
    Text(String),
    /// Several boards where one is expected.
    #[error("these are {0} boards, and one is expected here: give each by itself")]
    Several(usize),
    /// A text that is not a tile.
    #[error(
        "{text:?} is not a tile{place}: {}write the rows in numbers, with 0 for the blank",
        slip(text)
    )]
    NotATile {
        /// The text, shortened.
        text: String,
        /// Its line, in words, if there are several.
        place: String,
    },
}

impl ReadError {
    fn of(error: impl ToString) -> ReadError {
        ReadError::Text(error.to_string())
    }

    /// The error of a name that may turn the board.
    fn turned(name: &str) -> ReadError {
        let name = shortened(name);
        ReadError::Text(format!(
            "{name:?} may change the order of the tiles: write the rows of the board alone"
        ))
    }

    /// The error of marks that belong to no list.
    fn stray(marks: &str) -> ReadError {
        let marks = shortened(marks);
        ReadError::Text(format!(
            "{marks:?} belongs to no list: close each bracket, and write a board in it"
        ))
    }
}

/// Returns whether all tiles of a text are in as many brackets, and all brackets end.
fn has_even_brackets(text: &str) -> bool {
    let (mut depth, mut of_tiles) = (0_isize, None);
    for c in text.bytes().filter(|c| !c.is_ascii_whitespace()) {
        match c {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' | b';' | b'/' | b'|' => {}
            _ if *of_tiles.get_or_insert(depth) != depth => return false,
            _ => {}
        }
    }
    depth == 0
}

/// The number that a text may be meant to be: letters are taken for digits that look like them.
fn slip(text: &str) -> String {
    let digits = text.replace(['O', 'o'], "0").replace(['l', 'I'], "1");
    let is_word = text.len() > 1 && !text.starts_with(|c: char| c.is_ascii_digit());
    let number = digits.parse::<u8>().ok().filter(|_| !is_word);
    number.map_or(String::new(), |number| format!("is it {number}? If not, "))
}

/// The conditions under which rows are read.
#[derive(Clone, Debug, Default)]
struct Context {
    /// The names of the tiles, and the size of boards in one row.
    expected: Arc<Expected>,
    /// The boards of the stream before these rows.
    before: usize,
    /// More rows may follow.
    has_more: bool,
    /// The last board was one line, and no empty line has come since. Words alone in the next line are then an
    /// error, as a board is, rather than the name of a board below them.
    is_lined: bool,
}

/// Reads the boards of a text, in order.
pub fn boards(text: &str, expected: impl Into<Expected>) -> Vec<Result<Reading, ReadError>> {
    Boards::new(text.lines(), expected).map(|item| item.reading).collect()
}

/// Reads the one board of a text.
///
/// # Errors
/// [`ReadError`] if the text has no such board, or several.
pub fn board(text: &str, expected: impl Into<Expected>) -> Result<Reading, ReadError> {
    let expected = expected.into();
    if let Some(board) = expected.read_plain(text) {
        return Ok(board.into());
    }
    let mut all = boards(text, expected);
    match all.len() {
        0 => Err(ReadError::of(ParseError::Empty)),
        1 => all.swap_remove(0),
        found => {
            let error = all.into_iter().find_map(Result::err);
            Err(error.unwrap_or(ReadError::Several(found)))
        }
    }
}

/// The first and the last line of rows, and what they are.
type Answer = ([usize; 2], Result<Reading, ReadError>);

/// The boards of rows that belong together, or the error in their place.
fn read(rows: &[Row], context: &Context) -> Vec<Answer> {
    let error = |error| vec![([rows[0].line, rows[rows.len() - 1].line], Err(error))];
    let fault = rows.iter().find_map(|row| match &row.kind {
        Kind::Fault(fault) => Some(fault.clone()),
        _ => None,
    });
    if let Some(fault) = fault {
        return error(fault);
    }
    let found = cuts::cuts(rows, context);
    let [cut, others @ ..] = &found[..] else { return error(fault::fault(rows, context)) };
    let mut pairs = others.iter().flat_map(|other| cut.iter().zip(other));
    let boards = pairs.find_map(|(one, other)| {
        let [one, other] = [one, other].map(|placed| &placed.reading.board);
        (one != other).then(|| format!("{one}, and as {other}"))
    });
    if let Some(boards) = boards {
        let message = format!("this can be read as {boards}: write a slash after each row");
        return error(ReadError::Text(message));
    }
    let answers = |placed: &Placed| {
        let fault = placed
            .announced
            .map(|(count, line)| ([line; 2], Err(fault::miscounted(count, cut.len()))));
        let [first, last] = placed.lines;
        let first = placed.announced.map_or(first, |(_, line)| line + 1);
        fault.into_iter().chain([([first, last], Ok(placed.reading.clone()))])
    };
    cut.iter().flat_map(answers).collect()
}

/// Returns whether a text is an object, or a list of them. Braces are brackets of rows too.
pub(crate) fn is_object(text: &str) -> bool {
    let text = text.trim_start_matches([' ', '\n', '\r', '\t', '\u{feff}', '[']);
    text.starts_with('{') && text.replace([' ', '\n'], "").contains("\":")
}
