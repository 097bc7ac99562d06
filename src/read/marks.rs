//! Lines without what is around their tiles: comments, frames, quotes, and the marks of lists, quotations and TeX. Signs
//! that separate cells or end rows in some texts only, as bars and tabs do, become commas and slashes. The others, such
//! as `&`, are left to `scan.rs`.

use super::calls;

/// The bars of pictures and tables.
pub const BARS: [char; 4] = ['|', '│', '┃', '║'];

/// `a comment`, `a comment in a program`: a line without comments, from `#` (unless it is a cell), `//` or `%` to the end
/// of the line, and from `/*` to `*/`, which may be open before the line and after it; where no later line closes it
/// either, to the end of the line.
fn uncommented(line: &str, has_hash: bool, is_open: &mut bool, closes_later: bool) -> String {
    let (mut text, mut left) = (String::new(), line.trim_start_matches('\u{feff}'));
    while !left.is_empty() {
        let mark = left.find(if *is_open { "*/" } else { "/*" });
        let (before, after) = mark.map_or((left, ""), |at| (&left[..at], &left[at + 2..]));
        text += if *is_open { "" } else { before };
        let closes = *is_open || closes_later || after.contains("*/");
        *is_open ^= mark.is_some() && closes;
        left = if closes { after } else { "" };
    }
    let marks = if has_hash { &["//", "%"][..] } else { &["//", "%", "#"] };
    let end = marks.iter().filter_map(|mark| text.find(mark)).min();
    text.truncate(end.unwrap_or(text.len()));
    text
}

/// `a bulleted list`: a line without the marks of lists, quotations, blocks of text, bold type, keycaps and TeX.
fn bare(line: &str) -> String {
    let marks = ["```", r#"""""#, "'''", "**", "\\hline"];
    let line = marks.iter().fold(line.to_owned(), |line, mark| line.replace(mark, ""));
    let bare = ["> ", "- ", "* "].iter().find_map(|mark| line.trim_start().strip_prefix(mark));
    // Continued lines, and line ends in strings.
    let line = bare.unwrap_or(&line).replace("...", "   ").replace("\\n", " / ");
    // The end of a sentence.
    let line = line
        .trim_end()
        .strip_suffix('.')
        .filter(|it| it.ends_with([')', ']', '}']))
        .unwrap_or(&line);
    unjoined(&without_tex(&line.replace(['$', '\u{fe0f}', '\u{20e3}'], " ")))
}

/// `a picture`, `cells between semicolons`: a line with commas for what separates cells, and slashes for other bars and
/// semicolons, which end rows.
fn separated(line: &str) -> String {
    // A picture may have other bars at its edges than between its cells.
    let line = &line.replace(BARS, "|");
    let is_cut_by = |mark: &&char| {
        let mut parts = line.trim().split(**mark);
        // No row is empty, but a cell may be.
        let is_gap = |part: &str| !part.is_empty() && part.trim().is_empty();
        let is_cell = |part: &str| part.split_whitespace().count() < 2;
        !line.contains(',') && (parts.clone().all(is_cell) || parts.any(is_gap))
    };
    let cell = |text: String, mark: &char| {
        let frame = text.trim_start().strip_prefix(*mark);
        frame.unwrap_or(&text).replace(*mark, ",")
    };
    // A semicolon separates cells or ends rows as bars do.
    let text = ['|', ';'].iter().filter(is_cut_by).fold(line.to_owned(), cell);
    // Tabs separate the cells.
    let has_tabs = line.matches('\t').count() > 1 && !line.trim().contains(' ');
    let text = if has_tabs { text.replace('\t', ",") } else { text };
    unquoted(&text.replace(['|', ';'], "/"))
}

/// `strings`, `a string in a program`: a line without its quotes. Nothing in them is the blank, and several words in them
/// are a row.
fn unquoted(line: &str) -> String {
    let (mut text, mut quote, mut before) = (String::new(), None, ' ');
    for c in line.chars() {
        match (c, quote) {
            (_, Some((sign, begin))) if c == sign => {
                let words = text[begin..].split([' ', ',']).filter(|word| !word.is_empty());
                text += ["_ ", " ", " /"][words.count().min(2)];
                quote = None;
            }
            // A quote after brackets transposes a matrix, and one after a letter is an apostrophe.
            ('"' | '\'', None) if "])".contains(before) => text.extend([' ', c, ' ']),
            ('"' | '\'', None) if !before.is_alphanumeric() => {
                text.push(' ');
                quote = Some((c, text.len()));
            }
            ('"' | '\'', _) => text.push(' '),
            (',', None) if matches!(before, '"' | '\'') && text.ends_with('/') => {}
            _ => text.push(c),
        }
        before = if c.is_whitespace() { before } else { c };
    }
    text
}

/// `a TeX matrix`: a line without the beginnings and ends of environments, as in `\begin{array}{|c|c|}`.
fn without_tex(line: &str) -> String {
    let mut parts = line.split("\\begin{").flat_map(|part| part.split("\\end{"));
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.split_once('}').map_or("", |(_, rest)| rest);
        text += rest.trim_start_matches(['{', '|', 'c', 'l', 'r', '}']);
    }
    text
}

