//! Contenders by name.
//!
//! ```text
//! list      = contender, then any number of ("," or ";" or space) contender
//! contender = search ":" heuristic | heuristic | "korf1985"
//! search    = "search" | "ida" | "astar" | "astar:fifo" | "values"
//! heuristic = a name as `taquin solve --heuristic` takes it | "file:" path | "program:" command
//! ```
//!
//! Without a search, bounds such as `7-8:mirror` are tried by plain IDA* (`ida`), whole searches such as
//! `standard` by the search of `taquin solve` (`search`), and files and programs give values alone
//! (`values`). A path or a command goes on to the end of the text, so it is the last of a list.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::reference::{Spec, SpecError, Ties};

/// The search of a contender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Search {
    /// The search of `taquin solve`.
    Solve,
    /// Plain IDA* on one thread.
    Ida,
    /// A*.
    AStar(Ties),
    /// IDA* in the order of moves, and with the count, of Korf 1985.
    Korf1985,
    /// No search: the value of each board alone.
    Values,
}

/// The origin of the values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// A heuristic of the library.
    Spec(Spec),
    /// A CSV file of boards with their values.
    File(PathBuf),
    /// A command that reads boards and writes their values.
    Program(String),
}

/// A search with a heuristic. Its text as in [`Display`](fmt::Display) has one meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    /// The search.
    pub search: Search,
    /// The heuristic.
    pub source: Source,
    /// The name as it was asked for, without spaces and abbreviations.
    pub name: String,
}

/// Why a text names no contender.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContenderError {
    /// No heuristic.
    #[error("{0}{advice}", advice = outside(.0))]
    Spec(#[from] SpecError),
    /// A contender that appears twice.
    #[error("{0} appears twice")]
    Twice(String),
    /// A file or a program with a search that it does not have.
    #[error("{0}: a file has values alone, and a program has values, ida and astar")]
    Outside(String),
    /// A file or a command without its name.
    #[error("{0} needs a name after the colon")]
    Nameless(String),
}

/// The way to a heuristic that the library does not have.
fn outside(error: &SpecError) -> &'static str {
    match error {
        SpecError::Unknown(_) => "; for one of your own, program:COMMAND or file:FILE",
        _ => "",
    }
}

const PREFIXES: [(&str, Search); 5] = [
    ("search:", Search::Solve),
    ("ida:", Search::Ida),
    ("astar:fifo:", Search::AStar(Ties::Fifo)),
    ("astar:", Search::AStar(Ties::Lifo)),
    ("values:", Search::Values),
];

/// Korf's search, which has one heuristic.
const KORF: &str = "korf1985";

const OUTSIDE: [&str; 2] = ["file:", "program:"];

impl Search {
    pub(super) fn prefix(self) -> &'static str {
        PREFIXES.iter().find(|(_, search)| *search == self).map_or("", |(prefix, _)| prefix)
    }

    /// The search of a heuristic without one.
    fn usual(source: &Source) -> Search {
        match source {
            Source::Spec(Spec::Bound(_)) => Search::Ida,
            Source::Spec(_) => Search::Solve,
            Source::File(_) | Source::Program(_) => Search::Values,
        }
    }
}

impl Contender {
    fn new(asked: Option<Search>, source: Source) -> Contender {
        let search = asked.unwrap_or_else(|| Search::usual(&source));
        let prefix = asked.map_or("", Search::prefix);
        Contender { search, name: format!("{prefix}{source}"), source }
    }

    /// Reads a list of contenders.
    ///
    /// # Errors
    /// [`ContenderError`].
    pub fn parse_list(text: &str) -> Result<Vec<Contender>, ContenderError> {
        let mut list: Vec<Contender> = Vec::new();
        for part in parts(text) {
            for contender in contenders(part)? {
                if list.iter().any(|known| known.to_string() == contender.to_string()) {
                    return Err(ContenderError::Twice(contender.name));
                }
                list.push(contender);
            }
        }
        Ok(list)
    }
}

/// The text cut before each contender that begins with a search, a file, a program, or is Korf's.
fn parts(text: &str) -> Vec<&str> {
    let (mut starts, mut depth) = (vec![0], 0);
    let mut before = ',';
    for (place, c) in text.char_indices() {
        let rest = &text[place..];
        let is_separator = |c: char| ",; ".contains(c);
        let marked = PREFIXES.iter().map(|(prefix, _)| *prefix).chain(OUTSIDE);
        if depth == 0 && is_separator(before) {
            let korf = rest
                .strip_prefix(KORF)
                .is_some_and(|r| r.is_empty() || r.starts_with(is_separator));
            if korf || marked.clone().any(|mark| rest.starts_with(mark)) {
                starts.push(place);
                let mut tail = rest;
                while let Some((prefix, _)) = PREFIXES.iter().find(|(p, _)| tail.starts_with(p)) {
                    tail = &tail[prefix.len()..];
                }
                if OUTSIDE.iter().any(|mark| tail.starts_with(mark)) {
                    break;
                }
            } else if starts.last().is_some_and(|&start| text[start..].starts_with(KORF))
                && !is_separator(c)
            {
                starts.push(place);
            }
        }
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        before = c;
    }
    starts.push(text.len());
    let cut = |pair: &[usize]| text[pair[0]..pair[1]].trim_matches([',', ';', ' ']);
    let parts: Vec<&str> = starts.windows(2).map(cut).filter(|part| !part.is_empty()).collect();
    // An empty list is an error of the heuristics, and so is a separator without a neighbour.
    if parts.len() < 2 && !OUTSIDE.iter().any(|mark| text.contains(mark)) {
        vec![text]
    } else {
        parts
    }
}

