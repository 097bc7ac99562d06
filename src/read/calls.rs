//! The rule `calls`: names that hold tiles in reading order are on a list. Any other name before a bracket may change the
//! order, and is refused by name, like arithmetic there and an index after a list.

use std::iter::successors;

use super::ReadError;
use super::rows::{Cell, Kind, List, Row};
use super::sizes::Size;
use crate::board::{MAX_CELLS, shortened};

/// Functions and types whose arguments are rows, in lower case, without what qualifies them.
const HOLDERS: &str = "array arraylist arrayof asarray aslist board deque from goal grid initial input int int64 intarrayof \
                       is list listof node of puzzle return start state tensor tuple uint8array vec! vector";

/// Arguments that hold rows, or say nothing about their order.
const ARGUMENTS: &str = "action blank blank_pos board cells cost data depth device dtype f g grid h initial moves n parent \
                         puzzle shape size start state tiles";

/// Methods of lists and texts that leave the order as it is.
const METHODS: &str =
    ".astype .copy .into .iter .reshape .split .splitlines .strip .to_vec .tolist .view";

fn has(list: &str, name: &str) -> bool {
    list.split(' ').any(|other| other == name)
}

/// The most lists around a row. Boards are in four at most.
const MAX_DEPTH: usize = 64;

/// The methods that divide a list into rows.
const SHAPES: [&str; 2] = [".reshape", ".view"];

/// The lists around a row, from the innermost one.
fn around(row: &Row, lists: &[List]) -> impl Iterator<Item = usize> {
    successors(row.list, |&list| lists[list].outer).take(MAX_DEPTH)
}

/// Replaces the rows that a call may have turned by errors, and divides the list before a `.reshape` into rows.
pub fn applied(rows: Vec<Row>, lists: &[List]) -> Vec<Row> {
    let mut applied: Vec<Row> = Vec::new();
    // The last list that was the shape of another one: it is that only once.
    let mut last = None;
    for row in rows {
        let is_shape = |&list: &usize| SHAPES.contains(&&*lists[list].name);
        let shape = around(&row, lists).find(is_shape);
        let shape = shape.filter(|_| row.cells.len() == 2);
        let call = match shape {
            _ if row.depth > MAX_DEPTH => Some("("),
            Some(list) if last == Some(list) => Some(&*lists[list].name),
            _ => refused(&row, around(&row, lists).map(|list| &lists[list])),
        };
        let turned = |row: &Row, call: &str| Row {
            kind: Kind::Fault(ReadError::turned(call)),
            ..row.clone()
        };
        match (call, shape) {
            (Some(call), _) => applied.push(turned(&row, call)),
            (None, Some(list)) => {
                last = Some(list);
                if reshaped(&mut applied, &row, list, lists).is_none() {
                    applied.push(turned(&row, &lists[list].name));
                }
            }
            (None, None) => applied.push(row),
        }
    }
    applied
}

/// The text before a list around a row that may turn the row. A few numbers after words alone may belong to a label:
/// `Blank at (1, 2)`.
fn refused<'l>(row: &Row, mut around: impl Iterator<Item = &'l List>) -> Option<&'l str> {
    let may_hold = |list: &List| {
        let is_named = !list.name.is_empty();
        row.has_tiles() || row.numbers().count() > 1 && (list.has_rows || is_named)
    };
    around.find_map(|list| list.call.as_deref().filter(|_| may_hold(list)))
}

/// The texts before a list that may change what is in it: another name, or a sign of arithmetic, as in `9 - np.array(`.
/// With words, a dash is one of a label. A size may stand before a list.
pub fn call(before: &Row, is_named: bool) -> Option<String> {
    let (last, others) = before.cells.split_last()?;
    let is_sign = |cell: &Cell| ["+", "-", "*", "%", "^", "@"].contains(&&*cell.text);
    let name = &*last.text;
    let is_label = !is_named && (is_argument(name) || Size::of(name).is_some());
    let is_known = holds_rows(name) || is_label;
    let is_unknown = name.contains(char::is_alphabetic) && !is_known;
    let is_computed = others.last().is_some_and(|other| is_sign(other) || is_sign(last));
    let is_call = is_unknown || is_computed && !others.iter().any(Cell::is_word) || name == "@";
    is_call.then(|| shortened(&before.text()))
}

