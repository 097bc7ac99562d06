//! Heuristics by name.
//!
//! ```text
//! list      = spec, then any number of ("," or ";" or space) spec
//! spec      = "standard" | "portfolio" | "together" | bound
//! bound     = "max(" bound, then any number of "," bound ")" | sum
//! sum       = term, then any number of "+" term
//! term      = name or partition, then any of ":plain", ":mirror"
//! partition = a name as in 7-8, or lists of tiles as in 1,2,3/4,5 or 1.2.3/4.5
//! ```
//!
//! - A name is one of [`NAMES`].
//! - A partition stands for the sum of its zero-aware tables, whose names and tiles are those of
//!   [`Partition::parse`](crate::pdb::Partition::parse). With `:plain` the tables ignore the blank
//!   (see [`PlainTable`](crate::pdb::PlainTable)), with `:mirror` the larger value of a position
//!   and its mirror image counts.
//! - A sum is refused unless no move is counted twice: Manhattan distance with any of linear
//!   conflict, corner tiles and last move, which [`EnhancedManhattan`](super::EnhancedManhattan)
//!   adds up safely; and tables of disjoint lists of tiles.
//! - `standard`, `portfolio` and `together` are no bounds but whole searches, which the programs
//!   know.
//!
//! Nothing of it needs quotes in a shell but the parentheses of `max`.

use std::fmt;
use std::str::FromStr;

use super::Additions;

/// What a search is to be guided by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Spec {
    /// The fast search with the standard tables of a board's size, and their mirror.
    Standard,
    /// The same with several partitions, of which it takes the best.
    Portfolio,
    /// The same with two partitions at every node.
    Together,
    /// The largest of these lower bounds: one or more, none twice.
    Bound(Vec<Term>),
}

/// One lower bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// Manhattan distance, and what is added to it.
    Manhattan(Additions),
    /// Walking distance.
    WalkingDistance,
    /// The sum of the tables of a partition.
    Tables {
        /// Its name, or its lists of tiles.
        partition: String,
        /// Whether the tables ignore the blank.
        plain: bool,
        /// Whether the position's mirror image is looked up too.
        mirror: bool,
    },
}

/// Why a text names no heuristic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A word that is neither a name nor could be a partition.
    #[error("there is no heuristic {0:?}: {KNOWN}")]
    Unknown(String),
    /// Nothing where a name is needed.
    #[error("a heuristic is missing {place}: {KNOWN}")]
    Missing {
        /// Where.
        place: String,
    },
    /// A modifier that does not exist.
    #[error(
        "there is no {0:?}: tables can be followed by :plain, which ignores the blank, and by :mirror"
    )]
    Modifier(String),
    /// A modifier of something else than tables.
    #[error("{term} cannot be {modifier}: only tables, as in 7-8:{modifier}, can")]
    NoTables {
        /// What it followed.
        term: String,
        /// The modifier.
        modifier: &'static str,
    },
    /// A sum that may exceed the optimal number of moves.
    #[error(
        "{0}+{1} would not be admissible, as both may count the same moves: take the larger with \
         'max({0},{1})'; sums are for manhattan, linear-conflict, corner-tiles and last-move, and for \
         tables of disjoint lists of tiles, as in 1,2,3+4,5,6"
    )]
    NotAdmissible(String, String),
    /// Tables of a sum with different modifiers.
    #[error("{0}+{1}: tables that are summed up have the same modifiers")]
    Modifiers(String, String),
    /// A search where a bound is needed.
    #[error("{0} is a whole search, and cannot be part of a sum or a maximum")]
    Whole(String),
    /// An opening bracket without its closing one, or the other way round.
    #[error("a {0:?} is missing")]
    Bracket(char),
    /// More than one heuristic where one is needed.
    #[error("{0:?} follows the heuristic: to take the larger of several, write 'max(…,…)'")]
    Rest(String),
}

/// The names of bounds that need no tables, and of the searches.
pub const NAMES: [&str; 8] = [
    "manhattan",
    "linear-conflict",
    "corner-tiles",
    "last-move",
    "walking-distance",
    "standard",
    "portfolio",
    "together",
];

