//! Plain IDA* (Korf 1985) with any heuristic on any board: the reference for everything faster.

use super::{Control, Proof, Stop, Threshold};
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
    pub(super) fn new(position: &Position, metric: Metric, bound: u32) -> Outcome {
        Outcome { proof: Some(Proof::new(position, metric, bound)), ..Outcome::default() }
    }

    /// Raises the lower bound, after all shorter paths were exhausted.
    pub(super) fn raise(&mut self, bound: u32) {
        self.proof.as_mut().expect("a search begins with a bound").raise(bound);
    }

    /// No solution is shorter than this: every lower threshold was exhausted.
    pub fn lower_bound(&self) -> u32 {
        self.proof.as_ref().map_or(0, Proof::bound)
    }
}

/// Expansions between two checks of the limits.
const POLL: u64 = 1024;

/// Searches for an optimal solution of a position. `control` is checked every 1,024 expansions,
/// its nodes at every one; if it stops the search, the outcome holds the bound proved.
///
/// Children are tried in the order of [`Move::ALL`].
///
/// The heuristic must be one of the position's goal. With another one the search may panic, not
/// end, or find a solution that is not optimal.
pub fn ida_star<H: Heuristic>(position: &Position, heuristic: &H, control: &Control) -> Outcome {
    let start = heuristic.start(position.labels());
    let mut search = Search {
        position: position.clone(),
        heuristic,
        path: Vec::new(),
        generated: 0,
        expanded: 0,
        next: 0,
        reported: 0,
        control,
    };
    let mut outcome = Outcome::new(position, Metric::Single, heuristic.value(&start));
    if position.is_goal() {
        outcome.path = Some(Moves::default());
        return outcome;
    }
    let mut threshold = Threshold::default();
    loop {
        threshold.bound = outcome.lower_bound();
        control.journal().reached(&threshold);
        outcome.stopped = control.check(search.generated);
        if outcome.stopped.is_some() {
            return outcome;
        }
        control.journal().begins(&threshold, 1);
        search.next = u32::MAX;
        let end = search.visit(&start, None, threshold.bound);
        search.report();
        outcome.generated = search.generated;
        outcome.expanded = search.expanded;
        match end {
            End::Found => {
                outcome.path = Some(Moves(search.path));
                return outcome;
            }
            End::Stopped(stop) => {
                outcome.stopped = Some(stop);
                return outcome;
            }
            End::Exhausted => {
                let nodes = search.generated - threshold.generated;
                threshold.history.push((threshold.bound, nodes));
                (threshold.generated, threshold.expanded) = (search.generated, search.expanded);
                outcome.raise(search.next);
            }
        }
    }
}

enum End {
    Found,
    Exhausted,
    Stopped(Stop),
}

struct Search<'a, H: Heuristic> {
    position: Position,
    heuristic: &'a H,
    path: Vec<Move>,
    generated: u64,
    expanded: u64,
    /// The least f above the threshold in this iteration: the next threshold.
    next: u32,
    /// The nodes that the journal knows of.
    reported: u64,
    control: &'a Control,
}

impl<H: Heuristic> Search<'_, H> {
    #[cold]
    fn report(&mut self) {
        self.control.journal().searched(self.generated - self.reported);
        self.reported = self.generated;
    }

    /// Searches below a position that has `budget` moves left.
    fn visit(&mut self, carry: &H::Carry, last: Option<Move>, budget: u32) -> End {
        self.expanded += 1;
        if self.expanded.is_multiple_of(POLL) || self.generated >= self.control.nodes() {
            self.report();
            if let Some(stop) = self.control.check(self.generated) {
                return End::Stopped(stop);
            }
        }
        for m in Move::ALL {
            if last == Some(m.opposite()) {
                continue;
            }
            let Some((from, to)) = self.position.make(m) else { continue };
            self.generated += 1;
            self.path.push(m);
            let child = self.heuristic.moved(carry, self.position.labels(), from, to);
            let h = self.heuristic.value(&child);
            if h < budget {
                if h == 0 && self.position.is_goal() {
                    return End::Found;
                }
                match self.visit(&child, Some(m), budget - 1) {
                    End::Exhausted => {}
                    end => return end,
                }
            } else {
                self.next = self.next.min(self.path.len() as u32 + h);
            }
            self.path.pop();
            self.position.make(m.opposite());
        }
        End::Exhausted
    }
}