/// `dashes between numbers`, `rows of a link`: a line with white space for the dashes or underscores between its tiles.
/// With both, dashes end rows.
fn unjoined(line: &str) -> String {
    let may_be_joined =
        |c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || "-_/,;:.".contains(c);
    // Longer words are rows with a character for each tile, or no tiles.
    let is_tile =
        |word: &str| (1..3).contains(&word.len()) || word.bytes().all(|b| b.is_ascii_digit());
    let joins = |mark: char| {
        let is_other = |c: char| !c.is_ascii_alphanumeric();
        let mut pairs = line.match_indices(mark).map(|(at, _)| line.split_at(at));
        pairs.any(|(before, after)| {
            let before = before.rsplit(is_other).next().unwrap_or_default();
            let after = after[1..].split(is_other).next().unwrap_or_default();
            !before.is_empty() && !after.is_empty() && is_tile(before) && is_tile(after)
        })
    };
    if !line.contains(|c: char| c.is_ascii_digit()) || !line.chars().all(may_be_joined) {
        return line.to_owned();
    }
    match [joins('-'), joins('_')] {
        [_, true] => line.replace('-', "/").replace('_', " "),
        [true, false] => line.replace('-', " "),
        // One is the blank.
        _ if line.matches(" - ").count() > 1 => line.replace(" - ", " "),
        _ => line.to_owned(),
    }
}

/// A line without what is around its tiles.
pub struct Line {
    /// Its number in the text, from 1.
    pub number: usize,
    pub text: String,
    /// It is a comment, or begins a list: `board = [[1, 2],`.
    pub begins: bool,
    /// It ends a list, of which the beginning is lost: `3, 0]]`.
    pub ends: bool,
    /// Its marks that belong to no list.
    pub stray: Option<String>,
    /// A text that may change the tiles of a list.
    pub call: Option<String>,
}

/// The lines of a text, with their numbers, without frames. `#` may be a cell.
pub fn lines<'a>(lines: impl Iterator<Item = (usize, &'a str)>, has_hash: bool) -> Vec<Line> {
    let lines: Vec<(usize, &str)> = lines.collect();
    let last_end = lines.iter().rfind(|(_, line)| line.contains("*/")).map(|&(number, _)| number);
    let mut is_open = false;
    let line = |(number, line): (usize, &str)| {
        let call = calls::after_list(line);
        let closes_later = last_end > Some(number);
        let line = uncommented(line, has_hash, &mut is_open, closes_later);
        let bare = bare(&line);
        let text = separated(&bare);
        let list = text.rsplit('=').next().unwrap_or_default();
        let signs = list.chars().filter(|sign| !sign.is_whitespace());
        let opening = signs.take_while(|sign| "[({".contains(*sign)).count();
        let begins = line.trim().is_empty() || opening > 1;
        let has_marks = bare.chars().all(is_mark) || text.trim().is_empty();
        let stray = Some(bare.trim().to_owned()).filter(|marks| has_marks && !marks.is_empty());
        (!is_rule(&bare)).then_some(Line { number, text, begins, ends: false, stray, call })
    };
    let mut lines: Vec<Line> = lines.into_iter().filter_map(line).collect();
    balance(&mut lines);
    lines
}

