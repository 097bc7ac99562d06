//! Values of a heuristic over the whole space, by sampling.
//!
//! The average and the histogram are those of boards drawn uniformly. The *heuristic quality* η
//! (Clausecker, *The quality of heuristic functions for IDA**, ZIB report, 2020) is the mean of
//! b^−h over all positions, b being the branching factor: by Korf, Reid & Edelkamp's formula IDA*
//! needs about η·b^d nodes for an iteration with threshold d, so η is what a heuristic saves,
//! whatever the board.
//!
//! That mean is made by rare positions: on 4×4 by boards whose h lies three to four standard
//! deviations below the average, of which a uniform sample has next to none. So it is sampled in
//! steps (annealed importance sampling; Neal, *Statistics and Computing* 11 (2001)):
//!
//! 1. A chain begins with a board drawn uniformly, and a weight of 1.
//! 2. In step k of K the weight is multiplied by b^(−h/K), and then the board is changed at
//!    random: three cells' contents change places, or the blank and a tile. A change is taken with
//!    the probability of Metropolis for the density b^(−h·k/K), so boards of ever smaller h come up.
//! 3. The mean of the weights of independent chains is an unbiased estimate of η, for any K; K
//!    makes its spread small.

use rayon::prelude::*;
use serde::Serialize;

use super::branching;
use super::contest::Contestant;
use super::rows::{deviation, mean};
use super::suite::Suite;
use crate::board::{Canonical, Grid, Random};
use crate::cli::exit::Failure;
use crate::pdb::BrokenTable;

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

/// The independent chains of an estimate of η.
const CHAINS: usize = 200;

/// The least steps of a chain.
const LEAST_STEPS: u32 = 1000;

/// The seed of the boards drawn, the same for all heuristics.
const SEED: u64 = 1;

/// Measures all heuristics, on the threads of the machine.
pub fn measure(
    contestants: &[Contestant],
    suite: &Suite,
    count: u32,
) -> Result<Vec<Values>, Failure> {
    // Drawn once: the same boards for all.
    let canonical = Canonical::of(&suite.goal);
    let mut random = Random::new(SEED);
    let boards: Vec<Box<[u8]>> =
        (0..count).map(|_| canonical.labels(&suite.goal.random_board(&mut random))).collect();
    let steps = (count / 10).max(LEAST_STEPS);
    let of = |contestant: &Contestant| -> Result<Values, BrokenTable> {
        let value = |labels: &[u8]| contestant.value(labels);
        let h: Vec<u32> =
            boards.par_iter().map(|labels| value(labels)).collect::<Result<_, _>>()?;
        let as_real = || h.iter().map(|&h| f64::from(h));
        let base = branching::factor(suite.grid);
        let weights = (0..CHAINS)
            .into_par_iter()
            .map(|chain| weight(suite, &boards[chain % boards.len()], base, steps, chain, value))
            .collect::<Result<Vec<f64>, _>>()?;
        let spread = |values: Option<f64>, n: usize| values.unwrap_or(0.0) / (n as f64).sqrt();
        Ok(Values {
            boards: count,
            average_h: mean(as_real()),
            error: spread(deviation(as_real()), h.len()),
            histogram: histogram(&h),
            quality: mean(weights.iter().copied()),
            quality_error: spread(deviation(weights.iter().copied()), CHAINS),
            branching_factor: base,
        })
    };
    contestants.iter().map(of).collect::<Result<_, _>>().map_err(super::contest::broken)
}

