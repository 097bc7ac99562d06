//! The rule `calls`: names before brackets that hold rows of tiles, in reading order, are on a list. Other ones may
//! turn a board, and are errors that name them. So are signs of arithmetic there, and an index after a list.

/// Functions and types whose arguments are rows, in lower case, without what qualifies them.
const HOLDERS: &str = "array arraylist asarray aslist board deque from grid int int64 list node of state tensor tuple \
                       vec! vector return goal input";

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
    let bare = bare.rsplit(['.', ':', '*', '&']).next().unwrap_or_default();
    let is_computed = name.contains(['+', '-', '%', '@']) || name.starts_with(char::is_numeric);
    !is_computed && has(HOLDERS, bare)
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
