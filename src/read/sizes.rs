//! Sizes as people write them: `4x3`, `3 by 3`, `rows 2 columns 3` or `size 4`.

/// The names of a size: of both sides, of the rows, and of the columns. A single letter counts only if the other side has
/// one too.
const NAMES: [(&str, &str); 3] = [
    ("s", " shape size n side dim dims dimension dimensions "),
    ("r", " rows height high h r "),
    ("c", " cols columns width wide w c "),
];

/// The signs and words between the numbers of a size. One of the crosses is Cyrillic.
const CROSSES: [&str; 9] = ["x", "×", "х", "✕", "✖", "⨯", "*", "by", "on"];

/// A size: the width and the height, or one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Size {
    pub sides: Vec<usize>,
    /// The one side is the width.
    is_width: bool,
}

impl From<[usize; 2]> for Size {
    fn from(sides: [usize; 2]) -> Size {
        Size { sides: sides.into(), is_width: false }
    }
}

impl Size {
    /// `names of rows and columns`: the size that a text says.
    pub fn of(text: &str) -> Option<Size> {
        let text = text.to_ascii_lowercase();
        let is_digit = |c: char| c.is_ascii_digit();
        let words = || text.split([' ', ',', ';', '/', '-']).filter(|word| !word.is_empty());
        let sides = text.split(|c| !is_digit(c)).filter(|word| !word.is_empty());
        let mut sides: Vec<usize> = sides.map(|side| side.parse().ok()).collect::<Option<_>>()?;
        let form = words().map(class).collect::<Option<String>>()?;
        let has_letter = words().any(|word| ["h", "r", "w", "c"].contains(&word));
        // Both names before or after both numbers: `size (rows x cols): 4 x 2`.
        let bare: String = form.chars().filter(|class| !"sx".contains(*class)).collect();
        let rows_first = match &*form {
            "1x1" | "sx1" | "s1x1" | "s11" => text.trim_start().starts_with("shape"),
            "c1r1" | "1c1r" | "1cx1r" | "c1xr1" => false,
            "r1c1" | "1r1c" | "1rx1c" | "r1xc1" => true,
            "s1" | "r1" | "c1" | "1s" | "1r" | "1c" if !has_letter => false,
            _ if ["rc11", "11rc"].contains(&&*bare) => true,
            _ if ["cr11", "11cr"].contains(&&*bare) => false,
            _ => return None,
        };
        if rows_first {
            sides.reverse();
        }
        Some(Size { sides, is_width: form.contains('c') && form.len() == 2 })
    }

    /// Adds the sides to those that other lines say, of which the width comes first.
    pub fn add_to(&self, sides: &mut Vec<usize>) {
        let place = if self.is_width { 0 } else { sides.len() };
        sides.splice(place..place, self.sides.iter().copied());
    }
}

/// The class of a word in a size, if it may be in one: `1` for a number, and `s`, `r`, `c` and `x` for names and crosses.
fn class(word: &str) -> Option<&'static str> {
    let is_digit = |c: char| c.is_ascii_digit();
    match word {
        _ if CROSSES.contains(&word) => Some("x"),
        "and" => Some(""),
        _ if word.starts_with(is_digit) => {
            let names: Vec<&str> = word.split(is_digit).filter(|part| !part.is_empty()).collect();
            match names[..] {
                [] => Some("1"),
                // A number next to letters is a name, unless numbers are at both ends: `3x3`.
                [cross] if word.ends_with(is_digit) => CROSSES.contains(&cross).then_some("1x1"),
                _ => None,
            }
        }
        _ => Some(NAMES.iter().find(|(_, names)| names.contains(&format!(" {word} ")))?.0),
    }
}
