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
pub fn moves(
    board: &LabelledBoard,
    text: &str,
    convention: Convention,
) -> Result<(Moves, Vec<Note>), MovesError> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    #[cfg(feature = "serde")]
    if super::is_object(text) {
        let (text, own) = super::objects::moves(board, text)?;
        return list(board, &text, own.unwrap_or(convention));
    }
    if let Some((count, boards)) = text.split_once('\n')
        && (count.trim() == "0" || boards.contains("\n--"))
    {
        return Ok((between(board, boards)?, Vec::new()));
    }
    // A copy of the terminal has the board before the moves, and a summary after them.
    let text = text.strip_prefix(format!("{board:#}").trim()).unwrap_or(text);
    let is_summary = |last: &str| last.contains(" moves, ") || last.contains(" move, ");
    let (before, last) = text.rsplit_once('\n').unwrap_or(("", text));
    list(board, if is_summary(last) { before } else { text }, convention)
}

/// Reads a list of moves.
fn list(
    board: &LabelledBoard,
    text: &str,
    convention: Convention,
) -> Result<(Moves, Vec<Note>), MovesError> {
    let sure = |moves| Ok((moves, Vec::new()));
    if text.contains(['(', '[']) && !text.contains(char::is_alphabetic) {
        match cells(text) {
            Some(cells) => return sure(along(board.board(), &cells)?),
            None if text.contains('(') && text.contains([',', ';']) => {
                let pairs = "write a row and a column for each move, as in (3,1), (2,1)";
                return Err(MovesError(pairs.to_owned()));
            }
            None => {}
        }
    }
    let Parts { runs, tiles, items, of_blank } = parts(board, text)?;
    if runs.is_empty() {
        return follow(board, if tiles.is_empty() { &items } else { &tiles });
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
    // Numbers in one word with moves are tiles if the board does not allow them as counts.
    let glued = runs.iter().filter_map(|(_, number)| Some((*number)?.to_string()));
    let glued: Vec<String> = glued.collect();
    let are_glued = tiles.is_empty() && glued.len() > 1 && glued.len() == runs.len();
    if are_glued && board.board().after(&all).is_err() {
        return sure(check(&glued).unwrap_or(all));
    }
    let count = |text: &String| text.parse::<usize>().ok();
    match &tiles[..] {
        [] => sure(all),
        [stated] if count(stated) == Some(found) => sure(all),
        tiles if tiles.len() == runs.len() && found == runs.len() => match check(tiles) {
            // The places of the moves.
            Err(_) if tiles.iter().map(count).eq((1..=found).map(Some)) => sure(all),
            checked => sure(checked?),
        },
        [stated] => Err(MovesError(format!("the list says {stated} moves, but has {found}"))),
        [text, ..] => Err(PathError::NotAMove { text: text.clone(), place: 1 }.into()),
    }
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
    let is_part = |c: char| c.is_alphanumeric() || c == '\u{fe0f}' || is_arrow(c) && !has_words;
    let text = text.replace("->", " ").replace("=>", " ");
    let (mut parts, mut arrows) = (Parts::default(), None);
    let (mut at, mut next, mut is_tile) = (0, ' ', false);
    for piece in text.split_inclusive(|c| !is_part(c)) {
        let word = piece.trim_end_matches(|c| !is_part(c));
        let after = &text[at + word.len()..];
        at += piece.len();
        let last = std::mem::replace(&mut next, after.chars().next().unwrap_or(' '));
        let place = parts.runs.len() + parts.tiles.len() + 1;
        let not_a_move = |text: &str| PathError::NotAMove { text: text.to_owned(), place };
        if !(next.is_whitespace() || next.is_ascii_punctuation() || "–—−→⇒‘’“”•".contains(next))
        {
            return Err(not_a_move(&piece[word.len()..]));
        }
        if word.is_empty() {
            continue;
        }
        let was_tile = std::mem::replace(&mut is_tile, false);
        let is_item = "])".contains(next) && "[(".contains(last)
            || ".:)=>".contains(next) && !after[1..].starts_with(|c: char| c.is_ascii_digit())
            || last == '#';
        let lower = word.to_lowercase();
        let is_number = word.bytes().all(|b| b.is_ascii_digit());
        if is_number && is_item {
            parts.items.push(word.to_owned());
        } else if is_number || is_label(word) {
            let number = word.parse::<u64>().ok().filter(|_| is_number);
            parts.tiles.push(number.map_or(word.to_owned(), |number| number.to_string()));
            is_tile = true;
        } else if BLANKS.contains(&&*lower) {
            parts.of_blank = true;
        } else if let Some(runs) = runs(&lower) {
            // A text has letters or arrows. Between letters, an arrow is as likely to be a separator.
            let of_arrows = word.chars().all(|c| is_arrow(c) || !c.is_alphabetic());
            let is_mixed = !of_arrows && word.contains(|c| is_arrow(c) && !c.is_alphabetic());
            if is_mixed || of_arrows != *arrows.get_or_insert(of_arrows) {
                return Err(not_a_move(word));
            }
            parts.runs.extend(runs);
        } else if !FILLERS.contains(&&*lower) && !is_qualifier(after) {
            return Err(not_a_move(word));
        } else if was_tile && ["moves", "steps"].contains(&&*lower) {
            // The number of the moves.
            parts.tiles.pop();
        }
    }
    Ok(parts)
}

/// Returns whether the word before this text qualifies the next one, as in `pygame.K_UP`.
fn is_qualifier(after: &str) -> bool {
    let next = after.trim_start_matches(['.', ':', '_']);
    next.len() < after.len() && next.starts_with(char::is_alphabetic)
}

/// Returns whether a sign is an arrow. `v` may be a letter of a word.
fn is_arrow(c: char) -> bool {
    c.to_string().parse::<Move>().is_ok() && (!c.is_alphabetic() || c == 'v' || c == 'V')
}

/// The moves of a word in lower case, and the numbers in it: `ddr`, `moveup`, `2d3r`, `d2r`, `↓↓`.
fn runs(word: &str) -> Option<Vec<(Move, Option<usize>)>> {
    let bare = ["move", "slide", "arrow"].iter().find_map(|name| word.strip_prefix(name));
    Moves::counted(bare.filter(|bare| !bare.is_empty()).unwrap_or(word)).ok()
}

/// The moves of tiles, one after the other, after their number if there is one; else of the blank through cells.
fn follow(board: &LabelledBoard, words: &[String]) -> Result<(Moves, Vec<Note>), MovesError> {
    let moved = |tiles: &[String]| {
        let is_of =
            |now: &Board, at: usize, _, cell: usize| board.label(now.tiles()[cell]) == *tiles[at];
        steps(board.board(), tiles.len(), is_of, |at| not_next(&format!("tile {}", tiles[at])))
    };
    let is_cell = |_: &Board, at: usize, _, cell: usize| words[at].parse() == Ok(cell);
    let through = || steps(board.board(), words.len(), is_cell, |_| String::new());
    let is_counted = words.len() > 2 && words[0].parse() == Ok(words.len() - 1);
    let error = match moved(words) {
        Ok(moves) => return Ok((moves, Vec::new())),
        Err(error) => error,
    };
    if is_counted && let Ok(moves) = moved(&words[1..]) {
        return Ok((moves, Vec::new()));
    }
    if words.len() < 2 || board.has_labels() {
        return Err(error);
    }
    Ok((through().map_err(|_| error)?, vec![Note::Cells]))
}

fn not_next(what: &str) -> String {
    format!("is of {what}, which is not next to the blank")
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

/// The rows and columns in brackets, if the text has nothing else but numbers that count them.
fn cells(text: &str) -> Option<Vec<[usize; 2]>> {
    let (mut pairs, mut others) = (Vec::new(), Vec::new());
    for part in text.split(['(', ')', '[', ']']) {
        let numbers = part.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
        let numbers: Vec<usize> = numbers.map(|word| word.parse().ok()).collect::<Option<_>>()?;
        match numbers[..] {
            [row, column] => pairs.push([row, column]),
            [number] => others.push(number),
            [] => {}
            _ => return None,
        }
    }
    let are_counted = others.is_empty() || others.into_iter().eq(1..=pairs.len());
    // `[5, 8]` are tiles.
    let are_cells = text.contains('(') || text.matches('[').count() > 1;
    (are_cells && !pairs.is_empty() && are_counted).then_some(pairs)
}

/// The moves of the tiles in these cells; or of tiles from each first cell to the second, where the blank is.
fn along(board: &Board, cells: &[[usize; 2]]) -> Result<Moves, MovesError> {
    let place = |cell: usize| [board.grid().row(cell) + 1, board.grid().column(cell) + 1];
    let is_from_to = |now: &Board, at: usize, _, cell: usize| {
        place(cell) == cells[2 * at] && place(now.blank()) == cells[2 * at + 1]
    };
    if cells.len().is_multiple_of(2)
        && let Ok(moves) = steps(board, cells.len() / 2, is_from_to, |_| String::new())
    {
        return Ok(moves);
    }
    steps(
        board,
        cells.len(),
        |_, at, _, cell| place(cell) == cells[at],
        |at| not_next(&format!("what is in row {} and column {}", cells[at][0], cells[at][1])),
    )
}

/// The moves from each board of a list to the next one. Lines of dashes are between them.
fn between(start: &LabelledBoard, list: &str) -> Result<Moves, MovesError> {
    let lines: Vec<&str> = list.lines().map(str::trim).collect();
    let is_rule = |line: &&str| line.len() > 1 && line.bytes().all(|b| b == b'-');
    // Equal tiles have other numbers in the next board, but the same text.
    let board = |(rows, place): (&[&str], usize)| {
        let board = LabelledBoard::parse(&rows.join("\n"), Some(start.board().grid()));
        let text = board.map(|board| board.to_string());
        text.map_err(|error| MovesError(format!("board {place} of the list: {error}")))
    };
    let boards = lines.split(is_rule).zip(1..).map(board).collect::<Result<Vec<_>, _>>()?;
    if let Some(other) = boards.first().filter(|first| **first != start.to_string()) {
        return Err(MovesError(format!("these are moves of another board, {other}")));
    }
    let leads = |now: &Board, at: usize, m, _| {
        let mut moved = now.clone();
        moved.apply(m);
        start.with(moved).to_string() == boards[at + 1]
    };
    steps(start.board(), boards.len() - 1, leads, |_| {
        "does not lead to the next board of the list".to_owned()
    })
}
