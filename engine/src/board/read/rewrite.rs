//! Other notations of a board, rewritten as plain text: tables of HTML and TeX, digits of other
//! alphabets, escapes in strings.

/// A text without other notations; `None` for a text that has none.
pub(super) fn rewritten(text: &str) -> Option<String> {
    let is_ascii = text.is_ascii();
    if is_ascii && !text.contains(['\\', '<']) && !text.contains("...") {
        return None;
    }
    let mut new = if is_ascii { text.to_owned() } else { digits(text) };
    if new.contains("<td") || new.contains("<TD") {
        new = cells_of_html(&new.replace("&nbsp;", " "));
    }
    if new.contains('&') {
        new = tex(&new);
    }
    // The ends of lines in a string, and lines that go on.
    new = new.replace("\\n", " / ").replace("...", " ");
    (new != text).then_some(new)
}

/// Digits of keycaps, in circles, in full width and of Arabic as those of ASCII, and other commas.
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
            0x60c | 0x3001 | 0xff0c => digits.push(','),
            0xff1b => digits.push(';'),
            0x24ea => digits.push_str(" 0 "),
            circled @ 0x2460..=0x2473 => digits.push_str(&format!(" {} ", circled - 0x2460 + 1)),
            0x1f51f => digits.push_str(" 10 "),
            _ => digits.push(c),
        }
    }
    digits
}

/// The cells of a table of HTML, a row a line, with commas behind them.
fn cells_of_html(text: &str) -> String {
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
pub(super) fn tex(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_notations_become_plain() {
        for (text, plain) in [
            ("１２ ②", "12  2 "),
            ("١، ٢，۳；", "1, 2,3;"),
            ("1\u{fe0f}\u{20e3}2\u{fe0f}\u{20e3}", "12"),
            ("<table><tr><th>1</th><td> 2</td></tr></table>", "1,2,\n"),
            ("\\begin{tabular}{c|c} 1 & 2 \\\\ \\hline 3 & \\end{tabular}", " 1 & 2 \n  3 & "),
            ("\\textbf{1} & 2 \\\\ 3 &", " 1  & 2 \n 3 &"),
            ("<td>1</td><td>&nbsp;</td>", "1,,"),
            ("1 2\\n3 0", "1 2 / 3 0"),
        ] {
            assert_eq!(rewritten(text).as_deref(), Some(plain), "{text}");
        }
        for text in ["1 2 3 0", "[[1,2],[3,0]]", "1 & 2", "a < b", "0 1\n0 2 3\n2 1 0"] {
            assert_eq!(rewritten(text), None, "{text}");
        }
    }
}
