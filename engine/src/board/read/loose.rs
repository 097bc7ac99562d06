//! The forms of a board that are not plain: pictures, lists of programs, gaps, labels.
//!
//! 1. [`plain`] turns brackets, quotes, slashes and a name before the board into lines.
//! 2. Up to two lines before the tiles are a size, a count or a label.
//! 3. The other lines are split into cells at bars, commas, tabs or white space, or have one
//!    character for each cell.
//! 4. The first way that gives a board is the answer. Otherwise the error that tells most about
//!    the tiles is.

use super::strict::{self, is_separator, shortened};
use super::{Guess, MAX_TEXT, ParseError, Reading, compact};
use crate::board::{BoardError, Grid, MAX_CELLS};

/// The fewest cells of a board in a form that a shorter list of numbers could have by chance.
const MANY: usize = 9;

/// The most numbers in a line that is a label, as in `number length nodes`.
const LABEL: usize = 3;

type Rows<'a> = Vec<Vec<&'a str>>;

/// Reads a text of which the plain reading failed with `error`.
pub(super) fn read(
    text: &str,
    size: Option<Grid>,
    error: ParseError,
) -> Result<Reading, ParseError> {
    if text.len() > MAX_TEXT {
        return Err(error);
    }
    let text = plain(text);
    let lines: Vec<&str> =
        text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !is_rule(line)).collect();
    let mut best = error;
    for heads in 0..lines.len().min(3) {
        let (head, body) = lines.split_at(heads);
        for (own, guesses) in headings(head, body) {
            let size = match (own, size) {
                (Some(rows), Some(size)) if rows != size => {
                    keep(&mut best, ParseError::OtherSize { rows, size });
                    continue;
                }
                _ => own.or(size),
            };
            match tiles(body, size) {
                // After a size, the blank must be there.
                Ok(Reading { guesses, board }) if own.is_some() && left_out(&guesses) => {
                    let grid = board.grid();
                    keep(&mut best, BoardError::Count { grid, found: grid.cells() - 1 }.into());
                }
                Ok(mut reading) => {
                    reading.guesses.splice(0..0, guesses);
                    return Ok(reading);
                }
                Err(error) => keep(&mut best, error),
            }
        }
    }
    Err(best)
}

fn left_out(guesses: &[Guess]) -> bool {
    guesses.iter().any(|guess| matches!(guess, Guess::LeftOut(..)))
}

/// Keeps the error that tells most about the tiles.
fn keep(best: &mut ParseError, error: ParseError) {
    let weight = |error: &ParseError| match error {
        ParseError::Board(BoardError::Count { .. })
        | ParseError::OtherSize { .. }
        | ParseError::UnevenRows { .. } => 1,
        ParseError::Board(_) => 2,
        _ => 0,
    };
    if weight(&error) > weight(best) {
        *best = error;
    }
}

/// One row a line: without comments, brackets, quotes and names.
pub(super) fn plain(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<&str> =
        text.lines().map(|line| line.split('#').next().unwrap_or_default()).collect();
    let text = lines.join("\n");
    if let Some((name, list)) = list(&text) {
        let name = name.trim_end_matches(|c: char| c.is_whitespace() || "=:(".contains(c));
        let name = if name.parse::<Grid>().is_ok() { name } else { "" };
        // The white space of a list is no gap.
        let list = unquoted(list);
        let rows = list.lines().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "));
        return format!("{name}\n{}", rows.collect::<Vec<_>>().join("\n"));
    }
    let (name, rest) = match text.find([':', '=']) {
        Some(end) if !is_rule(text[..end].lines().next_back().unwrap_or_default()) => {
            (&text[..end], &text[end + 1..])
        }
        _ => ("", &*text),
    };
    let rest = if rest.contains(['"', '\'']) { unquoted(rest) } else { rest.to_owned() };
    let row = |row: &str| row.strip_prefix(' ').unwrap_or(row).to_owned();
    let mut rows: Vec<String> = Vec::new();
    for line in rest.lines() {
        let mut parts = line.split(['/', ';']);
        rows.extend(parts.next().map(str::to_owned));
        rows.extend(parts.map(row));
    }
    format!("{name}\n{}", rows.join("\n"))
}

