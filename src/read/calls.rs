//! The rule `calls`: names before brackets that hold rows of tiles, in reading order, are on a list. Other ones may
//! turn a board, and are errors that name them. So are signs of arithmetic there, and an index after a list.

use std::iter::successors;

use super::ReadError;
use super::rows::{Cell, Kind, List, MANY, Row, SHORT};

/// Functions and types whose arguments are rows, in lower case, without what qualifies them.
const HOLDERS: &str = "array arraylist asarray aslist board deque from grid int int64 list new node of state tensor tuple \
                       vec! vector return goal input";

/// Methods of lists and texts that leave the order as it is.
const METHODS: &str =
    ".astype .copy .into .iter .reshape .split .splitlines .strip .to_vec .tolist .view";

/// Arguments that hold rows, or say nothing about their order.
const ARGUMENTS: &str = "blank board cells cost data depth dtype f g grid h initial n puzzle shape size start \
                         state tiles";

fn has(list: &str, name: &str) -> bool {
    list.split(' ').any(|other| other == name)
}

/// The most lists around a row that are looked at. Boards are in four at most.
const MAX_DEPTH: usize = 64;

/// Makes errors of the rows in lists that may turn a board, and shapes those before a `.reshape`.
pub fn applied(rows: Vec<Row>, lists: &[List]) -> Vec<Row> {
    let mut applied: Vec<Row> = Vec::new();
    for row in rows {
        let around = successors(row.list, |&list| lists[list].outer).map(|list| &lists[list]);
        let around: Vec<&List> = around.take(MAX_DEPTH).collect();
        let is_shape = row.cells.len() == 2 && around.iter().any(|list| list.name == ".reshape");
        match (refused(&row, &around), is_shape) {
            (Some(call), _) => {
                applied.push(Row { kind: Kind::Fault(ReadError::turned(&call)), ..row });
            }
            (None, true) => reshape(&mut applied, &row),
            (None, false) => applied.push(row),
        }
    }
    applied
}

/// The text before a list around a row that may turn the row. A few numbers after words alone may belong to a label:
/// `Blank at (1, 2)`.
fn refused(row: &Row, around: &[&List]) -> Option<String> {
    let numbers = row.numbers().count();
    let is_compact = row.cells.iter().any(|cell| cell.text.len() >= MANY && !cell.is_word());
    let may_hold = |list: &&&List| {
        let is_named = !list.name.is_empty();
        numbers >= SHORT || is_compact || numbers > 1 && (list.has_rows || is_named)
    };
    around.iter().filter(may_hold).find_map(|list| list.call.clone())
}

/// The texts before a list that may change what is in it: another name, or a sign of arithmetic, as in `9 - np.array(`.
/// With words, a dash is one of a label, and so is the name of a board that is not next to the list.
pub fn call(before: &Row, is_named: bool) -> Option<String> {
    let (last, others) = before.cells.split_last()?;
    let is_sign = |cell: &Cell| ["+", "-", "*", "%", "^", "@"].contains(&&*cell.text);
    let name = &*last.text;
    let is_label = !is_named && is_argument(name);
    let is_unknown = name.contains(char::is_alphabetic) && !holds_rows(name) && !is_label;
    let is_computed = others.last().is_some_and(|other| is_sign(other) || is_sign(last));
    let is_call = is_unknown || is_computed && !others.iter().any(Cell::is_word) || name == "@";
    is_call.then(|| before.text())
}

/// `an array`: divides the list before `.reshape` into rows, by the numbers of rows and of cells in a row, of which one
/// may be -1. Between them may be other arguments and methods.
fn reshape(rows: &mut Vec<Row>, shape: &Row) {
    let method = rows.iter().rposition(|row| row.kind == Kind::Name && row.text() == ".reshape");
    let end = method.unwrap_or(0);
    let is_outer = |row: &Row| row.depth <= rows[end].depth && !row.text().starts_with('.');
    let begin = rows[..end].iter().rposition(is_outer).map_or(0, |outer| outer + 1);
    let list = rows[begin..end].iter().take_while(|row| row.kind == Kind::Cells);
    let end = begin + list.clone().count();
    let cells: Vec<Cell> = list.flat_map(|row| row.cells.clone()).collect();
    let sides: Vec<_> = shape.cells.iter().map(|it| it.number().unwrap_or(0) as usize).collect();
    let width = if sides[1] > 0 { sides[1] } else { cells.len() / sides[0].max(1) };
    let fits = [Some(cells.len()), Some(0)].contains(&width.checked_mul(sides[0]));
    if !fits || width == 0 || cells.is_empty() {
        return rows
            .push(Row { kind: Kind::Fault(ReadError::turned(".reshape")), ..shape.clone() });
    }
    let last = rows[end - 1].clone();
    rows.splice(begin..end, cells.chunks(width).map(|cells| last.of(cells)));
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
    !name.starts_with('.') && holds_rows(name)
}

/// The rest of a line after a list or a text, if that may change the tiles: an index, as in `[::-1]`, or `% 9` and
/// `// Transpose`, which are no comments.
pub fn after_list(line: &str) -> Option<&str> {
    let is_end = |(at, sign): &(usize, char)| match sign {
        ')' | ']' | '}' => true,
        '"' | '\'' => line[..*at].ends_with(char::is_alphanumeric),
        _ => false,
    };
    line.char_indices().filter(is_end).find_map(|(at, _)| {
        let rest = &line[at + 1..];
        let index = rest.split_inclusive([']', ')']).next().unwrap_or_default();
        if index.starts_with(['[', '(']) && index.contains(':') {
            return Some(index);
        }
        let is_transposed = |after: &str| !after.starts_with(char::is_alphanumeric);
        if rest.strip_prefix(".T").is_some_and(is_transposed) {
            return Some(".T");
        }
        let rest = rest.trim();
        let divisor = rest.strip_prefix('%').map(str::trim);
        let is_number = divisor.is_some_and(|text| text.parse::<u64>().is_ok());
        let word = rest.strip_prefix("//").map(|word| word.trim().to_ascii_lowercase());
        let turns =
            |word: &str| ["transpose", "reverse", "rotate"].iter().any(|it| word.starts_with(it));
        (is_number || word.is_some_and(|word| turns(&word))).then_some(rest)
    })
}

/// Returns whether an argument with this name holds rows, or says nothing about their order.
pub fn is_argument(name: &str) -> bool {
    has(ARGUMENTS, &name.to_ascii_lowercase())
}
