//! Moves as people write them.
//!
//! - Letters in either case: `DDRU`, `ddru`, `d, d, r, u`, `d-d-r-u`.
//! - Words: `Down, Down, Right, Up`, and numbered lists of them: `1: Down`, `1. Down`, `1) Down`.
//! - Arrows: `↓↓→↑`, `vv>^`, `▼▼▶▲`.
//! - Runs, a number before the letter: `2d r u`.
//! - Counts, a number after the letter: `D2RU`. In a word that begins with a move, a number counts
//!   the move before it; in one that begins with a number, the move behind it.
//! - The number of moves, before them: `2`, then `left`, `left`.
//!
//! - Names before the list, and words between the moves that say nothing: `path_to_goal: …`, `Action.UP`,
//!   `<Move.UP: 1>`, `Move blank up`, which is a direction of the blank.
//! - Actions of a planner with a direction in their names: `(move-up t5 p3 p2)`.
//!
//! Letters, words and numbers can be mixed; they may stand in brackets and quotes, as lists do in
//! Python and JSON. The tiles moved, one after the other, or their [cells](super::places), determine the
//! moves only together with the board, which also checks tiles beside directions: [`Board::read_moves`].

use std::fmt::Write;
use std::str::FromStr;

use super::{Board, Convention, Move, Moves, places};

/// The most moves of a text: runs could stand for any number.
const MAX_MOVES: usize = 1_000_000;

/// Words around moves that say nothing about them.
const FILLERS: [&str; 34] = [
    "",
    "action",
    "actions",
    "and",
    "then",
    "arrow",
    "blank",
    "dir",
    "direction",
    "directions",
    "found",
    "go",
    "goal",
    "in",
    "k",
    "move",
    "moved",
    "moves",
    "none",
    "null",
    "operator",
    "path",
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
];

/// Other words of moves.
const SYNONYMS: [(&str, Move); 4] =
    [("north", Move::Up), ("south", Move::Down), ("west", Move::Left), ("east", Move::Right)];

/// The reason why a text is not a sequence of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// A character that names no move.
    #[error(
        "{letter:?} where move {place} should be is no move: write U, D, L or R, or Up, Down, Left or Right, or arrows, or runs as in 2d 3r or D2R3"
    )]
    NotAMove {
        /// The character found.
        letter: char,
        /// The place of the move it should begin, from 1.
        place: usize,
    },
    /// A number of moves before others than that many.
    #[error("the list begins with {stated}, the number of its moves, but has {found}")]
    Count {
        /// The number before the moves.
        stated: usize,
        /// The number of the moves.
        found: usize,
    },
    /// An action of a planner without a direction in its name.
    #[error(
        "the action {name:?} has no direction in its name: write directions, or the tile of each move"
    )]
    NoDirection {
        /// The name.
        name: String,
    },
    /// Runs that are too long.
    #[error("more than {MAX_MOVES} moves")]
    TooLong,
}

/// Reads the letter, the word or the arrow of one move, letters in either case.
impl FromStr for Move {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Move, PathError> {
        match move_at(text) {
            Some((m, "")) => Ok(m),
            _ => Err(PathError::NotAMove { letter: text.chars().next().unwrap_or(' '), place: 1 }),
        }
    }
}

impl FromStr for Moves {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Moves, PathError> {
        let read = Text::read(text)?;
        let convention = read.convention(Convention::Tile);
        Ok(read.moves()?.turned(convention))
    }
}

/// Moves and numbers, as they follow one another in a text.
struct Text {
    moves: Vec<Move>,
    /// The numbers that stand alone: how many moves come before each, and the number.
    numbers: Vec<(usize, usize)>,
    /// The moves and the numbers in one word with them, if each has one.
    glued: Option<Vec<(Move, usize)>>,
    /// The directions are those of the blank: the text says so.
    is_blank: bool,
}

impl Text {
    fn read(text: &str) -> Result<Text, PathError> {
        let mut read = Text {
            moves: Vec::new(),
            numbers: Vec::new(),
            glued: Some(Vec::new()),
            is_blank: false,
        };
        let mut arrows = None;
        let text = separated(&plan(text)?);
        let in_brackets = text.contains('(');
        // A planner ends its plan with the costs.
        for line in text.lines().filter(|line| !line.starts_with("; cost")) {
            let label = line.find([':', '=']).unwrap_or(0);
            for word in line.split(|c| is_between(c) || c == ')' && in_brackets) {
                match read.word(word, &mut arrows) {
                    // A word of the name of the list.
                    Err(PathError::NotAMove { .. })
                        if read.moves.is_empty()
                            && word.trim_end_matches([':', '=']).parse::<Move>().is_err()
                            && word.as_ptr() as usize - (line.as_ptr() as usize) < label => {}
                    result => result?,
                }
            }
        }
        Ok(read)
    }

