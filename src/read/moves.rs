//! Moves as people write them.
//!
//! A text is a list of directions, of tiles, or of both. Rows and columns are refused: some programs count them from
//! 0, others from 1.

use crate::board::{Board, Convention, LabelledBoard, Move, Moves, PathError};

/// Words around moves that say nothing about them.
const FILLERS: [&str; 24] = [
    "action", "actions", "and", "found", "go", "goal", "in", "move", "moved", "moves", "none",
    "null", "number", "of", "path", "slide", "solution", "start", "step", "steps", "then", "the",
    "tile", "to",
];

/// Words for the blank. Its directions are others than those of a tile.
const WORDS_FOR_BLANK: [&str; 5] = ["blank", "empty", "hole", "space", "zero"];

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
    moves: Moves,
    tiles: Vec<String>,
    /// The numbers of the lines or items of the list.
    items: Vec<String>,
    /// The numbers of moves that the text states.
    stated: Vec<String>,
    /// A word has moves and their number, as `2d`.
    has_runs: bool,
    /// The text says that its directions are those of the blank.
    of_blank: bool,
}

/// Reads moves of a board. Directions are in this convention, unless the text says that they are those of the blank.
///
/// # Errors
/// [`MovesError`] if the text is not a list of moves, or if tiles in it cannot move. Directions may lead over
/// the border: see [`Board::after`].
pub fn moves(
    board: &LabelledBoard,
    text: &str,
    convention: Convention,
) -> Result<Moves, MovesError> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    #[cfg(feature = "serde")]
    if super::is_object(text) {
        let (text, own, length) = super::objects::moves(board, text)?;
        let all = list(board, &text, own.unwrap_or(convention))?;
        return match length.filter(|&length| length != all.len() as u64) {
            Some(length) => Err(miscounted(&length.to_string(), all.len())),
            None => Ok(all),
        };
    }
    if let Some((count, boards)) = text.split_once('\n')
        && (count.trim() == "0" || boards.contains("\n--"))
    {
        return between(board, boards);
    }
    // A copy of the terminal has the board before the moves, and a summary after them.
    let text = text.strip_prefix(format!("{board:#}").trim()).unwrap_or(text);
    let is_summary = |last: &str| last.contains(" moves, ") || last.contains(" move, ");
    let above = text.rsplit_once('\n').filter(|(_, last)| is_summary(last));
    list(board, above.map_or(text, |(above, _)| above), convention)
}

/// Reads a list of moves.
fn list(board: &LabelledBoard, text: &str, convention: Convention) -> Result<Moves, MovesError> {
    if are_places(text) {
        let message = "rows and columns may count from 0 or from 1: write directions, or the number of each tile";
        return Err(MovesError(message.to_owned()));
    }
    let parts = parts(board, text)?;
    let Parts { moves, tiles, items, .. } = &parts;
    let places: Option<Vec<u64>> = items.iter().map(|item| item.parse().ok()).collect();
    let has_places = places.is_some_and(|places| {
        places.len() == tiles.len() && places.is_sorted_by(|a, b| a.checked_add(1) == Some(*b))
    });
    let all = if !moves.is_empty() {
        directed(board, &parts, convention)?
    } else if tiles.is_empty() || items.is_empty() || has_places {
        follow(board, if tiles.is_empty() { items } else { tiles })?
    } else {
        let message = "some tiles look like the numbers of others in a list: write the tiles alone";
        return Err(MovesError(message.to_owned()));
    };
    match parts.stated.iter().find(|stated| stated.parse() != Ok(all.len())) {
        Some(stated) => Err(miscounted(stated, all.len())),
        None => Ok(all),
    }
}

/// Returns whether a text has several brackets, each with two numbers.
fn are_places(text: &str) -> bool {
    let inside = text.split(['(', '[']).skip(1).filter_map(|part| part.split([')', ']']).next());
    let numbers =
        |part: &str| part.split([',', ';']).filter(|part| !part.trim().is_empty()).count();
    let counts: Vec<usize> = inside.map(numbers).filter(|&count| count > 0).collect();
    counts.len() > 1
        && counts.iter().all(|&count| count == 2)
        && !text.contains(char::is_alphabetic)
}

