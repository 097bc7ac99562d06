//! Boards at a distance from the goal, drawn at random.
//!
//! Where all boards at a distance can be listed they are drawn evenly: on up to 12 cells, and near the goal of larger
//! boards. Elsewhere a solution is the source: an optimal solution of *n* moves passes a board at each distance below
//! *n*, which needs no search of its own. Of each solved board one board is taken, so no two boards are of one
//! solution.
//!
//! - Up to 16 cells the boards that are solved are drawn uniformly. If few are far enough, only those with the largest
//!   heuristic values are solved.
//! - Larger boards are random walks from the goal, long enough that the boards are as far as is needed.
//!
//! Boards, values and solutions follow from the seed alone, and so do the boards that are taken.

use std::collections::{HashSet, VecDeque};
use std::ops::RangeInclusive;

use crate::board::{Board, Goal, Grid, Metric, Moves, Random};
use crate::search::{Limits, Stop};
use crate::solver::layers::Layers;
use crate::solver::options::Target;
use crate::solver::results::Error;
use crate::solver::solve::Solver;
use crate::store::{MAX_OPTIMAL_CELLS, TWO_PATTERN_CELLS};

/// The most boards at a distance near the goal of a large board that are listed.
const MOST_LISTED: u64 = 4_000_000;

/// As many are listed where farther boards are drawn, too, which need searches.
const NEAR: u64 = 200_000;

/// The boards that are solved at once: of up to 16 cells, and of more.
const SOLVED: [usize; 2] = [256, 16];

/// The most boards among which one is chosen by its value.
const MOST_CHOICES: usize = 1 << 14;

/// Boards with their distances, in random order: see [`Solver::boards_at`].
pub struct BoardsAt {
    solver: Solver,
    goal: Target,
    limits: Limits,
    random: Random,
    /// The boards that are still to be drawn at each distance.
    wanted: Vec<(u32, u64)>,
    taken: HashSet<Board>,
    ready: VecDeque<(Board, u32)>,
    /// The number of boards among which the one that is solved is chosen; on large boards the moves of a walk.
    effort: usize,
}

impl Solver {
    /// Draws `count` boards of a size, all different, at distances in a range. Each distance has the same number of
    /// boards as far as there are enough. Those near the goal come first, in random order. Equal seeds give equal boards, whatever the number of threads.
    /// After a cancel the iterator ends.
    ///
    /// Boards of up to 12 cells, and those up to about 20 moves from the goal of larger boards, are drawn uniformly
    /// among all boards at the distance. Others are positions on optimal solutions of random boards: boards that many
    /// solutions pass are more likely. For an open goal, only boards that can be listed are drawn; they have the labels
    /// of [`GoalSpec::named`](crate::solver::GoalSpec::named). The solver must have an optimal method. Far beyond the average
    /// distance few random boards are of use: on 4×4 a board at distance 65 takes about 15 ms, one at 70 some 0.2 s.
    ///
    /// # Errors
    /// - [`Error::Few`] if there are fewer boards;
    /// - [`Error::Far`] if no distance is proved for boards of that size so far from the goal;
    /// - each as [`Solver::solve`], and the last one then.
    pub fn boards_at(
        &self,
        grid: Grid,
        distances: RangeInclusive<u32>,
        count: u64,
        seed: u64,
        limits: &Limits,
    ) -> Result<BoardsAt, Error> {
        let goal = self.shared.goal.target(grid)?;
        let mut boards = BoardsAt {
            solver: self.clone(),
            goal,
            limits: limits.clone(),
            random: Random::new(seed),
            wanted: Vec::new(),
            taken: HashSet::new(),
            ready: VecDeque::new(),
            effort: if grid.cells() > TWO_PATTERN_CELLS {
                2 * *distances.end() as usize
            } else {
                1
            },
        };
        let (counts, beyond) = boards.counts(*distances.end())?;
        let known = |distance| counts.get(distance as usize).copied().unwrap_or(beyond);
        let mut room: Vec<(u32, u64)> =
            distances.clone().map(|distance| (distance, known(distance))).collect();
        let found = room.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
        if found < count {
            return Err(Error::Few { count: found, distances });
        }
        // The shortest first: what they lack is the others' share.
        room.sort_by_key(|&(_, count)| count);
        let (mut left, distances) = (count, room.len());
        for (place, (_, count)) in room.iter_mut().enumerate() {
            *count = left.div_ceil((distances - place) as u64).min(*count);
            left -= *count;
        }
        room.retain(|&(_, count)| count > 0);
        room.sort_unstable();
        let far = room.partition_point(|&(distance, _)| (distance as usize) < counts.len());
        boards.wanted = room.split_off(far);
        let has_searches = grid.cells() <= MAX_OPTIMAL_CELLS && self.shared.goal.open().is_none();
        if !boards.wanted.is_empty() && !has_searches {
            return Err(Error::Far { grid });
        }
        boards.list(room)?;
        Ok(boards)
    }
}

