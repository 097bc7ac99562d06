//! Values of a heuristic over the whole space, by sampling.
//!
//! The average and the histogram are those of boards drawn uniformly. The *heuristic quality* η
//! (Clausecker, *The quality of heuristic functions for IDA**, ZIB report, 2020) is the mean of
//! b^−h over all positions, where b is the branching factor. By the formula of Korf, Reid & Edelkamp
//! IDA* needs about η·b^d nodes for an iteration with threshold d: η is the share of the tree that
//! is left, whatever the board.
//!
//! Rare positions dominate that mean: on 4×4 boards whose h is three to four standard deviations
//! below the average, of which a uniform sample has next to none. It is therefore sampled in steps
//! (annealed importance sampling; Neal, *Statistics and Computing* 11 (2001)):
//!
//! 1. A chain starts with a board drawn uniformly, and a weight of 1.
//! 2. In step k of K the weight is multiplied by b^(−h/K), and then the board is changed at
//!    random: the contents of three cells change places, or the blank and a tile. The change is
//!    accepted with the Metropolis probability for the density b^(−h·k/K), so that h falls.
//! 3. The mean of the weights of independent chains is an unbiased estimate of η for any K; a larger
//!    K makes its spread smaller.

use rayon::prelude::*;
use serde::Serialize;

use super::branching;
use super::contest::Contestant;
use super::rows::{deviation, mean};
use super::suite::Suite;
use crate::board::{Board, Random};
use crate::cli::advice::failure;
use crate::cli::exit::Failure;
use crate::picture::Sample;
use crate::search::Cancel;
use crate::solver::Error;

/// A heuristic's values.
#[derive(Clone, Debug, Serialize)]
pub struct Values {
    pub boards: u32,
    pub average_h: f64,
    /// The standard error of the average.
    pub error: f64,
    /// (h, how many of the boards have it), in ascending order.
    pub histogram: Vec<(u32, u64)>,
    /// The mean of b^−h.
    pub quality: f64,
    /// Its standard error.
    pub quality_error: f64,
    /// b.
    pub branching_factor: f64,
}

impl Values {
    /// The values for a picture.
    pub fn sample(&self) -> Sample {
        let Values { boards, average_h, histogram, .. } = self;
        Sample { boards: (*boards).into(), average: *average_h, histogram: histogram.clone() }
    }
}

/// The independent chains of an estimate of η.
const CHAINS: usize = 200;

/// The least steps of a chain.
const LEAST_STEPS: u32 = 1000;

/// The seed of the boards drawn, the same for all heuristics.
const SEED: u64 = 1;

/// Why a measurement ended.
enum Ended {
    Cancelled,
    Error(Error),
}

/// Measures all heuristics, on the threads of the machine. Returns `None` if it is cancelled.
pub fn measure(
    contestants: &[Contestant],
    suite: &Suite,
    count: u32,
    cancel: &Cancel,
) -> Result<Option<Vec<Values>>, Failure> {
    // All heuristics have the same boards.
    let mut random = Random::new(SEED);
    let boards: Vec<Board> = (0..count).map(|_| suite.goal.random_board(&mut random)).collect();
    let steps = (count / 10).max(LEAST_STEPS);
    let of = |contestant: &Contestant| -> Result<Values, Ended> {
        let value = |board: &Board| match cancel.is_cancelled() {
            true => Err(Ended::Cancelled),
            false => contestant.value(board).map_err(Ended::Error),
        };
        let h: Vec<u32> = boards.par_iter().map(value).collect::<Result<_, _>>()?;
        let as_real = || h.iter().map(|&h| f64::from(h));
        let base = branching::factor(suite.grid());
        let weights = (0..CHAINS)
            .into_par_iter()
            .map(|chain| weight(&boards[chain % boards.len()], base, steps, chain, value))
            .collect::<Result<Vec<f64>, _>>()?;
        let spread = |values: Option<f64>, n: usize| values.unwrap_or(0.0) / (n as f64).sqrt();
        Ok(Values {
            boards: count,
            average_h: mean(as_real()),
            error: spread(deviation(as_real()), h.len()),
            histogram: Sample::of(h.iter().copied()).histogram,
            quality: mean(weights.iter().copied()),
            quality_error: spread(deviation(weights.iter().copied()), CHAINS),
            branching_factor: base,
        })
    };
    match contestants.iter().map(of).collect() {
        Ok(values) => Ok(Some(values)),
        Err(Ended::Cancelled) => Ok(None),
        Err(Ended::Error(error)) => Err(failure(error)),
    }
}

