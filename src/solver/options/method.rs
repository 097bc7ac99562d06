//! Methods of searching.

use std::fmt;
use std::str::FromStr;

use taquin_engine::names;

use crate::board::{Grid, Metric};
use crate::classics::{Additions, Spec, Term, Ties};
use crate::pdb::MAX_SLIDE_CELLS;
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

/// The guide of a method's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guide {
    /// The engine with its tables where it covers the heuristic, else terms.
    Engine,
    /// The guide of `Engine`, with learned weights.
    Beams,
    /// Terms, with a value for each position.
    Terms,
    Nothing,
}

/// The solution that a method looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// An optimal one, threshold after threshold.
    Thresholds,
    /// An optimal one, by a memory of every position, up to the limit, and without thresholds.
    Memory,
    /// First one by stages, which is shortened once nothing else finds a shorter one.
    Shortened,
    /// The one that a chain of bounded searches finds.
    Chained,
}

/// All that distinguishes a method.
struct Traits {
    name: &'static str,
    description: &'static str,
    guide: Guide,
    aim: Aim,
}

/// Makes the list of all methods, in the order of the help, and the table of their traits. The compiler asks for a
/// method that is not among them.
macro_rules! methods {
    ($([$($method:tt)+] $name:literal $guide:ident $aim:ident $description:literal;)+) => {
        impl Method {
            pub(crate) const ALL: &[Method] = &[$($($method)+),+];

            const fn traits(self) -> Traits {
                let (name, guide, aim, description) = match self {
                    $($($method)+ => ($name, Guide::$guide, Aim::$aim, $description),)+
                };
                Traits { name, description, guide, aim }
            }
        }
    };
}
methods! {
    [Method::Ida] "ida" Engine Thresholds
        "iterative deepening, with databases for up to 25 cells; optimal";
    [Method::Plain] "plain" Terms Thresholds
        "iterative deepening on one thread; optimal";
    [Method::AStar(Ties::Lifo)] "astar" Terms Memory
        "A*, which stores every position, and expands the last found first; optimal";
    [Method::AStar(Ties::Fifo)] "astar:fifo" Terms Memory
        "A* that expands the first found first; optimal";
    [Method::Bfs] "bfs" Nothing Memory
        "breadth-first search without a heuristic, which stores every position; optimal";
    [Method::Beam] "beam" Beams Shortened
        "ever wider beams (10M nodes), then shortening (30M), or until a limit; not optimal";
    [Method::Staged] "staged" Terms Shortened
        "rows and columns one by one, then shortening (30M nodes), or until a limit; not optimal";
    [Method::Greedy] "greedy" Terms Chained
        "a chain of bounded breadth-first searches; not optimal";
}

/// Writes the name in one word: `ida`, `plain`, `astar`, `astar:fifo`, `bfs`, `beam`, `staged` or
/// `greedy`.
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.traits().name)
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
    let known: Vec<_> = Method::names().map(|(name, _)| name).collect();
    names::meant(name, &known).unwrap_or_else(|| format!("write {}", known.join(", ")))
}

/// Reads the name that [`Display`](fmt::Display) writes, in any case, or a unique beginning of it.
impl FromStr for Method {
    type Err = MethodError;

    fn from_str(name: &str) -> Result<Method, MethodError> {
        let known: Vec<_> = Method::names().map(|(name, _)| name).collect();
        let known = names::find(name, &known);
        let found = Method::ALL.iter().find(|method| Some(method.traits().name) == known);
        found.copied().ok_or_else(|| MethodError { name: name.to_owned() })
    }
}

impl Method {
    /// The names of all methods, each with a description.
    pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
        Method::ALL.iter().map(|method| {
            let Traits { name, description, .. } = method.traits();
            (name, description)
        })
    }

    /// Returns whether its solutions are optimal.
    pub fn is_optimal(self) -> bool {
        matches!(self.aim(), Aim::Thresholds | Aim::Memory)
    }

    /// The solution that it looks for.
    pub(crate) fn aim(self) -> Aim {
        self.traits().aim
    }

    /// Returns whether it remembers every position.
    pub(crate) fn remembers(self) -> bool {
        self.aim() == Aim::Memory
    }

    /// The guide of its search.
    pub(crate) fn guide(self) -> Guide {
        self.traits().guide
    }

    /// Returns whether the engine deepens, where it covers the heuristic. Such a method begins with tables that are
    /// made sooner than its own, has beams look for a solution where a limit ended the search without one, counts
    /// the optimal solutions, and solves goals with several assignments of tiles.
    pub fn deepens_by_engine(self) -> bool {
        self.guide() == Guide::Engine
    }

    /// Returns whether ever wider beams look for its solution.
    pub(crate) fn has_beams(self) -> bool {
        self.guide() == Guide::Beams
    }

    /// Returns whether it looks for a shorter solution until the gap is small enough.
    pub(crate) fn heeds_gap(self) -> bool {
        self.is_optimal() || self.has_beams()
    }

    /// Returns whether the multi-tile metric has it with a heuristic.
    pub(crate) fn has_slides(self, heuristic: &Spec) -> bool {
        let is_manhattan = *heuristic == Spec::Bound(vec![Term::Sum(Additions::NONE)]);
        match self {
            Method::Ida | Method::Beam => is_manhattan || *heuristic == Spec::Standard,
            Method::Plain => is_manhattan,
            Method::AStar(_) | Method::Bfs | Method::Staged | Method::Greedy => false,
        }
    }

    /// Returns whether a heuristic guides it.
    pub fn is_guided(self) -> bool {
        self.guide() != Guide::Nothing
    }

    /// The default method for a size.
    pub(crate) fn default_for(grid: Grid, metric: Metric, heuristic: &Spec) -> Method {
        let most = match metric {
            Metric::Single => MAX_OPTIMAL_CELLS,
            Metric::Multi => MAX_SLIDE_CELLS,
        };
        match heuristic {
            Spec::Learned(_) => Method::Beam,
            Spec::None => Method::Bfs,
            Spec::Standard if grid.cells() > most => Method::Beam,
            Spec::Standard
            | Spec::Portfolio
            | Spec::Combined
            | Spec::Catalogue(_)
            | Spec::Bound(_) => Method::Ida,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        assert_eq!(Method::ALL.len(), 8);
        for &method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        assert_eq!("astar".parse(), Ok(Method::AStar(Ties::default())));
        assert_eq!("St".parse(), Ok(Method::Staged));
    }
}
