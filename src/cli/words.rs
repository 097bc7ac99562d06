//! The command line of the program. Where another program, such as an interpreter, runs this one, the process
//! has a different command line.

use std::ffi::OsString;
use std::sync::OnceLock;

static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Keeps the command line, the name of the program first. The first one stays.
pub fn keep(words: impl IntoIterator<Item = OsString>) -> &'static [OsString] {
    WORDS.get_or_init(|| words.into_iter().collect())
}

/// The command line.
pub fn all() -> Vec<String> {
    let words = WORDS.get().map_or(&[][..], Vec::as_slice);
    words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}
