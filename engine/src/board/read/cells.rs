//! The cells of lines that hold nothing but tiles.
//!
//! They are split at bars, commas, tabs or white space, or have one character for each cell. One of them
//! may be a gap, a sign or a word for the blank, or be left out at the end.

use super::strict::{self, is_separator, shortened};
use super::{Guess, ParseError, Reading, compact};
use crate::board::{BoardError, Grid, MAX_CELLS};

/// The fewest cells of a board in a form that a shorter list of numbers could have by chance.
pub(super) const MANY: usize = 9;

/// The most numbers in a line that is a label, as in `number length nodes`.
pub(super) const LABEL: usize = 3;

/// The most lines before the tiles that are numbers alone.
pub(super) const NUMBERS: usize = 2;

pub(super) type Rows<'a> = Vec<Vec<&'a str>>;

/// Reads the lines of the tiles.
pub(super) fn tiles(
    body: &[&str],
    size: Option<Grid>,
    is_list: bool,
) -> Result<Reading, ParseError> {
    let mut best = ParseError::Empty;
    if body.len() > MAX_CELLS {
        return Err(best);
    }
    for separator in [is_bar, |c| c == ',', |c| c == '\t'] {
        if let Some(rows) = fields(body, separator) {
            match settle(&rows, size) {
                Ok(reading) => return Ok(reading),
                // The words of such a picture would be those of another one.
                Err(error @ ParseError::UnevenRows { .. })
                    if body.iter().all(|line| is_framed(line)) && rows.concat().contains(&"") =>
                {
                    return Err(error);
                }
                Err(error) => keep(&mut best, error),
            }
        }
    }
    let places: Vec<Vec<Word>> = body.iter().map(|line| words(line)).collect();
    if let [row] = &places[..]
        && let Some(reading) = hole(row, size)
    {
        return Ok(reading);
    }
    let mut rows: Rows =
        places.iter().map(|row| row.iter().map(|word| word.text).collect()).collect();
    rows.retain(|row| !row.is_empty());
    // Brackets and bars in one row are no white space.
    let groups = if let [line] = body { groups(line) } else { Vec::new() };
    let uneven = groups.iter().position(|&group| group != groups[0]);
    let reading = match uneven {
        Some(row) => {
            let (found, first) = (groups[row], groups[0]);
            Err(ParseError::UnevenRows { row: row + 1, found, first })
        }
        None => settle(&rows, size),
    };
    match reading {
        Ok(reading) => return Ok(reading),
        Err(error) => keep(&mut best, error),
    }
    if let Some(reading) =
        gap(&places, size, is_list).or_else(|| labelled(&rows, size)).or_else(|| match &rows[..] {
            [row] if row.len() > 1 => {
                // Only the last word may be shorter: a space ends a word, so no other row ends in the blank.
                let width = row.iter().map(|word| word.chars().count()).max();
                let others = &row[..row.len() - 1];
                let are_even = others.iter().all(|word| Some(word.chars().count()) == width);
                characters(row, size).filter(|_| are_even)
            }
            _ => characters(body, size),
        })
    {
        return Ok(reading);
    }
    Err(best)
}

/// The cells between separators, of which one may be empty.
pub(super) fn fields<'a>(body: &[&'a str], separator: fn(char) -> bool) -> Option<Rows<'a>> {
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
        // The lower borders of the cells of a picture.
        cells.iter_mut().for_each(|cell| *cell = cell.trim_matches('_'));
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

/// The numbers of words between the brackets and bars of a line.
fn groups(line: &str) -> Vec<usize> {
    let is_end = |c| is_bar(c) || matches!(c, '(' | ')' | '[' | ']' | '{' | '}');
    let groups = line.split(is_end).map(|group| words(group).len());
    groups.filter(|&words| words > 0).collect()
}

/// A word, and the columns where it begins and ends.
pub(super) struct Word<'a> {
    pub text: &'a str,
    begin: usize,
    end: usize,
}

/// The words of a line. There is an empty one before a comma that follows no other.
pub(super) fn words(line: &str) -> Vec<Word<'_>> {
    let is_gap = |c: char| is_separator(c) || is_bar(c);
    let mut words = Vec::new();
    let (mut begin, mut column, mut is_empty) = (None, 0, true);
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match begin {
            None if !is_gap(c) => begin = Some((at, column)),
            Some((from, first)) if is_gap(c) => {
                words.push(Word { text: &line[from..at], begin: first, end: column });
                (begin, is_empty) = (None, false);
            }
            _ => {}
        }
        if c == ',' {
            if is_empty {
                words.push(Word { text: "", begin: column, end: column });
            }
            is_empty = true;
        }
        column += 1;
    }
    words
}

