//! Moves as people write them.
//!
//! A text is a list of directions, of tiles, of both, or of cells. Its first meaning that the board allows is taken:
//! directions; tiles, one after the other; cells of the blank, counted from 0. Rows and columns in brackets are cells
//! of the tiles, counted from 1.

use super::{Note, ReadError, lines::LineFault};
use crate::board::{Board, Convention, LabelledBoard, Move, Moves, PathError};

/// Words around moves that say nothing about them.
const FILLERS: [&str; 38] = [
    "action",
    "actions",
    "and",
    "then",
    "arrow",
    "dir",
    "direction",
    "directions",
    "found",
    "go",
    "goal",
    "in",
    "k",
    "key",
    "move",
    "moved",
    "moves",
    "none",
    "null",
    "number",
    "of",
    "operator",
    "path",
    "pygame",
    "scramble",
    "slide",
    "some",
    "solution",
    "start",
    "step",
    "steps",
    "swap",
    "the",
    "tile",
    "to",
    "vec",
    "br",
    "s",
];

/// Words for the blank. Its directions are others than those of a tile.
const BLANKS: [&str; 5] = ["blank", "empty", "hole", "space", "zero"];

/// Other words of moves.
const SYNONYMS: [(&str, &str); 4] =
    [("north", "up"), ("south", "down"), ("west", "left"), ("east", "right")];

/// Why a text is not a sequence of moves of a board.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MovesError {
    /// The text cannot be read.
    #[error(transparent)]
    Line(#[from] LineFault),
    /// A word that is not a move.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A number of moves before or after others than that many.
    #[error("the list says {stated} moves, but has {found}")]
    Count {
        /// The number in the list.
        stated: usize,
        /// The number of its moves.
        found: usize,
    },
    /// Rows and columns that are not in pairs.
    #[error("write a row and a column for each move, as in (3,1), (2,1)")]
    Pairs,
    /// A tile that the direction written with it does not move.
    #[error("move {place} is {direction} of tile {tile}, which cannot go that way")]
    Tile {
        /// The place of the move, from 1.
        place: usize,
        /// The direction, as it is written.
        direction: Move,
        /// The label of the tile.
        tile: String,
    },
    /// A tile that is not next to the blank.
    #[error("move {place} is of {what}, which is not next to the blank")]
    NotNext {
        /// The place of the move, from 1.
        place: usize,
        /// The tile or the cell.
        what: String,
    },
    /// Equal tiles next to the blank.
    #[error("move {place} is of tile {tile}, but several are next to the blank: write directions")]
    Several {
        /// The place of the move, from 1.
        place: usize,
        /// The label of the tiles.
        tile: String,
    },
    /// The text is not JSON, or its moves are of another kind.
    #[error("this JSON has no moves: {0}")]
    Fields(String),
    /// The object is that of a board without a solution.
    #[error("this object has no moves: no solution was found, or none was looked for")]
    Unsolved,
    /// The moves are those of another board.
    #[error("these are moves of another board, {0}")]
    Other(Box<LabelledBoard>),
    /// A board of a list cannot be read.
    #[error("board {place} of the list: {error}")]
    Board {
        /// The place in the list, from 1.
        place: usize,
        /// Why it is not a board.
        error: ReadError,
    },
    /// No move leads to a board of a list from the one before it.
    #[error("no move leads to board {0} of the list")]
    Jump(usize),
}

/// A part of a text of moves.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Move(Move),
    /// A move, and a number in one word with it: how often it is made, or its tile.
    Run(Move, usize),
    /// A tile.
    Tile(String),
    /// The number of a line or an item of the list.
    Item(usize),
}

/// Reads moves of a board, and the guesses that the reading rests on. Directions are in this convention, unless the text
/// says that they are those of the blank.
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
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_rule = |line: &&str| line.len() > 1 && line.bytes().all(|b| b == b'-');
    if lines.len() > 1 && (lines[0] == "0" || lines.iter().any(is_rule)) {
        return Ok((boards(board, lines[1..].split(is_rule))?, Vec::new()));
    }
    // A copy of the terminal has the board before the moves, and a summary after them.
    let grid = format!("{board:#}");
    let rows = grid.lines().map(str::trim);
    let height = rows.clone().count();
    let begin = if lines.iter().copied().take(height).eq(rows) { height } else { 0 };
    let is_summary = |line: &&&str| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < line.len() && (rest.starts_with(" moves, ") || rest.starts_with(" move, "))
    };
    let end = lines.len()
        - lines[begin.min(lines.len())..].iter().rev().take(1).filter(is_summary).count();
    list(board, &lines[begin..end].join("\n"), convention)
}

