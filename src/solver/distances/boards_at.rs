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

use crate::board::{Board, Canonical, Grid, Metric, Moves, Random};
use crate::search::{Limits, Stop};
use crate::solver::layers::Layers;
use crate::solver::options::Target;
use crate::solver::results::Error;
use crate::solver::solve::Solver;
use crate::store::{MAX_OPTIMAL_CELLS, TWO_PATTERN_CELLS};

/// The most boards at a distance near the goal of a large board that are listed.
const MOST_LISTED: u64 = 4_000_000;

/// The most boards listed where the range also has distances whose boards need searches.
const NEAR: u64 = 200_000;

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
    /// The distances asked for that no board has.
    none: Option<RangeInclusive<u32>>,
    taken: HashSet<Board>,
    ready: VecDeque<(Board, u32)>,
    source: Source,
}

/// The source of the boards that are solved.
#[derive(Clone, Copy)]
enum Source {
    /// Drawn uniformly, each the one with the largest heuristic value among so many.
    Choices(usize),
    /// The ends of walks of so many moves from the goal.
    Walks(u64),
}

impl Source {
    /// The number of boards that are solved at once.
    fn solved(self) -> usize {
        match self {
            Source::Choices(_) => 256,
            Source::Walks(_) => 16,
        }
    }

    /// A source of boards that are farther from the goal.
    fn farther(self) -> Source {
        match self {
            Source::Choices(boards) => Source::Choices((boards * 2).min(MOST_CHOICES)),
            Source::Walks(moves) => Source::Walks(moves * 3 / 2 + 2),
        }
    }
}

impl Solver {
    /// Draws `count` boards of a size, all different, at distances in a range. Each distance has the same number of
    /// boards as far as there are enough. Those near the goal come first, in random order. Equal seeds give equal boards,
    /// whatever the number of threads. After a cancel the iterator ends.
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
        let mut boards = BoardsAt {
            solver: self.clone(),
            goal: self.shared.goal.target(grid)?,
            limits: limits.clone(),
            random: Random::new(seed),
            wanted: Vec::new(),
            none: None,
            taken: HashSet::new(),
            ready: VecDeque::new(),
            source: match grid.cells() > TWO_PATTERN_CELLS {
                true => Source::Walks(2 * u64::from(*distances.end())),
                false => Source::Choices(1),
            },
        };
        let (counts, beyond) = boards.counts(*distances.end())?;
        let most = most_moves(&boards.goal, self.metric()).unwrap_or(u32::MAX);
        let known = |distance| match counts.get(distance as usize) {
            Some(count) => *count,
            None if distance <= most => beyond,
            None => 0,
        };
        let known: Vec<_> = distances.clone().map(|distance| (distance, known(distance))).collect();
        let found = known.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
        if found < count {
            let listed = (beyond == 0).then(|| counts.len().saturating_sub(1) as u32);
            let most = listed.or_else(|| most_moves(&boards.goal, self.metric()));
            return Err(Error::Few { count: found, distances, most });
        }
        let farther = known.iter().find(|(_, count)| *count == 0);
        boards.none = farther.map(|&(first, _)| first..=*distances.end());
        let mut near = shares(count, known);
        let is_near = |&(distance, _): &(u32, u64)| (distance as usize) < counts.len();
        boards.wanted = near.split_off(near.partition_point(is_near));
        let has_searches = grid.cells() <= MAX_OPTIMAL_CELLS && self.shared.goal.open().is_none();
        if !boards.wanted.is_empty() && !has_searches {
            return Err(Error::Far { grid, left_out: 0 });
        }
        boards.list(near)?;
        Ok(boards)
    }
}

