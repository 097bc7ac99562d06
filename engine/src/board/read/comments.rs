//! Text next to tiles that is not for a reader of boards: comments, and the marks of lists.

/// A line without the comment that `#` begins. In `Case #1`, it begins a number, and in `#(1 2 3 0)` and
/// `#2A((1 2) (3 0))` a list.
pub fn before_comment(line: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_no_comment = |at: usize| {
        let (before, behind) = (&line[..at], &line[at + 1..]);
        let is_number = || behind.starts_with(is_digit) && before.contains(char::is_alphabetic);
        let is_list = || {
            let behind = behind.trim_start_matches(is_digit);
            behind.starts_with('(') || behind.starts_with("A(")
        };
        !before.contains(is_digit) && (is_number() || is_list())
    };
    let begin = line.match_indices('#').map(|(at, _)| at).find(|&at| !is_no_comment(at));
    &line[..begin.unwrap_or(line.len())]
}

/// A line without the white space at its end. Among cells with tabs between them, the last one may be empty.
pub fn trimmed(line: &str) -> &str {
    let bare = line.trim_end();
    match line[bare.len()..].contains('\t') && bare.contains('\t') {
        true => line.trim_end_matches([' ', '\r', '\n']),
        false => bare,
    }
}

/// The marks of an item of a list, or of a text that is quoted.
pub(super) const MARKS: [&str; 3] = ["- ", "> ", "* "];

/// A text without comments, the marks around blocks of text, and the marks before lines.
pub(super) fn removed(text: &str) -> String {
    let mut rest = text.trim_start_matches('\u{feff}');
    let mut text = String::with_capacity(rest.len());
    while let Some((before, comment)) = rest.split_once("/*")
        && let Some((_, behind)) = comment.split_once("*/")
    {
        text.push_str(before);
        text.push(' ');
        rest = behind;
    }
    text.push_str(rest);
    for fence in ["```", "\"\"\"", "'''"] {
        text = text.replace(fence, "");
    }
    let lines = text.lines().map(|line| before_remark(before_comment(line))).collect::<Vec<_>>();
    for mark in MARKS {
        let marked: Vec<Option<&str>> =
            lines.iter().map(|line| line.trim_start().strip_prefix(mark)).collect();
        let has_tiles = |line: &str| line.contains(|c: char| c.is_ascii_digit());
        if marked.iter().flatten().count() > 1
            && lines.iter().zip(&marked).all(|(line, marked)| marked.is_some() || !has_tiles(line))
        {
            let rows = lines.iter().zip(marked).map(|(line, marked)| marked.unwrap_or(line));
            return rows.collect::<Vec<_>>().join("\n");
        }
    }
    lines.join("\n")
}

/// A line without the words behind two slashes, or a line of words that a mark begins.
fn before_remark(line: &str) -> &str {
    let is_words = |text: &str| {
        text.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_alphabetic))
    };
    if line.trim_start().starts_with([';', '%']) && is_words(line) {
        return "";
    }
    match line.split_once("//") {
        Some((before, behind)) if is_words(behind) => before,
        _ => line,
    }
}