/// The contenders of a part. The text before the first heuristic is for that one alone.
fn contenders(part: &str) -> Result<Vec<Contender>, ContenderError> {
    if part.trim() == KORF {
        let source = Source::Spec("manhattan".parse()?);
        return Ok(vec![Contender { search: Search::Korf1985, source, name: KORF.to_owned() }]);
    }
    let part = part.trim_start();
    let prefixed = PREFIXES.iter().find(|(prefix, _)| part.starts_with(prefix));
    let (search, rest) = match prefixed {
        Some((prefix, search)) => (Some(*search), &part[prefix.len()..]),
        None => (None, part),
    };
    let outside = [
        rest.strip_prefix("file:").map(|path| Source::File(path.into())),
        rest.strip_prefix("program:").map(|command| Source::Program(command.to_owned())),
    ];
    if let Some(source) = outside.into_iter().flatten().next() {
        let has = match search {
            None | Some(Search::Values) => true,
            Some(Search::Ida | Search::AStar(Ties::Lifo)) => matches!(source, Source::Program(_)),
            _ => false,
        };
        return match rest.split_once(':') {
            Some((_, name)) if name.trim().is_empty() => {
                Err(ContenderError::Nameless(rest.to_owned()))
            }
            _ if !has => Err(ContenderError::Outside(part.to_owned())),
            _ => Ok(vec![Contender::new(search, source)]),
        };
    }
    let specs = Spec::parse_list(rest)?.into_iter().enumerate();
    let of = |(i, spec)| Contender::new(search.filter(|_| i == 0), Source::Spec(spec));
    Ok(specs.map(of).collect())
}

/// Writes the source as a contender names it.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Spec(spec) => spec.fmt(f),
            Source::File(path) => write!(f, "file:{}", path.display()),
            Source::Program(command) => write!(f, "program:{command}"),
        }
    }
}

/// Writes the whole name, with the search.
impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.search {
            Search::Korf1985 => f.write_str(KORF),
            search => write!(f, "{}{}", search.prefix(), self.source),
        }
    }
}

/// Reads one contender.
impl FromStr for Contender {
    type Err = ContenderError;

    fn from_str(text: &str) -> Result<Contender, ContenderError> {
        let mut list = Contender::parse_list(text)?;
        match list.len() {
            1 => Ok(list.remove(0)),
            _ => Err(SpecError::Rest(text.to_owned()).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        match Contender::parse_list(text) {
            Ok(list) => list.iter().map(Contender::to_string).collect(),
            Err(error) => vec![format!("! {error}")],
        }
    }

    #[test]
    fn a_name_has_one_meaning() {
        for (text, whole) in [
            ("standard", &["search:standard"][..]),
            ("manhattan, 7-8:mirror", &["ida:manhattan", "ida:7-8:mirror"]),
            ("search:7-8:mirror,5-5-5", &["search:7-8:mirror", "ida:5-5-5"]),
            (
                "1,2/3,4,astar:7-8;values:portfolio",
                &["ida:1,2/3,4", "astar:7-8", "values:portfolio"],
            ),
            (
                "astar:fifo:max(7-8,manhattan) small",
                &["astar:fifo:max(7-8,manhattan)", "search:small"],
            ),
            ("korf1985,manhattan", &["korf1985", "ida:manhattan"]),
            ("7-8,korf1985", &["ida:7-8", "korf1985"]),
            ("manhattan,file:a b,c.csv", &["ida:manhattan", "values:file:a b,c.csv"]),
            ("ida:program:python3 h.py --of ida:7-8", &["ida:program:python3 h.py --of ida:7-8"]),
        ] {
            assert_eq!(list(text), whole, "{text}");
            for name in whole {
                assert_eq!(list(name), [*name]);
            }
        }
    }

    #[test]
    fn nonsense_is_named() {
        for (text, part) in [
            ("", "missing altogether"),
            ("7-8,", "missing"),
            ("manhattan,ida:manhattan", "manhattan appears twice"),
            ("search:program:cat", "a program has values, ida and astar"),
            ("ida:file:x", "a file has values alone"),
            ("program:", "needs a name"),
            ("ida:manhatten", "did you mean manhattan?"),
            ("idastar:7-8", "no heuristic \"idastar\""),
        ] {
            let found = list(text);
            assert!(found[0].starts_with("! ") && found[0].contains(part), "{text}: {found:?}");
        }
    }
}
