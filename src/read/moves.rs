//! Moves as people write them.
//!
//! A text is a list of directions, of tiles, of both, or of cells. Its first meaning that the board allows is taken:
//! directions; tiles, one after the other; cells of the blank, counted from 0. Rows and columns in brackets are cells
//! of the tiles, counted from 1.

use super::Note;
use crate::board::{Board, Convention, LabelledBoard, Move, Moves, PathError};

/// Words around moves that say nothing about them.
const FILLERS: [&str; 24] = [
    "action", "actions", "and", "found", "go", "goal", "in", "move", "moved", "moves", "none",
    "null", "number", "of", "path", "slide", "solution", "start", "step", "steps", "then", "the",
    "tile", "to",
];

/// Signs between moves beside those of ASCII. Another sign is a part of its word.
const SEPARATORS: &str = "–—−‘’“”•";

/// Words for the blank. Its directions are others than those of a tile.
const BLANKS: [&str; 5] = ["blank", "empty", "hole", "space", "zero"];

/// Why a text is not a sequence of moves of a board.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct MovesError(pub(super) String);

impl From<PathError> for MovesError {
    fn from(error: PathError) -> MovesError {
        MovesError(error.to_string())
    }
}

/// Moves, and the guesses that the reading rests on.
type Found = Result<(Moves, Vec<Note>), MovesError>;

/// The parts of a text of moves.
#[derive(Default)]
struct Parts {
    /// The moves, and the numbers in one word with them: how often each is made, or its tile.
    runs: Vec<(Move, Option<usize>)>,
    tiles: Vec<String>,
    /// The numbers of the lines or items of the list.
    items: Vec<String>,
    /// The text says that its directions are those of the blank.
    of_blank: bool,
}

/// Reads moves of a board, and the guesses that the reading rests on. Directions are in this convention, unless the
/// text says that they are those of the blank.
///
/// # Errors
/// [`MovesError`] if the text is not a list of moves, or if tiles or cells in it cannot move. Directions may lead over
/// the border: see [`Board::after`].
pub fn moves(board: &LabelledBoard, text: &str, convention: Convention) -> Found {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    #[cfg(feature = "serde")]
    if super::is_object(text) {
        let (text, own) = super::objects::moves(board, text)?;
        return list(board, &text, own.unwrap_or(convention));
    }
    if let Some((count, boards)) = text.split_once('\n')
        && (count.trim() == "0" || boards.contains("\n--"))
    {
        return between(board, boards);
    }
    // A copy of the terminal has the board before the moves, and a summary after them.
    let text = text.strip_prefix(format!("{board:#}").trim()).unwrap_or(text);
    let is_summary = |last: &str| last.contains(" moves, ") || last.contains(" move, ");
    let (before, last) = text.rsplit_once('\n').unwrap_or(("", text));
    list(board, if is_summary(last) { before } else { text }, convention)
}

/// Reads a list of moves.
fn list(board: &LabelledBoard, text: &str, convention: Convention) -> Found {
    let Parts { runs, tiles, items, of_blank } = parts(board, text)?;
    if runs.is_empty() {
        // Rows and columns have brackets of their own: `[5, 8]` are tiles.
        let opens =
            |&(at, _): &(usize, &str)| text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
        let brackets = text.match_indices(['(', '[']).filter(opens).count();
        let are_cells = (text.contains('(') || brackets > 1) && tiles.len() == 2 * brackets;
        return match are_cells && !text.contains(char::is_alphabetic) {
            true => along(board.board(), &tiles),
            false => follow(board, if tiles.is_empty() { &items } else { &tiles }),
        };
    }
    let convention = if of_blank { Convention::Blank } else { convention };
    let mut all = Moves::default();
    runs.iter().try_for_each(|&(m, count)| all.repeat(m, count.unwrap_or(1)))?;
    let (found, all) = (all.len(), all.turned(convention));
    // Each direction must move its tile.
    let check = |tiles: &[String]| {
        let is_of = |now: &Board, at: usize, m, cell: usize| {
            m == convention.turned(runs[at].0) && board.label(now.tiles()[cell]) == *tiles[at]
        };
        steps(board.board(), runs.len(), is_of, |at| {
            format!("is {} of tile {}, which cannot go that way", runs[at].0, tiles[at])
        })
    };
    let count = |text: &String| text.parse::<usize>().ok();
    let moves = match &tiles[..] {
        // Numbers in one word with moves are tiles if the board does not allow them as counts.
        [] if runs.len() > 1 && board.board().after(&all).is_err() => {
            let glued = runs.iter().map(|(_, number)| Some((*number)?.to_string()));
            glued.collect::<Option<Vec<_>>>().and_then(|tiles| check(&tiles).ok()).unwrap_or(all)
        }
        [] => all,
        [stated] if count(stated) == Some(found) => all,
        tiles if tiles.len() == runs.len() && found == runs.len() => match check(tiles) {
            // The places of the moves.
            Err(_) if tiles.iter().map(count).eq((1..=found).map(Some)) => all,
            checked => checked?,
        },
        [stated] => {
            return Err(MovesError(format!("the list says {stated} moves, but has {found}")));
        }
        [text, ..] => return Err(PathError::NotAMove { text: text.clone(), place: 1 }.into()),
    };
    Ok((moves, Vec::new()))
}

