//! The analysis of a sequence of moves: the distance of each position, and the lost moves.
//!
//! A move of a single tile changes the distance by one. So the bounds of a position bound its
//! neighbours, and a stretch between two positions whose distances differ by its length needs no search:
//! its moves are all optimal, or all lost. A board that is met again is not searched again, and an
//! optimal solution gives the distance of each board on it. [`Analysis::step`] searches the position whose
//! bounds are the farthest apart: the ends of the line, and then the middle of a stretch where many moves
//! may be lost. The positions before lost moves come last, for a better move, where no search has shown one
//! yet.

use std::cmp::Reverse;
use std::ops::Range;

use crate::board::{Board, Moves};
use crate::parallel::map_chunks;
use crate::search::Limits;
use crate::solver::answer::position;
use crate::solver::results::Error;
use crate::solver::solve::Solver;

/// Bounds on the number of moves from a position to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Distance {
    /// No solution is shorter.
    pub lower: u32,
    /// The length of some solution; `None` while none is known.
    pub upper: Option<u32>,
}

impl Distance {
    /// A distance that is known.
    pub(crate) fn of(distance: u32) -> Distance {
        Distance { lower: distance, upper: Some(distance) }
    }

    /// The distance, if the bounds agree.
    pub fn exact(self) -> Option<u32> {
        self.upper.filter(|&upper| upper == self.lower)
    }

    /// Adds the knowledge of other bounds.
    fn narrow(&mut self, lower: u32, upper: Option<u32>) {
        self.lower = self.lower.max(lower);
        self.upper = self.upper.into_iter().chain(upper).min();
    }
}

/// Moves that led away from the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Loss {
    /// The number of moves of the line before the first of them.
    pub at: usize,
    /// The number of moves, one after the other and of one slide.
    pub moves: usize,
    /// The moves lost: twice their number, because each has to be made up for.
    pub lost: u32,
    /// A solution from before the first of them, optimal; `None` if no search has shown one yet.
    pub better: Option<Moves>,
}

/// The knowledge of a position.
#[derive(Clone, Debug)]
struct Known {
    board: Board,
    distance: Distance,
    /// Whether its search has ended, or none is needed.
    searched: bool,
    /// An optimal solution.
    solution: Option<Moves>,
}

/// A line of moves, with the knowledge about its positions: see [`Solver::analyse`].
#[derive(Clone, Debug)]
pub struct Analysis {
    moves: Moves,
    /// The first position, and the position after each move.
    known: Vec<Known>,
}

impl Analysis {
    /// The moves of the line.
    pub fn moves(&self) -> &Moves {
        &self.moves
    }

    /// The bounds of each position: the first one, and the position after each move.
    pub fn distances(&self) -> Vec<Distance> {
        self.known.iter().map(|known| known.distance).collect()
    }

    /// The lost moves that are known, in their order. Lost moves of one slide that follow each other are one
    /// loss.
    pub fn losses(&self) -> Vec<Loss> {
        let lost = self.moves_with(1);
        let is_one = |a: &usize, b: &usize| a + 1 == *b && self.moves.0[*a] == self.moves.0[*b];
        let loss = |run: &[usize]| {
            let (at, moves) = (run[0], run.len());
            Loss { at, moves, lost: 2 * moves as u32, better: self.known[at].solution.clone() }
        };
        lost.chunk_by(is_one).map(loss).collect()
    }

    /// The moves that are known to change the distance by this much.
    fn moves_with(&self, change: i32) -> Vec<usize> {
        let exact = |at: usize| Some(self.known[at].distance.exact()? as i32);
        let is_it = |&at: &usize| {
            exact(at).zip(exact(at + 1)).is_some_and(|(before, after)| after - before == change)
        };
        (0..self.moves.len()).filter(is_it).collect()
    }

    /// The moves that are known to be lost: for a line to the goal whose distances are all exact, its
    /// length beyond the optimal one.
    pub fn lost(&self) -> u32 {
        2 * self.moves_with(1).len() as u32
    }