/// Reads rows of which one has a gap for the blank, or lacks its last cell.
fn gap(places: &[Vec<Word>], size: Option<Grid>, is_list: bool) -> Option<Reading> {
    let width = places.iter().map(Vec::len).max()?;
    let short = places.iter().position(|row| row.len() != width)?;
    // One number above others is a size or a label rather than a row.
    if places[short].len() + 1 != width || short == 0 && width == 2 {
        return None;
    }
    let is_last = short + 1 == places.len();
    // The columns of a list are those of its cells.
    let aligned = if is_list { None } else { aligned(places, short, width) };
    let column = aligned.or_else(|| widest(&places[short], is_last))?;
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
    // Words of different lengths may lie in columns by chance, but they leave no room for a cell.
    let begin = column.checked_sub(1).map_or(0, |before| places[short][before].end + 1);
    let has_room = places[short].get(column).is_none_or(|next| next.begin > begin + 1);
    (has_room && empty.iter().filter(|&&empty| empty).count() == 1).then_some(column)
}

/// Reads a board in one row without its blank, for which the widest of the gaps has room.
fn hole(row: &[Word], size: Option<Grid>) -> Option<Reading> {
    let cells = row.len() + 1;
    let grid = size.or_else(|| Grid::square(cells)).filter(|grid| grid.cells() == cells)?;
    if cells < MANY || row.iter().any(|word| number(word.text).is_none_or(|tile| tile == 0)) {
        return None;
    }
    let mut gaps: Vec<usize> = row.windows(2).map(|pair| pair[1].begin - pair[0].end).collect();
    let widest = gaps.iter().copied().max()?;
    let column = gaps.iter().position(|&gap| gap == widest)? + 1;
    gaps.remove(column - 1);
    // Columns of numbers with one and two digits have gaps of two widths.
    let are_digits = row.iter().all(|word| word.text.len() == 1);
    if gaps.iter().any(|gap| gap + if are_digits { 1 } else { 2 } > widest) {
        return None;
    }
    let mut words: Vec<&str> = row.iter().map(|word| word.text).collect();
    words.insert(column, "");
    let mut reading = settle(&[words], Some(grid)).ok()?;
    let (width, cell) = (grid.width(), column);
    reading.guesses.push(Guess::LeftOut(cell / width + 1, cell % width + 1));
    Some(reading)
}

/// The column of the one gap that is wider than the others. Without one, the blank is at the end of
/// the last row.
pub(super) fn widest(row: &[Word], is_last: bool) -> Option<usize> {
    let ends = [0].into_iter().chain(row.iter().map(|word| word.end + 1));
    let gaps: Vec<usize> =
        ends.zip(row).map(|(end, word)| word.begin.saturating_sub(end)).collect();
    let widest = gaps.iter().copied().max()?;
    if widest > 0 && gaps.iter().filter(|&&gap| gap == widest).count() == 1 {
        return gaps.iter().position(|&gap| gap == widest);
    }
    (is_last && widest == 0).then_some(row.len())
}

/// Reads a board in one row, or in one word, with words before it, of which one may be a number, and
/// up to [`LABEL`] behind it.
fn labelled(rows: &[Vec<&str>], size: Option<Grid>) -> Option<Reading> {
    let [row] = rows else { return None };
    let label = |begin: usize, end: usize, mut reading: Reading| {
        let numbered = [Guess::First as fn(String) -> Guess, Guess::Last];
        for (words, numbered) in [&row[..begin], &row[end..]].into_iter().zip(numbered) {
            let has_number = words.iter().any(|word| number(word).is_some());
            let guess = if has_number { numbered } else { Guess::Label };
            let text = shortened(&words.join(" "));
            reading.guesses.extend((!words.is_empty()).then(|| guess(text)));
        }
        Some(reading)
    };
    if let Some(at) = row.iter().position(|word| is_compact(word)) {
        let is_other = |&(place, word): &(usize, &&str)| place != at && is_compact(word);
        let is_alone =
            row.len() <= 2 * LABEL && !row.iter().enumerate().any(|word| is_other(&word));
        return characters(&row[at..=at], size)
            .filter(|_| is_alone && row.len() > 1)
            .and_then(|reading| label(at, at + 1, reading));
    }
    // A label before the tiles, others behind them, and the blank.
    if row.iter().filter(|word| number(word).is_none()).count() > LABEL + 2 {
        return None;
    }
    // Width and height before the tiles.
    if let Some((&[width, height], tiles)) = row.split_first_chunk()
        && let (Ok(width), Ok(height)) = (width.parse(), height.parse())
        && let Ok(grid) = Grid::new(width, height)
        && grid.cells() == tiles.len()
        && size.is_none_or(|size| size == grid)
        && let Ok(mut reading) = settle(&[tiles.to_vec()], Some(grid))
    {
        if width != height {
            reading.guesses.push(Guess::Order(grid));
        }
        return Some(reading);
    }
    for begin in [1, 0] {
        let rest = row.get(begin..)?;
        for behind in 0..=LABEL.min(rest.len()) {
            let cells = rest.len() - behind;
            if begin + behind == 0 || cells < MANY || size.is_some_and(|size| size.cells() != cells)
            {
                continue;
            }
            let tiles = vec![rest[..cells].to_vec()];
            if let Ok(reading) = settle(&tiles, size)
                && reading.guesses.is_empty()
            {
                return label(begin, begin + cells, reading);
            }
        }
    }
    None
}

