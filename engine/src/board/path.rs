use std::fmt;

use super::named::named;

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
    /// The four moves, in the order in which searches try them, except [`Engine`](crate::search::Engine) on
    /// 5×5. The opposite of the move at place `i` is at place `3 - i`.
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
    pub const fn transposed(self) -> Move {
        [Move::Left, Move::Down, Move::Up, Move::Right][self as usize]
    }

    /// `Up`, `Down`, `Left` or `Right`.
    pub const fn word(self) -> &'static str {
        ["Up", "Right", "Left", "Down"][self as usize]
    }

    /// `U`, `D`, `L` or `R`.
    pub const fn letter(self) -> char {
        ['U', 'R', 'L', 'D'][self as usize]
    }

    /// `↑`, `↓`, `←` or `→`.
    pub const fn arrow(self) -> char {
        ['↑', '→', '←', '↓'][self as usize]
    }

    /// The move of a letter, in either case.
    pub(crate) fn from_letter(letter: char) -> Option<Move> {
        Move::ALL.into_iter().find(|m| m.letter().eq_ignore_ascii_case(&letter))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The piece whose directions a text gives. A [`Move`] is always named by its tile; a convention is applied
/// where text is read or written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Convention {
    /// The tile that moves into the blank.
    #[default]
    Tile,
    /// The blank, which goes the opposite way.
    Blank,
}

impl Convention {
    /// Returns whether the directions are those of the tile.
    pub fn is_tile(&self) -> bool {
        *self == Convention::Tile
    }

    /// The move that has the direction of `m` in this convention.
    pub const fn turned(self, m: Move) -> Move {
        match self {
            Convention::Tile => m,
            Convention::Blank => m.opposite(),
        }
    }
}

named!(Convention { Tile = "tile", Blank = "blank" }, ConventionError = "directions are those of the tile or of the blank: write tile or blank, not {name:?}");

/// A sequence of moves, displayed as letters: `DDRU`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Moves(pub Vec<Move>);

impl Moves {
    /// The number of moves.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The moves with the directions that they have in a convention. Turned twice, they are the same.
    pub fn turned(&self, convention: Convention) -> Moves {
        self.iter().map(|m| convention.turned(m)).collect()
    }

    /// The moves that undo these, last first.
    pub fn reversed(&self) -> Moves {
        self.0.iter().rev().map(|m| m.opposite()).collect()
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
    fn the_blank_goes_the_other_way() {
        let path: Moves = "DDR".parse().unwrap();
        assert_eq!(path.turned(Convention::Tile), path);
        assert_eq!(path.turned(Convention::Blank).to_string(), "UUL");
        assert_eq!(path.reversed().to_string(), "LUU");
        for convention in Convention::ALL {
            assert_eq!(convention.to_string().parse(), Ok(convention));
            assert_eq!(path.turned(convention).turned(convention), path);
        }
        assert!("cell".parse::<Convention>().unwrap_err().to_string().contains("\"cell\""));
    }

    #[test]
    fn opposites_and_transposes_are_involutions() {
        for m in Move::ALL {
            assert_ne!(m.opposite(), m);
            assert_eq!(m.opposite().opposite(), m);
            assert_eq!(m.transposed().transposed(), m);
            assert_eq!(m.transposed().opposite(), m.opposite().transposed());
            for text in
                [m.to_string(), m.letter().into(), m.word().to_lowercase(), m.arrow().into()]
            {
                assert_eq!(text.parse(), Ok(m));
            }
        }
        for text in ["", "X", "UU", "Uppp", "2U", " U", "↑↑"] {
            assert!(text.parse::<Move>().is_err(), "{text:?}");
        }
    }
}