/// Reads a list of moves.
fn list(
    board: &LabelledBoard,
    text: &str,
    convention: Convention,
) -> Result<(Moves, Vec<Note>), MovesError> {
    if let Some(cells) = cells(text) {
        return Ok((along(board.board(), &cells)?, Vec::new()));
    }
    if text.contains('(')
        && !text.contains(char::is_alphabetic)
        && text.contains(|c| ",;".contains(c))
    {
        return Err(MovesError::Pairs);
    }
    let is_plain = text.parse::<Moves>().is_ok_and(|moves| !moves.is_empty());
    let (tokens, is_blank) =
        tokens(text, |word| !is_plain && board.has_labels() && has_label(board, word))?;
    let convention = if is_blank { Convention::Blank } else { convention };
    let mut moves = Vec::new();
    let (mut runs, mut tiles, mut items) = (Vec::new(), Vec::new(), Vec::new());
    for token in tokens {
        match token {
            Token::Move(m) => moves.push(m),
            Token::Run(m, count) => {
                runs.push((m, count));
                if count > MAX_MOVES.saturating_sub(moves.len()) {
                    return Err(PathError::TooLong.into());
                }
                moves.extend(std::iter::repeat_n(m, count));
            }
            Token::Tile(tile) => tiles.push(tile),
            Token::Item(number) => items.push(number.to_string()),
        }
    }
    if moves.is_empty() {
        return follow(board, if tiles.is_empty() { items } else { tiles });
    }
    let turned = |moves: Vec<Move>| Moves(moves).turned(convention);
    let found = moves.len();
    // Numbers count the moves, all or each, or are their tiles.
    let count = |tile: &String| tile.parse().ok();
    match &tiles[..] {
        [stated] if found > 1 || count(stated) == Some(found) => match count(stated) {
            Some(stated) if stated != found => return Err(MovesError::Count { stated, found }),
            _ => {}
        },
        [] => {}
        tiles if tiles.len() == found && runs.is_empty() => {
            let checked = check(board, &moves, tiles, convention);
            let are_places = tiles.iter().zip(1..).all(|(tile, place)| count(tile) == Some(place));
            return if are_places && checked.is_err() {
                Ok((turned(moves), Vec::new()))
            } else {
                Ok((checked?, Vec::new()))
            };
        }
        tiles => {
            let text = tiles[0].clone();
            return Err(PathError::NotAMove { text, place: 1 }.into());
        }
    }
    // Numbers in one word with moves are tiles if the board does not allow them as counts.
    let all = turned(moves);
    if runs.len() > 1 && board.board().after(&all).is_err() {
        let (directions, tiles): (Vec<Move>, Vec<String>) =
            runs.into_iter().map(|(m, tile)| (m, tile.to_string())).unzip();
        return Ok((check(board, &directions, &tiles, convention).unwrap_or(all), Vec::new()));
    }
    Ok((all, Vec::new()))
}

/// The most moves of a text: runs could stand for any number.
const MAX_MOVES: usize = 1_000_000;

fn has_label(board: &LabelledBoard, word: &str) -> bool {
    (1..board.board().tiles().len()).any(|tile| board.label(tile as u8) == word)
}

