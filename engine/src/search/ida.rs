//! Plain IDA* (Korf 1985) with any heuristic on any board: the reference for everything faster.

use super::automaton::{self, Rows};
use super::deepening::{Deepening, Meter, Plain};
use super::solutions::Found;
use super::{Limits, Proof, Stop};
use crate::board::{Metric, Move, Moves, Position};
use crate::heuristic::Heuristic;

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// A solution, if one was found before the search was stopped. It is optimal if it is as long
    /// as the lower bound.
    pub path: Option<Moves>,
    /// The proof that no solution is shorter than its bound.
    pub proof: Option<Proof>,
    /// Children generated, without those that undo the last move.
    pub generated: u64,
    /// Positions whose children were generated.
    pub expanded: u64,
    /// Why the search ended before it was done.
    pub stopped: Option<Stop>,
}

impl Outcome {
    /// The outcome of a search that has proved a bound and not begun.
    pub fn new(position: &Position, metric: Metric, bound: u32) -> Outcome {
        Outcome { proof: Some(Proof::new(position, metric, bound)), ..Outcome::default() }
    }

    /// Raises the lower bound, after all shorter paths were exhausted.
    pub fn raise(&mut self, bound: u32) {
        self.proof.as_mut().expect("a search begins with a bound").raise(bound);
    }

    /// No solution is shorter than this: every lower threshold was exhausted.
    pub fn lower_bound(&self) -> u32 {
        self.proof.as_ref().map_or(0, Proof::bound)
    }
}

/// Searches for an optimal solution of a position. `limits` are checked every 1,024 expansions,
/// its nodes at every one; if it stops the search, the outcome holds the bound proved.
///
/// Children are tried in the order of [`Move::ALL`].
///
/// The heuristic must be one of the position's goal. With another one the search may panic, not
/// end, or find a solution that is not optimal.
pub fn ida_star<H: Heuristic>(position: &Position, heuristic: &H, limits: &Limits) -> Outcome {
    ida(position, heuristic).run(limits).expect("the heuristic is sound")
}

/// [`ida_star`], one threshold at a time.
pub fn ida<'a>(position: &'a Position, heuristic: impl Heuristic + 'a) -> Plain<'a> {
    let bound = heuristic.value(&heuristic.start(position.labels()));
    let rows = automaton::without_undoing(position.grid().width(), position.grid().height());
    Plain::new(position, Metric::Single, bound, move |threshold, limits, outcome| {
        let meter = Meter::after(outcome, limits);
        let mut search = MoveSearch::new(position, &heuristic, &rows, meter);
        let found = search.within(threshold.bound);
        search.meter.end(found.map(|found| found.then_some(Moves(search.path))), outcome);
        search.next
    })
}

/// A depth-first search.
pub(super) struct MoveSearch<'a, H: Heuristic> {
    position: Position,
    heuristic: &'a H,
    /// The moves that are made.
    rows: &'a Rows,
    pub path: Vec<Move>,
    /// Takes all solutions. Without it the first one ends the search.
    pub all: Option<Found>,
    /// The least f above the threshold in this iteration: the next threshold.
    next: u32,
    pub meter: Meter<'a>,
}

impl<'a, H: Heuristic> MoveSearch<'a, H> {
    pub fn new(
        position: &Position,
        heuristic: &'a H,
        rows: &'a Rows,
        meter: Meter<'a>,
    ) -> MoveSearch<'a, H> {
        let (position, path) = (position.clone(), Vec::new());
        MoveSearch { position, heuristic, rows, path, all: None, next: u32::MAX, meter }
    }

    /// Searches within a threshold. Returns whether it has ended at a solution.
    pub fn within(&mut self, threshold: u32) -> Result<bool, Stop> {
        if self.position.is_goal() {
            return self.solved();
        }
        let start = self.heuristic.start(self.position.labels());
        self.visit(&start, 1 + self.position.blank(), threshold)
    }

    /// Ends the search, or hands the solution over.
    fn solved(&mut self) -> Result<bool, Stop> {
        let Some(all) = &mut self.all else { return Ok(true) };
        all.add(&self.path).map(|()| false)
    }

    /// Searches below a position that may make `budget` more moves, in a state of the automaton. Returns
    /// whether the search has ended at a solution.
    fn visit(&mut self, carry: &H::Carry, state: usize, budget: u32) -> Result<bool, Stop> {
        self.meter.expand()?;
        for m in Move::ALL {
            let next = usize::from(self.rows[state][m as usize]);
            if next == 0 {
                continue;
            }
            let (from, to) = self.position.make(m).expect("the automaton stays on the board");
            self.meter.generated += 1;
            self.path.push(m);
            let child = self.heuristic.moved(carry, self.position.labels(), from, to);
            let h = self.heuristic.value(&child);
            if h < budget {
                let is_goal = h == 0 && self.position.is_goal();
                if is_goal && self.solved()? || !is_goal && self.visit(&child, next, budget - 1)? {
                    return Ok(true);
                }
            } else {
                self.next = self.next.min(self.path.len() as u32 + h);
            }
            self.path.pop();
            self.position.make(m.opposite());
        }
        Ok(false)
    }
}
