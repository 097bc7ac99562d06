//! Heuristics by name.
//!
//! ```text
//! spec      = "standard" | "none" | "learned", then perhaps "+" guided | guided
//! guided    = "portfolio" | "combined" | "small" | bound
//! bound     = "max(" bound, then any number of "," bound ")" | sum
//! sum       = term, then any number of "+" term
//! term      = name | partition, then any of ":plain", ":mirror"
//! partition = a name as in 7-8, or lists of tiles as in 1,2,3/4,5 or 1.2.3/4.5
//! ```
//!
//! - A name is one of [`names`].
//! - A partition stands for the sum of its zone-aware tables. Its names and tiles are as in
//!   [`Partition::parse`]. With `:plain` the tables ignore the blank (see
//!   [`PlainTable`](taquin_engine::pdb::PlainTable)). With `:mirror` the larger value of a position and its
//!   mirror image counts.
//! - A sum is refused unless no move is counted twice. The terms may be the heuristics that
//!   [`EnhancedManhattan`](crate::EnhancedManhattan) adds up, or tables of disjoint lists of tiles.
//! - `standard`, `portfolio`, `combined` and `small` are not bounds but whole searches.
//! - `learned` ranks the positions of beams by learned weights, together with the tables of another search if
//!   one is given after it.
//! - The answer of a search names the heuristic that ran, never `standard` where that depends on the size or
//!   on the databases that are there. Its name can be parsed again, and stands for the same search.
//!
//! In a shell only the parentheses of `max` need quotes.

use std::fmt;
use std::str::FromStr;

use taquin_engine::pdb::Partition;

use crate::Additions;

/// A choice of the heuristic that guides a search.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Spec {
    /// The fast search with the standard tables for a board's size, and their mirror.
    Standard,
    /// The fast search with several partitions. It tries another one if a board is hard.
    Portfolio,
    /// The fast search with two partitions, of which the larger value counts at every node.
    Combined,
    /// The fast search with the partitions of a catalogue.
    Catalogue(&'static str),
    /// Learned weights that rank the positions of beams, together with another search if there is one.
    Learned(Option<Box<Spec>>),
    /// No heuristic, for breadth-first search.
    None,
    /// The largest of these lower bounds: at least one, and no two equal.
    Bound(Vec<Term>),
}

/// Makes the names with their summaries, the meaning of a name, and the text of a term, from one table: bounds without
/// tables, simple ones first, and whole searches. The compiler asks for a term that is not among them.
macro_rules! names {
    (
        $([$($term:tt)+] $term_name:literal $term_summary:literal;)+
        $($name:literal => $search:expr, $summary:literal;)+
    ) => {
        const NAMES: &[(&str, &str)] = &[$(($term_name, $term_summary),)+ $(($name, $summary)),+];

        /// The meaning of a name.
        fn meaning(name: &str) -> Option<Spec> {
            Some(match name {
                $($term_name => Spec::Bound(vec![$($term)+]),)+
                $($name => $search,)+
                _ => return None,
            })
        }

        /// Writes the bound as it is parsed.
        impl fmt::Display for Term {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $($($term)+ => f.write_str($term_name),)+
                    Term::Sum(sum) => f.write_str(&list("+", |named| is_part(named, *sum))),
                    Term::Tables { partition, plain, mirror } => {
                        f.write_str(partition)?;
                        f.write_str(if *plain { ":plain" } else { "" })?;
                        f.write_str(if *mirror { ":mirror" } else { "" })
                    }
                }
            }
        }
    };
}
names! {
    [Term::Misplaced] "misplaced"
        "the tiles that are not in their goal cells, rounded up to the parity of the distance";
    [Term::Sum(Additions::NONE)] "manhattan"
        "the sum of the tiles' distances from their goal cells";
    [Term::Sum(Additions::LINEAR_CONFLICT)] "linear-conflict"
        "Manhattan distance, and tiles that block each other in their goal line";
    [Term::Sum(Additions::CORNER_TILES)] "corner-tiles"
        "Manhattan distance, plus moves that let a tile into a corner";
    [Term::Sum(Additions::LAST_MOVE)] "last-move"
        "Manhattan distance, and the detour of the tile that makes the last move";
    [Term::WalkingDistance] "walking-distance"
        "the moves that bring all tiles to their goal rows and columns, where only the blank lets tiles pass; up to \
         4x4, 5x3 and 6x2";
    "standard" => Spec::Standard, "the fast search with the standard databases and their mirror";
    "portfolio" => Spec::Portfolio, "the fast search, with other partitions for hard boards (4x4)";
    "combined" => Spec::Combined, "the fast search with two partitions at every node (4x4)";
    "small" => Spec::Catalogue("small"), "the fast search with the seven partitions of the catalogue small (5x5)";
    "learned" => Spec::Learned(None), "learned weights, for beams; with databases too as in learned+7-8:mirror";
    "none" => Spec::None, "no heuristic, for breadth-first search";
}

