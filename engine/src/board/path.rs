use std::fmt;

/// One move, named by the direction in which the *tile* moves: `Down` slides the tile above the
/// blank down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Move {
    /// The tile below the blank goes up.
    Up = 0,
    /// The tile left of the blank goes right.
    Right = 1,
    /// The tile right of the blank goes left.
    Left = 2,
    /// The tile above the blank goes down.
    Down = 3,
}

impl Move {
    /// The four moves, in the order in which searches try them, except that of
    /// [`Engine`](crate::search::Engine) on 5×5. The opposite of the move at place `i` is at place
    /// `3 - i`.
    pub const ALL: [Move; 4] = [Move::Up, Move::Right, Move::Left, Move::Down];

    /// The move that undoes this one.
    pub const fn opposite(self) -> Move {
        Move::ALL[3 - self as usize]
    }

    /// The move at this place of [`Move::ALL`], which has its number.
    ///
    /// # Panics
    /// From 4 on.
    pub(crate) const fn numbered(number: usize) -> Move {
        Move::ALL[number]
    }

    /// The image of the move on the board mirrored along its main diagonal.
    #[doc(hidden)]
    pub const fn transposed(self) -> Move {
        match self {
            Move::Up => Move::Left,
            Move::Left => Move::Up,
            Move::Right => Move::Down,
            Move::Down => Move::Right,
        }
    }

    /// `Up`, `Down`, `Left` or `Right`.
    pub const fn word(self) -> &'static str {
        match self {
            Move::Up => "Up",
            Move::Down => "Down",
            Move::Left => "Left",
            Move::Right => "Right",
        }
    }

    /// `U`, `D`, `L` or `R`.
    pub const fn letter(self) -> char {
        match self {
            Move::Up => 'U',
            Move::Down => 'D',
            Move::Left => 'L',
            Move::Right => 'R',
        }
    }

    /// The move of a letter, in either case.
    #[doc(hidden)]
    pub const fn from_letter(letter: char) -> Option<Move> {
        match letter {
            'U' | 'u' => Some(Move::Up),
            'D' | 'd' => Some(Move::Down),
            'L' | 'l' => Some(Move::Left),
            'R' | 'r' => Some(Move::Right),
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A sequence of moves, displayed as letters: `DDRU`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Moves(pub Vec<Move>);

impl Moves {
    /// The number of moves.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The moves in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.0.iter().copied()
    }
}

impl<'a> IntoIterator for &'a Moves {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Move>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().copied()
    }
}

impl FromIterator<Move> for Moves {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Moves {
        Moves(moves.into_iter().collect())
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|m| fmt::Write::write_char(f, m.letter()))
    }
}

#[cfg(feature = "serde")]
crate::serde_as_text!(Moves);

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "serde")]
    #[test]
    fn a_path_is_serialised_as_letters() {
        let path: Moves = Move::ALL.into_iter().collect();
        assert_eq!(serde_json::to_string(&path).unwrap(), "\"URLD\"");
        assert_eq!(serde_json::from_str::<Moves>("\"URLD\"").unwrap(), path);
        assert!(serde_json::from_str::<Moves>("\"URX\"").is_err());
    }

    #[test]
    fn a_path_is_collected_and_iterated() {
        let path: Moves = Move::ALL.into_iter().collect();
        assert_eq!(path.to_string(), "URLD");
        let mut moves = Vec::new();
        for m in &path {
            moves.push(m);
        }
        assert_eq!(moves, Move::ALL);
    }

    #[test]
    fn opposites_and_transposes_are_involutions() {
        for m in Move::ALL {
            assert_ne!(m.opposite(), m);
            assert_eq!(m.opposite().opposite(), m);
            assert_eq!(m.transposed().transposed(), m);
            assert_eq!(m.transposed().opposite(), m.opposite().transposed());
            for text in [m.to_string(), m.letter().to_string(), m.word().to_lowercase()] {
                assert_eq!(text.parse(), Ok(m));
            }
        }
        for text in ["", "X", "UU", "Uppp", "2U", " U"] {
            assert!(text.parse::<Move>().is_err(), "{text:?}");
        }
    }
}
