//! `--method`: how boards are searched, and the searches that do without databases.

use std::fmt;

use anyhow::anyhow;
use clap::{Args, ValueEnum};

use super::exit::Failure;
use super::heuristics::Heuristic as Composed;
use super::limits::Limits;
use crate::board::{Canonical, Grid, Path};
use crate::heuristic::{Additions, Heuristic, Named, Spec, Term, Use, WalkingDistance};
use crate::pdb::BrokenTable;
use crate::search::{
    Control, Outcome, Phase, Solutions, Stop, Ties, a_star, bfs, greedy, ida_star_guided, shorten,
    staged,
};

/// How boards are searched, and what of the solutions is wanted.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct MethodArgs {
    /// How boards are searched [default: ida, but staged for boards of more than 25 cells]
    #[arg(short, long, value_enum)]
    pub method: Option<Method>,

    /// Order among the positions that look equally near, for --method astar [default: lifo]
    #[arg(long, value_enum, value_name = "ORDER")]
    pub ties: Option<Order>,

    /// Look for solutions of at most N moves, for --method bfs and astar
    #[arg(long, value_name = "N")]
    pub max_moves: Option<u32>,

    /// Count the optimal solutions, for --method ida
    // The number of threads has the name that clap would give it.
    #[arg(id = "count_solutions", long = "count")]
    pub count: bool,

    /// List all optimal solutions, for --method ida
    #[arg(long)]
    pub all: bool,

    /// Name the stages of --method staged as they are finished
    #[arg(short, long)]
    pub verbose: bool,
}

/// How boards are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Method {
    /// Iterative deepening, with databases up to 25 cells: optimal
    Ida,
    /// A*, which remembers every position, up to --memory (2G): optimal
    Astar,
    /// Breadth-first search, which remembers every position, up to --memory (2G): optimal
    Bfs,
    /// Line after line, then shortened until the limit (or for 30 million nodes): not optimal
    Staged,
    /// Bounded breadth-first searches stitched together: not optimal
    Greedy,
}

/// The order of positions that look equally near.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Order {
    /// The last found first, which goes depth-first
    Lifo,
    /// The first found first, which goes breadth-first
    Fifo,
}

impl MethodArgs {
    /// Refuses options that the method does not know.
    pub fn checked(&self, heuristic: &Spec) -> Result<(), Failure> {
        let method = self.method;
        let wrong = |option: &str, methods: &str| {
            Err(Failure::usage(anyhow!("{option} --method {methods}")))
        };
        if self.ties.is_some() && method != Some(Method::Astar) {
            return wrong("--ties needs", "astar");
        }
        if self.max_moves.is_some() && !matches!(method, Some(Method::Astar | Method::Bfs)) {
            return wrong("--max-moves needs", "bfs or --method astar");
        }
        if (self.count || self.all) && method.is_some_and(|method| method != Method::Ida) {
            return wrong("--count and --all need", "ida");
        }
        if matches!(heuristic, Spec::Portfolio | Spec::Combined)
            && method.is_some_and(|method| method != Method::Ida)
        {
            return wrong(&format!("--heuristic {heuristic} needs"), "ida");
        }
        Ok(())
    }

    /// The method for boards of a size.
    pub fn method(&self, grid: Grid, heuristic: &Spec) -> Method {
        let small = grid.cells() <= super::sets::MAX_CATALOGUE_CELLS;
        let optimal = small || self.count || self.all || *heuristic != Spec::Standard;
        self.method.unwrap_or(if optimal { Method::Ida } else { Method::Staged })
    }
}

/// The nodes that a solution by stages is shortened for, where there is no limit.
const SHORTEN: u64 = 30_000_000;

/// The nodes of the search for a better lower bound of what is not solved optimally.
const BOUND: u64 = 300_000;

/// What the plain searches are guided by, where nothing else is asked for.
pub(super) fn standard_bounds(grid: Grid) -> Vec<Term> {
    if WalkingDistance::fits(grid) {
        vec![Term::Named(Named::WalkingDistance), Term::Named(Named::LinearConflict)]
    } else {
        vec![Term::sum(Additions::ALL)]
    }
}

/// A plain search for boards of one class of goals.
pub(super) struct Guided {
    pub grid: Grid,
    pub blank: usize,
    pub method: Method,
    pub args: MethodArgs,
    pub heuristic: Box<Composed>,
}

impl Guided {
    /// Whether its solutions are optimal.
    pub fn is_optimal(&self) -> bool {
        !matches!(self.method, Method::Staged | Method::Greedy)
    }

    /// Whether a search takes so much memory that it should be the only one.
    pub fn is_large(&self) -> bool {
        matches!(self.method, Method::Astar | Method::Bfs)
    }

