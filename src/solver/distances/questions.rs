//! Questions about boards: what their distance is, or whether they have a solution within so many moves.
//!
//! The engine answers those of one search in lanes, a board in each; other searches answer one after the other.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::board::Board;
use crate::parallel::{map_chunks, threads};
use crate::search::{Clock, Engine, Limits, Outcome, Stop, Supply, Verdict};
use crate::solver::answer::{self, Task};
use crate::solver::results::{Bracket, Error};
use crate::solver::searches::Begin;
use crate::solver::solve::Solver;

/// A board, and the most moves of a solution that is looked for. Without them, the question is its distance.
pub struct Question {
    task: Task,
    within: Option<u32>,
}

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
    ) -> Result<Question, Error> {
        // A search for solutions within some moves has no lower rungs.
        let begin = if within.is_some() { Begin::Whole } else { Begin::High };
        Ok(Question { task: Task::new(&self.shared, board, None, begin, limits)?, within })
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
        let questions = asked.iter().map(|(board, within)| self.question(board, *within, limits));
        let questions: Vec<Result<Question, Error>> = questions.collect();
        let is_easy = |question: &&Question| !question.task.runs_alone();
        let engines = questions.iter().flatten().filter(is_easy);
        let engine = engines.filter_map(|question| question.task.searcher.engine()).next();
        let verdicts = match engine.filter(|_| questions.len() > 1) {
            Some(engine) => self.in_lanes(engine, &questions, limits),
            None => questions.iter().map(|_| OnceLock::new()).collect(),
        };
        let answer = |(question, verdict): (Result<Question, Error>, OnceLock<_>)| {
            let question = question?;
            match verdict.into_inner() {
                Some((Verdict::Done(outcome), clock)) => {
                    question.answer(outcome, &limits.clone().on(clock))
                }
                Some((Verdict::Broken(broken), _)) => Err(question.task.searcher.error(broken)),
                _ if limits.is_cancelled() => Err(Error::Stopped(Stop::Cancelled)),
                Some((Verdict::Hard, clock)) => question.alone(limits, clock.run()),
                None => question.alone(limits, Clock::start()),
            }
        };
        questions.into_iter().zip(verdicts).map(answer).collect()
    }

    /// The verdicts on the questions that an engine answers in lanes, on all threads.
    fn in_lanes(
        &self,
        engine: &Engine,
        questions: &[Result<Question, Error>],
        limits: &Limits,
    ) -> Vec<OnceLock<(Verdict, Clock)>> {
        let verdicts: Vec<_> = questions.iter().map(|_| OnceLock::new()).collect();
        let asked = questions.iter().zip(&verdicts);
        let asked =
            asked.filter_map(|(question, verdict)| Some((question.as_ref().ok()?, verdict)));
        let asked: Vec<_> = asked.filter(|(one, _)| one.task.searcher.is_by(engine)).collect();
        let next = AtomicUsize::new(0);
        let supply = |_| {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let next = asked.get(place).filter(|_| !limits.is_cancelled());
            let Some(&(Question { task, within }, verdict)) = next else { return Supply::End };
            let (position, limits) = (task.position.clone(), task.searcher.guard(limits));
            let deliver = Box::new(move |found, clock| drop(verdict.set((found, clock))));
            match *within {
                Some(moves) => Supply::Within(position, moves, limits, deliver),
                None => Supply::Board(position, limits, deliver),
            }
        };
        let work = || {
            let workers = vec![(); threads()];
            map_chunks(&workers, 1, |_, _| engine.solve_stream(&mut { supply }));
        };
        // Without threads each question is answered alone.
        let _ = self.shared.install(work);
        verdicts
    }
}

impl Question {
    /// Answers it on all threads, with a clock that runs.
    pub fn alone(mut self, limits: &Limits, clock: Clock) -> Result<Bracket, Error> {
        let Some(moves) = self.within.filter(|_| !self.task.position.is_goal()) else {
            return answer::solve(&mut self.task, limits, clock);
        };
        let task = &self.task;
        let limits = task.shared.listening(limits, clock);
        let guarded = task.searcher.guard(&limits);
        let within = || task.searcher.within(&task.position, moves, &guarded);
        let outcome = task.shared.install(within)?.map_err(|broken| task.searcher.error(broken))?;
        self.answer(outcome, &limits)
    }

    /// The answer that an outcome of the search gives.
    fn answer(&self, mut outcome: Outcome, limits: &Limits) -> Result<Bracket, Error> {
        let Question { task, within } = self;
        if within.is_none() {
            return answer::checked(task, outcome, limits);
        }
        task.searcher.check.wait()?;
        // The solution need not be optimal, and there may be none.
        outcome.stopped = outcome.stopped.or(Some(Stop::Moves));
        task.bracket(&outcome, limits)
    }
}