    /// Adds the moves or the number of a word.
    fn word(&mut self, mut word: &str, arrows: &mut Option<bool>) -> Result<(), PathError> {
        let bare = word.trim_end_matches([':', '=', '!']);
        if FILLERS.iter().any(|filler| filler.eq_ignore_ascii_case(bare)) {
            self.is_blank |= bare.eq_ignore_ascii_case("blank");
            // Behind the moves, their number.
            let found = match &self.numbers[..] {
                [_] => self.moves.len(),
                // Those of tiles.
                numbers if self.moves.is_empty() => numbers.len().saturating_sub(1),
                _ => usize::MAX,
            };
            if ["moves", "move"].iter().any(|filler| filler.eq_ignore_ascii_case(bare))
                && found > 0
                && self.numbers.last() == Some(&(self.moves.len(), found))
            {
                self.numbers.pop();
            }
            return Ok(());
        }
        // The number of a line of a list.
        if let (Some(_), after) = number(word)
            && let Some(after) = after.strip_prefix([':', '=', '.', ')'])
        {
            word = after;
        }
        if let (Some(number), "") = number(word) {
            self.numbers.push((self.moves.len(), number));
            return Ok(());
        }
        let counts_follow = !word.starts_with(|c: char| c.is_ascii_digit());
        let first = self.moves.len();
        while let Some(letter) = word.chars().next() {
            let no_move = PathError::NotAMove { letter, place: self.moves.len() + 1 };
            let (before, after) = number(word);
            let found = move_at(after);
            // Between letters, an arrow is as likely to be a separator as a move.
            let is_arrow = after.chars().next().and_then(pointed).is_some();
            let Some((m, rest)) = found.filter(|_| arrows.is_none_or(|arrows| arrows == is_arrow))
            else {
                self.moves.truncate(first);
                return Err(no_move);
            };
            *arrows = Some(is_arrow);
            let (behind, rest) = if counts_follow { number(rest) } else { (None, rest) };
            let count = before.or(behind);
            self.glued = self.glued.take().zip(count).map(|(mut glued, tile)| {
                glued.push((m, tile));
                glued
            });
            let count = count.unwrap_or(1);
            if count > MAX_MOVES - self.moves.len() {
                return Err(PathError::TooLong);
            }
            self.moves.extend(std::iter::repeat_n(m, count));
            word = rest;
        }
        Ok(())
    }

    /// The convention that the text states, or the one given.
    fn convention(&self, given: Convention) -> Convention {
        if self.is_blank { Convention::Blank } else { given }
    }

    /// The moves, behind their number if there is one.
    fn moves(self) -> Result<Moves, PathError> {
        let found = self.moves.len();
        match self.numbers[..] {
            [] => Ok(Moves(self.moves)),
            [(0, stated)] if stated == found => Ok(Moves(self.moves)),
            [(0, stated)] if found > 0 => Err(PathError::Count { stated, found }),
            [(before, number), ..] => {
                let letter = number.to_string().chars().next().unwrap_or('0');
                Err(PathError::NotAMove { letter, place: before + 1 })
            }
        }
    }

    /// Returns whether the number before each move is its place in the list.
    fn is_numbered(&self) -> bool {
        let places = (0..self.moves.len()).map(|before| (before, before + 1));
        self.moves.len() > 1 && self.numbers.iter().copied().eq(places)
    }

    /// The tile beside each move, if every move has one, always before it or always behind it.
    fn tiles(&self) -> Option<Vec<usize>> {
        let Text { moves, numbers, .. } = self;
        let beside = |behind: usize| {
            numbers.iter().zip(behind..).all(|(&(before, _), place)| before == place)
        };
        let paired = numbers.len() == moves.len() && !moves.is_empty() && (beside(0) || beside(1));
        paired.then(|| numbers.iter().map(|&(_, tile)| tile).collect())
    }
}