/// Reads rows of one character for each cell, with another sign or a space for the blank.
fn characters(body: &[&str], size: Option<Grid>) -> Option<Reading> {
    let mut rows: Vec<Vec<char>> = body.iter().map(|line| line.chars().collect()).collect();
    let mut width = rows.iter().map(Vec::len).max()?;
    if width * rows.len() > MAX_CELLS {
        return None;
    }
    // All letters of a board in one word.
    let has_x = rows[0].iter().any(|c| matches!(c, 'x' | 'X'));
    let are_letters = rows.len() == 1 && rows[0].iter().all(char::is_ascii_alphabetic);
    width += usize::from(are_letters && width + 1 >= MANY && !has_x);
    let lacks_last = rows.last().is_some_and(|row| row.len() + 1 == width);
    rows.iter_mut().for_each(|row| row.resize(width, ' '));
    let is_blank = |c: &&mut char| match **c {
        ' ' | 'x' | 'X' | '0' => true,
        c => !c.is_alphanumeric() && !is_separator(c),
    };
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
    if lacks_last {
        let guesses = vec![Guess::LeftOut(grid.height(), grid.width())];
        return Some(Reading { board, guesses });
    }
    let known = matches!(sign, ' ' | 'x' | 'X' | '0') || is_blank_word(&sign.to_string());
    let guesses = if known { Vec::new() } else { vec![Guess::Blank(sign.to_string())] };
    Some(Reading { board, guesses })
}

/// Returns whether a word is a board by itself.
pub(super) fn is_compact(word: &str) -> bool {
    word.len() >= MANY && characters(&[word], None).is_some()
}

pub(super) fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '║' | '┃' | '┆' | '┊' | '╎')
}

/// Returns whether a line has a bar at each end.
pub(super) fn is_framed(line: &str) -> bool {
    let line = line.trim();
    line.starts_with(is_bar) && line.ends_with(is_bar)
}

/// Returns whether a line is a border of a picture, or lies between two rows.
pub(super) fn is_rule(line: &str) -> bool {
    let drawn = |c: char| matches!(c, '-' | '+' | '=' | '~' | '\u{2500}'..='\u{257f}' | '—' | '–');
    let mut marks = line.chars().filter(|c| !c.is_whitespace());
    // No row has two blanks.
    let is_low = line.bytes().filter(|&b| b == b'_').count() > 1
        && marks.clone().all(|c| c == '_' || is_bar(c));
    // Colons align the columns of a table in Markdown.
    is_low
        || marks.clone().any(|c| drawn(c) && !is_bar(c))
            && marks.all(|c| drawn(c) || is_bar(c) || c == ':')
}

/// Returns whether a word stands for the blank. An empty cell does.
pub(super) fn is_blank_word(word: &str) -> bool {
    let names = [
        "none",
        "null",
        "nil",
        "nan",
        "na",
        "undefined",
        "nothing",
        "blank",
        "empty",
        "space",
        "x",
        "-1",
        "--",
    ];
    let signs = ["•", "□", "·", "∙", "●", "◻", "☐", "▢", "⬜", "■", "␣"];
    word.bytes().all(|b| b == b'_')
        || word == "."
        || signs.contains(&word)
        || names.iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// A number, which may be written as a fraction without a part, or with an exponent, as in `8.0e+00`.
pub(super) fn number(word: &str) -> Option<u64> {
    if word.contains('+') {
        let value = word.parse::<f64>().ok().filter(|value| value.fract() == 0.0)?;
        return (0.0..=MAX_CELLS as f64).contains(&value).then_some(value as u64);
    }
    let word = word.strip_suffix(".0").or(word.strip_suffix('.')).unwrap_or(word);
    word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok())?
}

