//! Data sets for learners: boards drawn from a seed, with their optimal solutions.
//!
//! A [`Plan`] says which boards, and which heuristics' values belong to them. A [`Dataset`] solves
//! them and keeps the answers in a work file, from which an interrupted run goes on. The finished
//! set is a file in numpy's format `npz`:
//!
//! | array | type | shape |
//! |---|---|---|
//! | `boards` | `uint8` | (boards, cells), tiles in reading order, 0 for the blank |
//! | `lengths` | `int16` | (boards), the optimal lengths |
//! | `moves` | `int8` | (boards, longest), one optimal solution each; -1 follows the last move |
//! | each heuristic's name | `uint8` | (boards), its values |
//! | `goal` | `uint8` | (height, width) |
//! | `seed` | `uint64` | () |
//!
//! A move is its place in [`Move::ALL`](crate::Move::ALL): 0 up, 1 right, 2 left, 3 down. The same
//! plan gives the same bytes on every machine, with any number of threads and however often it was
//! interrupted.
//!
//! ```no_run
//! use std::path::Path;
//! use taquin::dataset::{Dataset, Plan};
//! use taquin::{Cancel, Goal, Solver};
//!
//! let goal = Goal::named("blank-last", "4x4".parse()?)?;
//! let mut set = Dataset::open(Path::new("set.npz.partial"), Plan::new(goal, 1_000_000, 1))?;
//! set.label(&Solver::new()?, &[], &Cancel::new(), &mut |_done| ())?;
//! set.finish(Path::new("set.npz"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod npz;
mod work;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use self::work::{Block, WorkFile};
use crate::board::{Board, Goal, Grid, Metric, Moves, Random};
use crate::pdb::Replacement;
use crate::reference::Spec;
use crate::search::{Cancel, Stop};
use crate::solver::{Error, Limits, Solution, Solver};
use crate::store::MAX_OPTIMAL_CELLS;

/// The boards of a data set, and the values that belong to them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Plan {
    goal: Goal,
    boards: u64,
    seed: u64,
    walk: Option<u64>,
    heuristics: Vec<Spec>,
}

impl Plan {
    /// Boards drawn uniformly among those that can reach a goal: those of `taquin shuffle`.
    pub fn new(goal: Goal, boards: u64, seed: u64) -> Plan {
        Plan { goal, boards, seed, walk: None, heuristics: Vec::new() }
    }

    /// Takes boards that random walks of this many moves from the goal lead to.
    pub fn walk(self, moves: u64) -> Plan {
        Plan { walk: Some(moves), ..self }
    }

    /// Adds the values of heuristics.
    pub fn heuristics(self, heuristics: Vec<Spec>) -> Plan {
        Plan { heuristics, ..self }
    }

    fn grid(&self) -> Grid {
        self.goal.board().grid()
    }

    /// The boards in their order.
    fn draw(&self) -> Draw {
        let Plan { goal, boards, seed, walk, .. } = self.clone();
        Draw { goal, left: boards, walk, random: Random::new(seed) }
    }
}

/// The boards of a plan from a place on.
#[derive(Clone, Debug)]
struct Draw {
    goal: Goal,
    left: u64,
    walk: Option<u64>,
    random: Random,
}

impl Draw {
    /// Goes on by some boards. They have to be drawn, as each depends on the ones before.
    fn pass(&mut self, boards: u64) {
        (0..boards).for_each(|_| drop(self.next()));
    }
}

impl Iterator for Draw {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        self.left = self.left.checked_sub(1)?;
        Some(match self.walk {
            Some(moves) => self.goal.walk(moves, &mut self.random),
            None => self.goal.random_board(&mut self.random),
        })
    }
}