/// What exists, for messages.
const KNOWN: &str = "write manhattan, linear-conflict, corner-tiles, last-move or sums of these with +, \
                     walking-distance, tables as in 7-8, 6-6-3, 5-5-5, 4-4-4-3 or 1,2,3/4,5,6 (with :plain \
                     or :mirror or both), 'max(…,…)', standard, portfolio or together";

impl Term {
    /// The name of an addition to Manhattan distance alone.
    fn named(name: &str) -> Option<Term> {
        let mut additions = Additions::NONE;
        match name {
            "manhattan" => {}
            "linear-conflict" => additions.linear_conflict = true,
            "corner-tiles" => additions.corner_tiles = true,
            "last-move" => additions.last_move = true,
            "walking-distance" => return Some(Term::WalkingDistance),
            _ => return None,
        }
        Some(Term::Manhattan(additions))
    }

    /// The sum of two bounds, if it is one.
    fn plus(self, other: Term) -> Result<Term, SpecError> {
        use Term::{Manhattan, Tables};
        match (self, other) {
            (Manhattan(a), Manhattan(b)) => Ok(Manhattan(Additions {
                linear_conflict: a.linear_conflict | b.linear_conflict,
                corner_tiles: a.corner_tiles | b.corner_tiles,
                last_move: a.last_move | b.last_move,
            })),
            // Whether the lists are disjoint is seen when they are read.
            (
                Tables { partition: a, plain, mirror },
                Tables { partition: b, plain: p, mirror: m },
            ) if is_lists(&a) && is_lists(&b) => {
                if (plain, mirror) == (p, m) {
                    Ok(Tables { partition: format!("{a}/{b}"), plain, mirror })
                } else {
                    let name =
                        |partition, plain, mirror| Tables { partition, plain, mirror }.to_string();
                    Err(SpecError::Modifiers(name(a, plain, mirror), name(b, p, m)))
                }
            }
            (a, b) => Err(SpecError::NotAdmissible(a.to_string(), b.to_string())),
        }
    }
}

/// Whether a partition is given by its tiles.
fn is_lists(partition: &str) -> bool {
    !partition.contains('-')
}

impl Spec {
    /// Several specifications, parted by commas, semicolons or spaces.
    ///
    /// Two partitions given by their tiles are better parted by a semicolon, as a comma may go on
    /// with the list.
    ///
    /// # Errors
    /// [`SpecError`]; also where there is none.
    pub fn parse_list(text: &str) -> Result<Vec<Spec>, SpecError> {
        let mut parser = Parser { text, rest: text };
        let mut specs = Vec::new();
        loop {
            specs.push(parser.spec()?);
            parser.skip_spaces();
            if parser.rest.is_empty() {
                return Ok(specs);
            }
            // A space alone will do.
            let _ = parser.take(',') || parser.take(';');
        }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let mut parser = Parser { text, rest: text };
        let spec = parser.spec()?;
        parser.skip_spaces();
        match parser.rest {
            "" => Ok(spec),
            ")" => Err(SpecError::Bracket('(')),
            rest => Err(SpecError::Rest(rest.to_owned())),
        }
    }
}

