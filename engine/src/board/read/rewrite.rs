//! Other notations of a board, rewritten as plain text: tables of HTML and TeX, digits of other
//! alphabets, escapes in strings.

use super::cells::{is_blank_word, is_rule};

/// The plain text of another notation that has no second meaning; `None` for other texts.
pub(super) fn certain(text: &str) -> Option<String> {
    if let Some((rows, true)) = without_numbers(text) {
        return Some(rows);
    }
    if text.contains("\\begin{") {
        return Some(tex(text));
    }
    let matrix = without_indices(text);
    if matrix != text { Some(matrix) } else { with_commas(text) }
}

/// A text without other notations; `None` for a text that has none.
pub(super) fn rewritten(text: &str) -> Option<String> {
    if let Some((rows, _)) = without_numbers(text) {
        return Some(rows);
    }
    let is_ascii = text.is_ascii();
    if is_ascii && !text.contains(['\\', '<']) && !["...", ",]"].iter().any(|m| text.contains(m)) {
        return None;
    }
    let mut new = if is_ascii { text.to_owned() } else { digits(text) };
    if new.contains("<td") || new.contains("<TD") {
        new = table(&new.replace("&nbsp;", " "));
    }
    if new.contains('&') {
        new = tex(&new);
    }
    // The ends of lines in a string, and lines that go on.
    new = new.replace("\\n", " / ").replace("...", " ");
    (new != text).then_some(new)
}

/// Digits of keycaps, in circles, in full width and of Arabic as those of ASCII, and commas of Chinese.
fn digits(text: &str) -> String {
    let mut digits = String::with_capacity(text.len());
    for c in text.chars() {
        match u32::from(c) {
            // What makes a digit the picture of a key.
            0xfe0f | 0x20e3 => {}
            wide @ 0xff10..=0xff19 => digits.extend(char::from_digit(wide - 0xff10, 10)),
            arabic @ (0x660..=0x669 | 0x6f0..=0x6f9) => {
                digits.extend(char::from_digit(arabic & 15, 10));
            }
            0x3001 | 0xff0c => digits.push(','),
            0x24ea => digits.push_str(" 0 "),
            circled @ 0x2460..=0x2473 => digits.push_str(&format!(" {} ", circled - 0x2460 + 1)),
            0x1f51f => digits.push_str(" 10 "),
            _ => digits.push(c),
        }
    }
    digits
}

/// The cells of a table of HTML, a row a line, with commas behind them.
fn table(text: &str) -> String {
    let mut rows = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((cell, tag)) = rest.split_once('<') {
        rows.push_str(cell.trim());
        let (tag, behind) = tag.split_once('>').unwrap_or((tag, ""));
        match tag.trim().to_ascii_lowercase().as_str() {
            "/td" | "/th" => rows.push(','),
            "/tr" => rows.push('\n'),
            _ => {}
        }
        rest = behind;
    }
    rows + rest
}

/// The commands of TeX whose arguments are no cells.
const FRAMES: [&str; 4] = ["begin", "end", "cline", "caption"];

/// A table of TeX without its commands. Two backslashes end a row.
fn tex(text: &str) -> String {
    let text = text.replace("\\\\", "\n").replace('$', " ");
    let mut rows = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some((before, command)) = rest.split_once('\\') {
        rows.push_str(before);
        rest = command.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let name = &command[..command.len() - rest.len()];
        let argument = |rest: &'_ str| -> Option<usize> {
            let length = rest.strip_prefix('{')?.find('}')?;
            FRAMES.contains(&name).then_some(length + 2)
        };
        while let Some(length) = argument(rest) {
            rest = &rest[length..];
        }
    }
    (rows + rest).replace(['{', '}'], " ")
}

