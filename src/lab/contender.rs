//! Contenders by name.
//!
//! ```text
//! list      = contender, then any number of ("," or ";" or space) contender
//! contender = search ":" heuristic | heuristic | "korf1985" | "bfs"
//! search    = "ida" | "plain" | "astar" | "astar:fifo" | "values"
//! heuristic = a name as `taquin solve --heuristic` takes it | "file:" path | "program:" command
//! ```
//!
//! The searches have the names of `taquin solve --method`. Without one, bounds such as `7-8:mirror` are tried by plain
//! IDA* (`plain`), whole searches such as `standard` by the search of `taquin solve` (`ida`), and files and programs
//! give only values (`values`). A path or a command goes on to the end of the text, so it is the last of a list.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use taquin_engine::names::meant;

use super::error::Error;
use crate::classics::{Additions, Spec, SpecError, Term, Ties, names};
use crate::solver::Method;

/// The search of a contender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Search {
    /// An optimal method of `taquin solve`. [`Method::Ida`] gives way to the default method of a heuristic that it
    /// does not have.
    By(Method),
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
const WORDS: [&str; 8] = ["ida", "plain", BFS, "astar", "values", "file", "program", KORF];

/// Korf's search, which has one heuristic.
const KORF: &str = "korf1985";

/// Breadth-first search, whose heuristic is `none`.
const BFS: &str = "bfs";

impl Search {
    /// The searches that have a heuristic to compare.
    fn prefixed() -> impl Iterator<Item = Search> {
        let methods = Method::ALL.iter().filter(|it| it.is_optimal() && it.is_guided());
        methods.map(|&method| Search::By(method)).chain([Search::Values])
    }

    pub(super) fn prefix(self) -> String {
        match self {
            Search::By(method) => format!("{method}:"),
            Search::Korf1985 => String::new(),
            Search::Values => "values:".to_owned(),
        }
    }
}

impl Contender {
    fn new(asked: Option<Search>, source: Source) -> Contender {
        let search = asked.unwrap_or(match &source {
            Source::Spec(Spec::Bound(_)) => Search::By(Method::Plain),
            Source::Spec(_) => Search::By(Method::Ida),
            Source::File(_) | Source::Program(_) => Search::Values,
        });
        let prefix = asked.map(Search::prefix).unwrap_or_default();
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
        let manhattan = Spec::Bound(vec![Term::Sum(Additions::NONE)]);
        for (word, search, spec) in
            [(KORF, Search::Korf1985, manhattan), (BFS, Search::By(Method::Ida), Spec::None)]
        {
            if let Some(rest) = front.strip_prefix(word).filter(is_end) {
                let (source, name) = (Source::Spec(spec), word.to_owned());
                return Ok((Contender { search, source, name }, text.len() - rest.len()));
            }
        }
        let asked = Search::prefixed().filter(|search| front.starts_with(&search.prefix()));
        // Some begin as others do.
        let asked = asked.max_by_key(|search| search.prefix().len());
        let rest = &front[asked.map_or(0, |search| search.prefix().len())..];
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
            | (Some(Search::By(Method::Plain | Method::AStar(Ties::Lifo))), Source::Program(_)) => {
                Ok((Contender::new(asked, source), text.len()))
            }
            _ => Err(Error::Refused(format!(
                "{front}: a file supports only values, and a program supports values, plain and astar"
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
            Search::By(Method::Ida) if self.source == Source::Spec(Spec::None) => f.write_str(BFS),
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

    fn list(text: &str) -> Vec<String> {
        Contender::parse_list(text).unwrap().iter().map(Contender::to_string).collect()
    }

    /// Refused contenders stand in `tests/prompt/refusals.md`.
    #[test]
    fn a_name_has_one_meaning() {
        for (text, whole) in [
            ("standard", &["ida:standard"][..]),
            ("manhattan, 7-8:mirror", &["plain:manhattan", "plain:7-8:mirror"]),
            ("ida:7-8:mirror,5-5-5", &["ida:7-8:mirror", "plain:5-5-5"]),
            ("1,2/3,4,astar:7-8;values:small", &["plain:1,2/3,4", "astar:7-8", "values:small"]),
            ("astar:fifo:max(1,2;3) small", &["astar:fifo:max(1,2;3)", "ida:small"]),
            ("korf1985,manhattan", &["korf1985", "plain:manhattan"]),
            ("7-8,korf1985", &["plain:7-8", "korf1985"]),
            ("manhattan,file:a b,c.csv", &["plain:manhattan", "values:file:a b,c.csv"]),
            (
                "plain:program:python3 h.py --of plain:7-8",
                &["plain:program:python3 h.py --of plain:7-8"],
            ),
            ("1,2;3,4; 5.6/7.8", &["plain:1,2", "plain:3,4", "plain:5,6/7,8"]),
            ("max(7-8,1,2/3),manhattan+last-move", &["plain:max(7-8,1,2/3)", "plain:last-move"]),
            ("7-8 5-5-5", &["plain:7-8", "plain:5-5-5"]),
            ("bfs,astar:manhattan", &["bfs", "astar:manhattan"]),
        ] {
            assert_eq!(list(text), whole, "{text}");
            for name in whole {
                assert_eq!(list(name), [*name]);
            }
        }
    }
}