impl BoardsAt {
    /// The number of boards at each distance up to one, as far as they can be listed, and how many there may be beyond.
    fn counts(&self, to: u32) -> Result<(Vec<u64>, u64), Error> {
        let mut layers = self.layers()?;
        let mut counts = vec![layers.count()];
        while layers.distance() < to {
            // A layer is at least 1.4 times as large as the one before, until half of all boards are nearer.
            let left = (to - layers.distance()) / 2;
            let is_far = left > 40 || layers.held() << left.min(40) > MOST_LISTED;
            if !layers.is_whole() && is_far && layers.held() > NEAR {
                return Ok((counts, u64::MAX));
            }
            if !layers.advance(&self.limits).map_err(Error::Stopped)? {
                break;
            }
            counts.push(layers.count());
        }
        Ok((counts, 0))
    }

    fn layers(&self) -> Result<Layers, Error> {
        Layers::new(&self.goal, self.solver.metric())
    }

    /// Draws numbers of boards at distances from the lists of all.
    fn list(&mut self, wanted: Vec<(u32, u64)>) -> Result<(), Error> {
        let (mut layers, mut boards) = (self.layers()?, Vec::new());
        for (distance, count) in wanted {
            while layers.distance() < distance {
                layers.advance(&self.limits).map_err(Error::Stopped)?;
            }
            // Floyd's sample: every set of this size is equally likely (Bentley & Floyd 1987).
            let (mut numbers, all) = (std::collections::BTreeSet::new(), layers.count());
            for last in all - count..all {
                let number = self.random.below(last as usize + 1) as u64;
                numbers.insert(if numbers.contains(&number) { last } else { number });
            }
            boards.extend(layers.boards(numbers).into_iter().map(|board| (board, distance)));
        }
        for last in (1..boards.len()).rev() {
            boards.swap(last, self.random.below(last + 1));
        }
        self.ready = boards.into();
        Ok(())
    }

    /// Solves some boards, and takes a board from the solution of each.
    fn solve(&mut self) -> Result<(), Error> {
        let goal = self.goal.clone().board()?;
        let is_large = goal.board().grid().cells() > TWO_PATTERN_CELLS;
        let solved = SOLVED[usize::from(is_large)];
        let starts = match is_large {
            true => (0..solved).map(|_| goal.walk(self.effort as u64, &mut self.random)).collect(),
            false => self.chosen(&goal, solved)?,
        };
        let mut useful = 0;
        for (start, found) in starts.iter().zip(self.solver.solved(&starts, &self.limits)) {
            let bracket = found?;
            let solution = bracket.optimal()?;
            // The farthest distance that is still wanted: nearer ones have more sources.
            let length = bracket.lower_bound;
            let Some((distance, left)) = self
                .wanted
                .iter_mut()
                .rfind(|&&mut (distance, left)| left > 0 && distance <= length)
            else {
                continue;
            };
            useful += 1;
            let board = passed(start, solution, *distance, bracket.metric);
            if let Some(board) = board.filter(|board| self.taken.insert(board.clone())) {
                *left -= 1;
                self.ready.push_back((board, *distance));
            }
        }
        self.wanted.retain(|&(_, left)| left > 0);
        if useful < solved / 4 {
            self.effort = match is_large {
                true => self.effort * 3 / 2 + 2,
                false => (self.effort * 2).min(MOST_CHOICES),
            };
        }
        Ok(())
    }

    /// Random boards, each the one with the largest heuristic value among as many as the effort.
    fn chosen(&mut self, goal: &Goal, count: usize) -> Result<Vec<Board>, Error> {
        let mut chosen = Vec::with_capacity(count);
        let mut draw = |count: usize| -> Vec<Board> {
            (0..count).map(|_| goal.random_board(&mut self.random)).collect()
        };
        if self.effort == 1 {
            return Ok(draw(count));
        }
        while chosen.len() < count {
            let boards = draw(self.effort);
            let values = self.solver.values(&boards, &self.limits)?;
            let best = boards.into_iter().zip(values).max_by_key(|&(_, value)| value);
            chosen.extend(best.map(|(board, _)| board));
        }
        Ok(chosen)
    }
}

/// The board at a distance that an optimal solution passes; `None` if a slide passes over it.
fn passed(start: &Board, solution: &Moves, distance: u32, metric: Metric) -> Option<Board> {
    let moves = &solution.0;
    let rest = |made: &usize| Moves(moves[*made..].to_vec()).length(metric) == distance as usize;
    // The first move of a slide has all of the slide before it.
    let made = (0..=moves.len()).find(rest)?;
    start.after(&Moves(moves[..made].to_vec())).ok()
}

impl Iterator for BoardsAt {
    type Item = Result<(Board, u32), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.wanted.is_empty() && !self.limits.is_cancelled() {
            match self.solve() {
                Ok(()) => {}
                Err(Error::Stopped(Stop::Cancelled)) => break,
                Err(error) => {
                    self.wanted.clear();
                    return Some(Err(error));
                }
            }
        }
        self.ready.pop_front().map(Ok)
    }
}