/// A text without the numbers before its rows, and whether names or numbers of columns stand above them,
/// which makes it a table for certain; `None` for a text without such numbers.
fn without_numbers(text: &str) -> Option<(String, bool)> {
    let is_gap = |c: char| c.is_whitespace() || matches!(c, ',' | '|' | '"');
    let words = |line: &str| line.split(is_gap).filter(|word| !word.is_empty()).count();
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.trim().is_empty() && !is_rule(line)).collect();
    let (first, below) = lines.split_first()?;
    let heads: Vec<&str> = first.split(is_gap).filter(|word| !word.is_empty()).collect();
    let is_name = |word: &&str| word.starts_with(char::is_alphabetic) && !is_blank_word(word);
    let begin = heads.first()?.parse().ok().filter(|&begin: &usize| begin < 2);
    let are_numbers = begin.is_some_and(|begin| {
        heads.iter().map(|word| word.parse().ok()).eq((begin..).map(Some).take(heads.len()))
    });
    let is_row = |line: &&&str| words(line) == heads.len() + 1;
    let has_heads =
        (are_numbers || heads.iter().all(is_name)) && below.iter().filter(is_row).count() > 1;
    let rows = if has_heads { below } else { &lines };
    if rows.len() < 2 || !has_heads && rows.iter().any(|row| words(row) != words(rows[0])) {
        return None;
    }
    let mut begin = None;
    let tiles = rows.iter().zip(0..).map(|(row, place)| {
        let row = row.trim_start_matches(is_gap);
        let (number, _) = row.split_once(is_gap)?;
        let value: usize = number.trim_end_matches(['.', ')', ':']).parse().ok()?;
        let tiles = &row[number.len()..];
        let is_next = value == *begin.get_or_insert(value) + place && value < 2 + place;
        let tiles = tiles.trim_start().strip_prefix(['"', ',', '|']).unwrap_or(tiles);
        is_next.then_some(tiles.strip_prefix(',').unwrap_or(tiles))
    });
    Some((tiles.collect::<Option<Vec<_>>>()?.join("\n"), has_heads))
}

/// A text of rows with a semicolon between cells, with commas instead.
fn with_commas(text: &str) -> Option<String> {
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_row = |row: &&str| {
        let cells = row.trim_end_matches(';').split(';').map(str::trim);
        cells.clone().count() > 1 && !cells.clone().any(|cell| cell.contains([' ', ',', '\t']))
    };
    (rows.len() > 1 && rows.iter().all(is_row)).then(|| text.replace(';', ","))
}

/// A printed matrix without `[1,]` before its rows and `[,1]` above its columns.
fn without_indices(text: &str) -> String {
    let is_index = |word: &str| {
        let inner = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
        let number = inner.and_then(|word| word.strip_prefix(',').or(word.strip_suffix(',')));
        number.is_some_and(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()))
    };
    if !text.split_whitespace().any(is_index) {
        return text.to_owned();
    }
    let row = |line: &str| {
        let words = line.split_whitespace().filter(|word| !is_index(word));
        words.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_notations_become_plain() {
        for (text, plain) in [
            ("１２ ②", "12  2 "),
            ("١، ٢，۳", "1، 2,3"),
            ("1\u{fe0f}\u{20e3}2\u{fe0f}\u{20e3}", "12"),
            ("<table><tr><th>1</th><td> 2</td></tr></table>", "1,2,\n"),
            ("\\begin{tabular}{c|c} 1 & 2 \\\\ \\hline 3 & \\end{tabular}", " 1 & 2 \n  3 & "),
            ("\\textbf{1} & 2 \\\\ 3 &", " 1  & 2 \n 3 &"),
            ("<td>1</td><td>&nbsp;</td>", "1,,"),
            ("1 2\\n3 0", "1 2 / 3 0"),
            ("1. 1 2\n2. 3 0", " 1 2\n 3 0"),
            ("0 | 1 2\n1 | 3 0", " 1 2\n 3 0"),
        ] {
            assert_eq!(rewritten(text).as_deref(), Some(plain), "{text}");
        }
        for text in ["1 2 3 0", "[[1,2],[3,0]]", "1 & 2", "a < b", "0 1\n0 2 3\n2 1 0"] {
            assert_eq!(rewritten(text), None, "{text}");
        }
        for (text, plain) in [
            ("  [,1] [,2]\n[1,] 1 2", "\n1 2"),
            ("   0  1\n0  1  2\n1  3  0\n", "  1  2\n  3  0"),
            (",0,1\n0,1,2\n1,3,0", "1,2\n3,0"),
            ("  V1 V2\n1  1  2\n2  3  0", "  1  2\n  3  0"),
            ("\"\",\"V1\",\"V2\"\n\"1\",1,2\n\"2\",3,0", "1,2\n3,0"),
            ("1;2\n3;0", "1,2\n3,0"),
        ] {
            assert_eq!(certain(text).as_deref(), Some(plain), "{text}");
        }
        for text in
            ["1 2 3 0", "1 2;3 0", "1 2;3 0\n1 2;0 3", "1. 1 2\n2. 3 0", "0 1\n0 2 3\n2 1 0"]
        {
            assert_eq!(certain(text), None, "{text}");
        }
    }
}