/// The list in brackets that a text is about, and what stands before it. Letters outside of it
/// are of a program.
fn list(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut start, mut longest) = (0_usize, 0, 0..0);
    let mut outside = false;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' | '{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            ']' | ')' | '}' if depth > 0 => {
                depth -= 1;
                if depth == 0 && at + 1 - start > longest.len() {
                    longest = start..at + 1;
                }
            }
            _ => outside |= depth == 0 && !is_separator(c),
        }
    }
    if longest.is_empty() {
        return None;
    }
    // Rows in brackets of their own are a list without a name.
    let group = if outside { longest } else { 0..text.len() };
    Some((&text[..group.start], &text[group]))
}

/// The words of a list: a line for each inner bracket, and for each string of several words.
fn unquoted(list: &str) -> String {
    let mut out = String::with_capacity(list.len());
    let mut word = String::new();
    let mut named = false;
    let mut chars = list.chars();
    while let Some(c) = chars.next() {
        if !is_separator(c) && !matches!(c, '"' | '\'' | '=') {
            word.push(c);
            continue;
        }
        let opens = matches!(c, '[' | '(' | '{');
        // The name of a constructor, or a keyword and its value.
        let is_name = named || c == '=' || opens && word.contains(char::is_alphabetic);
        named = c == '=';
        if !is_name {
            out.push_str(&word);
        }
        word.clear();
        match c {
            '"' | '\'' => {
                let string: String = chars.by_ref().take_while(|&end| end != c).collect();
                let words = string.split_whitespace().count();
                let text = if words == 0 { "_" } else { string.trim() };
                out.push(' ');
                out.push_str(text);
                out.push(if words > 1 { '\n' } else { ' ' });
            }
            ']' | ')' | '}' | '/' | ';' => out.push('\n'),
            _ => out.push(' '),
        }
    }
    if !named {
        out.push_str(&word);
    }
    out
}

pub(super) fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '║' | '┃' | '┆' | '┊' | '╎')
}

/// Returns whether a line is a border of a picture, or lies between two rows.
pub(super) fn is_rule(line: &str) -> bool {
    let drawn = |c: char| matches!(c, '-' | '+' | '=' | '~' | '\u{2500}'..='\u{257f}' | '—' | '–');
    let mut marks = line.chars().filter(|c| !c.is_whitespace());
    let is_low = line.contains("___") && marks.clone().all(|c| c == '_' || is_bar(c));
    is_low || marks.clone().any(|c| drawn(c) && !is_bar(c)) && marks.all(|c| drawn(c) || is_bar(c))
}