/// The tokens of a text, and whether it says that its directions are those of the blank.
fn tokens(text: &str, is_label: impl Fn(&str) -> bool) -> Result<(Vec<Token>, bool), MovesError> {
    let lower = text.to_lowercase();
    let has_words = Move::ALL.iter().any(|m| lower.contains(&m.word().to_lowercase()))
        || SYNONYMS.iter().any(|(word, _)| lower.contains(word));
    let (mut tokens, mut is_blank, mut arrows) = (Vec::new(), false, None);
    for line in text.lines() {
        let (name, rest) = line.split_once([':', '=']).unwrap_or(("", line));
        let is_name = name.contains(char::is_alphabetic)
            && name.split(is_between).all(|word| directions(word).is_none());
        let has_value = rest
            .split_whitespace()
            .next()
            .is_some_and(|value| value.starts_with(|c: char| c.is_ascii_digit()));
        // A figure of the search, as in `Cost: 5`; or a name, as in `path: UL`.
        let is_count =
            ["move", "step", "tile", "slide"].iter().any(|word| name.to_lowercase().contains(word));
        if is_name
            && has_value
            && !is_count
            && !rest.contains([',', ' ']) | rest.trim().ends_with(char::is_alphanumeric)
            && lower.lines().count() > 1
            && rest.split_whitespace().count() == 1
        {
            continue;
        }
        let line = if is_name && !is_count { rest } else { line };
        let line = untagged(&line.replace("->", " ").replace("=>", " "));
        let mut rest = &*line;
        while let Some(c) = rest.chars().next() {
            let last = line[..line.len() - rest.len()].chars().next_back().unwrap_or(' ');
            let is_part = |c: char| {
                c.is_alphanumeric()
                    || pointed(c).is_some() && !has_words
                    || c == '\u{fe0f}'
                    || "+".contains(c) && is_label("+")
            };
            let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(length.max(c.len_utf8()));
            let next = after.chars().next().unwrap_or(' ');
            rest = after;
            if length == 0 {
                if !is_between(c) && !(has_words && pointed(c).is_some()) {
                    let place = tokens.len() + 1;
                    return Err(PathError::NotAMove { text: c.to_string(), place }.into());
                }
                continue;
            }
            if is_label(word) {
                tokens.push(Token::Tile(word.to_owned()));
            } else if let Ok(number) = word.parse::<usize>() {
                let is_item = "])".contains(next) && "[(".contains(last)
                    || ".:)=".contains(next)
                        && !after[1..].starts_with(|c: char| c.is_ascii_digit())
                    || last == '#'
                    || next == '>' && line.contains('<');
                tokens.push(if is_item {
                    Token::Item(number)
                } else {
                    Token::Tile(number.to_string())
                });
            } else if word.bytes().all(|b| b.is_ascii_digit()) {
                tokens.push(Token::Tile(word.to_owned()));
            } else if BLANKS.contains(&&*word.to_lowercase()) {
                is_blank = true;
            } else if let Some(runs) = runs(word) {
                let is_arrow = word.chars().any(|c| pointed(c).is_some());
                if is_arrow != *arrows.get_or_insert(is_arrow) {
                    let place = tokens.len() + 1;
                    return Err(PathError::NotAMove { text: word.to_owned(), place }.into());
                }
                tokens.extend(runs);
            } else if !FILLERS.contains(&&*word.to_lowercase()) && !is_qualifier(word, after) {
                let place = tokens.iter().filter(|t| !matches!(t, Token::Item(_))).count() + 1;
                return Err(PathError::NotAMove { text: word.to_owned(), place }.into());
            }
        }
    }
    Ok((tokens, is_blank))
}

/// A text in which the name of an enum's member stands for the member, as in `<Move.UP: 1>`.
fn untagged(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some((before, tag)) = rest.split_once('<')
        && let Some((tag, after)) = tag.split_once('>')
        && let Some((name, _)) = tag.split_once(':')
    {
        plain += &format!("{before} {name} ");
        rest = after;
    }
    plain + rest
}

/// Returns whether a word before a point or the like qualifies the direction after it, as in `pygame.K_UP`.
fn is_qualifier(word: &str, after: &str) -> bool {
    let next = after.trim_start_matches(['.', ':', '_']);
    let length = next.find(|c: char| !c.is_alphabetic()).unwrap_or(next.len());
    let is_word = next.len() < after.len() && word.chars().all(char::is_alphabetic);
    is_word
        && (directions(&next[..length]).is_some() || is_qualifier(&next[..length], &next[length..]))
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || ",;:.-–—−/+&~'\"`‘’“”[](){}|_#*•!=<>→⇒\u{fe0f}".contains(c)
}

/// The moves of a word, which may have numbers: `ddr`, `moveUp`, `2d3r`, `D2R`, `↓↓`.
fn runs(word: &str) -> Option<Vec<Token>> {
    let lower = word.to_lowercase();
    let bare = ["move", "slide", "go", "arrow"].iter().find_map(|name| lower.strip_prefix(name));
    if let Some(found) = bare.and_then(directions) {
        return Some(found.into_iter().map(Token::Move).collect());
    }
    let is_digit = |c: char| c.is_ascii_digit();
    let counts_follow = !lower.starts_with(is_digit);
    let (mut tokens, mut rest) = (Vec::new(), &*lower);
    while !rest.is_empty() {
        let (digits, after) = rest.split_at(rest.find(|c| !is_digit(c)).unwrap_or(rest.len()));
        let (found, after) = direction(after)?;
        let (behind, after) = match counts_follow {
            true => after.split_at(after.find(|c| !is_digit(c)).unwrap_or(after.len())),
            false => ("", after),
        };
        let count = if digits.is_empty() { behind } else { digits };
        tokens.push(match count {
            "" => Token::Move(found),
            count => Token::Run(found, count.parse().unwrap_or(usize::MAX)),
        });
        rest = after;
    }
    Some(tokens)
}