/// Why there is no data set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// A size that is not solved optimally.
    #[error(
        "boards of more than {MAX_OPTIMAL_CELLS} cells have no optimal labels, and {0} boards are larger"
    )]
    Size(Grid),
    /// A heuristic that the plan names twice.
    #[error("the heuristic {0} is named twice")]
    Twice(Spec),
    /// A board was not solved.
    #[error(transparent)]
    Solver(#[from] Error),
    /// A solver whose goal or metric is not that of the boards.
    #[error("the solver is for another goal, or counts slides")]
    OtherSolver,
    /// An answer that is not proved optimal.
    #[error("the solution of {0} is not proved optimal: use a method that proves it")]
    Unproved(Board),
    /// A value of a heuristic that a byte does not hold.
    #[error("a heuristic has the value {0}, and the array holds values up to 255")]
    Value(u32),
    /// The work file is of another plan.
    #[error("{} belongs to another data set: finish that one, or remove the file", .0.display())]
    Other(PathBuf),
    /// Another process writes to the work file.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// Labels that are not those of the next boards.
    #[error("the labels are not those of the next boards")]
    Labels,
    /// A file cannot be read or written.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
}

impl DatasetError {
    fn of_file(path: &Path) -> impl Fn(io::Error) -> DatasetError + use<'_> {
        move |reason| DatasetError::File { path: path.to_owned(), reason }
    }
}

/// A data set that is being made.
#[derive(Debug)]
pub struct Dataset {
    plan: Plan,
    work: WorkFile,
    /// The boards that have no labels yet.
    left: Draw,
}

/// A block of answers is written when it has this many boards, or is this old.
const BLOCK: usize = 1024;
const EVERY: Duration = Duration::from_secs(2);

impl Dataset {
    /// Begins a data set, or goes on with the one of this plan whose work file is there. The file
    /// grows by some 60 bytes a 4×4 board.
    ///
    /// # Errors
    /// [`DatasetError`] if boards of this size are not solved optimally, a heuristic is named twice,
    /// or the file cannot be used.
    pub fn open(work: &Path, plan: Plan) -> Result<Dataset, DatasetError> {
        if plan.grid().cells() > MAX_OPTIMAL_CELLS {
            return Err(DatasetError::Size(plan.grid()));
        }
        let names: Vec<_> = plan.heuristics.iter().map(Spec::to_string).collect();
        if let Some(twice) = (1..names.len()).find(|&i| names[..i].contains(&names[i])) {
            return Err(DatasetError::Twice(plan.heuristics[twice].clone()));
        }
        let work = WorkFile::open(work, &plan)?;
        let mut left = plan.draw();
        left.pass(work.boards());
        Ok(Dataset { plan, work, left })
    }

    /// The number of boards that have their labels.
    pub fn done(&self) -> u64 {
        self.work.boards()
    }

    /// Solves the boards that are left, on all threads. `values` has the solvers of the plan's
    /// heuristics, in their order, and the boards' goal is that of all solvers. `progress` receives
    /// the number of boards done after each block.
    ///
    /// Only solutions that are proved optimal are written. After a cancel everything that is done is
    /// kept, except an answer that the cancel cut short: its solution may be another one than that
    /// of a whole search.
    ///
    /// # Errors
    /// - [`DatasetError::Solver`], which is [`Error::Stopped`] after a cancel;
    /// - [`DatasetError::OtherSolver`] before any search;
    /// - [`DatasetError::Unproved`] if the solver's method proves nothing, and
    ///   [`DatasetError::Value`]: the boards before are kept;
    /// - [`DatasetError::File`] if the work file cannot be written.
    ///
    /// # Panics
    /// Unless there is a solver for each heuristic.
    pub fn label(
        &mut self,
        solver: &Solver,
        values: &[Solver],
        cancel: &Cancel,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), DatasetError> {
        assert_eq!(values.len(), self.plan.heuristics.len());
        let grid = self.plan.grid();
        let is_own = |solver: &Solver| solver.goal(grid).is_ok_and(|goal| goal == self.plan.goal);
        if solver.metric() != Metric::Single || ![solver].into_iter().chain(values).all(is_own) {
            return Err(DatasetError::OtherSolver);
        }
        progress(self.done());
        let mut block = Block::default();
        let mut begun = Instant::now();
        let items = self.left().map(|board| (board.clone(), Some(board)));
        let mut unproved = Ok(());
        for (board, answer) in solver.stream(items, Limits::default().cancel(cancel)) {
            let bracket = answer.expect("every item is a board")?;
            if cancel.is_cancelled() {
                break;
            }
            match bracket.solution.filter(Solution::is_optimal) {
                Some(solution) => block.add(board, solution.moves())?,
                None => {
                    unproved = Err(DatasetError::Unproved(board));
                    break;
                }
            }
            if block.len() >= BLOCK || begun.elapsed() >= EVERY {
                self.keep(&mut block, values)?;
                progress(self.done());
                begun = Instant::now();
            }
        }
        self.keep(&mut block, values)?;
        progress(self.done());
        unproved?;
        match self.done() < self.plan.boards {
            // Only a cancel ends the stream early.
            true => Err(Error::Stopped(Stop::Cancelled).into()),
            false => Ok(()),
        }
    }

