//! Tables with names or numbers of their columns and rows, as programs print them, rewritten as rows of
//! tiles.

use super::cells::{is_blank_word, is_rule};
use super::rewrite::tex;

/// The rows of a table of TeX, of a printed matrix of R, with semicolons between its cells, or with a line above
/// its columns; `None` for other texts.
pub(super) fn table(text: &str) -> Option<String> {
    if text.contains("\\begin{") {
        return Some(tex(text));
    }
    below_heads(text).or_else(|| without_indices(text)).or_else(|| with_commas(text))
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '|' | '"' | ';')
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(is_gap).filter(|word| !word.is_empty())
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.trim().is_empty() && !is_rule(line)).collect()
}

/// The rows below a line with names or numbers of the columns, without their numbers.
fn below_heads(text: &str) -> Option<String> {
    let lines = lines(text);
    let (heads, rows) = lines.split_first()?;
    let heads: Vec<&str> = words(heads).collect();
    let begin = heads.first()?.parse().ok().filter(|&begin: &usize| begin < 2);
    let are_numbers = begin.is_some_and(|begin| {
        let numbers = heads.iter().map(|word| word.parse().ok());
        numbers.eq((begin..).map(Some).take(heads.len()))
    });
    let is_name = |word: &&str| word.starts_with(char::is_alphabetic) && !is_blank_word(word);
    // Two words above two rows are as likely a title.
    let are_names = rows.len() > 2 && heads.iter().all(is_name);
    let whole = rows.iter().filter(|row| words(row).count() == heads.len() + 1).count();
    let rows = without_first(rows).filter(|_| (are_numbers || are_names) && whole > 1)?;
    Some(rows.join("\n"))
}

/// Rows without their numbers, and the first of these if no mark tells it from a tile; `None` for other texts.
pub(super) fn without_numbers(text: &str) -> Option<(String, Option<String>)> {
    let lines = lines(text);
    let number = words(lines.first()?).next()?;
    let is_marked =
        number.ends_with(['.', ')', ':']) || lines.iter().all(|line| line.contains('|'));
    let fewest = if is_marked { 2 } else { 3 };
    let rows = without_first(&lines).filter(|rows| rows.len() >= fewest)?;
    Some((rows.join("\n"), (!is_marked).then(|| number.to_owned())))
}

/// The rows without the numbers before them, which count from 0 or 1.
fn without_first<'a>(rows: &[&'a str]) -> Option<Vec<&'a str>> {
    let mut begin = None;
    let tiles = |(row, place): (&&'a str, usize)| {
        let row = row.trim_start_matches(is_gap);
        let number = words(row).next()?;
        let value: usize = number.trim_end_matches(['.', ')', ':']).parse().ok()?;
        let is_next = value == *begin.get_or_insert(value) + place && value < 2 + place;
        let tiles = row[number.len()..].trim_start_matches('"');
        // An empty cell behind the separator stays.
        let separated = tiles.trim_start().strip_prefix([',', '|', ';']);
        is_next.then(|| separated.unwrap_or(tiles))
    };
    rows.iter().zip(0..).map(tiles).collect()
}

/// A printed matrix without `[1,]` before its rows and `[,1]` above its columns.
fn without_indices(text: &str) -> Option<String> {
    let is_index = |word: &str| {
        let inner = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
        let number = inner.and_then(|word| word.strip_prefix(',').or(word.strip_suffix(',')));
        number.is_some_and(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()))
    };
    let row = |line: &str| {
        let words = line.split_whitespace().filter(|word| !is_index(word));
        words.collect::<Vec<_>>().join(" ")
    };
    let has_indices = text.split_whitespace().any(is_index);
    has_indices.then(|| text.lines().map(row).collect::<Vec<_>>().join("\n"))
}

/// Rows with commas in place of semicolons between cells.
fn with_commas(text: &str) -> Option<String> {
    let rows = lines(text);
    (rows.len() > 1 && rows.iter().all(|row| are_cells(row))).then(|| text.replace(';', ","))
}

/// Returns whether semicolons are between the cells of a line. Between words of equal length that are as many, they
/// end rows with a character for each cell.
pub(super) fn are_cells(line: &str) -> bool {
    let cells: Vec<&str> = line.trim().trim_end_matches(';').split(';').map(str::trim).collect();
    let is_compact = cells.iter().all(|cell| cell.len() == cells.len());
    cells.len() > 1
        && !is_compact
        && cells.iter().all(|cell| cell.len() < 4 && !cell.contains(|c| is_gap(c) || c == '/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_become_rows() {
        for (text, rows) in [
            ("  [,1] [,2]\n[1,] 1 2", "\n1 2"),
            ("   0  1\n0  1  2\n1  3  0\n", "  1  2\n  3  0"),
            (",0,1\n0,1,2\n1,3,0", "1,2\n3,0"),
            (",0,1\n0,1,2\n1,,3\n2,5,4", "1,2\n,3\n5,4"),
            ("  V1 V2\n1  1  2\n2  3  0\n3  5  4", "  1  2\n  3  0\n  5  4"),
            ("\"\",\"V1\",\"V2\"\n\"1\",1,2\n\"2\",3,0\n\"3\",5,4", "1,2\n3,0\n5,4"),
            (";A;B\n1;1;2\n2;3;0\n3;5;4", "1;2\n3;0\n5;4"),
            ("1;2\n3;0", "1,2\n3,0"),
            ("\\begin{tabular}{c|c} 1 & 2 \\\\ 3 & \\end{tabular}", " 1 & 2 \n 3 & "),
        ] {
            assert_eq!(table(text).as_deref(), Some(rows), "{text}");
        }
        for text in [
            "1 2 3 0",
            "1 2;3 0",
            "1 2;3 0\n1 2;0 3",
            "123;406;758\n123;456;708",
            "1. 1 2\n2. 3 0",
            "0 1\n0 2 3\n2 1 0",
            "Start state\n1 5 3\n2 4 0",
        ] {
            assert_eq!(table(text), None, "{text}");
        }
    }

    #[test]
    fn rows_lose_their_numbers() {
        for (text, rows, number) in [
            ("1. 1 2\n2. 3 0", " 1 2\n 3 0", None),
            ("0 | 1 2\n1 | 3 0", " 1 2\n 3 0", None),
            ("1\t1 2\n2\t3 0\n3\t5 4", "\t1 2\n\t3 0\n\t5 4", Some("1")),
        ] {
            let expected = Some((rows.to_owned(), number.map(str::to_owned)));
            assert_eq!(without_numbers(text), expected, "{text}");
        }
        for text in ["1 2 3\n2 1 0", "1 2\n3 0\n4 5", "2 1\n3 2\n4 0"] {
            assert_eq!(without_numbers(text), None, "{text}");
        }
    }
}