/// The moves of a word without numbers.
fn directions(word: &str) -> Option<Vec<Move>> {
    let lower = word.to_lowercase();
    let (mut moves, mut rest) = (Vec::new(), &*lower);
    while !rest.is_empty() {
        let (found, after) = direction(rest)?;
        moves.push(found);
        rest = after;
    }
    (!moves.is_empty()).then_some(moves)
}

/// The direction that a text in lower case begins with, and what follows it.
fn direction(text: &str) -> Option<(Move, &str)> {
    let synonym = SYNONYMS.iter().find_map(|(word, other)| Some((other, text.strip_prefix(word)?)));
    if let Some((word, rest)) = synonym {
        return Some((word.parse().ok()?, rest));
    }
    let words = Move::ALL.map(|m| (m, m.word().to_lowercase()));
    let word = words.iter().find_map(|(m, word)| Some((*m, text.strip_prefix(&**word)?)));
    word.or_else(|| {
        let sign = text.chars().next()?;
        let rest = text[sign.len_utf8()..].trim_start_matches('\u{fe0f}');
        Some((sign.to_string().parse().ok()?, rest))
    })
}

/// The move of an arrow. `v` may be a letter of a word.
fn pointed(c: char) -> Option<Move> {
    c.to_string().parse().ok().filter(|_| !c.is_alphabetic() || c == 'v' || c == 'V')
}

/// The moves of tiles, one after the other, after their number if there is one; else of the blank through cells.
fn follow(board: &LabelledBoard, tiles: Vec<String>) -> Result<(Moves, Vec<Note>), MovesError> {
    let moved = |tiles: &[String]| {
        steps(
            board.board(),
            tiles,
            |now, cell, tile| board.label(now.tiles()[cell]) == **tile,
            |tile| format!("tile {tile}"),
        )
    };
    let all = moved(&tiles);
    let Err(error) = all else { return Ok((all?, Vec::new())) };
    let is_count = tiles.len() > 1 && tiles[0].parse() == Ok(tiles.len() - 1);
    if let Some(Ok(moves)) = is_count.then(|| moved(&tiles[1..])) {
        return Ok((moves, Vec::new()));
    }
    let cells: Option<Vec<usize>> = tiles.iter().map(|tile| tile.parse().ok()).collect();
    let of_blank = |cells: Vec<usize>| {
        steps(board.board(), &cells, |_, cell, &of| cell == of, |_| String::new()).ok()
    };
    match cells.filter(|cells| cells.len() > 1 && !board.has_labels()).and_then(of_blank) {
        Some(moves) => Ok((moves, vec![Note::Cells])),
        None => Err(error),
    }
}

/// The path on which each move takes what `is_of` finds in a cell next to the blank.
fn steps<T>(
    board: &Board,
    things: &[T],
    is_of: impl Fn(&Board, usize, &T) -> bool,
    name: impl Fn(&T) -> String,
) -> Result<Moves, MovesError> {
    let mut now = board.clone();
    let mut moves = Vec::new();
    for (thing, place) in things.iter().zip(1..) {
        let fits = |&m: &Move| {
            now.grid().source(now.blank(), m).is_some_and(|cell| is_of(&now, cell, thing))
        };
        let mut fitting = Move::ALL.into_iter().filter(fits);
        let m = match (fitting.next(), fitting.next()) {
            (Some(m), None) => m,
            (None, _) => return Err(MovesError::NotNext { place, what: name(thing) }),
            _ => {
                return Err(MovesError::Several {
                    place,
                    tile: name(thing).replacen("tile ", "", 1),
                });
            }
        };
        now.apply(m);
        moves.push(m);
    }
    Ok(Moves(moves))
}

