//! The rule `calls`: names before brackets that hold rows of tiles, in reading order, are on a list. Other ones may
//! turn a board, and are errors that name them.

/// Functions and types whose arguments are rows, in lower case, without what qualifies them.
const HOLDERS: &str = "array arraylist asarray aslist board deque from grid int int64 list node of state tensor tuple \
                       vec! vector";

/// Methods of lists and texts that leave the order as it is.
const METHODS: &str =
    ".astype .copy .into .iter .reshape .split .splitlines .strip .to_vec .tolist .view";

/// Arguments that hold rows, or say nothing about their order.
const ARGUMENTS: &str =
    "blank board cells data dtype grid initial n puzzle shape size start state tiles";

fn has(list: &str, name: &str) -> bool {
    list.split(' ').any(|other| other == name)
}

/// Returns whether a name before a bracket is a call or a type that holds rows.
pub fn holds_rows(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    if name.starts_with('.') {
        return has(METHODS, &name);
    }
    let bare = name.split('<').next().unwrap_or_default();
    has(HOLDERS, bare.rsplit(['.', ':', '*', '&']).next().unwrap_or_default())
}

/// Returns whether an argument with this name holds rows, or says nothing about their order.
pub fn is_argument(name: &str) -> bool {
    has(ARGUMENTS, &name.to_ascii_lowercase())
}
