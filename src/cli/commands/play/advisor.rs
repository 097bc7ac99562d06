//! Searches positions in a thread of its own, one after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use super::estimate::Finding;
use crate::board::Board;
use crate::cli::advice::{Advised, Trouble};
use crate::search::Cancel;
use crate::solver::{Bracket, Builder, Error, Event, Limits, Method, Solver};
use crate::store;

/// The time after which a search without an answer gives its bounds, and goes on.
const FIRST: Duration = Duration::from_millis(300);
/// The time to look for a short solution then.
const SHORT: Duration = Duration::from_secs(1);

/// A thread that searches the last position that it was given.
pub struct Advisor {
    questions: Sender<Question>,
    /// Cancels the search under way.
    cancel: Cancel,
}

struct Question {
    turn: u64,
    board: Board,
    cancel: Cancel,
}

/// Receives findings, each with the turn of its question.
type Tell = Arc<dyn Fn(u64, Finding) + Send + Sync>;

impl Advisor {
    /// Starts the thread with a solver of these options, and one for the same goal that finds short
    /// solutions. `ended` is dropped when the thread ends.
    ///
    /// # Errors
    /// As [`Builder::build`]; also if the thread cannot be started, with the system's reason.
    pub fn start(
        options: Builder,
        short: Builder,
        tell: impl Fn(u64, Finding) + Send + Sync + 'static,
        ended: impl Send + 'static,
    ) -> anyhow::Result<Advisor> {
        let tell: Tell = Arc::new(tell);
        let current = Arc::new(AtomicU64::new(0));
        let (told, turn) = (tell.clone(), current.clone());
        let options = options.progress(move |event| {
            if let Some(finding) = finding(event) {
                told(turn.load(Ordering::Relaxed), finding);
            }
        });
        let solver = options.build().map_err(Trouble::from)?;
        let short = short.method(Method::Beam).build().map_err(Trouble::from)?;
        let worker = Worker { solver, short, turn: current, tell };
        let (questions, received) = mpsc::channel();
        let work = move || {
            let _ended = ended;
            worker.answer_all(&received);
        };
        std::thread::Builder::new().name("advisor".to_owned()).spawn(work)?;
        Ok(Advisor { questions, cancel: Cancel::new() })
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

/// Answers questions until there are no more.
struct Worker {
    solver: Solver,
    /// Finds short solutions soon.
    short: Solver,
    /// The turn of the question under way.
    turn: Arc<AtomicU64>,
    tell: Tell,
}

impl Worker {
    fn answer_all(&self, questions: &Receiver<Question>) {
        for question in questions {
            if !question.cancel.is_cancelled() {
                self.turn.store(question.turn, Ordering::Relaxed);
                self.answer(&question);
            }
        }
    }

    /// Gives bounds soon, and the best answer in the end.
    fn answer(&self, question: &Question) {
        let board = &question.board;
        let limits = Limits::default().cancel(&question.cancel);
        let first = self.solver.solve_with(board, &limits.clone().time(FIRST));
        // A search for an optimal solution that takes long.
        let stopped = first.as_ref().is_ok_and(Bracket::falls_short);
        let mut goes_on = self.report(question, first, false);
        if goes_on && stopped {
            let short = self.short.solve_with(board, &limits.clone().time(SHORT));
            goes_on = self.report(question, short, false);
        }
        if goes_on {
            self.report(question, self.solver.solve_with(board, &limits), true);
        }
    }

    /// Tells a result. Returns whether the search goes on.
    fn report(&self, question: &Question, result: Result<Bracket, Error>, last: bool) -> bool {
        if question.cancel.is_cancelled() {
            return false;
        }
        let (finding, goes_on) = match result {
            Ok(bracket) => {
                let last = last || bracket.is_optimal();
                let solution = bracket.solution.map(|solution| solution.moves().clone());
                (Finding::Answer { lower: bracket.lower_bound, solution, last }, !last)
            }
            Err(error) => (Finding::Failed(Advised(&error).to_string()), false),
        };
        (self.tell)(question.turn, finding);
        goes_on
    }
}

/// The finding in an event of a solver, if there is one.
fn finding(event: &Event<'_>) -> Option<Finding> {
    match event {
        Event::Threshold(threshold) => Some(Finding::Bound(threshold.bound)),
        Event::Store(store::Event::Building { set, .. }) => {
            Some(Finding::Preparing(format!("building databases {set}…")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    struct Ended(Sender<(u64, Finding)>);

    impl Drop for Ended {
        fn drop(&mut self) {
            let _ = self.0.send((u64::MAX, Finding::Failed("ended".to_owned())));
        }
    }

    fn advisor() -> (Advisor, Receiver<(u64, Finding)>) {
        let (sender, findings) = mpsc::channel();
        let ended = Ended(sender.clone());
        let tell = move |turn, finding| drop(sender.send((turn, finding)));
        let options = || Solver::builder().store(Store::memory());
        (Advisor::start(options(), options(), tell, ended).unwrap(), findings)
    }

    /// The last answer for a turn.
    #[track_caller]
    fn last(findings: &Receiver<(u64, Finding)>, turn: u64) -> (u32, usize) {
        loop {
            match findings.recv_timeout(Duration::from_secs(60)).expect("an answer") {
                (t, Finding::Answer { lower, solution, last: true }) if t == turn => {
                    return (lower, solution.expect("a solution").len());
                }
                (_, Finding::Failed(reason)) => panic!("{reason}"),
                _ => {}
            }
        }
    }

    #[test]
    fn positions_are_answered_and_the_thread_ends() {
        let (mut advisor, findings) = advisor();
        let board: Board = "8 6 7 / 2 5 4 / 3 0 1".parse().unwrap();
        advisor.ask(7, Some(&board));
        assert_eq!(last(&findings, 7), (31, 31));
        advisor.ask(8, None);
        drop(advisor);
        assert_eq!(findings.recv().unwrap().0, u64::MAX);
    }

    #[test]
    fn the_next_question_cancels_a_long_search() {
        let (mut advisor, findings) = advisor();
        // By stages, until 30 million nodes are generated.
        let tiles: Vec<u8> = (0..=255).rev().collect();
        let board = Board::new(crate::board::Grid::new(16, 16).unwrap(), &tiles).unwrap();
        advisor.ask(1, Some(&board));
        advisor.ask(2, Some(&"1 2 3 / 4 5 6 / 7 0 8".parse().unwrap()));
        assert_eq!(last(&findings, 2), (1, 1));
        assert!(findings.try_iter().all(|(turn, _)| turn == 2));
    }

    #[test]
    fn a_long_search_has_a_short_solution_soon() {
        let (sender, findings) = mpsc::channel();
        let options = || Solver::builder().store(Store::memory());
        let tell = move |turn, finding| drop(sender.send((turn, finding)));
        // Some hours with this heuristic.
        let slow = options().heuristic("manhattan".parse().unwrap());
        let mut advisor = Advisor::start(slow, options(), tell, ()).unwrap();
        let board: Board = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1".parse().unwrap();
        advisor.ask(1, Some(&board));
        let lengths = || loop {
            match findings.recv_timeout(Duration::from_secs(60)).expect("an answer") {
                (1, Finding::Answer { lower, solution, last: false }) => {
                    assert!(lower <= 80);
                    break solution.expect("a solution").len();
                }
                (1, Finding::Bound(lower)) => assert!(lower <= 80),
                (_, other) => panic!("{other:?}"),
            }
        };
        let (first, second) = (lengths(), lengths());
        assert!(80 <= second && second <= first, "{first} {second}");
    }

    #[test]
    fn an_error_is_a_finding() {
        let (sender, findings) = mpsc::channel();
        let folder = tempfile::tempdir().unwrap();
        let store = Store::folder(folder.path()).build_missing(false);
        let options = Solver::builder().heuristic("7-8".parse().unwrap()).store(store);
        let tell = move |turn, finding| drop(sender.send((turn, finding)));
        let mut advisor = Advisor::start(options, Solver::builder(), tell, ()).unwrap();
        let board: Board = "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12".parse().unwrap();
        advisor.ask(3, Some(&board));
        let (turn, finding) = findings.recv().unwrap();
        let Finding::Failed(reason) = finding else { panic!("{finding:?}") };
        assert!(turn == 3 && reason.contains("pdb-gen build"), "{reason}");
    }
}