    /// The boards that have no labels yet, in their order.
    #[doc(hidden)]
    pub fn left(&self) -> impl Iterator<Item = Board> + Send + use<> {
        self.left.clone()
    }

    /// Adds labels of the next boards, those that [`Dataset::left`] begins with: an optimal solution
    /// of each, and for each heuristic their values. Other programs may have found them; that they
    /// are optimal is theirs to prove.
    ///
    /// # Errors
    /// Nothing is added, and the same boards come next, with
    /// - [`DatasetError::Labels`] if a solution does not solve its board, or there are other labels
    ///   than the plan's;
    /// - [`DatasetError::Value`] if a value is greater than 255.
    ///
    /// With [`DatasetError::File`], if the work file cannot be written, a part may be added:
    /// [`Dataset::done`] says how many.
    #[doc(hidden)]
    pub fn add(&mut self, solutions: &[Moves], values: &[Vec<u32>]) -> Result<(), DatasetError> {
        let mut next = self.left.clone();
        let is_solved = |moves: &Moves| {
            let reached = next.next().map(|board| board.after(moves));
            reached.is_some_and(|board| board.as_ref() == Ok(self.plan.goal.board()))
        };
        let fits = solutions.iter().all(is_solved)
            && values.len() == self.plan.heuristics.len()
            && values.iter().all(|row| row.len() == solutions.len());
        if !fits {
            return Err(DatasetError::Labels);
        }
        let mut blocks = Vec::new();
        let mut boards = self.left();
        for (solutions, start) in solutions.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
            let mut block = Block::default();
            for (moves, board) in solutions.iter().zip(&mut boards) {
                block.add(board, moves)?;
            }
            for row in values {
                block.add_values(&row[start..start + solutions.len()])?;
            }
            blocks.push(block);
        }
        blocks.iter().try_for_each(|block| self.append(block))
    }

    /// Writes a block with its values, even after a cancel: they take milliseconds.
    fn keep(&mut self, block: &mut Block, values: &[Solver]) -> Result<(), DatasetError> {
        let mut block = std::mem::take(block);
        if block.len() == 0 {
            return Ok(());
        }
        for solver in values {
            block.add_values(&solver.values(block.boards(), &Limits::default())?)?;
        }
        self.append(&block)
    }

    fn append(&mut self, block: &Block) -> Result<(), DatasetError> {
        self.work.append(block)?;
        self.left.pass(block.len() as u64);
        Ok(())
    }

    /// Shows before long work that [`Dataset::finish`] can write a file.
    ///
    /// # Errors
    /// [`DatasetError::File`] if it cannot.
    #[doc(hidden)]
    pub fn writable(path: &Path) -> Result<(), DatasetError> {
        Replacement::new(path).map(drop).map_err(DatasetError::of_file(path))
    }

    /// Writes the data set to a file, which is replaced when it is whole, and removes the work
    /// file.
    ///
    /// # Errors
    /// [`DatasetError::File`] if a file cannot be read or written.
    ///
    /// # Panics
    /// Unless all boards have their labels.
    pub fn finish(self, path: &Path) -> Result<(), DatasetError> {
        assert_eq!(self.done(), self.plan.boards, "some boards have no labels");
        npz::write(path, &self.plan, &self.work)?;
        self.work.remove()
    }
}

#[cfg(test)]
mod tests;
