//! Names before brackets. Those that hold rows of tiles, in reading order, are on a list; other ones may turn a board.

/// Functions and types whose arguments are rows, in lower case, without what qualifies them.
const HOLDERS: [&str; 18] = [
    "array",
    "arraylist",
    "asarray",
    "aslist",
    "board",
    "deque",
    "from",
    "grid",
    "int",
    "int64",
    "list",
    "node",
    "of",
    "state",
    "tensor",
    "tuple",
    "vec!",
    "vector",
];

/// Methods of lists and texts that leave the order as it is.
const METHODS: [&str; 11] = [
    ".astype",
    ".copy",
    ".into",
    ".iter",
    ".reshape",
    ".split",
    ".splitlines",
    ".strip",
    ".to_vec",
    ".tolist",
    ".view",
];

/// Arguments that hold rows, or say nothing about their order.
const ARGUMENTS: [&str; 14] = [
    "blank", "board", "cells", "data", "dtype", "grid", "initial", "n", "puzzle", "shape", "size",
    "start", "state", "tiles",
];

/// Returns whether a name before a bracket is a call or a type that holds rows.
pub fn holds_rows(name: &str) -> bool {
    let name = name.to_lowercase();
    if name.starts_with('.') {
        return METHODS.contains(&&*name);
    }
    let bare = name.split('<').next().unwrap_or_default();
    let bare = bare.rsplit(['.', ':', '*', '&']).next().unwrap_or_default();
    HOLDERS.contains(&bare)
}

/// Returns whether an argument with this name holds rows, or says nothing about their order.
pub fn is_argument(name: &str) -> bool {
    ARGUMENTS.contains(&&*name.to_lowercase())
}