/// Reads from the front of a text.
struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, c: char) -> bool {
        self.skip_spaces();
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn missing(&self) -> SpecError {
        let read = self.text[..self.text.len() - self.rest.len()].trim_end();
        let place = match (read, self.text.trim()) {
            (_, "") => "altogether".to_owned(),
            ("", _) => format!("before {:?}", self.rest),
            (read, _) => format!("after {read:?}"),
        };
        SpecError::Missing { place }
    }

    /// The letters, digits, hyphens and underscores ahead.
    fn word(&self) -> &'a str {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
        &self.rest[..end.unwrap_or(self.rest.len())]
    }

    fn spec(&mut self) -> Result<Spec, SpecError> {
        self.skip_spaces();
        let word = self.word();
        let whole = match word {
            "standard" => Spec::Standard,
            "portfolio" => Spec::Portfolio,
            "together" => Spec::Together,
            _ => return self.bound().map(Spec::Bound),
        };
        self.rest = &self.rest[word.len()..];
        if self.take('+') { Err(SpecError::Whole(word.to_owned())) } else { Ok(whole) }
    }

    fn bound(&mut self) -> Result<Vec<Term>, SpecError> {
        self.skip_spaces();
        let Some(rest) = self.rest.strip_prefix("max").filter(|rest| rest.starts_with(['(', ' ']))
        else {
            return Ok(vec![self.sum()?]);
        };
        let start = self.rest;
        self.rest = rest;
        if !self.take('(') {
            return Err(SpecError::Bracket('('));
        }
        let mut terms = Vec::new();
        loop {
            for term in self.bound()? {
                if !terms.contains(&term) {
                    terms.push(term);
                }
            }
            if self.take(')') {
                break;
            }
            if !self.take(',') && !self.take(';') {
                return match self.rest {
                    "" => Err(SpecError::Bracket(')')),
                    rest => Err(SpecError::Rest(rest.to_owned())),
                };
            }
        }
        if self.take('+') {
            let maximum = &start[..start.len() - self.rest.len() - 1];
            return Err(SpecError::NotAdmissible(maximum.to_owned(), self.sum()?.to_string()));
        }
        Ok(terms)
    }

    fn sum(&mut self) -> Result<Term, SpecError> {
        let mut sum = self.term()?;
        while self.take('+') {
            sum = sum.plus(self.term()?)?;
        }
        Ok(sum)
    }

    fn term(&mut self) -> Result<Term, SpecError> {
        self.skip_spaces();
        let word = self.word();
        if word.is_empty() {
            return Err(self.missing());
        }
        let mut term = match Term::named(word) {
            Some(term) => term,
            None if ["standard", "portfolio", "together"].contains(&word) => {
                return Err(SpecError::Whole(word.to_owned()));
            }
            None if word.starts_with(|c: char| c.is_ascii_digit()) => {
                Term::Tables { partition: self.partition(), plain: false, mirror: false }
            }
            None => return Err(SpecError::Unknown(word.to_owned())),
        };
        if !matches!(term, Term::Tables { .. }) {
            self.rest = &self.rest[word.len()..];
        }
        while self.rest.starts_with(':') {
            self.rest = &self.rest[1..];
            let modifier = self.word();
            self.rest = &self.rest[modifier.len()..];
            let modifier = match modifier {
                "plain" => "plain",
                "mirror" => "mirror",
                other => return Err(SpecError::Modifier(format!(":{other}"))),
            };
            match &mut term {
                Term::Tables { plain, .. } if modifier == "plain" => *plain = true,
                Term::Tables { mirror, .. } => *mirror = true,
                term => return Err(SpecError::NoTables { term: term.to_string(), modifier }),
            }
        }
        Ok(term)
    }

    /// A name, or lists of tiles: they go on as long as numbers follow that begin no name.
    fn partition(&mut self) -> String {
        let word = self.word();
        self.rest = &self.rest[word.len()..];
        let number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        let mut lists = word.to_owned();
        if !number(word) {
            return lists;
        }
        while let Some(rest) = self.rest.strip_prefix([',', '.', '/']) {
            let next = Parser { text: rest, rest }.word();
            if !number(next) {
                break;
            }
            lists.push(if self.rest.starts_with('/') { '/' } else { ',' });
            lists += next;
            self.rest = &rest[next.len()..];
        }
        lists
    }
}

/// As it is parsed.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Standard => f.pad("standard"),
            Spec::Portfolio => f.pad("portfolio"),
            Spec::Together => f.pad("together"),
            Spec::Bound(terms) => match &terms[..] {
                [term] => f.pad(&term.to_string()),
                terms => {
                    let terms: Vec<_> = terms.iter().map(Term::to_string).collect();
                    f.pad(&format!("max({})", terms.join(",")))
                }
            },
        }
    }
}

