//! `--method`, and the options that belong to some methods.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::limits;
use super::parsers::Names;
use crate::cli::exit::{Failure, wrong};
use crate::reference::Spec;
use crate::reference::Ties;
use crate::solver::Method;

/// The method, and which solutions to report.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct MethodArgs {
    /// ida, plain, astar, bfs, beam, staged or greedy: see taquin help searches
    #[arg(short, long, value_parser = method(), hide_possible_values = true)]
    method: Option<Method>,

    /// Order of equal estimates for astar: fifo or lifo [default: lifo]
    #[arg(long, value_name = "ORDER", value_parser = ties(), hide_possible_values = true)]
    ties: Option<Ties>,

    /// Look for solutions of at most N moves, for bfs and astar
    #[arg(long, value_name = "N", value_parser = limits::length, allow_negative_numbers = true)]
    pub max_moves: Option<u32>,

    /// Count the optimal solutions, for --method ida
    // The number of threads already has the name that clap would choose.
    #[arg(id = "count_solutions", long = "count")]
    pub count: bool,

    /// List all optimal solutions, for --method ida
    #[arg(long)]
    pub all: bool,

    /// Print thresholds, lengths, nodes and stages as the search goes on
    #[arg(short, long)]
    pub verbose: bool,
}

/// A method by its name. The order of A* has a separate option.
fn method() -> impl TypedValueParser<Value = Method> {
    let names = Method::names().filter(|&(name, _)| name != "astar:fifo");
    let names = names.map(|(name, summary)| PossibleValue::new(name).help(summary));
    Names(names.collect()).map(|name| name.parse().expect("these are the names"))
}

/// The order of positions with equal estimates.
fn ties() -> impl TypedValueParser<Value = Ties> {
    let lifo = PossibleValue::new("lifo").help("Last found first, which goes depth-first");
    let fifo = PossibleValue::new("fifo").help("First found first, which goes breadth-first");
    let names = PossibleValuesParser::new([lifo, fifo]);
    names.map(|name| if name == "fifo" { Ties::Fifo } else { Ties::Lifo })
}

impl MethodArgs {
    /// Refuses options that do not belong to the method.
    pub fn checked(&self, heuristic: &Spec, gap: u32) -> Result<(), Failure> {
        let method = self.method;
        let is_astar = matches!(method, Some(Method::AStar(_)));
        let is_bfs = method == Some(Method::Bfs);
        let rules = [
            (self.ties.is_some() && !is_astar, "--ties needs --method astar"),
            (
                is_bfs && !matches!(heuristic, Spec::Standard | Spec::None),
                "--method bfs uses no heuristic: leave --heuristic out",
            ),
            (
                self.max_moves.is_some() && !is_astar && !is_bfs,
                "--max-moves needs --method bfs or --method astar",
            ),
            (
                self.counts() && method.is_some_and(|method| method != Method::Ida),
                "--count and --all need --method ida",
            ),
            (
                gap > 0 && matches!(method, Some(Method::Staged | Method::Greedy)),
                "--gap needs --method ida, plain, beam, astar or bfs",
            ),
        ];
        let broken = rules.into_iter().find(|&(is_broken, _)| is_broken);
        broken.map_or(Ok(()), |(_, message)| Err(wrong!(message)))
    }

    /// Returns whether the optimal solutions are counted.
    pub fn counts(&self) -> bool {
        self.count || self.all
    }

    /// The method for a solver; `None` where the solver chooses.
    pub fn method(&self) -> Option<Method> {
        match (self.method, self.ties) {
            (Some(Method::AStar(_)), Some(ties)) => Some(Method::AStar(ties)),
            // Only an optimal search gives all optimal solutions.
            (None, _) => self.counts().then_some(Method::Ida),
            (method, _) => method,
        }
    }
}