/// The error of a number of moves that the text states.
fn miscounted(stated: &str, found: usize) -> MovesError {
    MovesError(format!("the list says {stated} moves, but has {found}"))
}

/// The error of tiles next to directions of which there are not so many. An arrow between tiles is one.
fn mixed(text: &str) -> MovesError {
    MovesError(format!(
        "{text:?} stands among directions, as arrows are, too: write the tiles alone, as in 5 8, or each with its \
         direction, as in 5 U 8 L"
    ))
}

/// The moves of directions, which numbers of tiles or the number of moves may stand next to.
fn directed(
    board: &LabelledBoard,
    parts: &Parts,
    convention: Convention,
) -> Result<Moves, MovesError> {
    let Parts { moves, tiles, has_runs, of_blank, .. } = parts;
    let convention = if *of_blank { Convention::Blank } else { convention };
    let (found, all) = (moves.len(), moves.clone().turned(convention));
    let count = |text: &String| text.parse().ok();
    match &tiles[..] {
        [] if *has_runs => board.board().after(&all).map(|_| all).map_err(|blocked| {
            let (place, m) = (blocked.place, convention.turned(blocked.m));
            MovesError(format!(
                "move {place} of {found}, {m}, is blocked by the border (5U and U5 are five moves: for tile 5 write `5 U`)"
            ))
        }),
        [] => Ok(all),
        [stated] if count(stated) == Some(found) => Ok(all),
        // Each direction must move its tile, unless the numbers are the places of the moves.
        tiles if tiles.len() == found => {
            let is_of = |now: &Board, at: usize, m, cell: usize| {
                m == all.0[at] && board.label(now.tiles()[cell]) == *tiles[at]
            };
            let checked = steps(board.board(), found, is_of, |at| {
                format!("tile {} cannot move {}", tiles[at], moves.0[at])
            });
            let are_places = tiles.iter().map(count).eq((1..=found).map(Some));
            if are_places { Ok(all) } else { checked }
        }
        [stated] => Err(miscounted(stated, found)),
        [tile, ..] => Err(mixed(tile)),
    }
}

/// Cuts a text into its parts.
fn parts(board: &LabelledBoard, text: &str) -> Result<Parts, MovesError> {
    let lower = text.to_ascii_lowercase();
    let has_words = Move::ALL.iter().any(|m| lower.contains(&m.word().to_ascii_lowercase()));
    let is_plain = text.parse::<Moves>().is_ok_and(|moves| !moves.is_empty());
    let is_label = |word: &str| {
        let mut labels = (1..board.board().tiles().len()).map(|tile| board.label(tile as u8));
        board.has_labels() && !is_plain && labels.any(|label| label == word)
    };
    // Between words, arrows are separators.
    let is_mark =
        |c: char| c.is_whitespace() || c.is_ascii_punctuation() || "–—−→⇒‘’“”•".contains(c);
    let separates = |c: char| is_mark(c) && (has_words || !is_arrow(c));
    let text = text.replace("->", " ").replace("=>", " ");
    let (mut parts, mut arrows, mut at, mut is_open) = (Parts::default(), None, 0, false);
    let mut was_number = false;
    for piece in text.split_inclusive(separates) {
        let word = piece.trim_end_matches(separates);
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        at += piece.len();
        let next = after.chars().next().unwrap_or(' ');
        // A number may be one of a list in brackets.
        let is_listed = is_open && !before.trim_end().ends_with(char::is_alphabetic);
        is_open = next == '(' || is_open && next != ')';
        let is_item = "])".contains(next) && before.ends_with(['[', '('])
            || ".:)=>".contains(next)
                && !after[1..].starts_with(|c: char| c.is_ascii_digit())
                && !(next == ')' && is_listed)
            || before.ends_with('#');
        let lower = word.to_ascii_lowercase();
        let is_number = word.bytes().all(|b| b.is_ascii_digit());
        let place = parts.moves.len() + parts.tiles.len() + 1;
        let not_a_move = Err(PathError::NotAMove { text: word.to_owned(), place }.into());
        if word.is_empty() || WORDS_FOR_BLANK.contains(&&*lower) {
            parts.of_blank |= !word.is_empty();
        } else if is_number && is_item {
            parts.items.push(word.to_owned());
        } else if is_number || is_label(word) {
            let number = word.parse::<u64>().ok().filter(|_| is_number);
            parts.tiles.push(number.map_or(word.to_owned(), |number| number.to_string()));
        } else if let Some(moves) = moves_of(&lower) {
            // A text has letters or arrows. Between letters, an arrow is as likely to be a separator.
            let of_arrows = word.chars().all(|c| is_arrow(c) || !c.is_alphabetic());
            let is_mixed = !of_arrows && word.contains(|c| is_arrow(c) && !c.is_alphabetic());
            if is_mixed || of_arrows != *arrows.get_or_insert(of_arrows) {
                return not_a_move;
            }
            parts.moves.append(moves?)?;
            parts.has_runs |= word.contains(|c: char| c.is_ascii_digit());
        } else if word.split(is_arrow).all(|tile| tile.parse::<u64>().is_ok()) {
            return Err(mixed(word));
        } else if !FILLERS.contains(&&*lower) && !is_qualifier(after) {
            return not_a_move;
        } else if ["moves", "steps"].contains(&&*lower) && !is_before_direction(after) {
            parts.stated.extend(parts.tiles.pop_if(|_| was_number));
        }
        if !word.is_empty() {
            was_number = is_number && !is_item;
        }
    }
    Ok(parts)
}

