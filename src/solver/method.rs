//! Methods of searching.

use std::fmt;
use std::str::FromStr;

use crate::board::{Grid, Metric};
use crate::heuristic::Spec;
use crate::pdb::MAX_SLIDE_CELLS;
use crate::search::Ties;
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

/// Writes the name in one word: `ida`, `plain`, `astar`, `astar:fifo`, `bfs`, `beam`, `staged` or
/// `greedy`.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Method::Ida => "ida",
            Method::Plain => "plain",
            Method::AStar(Ties::Fifo) => "astar:fifo",
            Method::AStar(_) => "astar",
            Method::Bfs => "bfs",
            Method::Beam => "beam",
            Method::Staged => "staged",
            Method::Greedy => "greedy",
        })
    }
}

#[cfg(feature = "serde")]
taquin_engine::serde_as_text!(Method);

/// The error for a name that no method has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no method {name:?}: write {}", Method::ALL.map(|method| method.to_string()).join(", "))]
#[non_exhaustive]
pub struct MethodError {
    /// The name.
    pub name: String,
}

/// Reads the name that [`Display`](fmt::Display) writes.
impl FromStr for Method {
    type Err = MethodError;

    fn from_str(name: &str) -> Result<Method, MethodError> {
        let found = Method::ALL.into_iter().find(|method| method.to_string() == name);
        found.ok_or_else(|| MethodError { name: name.to_owned() })
    }
}

impl Method {
    /// All methods.
    const ALL: [Method; 8] = [
        Method::Ida,
        Method::Plain,
        Method::AStar(Ties::Lifo),
        Method::AStar(Ties::Fifo),
        Method::Bfs,
        Method::Beam,
        Method::Staged,
        Method::Greedy,
    ];

    /// Whether its solutions are optimal.
    pub fn is_optimal(self) -> bool {
        !matches!(self, Method::Beam | Method::Staged | Method::Greedy)
    }

    /// Whether one search at a time should run: it remembers many positions, or uses all threads.
    pub(super) fn runs_alone(self) -> bool {
        matches!(self, Method::AStar(_) | Method::Bfs | Method::Beam)
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
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        assert_eq!("astar".parse(), Ok(Method::AStar(Ties::default())));
        assert!("dijkstra".parse::<Method>().unwrap_err().to_string().contains("write ida, plain"));
    }
}