/// The moves of directions, each of which must move its tile.
fn check(
    board: &LabelledBoard,
    directions: &[Move],
    tiles: &[String],
    convention: Convention,
) -> Result<Moves, MovesError> {
    let mut now = board.board().clone();
    for ((&direction, tile), place) in directions.iter().zip(tiles).zip(1..) {
        let m = convention.turned(direction);
        let cell = now.grid().source(now.blank(), m);
        if cell.is_none_or(|cell| board.label(now.tiles()[cell]) != **tile) {
            return Err(MovesError::Tile { place, direction, tile: tile.clone() });
        }
        now.apply(m);
    }
    Ok(Moves(directions.to_vec()).turned(convention))
}

/// The rows and columns in brackets, if the text has nothing else but numbers that count them.
fn cells(text: &str) -> Option<Vec<[usize; 2]>> {
    let is_nested = text.replace(char::is_whitespace, "").starts_with("[[");
    let is_open = |c: char| c == '(' || is_nested && c == '[';
    let (mut pairs, mut outside, mut rest) = (Vec::new(), String::new(), text);
    while let Some((before, after)) = rest.split_once(is_open) {
        outside += before;
        outside.push(' ');
        let end = after.find([')', ']']).unwrap_or(after.len());
        let numbers = after[..end].split([',', ';', ' ']).filter(|word| !word.is_empty());
        let numbers: Option<Vec<usize>> = numbers.map(|word| word.parse().ok()).collect();
        rest = after;
        if let Some(&[row, column]) = numbers.as_deref() {
            pairs.push([row, column]);
            rest = after.get(end + 1..).unwrap_or("");
        }
    }
    outside += rest;
    let numbers = outside.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    let numbers: Vec<usize> = numbers.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let is_other = |c: char| !c.is_ascii_digit() && !is_between(c);
    let counts = |first: usize| numbers.iter().copied().eq(first..first + pairs.len());
    let are_counted = numbers.is_empty() || numbers == [pairs.len()] || counts(0) || counts(1);
    (!pairs.is_empty() && are_counted && !outside.contains(is_other)).then_some(pairs)
}

/// The moves of the tiles in these cells; or of tiles from each first cell to the second, where the blank is.
fn along(board: &Board, cells: &[[usize; 2]]) -> Result<Moves, MovesError> {
    let place =
        |board: &Board, cell: usize| [board.grid().row(cell) + 1, board.grid().column(cell) + 1];
    let follow = |cells: &[[usize; 2]]| {
        let name = |[row, column]: &[usize; 2]| format!("what is in row {row} and column {column}");
        steps(board, cells, |now, cell, at| place(now, cell) == *at, name)
    };
    let (pairs, rest) = cells.as_chunks::<2>();
    let from: Vec<[usize; 2]> = pairs.iter().map(|pair| pair[0]).collect();
    if rest.is_empty()
        && let Ok(moves) = follow(&from)
    {
        let mut now = board.clone();
        let is_to_blank = |(pair, m): (&[[usize; 2]; 2], Move)| {
            let blank = place(&now, now.blank());
            now.apply(m) && blank == pair[1]
        };
        if pairs.iter().zip(moves.iter()).all(is_to_blank) {
            return Ok(moves);
        }
    }
    follow(cells)
}

/// The moves from each board of a list to the next one.
fn boards<'a>(
    start: &LabelledBoard,
    list: impl Iterator<Item = &'a [&'a str]>,
) -> Result<Moves, MovesError> {
    let grid = Some(start.board().grid());
    let read = |text: &str| -> Result<LabelledBoard, ReadError> {
        match start.has_labels() {
            true => LabelledBoard::parse(text, grid).map_err(ReadError::Open),
            false => Ok(Board::parse(text, grid)?.into()),
        }
    };
    let mut now = start.clone();
    let mut moves = Vec::new();
    for (rows, place) in list.zip(1..) {
        let next = read(&rows.join("\n")).map_err(|error| MovesError::Board { place, error })?;
        // Equal tiles have other numbers in the next board.
        let is_next = |board: &LabelledBoard| board.to_string() == next.to_string();
        if place == 1 {
            if !is_next(&now) {
                return Err(MovesError::Other(next.into()));
            }
            continue;
        }
        let moved = |m: Move| {
            let mut moved = now.board().clone();
            let moved = moved.apply(m).then(|| now.with(moved));
            moved.filter(is_next).map(|moved| (m, moved))
        };
        let (m, moved) = Move::ALL.into_iter().find_map(moved).ok_or(MovesError::Jump(place))?;
        moves.push(m);
        now = moved;
    }
    Ok(Moves(moves))
}