/// Cuts a text into its parts.
fn parts(board: &LabelledBoard, text: &str) -> Result<Parts, PathError> {
    let lower = text.to_lowercase();
    let has_words = Move::ALL.iter().any(|m| lower.contains(&m.word().to_lowercase()));
    let is_plain = text.parse::<Moves>().is_ok_and(|moves| !moves.is_empty());
    let is_label = |word: &str| {
        let mut labels = (1..board.board().tiles().len()).map(|tile| board.label(tile as u8));
        board.has_labels() && !is_plain && labels.any(|label| label == word)
    };
    // Between words, arrows are separators.
    let separates = |c: char| match is_arrow(c) {
        true => has_words,
        false => c.is_whitespace() || c.is_ascii_punctuation() || SEPARATORS.contains(c),
    };
    let text = text.replace("->", " ").replace("=>", " ");
    let (mut parts, mut at, mut next) = (Parts::default(), 0, ' ');
    let (mut is_open, mut was_tile, mut has_arrows, mut has_letters) = (false, false, false, false);
    for piece in text.split_inclusive(separates) {
        let word = piece.trim_end_matches(separates);
        let after = &text[at + word.len()..];
        at += piece.len();
        let last = std::mem::replace(&mut next, after.chars().next().unwrap_or(' '));
        is_open = last == '(' || is_open && last != ')';
        if word.is_empty() {
            continue;
        }
        let place = parts.runs.len() + parts.tiles.len() + 1;
        let not_a_move = || Err(PathError::NotAMove { text: word.to_owned(), place });
        let is_item = "])".contains(next) && "[(".contains(last)
            || ".:)=>".contains(next)
                && !is_open
                && !after[1..].starts_with(|c: char| c.is_ascii_digit())
            || last == '#';
        let lower = word.to_lowercase();
        let is_number = word.bytes().all(|b| b.is_ascii_digit());
        let is_tile = is_number && !is_item || !is_number && is_label(word);
        if is_number && is_item {
            parts.items.push(word.to_owned());
        } else if is_tile {
            let number = word.parse::<u64>().ok().filter(|_| is_number);
            parts.tiles.push(number.map_or(word.to_owned(), |number| number.to_string()));
        } else if BLANKS.contains(&&*lower) {
            parts.of_blank = true;
        } else if let Some(runs) = runs(&lower) {
            // A text has letters or arrows. Between letters, an arrow is as likely to be a separator.
            has_arrows |= word.contains(is_arrow);
            has_letters |= word.contains(|c: char| c.is_alphabetic() && !"vV".contains(c));
            if has_arrows && has_letters {
                return not_a_move();
            }
            parts.runs.extend(runs);
        } else if was_tile && ["moves", "steps"].contains(&&*lower) {
            // The number of the moves.
            parts.tiles.pop();
        } else if !FILLERS.contains(&&*lower) && !is_qualifier(after) {
            return not_a_move();
        }
        was_tile = is_tile;
    }
    Ok(parts)
}

/// Returns whether the word before this text qualifies the next one, as in `pygame.K_UP`.
fn is_qualifier(after: &str) -> bool {
    let next = after.trim_start_matches(['.', ':', '_']);
    next.len() < after.len() && next.starts_with(char::is_alphabetic)
}

/// Returns whether a sign is an arrow. `v` is a letter, too.
fn is_arrow(c: char) -> bool {
    !c.is_alphabetic() && c.to_string().parse::<Move>().is_ok()
}