/// The sizes that the lines before the tiles can give, and what has to be guessed for each.
fn headings(head: &[&str], body: &[&str]) -> Vec<(Option<Grid>, Vec<Guess>)> {
    let Some((last, others)) = head.split_last() else { return vec![(None, Vec::new())] };
    let split = |line: &str| -> Vec<String> {
        line.split(is_separator).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (words, row) = (split(last), split(body[0]));
    let numbers: Option<Vec<u64>> = words.iter().map(|word| word.parse().ok()).collect();
    let label = |line: &str| Guess::Label(shortened(line.trim()));
    let is_label = |line: &&str| {
        let words = split(line);
        let numbers = words.iter().filter(|word| word.parse::<u64>().is_ok()).count();
        (numbers == words.len() || numbers < 2) && (1..=LABEL).contains(&numbers.max(1))
    };
    if !others.iter().all(is_label) {
        return Vec::new();
    }
    let before: Vec<Guess> = others.iter().copied().map(label).collect();
    let grid =
        |width: u64, height: u64| Grid::new(width.try_into().ok()?, height.try_into().ok()?).ok();
    let mut found = Vec::new();
    let mut size = |size: Option<Grid>, guess: Option<Guess>| {
        if size.is_some() {
            found.push((size, before.iter().cloned().chain(guess).collect()));
        }
    };
    let mut is_size = false;
    match numbers.as_deref() {
        Some(&[side]) => {
            size(grid(side, side), None);
            let cells = (row.len() * body.len()) as u64;
            is_size = row.len() as u64 == side || Some(cells) == side.checked_mul(side);
        }
        Some(&[a, b]) => {
            let in_one_row = body.len() == 1 || row.len() == 1;
            let order = grid(a, b).filter(|_| in_one_row && a != b).map(Guess::Order);
            size(grid(a, b), order);
            size(grid(b, a).filter(|_| a != b), None);
            is_size = a == b && grid(a, a).is_some();
        }
        Some(_) => {}
        None => {
            let own = last.trim().to_lowercase().replace(" by ", "x").replace(" x ", "x");
            let own = own.parse::<Grid>().ok();
            is_size = own.is_some();
            size(own, None);
        }
    }
    // A line as long as the rows could be one of them.
    let cells = if body.len() > 1 { (row.len() * body.len()) as u64 } else { 0 };
    let like_a_row = words.len() == row.len()
        && numbers
            .is_some_and(|numbers| numbers.iter().all(|&number| number < cells.max(MANY as u64)));
    if !is_size && !like_a_row && is_label(last) {
        found.push((None, before.into_iter().chain([label(last)]).collect()));
    }
    found
}

/// Reads the lines of the tiles.
fn tiles(body: &[&str], size: Option<Grid>) -> Result<Reading, ParseError> {
    let mut best = ParseError::Empty;
    for separator in [is_bar, |c| c == ',', |c| c == '\t'] {
        if let Some(rows) = fields(body, separator) {
            match settle(&rows, size) {
                Ok(reading) => return Ok(reading),
                Err(error) => keep(&mut best, error),
            }
        }
    }
    let places: Vec<Vec<Word>> = body.iter().map(|line| words(line)).collect();
    let mut rows: Rows =
        places.iter().map(|row| row.iter().map(|word| word.text).collect()).collect();
    rows.retain(|row| !row.is_empty());
    match settle(&rows, size) {
        Ok(reading) => return Ok(reading),
        Err(error) => keep(&mut best, error),
    }
    if let Some(reading) =
        gap(&places, size).or_else(|| labelled(&rows, size)).or_else(|| characters(body, size))
    {
        return Ok(reading);
    }
    Err(best)
}

/// The cells between separators, of which one may be empty.
fn fields<'a>(body: &[&'a str], separator: fn(char) -> bool) -> Option<Rows<'a>> {
    if !body.iter().all(|line| line.contains(separator)) {
        return None;
    }
    let begins = body.iter().all(|line| line.trim_start_matches(' ').starts_with(separator));
    let ends = body.iter().all(|line| line.trim_end_matches(' ').ends_with(separator));
    let mut rows = Vec::new();
    for line in body {
        let mut cells: Vec<&str> = line.split(separator).map(str::trim).collect();
        if cells.iter().any(|cell| cell.contains(char::is_whitespace)) {
            return None;
        }
        if ends {
            cells.pop();
        }
        if begins {
            cells.remove(0);
        }
        // A picture may have lines without tiles above and below them.
        if cells.iter().any(|cell| !cell.is_empty()) {
            rows.push(cells);
        }
    }
    (!rows.is_empty()).then_some(rows)
}

/// A word, and the columns where it begins and ends.
struct Word<'a> {
    text: &'a str,
    begin: usize,
    end: usize,
}

fn words(line: &str) -> Vec<Word<'_>> {
    let is_gap = |c: char| is_separator(c) || is_bar(c);
    let mut words = Vec::new();
    let (mut begin, mut column) = (None, 0);
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match begin {
            None if !is_gap(c) => begin = Some((at, column)),
            Some((from, first)) if is_gap(c) => {
                words.push(Word { text: &line[from..at], begin: first, end: column });
                begin = None;
            }
            _ => {}
        }
        column += 1;
    }
    words
}