/// The names of bounds that need no tables and of whole searches, each with a summary of one line.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    NAMES.iter().copied()
}

/// The names whose meaning is one of these, in a row.
fn list(separator: &str, is_one: impl Fn(&Spec) -> bool) -> String {
    let names = names().map(|(name, _)| name);
    let names = names.filter(|name| meaning(name).as_ref().is_some_and(&is_one));
    names.collect::<Vec<_>>().join(separator)
}

/// Returns whether a specification is Manhattan distance with some of these additions.
fn is_part(spec: &Spec, whole: Additions) -> bool {
    matches!(spec, Spec::Bound(terms) if matches!(terms[..], [Term::Sum(part)] if whole.contains(part)))
}

/// One lower bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Term {
    /// [`Misplaced`](crate::Misplaced).
    Misplaced,
    /// Manhattan distance and additions to it.
    Sum(Additions),
    /// [`WalkingDistance`](crate::WalkingDistance).
    WalkingDistance,
    /// The sum of the tables of a partition.
    Tables {
        /// The name of the partition, or its lists of tiles.
        partition: String,
        /// Whether the tables ignore the blank.
        plain: bool,
        /// Whether the position's mirror image is looked up too.
        mirror: bool,
    },
}

/// The reason why a text describes no heuristic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A word that is neither a name nor the start of a partition.
    #[error("there is no heuristic {0:?}: {advice}", advice = meant(.0).unwrap_or_else(known))]
    Unknown(String),
    /// More than one heuristic where one is needed.
    #[error("{0:?} follows the heuristic: to take the larger of several, write 'max(…,…)'")]
    Rest(String),
    /// Something is missing, or cannot be combined.
    #[error("{0}")]
    Refused(String),
}

/// The error of a bracket without its partner.
fn bracket(missing: char) -> SpecError {
    SpecError::Refused(format!("a {missing:?} is missing"))
}

/// The error of a search where a bound is needed.
fn whole(name: &str) -> SpecError {
    let text = format!("{name} is a whole search, and cannot be part of a sum or a maximum");
    SpecError::Refused(text)
}

/// The error of a sum that may exceed the optimal number of moves.
fn not_admissible(a: &str, b: &str) -> SpecError {
    SpecError::Refused(format!(
        "{a}+{b} would not be admissible, as both may count the same moves: take the larger with \
         'max({a},{b})'; sums are for {}, and for tables of disjoint lists of tiles, as in 1,2,3+4,5,6",
        sums()
    ))
}

/// The names of the bounds that can be terms of a sum.
fn sums() -> String {
    list(", ", |spec| is_part(spec, Additions::ALL))
}

/// A list of everything that can be written, for messages.
fn known() -> String {
    let is_bound = |spec: &Spec| matches!(spec, Spec::Bound(_));
    format!(
        "write {} or sums of these with +, {}, tables as in 7-8, 6-6-3, 5-5-5, 4-4-4-3 or \
         1,2,3/4,5,6 (with :plain or :mirror or both), 'max(…,…)', {}",
        sums(),
        list(", ", |spec| is_bound(spec) && !is_part(spec, Additions::ALL)),
        list(", ", |spec| !is_bound(spec)),
    )
}

impl Term {
    fn is_lists(&self) -> bool {
        matches!(self, Term::Tables { partition, .. } if Partition::is_lists(partition))
    }

    /// The sum of two bounds, if it is a bound.
    fn plus(self, other: Term) -> Result<Term, SpecError> {
        use Term::{Sum, Tables};
        match (&self, &other) {
            (Sum(a), Sum(b)) => Ok(Sum(a.union(*b))),
            // The source of the tables refuses lists that are not disjoint.
            (
                Tables { partition: a, plain, mirror },
                Tables { partition: b, plain: p, mirror: m },
            ) if Partition::is_lists(a) && Partition::is_lists(b) => {
                if (plain, mirror) != (p, m) {
                    return Err(SpecError::Refused(format!(
                        "{self}+{other}: tables that are added up must have the same modifiers"
                    )));
                }
                Ok(Tables { partition: format!("{a}/{b}"), plain: *plain, mirror: *mirror })
            }
            _ => Err(not_admissible(&self.to_string(), &other.to_string())),
        }
    }
}

fn all_names() -> Vec<&'static str> {
    names().map(|(name, _)| name).collect()
}