/// Returns whether the word before this text qualifies the next one, as in `pygame.K_UP`.
fn is_qualifier(after: &str) -> bool {
    let next = after.trim_start_matches(['.', ':', '_']);
    next.len() < after.len() && next.starts_with(char::is_alphabetic)
}

/// Returns whether a direction is the next word, as in `5 moves up`, where 5 is a tile.
fn is_before_direction(after: &str) -> bool {
    let next = after.trim_start().split(|c: char| !c.is_alphabetic()).next();
    Move::ALL.iter().any(|m| next.is_some_and(|next| m.word().eq_ignore_ascii_case(next)))
}

/// Returns whether a sign is an arrow. `v` may be a letter of a word.
fn is_arrow(c: char) -> bool {
    c.to_string().parse::<Move>().is_ok() && (!c.is_alphabetic() || c == 'v' || c == 'V')
}

/// The moves of a word in lower case, if it has some: `ddr`, `moveup`, `2d3r`, `d2r`, `↓↓`.
fn moves_of(word: &str) -> Option<Result<Moves, PathError>> {
    let bare = ["move", "slide", "arrow"].iter().find_map(|name| word.strip_prefix(name));
    let moves = bare.filter(|bare| !bare.is_empty()).unwrap_or(word).parse();
    (!matches!(moves, Err(PathError::NotAMove { .. }))).then_some(moves)
}

/// The moves of tiles, one after the other, after their number if there is one.
fn follow(board: &LabelledBoard, tiles: &[String]) -> Result<Moves, MovesError> {
    let moved = |tiles: &[String]| {
        let is_of =
            |now: &Board, at: usize, _, cell: usize| board.label(now.tiles()[cell]) == *tiles[at];
        steps(board.board(), tiles.len(), is_of, |at| {
            let mut labels = (1..board.board().tiles().len()).map(|tile| board.label(tile as u8));
            match labels.any(|label| label == *tiles[at]) {
                true => format!("tile {} is not next to the blank", tiles[at]),
                false => format!("there is no tile {} on this board", tiles[at]),
            }
        })
    };
    let is_counted = tiles.len() > 2 && tiles[0].parse() == Ok(tiles.len() - 1);
    moved(tiles).or_else(|error| if is_counted { moved(&tiles[1..]) } else { Err(error) })
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
            _ => "several equal tiles are next to the blank: write directions".to_owned(),
        };
        return Err(MovesError(format!("move {}: {reason}", at + 1)));
    }
    Ok(Moves(moves))
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
        "no move leads to the next board of the list".to_owned()
    })
}