    /// The longest stretch of moves that are known to be optimal, the first one of several.
    pub fn longest_stretch(&self) -> Range<usize> {
        let optimal = self.moves_with(-1);
        let stretches = optimal.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..run[0] + run.len());
        stretches.rev().max_by_key(Range::len).unwrap_or_default()
    }

    /// Searches the position that tells the most, within limits for that position. Returns `false`, without
    /// a search, if there is nothing more to tell: each position is exact, or its search was ended by
    /// limits, and so are the positions before lost moves.
    ///
    /// # Errors
    /// As [`Solver::solve_with`].
    pub fn step(&mut self, solver: &Solver, limits: &Limits) -> Result<bool, Error> {
        let Some(at) = self.next() else { return Ok(false) };
        let board = self.known[at].board.clone();
        let Distance { lower, upper } = self.known[at].distance;
        if upper == Some(lower + 2) {
            // The distance has the parity of the bounds: one threshold decides.
            match solver.within(&board, lower, limits) {
                Ok(Some(solution)) => {
                    self.prove(&board, &solution);
                    return Ok(true);
                }
                Ok(None) => {
                    let same = self.known.iter_mut().filter(|known| known.board == board);
                    same.for_each(|known| known.distance.narrow(lower + 2, upper));
                    self.spread();
                    return Ok(true);
                }
                Err(Error::Stopped(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let bracket = solver.solve_with(&board, limits)?;
        let length = bracket.solution.as_ref().map(|solution| solution.len() as u32);
        for known in self.known.iter_mut().filter(|known| known.board == board) {
            known.searched = true;
            known.distance.narrow(bracket.lower_bound, length);
        }
        match &bracket.solution {
            Some(solution) if bracket.is_optimal() => self.prove(&board, solution.moves()),
            _ => self.spread(),
        }
        Ok(true)
    }

    /// The position to search next: the one of which the least is known, or one before a lost move.
    fn next(&self) -> Option<usize> {
        let gap = |at: &usize| {
            let Distance { lower, upper } = self.known[*at].distance;
            upper.map_or(u32::MAX, |upper| upper.saturating_sub(lower))
        };
        let unsearched = |at: &usize| !self.known[*at].searched;
        let open = (0..self.known.len()).filter(|at| unsearched(at) && gap(at) > 0);
        // Of equal ones the first.
        let widest = open.min_by_key(|at| Reverse(gap(at)));
        widest.or_else(|| self.losses().iter().map(|loss| loss.at).find(unsearched))
    }

    /// Takes an optimal solution of a board, which proves each board of the line that is on it. The caller
    /// has proved it.
    pub fn prove(&mut self, board: &Board, solution: &Moves) {
        for (made, now) in positions(board, solution).enumerate() {
            for known in self.known.iter_mut().filter(|known| known.board == now) {
                let left = solution.0[made..].to_vec();
                known.distance.narrow(left.len() as u32, Some(left.len() as u32));
                (known.solution, known.searched) = (Some(Moves(left)), true);
            }
        }
        self.spread();
    }

    /// Bounds each position by its neighbours.
    fn spread(&mut self) {
        let last = self.moves.len();
        let there = (0..last).map(|at| (at, at + 1));
        let back = (0..last).rev().map(|at| (at + 1, at));
        for (from, to) in there.chain(back) {
            let Distance { lower, upper } = self.known[from].distance;
            let far = &mut self.known[to].distance;
            far.narrow(lower.saturating_sub(1), upper.map(|upper| upper + 1));
        }
    }
}

/// A board, and the board after each move.
fn positions(board: &Board, moves: &Moves) -> impl Iterator<Item = Board> {
    let after = |board: &mut Board, m| {
        board.apply(m);
        Some(board.clone())
    };
    std::iter::once(board.clone()).chain(moves.iter().scan(board.clone(), after))
}

impl Solver {
    /// Analyses a sequence of moves: the distance of each position, or bounds on it, and the lost moves.
    /// The limits are for each position that is searched. The handle to cancel ends the analysis with the
    /// knowledge so far. The sequence need not lead to the goal.
    ///
    /// Most positions need no search, because moves change the distance by one. Analysing a human solution on
    /// 4×4, of about 100 moves, takes about as long as solving 30 boards.
    ///
    /// # Errors
    /// - As [`Solver::solve_with`];
    /// - [`Error::Blocked`] if a move is not possible;
    /// - [`Error::Without`] with [`Metric::Multi`](crate::Metric::Multi).
    ///
    /// ```
    /// use taquin::{Board, Limits, Solver, Store};
    ///
    /// let solver = Solver::builder().store(Store::memory()).build()?;
    /// let board: Board = "1 2 3 / 4 0 6 / 7 5 8".parse()?;
    /// let analysis = solver.analyse(&board, &"DUUL".parse()?, &Limits::default())?;
    /// assert_eq!(analysis.lost(), 2);
    /// assert_eq!(analysis.losses()[0].better, Some("UL".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyse(
        &self,
        board: &Board,
        moves: &Moves,
        limits: &Limits,
    ) -> Result<Analysis, Error> {
        let mut analysis = self.analysis(board, moves)?;
        while !limits.is_cancelled() && analysis.step(self, limits)? {}
        Ok(analysis)
    }

    /// [`Solver::analyse`] for many sequences, each with its board, on all threads and in their order.
    ///
    /// # Errors
    /// Each as [`Solver::analyse`].
    pub fn analyse_all(
        &self,
        lines: &[(Board, Moves)],
        limits: &Limits,
    ) -> Vec<Result<Analysis, Error>> {
        // The threads of a pool do not wait for databases that one of them builds.
        let grids = lines.chunk_by(|a, b| a.0.grid() == b.0.grid()).map(|lines| lines[0].0.grid());
        grids.for_each(|grid| drop(self.prepare_with(grid, limits)));
        let analyse = |_, lines: &[(Board, Moves)]| {
            let [(board, moves)] = lines else { unreachable!("chunks of one line") };
            self.analyse(board, moves, limits)
        };
        let all = self.shared.install(|| map_chunks(lines, 1, analyse));
        all.unwrap_or_else(|error| lines.iter().map(|_| Err(error.clone())).collect())
    }

    /// [`Solver::analyse`] before its first search, for [`Analysis::step`].
    ///
    /// # Errors
    /// As [`Solver::analyse`].
    pub fn analysis(&self, board: &Board, moves: &Moves) -> Result<Analysis, Error> {
        self.shared.needs_single_tiles("an analysis of lines")?;
        let canonical = self.shared.canonical(board.grid())?;
        position(&canonical, board)?;
        board.after(moves)?;
        let known = |board: Board| {
            let distance = Distance { lower: 0, upper: None };
            Known { board, distance, searched: false, solution: None }
        };
        let known = positions(board, moves).map(known).collect();
        let mut analysis = Analysis { moves: moves.clone(), known };
        analysis.prove(canonical.goal().board(), &Moves::default());
        Ok(analysis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Metric};
    use crate::store::Store;

    fn solver() -> Solver {
        Solver::builder().store(Store::memory()).build().unwrap()
    }

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn losses_are_those_of_each_position_solved() {
        let solver = solver();
        // A walk with a detour at its start, in its middle and at its end.
        for (board, moves) in [
            ("8 6 7 / 2 5 4 / 3 0 1", "RDLURDLURULLDRRULLDDRUULDRRULLDDRRUULDLDRU"),
            ("1 2 3 / 4 5 6 / 7 8 0", "RDLUURDDLLURRDLL"),
            ("1 2 3 / 4 0 6 / 7 5 8", ""),
        ] {
            let board = self::board(board);
            let mut end = board.clone();
            let moves: Moves =
                moves.parse::<Moves>().unwrap().iter().filter(|&m| end.apply(m)).collect();
            let analysis = solver.analyse(&board, &moves, &Limits::default()).unwrap();
            let (mut now, mut lengths) = (board.clone(), Vec::new());
            lengths.push(solver.solve(&now).unwrap().len() as u32);
            for m in &moves {
                assert!(now.apply(m));
                lengths.push(solver.solve(&now).unwrap().len() as u32);
            }
            let exact: Vec<_> = analysis.distances().iter().map(|d| d.exact().unwrap()).collect();
            assert_eq!(exact, lengths);
            let lost =
                moves.len() as i64 + i64::from(*lengths.last().unwrap()) - i64::from(lengths[0]);
            assert_eq!(i64::from(analysis.lost()), lost);
            let losses = analysis.losses();
            assert_eq!(losses.iter().map(|loss| loss.lost).sum::<u32>(), analysis.lost());
            for loss in losses {
                let better = loss.better.unwrap();
                assert_eq!(better.len() as u32, lengths[loss.at]);
                let there = board.after(&Moves(moves.0[..loss.at].to_vec())).unwrap();
                let goal = Goal::named("blank-last", there.grid()).unwrap();
                assert_eq!(&there.after(&better).unwrap(), goal.board());
            }
            let stretch = analysis.longest_stretch();
            assert!(stretch.clone().all(|at| lengths[at + 1] < lengths[at]));
        }
    }

    #[test]
    fn slides_are_one_loss_and_stretches_need_no_search() {
        let limits = Limits::default();
        // Two moves away in one slide, and back.
        let (solver, line) = (solver(), "DDUULL".parse().unwrap());
        let analysis = solver.analyse(&board("1 2 3 / 4 5 6 / 0 7 8"), &line, &limits).unwrap();
        let losses = analysis.losses();
        assert_eq!(losses.len(), 1);
        assert_eq!((losses[0].at, losses[0].moves, losses[0].lost), (0, 2, 4));
        assert_eq!((analysis.lost(), analysis.longest_stretch()), (4, 2..6));
        // The first search of an optimal line tells the rest.
        let board = board("8 6 7 / 2 5 4 / 3 0 1");
        let line = solver.solve(&board).unwrap().moves().clone();
        let searches = |moves: &Moves| {
            let mut analysis = solver.analysis(&board, moves).unwrap();
            let mut count = 0;
            while analysis.step(&solver, &limits).unwrap() {
                count += 1;
            }
            (analysis, count)
        };
        let (analysis, count) = searches(&line);
        assert_eq!((analysis.lost(), analysis.longest_stretch(), count), (0, 0..31, 1));
        // A board that appears again is not searched again, nor is a board on the solution of another.
        let (analysis, count) = searches(&"RLRLRLRLRL".parse().unwrap());
        assert!(analysis.distances().iter().all(|distance| distance.exact().is_some()));
        assert_eq!((analysis.lost(), analysis.losses().len()), (10, 5));
        assert!(count <= 2, "{count}");
    }

    #[test]
    fn limits_leave_brackets() {
        let board = board("0 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1");
        let solver = Solver::builder().store(Store::memory());
        let solver = solver.heuristic("manhattan".parse().unwrap()).build().unwrap();
        let limits = Limits::default().nodes(1000);
        let line: Moves = "LLUURR".parse().unwrap();
        let analysis = solver.analyse(&board, &line, &limits).unwrap();
        for (i, distance) in analysis.distances().iter().enumerate() {
            assert!(distance.exact().is_none() && distance.lower <= 80, "{i}: {distance:?}");
            assert_eq!((distance.lower as usize + i) % 2, 0, "{i}: {distance:?}");
        }
        assert!(analysis.losses().is_empty() && analysis.longest_stretch().is_empty());
        // A cancelled analysis keeps its initial knowledge.
        let cancel = crate::search::Cancel::new();
        cancel.cancel();
        let analysis = solver.analyse(&board, &line, &limits.cancel(&cancel)).unwrap();
        assert!(analysis.distances().iter().all(|distance| distance.upper.is_none()));
    }

    #[test]
    fn what_cannot_be_analysed_is_refused() {
        let (solver, line) = (solver(), "UL".parse().unwrap());
        let start = board("1 2 3 / 4 0 6 / 7 5 8");
        let blocked = solver.analysis(&start, &"UU".parse().unwrap());
        assert!(matches!(blocked, Err(Error::Blocked(blocked)) if blocked.place == 2));
        let unsolvable = solver.analysis(&board("1 2 3 / 4 0 6 / 7 8 5"), &line);
        assert!(matches!(unsolvable, Err(Error::Unsolvable { .. })));
        let slides = Solver::builder().store(Store::memory()).metric(Metric::Multi);
        let refused = slides.build().unwrap().analysis(&start, &line);
        assert!(matches!(refused, Err(Error::Without { option: "metric", .. })));
    }
}