/// `an array`: divides the list before the method into rows, by the numbers of rows and of cells in a row, of which one
/// may be -1. Between them may be other arguments and methods. Returns `None` if the shape does not fit.
fn reshaped(rows: &mut Vec<Row>, shape: &Row, method: usize, lists: &[List]) -> Option<()> {
    let mut before = successors(lists[method].follows, |&list| lists[list].follows).take(MAX_DEPTH);
    let array = before.find(|&list| !lists[list].name.starts_with('.'))?;
    let is_in_array = |row: &Row| around(row, lists).any(|list| list == array);
    let last = rows.iter().rposition(is_in_array)?;
    let begin = rows[..last].iter().rposition(|row| !is_in_array(row)).map_or(0, |at| at + 1);
    let list = rows[begin..=last].iter().take_while(|row| row.kind == Kind::Cells);
    let end = begin + list.clone().count();
    let cells: Vec<Cell> = list.flat_map(|row| row.cells.clone()).take(MAX_CELLS + 1).collect();
    let side = |cell: &Cell| match cell.number() {
        Some(side) => usize::try_from(side).ok(),
        None => (cell.text == "-1").then_some(0),
    };
    let width = match (side(&shape.cells[0])?, side(&shape.cells[1])?) {
        (height, 0) => cells.len().checked_div(height)?,
        (0, width) => width,
        (height, width) => (width.checked_mul(height)? == cells.len()).then_some(width)?,
    };
    let fits = width > 0 && cells.len().is_multiple_of(width) && cells.len() <= MAX_CELLS;
    let last = rows[begin..end].last().filter(|_| fits)?.clone();
    rows.splice(begin..end, cells.chunks(width).map(|cells| last.with_cells(cells)));
    Some(())
}

/// Returns whether a name before a bracket is a call or a type that holds rows.
fn holds_rows(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    if name.starts_with('.') {
        return has(METHODS, &name);
    }
    let bare = name.split('<').next().unwrap_or_default();
    let bare = bare.rsplit(['.', ':', '*', '&']).next().unwrap_or_default();
    let is_computed = name.contains(['+', '-', '%', '@']) || name.starts_with(char::is_numeric);
    !is_computed && has(HOLDERS, bare)
}

/// Returns whether a name is that of a type, as each row of a list may have.
pub fn is_type(name: &str) -> bool {
    name == "new" || !name.starts_with('.') && holds_rows(name)
}

/// The most signs of an index.
const MAX_INDEX: usize = 64;

/// The rest of a line after a list or a text, if that may change the tiles: an index, as in `[::-1]`, or `% 9` and
/// `// Transpose`, which are no comments.
pub fn after_list(line: &str) -> Option<String> {
    let is_end = |(at, sign): &(usize, char)| match sign {
        ')' | ']' | '}' => true,
        '"' | '\'' => line[..*at].ends_with(char::is_alphanumeric),
        _ => false,
    };
    // Each look is at a few signs of the rest of the line.
    let first = |text: &str, signs| text.chars().take(signs).collect::<String>();
    line.char_indices().filter(is_end).find_map(|(at, _)| {
        let rest = &line[at + 1..];
        if rest.starts_with(['[', '(']) {
            let index = first(rest, MAX_INDEX);
            let index = index.split_inclusive([']', ')']).next().unwrap_or_default();
            if index.contains(':') {
                return Some(index.to_owned());
            }
        }
        let rest = rest.trim_start();
        let is_transposed = |after: &str| !after.starts_with(char::is_alphanumeric);
        if rest.strip_prefix(".T").is_some_and(is_transposed) {
            return Some(".T".to_owned());
        }
        let is_number = |text: &str| text.trim().parse::<u64>().is_ok();
        let is_divided = rest.strip_prefix('%').is_some_and(is_number);
        let turns = |word: &str| {
            let word = first(word.trim_start(), "transpose".len()).to_ascii_lowercase();
            ["transpose", "reverse", "rotate"].iter().any(|it| word.starts_with(it))
        };
        let is_call = is_divided || rest.strip_prefix("//").is_some_and(turns);
        is_call.then(|| shortened(rest.trim_end()))
    })
}

/// Returns whether an argument with this name holds rows, or says nothing about their order.
pub fn is_argument(name: &str) -> bool {
    has(ARGUMENTS, &name.to_ascii_lowercase())
}

/// Returns whether what has this name is written by columns.
pub fn is_turned(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "cols" || ["column", "transpos"].iter().any(|part| name.contains(part))
}
