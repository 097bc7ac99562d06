//! Moves in their plain notations.
//!
//! - Letters in either case, words and arrows: `DDRU`, `down down right up`, `↓↓→↑`, `vv>^`.
//! - Runs, a number before the move: `2d r u`; and counts, a number after it in a word that a move begins:
//!   `D2RU`.
//!
//! White space and commas separate them.

use std::str::FromStr;

use super::{Move, Moves};

/// The most moves of a text: runs could stand for any number.
const MAX_MOVES: usize = 1_000_000;

/// Why a text is not a sequence of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// A text that names no move.
    #[error(
        "{text:?} is not a move (number {place}): write U, D, L or R, or Up, Down, Left or Right, or arrows, or runs as in 2d 3r or D2R3"
    )]
    NotAMove {
        /// The text.
        text: String,
        /// The place of the move, from 1.
        place: usize,
    },
    /// Runs that are too long.
    #[error("there are more than {MAX_MOVES} moves")]
    TooLong,
}

/// Reads the letter, the word or the arrow of one move, letters in either case.
impl FromStr for Move {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Move, PathError> {
        match move_at(text) {
            Some((m, "")) => Ok(m),
            _ => Err(PathError::NotAMove { text: text.to_owned(), place: 1 }),
        }
    }
}

impl FromStr for Moves {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Moves, PathError> {
        let mut moves = Moves::default();
        for word in text.split(|c: char| c.is_whitespace() || c == ',') {
            let counts_follow = !word.starts_with(|c: char| c.is_ascii_digit());
            let mut rest = word;
            while !rest.is_empty() {
                let (before, after) = number(rest);
                let (m, after) = move_at(after).ok_or_else(|| PathError::NotAMove {
                    text: rest.to_owned(),
                    place: moves.len() + 1,
                })?;
                // Makes a picture of an arrow.
                let after = after.trim_start_matches('\u{fe0f}');
                let (behind, after) = if counts_follow { number(after) } else { (None, after) };
                moves.repeat(m, before.or(behind).unwrap_or(1))?;
                rest = after;
            }
        }
        Ok(moves)
    }
}

/// The number that a text begins with, and what follows it.
fn number(text: &str) -> (Option<usize>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    // A number of too many digits is too large anyway.
    ((end > 0).then(|| digits.parse().unwrap_or(usize::MAX)), rest)
}

/// The move that a text begins with, and what follows it.
fn move_at(text: &str) -> Option<(Move, &str)> {
    let word = |m: Move| {
        let (start, rest) = text.split_at_checked(m.word().len())?;
        start.eq_ignore_ascii_case(m.word()).then_some((m, rest))
    };
    Move::ALL.into_iter().find_map(word).or_else(|| {
        let sign = text.chars().next()?;
        Some((Move::from_letter(sign).or_else(|| pointed(sign))?, &text[sign.len_utf8()..]))
    })
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
    /// Adds a run of equal moves.
    fn repeat(&mut self, m: Move, count: usize) -> Result<(), PathError> {
        if count > MAX_MOVES - self.len() {
            return Err(PathError::TooLong);
        }
        self.0.extend(std::iter::repeat_n(m, count));
        Ok(())
    }

    /// Adds moves.
    ///
    /// # Errors
    /// [`PathError::TooLong`] if there are too many.
    pub fn append(&mut self, moves: Moves) -> Result<(), PathError> {
        moves.runs().try_for_each(|(m, count)| self.repeat(m, count))
    }

    /// The moves in runs of equal ones: the move and how often it is made.
    pub fn runs(&self) -> impl Iterator<Item = (Move, usize)> + '_ {
        self.0.chunk_by(|a, b| a == b).map(|run| (run[0], run.len()))
    }

    /// The runs as text, `2d 3r u`, with a number only if it is more than 1.
    pub fn to_runs(&self) -> String {
        let run =
            |(m, count): (Move, _)| counted(count) + &m.letter().to_ascii_lowercase().to_string();
        self.runs().map(run).collect::<Vec<_>>().join(" ")
    }

    /// The runs as one word of letters and counts, `D2R3U`, with a number only if it is more than 1.
    pub fn to_counts(&self) -> String {
        self.runs().map(|(m, count)| m.letter().to_string() + &counted(count)).collect()
    }
}

/// The number of equal moves, unless it is 1.
fn counted(count: usize) -> String {
    if count > 1 { count.to_string() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_round_trips() {
        let path: Moves = "DDRUL".parse().unwrap();
        assert_eq!(
            (&*path.to_string(), &*path.to_runs(), &*path.to_counts()),
            ("DDRUL", "2d r u l", "D2RUL")
        );
        for text in [
            "ddrul",
            "DdR, u L",
            "Down, Down, Right, Up, Left",
            "2d r u l",
            "2Down 1r1u1l",
            "D2RUL",
            "d2 r1u l",
            "downdownrightupleft",
            "↓↓→↑←",
            "V 1v > ^ <",
            "⬇️⬇️➡️⬆️⬅️",
            "🔽🔽▶️🔼◀️",
        ] {
            assert_eq!(text.parse().as_ref(), Ok(&path), "{text}");
        }
        assert_eq!(" ,\n".parse(), Ok(Moves::default()));
    }

    #[test]
    fn errors_name_the_place() {
        let error = |text: &str| text.parse::<Moves>().unwrap_err();
        for (text, rest, place) in [("UX", "X", 2), ("2l 3", "3", 3), ("Uß", "ß", 2), ("7", "7", 1)]
        {
            assert_eq!(error(text), PathError::NotAMove { text: rest.to_owned(), place }, "{text}");
        }
        assert_eq!(error("99999999999999999999999l"), PathError::TooLong);
        assert_eq!(error("999999l 2r"), PathError::TooLong);
        assert!("UD".parse::<Move>().is_err());
    }
}