/// The weight of one chain.
fn weight<E>(
    start: &Board,
    base: f64,
    steps: u32,
    chain: usize,
    value: impl Fn(&Board) -> Result<u32, E>,
) -> Result<f64, E> {
    let mut random = Random::new(SEED + 1 + chain as u64);
    let mut board = start.clone();
    let mut h = value(&board)?;
    // The logarithm to the base b.
    let mut weight = 0.0;
    for step in 1..=steps {
        weight -= f64::from(h) / f64::from(steps);
        let Some(changed) = change(&board, &mut random) else { continue };
        let after = value(&changed)?;
        let rise = f64::from(after) - f64::from(h);
        let chance = base.powf(-rise * f64::from(step) / f64::from(steps));
        if random.unit() < chance {
            (board, h) = (changed, after);
        }
    }
    Ok(base.powf(weight))
}

/// Changes a board into another one that can reach the goal. The way back is equally likely. `None`
/// where the draw gives no such board.
fn change(board: &Board, random: &mut Random) -> Option<Board> {
    let grid = board.grid();
    let mut tiles = board.tiles().to_vec();
    let [a, b, c] = [(); 3].map(|()| random.below(tiles.len()));
    let one = random.below(4) == 0;
    if one {
        tiles.swap(a, board.blank());
    } else if a == b || b == c || a == c {
        return None;
    } else {
        tiles.swap(a, b);
        tiles.swap(b, c);
    }
    let changed = Board::new(grid, &tiles).expect("these are the same tiles");
    // One exchange is odd, so the blank must change its colour. Two are even, so it must keep it.
    let colour = |cell: usize| (grid.row(cell) + grid.column(cell)) % 2;
    (one == (colour(changed.blank()) != colour(board.blank()))).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Grid};
    use crate::heuristic::{Heuristic, LinearConflict, Manhattan};

    /// All boards of 3×3 that can reach the goal with the blank first, whose tiles are labels.
    fn space() -> Vec<Board> {
        let grid = Grid::new(3, 3).unwrap();
        let goal = Goal::named("blank-first", grid).unwrap();
        let mut all: Vec<Vec<u8>> = vec![Vec::new()];
        for _ in 0..9 {
            let mut longer = Vec::new();
            for part in &all {
                let rest = (0..9).filter(|tile| !part.contains(tile));
                longer.extend(rest.map(|tile| [&part[..], &[tile]].concat()));
            }
            all = longer;
        }
        let boards = all.iter().map(|tiles| Board::new(grid, tiles).unwrap());
        boards.filter(|board| goal.solvability(board).is_solvable()).collect()
    }

    #[test]
    fn the_quality_is_that_of_the_whole_space() {
        let grid = Grid::new(3, 3).unwrap();
        let space = space();
        assert_eq!(space.len(), 181_440);
        let base = branching::factor(grid);
        fn check<H: Heuristic>(space: &[Board], base: f64, heuristic: &H) -> f64 {
            let value = |board: &Board| heuristic.value(&heuristic.start(board.tiles()));
            let exact = mean(space.iter().map(|board| base.powf(-f64::from(value(board)))));
            let weights: Vec<f64> = (0..200)
                .map(|chain| {
                    // Spread over the space as a uniform draw would be.
                    let start = &space[(chain * 7_919 * 31 + 5) % space.len()];
                    weight(start, base, 2000, chain, |board| Ok::<_, ()>(value(board))).unwrap()
                })
                .collect();
            let found = mean(weights.iter().copied());
            let error = deviation(weights.iter().copied()).unwrap() / 200_f64.sqrt();
            assert!((found - exact).abs() < 4.0 * error, "{found:e} is not {exact:e} ± {error:e}");
            assert!(error < 0.1 * exact, "{error:e} of {exact:e}");
            exact
        }
        let weak = check(&space, base, &Manhattan::new(grid, 0));
        let strong = check(&space, base, &LinearConflict::new(grid, 0));
        assert!(strong < weak);
    }

    #[test]
    fn changes_reach_every_board_that_can_reach_the_goal() {
        let goal = Goal::named("blank-first", Grid::new(3, 2).unwrap()).unwrap();
        let mut board = goal.board().clone();
        let mut random = Random::new(3);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..20_000 {
            board = change(&board, &mut random).unwrap_or(board);
            assert!(goal.solvability(&board).is_solvable(), "{board}");
            seen.insert(board.clone());
        }
        assert_eq!(seen.len(), 360);
    }
}
