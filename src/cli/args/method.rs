//! `--method`, and the options that belong to some methods.

use anyhow::anyhow;
use clap::{Args, ValueEnum};

use super::limits;
use crate::board::Metric;
use crate::cli::exit::Failure;
use crate::heuristic::Spec;
use crate::search::Ties;
use crate::solver::Method;

/// The method, and which solutions to report.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct MethodArgs {
    /// Method of search [default: ida, but beam for boards of more than 25 cells, 16 with --metric
    /// multi]
    #[arg(short, long, value_enum)]
    method: Option<MethodName>,

    /// Order of positions with equal estimates, for --method astar [default: lifo]
    #[arg(long, value_enum, value_name = "ORDER")]
    ties: Option<Order>,

    /// Look for solutions of at most N moves, for --method bfs and astar
    #[arg(long, value_name = "N", value_parser = limits::length, allow_negative_numbers = true)]
    pub max_moves: Option<u32>,

    /// Count the optimal solutions, for --method ida
    // The number of threads already has the name that clap would choose.
    #[arg(id = "count_solutions", long = "count")]
    pub count: bool,

    /// List all optimal solutions, for --method ida
    #[arg(long)]
    pub all: bool,

    /// Print thresholds, nodes and stages of the search as it goes on
    ///
    /// Of several boards each line names its board. Boards that are solved beside others have one line.
    #[arg(short, long)]
    pub verbose: bool,
}

/// A method of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodName {
    /// Iterative deepening, with databases for up to 25 cells: optimal
    Ida,
    /// A*, which stores every position, up to --memory (2G): optimal
    Astar,
    /// Breadth-first search, which stores every position, up to --memory (2G): optimal
    Bfs,
    /// Wider and wider beams, then shortened until a limit (or for 10 and 30 million nodes): not
    /// optimal
    Beam,
    /// Rows and columns one after another, then shortened until a limit (or for 30 million nodes):
    /// not optimal
    Staged,
    /// A chain of bounded breadth-first searches: not optimal
    Greedy,
}

/// The order of positions with equal estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Last found first, which goes depth-first
    Lifo,
    /// First found first, which goes breadth-first
    Fifo,
}

/// Whether a heuristic is one of the multi-tile metric.
pub fn counts_slides(heuristic: &Spec) -> bool {
    *heuristic == Spec::Standard || heuristic.to_string() == "manhattan"
}

impl MethodArgs {
    /// Refuses options that do not belong to the method.
    pub fn checked(&self, metric: Metric, heuristic: &Spec, gap: u32) -> Result<(), Failure> {
        let method = self.method;
        let wrong = |option: &str, methods: &str| {
            Err(Failure::usage(anyhow!("{option} --method {methods}")))
        };
        if metric == Metric::Multi {
            let wrong = |message: &str| Err(Failure::usage(anyhow!("--metric multi {message}")));
            if method.is_some_and(|m| !matches!(m, MethodName::Ida | MethodName::Beam)) {
                return wrong("needs --method ida or beam");
            }
            if self.count || self.all {
                return wrong("does not go with --count and --all");
            }
            if !counts_slides(heuristic) {
                return wrong("needs --heuristic standard or manhattan");
            }
        }
        if self.ties.is_some() && method != Some(MethodName::Astar) {
            return wrong("--ties needs", "astar");
        }
        let unused = !matches!(heuristic, Spec::Standard | Spec::None);
        if unused && method == Some(MethodName::Bfs) {
            let error = anyhow!("--method bfs uses no heuristic: leave --heuristic out");
            return Err(Failure::usage(error));
        }
        if self.max_moves.is_some() && !matches!(method, Some(MethodName::Astar | MethodName::Bfs))
        {
            return wrong("--max-moves needs", "bfs or --method astar");
        }
        if (self.count || self.all) && method.is_some_and(|method| method != MethodName::Ida) {
            return wrong("--count and --all need", "ida");
        }
        if gap > 0 && matches!(method, Some(MethodName::Staged | MethodName::Greedy)) {
            return wrong("--gap needs", "ida, beam, astar or bfs");
        }
        if matches!(heuristic, Spec::Portfolio | Spec::Combined)
            && method.is_some_and(|method| method != MethodName::Ida)
        {
            return wrong(&format!("--heuristic {heuristic} needs"), "ida");
        }
        Ok(())
    }

    /// The method for a solver; `None` where that is left to the solver.
    pub fn method(&self) -> Option<Method> {
        let ties = match self.ties {
            None | Some(Order::Lifo) => Ties::Lifo,
            Some(Order::Fifo) => Ties::Fifo,
        };
        match self.method {
            // All optimal solutions are those of an optimal search.
            None => (self.count || self.all).then_some(Method::Ida),
            Some(MethodName::Ida) => Some(Method::Ida),
            Some(MethodName::Astar) => Some(Method::AStar(ties)),
            Some(MethodName::Bfs) => Some(Method::Bfs),
            Some(MethodName::Beam) => Some(Method::Beam),
            Some(MethodName::Staged) => Some(Method::Staged),
            Some(MethodName::Greedy) => Some(Method::Greedy),
        }
    }
}