/// The tiles of cells with the first letters of the alphabet, each once, and at most one cell that is
/// empty or has an x.
fn letters(cells: &[&str]) -> Option<Vec<Option<u64>>> {
    let letter = |cell: &&str| match cell.as_bytes() {
        [] => Some(None),
        // In the alphabet it is the 24th.
        [b'x' | b'X'] if cells.len() < 24 => Some(None),
        [letter] if letter.is_ascii_alphabetic() => {
            Some(Some(u64::from(letter.to_ascii_lowercase() - b'a') + 1))
        }
        _ => None,
    };
    let tiles: Vec<Option<u64>> = cells.iter().map(letter).collect::<Option<_>>()?;
    let mut sorted: Vec<u64> = tiles.iter().copied().flatten().collect();
    sorted.sort_unstable();
    let is_board = sorted.len() + 1 >= MANY && tiles.len() - sorted.len() <= 1;
    (is_board && sorted.iter().copied().eq(1..=sorted.len() as u64)).then_some(tiles)
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
    let mut numbers: Vec<Option<u64>> =
        letters(&cells).unwrap_or_else(|| cells.iter().map(|cell| number(cell)).collect());
    // A point behind the first number alone makes it that of the board.
    let has_point = |cell: &&str| cell.len() > 1 && cell.ends_with('.');
    if cells.len() > 1 && has_point(&cells[0]) && !cells[1..].iter().any(has_point) {
        if rows.len() == 1 && cells.len() >= MANY {
            // The fault is that of the tiles.
            return settle(&[cells[1..].to_vec()], size).and(Err(unexpected(cells[0])));
        }
        numbers[0] = None;
    }
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
            // A grid that is not square may lack rows.
            } else if let Some(largest) = tiles.iter().position(|&tile| tile == count)
                && count >= MANY as u64
                && whole(cells.len())
            {
                guesses.push(Guess::Blank(cells[largest].to_owned()));
                tiles[largest] = 0;
            }
        }
        [] => {}
        [cell] if !numbers.contains(&Some(0)) => {
            let word = cells[cell];
            let is_sign = word.chars().count() == 1 && (!word.is_ascii() || word.len() == 1);
            // A letter among few numbers is a name.
            let is_name = count < MANY as u64 && word.chars().all(char::is_alphabetic);
            if !is_blank_word(word) {
                if !is_sign || is_name {
                    return Err(unexpected(word));
                }
                guesses.push(Guess::Blank(word.to_owned()));
            }
        }
        // Several blanks are a fault of the tiles.
        _ => {
            let is_wrong = |cell: &&usize| !is_blank_word(cells[**cell]);
            let is_word = |cell: &&usize| !matches!(cells[**cell], "" | "_" | ".");
            if let Some(&cell) = odd.iter().find(is_wrong).or(odd.iter().find(is_word)) {
                return Err(unexpected(cells[cell]));
            }
        }
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

/// Keeps the error that tells most about the tiles.
pub(super) fn keep(best: &mut ParseError, error: ParseError) {
    let weight = |error: &ParseError| match error {
        // It is a label rather than a tile.
        ParseError::Board(BoardError::NoSuchTile { grid, tile })
            if *tile >= 2 * grid.cells() as u64 =>
        {
            1
        }
        ParseError::Board(BoardError::Count { .. })
        | ParseError::OtherSize { .. }
        | ParseError::UnevenRows { .. } => 1,
        ParseError::Board(_) => 2,
        ParseError::SizeLine { .. } | ParseError::Several { .. } => 3,
        _ => 0,
    };
    // A tile that is misspelt tells more than a word before the tiles.
    let is_tile = |text: &str| {
        text.chars().nth(1).is_none()
            || text.contains(|c: char| c.is_ascii_digit())
            || !text.contains(char::is_alphabetic)
    };
    let is_vague = match best {
        ParseError::Empty => true,
        // The number of a board, as in `1.`, is no tile.
        ParseError::Unexpected { text, .. } => !is_tile(text) || text.ends_with('.'),
        _ => false,
    };
    let is_misspelt =
        matches!(&error, ParseError::Unexpected { text, .. } if is_vague && is_tile(text));
    // So does a number of tiles.
    let is_short = matches!(error, ParseError::NoShape { found } if is_vague && found > LABEL);
    if is_misspelt || is_short || weight(&error) > weight(best) {
        *best = error;
    }
}