/// A text with spaces for what separates words: arrows between them, and points behind them.
fn separated(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}').replace("->", " ").replace("=>", " ");
    let mut text = without_tags(&text).replace("::", ".").replace(':', ": ").replace('=', "= ");
    let lower = text.to_ascii_lowercase();
    if Move::ALL.iter().any(|m| lower.contains(&m.word().to_ascii_lowercase())) {
        text = text.replace(['→', '>', '⇒'], " ");
    }
    let mut last = ' ';
    let point = |c: char| {
        let is_end = c == '.' && last.is_alphabetic();
        last = c;
        if is_end { ' ' } else { c }
    };
    let words = text.split_inclusive(|c: char| !c.is_alphanumeric() && !"._".contains(c));
    words.flat_map(|word| unqualified(word).chars()).map(point).collect()
}

/// Words for the blank. Its directions are others than those of a tile.
const BLANKS: [&str; 5] = ["blank", "empty", "hole", "space", "zero"];

fn is_of_blank(name: &str) -> bool {
    let name = name.to_lowercase();
    BLANKS.iter().any(|blank| name.contains(blank))
}

/// A text in which a word stands for a tag, as in `<up>`, and for the member of an enum with its value, as in
/// `<Move.UP: 1>`.
fn without_tags(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        plain.push_str(before);
        let end = tag.find(|c: char| !c.is_alphanumeric() && !"._".contains(c));
        let (name, value) = tag.split_at(end.unwrap_or(tag.len()));
        let member = name.rsplit_once('.').filter(|_| value.starts_with(':'));
        let is_word = name == "br" || matches!(move_word(name), Some((_, "")));
        // A value in quotes may have the sign that ends the tag.
        let is_quote = |c: Option<char>| c.is_some_and(|c| "'\"".contains(c));
        let value = value.trim_start_matches([':', ' ']);
        let quoted = is_quote(value.chars().next());
        let is_end = |&(at, c): &(usize, char)| {
            c == '>' && (!quoted || at > 1 && is_quote(value[..at].chars().next_back()))
        };
        let end = value.char_indices().take(LONGEST).find(is_end).map(|(at, _)| at);
        let word = match member {
            Some((of, _)) if is_of_blank(of) => Some(name),
            Some((_, word)) => Some(word),
            None => Some(name).filter(|_| is_word && end == Some(0)),
        };
        match (word, end) {
            (Some(word), Some(end)) => {
                plain.push_str(&format!(" {} ", if word == "br" { "" } else { word }));
                rest = &value[end + 1..];
            }
            _ => {
                plain.push('<');
                rest = tag;
            }
        }
    }
    plain + rest
}

/// The direction behind names in a word, as in `pygame.K_UP`.
fn unqualified(word: &str) -> &str {
    let Some((names, last)) = word.rsplit_once(['.', '_']) else { return word };
    let are_moves = |word: &str| {
        let mut rest = word;
        while let Some((_, behind)) = move_at(rest) {
            rest = behind;
        }
        rest.is_empty()
    };
    let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_alphabetic()) && !are_moves(name);
    let is_direction =
        move_word(last).is_some_and(|(_, rest)| !rest.contains(char::is_alphanumeric));
    let first = names.find(['.', '_']).unwrap_or(names.len());
    let are_names = first > 1 && names.split(['.', '_']).all(is_name) && !is_of_blank(names);
    if is_direction && are_names { last } else { word }
}

/// The lines of moves, and of a plan the names of its actions. Figures of the search around them are left out.
fn plan(text: &str) -> Result<String, PathError> {
    let line = |line| match action(line) {
        Some(name) if !name.split(['-', '_']).any(|part| part.parse::<Move>().is_ok()) => {
            Err(PathError::NoDirection { name: name.to_owned() })
        }
        name => Ok(name.unwrap_or(line)),
    };
    let is_other = |line: &&str| !is_figure(line) && !line.starts_with("```");
    let has_others = text.lines().any(|line| is_other(&line) && !line.trim().is_empty());
    let lines = text.lines().filter(|line| !has_others || is_other(line));
    Ok(lines.map(line).collect::<Result<Vec<_>, _>>()?.join("\n"))
}

/// Returns whether a line is a name and its number, as in `cost_of_path: 6`, and names no move and no tile.
fn is_figure(line: &str) -> bool {
    let Some((name, value)) = line.split_once([':', '=']) else { return false };
    let name = name.trim();
    let mut words = name.split([' ', '_']);
    let is_name = |word: &str| {
        let begins = |other: &&str| behind(other, word).is_some();
        word.bytes().all(|b| b.is_ascii_alphabetic())
            && !["move", "step", "tile", "slide"].iter().any(begins)
    };
    let value =
        value.split_whitespace().next().unwrap_or_default().trim_end_matches(['m', 's', '%']);
    let are_moves = || name.parse::<Moves>().is_ok();
    words.all(is_name) && !are_moves() && value.parse::<f64>().is_ok_and(f64::is_finite)
}

