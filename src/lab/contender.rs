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
//! `standard` by the search of `taquin solve` (`search`), and files and programs give only values
//! (`values`). A path or a command goes on to the end of the text, so it is the last of a list.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use taquin_engine::names::meant;

use super::error::Error;
use crate::reference::{Spec, SpecError, Ties, names};

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
    /// No search: only the value of each board.
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

/// The error of a text that names no heuristic. It names what it may be meant for, or the way out.
fn unknown(error: SpecError) -> Error {
    let SpecError::Unknown(word) = &error else {
        return Error::Refused(error.to_string());
    };
    let known = names().map(|(name, _)| name).chain(WORDS);
    let known: Vec<&str> = known.filter(|known| known != word).collect();
    Error::Refused(match meant(word, &known) {
        Some(question) => format!("there is no heuristic {word:?}: {question}"),
        None => format!("{error}; for one of your own, program:COMMAND or file:FILE"),
    })
}

/// The beginnings of contenders that are not a heuristic.
const WORDS: [&str; 7] = ["search", "ida", "astar", "values", "file", "program", KORF];

const PREFIXES: [(&str, Search); 5] = [
    ("search:", Search::Solve),
    ("ida:", Search::Ida),
    ("astar:fifo:", Search::AStar(Ties::Fifo)),
    ("astar:", Search::AStar(Ties::Lifo)),
    ("values:", Search::Values),
];

/// Korf's search, which has one heuristic.
const KORF: &str = "korf1985";

impl Search {
    pub(super) fn prefix(self) -> &'static str {
        PREFIXES.iter().find(|(_, search)| *search == self).map_or("", |(prefix, _)| prefix)
    }
}

impl Contender {
    fn new(asked: Option<Search>, source: Source) -> Contender {
        let search = asked.unwrap_or(match &source {
            Source::Spec(Spec::Bound(_)) => Search::Ida,
            Source::Spec(_) => Search::Solve,
            Source::File(_) | Source::Program(_) => Search::Values,
        });
        let prefix = asked.map_or("", Search::prefix);
        Contender { search, name: format!("{prefix}{source}"), source }
    }

    /// Reads a list of contenders.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub fn parse_list(text: &str) -> Result<Vec<Contender>, Error> {
        let (mut list, mut at): (Vec<Contender>, usize) = (Vec::new(), 0);
        loop {
            let (contender, end) = Contender::at(text, at)?;
            if list.iter().any(|known| known.to_string() == contender.to_string()) {
                return Err(Error::Refused(format!("{} appears twice", contender.name)));
            }
            list.push(contender);
            let rest = text[end..].trim_start();
            if rest.is_empty() {
                return Ok(list);
            }
            // A space alone is enough.
            at = text.len() - rest.strip_prefix([',', ';']).unwrap_or(rest).len();
        }
    }

    /// Reads the contender at a place of a text, and returns the place after it. A path or a command goes on
    /// to the end.
    fn at(text: &str, at: usize) -> Result<(Contender, usize), Error> {
        let front = text[at..].trim_start();
        let is_end = |rest: &&str| rest.is_empty() || rest.starts_with([',', ';', ' ']);
        if let Some(rest) = front.strip_prefix(KORF).filter(is_end) {
            let (source, name) =
                (Source::Spec("manhattan".parse().map_err(unknown)?), KORF.to_owned());
            let contender = Contender { search: Search::Korf1985, source, name };
            return Ok((contender, text.len() - rest.len()));
        }
        let prefixed = PREFIXES.iter().find(|(prefix, _)| front.starts_with(prefix));
        let (prefix, asked) =
            prefixed.map_or(("", None), |&(prefix, search)| (prefix, Some(search)));
        let rest = &front[prefix.len()..];
        let outside = rest.trim_end_matches([',', ';', ' ']);
        let source = match outside.split_once(':') {
            Some(("file", path)) => Source::File(path.into()),
            Some(("program", command)) => Source::Program(command.to_owned()),
            _ => {
                let (spec, end) = Spec::parse_at(text, text.len() - rest.len()).map_err(unknown)?;
                return Ok((Contender::new(asked, Source::Spec(spec)), end));
            }
        };
        match (asked, &source) {
            _ if outside.ends_with(':') && outside.matches(':').count() == 1 => {
                Err(Error::Refused(format!("{outside} needs a name after the colon")))
            }
            (None | Some(Search::Values), _)
            | (Some(Search::Ida | Search::AStar(Ties::Lifo)), Source::Program(_)) => {
                Ok((Contender::new(asked, source), text.len()))
            }
            _ => Err(Error::Refused(format!(
                "{front}: a file supports only values, and a program supports values, ida and astar"
            ))),
        }
    }
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
    type Err = Error;

    fn from_str(text: &str) -> Result<Contender, Error> {
        let mut list = Contender::parse_list(text)?;
        match list.get(1) {
            None => Ok(list.remove(0)),
            Some(second) => Err(Error::Refused(SpecError::Rest(second.name.clone()).to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Method;

    /// The compiler asks for the search of a new method here; one that is optimal has a search.
    #[test]
    fn optimal_methods_have_searches() {
        let search = |method| match method {
            Method::Ida => Some(Search::Solve),
            Method::Plain => Some(Search::Ida),
            Method::AStar(ties) => Some(Search::AStar(ties)),
            // It has no heuristic to compare.
            Method::Bfs => None,
            Method::Beam | Method::Staged | Method::Greedy => None,
        };
        let methods = Method::names().map(|(name, _)| name.parse().unwrap());
        let mut searches: Vec<Search> = methods.filter_map(search).collect();
        searches.push(Search::Values);
        assert!(PREFIXES.iter().all(|(_, search)| searches.contains(search)), "{searches:?}");
        assert!(searches.iter().all(|search| !search.prefix().is_empty()), "{searches:?}");
    }

    fn list(text: &str) -> Vec<String> {
        Contender::parse_list(text).unwrap().iter().map(Contender::to_string).collect()
    }

    /// Refused contenders stand in `tests/prompt/refusals.md`.
    #[test]
    fn a_name_has_one_meaning() {
        for (text, whole) in [
            ("standard", &["search:standard"][..]),
            ("manhattan, 7-8:mirror", &["ida:manhattan", "ida:7-8:mirror"]),
            ("search:7-8:mirror,5-5-5", &["search:7-8:mirror", "ida:5-5-5"]),
            ("1,2/3,4,astar:7-8;values:small", &["ida:1,2/3,4", "astar:7-8", "values:small"]),
            ("astar:fifo:max(1,2;3) small", &["astar:fifo:max(1,2;3)", "search:small"]),
            ("korf1985,manhattan", &["korf1985", "ida:manhattan"]),
            ("7-8,korf1985", &["ida:7-8", "korf1985"]),
            ("manhattan,file:a b,c.csv", &["ida:manhattan", "values:file:a b,c.csv"]),
            ("ida:program:python3 h.py --of ida:7-8", &["ida:program:python3 h.py --of ida:7-8"]),
            ("1,2;3,4; 5.6/7.8", &["ida:1,2", "ida:3,4", "ida:5,6/7,8"]),
            ("max(7-8,1,2/3),manhattan+last-move", &["ida:max(7-8,1,2/3)", "ida:last-move"]),
            ("7-8 5-5-5", &["ida:7-8", "ida:5-5-5"]),
        ] {
            assert_eq!(list(text), whole, "{text}");
            for name in whole {
                assert_eq!(list(name), [*name]);
            }
        }
    }
}
