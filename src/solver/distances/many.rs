//! The distances of many boards, and the moves that shorten them.
//!
//! A move of a single tile changes the distance by one. So a neighbour of a board at distance *d* is at *d* − 1 or
//! *d* + 1, and a single threshold decides: whether it has a solution of *d* − 1 moves.
//!
//! Small boards need no search once there are many of them: a table has all distances.

use super::analysis::Distance;
use crate::board::{Board, Move, Moves};
use crate::parallel::{map_chunks, threads};
use crate::search::{Cancel, Clock, Limits, Stop};
use crate::solver::answer::{Answer, Due, Task, Workers, position};
use crate::solver::layers::DistanceTable;
use crate::solver::results::{Bracket, Error};
use crate::solver::searches::Begin;
use crate::solver::solve::Solver;
use crate::store::TWO_PATTERN_CELLS;

/// The most boards that are answered at once.
const CHUNK: usize = 4096;

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
            if let Some(table) = solver.shared.table(&boards) {
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

    /// Whether each move of a board belongs to an optimal solution, in the order of [`Move::ALL`]: none of the goal. On all
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
        let bracket = self.answers(&[(board.clone(), Some(moves))], limits).remove(0)?;
        let is_within = bracket.is_within(moves)?;
        let solution = bracket.solution.filter(|_| is_within);
        Ok(solution.map(|solution| solution.moves().clone()))
    }

    /// The optimal moves of boards of one size.
    fn moves_of(&self, boards: &[Board], limits: &Limits) -> Vec<Result<[bool; 4], Error>> {
        if let Err(error) = self.shared.needs_single_tiles("optimal moves") {
            return boards.iter().map(|_| Err(error.clone())).collect();
        }
        if let Some(table) = self.shared.table(boards) {
            let nearer = |board: &Board| {
                let distance = self.looked_up(&table, board)?;
                let is_nearer =
                    |board| table.distance(&board).is_some_and(|other| other < distance);
                Ok(Move::ALL.map(|m| after(board, m).is_some_and(is_nearer)))
            };
            return boards.iter().map(nearer).collect();
        }
        let brackets = self.solved(boards, limits).into_iter();
        let solutions: Vec<Result<Moves, Error>> =
            brackets.map(|bracket| bracket?.optimal().cloned()).collect();
        // The first move of a solution is optimal. A neighbour by another move is a question.
        let (mut places, mut neighbours) = (Vec::new(), Vec::new());
        for (place, (board, solution)) in boards.iter().zip(&solutions).enumerate() {
            let Ok(Moves(moves)) = solution else { continue };
            let Some((first, rest)) = moves.split_first() else { continue };
            let nearer = rest.len() as u32;
            for m in Move::ALL.into_iter().filter(|m| m != first) {
                if let Some(neighbour) = after(board, m) {
                    places.push((place, m, nearer));
                    neighbours.push((neighbour, Some(nearer)));
                }
            }
        }
        let first = |Moves(moves): Moves| Move::ALL.map(|m| moves.first() == Some(&m));
        let mut all: Vec<Result<_, _>> = solutions.into_iter().map(|one| one.map(first)).collect();
        for ((place, m, nearer), answer) in
            places.into_iter().zip(self.answers(&neighbours, limits))
        {
            match (answer.and_then(|bracket| bracket.is_within(nearer)), &mut all[place]) {
                (Ok(is_nearer), Ok(optimal)) => optimal[m as usize] = is_nearer,
                (Err(error), of_board) => *of_board = Err(error),
                (Ok(_), Err(_)) => {}
            }
        }
        all
    }

    /// The brackets of boards of one size, on all threads.
    pub(crate) fn solved(&self, boards: &[Board], limits: &Limits) -> Vec<Answer> {
        let asked: Vec<_> = boards.iter().map(|board| (board.clone(), None)).collect();
        self.answers(&asked, limits)
    }

    /// A question about a board: its distance, or whether it has a solution within so many moves.
    fn question(
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
    fn answers(&self, asked: &[(Board, Option<u32>)], limits: &Limits) -> Vec<Answer> {
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

    fn looked_up(&self, table: &DistanceTable, board: &Board) -> Result<u32, Error> {
        match table.distance(board) {
            Some(distance) => Ok(distance),
            None => {
                position(&*self.shared.canonical(board.grid())?, board)?;
                unreachable!("every solvable board is in the table")
            }
        }
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