/// A distance that no board exceeds, where one is known and the boards are too many to be listed: the greatest one
/// (Brüngger, Marzetta, Fukuda & Nievergelt 1999 for 4×4, Norskog 2010 for its slides, OEIS A151944 for the others), and
/// on 5×5 an upper bound (Karlemo & Östergård 2000).
fn most_moves(goal: &Target, metric: Metric) -> Option<u32> {
    let Target::Board(goal) = goal else { return None };
    let canonical = Canonical::of(goal);
    let (grid, is_corner) = (canonical.grid(), canonical.goal_blank() == 0);
    match (grid.width(), grid.height(), metric) {
        _ if !is_corner => None,
        (4, 4, Metric::Single) => Some(80),
        (4, 4, Metric::Multi) => Some(43),
        (5, 3, Metric::Single) => Some(84),
        (7, 2, Metric::Single) => Some(108),
        (8, 2, Metric::Single) => Some(140),
        (5, 5, Metric::Single) => Some(210),
        _ => None,
    }
}

/// Shares a number of boards among distances, of which each has so many: as many for each as far as there are enough.
fn shares(count: u64, mut known: Vec<(u32, u64)>) -> Vec<(u32, u64)> {
    let (mut left, distances) = (count, known.len());
    let there = known.iter().filter(|&&(_, count)| count > 0).count() as u64;
    // Where one board of each distance is enough, none has too few.
    let most = if count <= there { 1 } else { u64::MAX };
    // The fewest first: what they lack is the others' share. Among equal ones the multiples of the golden ratio
    // spread a rest over the range (Knuth, The Art of Computer Programming 3, section 6.4).
    known.sort_by_key(|&(distance, count)| (count.min(most), distance.wrapping_mul(0x9E37_79B9)));
    for (place, (_, count)) in known.iter_mut().enumerate() {
        *count = left.div_ceil((distances - place) as u64).min(*count);
        left -= *count;
    }
    known.retain(|&(_, count)| count > 0);
    known.sort_unstable();
    known
}

impl BoardsAt {
    /// The distances asked for that are known to be greater than that of any board.
    pub fn none(&self) -> Option<&RangeInclusive<u32>> {
        self.none.as_ref()
    }

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
            if !self.advance(&mut layers)? {
                break;
            }
            counts.push(layers.count());
        }
        Ok((counts, 0))
    }

    fn layers(&self) -> Result<Layers, Error> {
        Layers::new(&self.goal, self.solver.metric())
    }

    /// Turns to the next layer, if there is one, on the solver's threads.
    fn advance(&self, layers: &mut Layers) -> Result<bool, Error> {
        let advance = || layers.advance(&self.limits);
        self.solver.shared.install(advance)?.map_err(Error::Stopped)
    }

    /// Draws numbers of boards at distances from the lists of all.
    fn list(&mut self, wanted: Vec<(u32, u64)>) -> Result<(), Error> {
        let (mut layers, mut boards) = (self.layers()?, Vec::new());
        for (distance, count) in wanted {
            while layers.distance() < distance {
                self.advance(&mut layers)?;
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
        let starts = self.starts()?;
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
        if useful < starts.len() / 4 {
            self.source = self.source.farther();
        }
        Ok(())
    }

    /// Random boards to solve.
    fn starts(&mut self) -> Result<Vec<Board>, Error> {
        let (goal, random) = (self.goal.clone().board()?, &mut self.random);
        let mut draw = |boards| (0..boards).map(|_| goal.random_board(random)).collect::<Vec<_>>();
        let count = self.source.solved();
        match self.source {
            Source::Choices(1) => Ok(draw(count)),
            Source::Choices(boards) => {
                let choose = |_| {
                    let boards = draw(boards);
                    let values = self.solver.values(&boards, &self.limits)?;
                    let best = boards.into_iter().zip(values).max_by_key(|&(_, value)| value);
                    Ok(best.expect("there is a choice").0)
                };
                (0..count).map(choose).collect()
            }
            Source::Walks(moves) => {
                Ok((0..count).map(|_| goal.walk(moves, &mut self.random)).collect())
            }
        }
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
