//! Questions about boards, many at once: what their distance is, or whether they have a solution within so many moves.

use crate::board::Board;
use crate::parallel::{map_chunks, threads};
use crate::search::{Cancel, Clock, Limits, Stop};
use crate::solver::answer::{Answer, Due, Task, Workers};
use crate::solver::results::Error;
use crate::solver::searches::Begin;
use crate::solver::solve::Solver;

impl Solver {
    /// The brackets of boards of one size, on all threads.
    pub(crate) fn solved(&self, boards: &[Board], limits: &Limits) -> Vec<Answer> {
        let asked: Vec<_> = boards.iter().map(|board| (board.clone(), None)).collect();
        self.answers(&asked, limits)
    }

    /// A question about a board: its distance, or whether it has a solution within so many moves.
    pub(super) fn question(
        &self,
        (board, within): &(Board, Option<u32>),
        limits: &Limits,
    ) -> Result<Task, Error> {
        // A search for solutions within some moves has no lower rungs.
        let begin = if within.is_some() { Begin::Whole } else { Begin::High };
        let mut task = Task::new(&self.shared, board, None, begin, limits)?;
        task.within = *within;
        Ok(task)
    }

    /// The answers to questions about boards of one size: whether they have a solution within so many moves, or what
    /// their distance is.
    pub(super) fn answers(&self, asked: &[(Board, Option<u32>)], limits: &Limits) -> Vec<Answer> {
        if self.shared.goal.open().is_some() {
            return asked.iter().map(|(board, _)| self.solve_with(board, limits)).collect();
        }
        let cancelled = || Err(Error::Stopped(Stop::Cancelled));
        if let [alone] = asked {
            let answer = |task| match limits.is_cancelled() {
                true => cancelled(),
                false => Due::Hard(task, Clock::default()).answer(limits),
            };
            return vec![self.question(alone, limits).and_then(answer)];
        }
        let (asker, workers) = Workers::new(limits.clone(), Cancel::new());
        let due = asked.iter().map(|one| asker.ask(self.question(one, limits)));
        let due: Vec<_> = due.collect();
        drop(asker);
        let work = || map_chunks(&vec![(); threads()], 1, |_, _| workers.work());
        if self.shared.install(work).is_err() {
            workers.work();
        }
        // The boards that a cancel has left have no answer.
        drop(workers);
        let answer = |due: Result<Due, _>| match due {
            Ok(Due::Hard(..)) | Err(_) if limits.is_cancelled() => cancelled(),
            due => due.expect("the workers answer each board").answer(limits),
        };
        due.into_iter().map(|due| answer(due.recv())).collect()
    }
}