/// The name of the action in a line of a plan whose objects have numbers, as in `0: (move-up t5 p3 p2)`.
/// Without brackets, its name has a dash.
fn action(line: &str) -> Option<&str> {
    let bracketed =
        line.split_once('(').and_then(|(before, action)| Some((before, action.split_once(')')?)));
    let plain = || {
        let (before, action) = line.split_once(':')?;
        Some((before.trim_start_matches("step"), (action.trim(), "")))
    };
    let (before, (action, behind)) = bracketed.or_else(plain)?;
    let (name, objects) = action.split_once(' ')?;
    let has_dash = name.contains(['-', '_']);
    // Otherwise the words may all be moves.
    let is_sure = bracketed.is_some() && (has_dash || move_at(name).is_none());
    let is_object = |word: &str| {
        word.starts_with(char::is_alphabetic)
            && word.contains(|c: char| c.is_ascii_digit())
            && (is_sure || move_at(word).is_none())
    };
    let is_action = name.starts_with(char::is_alphabetic) && (has_dash || bracketed.is_some());
    let are_numbers = ![before, behind].iter().any(|text| text.contains(char::is_alphabetic));
    (is_action && are_numbers && objects.split_whitespace().all(is_object)).then_some(name)
}

fn is_between(c: char) -> bool {
    // The last one makes a picture of an arrow.
    c.is_whitespace() || ",;-–—−/+&~'\"‘’“”[](|_#*•{}\u{fe0f}".contains(c)
}

/// The number that a text begins with, and what follows it.
fn number(text: &str) -> (Option<usize>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    // A number of too many digits is too large anyway.
    ((end > 0).then(|| digits.parse().unwrap_or(usize::MAX)), rest)
}

/// The text behind a word that it begins with, in letters of either case.
fn behind<'a>(word: &str, text: &'a str) -> Option<&'a str> {
    let (start, behind) = text.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(behind)
}

/// The move that a text begins with, as a word, and what follows it.
fn move_word(text: &str) -> Option<(Move, &str)> {
    let mut words = Move::ALL.map(|m| (m.word(), m)).into_iter().chain(SYNONYMS);
    words.find_map(|(word, m)| Some((m, behind(word, text)?)))
}

/// The move that a text begins with, as a word, a letter or an arrow, and what follows it.
fn move_at(text: &str) -> Option<(Move, &str)> {
    // Or with a word before it, as in `moveUp`.
    let mut words =
        ["", "arrow", "go", "move", "slide"].into_iter().filter_map(|word| behind(word, text));
    if let Some(found) = words.find_map(move_word) {
        return Some(found);
    }
    let letter = text.chars().next()?;
    Some((Move::from_letter(letter).or_else(|| pointed(letter))?, &text[letter.len_utf8()..]))
}

/// The move of an arrow.
fn pointed(arrow: char) -> Option<Move> {
    match arrow {
        '^' | '↑' | '⬆' | '⇧' | '⇑' | '▲' | '△' | '🔼' => Some(Move::Up),
        'v' | 'V' | '↓' | '⬇' | '⇩' | '⇓' | '▼' | '▽' | '🔽' => Some(Move::Down),
        '<' | '←' | '⬅' | '⇦' | '⇐' | '◀' | '◁' | '◄' => Some(Move::Left),
        '>' | '→' | '➡' | '⇨' | '⇒' | '▶' | '▷' | '►' => Some(Move::Right),
        _ => None,
    }
}

impl Moves {
    /// The moves in runs of equal ones: the move and how often it is made.
    #[doc(hidden)]
    pub fn runs(&self) -> impl Iterator<Item = (Move, usize)> + '_ {
        self.0.chunk_by(|a, b| a == b).map(|run| (run[0], run.len()))
    }

    /// The runs as text, `2d 3r u`, with a number only if it is more than 1.
    pub fn to_runs(&self) -> String {
        let mut text = String::new();
        for (m, count) in self.runs() {
            if !text.is_empty() {
                text.push(' ');
            }
            if count > 1 {
                let _ = write!(text, "{count}");
            }
            text.push(m.letter().to_ascii_lowercase());
        }
        text
    }

    /// The runs as one word of letters and counts, `D2R3U`, with a number only if it is more than 1.
    pub fn to_counts(&self) -> String {
        let mut text = String::new();
        for (m, count) in self.runs() {
            text.push(m.letter());
            if count > 1 {
                let _ = write!(text, "{count}");
            }
        }
        text
    }
}