    /// Searches a position; `note` is told what `--verbose` tells.
    pub fn search(
        &self,
        canonical: &Canonical,
        labels: &[u8],
        limits: &Limits,
        control: &Control,
        note: impl Fn(fmt::Arguments),
    ) -> Result<Outcome, BrokenTable> {
        let (grid, blank, moves) = (self.grid, self.blank, self.args.max_moves);
        let phase = |phase: &Phase| note(format_args!("{}", Told(phase, canonical)));
        match self.method {
            Method::Ida => ida_star_guided(grid, blank, labels, &self.heuristic, control),
            Method::Astar => {
                self.heuristic.value(labels)?;
                Ok(self.heuristic.apply(AStar { guided: self, labels, control }))
            }
            Method::Bfs => Ok(bfs(grid, blank, labels, moves, control)),
            Method::Greedy => {
                let path = greedy(grid, blank, labels, phase);
                let outcome = self.bounded(path.clone(), labels, control)?;
                Ok(Outcome { path: Some(path), ..outcome })
            }
            Method::Staged => {
                let path = staged(grid, blank, labels, phase);
                let before = path.len();
                let until = match limits {
                    Limits { time_limit: None, node_limit: None, .. } => {
                        control.clone().with_nodes(SHORTEN)
                    }
                    _ => control.clone(),
                };
                let (path, optimal) = shorten(grid, blank, labels, path, &until);
                note(format_args!("shortened from {before} to {} moves", path.len()));
                if optimal {
                    let lower_bound = path.len() as u32;
                    return Ok(Outcome { path: Some(path), lower_bound, ..Outcome::default() });
                }
                self.bounded(path, labels, control)
            }
        }
    }

    /// A solution, or a better one, with the best lower bound that can be had in a moment.
    fn bounded(
        &self,
        path: Path,
        labels: &[u8],
        control: &Control,
    ) -> Result<Outcome, BrokenTable> {
        // The time may have run out, which is no reason to do without a bound.
        let moment = Control::default().with_nodes(BOUND);
        let mut outcome = ida_star_guided(self.grid, self.blank, labels, &self.heuristic, &moment)?;
        // That the solution is not optimal is no fault; an interrupt is one.
        outcome.stopped = control.is_stopped().then_some(Stop::Asked);
        outcome.path.get_or_insert(path);
        Ok(outcome)
    }
}

/// A* with whatever heuristic there is.
struct AStar<'a> {
    guided: &'a Guided,
    labels: &'a [u8],
    control: &'a Control,
}

impl Use for AStar<'_> {
    type Output = Outcome;

    fn with<H: Heuristic>(self, heuristic: &H) -> Outcome {
        let Guided { grid, blank, args, .. } = *self.guided;
        let ties = match args.ties {
            None | Some(Order::Lifo) => Ties::Lifo,
            Some(Order::Fifo) => Ties::Fifo,
        };
        a_star(grid, blank, self.labels, heuristic, ties, args.max_moves, self.control)
    }
}

/// A stage as people say it, in the tiles of the board as it was given.
struct Told<'a>(&'a Phase, &'a Canonical);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Told(phase, canonical) = self;
        f.write_str(if phase.tiles.len() == 1 { "tile" } else { "tiles" })?;
        let mut tiles: Vec<u8> = phase.tiles.iter().map(|&label| canonical.tile(label)).collect();
        tiles.sort_unstable();
        for tile in tiles {
            write!(f, " {tile}")?;
        }
        write!(f, ": {} move{}", phase.moves, if phase.moves == 1 { "" } else { "s" })
    }
}

/// The optimal solutions of a board.
#[derive(Debug)]
pub(super) struct AllSolutions {
    pub count: u128,
    /// Where they are wanted.
    pub paths: Option<Vec<Path>>,
}

/// The most solutions that are listed.
const LISTED: u128 = 1_000_000;

impl AllSolutions {
    /// Those of `length` moves, the optimal number, as a heuristic finds them; `all` to list them.
    pub fn find(
        heuristic: &Composed,
        canonical: &Canonical,
        labels: &[u8],
        length: u32,
        all: bool,
        control: &Control,
    ) -> Result<AllSolutions, Stop> {
        heuristic.apply(Find { canonical, labels, length, all, control })
    }
}

struct Find<'a> {
    canonical: &'a Canonical,
    labels: &'a [u8],
    length: u32,
    all: bool,
    control: &'a Control,
}

impl Use for Find<'_> {
    type Output = Result<AllSolutions, Stop>;

    fn with<H: Heuristic>(self, heuristic: &H) -> Self::Output {
        let Find { canonical, labels, length, all, control } = self;
        let (grid, blank) = (canonical.grid(), canonical.blank());
        let mut solutions = Solutions::new(grid, blank, labels, length, heuristic, control);
        let count = solutions.count()?;
        if !all {
            return Ok(AllSolutions { count, paths: None });
        }
        let mut paths = Vec::new();
        solutions.each(|path| {
            paths.push(canonical.path_back(path));
            (paths.len() as u128) < LISTED
        })?;
        Ok(AllSolutions { count, paths: Some(paths) })
    }
}