fn histogram(values: &[u32]) -> Vec<(u32, u64)> {
    let mut counts = std::collections::BTreeMap::new();
    for &value in values {
        *counts.entry(value).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

/// The weight of one chain.
fn weight<E>(
    suite: &Suite,
    start: &[u8],
    base: f64,
    steps: u32,
    chain: usize,
    value: impl Fn(&[u8]) -> Result<u32, E>,
) -> Result<f64, E> {
    let mut random = Random::new(SEED + 1 + chain as u64);
    let mut labels = start.to_vec();
    let mut h = value(&labels)?;
    // The logarithm to the base b.
    let mut weight = 0.0;
    for step in 1..=steps {
        weight -= f64::from(h) / f64::from(steps);
        let before = labels.clone();
        if !change(suite.grid, suite.blank, &mut labels, &mut random) {
            continue;
        }
        let after = value(&labels)?;
        let rise = f64::from(after) - f64::from(h);
        let chance = base.powf(-rise * f64::from(step) / f64::from(steps));
        if random.unit() < chance {
            h = after;
        } else {
            labels = before;
        }
    }
    Ok(base.powf(weight))
}

/// Changes a position into another one that can reach the goal, as likely as the other way round;
/// `false` where the draw gives none.
fn change(grid: Grid, blank: usize, labels: &mut [u8], random: &mut Random) -> bool {
    let cells = labels.len();
    let [a, b, c] = [(); 3].map(|()| random.below(cells));
    let empty = |labels: &[u8]| {
        labels.iter().position(|&label| usize::from(label) == blank).expect("there is a blank")
    };
    let colour = |cell: usize| (grid.row(cell) + grid.column(cell)) % 2;
    let before = empty(labels);
    if random.below(4) == 0 {
        // One exchange is odd, so the blank has to change its colour.
        if colour(a) == colour(before) {
            return false;
        }
        labels.swap(a, before);
        return true;
    }
    if a == b || b == c || a == c {
        return false;
    }
    // Two exchanges are even, so it has to keep it.
    labels.swap(a, b);
    labels.swap(b, c);
    if colour(empty(labels)) == colour(before) {
        return true;
    }
    labels.swap(b, c);
    labels.swap(a, b);
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;
    use crate::cli::args::boards::KindArgs;
    use crate::heuristic::{Heuristic, LinearConflict, Manhattan};

    fn suite() -> Suite {
        let grid = Grid::new(3, 3).ok();
        let kind = KindArgs { goal: "blank-last".to_owned(), size: grid };
        Suite::load(&"random:1".parse().unwrap(), &kind).unwrap()
    }

    /// All positions of 3×3 that can reach the goal.
    fn space() -> Vec<Vec<u8>> {
        let goal = Goal::named("blank-first", Grid::new(3, 3).unwrap()).unwrap();
        let mut all: Vec<Vec<u8>> = vec![Vec::new()];
        for _ in 0..9 {
            let mut longer = Vec::new();
            for part in &all {
                let rest = (0..9).filter(|label| !part.contains(label));
                longer.extend(rest.map(|label| [&part[..], &[label]].concat()));
            }
            all = longer;
        }
        let board =
            |labels: &[u8]| crate::board::Board::new(Grid::new(3, 3).unwrap(), labels).unwrap();
        all.retain(|labels| goal.solvability(&board(labels)).is_solvable());
        all
    }

    #[test]
    fn the_quality_is_that_of_the_whole_space() {
        let suite = suite();
        let space = space();
        assert_eq!(space.len(), 181_440);
        let base = branching::factor(suite.grid);
        fn check<H: Heuristic>(suite: &Suite, space: &[Vec<u8>], base: f64, heuristic: &H) -> f64 {
            let value = |labels: &[u8]| heuristic.value(&heuristic.start(labels));
            let exact = mean(space.iter().map(|labels| base.powf(-f64::from(value(labels)))));
            let weights: Vec<f64> = (0..200)
                .map(|chain| {
                    // Spread over the space as a uniform draw would be.
                    let start = &space[(chain * 7_919 * 31 + 5) % space.len()];
                    weight(suite, start, base, 2000, chain, |l| Ok::<_, ()>(value(l))).unwrap()
                })
                .collect();
            let found = mean(weights.iter().copied());
            let error = deviation(weights.iter().copied()).unwrap() / 200_f64.sqrt();
            assert!((found - exact).abs() < 4.0 * error, "{found:e} is not {exact:e} ± {error:e}");
            assert!(error < 0.1 * exact, "{error:e} of {exact:e}");
            exact
        }
        let weak = check(&suite, &space, base, &Manhattan::new(suite.grid, suite.blank));
        let strong = check(&suite, &space, base, &LinearConflict::new(suite.grid, suite.blank));
        assert!(strong < weak);
    }

    #[test]
    fn changes_reach_every_position_that_can_reach_the_goal() {
        let grid = Grid::new(3, 2).unwrap();
        let goal = Goal::named("blank-first", grid).unwrap();
        let mut labels: Vec<u8> = (0..6).collect();
        let mut random = Random::new(3);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..20_000 {
            change(grid, 0, &mut labels, &mut random);
            let board = crate::board::Board::new(grid, &labels).unwrap();
            assert!(goal.solvability(&board).is_solvable(), "{labels:?}");
            seen.insert(labels.clone());
        }
        assert_eq!(seen.len(), 360);
    }
}
