//! Searches positions in a separate thread, one after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use super::estimate::{Estimate, Work};
use crate::board::Board;
use crate::cli::advice::Advice;
use crate::search::Cancel;
use crate::solver::{Builder, Event, Limits, Solver};
use crate::store;

/// The times after which a search without a proof gives its bounds and the best solution that it has, before it
/// begins again without a limit.
const SOON: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(1)];

/// A thread that searches the last position that it was given.
pub struct Advisor {
    questions: Sender<Question>,
    /// The findings, each with the turn of its question. The channel is closed when the thread ends.
    pub findings: Receiver<(u64, Estimate)>,
    /// Cancels the search under way.
    cancel: Cancel,
}

struct Question {
    turn: u64,
    board: Board,
    cancel: Cancel,
}

impl Advisor {
    /// Starts the thread with a solver of these options.
    ///
    /// # Errors
    /// As [`Builder::build`]; also if the thread cannot be started, with the system's reason.
    pub fn start(options: Builder) -> anyhow::Result<Advisor> {
        let (tell, findings) = mpsc::channel();
        let (questions, received) = mpsc::channel::<Question>();
        // The turn of the question under way. The events have a weak sender: it is the thread's end that
        // closes the channel.
        let turn = Arc::new(AtomicU64::new(0));
        let tell = Arc::new(tell);
        let (now, told) = (turn.clone(), Arc::downgrade(&tell));
        let options = options.progress(move |event| {
            if let (Some(finding), Some(told)) = (finding(event), told.upgrade()) {
                let _ = told.send((now.load(Ordering::Relaxed), finding));
            }
        });
        let solver = options.build()?;
        std::thread::Builder::new().name("advisor".to_owned()).spawn(move || {
            for question in received {
                turn.store(question.turn, Ordering::Relaxed);
                answer(&question, &solver, &tell);
            }
        })?;
        Ok(Advisor { questions, findings, cancel: Cancel::new() })
    }

    /// Cancels the search under way, and begins one for a position.
    pub fn ask(&mut self, turn: u64, board: Option<&Board>) {
        self.cancel.cancel();
        self.cancel = Cancel::new();
        if let Some(board) = board {
            let question = Question { turn, board: board.clone(), cancel: self.cancel.clone() };
            // Without the thread there are no answers, and the game ends soon.
            let _ = self.questions.send(question);
        }
    }
}

impl Drop for Advisor {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// Gives bounds and a solution soon, and the best answer in the end.
fn answer(question: &Question, solver: &Solver, tell: &Sender<(u64, Estimate)>) {
    for time in SOON.map(Some).into_iter().chain([None]) {
        if question.cancel.is_cancelled() {
            return;
        }
        let limits = Limits::default().cancel(&question.cancel);
        let limits = time.into_iter().fold(limits, Limits::time);
        let found = match solver.solve_with(&question.board, &limits) {
            Ok(bracket) => {
                let last = time.is_none() || bracket.is_optimal();
                let solution = bracket.solution.map(|solution| solution.moves().clone());
                Estimate::answer_of(bracket.lower_bound, solution, last)
            }
            Err(error) => {
                let work = Work::Failed(Advice::on(&error.into()).message);
                Estimate { work, ..Estimate::default() }
            }
        };
        let goes_on = found.work == Work::Searching;
        // At the end of the game nobody listens.
        if tell.send((question.turn, found)).is_err() || !goes_on {
            return;
        }
    }
}

/// What an event of a solver tells, if anything.
fn finding(event: &Event<'_>) -> Option<Estimate> {
    let none = Estimate::default();
    match event {
        Event::Threshold(threshold) => Some(Estimate { lower: threshold.bound, ..none }),
        Event::Store(store::Event::Building { set, .. }) => {
            let work = Work::Preparing(format!("building databases {set}…"));
            Some(Estimate { work, ..none })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    fn advisor() -> Advisor {
        Advisor::start(Solver::builder().store(Store::memory())).unwrap()
    }

    /// The last answer for a turn.
    #[track_caller]
    fn last(advisor: &Advisor, turn: u64) -> (u32, usize) {
        loop {
            match advisor.findings.recv_timeout(Duration::from_secs(60)).expect("an answer") {
                (t, Estimate { lower, solution, work: Work::Done, .. }) if t == turn => {
                    return (lower, solution.expect("a solution").len());
                }
                (_, Estimate { work: Work::Failed(reason), .. }) => panic!("{reason}"),
                _ => {}
            }
        }
    }

    #[test]
    fn positions_are_answered_and_the_thread_ends() {
        let mut advisor = advisor();
        let board: Board = "8 6 7 / 2 5 4 / 3 0 1".parse().unwrap();
        advisor.ask(7, Some(&board));
        assert_eq!(last(&advisor, 7), (31, 31));
        // Without questions the thread ends, and closes the channel.
        advisor.questions = mpsc::channel().0;
        assert!(advisor.findings.recv_timeout(Duration::from_secs(60)).is_err());
    }

    #[test]
    fn the_next_question_cancels_a_long_search() {
        let mut advisor = advisor();
        // By stages, until 30 million nodes are generated.
        let tiles: Vec<u8> = (0..=255).rev().collect();
        let board = Board::new(crate::board::Grid::new(16, 16).unwrap(), &tiles).unwrap();
        advisor.ask(1, Some(&board));
        advisor.ask(2, Some(&"1 2 3 / 4 5 6 / 7 0 8".parse().unwrap()));
        assert_eq!(last(&advisor, 2), (1, 1));
        assert!(advisor.findings.try_iter().all(|(turn, _)| turn == 2));
    }

    #[test]
    fn a_long_search_has_a_short_solution_soon() {
        // Some hours with this heuristic.
        let slow = Solver::builder().heuristic("manhattan".parse().unwrap());
        let mut advisor = Advisor::start(slow.store(Store::memory())).unwrap();
        let board: Board = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1".parse().unwrap();
        advisor.ask(1, Some(&board));
        let lengths = || loop {
            match advisor.findings.recv_timeout(Duration::from_secs(60)).expect("an answer") {
                (1, Estimate { lower, solution, work: Work::Searching }) => {
                    assert!(lower <= 80);
                    if let Some(solution) = solution {
                        break solution.len();
                    }
                }
                (_, other) => panic!("{other:?}"),
            }
        };
        let (first, second) = (lengths(), lengths());
        assert!(80 <= second && second <= first, "{first} {second}");
    }

    #[test]
    fn an_error_is_a_finding() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::folder(folder.path()).build_missing(false);
        let options = Solver::builder().heuristic("7-8".parse().unwrap()).store(store);
        let mut advisor = Advisor::start(options).unwrap();
        let board: Board = "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12".parse().unwrap();
        advisor.ask(3, Some(&board));
        let (turn, found) = advisor.findings.recv().unwrap();
        let Work::Failed(reason) = found.work else { panic!("{found:?}") };
        assert!(turn == 3 && reason.contains("pdb-gen build"), "{reason}");
    }
}