/// As it is parsed.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Manhattan(additions) => {
                let names = [
                    (additions.linear_conflict, "linear-conflict"),
                    (additions.corner_tiles, "corner-tiles"),
                    (additions.last_move, "last-move"),
                ];
                let names: Vec<_> =
                    names.iter().filter(|(added, _)| *added).map(|(_, name)| *name).collect();
                match names[..] {
                    [one] => f.write_str(one),
                    [] => f.write_str("manhattan"),
                    _ => write!(f, "manhattan+{}", names.join("+")),
                }
            }
            Term::WalkingDistance => f.write_str("walking-distance"),
            Term::Tables { partition, plain, mirror } => {
                f.write_str(partition)?;
                f.write_str(if *plain { ":plain" } else { "" })?;
                f.write_str(if *mirror { ":mirror" } else { "" })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match text.parse::<Spec>() {
            Ok(spec) => {
                assert_eq!(spec.to_string().parse(), Ok(spec.clone()), "{text}");
                spec.to_string()
            }
            Err(error) => format!("! {error}"),
        }
    }

    #[test]
    fn names_sums_and_maxima() {
        for text in NAMES.into_iter().chain([
            "7-8",
            "7-8b:mirror",
            "5-5-5:plain",
            "6-6-3:plain:mirror",
            "1,2,3/4,5,6:mirror",
            "12",
            "manhattan+linear-conflict+corner-tiles+last-move",
            "max(walking-distance,linear-conflict)",
            "max(1,2/3,7-8,7-8b)",
        ]) {
            assert_eq!(shown(text), text);
        }
        for (text, same) in [
            (" manhattan ", "manhattan"),
            ("manhattan + linear-conflict", "linear-conflict"),
            ("last-move+corner-tiles", "manhattan+corner-tiles+last-move"),
            ("linear-conflict+linear-conflict", "linear-conflict"),
            ("1.2.3/4.5", "1,2,3/4,5"),
            ("1,2+3,4", "1,2/3,4"),
            ("1,2:plain+3:plain", "1,2/3:plain"),
            ("7-8:mirror:plain", "7-8:plain:mirror"),
            ("max(7-8)", "7-8"),
            ("max( 7-8 , max(7-8, 5-5-5) )", "max(7-8,5-5-5)"),
            ("max (7-8;1,2)", "max(7-8,1,2)"),
        ] {
            assert_eq!(shown(text), same);
        }
    }

    #[test]
    fn lists_of_specifications() {
        let list = |text: &str| -> Vec<String> {
            Spec::parse_list(text).unwrap().iter().map(Spec::to_string).collect()
        };
        assert_eq!(list("manhattan,7-8:mirror"), ["manhattan", "7-8:mirror"]);
        assert_eq!(list("1,2/3,4,7-8,standard"), ["1,2/3,4", "7-8", "standard"]);
        assert_eq!(list("1,2;3,4; 5.6/7.8"), ["1,2", "3,4", "5,6/7,8"]);
        assert_eq!(list("max(7-8,1,2/3),manhattan+last-move"), ["max(7-8,1,2/3)", "last-move"]);
        assert_eq!(list("7-8 5-5-5"), ["7-8", "5-5-5"]);
        for bad in ["", " ", ",", "7-8,", "7-8,,5-5-5", "7-8)", "max(7-8", "max(7-8 5-5-5)"] {
            assert!(Spec::parse_list(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn nonsense_is_named() {
        for (text, part) in [
            ("", "missing altogether"),
            ("+manhattan", "missing before \"+manhattan\""),
            ("manhattan+", "missing after \"manhattan+\""),
            ("max()", "missing after \"max(\""),
            ("manhatten", "no heuristic \"manhatten\": write manhattan, linear-conflict"),
            ("maximum(7-8)", "no heuristic \"maximum\""),
            ("7-8:mirrored", "no \":mirrored\""),
            ("7-8:", "no \":\""),
            ("manhattan:mirror", "manhattan cannot be mirror"),
            ("walking-distance:plain", "walking-distance cannot be plain"),
            ("walking-distance+linear-conflict", "'max(walking-distance,linear-conflict)'"),
            ("7-8+manhattan", "not be admissible"),
            ("7-8+5-5-5", "not be admissible"),
            ("1,2:plain+3,4", "same modifiers"),
            ("max(7-8,5-5-5)+manhattan", "'max(max(7-8,5-5-5),manhattan)'"),
            ("standard+manhattan", "standard is a whole search"),
            ("max(standard,7-8)", "standard is a whole search"),
            ("manhattan+portfolio", "portfolio is a whole search"),
            ("max(7-8", "a ')' is missing"),
            ("7-8)", "a '(' is missing"),
            ("max 7-8", "a '(' is missing"),
            ("7-8 5-5-5", "\"5-5-5\" follows"),
            ("7-8é", "there is"),
        ] {
            let message = shown(text);
            if text == "7-8é" {
                // Whether a partition has that name is for the board's size to say.
                assert_eq!(message, text);
            } else {
                assert!(message.starts_with("! ") && message.contains(part), "{text}: {message}");
            }
        }
    }
}
