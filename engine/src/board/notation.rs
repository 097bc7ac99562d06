//! Moves as people write them.
//!
//! - Letters in either case: `DDRU`, `ddru`, `d, d, r, u`.
//! - Words: `Down, Down, Right, Up`, and numbered lists of them: `1: Down`.
//! - Runs, a number before the letter: `2d r u`.
//! - Counts, a number after the letter: `D2RU`. In a word that begins with a move, a number counts
//!   the move before it; in one that begins with a number, the move behind it.
//!
//! All can be mixed. The tiles moved, one after the other, determine the moves only together with
//! the board: [`Board::read_moves`].

use std::fmt::Write;
use std::str::FromStr;

use super::{Board, Move, Moves};

/// The most moves of a text: runs could stand for any number.
const MAX_MOVES: usize = 1_000_000;

/// The reason why a text is not a sequence of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// A character that names no move.
    #[error(
        "{letter:?} where move {place} should be is no move: write U, D, L or R, or Up, Down, Left or Right, the way the tile goes, or runs as in 2d 3r or D2R3"
    )]
    NotAMove {
        /// The character found.
        letter: char,
        /// The place of the move it should begin, from 1.
        place: usize,
    },
    /// Runs that are too long.
    #[error("more than {MAX_MOVES} moves")]
    TooLong,
}

/// Reads the letter or the word of one move, in either case.
impl FromStr for Move {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Move, PathError> {
        let named = Move::ALL.into_iter().find(|m| m.word().eq_ignore_ascii_case(text));
        let mut letters = text.chars();
        let (first, rest) = (letters.next(), letters.next());
        let m = named.or_else(|| Move::from_letter(first.filter(|_| rest.is_none())?));
        m.ok_or(PathError::NotAMove { letter: first.unwrap_or(' '), place: 1 })
    }
}

impl FromStr for Moves {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Moves, PathError> {
        let mut moves = Vec::new();
        let words = text.trim_start_matches('\u{feff}').split(is_between);
        for mut word in words {
            // The number of a line of a list.
            if let (Some(_), after) = number(word)
                && let Some(after) = after.strip_prefix([':', '.'])
            {
                word = after;
            }
            let counts_follow = !word.starts_with(|c: char| c.is_ascii_digit());
            while let Some(letter) = word.chars().next() {
                let (before, after) = number(word);
                let Some((m, after)) = move_at(after) else {
                    return Err(PathError::NotAMove { letter, place: moves.len() + 1 });
                };
                let (behind, after) = if counts_follow { number(after) } else { (None, after) };
                let count = before.or(behind).unwrap_or(1);
                if count > MAX_MOVES - moves.len() {
                    return Err(PathError::TooLong);
                }
                moves.extend(std::iter::repeat_n(m, count));
                word = after;
            }
        }
        Ok(Moves(moves))
    }
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';')
}

/// The number that a text begins with, and what follows it.
fn number(text: &str) -> (Option<usize>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    // A number of too many digits is too large anyway.
    ((end > 0).then(|| digits.parse().unwrap_or(usize::MAX)), rest)
}

/// The move that a text begins with, as a word or a letter, and what follows it.
fn move_at(text: &str) -> Option<(Move, &str)> {
    for m in Move::ALL {
        let word = m.word();
        if text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)) {
            return Some((m, &text[word.len()..]));
        }
    }
    let letter = text.chars().next()?;
    Some((Move::from_letter(letter)?, &text[letter.len_utf8()..]))
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
    /// Reads moves in any notation: what [`Moves`] reads; the tiles moved, as numbers; or their
    /// rows and columns, in brackets, counted from 1.
    ///
    /// # Errors
    /// [`MovesError`] for text that is none of these, or tiles that are not next to the blank. Moves
    /// that the border does not allow are reported by [`Board::after`] only.
    pub fn read_moves(&self, text: &str) -> Result<Moves, MovesError> {
        let numbers = || text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
        let allowed = |others: &str| {
            text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || others.contains(c))
        };
        // A number too long for a word is not on the board either.
        let number = |word: &str| word.parse().unwrap_or(usize::MAX);
        if numbers().next().is_some() && allowed(",;") {
            let tiles: Vec<usize> = numbers().map(number).collect();
            return self.follow(
                &tiles,
                |board, cell| board.tiles()[cell].into(),
                |tile| format!("tile {tile}"),
            );
        }
        if text.contains('(') && allowed(",;()") {
            let numbers: Vec<usize> = numbers().map(number).collect();
            let (pairs, []) = numbers.as_chunks::<2>() else {
                return Err(MovesError::Pairs);
            };
            return self.follow(
                pairs,
                |board, cell| board.place(cell),
                |[row, column]| format!("what is in row {row} and column {column}"),
            );
        }
        Ok(text.parse()?)
    }

    /// The row and the column of a cell, counted from 1.
    #[doc(hidden)]
    pub fn place(&self, cell: usize) -> [usize; 2] {
        [self.grid().row(cell) + 1, self.grid().column(cell) + 1]
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
        ] {
            assert_eq!(text.parse().as_ref(), Ok(&path), "{text}");
        }
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
        assert_eq!(error("U-D"), PathError::NotAMove { letter: '-', place: 2 });
        assert_eq!(error("99999999999999999999999l"), PathError::TooLong);
        assert_eq!(error("999999l 2r"), PathError::TooLong);
    }

    #[test]
    fn tiles_tell_the_moves() {
        let board: Board = "1 2 3 / 4 0 6 / 7 5 8".parse().unwrap();
        for text in ["5 8", "5, 8", "(3,2), (3,3)", "(3, 2) (3, 3)", "UL", "1: Up\n2: Left"] {
            assert_eq!(board.read_moves(text), Ok("UL".parse().unwrap()), "{text}");
        }
        assert_eq!(board.read_moves(""), Ok(Moves::default()));
        for text in ["5 8 1", "0", "99999999999999999999999", "(1,1)", "(0,0)", "(3,2,3)", "(x)"] {
            assert!(board.read_moves(text).is_err(), "{text}");
        }
    }
}