/// A question for the name that a word may be meant for.
fn meant(word: &str) -> Option<String> {
    taquin_engine::names::meant(word, &all_names())
}

/// The name that a word stands for, and its meaning. The word may be a unique prefix of the name.
fn named(word: &str) -> Option<(&'static str, Spec)> {
    let name = taquin_engine::names::find(word, &all_names())?;
    Some((name, meaning(name)?))
}

impl Spec {
    /// Returns whether it names tiles of the board, as `1,2/3` does.
    pub fn has_lists(&self) -> bool {
        let is_lists = |term: &Term| matches!(term, Term::Tables { partition, .. } if Partition::is_lists(partition));
        match self {
            Spec::Bound(terms) => terms.iter().any(is_lists),
            Spec::Learned(guided) => guided.as_ref().is_some_and(|guided| guided.has_lists()),
            Spec::Standard | Spec::Portfolio | Spec::Combined | Spec::Catalogue(_) | Spec::None => {
                false
            }
        }
    }

    /// Parses the specification that begins at a place of a text, and returns the place after it.
    ///
    /// After a comma a list of tiles continues; a semicolon separates two partitions given by their tiles.
    ///
    /// # Errors
    /// [`SpecError`].
    pub fn parse_at(text: &str, place: usize) -> Result<(Spec, usize), SpecError> {
        if text.len() > LONGEST {
            return Err(SpecError::Refused(format!("it has more than {LONGEST} bytes")));
        }
        let mut parser = Parser { text, rest: &text[place..] };
        let spec = parser.spec()?;
        Ok((spec, text.len() - parser.rest.len()))
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let (spec, end) = Spec::parse_at(text, 0)?;
        match text[end..].trim_start() {
            "" => Ok(spec),
            ")" => Err(bracket('(')),
            rest => Err(SpecError::Rest(rest.to_owned())),
        }
    }
}

/// Reads from the front of a text.
struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
}

/// The longest text: nested maxima without an end would overflow the stack.
const LONGEST: usize = 4096;

impl<'a> Parser<'a> {
    fn take(&mut self, c: char) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn missing(&self) -> SpecError {
        let read = self.text[..self.text.len() - self.rest.len()].trim_end();
        let message = match (read, self.text.trim()) {
            (_, "") => "no heuristic is given".to_owned(),
            ("", _) => format!("a heuristic is missing before {:?}", self.rest),
            (read, _) => format!("a heuristic is missing after {read:?}"),
        };
        SpecError::Refused(format!("{message}: {}", known()))
    }

    /// The letters, digits, hyphens and underscores ahead.
    fn peek(&self) -> &'a str {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
        &self.rest[..end.unwrap_or(self.rest.len())]
    }

    /// Reads them.
    fn word(&mut self) -> &'a str {
        let word = self.peek();
        self.rest = &self.rest[word.len()..];
        word
    }

    fn spec(&mut self) -> Result<Spec, SpecError> {
        self.rest = self.rest.trim_start();
        let (name, search) = match named(self.peek()) {
            Some((_, Spec::Bound(_))) | None => return self.bound().map(Spec::Bound),
            Some(search) => search,
        };
        self.word();
        match (search, self.take('+')) {
            (search, false) => Ok(search),
            (Spec::Learned(_), true) => match self.spec()? {
                whole @ (Spec::Standard | Spec::Learned(_) | Spec::None) => {
                    Err(self::whole(&whole.to_string()))
                }
                spec => Ok(Spec::Learned(Some(Box::new(spec)))),
            },
            _ => Err(whole(name)),
        }
    }

    fn bound(&mut self) -> Result<Vec<Term>, SpecError> {
        self.rest = self.rest.trim_start();
        let Some(rest) = self.rest.strip_prefix("max").filter(|rest| rest.starts_with(['(', ' ']))
        else {
            return Ok(vec![self.sum()?]);
        };
        let start = self.rest;
        self.rest = rest;
        if !self.take('(') {
            return Err(bracket('('));
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
                    "" => Err(bracket(')')),
                    rest => Err(SpecError::Rest(rest.to_owned())),
                };
            }
        }
        if self.take('+') {
            let maximum = &start[..start.len() - self.rest.len() - 1];
            return Err(not_admissible(maximum, &self.sum()?.to_string()));
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
        self.rest = self.rest.trim_start();
        let mut term = match self.peek() {
            "" => return Err(self.missing()),
            word if word.starts_with(|c: char| c.is_ascii_digit()) => {
                Term::Tables { partition: self.partition(), plain: false, mirror: false }
            }
            word => {
                let mut terms = match named(word) {
                    Some((_, Spec::Bound(terms))) => terms,
                    Some((name, _)) => return Err(whole(name)),
                    None => return Err(SpecError::Unknown(word.to_owned())),
                };
                self.word();
                terms.remove(0)
            }
        };
        while let Some(rest) = self.rest.strip_prefix(':') {
            self.rest = rest;
            match (&*self.word().to_ascii_lowercase(), &mut term) {
                ("plain", Term::Tables { plain, .. }) => *plain = true,
                ("mirror", Term::Tables { mirror, .. }) => *mirror = true,
                (modifier @ ("plain" | "mirror"), term) => {
                    return Err(SpecError::Refused(format!(
                        "{term} cannot be {modifier}: only tables, as in 7-8:{modifier}, can"
                    )));
                }
                (other, _) => {
                    return Err(SpecError::Refused(format!(
                        "there is no \":{other}\": a heuristic by tables may end in :plain, which \
                         ignores the blank, and in :mirror"
                    )));
                }
            }
        }
        Ok(term)
    }

    /// A name, or lists of tiles. The lists go on as long as plain numbers follow.
    fn partition(&mut self) -> String {
        let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        let mut lists = self.word().to_ascii_lowercase();
        if !is_number(&lists) {
            return lists;
        }
        while let Some(rest) = self.rest.strip_prefix([',', '.', '/']) {
            let next = Parser { text: rest, rest }.peek();
            if !is_number(next) {
                break;
            }
            lists.push(if self.rest.starts_with('/') { '/' } else { ',' });
            lists += next;
            self.rest = &rest[next.len()..];
        }
        lists
    }
}

