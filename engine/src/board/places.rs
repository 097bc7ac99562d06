//! Lists of cells as people write them: `(3,2), (3,3)`, `1. (3,2) 2. (3,3)`, `[[3,2],[3,3]]`.

/// The row and the column of each cell in a text; `None` if it has other words. Places in the list, and the
/// number of cells before them, are left out.
pub(super) fn pairs(text: &str) -> Option<Vec<[usize; 2]>> {
    let nested = text.split_whitespace().flat_map(str::chars).take(2).eq("[[".chars());
    let is_open = |c: char| c == '(' || nested && c == '[';
    let (mut pairs, mut outside) = (Vec::new(), String::new());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(is_open) {
        outside.push_str(before);
        outside.push(' ');
        rest = behind;
        let is_inside = |c: char| c.is_ascii_digit() || c.is_whitespace() || ",;".contains(c);
        let (inside, behind) =
            behind.split_at(behind.find(|c| !is_inside(c)).unwrap_or(behind.len()));
        let closed = behind.strip_prefix([')', ']']).or(behind.is_empty().then_some(behind));
        if let Some((pair, behind)) = pair(inside).zip(closed) {
            pairs.push(pair);
            rest = behind;
        }
    }
    outside.push_str(rest);
    let is_other =
        |c: char| !c.is_ascii_digit() && !c.is_whitespace() && !",;.:=->→⇒–—−/|+()[]".contains(c);
    let numbers = outside.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    let numbers: Option<Vec<usize>> = numbers.map(|word| word.parse().ok()).collect();
    let numbers = numbers.filter(|_| !outside.contains(is_other) && !pairs.is_empty())?;
    let counts = [pairs.len()] == numbers[..];
    let is_list = |first: usize| numbers.iter().copied().eq(first..first + pairs.len());
    (numbers.is_empty() || counts || is_list(0) || is_list(1)).then_some(pairs)
}

/// The two numbers in a bracket, and nothing else.
fn pair(text: &str) -> Option<[usize; 2]> {
    let (row, column) = text.trim().split_once(|c: char| !c.is_ascii_digit())?;
    let column = column.trim_start_matches(|c: char| c.is_whitespace() || ",;".contains(c));
    // A number too long for a word is on no board.
    let number = |word: &str| {
        let is_number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| word.parse().unwrap_or(usize::MAX))
    };
    Some([number(row)?, number(column)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_in_lists() {
        for text in [
            "(3,2) (3,3)",
            "(3, 2), (3, 3)",
            "[(3, 2), (3, 3)]",
            "((3 2) (3 3))",
            "(3,2)->(3,3)",
            "(3,2) → (3,3)",
            "(3,2)-(3,3)",
            "(3;2)/(3;3)",
            "(3,2)|(3,3)",
            "(3,2)+(3,3)",
            "(3,2).(3,3)",
            "[[3,2],[3,3]]",
            "[ [3, 2],\n  [3, 3] ]",
            "1. (3,2) 2. (3,3)",
            "1: (3,2)\n2: (3,3)",
            "0: (3,2)\n1: (3,3)",
            "1) (3,2)\n2) (3,3)",
            "2\n(3,2) (3,3)",
            "(3,2) (3,3",
        ] {
            assert_eq!(pairs(text), Some(vec![[3, 2], [3, 3]]), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_cells() {
        for text in [
            "",
            "5 8",
            "[5, 8]",
            "[3,2],[3,3]",
            "(3,2,3)",
            "(3)",
            "(x)",
            "(3,2) up",
            "(1) Up (2) Left",
            "3 (3,2) (3,3)",
            "2. (3,2) 1. (3,3)",
            "(3,2) 5 (3,3)",
        ] {
            assert_eq!(pairs(text), None, "{text}");
        }
    }
}
