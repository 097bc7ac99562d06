//! Questions about boards: what their distance is, or whether they have a solution within so many moves.
//!
//! The engine answers those of one search in lanes, a board in each; other searches answer one after the other.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::board::Board;
use crate::parallel::{map_chunks, threads};
use crate::search::{Clock, Engine, Limits, Stop, Supply, Verdict};
use crate::solver::answer::{self, Task};
use crate::solver::results::{Bracket, Error};
use crate::solver::searches::Begin;
use crate::solver::solve::Solver;

/// The verdict of a lane on a task, with the time that it took.
type Found = OnceLock<(Verdict, Clock)>;

impl Solver {
    /// The brackets of boards of one size, on all threads.
    pub(crate) fn solved(&self, boards: &[Board], limits: &Limits) -> Vec<Result<Bracket, Error>> {
        self.answers(boards.iter().map(|board| (board.clone(), None)).collect(), limits)
    }

    /// A question about a board: its distance, or whether it has a solution within so many moves.
    pub(super) fn question(
        &self,
        board: &Board,
        within: Option<u32>,
        limits: &Limits,
    ) -> Result<Task, Error> {
        // A search for solutions within some moves has no lower rungs.
        let begin = if within.is_some() { Begin::Whole } else { Begin::High };
        let mut task = Task::new(&self.shared, board, None, begin, limits)?;
        task.within = within;
        Ok(task)
    }

    /// The answers to questions about boards of one size: whether they have a solution within so many moves, or what
    /// their distance is.
    pub(super) fn answers(
        &self,
        asked: Vec<(Board, Option<u32>)>,
        limits: &Limits,
    ) -> Vec<Result<Bracket, Error>> {
        if self.shared.goal.open().is_some() {
            return asked.iter().map(|(board, _)| self.solve_with(board, limits)).collect();
        }
        let tasks = asked.iter().map(|(board, within)| self.question(board, *within, limits));
        let tasks: Vec<_> = tasks.map(|task| (task, Found::new())).collect();
        let easy = tasks.iter().flat_map(|(task, _)| task).filter(|task| !task.runs_alone());
        let engine = easy.filter_map(|task| task.searcher.prover()).next();
        if let Some(engine) = engine.filter(|_| tasks.len() > 1) {
            let tasks = tasks.iter().filter_map(|(task, found)| Some((task.as_ref().ok()?, found)));
            self.in_lanes(engine, &tasks.collect::<Vec<_>>(), limits);
        }
        let answer = |(task, found): (Result<Task, Error>, Found)| {
            let mut task = task?;
            let (verdict, clock) = found.into_inner().unwrap_or((Verdict::Hard, Clock::default()));
            let clock = clock.run();
            match answer::of_verdict(&task, verdict, &limits.clone().on(clock)) {
                Some(answer) => answer,
                None if limits.is_cancelled() => Err(Error::Stopped(Stop::Cancelled)),
                None => answer::solve(&mut task, limits, clock),
            }
        };
        tasks.into_iter().map(answer).collect()
    }

    /// Searches the tasks of an engine in lanes, on all threads.
    fn in_lanes(&self, engine: &Engine, tasks: &[(&Task, &Found)], limits: &Limits) {
        let is_own = |(task, _): &&(&Task, &Found)| task.searcher.is_by(engine);
        let (tasks, next) = (tasks.iter().filter(is_own).collect::<Vec<_>>(), AtomicUsize::new(0));
        let supply = |_| {
            let next = tasks.get(next.fetch_add(1, Ordering::Relaxed));
            let Some((task, found)) = next.filter(|_| !limits.is_cancelled()) else {
                return Supply::End;
            };
            let deliver = |verdict, clock| drop(found.set((verdict, clock)));
            task.supply(limits)(Box::new(deliver))
        };
        let work = || {
            let workers = vec![(); threads()];
            map_chunks(&workers, 1, |_, _| engine.solve_stream(&mut { supply }));
        };
        // Without threads each question is answered alone.
        let _ = self.shared.install(work);
    }
}
