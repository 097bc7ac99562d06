//! Boards with one character a tile.
//!
//! - *Hexadecimal*, continued to the end of the alphabet: `123456789abcdef0`. A digit is its own
//!   value, `a` is 10, `z` is 35.
//! - *Letters*: `abcdefghijklmno0`. `a` is 1, `z` is 26.
//!
//! Every board has a tile 1, which is `1` in the first form and `a` in the second. A digit other
//! than 0 therefore distinguishes them. `0`, `_` or `.` is the blank in both. Case does not matter.
//! The tiles may form one word, a word a row, or a word a tile.

/// A text in one of the compact forms.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Compact {
    pub tiles: Vec<u64>,
    /// The length of the rows, if each is a word.
    pub width: Option<usize>,
}

/// The most cells of a board in one of the forms: one for each digit and letter.
const MAX_COMPACT_CELLS: usize = 36;

/// Reads the compact forms; `None` for words that are not in one, numbers among them.
pub(super) fn read(words: &[&str]) -> Option<Compact> {
    let length = words.first()?.len();
    let cells = length.checked_mul(words.len()).filter(|&cells| cells <= MAX_COMPACT_CELLS)?;
    if words.iter().any(|word| word.len() != length) {
        return None;
    }
    let characters = || words.iter().flat_map(|word| word.bytes());
    let is_blank = |c: u8| matches!(c, b'0' | b'_' | b'.');
    if !characters().all(|c| c.is_ascii_alphanumeric() || is_blank(c))
        || !characters().any(is_blank)
    {
        return None;
    }
    let hexadecimal = characters().any(|c| matches!(c, b'1'..=b'9'));
    let tiles: Vec<u64> = characters()
        .map(|c| match c.to_ascii_lowercase() {
            digit @ b'0'..=b'9' => u64::from(digit - b'0'),
            letter @ b'a'..=b'z' if hexadecimal => u64::from(letter - b'a') + 10,
            letter @ b'a'..=b'z' => u64::from(letter - b'a') + 1,
            _ => 0,
        })
        .collect();
    let letters = characters().any(|c| c.is_ascii_alphabetic());
    // Rows of digits alone could be numbers; those of a board would have a 0 of their own.
    let distinct = || (0..cells).all(|i| !tiles[..i].contains(&tiles[i]));
    let compact = match (words.len(), length) {
        (1, 4..) => true,
        (_, 1) => letters,
        _ => letters || distinct(),
    };
    if !compact || tiles.iter().any(|&tile| tile >= cells as u64) {
        return None;
    }
    Some(Compact { tiles, width: (words.len() > 1 && length > 1).then_some(length) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn both_forms_in_every_shape() {
        let board: Board = "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12".parse().unwrap();
        for text in [
            "517392B4D6F80AEC",
            "517392b4d6f8_aec",
            "5173 92b4 d6f8 0aec",
            "5173/92b4/d6f8/0aec",
            "5 1 7 3 9 2 b 4 d 6 f 8 0 a e c",
            "eagcibkdmfoh0jnl",
            "EAGC\nIBKD\nMFOH\n.JNL",
            "e a g c / i b k d / m f o h / 0 j n l",
        ] {
            assert_eq!(text.parse::<Board>().as_ref(), Ok(&board), "{text}");
        }
        assert_eq!("1230".parse::<Board>(), "1 2 3 0".parse());
        assert_eq!("123/450".parse::<Board>(), "1 2 3 / 4 5 0".parse());
        assert_eq!("12 30".parse::<Board>(), "1 2 / 3 0".parse());
        assert_eq!("123456789abcdefghijklmno0".parse::<Board>().map(|b| b.tiles()[23]), Ok(24));
    }

    #[test]
    fn numbers_and_nonsense_are_not_taken() {
        for text in [
            "1 2 3 0",
            "00 01 02 03",
            "10 11 12 13",
            "hello",
            "1 2 x 0",
            "12345",
            "-",
            "é0",
            "abcd",
            "123x",
            "1 2 3",
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(read(&words), None, "{text}");
        }
        assert_eq!(read(&[]), None);
        assert_eq!(read(&["0"; 300]), None);
    }
}
