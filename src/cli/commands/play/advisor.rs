//! Searches a position in a thread of its own.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use super::estimate::{Estimate, Work};
use crate::board::Board;
use crate::cli::advice::Advice;
use crate::search::{Cancel, Stop};
use crate::solver::{Limits, Solver};

/// The time after which a search without a proof gives its bounds and the best solution that it has. It begins
/// again with three times as much.
const SOON: Duration = Duration::from_millis(300);

/// Searches the last position that it was given.
pub struct Advisor {
    solver: Arc<Solver>,
    /// The findings about that position. The channel is closed after the last one.
    pub findings: Receiver<Estimate>,
    /// Cancels the search under way.
    cancel: Cancel,
}

impl Advisor {
    pub fn new(solver: Solver) -> Advisor {
        let (_, findings) = mpsc::channel();
        Advisor { solver: Arc::new(solver), findings, cancel: Cancel::new() }
    }

    /// Cancels the search under way, and begins one for a position.
    ///
    /// # Errors
    /// The system's reason if the thread cannot be started.
    pub fn ask(&mut self, board: Option<&Board>) -> io::Result<()> {
        let (tell, findings) = mpsc::channel();
        self.cancel.cancel();
        (self.cancel, self.findings) = (Cancel::new(), findings);
        if let Some(board) = board.cloned() {
            let (solver, cancel) = (self.solver.clone(), self.cancel.clone());
            let search = move || answer(&solver, &board, &cancel, &tell);
            thread::Builder::new().name("advisor".to_owned()).spawn(search)?;
        }
        Ok(())
    }
}

impl Drop for Advisor {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// Gives bounds and a solution soon, and the best answer in the end.
fn answer(solver: &Solver, board: &Board, cancel: &Cancel, tell: &Sender<Estimate>) {
    let mut time = SOON;
    while !cancel.is_cancelled() {
        let limits = Limits::default().cancel(cancel).time(time);
        let found = match solver.solve_with(board, &limits) {
            Ok(bracket) => {
                let last = bracket.stopped != Some(Stop::Time);
                let solution = bracket.solution.map(|solution| solution.moves().clone());
                Estimate::answer_of(bracket.lower_bound, solution, last)
            }
            Err(error) => {
                let work = Work::Failed(Advice::on(&error.into()).message);
                Estimate { work, ..Estimate::default() }
            }
        };
        let goes_on = found.work == Work::Searching;
        // The player may look at another position.
        if tell.send(found).is_err() || !goes_on {
            return;
        }
        time *= 3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Builder;
    use crate::store::Store;

    fn advisor(options: Builder) -> Advisor {
        Advisor::new(options.build().unwrap())
    }

    fn in_memory() -> Builder {
        Solver::builder().store(Store::memory())
    }

    #[track_caller]
    fn next(advisor: &Advisor) -> Estimate {
        advisor.findings.recv_timeout(Duration::from_secs(60)).expect("a finding")
    }

    /// The last finding: bounds of the length.
    #[track_caller]
    fn last(advisor: &Advisor) -> (u32, Option<u32>) {
        loop {
            let found = next(advisor);
            if found.work != Work::Searching {
                assert_eq!(found.work, Work::Done);
                return (found.lower, found.upper());
            }
        }
    }

    #[test]
    fn positions_are_answered_and_the_next_one_cancels_a_long_search() {
        let mut advisor = advisor(in_memory());
        advisor.ask(Some(&"8 6 7 / 2 5 4 / 3 0 1".parse().unwrap())).unwrap();
        assert_eq!(last(&advisor), (31, Some(31)));
        // By stages, until 30 million nodes are generated.
        let tiles: Vec<u8> = (0..=255).rev().collect();
        let board = Board::new(crate::board::Grid::new(16, 16).unwrap(), &tiles).unwrap();
        advisor.ask(Some(&board)).unwrap();
        advisor.ask(Some(&"1 2 3 / 4 5 6 / 7 0 8".parse().unwrap())).unwrap();
        assert_eq!(last(&advisor), (1, Some(1)));
        advisor.ask(None).unwrap();
        assert!(advisor.findings.recv().is_err());
    }

    #[test]
    fn a_long_search_has_a_short_solution_soon() {
        // Some hours with this heuristic.
        let mut advisor = advisor(in_memory().heuristic("manhattan".parse().unwrap()));
        let board: Board = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1".parse().unwrap();
        advisor.ask(Some(&board)).unwrap();
        let length = || {
            let Estimate { lower, solution, work } = next(&advisor);
            assert!(lower <= 80 && work == Work::Searching, "{lower} {work:?}");
            solution.expect("a solution").len()
        };
        let (first, second) = (length(), length());
        assert!(80 <= second && second <= first, "{first} {second}");
    }

    #[test]
    fn an_error_is_a_finding() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::folder(folder.path()).build_missing(false);
        let mut advisor = advisor(in_memory().heuristic("7-8".parse().unwrap()).store(store));
        let board: Board = "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12".parse().unwrap();
        advisor.ask(Some(&board)).unwrap();
        let Work::Failed(reason) = next(&advisor).work else { panic!("no failure") };
        assert!(reason.contains("pdb-gen build"), "{reason}");
    }
}