/// Returns whether a line is a part of the frame of a picture, or the rule of `a Markdown table`.
fn is_rule(line: &str) -> bool {
    let mut signs = line.chars().filter(|c| !c.is_whitespace());
    let is_flat = |c| "-=_─━═".contains(c);
    let is_drawn = |c| "-=_+:;|".contains(c) || ('─'..='╿').contains(&c);
    signs.clone().any(is_flat) && signs.clone().count() > 2 && signs.all(is_drawn)
}

/// A bracket that is open.
struct Open {
    sign: char,
    /// The line, and its place there.
    place: (usize, usize),
    /// Nothing but other marks is in it.
    is_empty: bool,
    /// No name and no other pair is before it.
    is_bare: bool,
}

/// Returns whether a sign is a part of a list rather than of a cell. A line of such signs alone is a fault, and one of TeX
/// that is `\\` is none.
fn is_mark(sign: char) -> bool {
    sign.is_whitespace() || "[](){},;&/".contains(sign)
}

/// Returns whether a bracket is the other end of one that is open.
fn ends(open: &Open, sign: char) -> bool {
    ["[]", "()", "{}"].iter().any(|pair| pair.starts_with(open.sign) && pair.ends_with(sign))
}

/// Finds the brackets of all lines that have no other end, or nothing in them: each is stray in its line. All that are
/// left in the texts have another end.
fn balance(lines: &mut [Line]) {
    let (mut open, mut torn): (Vec<Open>, _) = (Vec::new(), Vec::new());
    for (at, line) in lines.iter_mut().enumerate() {
        let marks = line.stray.take();
        let has_no_bracket = |marks: &String| !marks.contains(['[', '(', '{', ']', ')', '}']);
        let mut stray = marks.clone().filter(has_no_bracket);
        let mut before = ' ';
        // The line has a digit so far, and a comma or a space between its texts.
        let (mut has_text, mut has_digit, mut has_space, mut is_separated) = Default::default();
        let is_of_type = |byte: usize| {
            line.text[byte..].trim_start_matches(['[', ']']).starts_with(char::is_alphabetic)
        };
        for (byte, sign) in line.text.char_indices() {
            match sign {
                '[' | '(' | '{' => {
                    let is_bare = !(before.is_alphanumeric() || "])}>!".contains(before));
                    open.push(Open { sign, place: (at, byte), is_empty: true, is_bare });
                }
                ']' | ')' | '}' => match (open.pop_if(|last| ends(last, sign)), open.last_mut()) {
                    // The pairs of a type in Go are before its name: `[][]int{{1, 2}, {3, 0}}`.
                    (Some(last), _) if last.is_empty && last.is_bare && !is_of_type(byte) => {
                        stray = Some(format!("{}{sign}", last.sign));
                    }
                    (Some(_), outer) => outer.into_iter().for_each(|outer| outer.is_empty = false),
                    (None, _) => {
                        torn.push((at, byte));
                        if marks.is_some() || has_digit && is_separated {
                            stray = Some(sign.to_string());
                            line.ends = true;
                        }
                    }
                },
                _ if is_mark(sign) => {}
                _ => open.last_mut().into_iter().for_each(|last| last.is_empty = false),
            }
            before = sign;
            has_digit |= sign.is_ascii_digit();
            is_separated |= sign == ',' || has_space && !sign.is_whitespace();
            has_space |= sign == ' ' && has_text;
            has_text |= !sign.is_whitespace();
        }
        line.begins |= marks.is_some() && stray.is_some();
        line.ends |= marks.is_some() && stray.is_some();
        line.stray = stray.map(|stray| marks.unwrap_or(stray));
    }
    for Open { place, sign, .. } in open {
        lines[place.0].begins = true;
        lines[place.0].stray.get_or_insert_with(|| sign.to_string());
        torn.push(place);
    }
    for (line, byte) in torn {
        lines[line].text.replace_range(byte..=byte, "/");
    }
}
