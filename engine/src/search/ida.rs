//! Plain IDA* (Korf 1985) with any heuristic on any board: the reference for everything faster.

use super::moves::{Rows, rows, without_undoing};
use super::run::{Deepening, Event, Limits, Meter, Outcome, Stop, Threshold, Unrecorded};
use super::solutions::{Found, Solutions};
use crate::board::{Metric, Move, Moves, Position};
use crate::heuristic::Heuristic;

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
pub fn ida<'a>(position: &'a Position, heuristic: impl Heuristic + 'a) -> Unrecorded<'a> {
    let bound = heuristic.value(&heuristic.start(position.labels()));
    let rows = without_undoing(position.grid().width(), position.grid().height());
    Unrecorded::new(position, Metric::Single, bound, move |threshold, limits, outcome| {
        let meter = Meter::after(outcome, limits);
        let mut search = MoveSearch::new(position, &heuristic, &rows, meter);
        let found = search.within(threshold.bound);
        search.meter.write_to(outcome);
        (found.map(|found| found.then_some(Moves(search.path))), search.next)
    })
}

impl Solutions {
    /// All solutions of `length` moves, the optimal number, with any heuristic.
    ///
    /// Unless `limits` limit the memory, the positions on solutions take up to 2 GiB.
    ///
    /// The heuristic must be one of the position's goal. With another one the search may panic, not
    /// end, or find a solution that is not optimal.
    ///
    /// # Errors
    /// The reason if the search was stopped.
    pub fn search<H: Heuristic>(
        position: &Position,
        length: u32,
        heuristic: &H,
        limits: &Limits,
    ) -> Result<Solutions, Stop> {
        let rows = rows(position.grid());
        let mut search = MoveSearch::new(position, heuristic, &rows, Meter::new(limits));
        search.all = Some(Found::new(position, length, limits));
        limits.report(&Event::Threshold(&Threshold { bound: length, ..Threshold::default() }));
        let stopped = search.within(length).err();
        search.all.expect("it takes all solutions").complete(stopped, limits)
    }
}

/// A depth-first search.
pub(crate) struct MoveSearch<'a, H: Heuristic> {
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
