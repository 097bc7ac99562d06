//! Methods of searching.

use std::fmt;
use std::str::FromStr;

use taquin_engine::names;

use super::Error;
use crate::board::{Grid, Metric};
use crate::pdb::MAX_SLIDE_CELLS;
use crate::reference::{Named, Spec, Term, Ties};
use crate::store::MAX_OPTIMAL_CELLS;

/// A way to search boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Iterative deepening, by the fast [`Engine`](crate::search::Engine) where it covers the
    /// heuristic: optimal. The default, except for boards of more than 25 cells.
    Ida,
    /// Plain IDA* on one thread, whatever the heuristic: optimal. Its node counts compare
    /// heuristics with one another.
    Plain,
    /// A*, which remembers every position: optimal.
    AStar(Ties),
    /// Breadth-first search, which remembers every position and uses no heuristic: optimal.
    Bfs,
    /// Beams of growing width, then shortened: not optimal. The default for boards of more than 25
    /// cells. Without limits the widest beam takes about 10 million nodes, and shortening 30 million.
    Beam,
    /// Line after line, then shortened until the limit, or for 30 million nodes: not optimal.
    Staged,
    /// Bounded breadth-first searches stitched together: not optimal.
    Greedy,
}

/// The steps of a method that is not optimal.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    /// The first solution.
    pub first: First,
    /// Beams look for a shorter one.
    pub beams: bool,
    /// The best one is shortened.
    pub shortens: bool,
}

/// The origin of a first solution.
#[derive(Clone, Copy)]
pub(super) enum First {
    Stages,
    Greedy,
}

/// Every method with its name and a description, in the order of the help.
const METHODS: [(Method, &str, &str); 8] = [
    (Method::Ida, "ida", "Iterative deepening, with databases for up to 25 cells: optimal"),
    (Method::Plain, "plain", "Iterative deepening on one thread: optimal"),
    (
        Method::AStar(Ties::Lifo),
        "astar",
        "A*, which stores every position, up to 2 GiB by default: optimal",
    ),
    (Method::AStar(Ties::Fifo), "astar:fifo", "A* that expands the first found first: optimal"),
    (
        Method::Bfs,
        "bfs",
        "Breadth-first search, which stores every position, up to 2 GiB by default: optimal",
    ),
    (
        Method::Beam,
        "beam",
        "Wider and wider beams, then shortened until a limit (or for 10 and 30 million nodes): not \
         optimal",
    ),
    (
        Method::Staged,
        "staged",
        "Rows and columns one after another, then shortened until a limit (or for 30 million nodes): \
         not optimal",
    ),
    (Method::Greedy, "greedy", "A chain of bounded breadth-first searches: not optimal"),
];

/// Writes the name in one word: `ida`, `plain`, `astar`, `astar:fifo`, `bfs`, `beam`, `staged` or
/// `greedy`.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = METHODS.iter().find(|(method, ..)| method == self);
        f.pad(row.map_or("", |(_, name, _)| name))
    }
}

#[cfg(feature = "serde")]
taquin_engine::serde_as_text!(Method);

/// The error for a name that no method has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no method {name:?}: {}", advice(name))]
#[non_exhaustive]
pub struct MethodError {
    /// The name.
    pub name: String,
}

/// The name that is meant, or a list of all.
fn advice(name: &str) -> String {
    let known = METHODS.map(|(_, name, _)| name);
    names::meant(name, &known).unwrap_or_else(|| format!("write {}", known.join(", ")))
}

/// Reads the name that [`Display`](fmt::Display) writes, in any case, or a unique beginning of it.
impl FromStr for Method {
    type Err = MethodError;

    fn from_str(name: &str) -> Result<Method, MethodError> {
        let known = names::find(name, &METHODS.map(|(_, name, _)| name));
        let found = METHODS.iter().find(|row| Some(row.1) == known);
        found.map(|row| row.0).ok_or_else(|| MethodError { name: name.to_owned() })
    }
}

impl Method {
    /// The names of all methods, each with a description.
    #[doc(hidden)]
    pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
        METHODS.into_iter().map(|(_, name, summary)| (name, summary))
    }

    /// Returns whether its solutions are optimal.
    pub fn is_optimal(self) -> bool {
        self.steps().is_none()
    }

    /// The steps towards a short solution; `None` for a search that proves an optimal one.
    pub(super) fn steps(self) -> Option<Steps> {
        match self {
            Method::Ida | Method::Plain | Method::AStar(_) | Method::Bfs => None,
            Method::Beam => Some(Steps { first: First::Stages, beams: true, shortens: true }),
            Method::Staged => Some(Steps { first: First::Stages, beams: false, shortens: true }),
            Method::Greedy => Some(Steps { first: First::Greedy, beams: false, shortens: false }),
        }
    }

    /// Returns whether beams are its main search, and do not only accompany a search for a proof.
    pub(super) fn is_by_beams(self) -> bool {
        self.steps().is_some_and(|steps| steps.beams)
    }

    /// Returns whether its proof is by iterative deepening.
    pub(super) fn deepens(self) -> bool {
        match self {
            Method::AStar(_) | Method::Bfs => false,
            Method::Ida | Method::Plain | Method::Beam | Method::Staged | Method::Greedy => true,
        }
    }

    /// Returns whether it uses the tables of the fast engine, where that covers the heuristic.
    pub(super) fn uses_engine(self) -> bool {
        matches!(self, Method::Ida | Method::Beam)
    }

    /// Returns whether beams find a solution after a search that was stopped without one.
    pub(super) fn falls_back_on_beams(self) -> bool {
        self == Method::Ida
    }

    /// Returns whether one search at a time should run: it remembers many positions, or uses all
    /// threads.
    pub(super) fn runs_alone(self) -> bool {
        matches!(self, Method::AStar(_) | Method::Bfs | Method::Beam)
    }

    /// Refuses methods and heuristics that the multi-tile metric does not have, whatever the size.
    pub(super) fn check_slides(method: Option<Method>, heuristic: &Spec) -> Result<(), Error> {
        let method = method.unwrap_or(Method::Ida);
        let manhattan = *heuristic == Spec::Bound(vec![Term::Named(Named::Manhattan)]);
        match method {
            Method::Ida | Method::Beam if manhattan || *heuristic == Spec::Standard => Ok(()),
            Method::Plain if manhattan => Ok(()),
            _ => Err(Error::NotForSlides { heuristic: heuristic.clone(), method }),
        }
    }

    /// The default method for a size.
    pub(super) fn default_for(grid: Grid, metric: Metric, heuristic: &Spec) -> Method {
        let most = match metric {
            Metric::Single => MAX_OPTIMAL_CELLS,
            Metric::Multi => MAX_SLIDE_CELLS,
        };
        match heuristic {
            Spec::Learned(_) => Method::Beam,
            Spec::None => Method::Bfs,
            Spec::Standard if grid.cells() > most => Method::Beam,
            _ => Method::Ida,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for (method, name, _) in METHODS {
            assert_eq!((method.to_string(), name.parse()), (name.to_owned(), Ok(method)));
        }
        assert_eq!("astar".parse(), Ok(Method::AStar(Ties::default())));
        assert_eq!("St".parse(), Ok(Method::Staged));
        for (name, question) in
            [("b", "did you mean bfs or beam?"), ("astra", "did you mean astar?")]
        {
            assert!(name.parse::<Method>().unwrap_err().to_string().ends_with(question), "{name}");
        }
        assert!("dijkstra".parse::<Method>().unwrap_err().to_string().contains("write ida, plain"));
    }
}