#[cfg(feature = "serde")]
taquin_engine::serde_as_text!(Spec);

/// Writes the specification as it is parsed.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = match self {
            Spec::Bound(terms) => terms,
            Spec::Learned(Some(spec)) => return f.pad(&format!("learned+{spec}")),
            search => return f.pad(&list("", |named| named == search)),
        };
        let [first, others @ ..] = &terms[..] else { return f.pad("max()") };
        let mut shown = first.to_string();
        for (term, next) in terms.iter().zip(others) {
            // After a comma a list of tiles would go on.
            let ends_with_tile = term.is_lists() && shown.ends_with(|c: char| c.is_ascii_digit());
            let goes_on = ends_with_tile && next.is_lists();
            shown.push(if goes_on { ';' } else { ',' });
            shown += &next.to_string();
        }
        f.pad(&if others.is_empty() { shown } else { format!("max({shown})") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let spec: Spec = text.parse().unwrap();
        assert_eq!(spec.to_string().parse(), Ok(spec.clone()), "{text}");
        spec.to_string()
    }

    /// Refused names stand in `tests/prompt/refusals.md`.
    #[test]
    fn names_sums_and_maxima() {
        // The board's size decides which names partitions have.
        let same = "7-8 7-8é learned+7-8:mirror learned+small learned+max(1,2;3,4) 7-8b:mirror 5-5-5:plain \
            6-6-3:plain:mirror 1,2,3/4,5,6:mirror 12 manhattan+linear-conflict+corner-tiles+last-move \
            max(walking-distance,linear-conflict) max(1,2/3,7-8,7-8b)";
        for text in names().map(|(name, _)| name).chain(same.split_whitespace()) {
            assert_eq!(shown(text), text);
        }
        assert!(names().all(|(_, summary)| !summary.is_empty() && !summary.ends_with('.')));
        for deep in ["max(", "learned+"] {
            for times in [500, 100_000] {
                assert!(deep.repeat(times).parse::<Spec>().is_err());
            }
        }
        assert_eq!(shown(" manhattan "), "manhattan");
        let others = "manhattan + linear-conflict = linear-conflict | linear-conflict+linear-conflict = linear-conflict | \
            last-move+corner-tiles = manhattan+corner-tiles+last-move | 1.2.3/4.5 = 1,2,3/4,5 | \
            1,2+3,4 = 1,2/3,4 | 1,2:plain+3:plain = 1,2/3:plain | 7-8:mirror:plain = 7-8:plain:mirror | \
            max(7-8) = 7-8 | max( 7-8 , max(7-8, 5-5-5) ) = max(7-8,5-5-5) | max (7-8;1,2) = max(7-8,1,2) | \
            max(1,2;3,4) = max(1,2;3,4) | max(1;2:mirror;3) = max(1;2:mirror,3) | Man+lin = linear-conflict | \
            max(walk,7-8) = max(walking-distance,7-8) | lea+port = learned+portfolio | st = standard";
        for (text, same) in others.split(" | ").map(|pair| pair.split_once(" = ").unwrap()) {
            assert_eq!(shown(text), same);
        }
    }
}