/// The reason why a text is not a sequence of moves of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MovesError {
    /// Not a sequence of moves.
    #[error(transparent)]
    Moves(#[from] PathError),
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
        /// The number of the tile.
        tile: usize,
    },
    /// A tile that is not next to the blank cannot be moved.
    #[error("move {place} is of {what}, which is not beside the blank")]
    NotBeside {
        /// The place of the move, from 1.
        place: usize,
        /// The tile or cell that was to be moved.
        what: String,
    },
}

impl Board {
    /// Reads moves in any notation: what [`Moves`] reads, with directions in a convention, also with
    /// the number of a tile beside each; the tiles moved, as numbers; or their rows and columns, in
    /// brackets, counted from 1.
    ///
    /// # Errors
    /// [`MovesError`] for text that is none of these, or tiles that are not next to the blank, or not
    /// where the direction moves them. Moves that the border does not allow are reported by
    /// [`Board::after`] only.
    pub fn read_moves(&self, text: &str, convention: Convention) -> Result<Moves, MovesError> {
        if let Some(cells) = places::pairs(text) {
            // An arrow may lead from the cell of the tile to that of the blank.
            let is_step = ["->", "=>", "→", "⇒"].iter().any(|arrow| text.contains(arrow));
            let steps = is_step.then(|| self.along(&cells)).flatten();
            return steps.map_or_else(|| self.follow_cells(&cells), Ok);
        }
        let is_of_cells = |c: char| c.is_ascii_digit() || c.is_whitespace() || ",;()[]".contains(c);
        if text.contains('(') && text.chars().all(is_of_cells) {
            return Err(MovesError::Pairs);
        }
        let read = Text::read(text)?;
        if read.moves.is_empty() && !read.numbers.is_empty() {
            let tiles: Vec<usize> = read.numbers.iter().map(|&(_, tile)| tile).collect();
            let follow = |tiles: &[usize]| {
                self.follow(
                    tiles,
                    |board, cell| board.tiles()[cell].into(),
                    |&tile| match tile {
                        usize::MAX => "a tile that no board has".to_owned(),
                        tile => format!("tile {tile}"),
                    },
                )
            };
            let moves = follow(&tiles);
            // The number of moves may come first.
            let counted = moves.is_err() && tiles.len() > 1 && tiles[0] == tiles.len() - 1;
            return if counted { follow(&tiles[1..]).or(moves) } else { moves };
        }
        let convention = read.convention(convention);
        // One number before one move may be its count.
        let counted = text.trim_start().starts_with('1');
        if let Some(tiles) = read.tiles()
            && !(counted && read.numbers == [(0, 1)])
        {
            let moves = self.checked(&read.moves, &tiles, convention);
            if moves.is_err() && read.is_numbered() {
                return Ok(Moves(read.moves).turned(convention));
            }
            return moves;
        }
        let glued = read.glued.clone().unwrap_or_default();
        let moves = read.moves()?.turned(convention);
        // Tiles, if they cannot be counts.
        if !glued.is_empty() && self.after(&moves).is_err() {
            let (directions, tiles): (Vec<Move>, Vec<usize>) = glued.into_iter().unzip();
            return self.checked(&directions, &tiles, convention).or(Ok(moves));
        }
        Ok(moves)
    }

    /// The moves of directions in a convention, each of which must move its tile.
    fn checked(
        &self,
        directions: &[Move],
        tiles: &[usize],
        convention: Convention,
    ) -> Result<Moves, MovesError> {
        let mut board = self.clone();
        for (place, (&direction, &tile)) in (1..).zip(directions.iter().zip(tiles)) {
            let m = convention.turned(direction);
            let cell = board.grid().source(board.blank(), m);
            if cell.is_none_or(|cell| usize::from(board.tiles()[cell]) != tile) {
                return Err(MovesError::Tile { place, direction, tile });
            }
            board.apply(m);
        }
        Ok(Moves(directions.to_vec()).turned(convention))
    }

    /// The row and the column of a cell, counted from 1.
    #[doc(hidden)]
    pub fn place(&self, cell: usize) -> [usize; 2] {
        [self.grid().row(cell) + 1, self.grid().column(cell) + 1]
    }

    /// The moves of the tiles in these cells, one after the other.
    fn follow_cells(&self, cells: &[[usize; 2]]) -> Result<Moves, MovesError> {
        let name = |[row, column]: &[usize; 2]| format!("what is in row {row} and column {column}");
        self.follow(cells, Board::place, name)
    }

