//! The analysis of a line: the distance of each of its positions, and where moves were lost.
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

use super::{Error, Limits, Solver};
use crate::board::{Board, Goal, Moves};

/// Bounds on the number of moves from a position to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Distance {
    /// No solution is shorter.
    pub lower: u32,
    /// Some solution has this many moves; `None` while none is known.
    pub upper: Option<u32>,
}

impl Distance {
    /// The distance, if the bounds agree.
    pub fn exact(self) -> Option<u32> {
        self.upper.filter(|&upper| upper == self.lower)
    }
}

/// Moves of a line that led away from the goal.
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
    /// Its search has ended, or none is needed.
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
    fn new(board: &Board, moves: &Moves, goal: &Goal) -> Result<Analysis, Error> {
        board.after(moves)?;
        let (width, target) = (board.grid().width(), goal.board());
        let colour = |board: &Board| board.blank() / width + board.blank() % width;
        let known = |board: Board| {
            // A distance has the parity of the blank's distance.
            let lower = 2 - ((colour(&board) + colour(target)) % 2) as u32;
            let distance = Distance { lower, upper: None };
            Known { board, distance, searched: false, solution: None }
        };
        let known = positions(board, moves).map(known).collect();
        let mut analysis = Analysis { moves: moves.clone(), known };
        analysis.prove(target, &Moves::default());
        Ok(analysis)
    }

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
        let mut losses: Vec<Loss> = Vec::new();
        for at in (0..self.moves.len()).filter(|&at| self.change(at) == Some(1)) {
            match losses.last_mut() {
                Some(loss)
                    if loss.at + loss.moves == at && self.moves.0[at - 1] == self.moves.0[at] =>
                {
                    loss.moves += 1;
                    loss.lost += 2;
                }
                _ => {
                    let better = self.known[at].solution.clone();
                    losses.push(Loss { at, moves: 1, lost: 2, better });
                }
            }
        }
        losses
    }

    /// The moves that are known to be lost: for a line to the goal whose distances are all exact, its
    /// length beyond the optimal one.
    pub fn lost(&self) -> u32 {
        2 * (0..self.moves.len()).filter(|&at| self.change(at) == Some(1)).count() as u32
    }

    /// The longest stretch of moves that are known to be optimal, the first one of several.
    pub fn longest_stretch(&self) -> Range<usize> {
        let mut longest = 0..0;
        let mut from = 0;
        for at in 0..self.moves.len() {
            if self.change(at) != Some(-1) {
                from = at + 1;
            } else if at + 1 - from > longest.len() {
                longest = from..at + 1;
            }
        }
        longest
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
        let bracket = solver.solve_with(&board, limits)?;
        for known in self.known.iter_mut().filter(|known| known.board == board) {
            known.searched = true;
            let Distance { lower, upper } = &mut known.distance;
            *lower = bracket.lower_bound.max(*lower);
            let length = bracket.solution.as_ref().map(|solution| solution.len() as u32);
            *upper = (*upper).into_iter().chain(length).min();
        }
        match &bracket.solution {
            Some(solution) if bracket.is_optimal() => self.prove(&board, solution.moves()),
            _ => self.spread(),
        }
        Ok(true)
    }

    /// The change of the distance by a move, if it is known.
    fn change(&self, at: usize) -> Option<i32> {
        let [before, after] = [at, at + 1].map(|at| self.known[at].distance.exact());
        Some(after? as i32 - before? as i32)
    }

    /// The position to search next: the one of which the least is known, or one before a lost move.
    fn next(&self) -> Option<usize> {
        let is_open = |known: &&Known| !known.searched && known.distance.exact().is_none();
        let open = (0..).zip(&self.known).filter(|(_, known)| is_open(known));
        let gap = |Distance { lower, upper }| {
            upper.map_or(u32::MAX, |upper: u32| upper.saturating_sub(lower))
        };
        // Of equal ones the first.
        let widest = open.max_by_key(|(at, known)| (gap(known.distance), Reverse(*at)));
        let losses = || self.losses().into_iter().map(|loss| loss.at);
        let lost = || losses().find(|&at| !self.known[at].searched);
        widest.map(|(at, _)| at).or_else(lost)
    }

    /// Takes an optimal solution of a board, which proves each board of the line that is on it. The caller
    /// has proved it.
    pub fn prove(&mut self, board: &Board, solution: &Moves) {
        for (made, now) in positions(board, solution).enumerate() {
            for known in self.known.iter_mut().filter(|known| known.board == now) {
                let left = solution.0[made..].to_vec();
                let (lower, upper) = (left.len() as u32, Some(left.len() as u32));
                (known.distance, known.searched) = (Distance { lower, upper }, true);
                known.solution = Some(Moves(left));
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
            let near = self.known[from].distance;
            let far = &mut self.known[to].distance;
            far.lower = far.lower.max(near.lower.saturating_sub(1));
            let reach = near.upper.map(|upper| upper + 1);
            far.upper = far.upper.into_iter().chain(reach).min();
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
    /// Analyses a line of moves: the distance of each position, or bounds on it, and where moves were lost.
    /// The limits are for each position that is searched. The handle to cancel ends the analysis with the
    /// knowledge so far. The line need not lead to the goal.
    ///
    /// Most positions need no search, because moves change the distance by one. The line of a person
    /// on 4×4, of some 100 moves, takes about as long as to solve some 30 boards.
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

    /// [`Solver::analyse`] before its first search, for [`Analysis::step`].
    ///
    /// # Errors
    /// As [`Solver::analyse`].
    pub fn analysis(&self, board: &Board, moves: &Moves) -> Result<Analysis, Error> {
        self.needs_single_tiles("an analysis of lines")?;
        let canonical = self.canonical(board.grid())?;
        canonical.position(board).map_err(|error| Error::of_board(board, error))?;
        Analysis::new(board, moves, canonical.goal())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Metric;
    use crate::store::Store;

    fn analysed(board: &str, moves: &str, limits: &Limits) -> Analysis {
        let solver = Solver::builder().store(Store::memory()).build().unwrap();
        solver.analyse(&board.parse().unwrap(), &moves.parse().unwrap(), limits).unwrap()
    }

    #[test]
    fn losses_are_those_of_each_position_solved() {
        let solver = Solver::builder().store(Store::memory()).build().unwrap();
        // A walk with a detour at its start, in its middle and at its end.
        for (board, moves) in [
            ("8 6 7 / 2 5 4 / 3 0 1", "RDLURDLURULLDRRULLDDRUULDRRULLDDRRUULDLDRU"),
            ("1 2 3 / 4 5 6 / 7 8 0", "RDLUURDDLLURRDLL"),
            ("1 2 3 / 4 0 6 / 7 5 8", ""),
        ] {
            let board: Board = board.parse().unwrap();
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
        let analysis = analysed("1 2 3 / 4 5 6 / 0 7 8", "DDUULL", &limits);
        let losses = analysis.losses();
        assert_eq!(losses.len(), 1);
        assert_eq!((losses[0].at, losses[0].moves, losses[0].lost), (0, 2, 4));
        assert_eq!((analysis.lost(), analysis.longest_stretch()), (4, 2..6));
        // The first search of an optimal line tells the rest.
        let (solver, board) =
            (Solver::builder().store(Store::memory()).build().unwrap(), "8 6 7 / 2 5 4 / 3 0 1");
        let board: Board = board.parse().unwrap();
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
        let board = "0 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1";
        let solver = Solver::builder()
            .store(Store::memory())
            .heuristic("manhattan".parse().unwrap())
            .build()
            .unwrap();
        let limits = Limits::default().nodes(1000);
        let line: Moves = "LLUURR".parse().unwrap();
        let analysis = solver.analyse(&board.parse().unwrap(), &line, &limits).unwrap();
        for (i, distance) in analysis.distances().iter().enumerate() {
            assert!(distance.exact().is_none() && distance.lower <= 80, "{i}: {distance:?}");
            assert_eq!((distance.lower as usize + i) % 2, 0, "{i}: {distance:?}");
        }
        assert!(analysis.losses().is_empty() && analysis.longest_stretch().is_empty());
        // A cancelled analysis keeps its initial knowledge.
        let cancel = crate::search::Cancel::new();
        cancel.cancel();
        let analysis =
            solver.analyse(&board.parse().unwrap(), &line, &limits.cancel(&cancel)).unwrap();
        assert!(analysis.distances().iter().all(|distance| distance.upper.is_none()));
    }

    #[test]
    fn what_cannot_be_analysed_is_refused() {
        let solver = Solver::builder().store(Store::memory()).build().unwrap();
        let line = "UL".parse().unwrap();
        let blocked =
            solver.analysis(&"1 2 3 / 4 0 6 / 7 5 8".parse().unwrap(), &"UU".parse().unwrap());
        assert!(matches!(blocked, Err(Error::Blocked(blocked)) if blocked.place == 2));
        let unsolvable = solver.analysis(&"1 2 3 / 4 0 6 / 7 8 5".parse().unwrap(), &line);
        assert!(matches!(unsolvable, Err(Error::Unsolvable { .. })));
        let slides =
            Solver::builder().store(Store::memory()).metric(Metric::Multi).build().unwrap();
        let refused = slides.analysis(&"1 2 3 / 4 0 6 / 7 5 8".parse().unwrap(), &line);
        assert!(matches!(refused, Err(Error::Without { option: "metric", .. })));
    }
}
