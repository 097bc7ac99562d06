//! The sizes of boards, in numbers and words.

use crate::board::Grid;

/// The signs between the numbers of a size. The fourth one is Cyrillic.
const CROSSES: [char; 8] = ['x', 'X', '×', 'х', '✕', '✖', '⨯', '*'];

/// The names of a size. Rows come first behind the first name.
pub(super) const SIZES: [&str; 8] =
    ["shape", "n", "size", "side", "dimension", "dimensions", "dim", "dims"];

/// The size in a line that has nothing but one, with a sign or a word between its numbers.
pub(super) fn sole_size(line: &str) -> Option<Grid> {
    let has_cross = line.contains(|c| CROSSES.contains(&c) || matches!(c, 'y' | 'Y' | 'n' | 'N'));
    has_cross.then(|| crossed(line).trim_matches(|c: char| !c.is_alphanumeric()).parse().ok())?
}

/// A line with an `x` between the numbers of a size.
pub(super) fn crossed(line: &str) -> String {
    let line = line.to_lowercase().replace(CROSSES, "x");
    ["-by-", " by ", "by", " on ", " x "].iter().fold(line, |line, cross| line.replace(cross, "x"))
}

/// A size whose numbers have names, as in `rows: 2, columns: 3` and `2 rows by 3 columns`.
pub(super) fn named_size(words: &[String]) -> Option<Grid> {
    let words = words.iter().filter(|word| !["x", "by", "and", "on"].contains(&&***word));
    let words: Vec<&str> = words.map(|word| &**word).collect();
    let [a, b, c, d] = words[..] else { return None };
    let side = |letters: [&str; 2], names: [&str; 3]| {
        let is_name =
            |word| letters.contains(&word) || names.iter().any(|name| word.contains(name));
        [(a, b), (b, a), (c, d), (d, c)]
            .into_iter()
            .find_map(|(name, number)| number.parse::<usize>().ok().filter(|_| is_name(name)))
    };
    let width = side(["w", "c"], ["col", "wid", "across"])?;
    let height = side(["h", "r"], ["row", "hei", "high"])?;
    Grid::new(width, height).ok()
}