/// Reads rows of which one has a gap for the blank, or lacks its last cell.
fn gap(places: &[Vec<Word>], size: Option<Grid>) -> Option<Reading> {
    let width = places.iter().map(Vec::len).max()?;
    let short = places.iter().position(|row| row.len() != width)?;
    if places[short].len() + 1 != width {
        return None;
    }
    let is_last = short + 1 == places.len();
    let column = aligned(places, short, width).or_else(|| widest(&places[short], is_last))?;
    let mut rows: Rows =
        places.iter().map(|row| row.iter().map(|word| word.text).collect()).collect();
    rows[short].insert(column, "");
    let mut reading = settle(&rows, size).ok()?;
    if column + 1 == width {
        reading.guesses.push(Guess::LeftOut(short + 1, width));
    }
    Some(reading)
}

/// The column without a word in the short row, if the columns of the others are aligned.
fn aligned(places: &[Vec<Word>], short: usize, width: usize) -> Option<usize> {
    let mut columns = vec![(usize::MAX, 0); width];
    for row in places.iter().enumerate().filter(|&(row, _)| row != short).map(|(_, row)| row) {
        for (column, word) in columns.iter_mut().zip(row) {
            *column = (column.0.min(word.begin), column.1.max(word.end));
        }
    }
    if columns.windows(2).any(|pair| pair[0].1 >= pair[1].0) {
        return None;
    }
    let mut empty: Vec<bool> = vec![true; width];
    for word in &places[short] {
        let column =
            columns.iter().position(|&(begin, end)| word.begin < end && begin < word.end)?;
        empty[column] = false;
    }
    let column = empty.iter().position(|&empty| empty)?;
    empty.iter().filter(|&&empty| empty).count().eq(&1).then_some(column)
}

/// The column of the one gap that is wider than the others. Without one, the blank is at the end of
/// the last row.
fn widest(row: &[Word], is_last: bool) -> Option<usize> {
    let ends = [0].into_iter().chain(row.iter().map(|word| word.end + 1));
    let gaps: Vec<usize> =
        ends.zip(row).map(|(end, word)| word.begin.saturating_sub(end)).collect();
    let widest = gaps.iter().copied().max()?;
    if widest > 0 && gaps.iter().filter(|&&gap| gap == widest).count() == 1 {
        return gaps.iter().position(|&gap| gap == widest);
    }
    (is_last && widest == 0).then_some(row.len())
}

/// Reads a board in one row with a number before it, and up to [`LABEL`] behind it.
fn labelled(rows: &[Vec<&str>], size: Option<Grid>) -> Option<Reading> {
    let [row] = rows else { return None };
    for begin in [1, 0] {
        let rest = row.get(begin..)?;
        for behind in 0..=LABEL.min(rest.len()) {
            let cells = rest.len() - behind;
            if begin + behind == 0 || cells < MANY || size.is_some_and(|size| size.cells() != cells)
            {
                continue;
            }
            let tiles = vec![rest[..cells].to_vec()];
            if let Ok(mut reading) = settle(&tiles, size)
                && reading.guesses.is_empty()
            {
                let outside: Vec<&str> = [&row[..begin], &rest[cells..]].concat();
                reading.guesses.push(Guess::Label(shortened(&outside.join(" "))));
                return Some(reading);
            }
        }
    }
    None
}

/// Reads rows of one character for each cell, with another sign or a space for the blank.
fn characters(body: &[&str], size: Option<Grid>) -> Option<Reading> {
    let mut rows: Vec<Vec<char>> = body.iter().map(|line| line.chars().collect()).collect();
    let width = rows.iter().map(Vec::len).max().filter(|&width| width * rows.len() <= MAX_CELLS)?;
    rows.iter_mut().for_each(|row| row.resize(width, ' '));
    let is_blank = |c: &&mut char| !c.is_alphanumeric() || matches!(c, 'x' | 'X' | '0');
    let mut blanks = rows.iter_mut().flatten().filter(is_blank);
    let (blank, None) = (blanks.next()?, blanks.next()) else { return None };
    let sign = std::mem::replace(blank, '0');
    let words: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    let tiles = compact::read(&words)?.tiles;
    let grid = match rows.len() {
        1 => size.or_else(|| Grid::square(tiles.len())),
        height => {
            Grid::new(width, height).ok().filter(|&grid| size.is_none_or(|size| size == grid))
        }
    }?;
    let board = strict::board(grid, &tiles).ok()?;
    let known = matches!(sign, ' ' | 'x' | 'X' | '0') || is_blank_word(&sign.to_string());
    let guesses = if known { Vec::new() } else { vec![Guess::Blank(sign.to_string())] };
    Some(Reading { board, guesses })
}

