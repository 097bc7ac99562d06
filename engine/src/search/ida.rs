//! Plain IDA* (Korf 1985) with any heuristic on any board: the reference for everything faster.

use super::deepening::{Deepening, Meter, Plain};
use super::{Control, Proof, Stop};
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
    #[doc(hidden)]
    pub fn new(position: &Position, metric: Metric, bound: u32) -> Outcome {
        Outcome { proof: Some(Proof::new(position, metric, bound)), ..Outcome::default() }
    }

    /// Raises the lower bound, after all shorter paths were exhausted.
    #[doc(hidden)]
    pub fn raise(&mut self, bound: u32) {
        self.proof.as_mut().expect("a search begins with a bound").raise(bound);
    }

    /// No solution is shorter than this: every lower threshold was exhausted.
    pub fn lower_bound(&self) -> u32 {
        self.proof.as_ref().map_or(0, Proof::bound)
    }
}

/// Searches for an optimal solution of a position. `control` is checked every 1,024 expansions,
/// its nodes at every one; if it stops the search, the outcome holds the bound proved.
///
/// Children are tried in the order of [`Move::ALL`].
///
/// The heuristic must be one of the position's goal. With another one the search may panic, not
/// end, or find a solution that is not optimal.
pub fn ida_star<H: Heuristic>(position: &Position, heuristic: &H, control: &Control) -> Outcome {
    ida(position, heuristic).run(control).expect("the heuristic is sound")
}

/// [`ida_star`], one threshold at a time.
pub fn ida<'a, H: Heuristic>(
    position: &'a Position,
    heuristic: &'a H,
) -> impl Deepening + use<'a, H> {
    let start = heuristic.start(position.labels());
    let bound = heuristic.value(&start);
    Plain::new(position, Metric::Single, bound, move |threshold, control, outcome| {
        let mut search = MoveSearch {
            position: position.clone(),
            heuristic,
            path: Vec::new(),
            next: u32::MAX,
            meter: Meter::after(outcome, control),
        };
        let end = search.visit(&start, None, threshold.bound);
        search.meter.write_to(outcome);
        match end {
            Ok(true) => outcome.path = Some(Moves(search.path)),
            Ok(false) => {}
            Err(stop) => outcome.stopped = Some(stop),
        }
        search.next
    })
}

struct MoveSearch<'a, H: Heuristic> {
    position: Position,
    heuristic: &'a H,
    path: Vec<Move>,
    /// The least f above the threshold in this iteration: the next threshold.
    next: u32,
    meter: Meter<'a>,
}

impl<H: Heuristic> MoveSearch<'_, H> {
    /// Searches below a position that may make `budget` more moves. Returns whether it found a solution.
    fn visit(&mut self, carry: &H::Carry, last: Option<Move>, budget: u32) -> Result<bool, Stop> {
        if let Some(stop) = self.meter.expand() {
            return Err(stop);
        }
        for m in Move::ALL {
            if last == Some(m.opposite()) {
                continue;
            }
            let Some((from, to)) = self.position.make(m) else { continue };
            self.meter.generated += 1;
            self.path.push(m);
            let child = self.heuristic.moved(carry, self.position.labels(), from, to);
            let h = self.heuristic.value(&child);
            if h < budget {
                let solved = h == 0 && self.position.is_goal();
                if solved || self.visit(&child, Some(m), budget - 1)? {
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