    /// The moves of tiles, each from one of two cells to the other, if the blank is there.
    fn along(&self, cells: &[[usize; 2]]) -> Option<Moves> {
        let (steps, []) = cells.as_chunks::<2>() else { return None };
        let from: Vec<[usize; 2]> = steps.iter().map(|[from, _]| *from).collect();
        let moves = self.follow_cells(&from).ok()?;
        let mut board = self.clone();
        let are_to_blank = steps.iter().zip(moves.iter()).all(|([_, to], m)| {
            let blank = board.place(board.blank());
            board.apply(m);
            blank == *to
        });
        are_to_blank.then_some(moves)
    }

    /// The path that moves one tile after the other, each identified by what `at` says of its cell.
    fn follow<T: PartialEq>(
        &self,
        things: &[T],
        at: impl Fn(&Board, usize) -> T,
        name: impl Fn(&T) -> String,
    ) -> Result<Moves, MovesError> {
        let mut board = self.clone();
        let mut path = Moves::default();
        for (place, thing) in (1..).zip(things) {
            let moves_it = |&m: &Move| {
                let cell = board.grid().source(board.blank(), m);
                cell.is_some_and(|cell| at(&board, cell) == *thing)
            };
            let m = Move::ALL
                .into_iter()
                .find(moves_it)
                .ok_or_else(|| MovesError::NotBeside { place, what: name(thing) })?;
            board.apply(m);
            path.0.push(m);
        }
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_round_trips() {
        let path = Moves(vec![Move::Down, Move::Down, Move::Right, Move::Up, Move::Left]);
        assert_eq!(path.to_string(), "DDRUL");
        assert_eq!(path.to_runs(), "2d r u l");
        assert_eq!(path.to_counts(), "D2RUL");
        for text in [
            "DDRUL",
            "ddrul",
            "DdR, u L",
            "Down, Down, Right, Up, Left",
            "1: Down\n2: Down\n3: Right\n4: Up\n5: Left\n",
            "1. down 2. down 3. right 4. up 5. left",
            "2d r u l",
            "2dRul",
            "2Down 1r1u1l",
            "D2RUL",
            "d2 r1u l",
            "1: Down2 2: Right, 1u1l",
            "downdownrightupleft",
            "↓↓→↑←",
            "vv>^<",
            "V 1v > ^ <",
            "⬇️⬇️➡️⬆️⬅️",
            "▼▼▶▲◀",
            "▽ ▽ ▷ △ ◁",
            "⇩⇩⇨⇧⇦",
            "🔽🔽▶️🔼◀️",
            "d-d-r-u-l",
            "D – D — R − U - L",
            "Down -> Down -> Right -> Up -> Left",
            "5\ndown\ndown\nright\nup\nleft\n",
            "5 ddrul",
            "['Down', 'Down', 'Right', 'Up', 'Left']",
            r#"["D", "D", "R", "U", "L"]"#,
            "moves = ['d','d','r','u','l']",
            "Solution: DDRUL",
            "1) D 2) D 3) R 4) U 5) L",
            "Step 1: Down, Step 2: Down; Move 3: Right; 4. move up 5. slide left",
            "Down → Down → Right → Up → Left",
            "d|d|r|u|l",
            "Down. Down. Right. Up. Left.",
            "* Down\n* Down\n* Right\n* Up\n* Left",
            "Solution in 5 moves: DDRUL",
            "Number of moves: 5\nDDRUL",
            "Solution: DDRUL\nCost: 5\nTime: 12ms",
            "path_to_goal: ['Down', 'Down', 'Right', 'Up', 'Left']\ncost_of_path: 5\nnodes_expanded: 12\nmax_ram_usage: 0.05",
            "```\nDDRUL\n```",
            "DDRUL (5 moves)",
            "path_to_goal: ['Down', 'Down', 'Right', 'Up', 'Left']",
            "[None, 'Down', 'Down', 'Right', 'Up', 'Left']",
            "[Move.DOWN, Move.DOWN, Move.RIGHT, Move.UP, Move.LEFT]",
            "Action.DOWN, Action.DOWN, Action.RIGHT, Action.UP, Action.LEFT",
            "[Dir.D, Dir.D, Dir.R, Dir.U, Dir.L]",
            "Direction::Down, Direction::Down, Direction::Right, Direction::Up, Direction::Left",
            "ACTION_DOWN ACTION_DOWN ACTION_RIGHT ACTION_UP ACTION_LEFT",
            "action=down\naction=down\naction=right\naction=up\naction=left",
            "moveDown moveDown moveRight moveUp moveLeft",
            "Start -> Down -> Down -> Right -> Up -> Left -> Goal",
            "Down=>Down=>Right=>Up=>Left",
            "0: (move-down)\n1: (move-down)\n2: (move-right)\n3: (move-up)\n4: (move-left)",
            "(down)\n(down)\n(right)\n(up)\n(left)\n; cost = 5 (unit cost)",
            "moves=DDRUL",
            "1=down 2=down 3=right 4=up 5=left",
            "move_down, move_down, move_right, move_up, move_left",
            "ArrowDown ArrowDown ArrowRight ArrowUp ArrowLeft",
            "south south east north west",
            "[<Move.DOWN: 1>, <Move.DOWN: 1>, <Move.RIGHT: 3>, <Move.UP: 0>, <Move.LEFT: 2>]",
            "<M.DOWN: (0, 1)>\n<M.DOWN: (0, 1)>\n<M.RIGHT: (1, 0)>\n<M.UP: (0, -1)>\n<M.LEFT: (-1, 0)>",
            "<D.D: 'v'>, <D.D: 'v'>, <D.R: '>'>, <D.U: '^'>, <D.L: '<'>",
            "<down><down><right><up><left>",
            "(move-down t5 p2 p1)\n(move-down l3 l2)\n(move-right t6 p1-2 p1-1)\n(move-up t5 u2 u1)\n(move-left t1 x2 x1)",
            "0.0: (slide_down t1 p2) [1.0]\n1.0: (slide_down t2 p5) [1.0]\n2.0: (slide_right t3 p8) [1.0]\n\
             3.0: (slide_up t4 p7) [1.0]\n4.0: (slide_left t5 p4) [1.0]",
            "step 0: MOVE-DOWN T1 P2\n1: MOVE-DOWN T2 P2\n2: MOVE-RIGHT T3 P2\n3: MOVE-UP T4 P2\n4: MOVE-LEFT T5 P2",
            "(slide_down t1 p1)\n(mv_down l3 l2)\n(right)\n(up t4 p3)\n(left)",
            "down/down/right/up/left",
            "D / D / R / U / L",
            "down+down & right~up+left",
            "pygame.K_DOWN pygame.K_DOWN pygame.K_RIGHT pygame.K_UP pygame.K_LEFT",
            "slideDown slideDown slideRight slideUp slideLeft",
            "Solution found in 5 moves!\nDDRUL",
            "K_DOWN, K_DOWN, K_RIGHT, K_UP, K_LEFT",
            "<Blank.UP: 1>, <Blank.UP: 1>, <Blank.LEFT: 3>, <Blank.DOWN: 2>, <Blank.RIGHT: 4>",
            "blank_up, blank_up, blank_left, blank_down, blank_right",
            "Move blank up, blank up, blank left, blank down, blank right",
        ] {
            assert_eq!(text.parse().as_ref(), Ok(&path), "{text}");
        }
        assert_eq!("<vv>".parse(), "LDDR".parse::<Moves>());
        assert_eq!("<2v>".parse(), "LLDR".parse::<Moves>());
        assert_eq!("(up l3)".parse(), "ULLL".parse::<Moves>());
        for text in ["", " ", ",", "0u"] {
            assert_eq!(text.parse(), Ok(Moves::default()), "{text:?}");
        }
    }

    #[test]
    fn nonsense_is_named() {
        let error = |text: &str| text.parse::<Moves>().unwrap_err();
        assert_eq!(error("UX"), PathError::NotAMove { letter: 'X', place: 2 });
        assert_eq!(error("2l 3"), PathError::NotAMove { letter: '3', place: 3 });
        assert_eq!(error("Uß"), PathError::NotAMove { letter: 'ß', place: 2 });
        assert_eq!(error("U>D"), PathError::NotAMove { letter: '>', place: 2 });
        assert_eq!(error("U → D"), PathError::NotAMove { letter: '→', place: 2 });
        assert_eq!(error("↑D"), PathError::NotAMove { letter: 'D', place: 2 });
        assert_eq!(error("UL (3 moves)"), PathError::NotAMove { letter: '3', place: 3 });
        assert_eq!(error("U:L"), PathError::NotAMove { letter: ':', place: 2 });
        assert_eq!(error("U<D"), PathError::NotAMove { letter: '<', place: 2 });
        assert_eq!(error("U.X.D"), PathError::NotAMove { letter: 'X', place: 2 });
        assert_eq!(error("blankUp"), PathError::NotAMove { letter: 'b', place: 1 });
        assert_eq!(error("empty.up"), PathError::NotAMove { letter: 'e', place: 1 });
        assert_eq!(error("startup"), PathError::NotAMove { letter: 's', place: 1 });
        assert_eq!(error("foo.up.left"), PathError::NotAMove { letter: 'f', place: 1 });
        assert_eq!(error("<Empty.UP: 1>"), PathError::NotAMove { letter: 'E', place: 1 });
        assert_eq!(error("left t5"), PathError::NotAMove { letter: 't', place: 2 });
        for text in ["(move t5 p3-2 p3-1)", "U\n(slide l3 l2)", "1: (move-tile u1 d2)"] {
            assert!(matches!(error(text), PathError::NoDirection { .. }), "{text}");
        }
        assert_eq!(error("; U\nX"), PathError::NotAMove { letter: 'X', place: 2 });
        for text in ["Piece: 12\n\nPiece: 8", "DDR\nrd: 3", "U\nUD: 4"] {
            assert!(
                matches!(error(text), PathError::NotAMove { .. } | PathError::Count { .. }),
                "{text}"
            );
        }
        assert_eq!(error("3\nleft left"), PathError::Count { stated: 3, found: 2 });
        assert_eq!(error("7 left 5 up"), PathError::NotAMove { letter: '7', place: 1 });
        assert_eq!(error("3"), PathError::NotAMove { letter: '3', place: 1 });
        assert_eq!(error("99999999999999999999999l"), PathError::TooLong);
        assert_eq!(error("999999l 2r"), PathError::TooLong);
    }

    #[test]
    fn tiles_tell_the_moves() {
        let board: Board = "1 2 3 / 4 0 6 / 7 5 8".parse().unwrap();
        let read = |text: &str| board.read_moves(text, Convention::Tile);
        for text in [
            "5 8",
            "5, 8",
            "[5, 8]",
            "(3,2), (3,3)",
            "(3, 2) (3, 3)",
            "[(3, 2), (3, 3)]",
            "(3,2) -> (3,3)",
            "1. (3,2)\n2. (3,3)",
            "[[3,2],[3,3]]",
            "(3,2) -> (2,2)\n(3,3) -> (3,2)",
            "UL",
            "1: Up\n2: Left",
            "Move 5 Up\nMove 8 Left\n",
            "move tile 5 up, move tile 8 left",
            "1. Move 5 Up 2. Move 8 Left",
            "5 up 8 left",
            "Up 5, Left 8",
            "[(5, 'Up'), (8, 'Left')]",
            "[('U', 5), ('L', 8)]",
            "5 ↑ 8 ←",
            "5U 8L",
            "U5 L8",
            "5↑ 8←",
            "1. 5\n2. 8",
            "Move 5\nMove 8",
            "tile 5, tile 8",
            "5 -> 8",
            "5 8 (2 moves)",
            "slide 5 up, then slide 8 left",
            "2\n5 8",
            "1\tUp\n2\tLeft",
            "[1] Up\n[2] Left",
            "(1) Up (2) Left",
            "Step 1 - Up, Step 2 - Left",
            "Move #1: Up\nMove #2: Left",
        ] {
            assert_eq!(read(text), Ok("UL".parse().unwrap()), "{text}");
        }
        assert_eq!(read(""), Ok(Moves::default()));
        for text in [
            "5 8 1",
            "0",
            "99999999999999999999999",
            "(1,1)",
            "(0,0)",
            "(3,2,3)",
            "(x)",
            "(3,2)->(1,2)",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let wrong = |place, direction, tile| Err(MovesError::Tile { place, direction, tile });
        assert_eq!(read("Move 5 Up\nMove 7 Left"), wrong(2, Move::Left, 7));
        assert_eq!(read("Move 1 Up"), wrong(1, Move::Up, 1));
        assert_eq!(read("1\nup"), Ok("U".parse().unwrap()));
        let corner: Board = "1 2 / 3 0".parse().unwrap();
        assert_eq!(corner.read_moves("3 left", Convention::Tile), wrong(1, Move::Left, 3));
    }

    #[test]
    fn directions_of_the_blank_are_turned_and_tiles_are_not() {
        let board: Board = "1 2 3 / 4 0 6 / 7 5 8".parse().unwrap();
        for text in
            ["DR", "2\ndown\nright", "↓→", "Move 5 Down, Move 8 Right", "5 8", "(3,2) (3,3)"]
        {
            let read = board.read_moves(text, Convention::Blank);
            assert_eq!(read, Ok("UL".parse().unwrap()), "{text}");
        }
    }
}
