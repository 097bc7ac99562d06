//! The distances of many boards, and the moves that shorten them.
//!
//! A move of a single tile changes the distance by one. So a neighbour of a board at distance *d* is at *d* − 1 or
//! *d* + 1, and a single threshold decides: whether it has a solution of *d* − 1 moves.
//!
//! Boards of one search are its questions. The engine answers them in lanes, a board in each; other searches answer
//! one after the other. Small boards need no search once there are many of them: a table has all distances.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::analysis::Distance;
use crate::board::{Board, Move, Moves};
use crate::parallel::{map_chunks, threads};
use crate::search::{Clock, Engine, Limits, Outcome, Stop, Supply, Verdict};
use crate::solver::answer::{self, Task, position};
use crate::solver::layers::DistanceTable;
use crate::solver::results::{Bracket, Error};
use crate::solver::searches::Begin;
use crate::solver::solve::Solver;
use crate::store::TWO_PATTERN_CELLS;

/// The most boards that are answered at once.
const CHUNK: usize = 4096;

/// A board, and the most moves of a solution that is looked for. Without them, the question is its distance.
struct Question {
    task: Task,
    within: Option<u32>,
}

impl Solver {
    /// The distances of boards to the goal, in the solver's metric and in the order of the boards, on all threads. The
    /// limits are for each board; one that they end, or whose method proves no more, has bounds. After a cancel the
    /// iterator ends.
    ///
    /// It reads up to 4096 boards ahead. After the first thousand boards of up to 10 cells, a table of all positions
    /// has the distances of the rest, at some 50 ns each.
    ///
    /// # Errors
    /// Each as [`Solver::solve`].
    ///
    /// ```
    /// use taquin::{Limits, Solver, Store};
    ///
    /// let solver = Solver::builder().store(Store::memory()).build()?;
    /// let boards = ["1 2 3 / 4 5 6 / 7 0 8", "8 6 7 / 2 5 4 / 3 0 1"].map(|text| text.parse().unwrap());
    /// let distances = solver.distances(boards, Limits::default());
    /// let distances = distances.map(|distance| Ok(distance?.exact()));
    /// let exact = distances.collect::<Result<Vec<_>, taquin::Error>>()?;
    /// assert_eq!(exact, [Some(1), Some(31)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distances<I>(
        &self,
        boards: I,
        limits: Limits,
    ) -> impl Iterator<Item = Result<Distance, Error>> + use<I>
    where
        I: IntoIterator<Item = Board>,
    {
        let solver = self.clone();
        chunks(boards, limits.clone()).flat_map(move |boards| {
            if let Some(table) = solver.table(&boards) {
                let exact = |board| Ok(Distance::of(solver.looked_up(&table, board)?));
                return boards.iter().map(exact).collect::<Vec<_>>();
            }
            let bounds = |bracket: Bracket| Distance {
                lower: bracket.lower_bound,
                upper: bracket.solution.map(|solution| solution.length() as u32),
            };
            let solved = solver.solved(&boards, &limits).into_iter();
            solved.map(|bracket| bracket.map(bounds)).collect()
        })
    }

    /// Which moves of boards belong to optimal solutions, in the order of [`Move::ALL`]: none of the goal. On all
    /// threads, in the order of the boards, which it reads ahead as [`Solver::distances`] does. The limits are for each
    /// search, of a board or of one of its neighbours.
    ///
    /// Costs about twice as much as solving the boards.
    ///
    /// # Errors
    /// Each as [`Solver::solve`]; [`Error::Stopped`] if the limits or the method leave a distance unproved;
    /// [`Error::Without`] with [`Metric::Multi`](crate::Metric::Multi).
    pub fn optimal_moves<I>(
        &self,
        boards: I,
        limits: Limits,
    ) -> impl Iterator<Item = Result<[bool; 4], Error>> + use<I>
    where
        I: IntoIterator<Item = Board>,
    {
        let solver = self.clone();
        let chunks = chunks(boards, limits.clone());
        chunks.flat_map(move |boards| solver.moves_of(&boards, &limits))
    }

    /// A solution of at most `moves` moves, in the solver's metric, if the board has one. It need not be optimal: a
    /// single threshold decides, where the method has thresholds.
    ///
    /// # Errors
    /// As [`Solver::solve`]; [`Error::Stopped`] if the limits or the method leave it open.
    pub fn within(
        &self,
        board: &Board,
        moves: u32,
        limits: &Limits,
    ) -> Result<Option<Moves>, Error> {
        let bracket = match self.shared.goal.open() {
            Some(_) => self.solve_with(board, limits)?,
            None => self.question(board, Some(moves), limits)?.alone(limits, Clock::start())?,
        };
        let is_within = bracket.is_within(moves)?;
        let solution = bracket.solution.filter(|_| is_within);
        Ok(solution.map(|solution| solution.moves().clone()))
    }

    /// The brackets of boards of one size, on all threads.
    pub(crate) fn solved(&self, boards: &[Board], limits: &Limits) -> Vec<Result<Bracket, Error>> {
        self.answers(boards.iter().map(|board| (board.clone(), None)).collect(), limits)
    }

    /// The optimal moves of boards of one size.
    fn moves_of(&self, boards: &[Board], limits: &Limits) -> Vec<Result<[bool; 4], Error>> {
        if let Err(error) = self.shared.needs_single_tiles("optimal moves") {
            return boards.iter().map(|_| Err(error.clone())).collect();
        }
        if let Some(table) = self.table(boards) {
            let optimal = |board: &Board| {
                let distance = self.looked_up(&table, board)?;
                let is_nearer =
                    |board| table.distance(&board).is_some_and(|other| other < distance);
                Ok(Move::ALL.map(|m| after(board, m).is_some_and(is_nearer)))
            };
            return boards.iter().map(optimal).collect();
        }
        let solutions = self.solved(boards, limits).into_iter();
        let solutions: Vec<Result<Moves, Error>> =
            solutions.map(|bracket| bracket?.optimal().cloned()).collect();
        // The first move of a solution is optimal. A neighbour by another move is a question.
        let is_first = |solution: &Moves, m| solution.0.first() == Some(&m);
        let (mut places, mut neighbours) = (Vec::new(), Vec::new());
        for (place, (board, solution)) in boards.iter().zip(&solutions).enumerate() {
            let Ok(solution) = solution else { continue };
            let Some(nearer) = (solution.len() as u32).checked_sub(1) else { continue };
            for m in Move::ALL.into_iter().filter(|&m| !is_first(solution, m)) {
                if let Some(neighbour) = after(board, m) {
                    places.push((place, m, nearer));
                    neighbours.push((neighbour, Some(nearer)));
                }
            }
        }
        let first = |solution: Moves| Move::ALL.map(|m| is_first(&solution, m));
        let solutions = solutions.into_iter();
        let mut optimal: Vec<Result<[bool; 4], Error>> = solutions.map(|s| s.map(first)).collect();
        for ((place, m, nearer), bracket) in
            places.into_iter().zip(self.answers(neighbours, limits))
        {
            match (bracket.and_then(|bracket| bracket.is_within(nearer)), &mut optimal[place]) {
                (Ok(is_nearer), Ok(optimal)) => optimal[m as usize] = is_nearer,
                (Err(error), optimal) => *optimal = Err(error),
                (Ok(_), Err(_)) => {}
            }
        }
        optimal
    }

    /// The table of all distances of boards of one size, if they are small and many.
    fn table(&self, boards: &[Board]) -> Option<Arc<DistanceTable>> {
        let grid = boards.first()?.grid();
        let canonical = self.shared.canonical(grid).ok()?;
        self.shared.table(grid).with(boards.len(), canonical.goal(), self.metric())
    }

    fn looked_up(&self, table: &DistanceTable, board: &Board) -> Result<u32, Error> {
        match table.distance(board) {
            Some(distance) => Ok(distance),
            None => {
                position(&*self.shared.canonical(board.grid())?, board)?;
                unreachable!("every solvable board is in the table")
            }
        }
    }

    fn question(
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
    fn answers(
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
    fn alone(mut self, limits: &Limits, clock: Clock) -> Result<Bracket, Error> {
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

fn after(board: &Board, m: Move) -> Option<Board> {
    let mut board = board.clone();
    board.apply(m).then_some(board)
}

/// Boards of one size each, as many as are answered at once, until a cancel. Larger boards come alone: each may take
/// long.
fn chunks<I: IntoIterator<Item = Board>>(
    boards: I,
    limits: Limits,
) -> impl Iterator<Item = Vec<Board>> + use<I> {
    let mut boards = boards.into_iter().peekable();
    std::iter::from_fn(move || {
        let first = boards.next().filter(|_| !limits.is_cancelled())?;
        let grid = first.grid();
        let most = if grid.cells() > TWO_PATTERN_CELLS { 1 } else { CHUNK };
        let mut chunk = vec![first];
        while chunk.len() < most
            && let Some(board) = boards.next_if(|board| board.grid() == grid)
        {
            chunk.push(board);
        }
        Some(chunk)
    })
}
