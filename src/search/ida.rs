//! Plain IDA* (Korf 1985) with any heuristic on any board: the search that everything faster
//! is compared with.

use super::{Control, Stop};
use crate::board::{Grid, Move, Path};
use crate::heuristic::Heuristic;

/// What a search has done so far, and what it found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// A solution, if one was found before the search was stopped. It is optimal where it is as
    /// long as the lower bound.
    pub path: Option<Path>,
    /// No solution is shorter than this: every lower threshold was exhausted.
    pub lower_bound: u32,
    /// Children generated, those that undo the last move left out.
    pub generated: u64,
    /// Positions whose children were generated.
    pub expanded: u64,
    /// What ended the search before it was done.
    pub stopped: Option<Stop>,
}

/// Expansions between two questions whether to stop.
const POLL: u64 = 1024;

/// Searches for an optimal solution of the position `labels` (see
/// [`Canonical`](crate::board::Canonical)) on `grid`, whose goal has the blank in cell `blank`.
/// `control` is asked once every few thousand expansions; where it wants the search to stop, that
/// ends with the bound proved.
///
/// Children are tried in the order of [`Move::ALL`].
pub fn ida_star<H: Heuristic>(
    grid: Grid,
    blank: usize,
    labels: &[u8],
    heuristic: &H,
    control: &Control,
) -> Outcome {
    let start = heuristic.start(labels);
    let empty = labels
        .iter()
        .position(|&label| usize::from(label) == blank)
        .expect("the blank is on the board");
    let mut search = Search {
        grid,
        heuristic,
        labels: labels.to_vec(),
        path: Vec::new(),
        generated: 0,
        expanded: 0,
        next: 0,
        control,
    };
    let mut outcome = Outcome { lower_bound: heuristic.value(&start), ..Outcome::default() };
    if labels.iter().enumerate().all(|(cell, &label)| cell == usize::from(label)) {
        outcome.path = Some(Path::default());
        return outcome;
    }
    loop {
        search.next = u32::MAX;
        let end = search.visit(&start, empty, None, outcome.lower_bound);
        outcome.generated = search.generated;
        outcome.expanded = search.expanded;
        match end {
            End::Found => {
                outcome.path = Some(Path(search.path));
                return outcome;
            }
            End::Stopped(stop) => {
                outcome.stopped = Some(stop);
                return outcome;
            }
            // An unsolvable position of a small board can be searched to the end of a space
            // only by a bound that grows without limit; callers check solvability first.
            End::Exhausted if search.next == u32::MAX => return outcome,
            End::Exhausted => outcome.lower_bound = search.next,
        }
    }
}

enum End {
    Found,
    Exhausted,
    Stopped(Stop),
}

struct Search<'a, H: Heuristic> {
    grid: Grid,
    heuristic: &'a H,
    labels: Vec<u8>,
    path: Vec<Move>,
    generated: u64,
    expanded: u64,
    /// The least f above the threshold seen in this iteration: the next threshold.
    next: u32,
    control: &'a Control,
}

impl<H: Heuristic> Search<'_, H> {
    /// Searches below a position that has `budget` moves left.
    fn visit(&mut self, state: &H::Carry, empty: usize, last: Option<Move>, budget: u32) -> End {
        self.expanded += 1;
        if self.expanded.is_multiple_of(POLL)
            && let Some(stop) = self.control.check(self.generated)
        {
            return End::Stopped(stop);
        }
        for m in Move::ALL {
            if last == Some(m.opposite()) {
                continue;
            }
            let Some(from) = self.grid.source(empty, m) else { continue };
            self.generated += 1;
            self.labels.swap(from, empty);
            self.path.push(m);
            let child = self.heuristic.moved(state, &self.labels, from, empty);
            let h = self.heuristic.value(&child);
            if h < budget {
                if h == 0 && self.is_goal() {
                    return End::Found;
                }
                match self.visit(&child, from, Some(m), budget - 1) {
                    End::Exhausted => {}
                    end => return end,
                }
            } else {
                self.next = self.next.min(self.path.len() as u32 + h);
            }
            self.path.pop();
            self.labels.swap(from, empty);
        }
        End::Exhausted
    }

    fn is_goal(&self) -> bool {
        self.labels.iter().enumerate().all(|(cell, &label)| cell == usize::from(label))
    }
}