/// Returns whether a word stands for the blank. An empty cell does.
pub(super) fn is_blank_word(word: &str) -> bool {
    let names = ["none", "null", "nil", "nan", "blank", "empty", "x", "-1", "--"];
    let signs = ["•", "□", "·", "∙", "●", "◻", "☐", "▢", "⬜", "■", "␣"];
    word.bytes().all(|b| b == b'_')
        || word == "."
        || signs.contains(&word)
        || names.iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// A number, which may be written as a fraction without a part.
fn number(word: &str) -> Option<u64> {
    let word = word.strip_suffix(".0").or(word.strip_suffix('.')).unwrap_or(word);
    word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok())?
}

/// The board of these cells.
fn settle(rows: &[Vec<&str>], size: Option<Grid>) -> Result<Reading, ParseError> {
    let cells = rows.concat();
    if cells.is_empty() {
        return Err(ParseError::Empty);
    }
    if cells.len() > MAX_CELLS {
        return Err(ParseError::TooMany);
    }
    let mut guesses = Vec::new();
    let numbers: Vec<Option<u64>> = cells.iter().map(|cell| number(cell)).collect();
    let odd: Vec<usize> = (0..cells.len()).filter(|&cell| numbers[cell].is_none()).collect();
    let mut tiles: Vec<u64> = numbers.iter().map(|number| number.unwrap_or(0)).collect();
    let count = tiles.len() as u64;
    let counts_from_one = || {
        let mut sorted = tiles.clone();
        sorted.sort_unstable();
        sorted.into_iter().eq(1..=count)
    };
    let first = rows[0].len();
    let is_flat = rows.len() == 1 || rows.iter().all(|row| row.len() == 1);
    match odd[..] {
        // The blank is at the end, or has the largest number.
        [] if count + 1 >= MANY as u64 && counts_from_one() => {
            let whole = |cells: usize| match size {
                Some(size) => size.cells() == cells,
                None => Grid::square(cells).is_some(),
            };
            if is_flat && whole(tiles.len() + 1) {
                tiles.push(0);
                let grid = size.or_else(|| Grid::square(tiles.len()));
                let (width, height) = grid.map_or((0, 0), |grid| (grid.width(), grid.height()));
                guesses.push(Guess::LeftOut(height, width));
            } else if let Some(largest) = tiles.iter_mut().max().filter(|_| count >= MANY as u64) {
                guesses.push(Guess::Blank(largest.to_string()));
                *largest = 0;
            }
        }
        [] => {}
        [cell] if !numbers.contains(&Some(0)) => {
            let word = cells[cell];
            let is_sign = word.chars().count() == 1 && (!word.is_ascii() || word.len() == 1);
            if !is_blank_word(word) {
                if !is_sign {
                    return Err(unexpected(word));
                }
                guesses.push(Guess::Blank(word.to_owned()));
            }
        }
        _ => return Err(unexpected(odd.first().map_or("", |&cell| cells[cell]))),
    }
    let uneven = rows.iter().position(|row| row.len() != first);
    let grid = match (uneven, size) {
        // After a size, any white space separates the tiles.
        (Some(_), Some(size)) if size.cells() == tiles.len() => size,
        (Some(row), _) => {
            return Err(ParseError::UnevenRows { row: row + 1, found: rows[row].len(), first });
        }
        (None, Some(size)) if is_flat || tiles.len() != size.cells() => size,
        (None, None) if is_flat => {
            Grid::square(tiles.len()).ok_or(ParseError::NoShape { found: tiles.len() })?
        }
        (None, size) => match (Grid::new(first, rows.len())?, size) {
            (rows, Some(size)) if rows != size => return Err(ParseError::OtherSize { rows, size }),
            (rows, _) => rows,
        },
    };
    Ok(Reading { board: strict::board(grid, &tiles)?, guesses })
}

fn unexpected(word: &str) -> ParseError {
    ParseError::Unexpected { text: shortened(word), line: 1, column: 1 }
}