/// The moves of a word in lower case, and the numbers in it: `ddr`, `moveup`, `2d3r`, `d2r`, `↓↓`.
fn runs(word: &str) -> Option<Vec<(Move, Option<usize>)>> {
    let bare = ["move", "slide", "arrow"].iter().find_map(|name| word.strip_prefix(name));
    Moves::counted(bare.filter(|bare| !bare.is_empty()).unwrap_or(word)).ok()
}

/// The moves of tiles, one after the other, after their number if there is one; else of the blank through cells.
fn follow(board: &LabelledBoard, words: &[String]) -> Found {
    let moved = |tiles: &[String]| {
        let is_of =
            |now: &Board, at: usize, _, cell: usize| board.label(now.tiles()[cell]) == *tiles[at];
        steps(board.board(), tiles.len(), is_of, |at| {
            format!("is of tile {}, which is not next to the blank", tiles[at])
        })
    };
    let is_counted = words.len() > 2 && words[0].parse() == Ok(words.len() - 1);
    let counted =
        |error| if is_counted { moved(&words[1..]).map_err(|_| error) } else { Err(error) };
    moved(words).or_else(counted).map(|moves| (moves, Vec::new())).or_else(|error| {
        let is_cell = |_: &Board, at: usize, _, cell: usize| words[at].parse() == Ok(cell);
        let through = steps(board.board(), words.len(), is_cell, |_| String::new());
        let may_be_cells = words.len() > 1 && !board.has_labels();
        through.ok().filter(|_| may_be_cells).map(|moves| (moves, vec![Note::Cells])).ok_or(error)
    })
}

/// The path of so many moves, each of which is the one that fits the board, by its number and by the cell of its tile.
fn steps(
    board: &Board,
    count: usize,
    fits: impl Fn(&Board, usize, Move, usize) -> bool,
    reason: impl Fn(usize) -> String,
) -> Result<Moves, MovesError> {
    let (mut now, mut moves) = (board.clone(), Vec::new());
    for at in 0..count {
        let fits = |&m: &Move| {
            now.grid().source(now.blank(), m).is_some_and(|cell| fits(&now, at, m, cell))
        };
        let fitting: Vec<Move> = Move::ALL.into_iter().filter(fits).collect();
        let reason = match fitting[..] {
            [m] => {
                now.apply(m);
                moves.push(m);
                continue;
            }
            [] => reason(at),
            _ => "is of one of several equal tiles next to the blank: write directions".to_owned(),
        };
        return Err(MovesError(format!("move {} {reason}", at + 1)));
    }
    Ok(Moves(moves))
}

/// The moves of the tiles in these cells, each a row and a column.
fn along(board: &Board, cells: &[String]) -> Found {
    let is_in = |now: &Board, at: usize, _, cell: usize| {
        let place = [now.grid().row(cell) + 1, now.grid().column(cell) + 1];
        place.iter().map(usize::to_string).eq(cells[2 * at..2 * at + 2].iter().cloned())
    };
    let moves = steps(board, cells.len() / 2, is_in, |at| {
        let (row, column) = (&cells[2 * at], &cells[2 * at + 1]);
        format!("is of what is in row {row} and column {column}, which is not next to the blank")
    });
    moves.map(|moves| (moves, Vec::new()))
}

/// The moves from each board of a list to the next one. Lines of dashes are between them.
fn between(start: &LabelledBoard, list: &str) -> Found {
    let lines: Vec<&str> = list.lines().map(str::trim).collect();
    let mut boards = Vec::new();
    for rows in lines.split(|line| line.len() > 1 && line.bytes().all(|b| b == b'-')) {
        let board = LabelledBoard::parse(&rows.join("\n"), Some(start.board().grid()));
        let place = boards.len() + 1;
        let error = |error| MovesError(format!("board {place} of the list: {error}"));
        // Equal tiles have other numbers in the next board, but the same text.
        boards.push(board.map_err(error)?.to_string());
    }
    if boards[0] != start.to_string() {
        return Err(MovesError(format!("these are moves of another board, {}", boards[0])));
    }
    let leads = |now: &Board, at: usize, m, _| {
        let mut moved = now.clone();
        moved.apply(m);
        start.with(moved).to_string() == boards[at + 1]
    };
    let error = |_| "does not lead to the next board of the list".to_owned();
    Ok((steps(start.board(), boards.len() - 1, leads, error)?, Vec::new()))
}
