//! Chains of boards that fall to the rare ones of low h.
//!
//! Rare positions dominate the mean of b^−h: on 4×4 boards whose h is three to four standard deviations
//! below the average, of which a uniform sample has next to none. It is therefore sampled in steps
//! (annealed importance sampling; Neal, *Statistics and Computing* 11 (2001)):
//!
//! 1. A chain starts with a board drawn uniformly, and a weight of 1.
//! 2. In step k of K the weight is multiplied by b^(−h/K), and then the board is changed at
//!    random: the contents of three cells change places, or the blank and a tile. The change is
//!    accepted with the Metropolis probability for the density b^(−h·k/K), so that h falls.
//! 3. The mean of the weights of independent chains is an unbiased estimate of η for any K; a larger
//!    K makes its spread smaller.

use crate::board::{Board, Random};

/// The seed of the boards drawn, the same for all heuristics.
pub const SEED: u64 = 1;

/// The end of a chain.
pub struct End {
    /// An unbiased estimate of η.
    pub weight: f64,
    pub h: f64,
    pub board: Board,
}

/// Runs chains, numbered from `first`, side by side. `tick` is called as often as there are chains.
pub fn anneal<E>(
    mut boards: Vec<Board>,
    base: f64,
    steps: u32,
    first: usize,
    evaluate: impl Fn(&[Board]) -> Result<Vec<f64>, E>,
    tick: impl Fn(),
) -> Result<Vec<End>, E> {
    let pause = (steps / boards.len().max(1) as u32).max(1);
    let seed = |chain: usize| Random::new(SEED + 1 + chain as u64);
    let mut randoms: Vec<Random> = (first..first + boards.len()).map(seed).collect();
    let mut h = evaluate(&boards)?;
    // The logarithms to the base b.
    let mut weights = vec![0.0; boards.len()];
    for step in 1..=steps {
        let mut changes = Vec::new();
        for (i, random) in randoms.iter_mut().enumerate() {
            weights[i] -= h[i] / f64::from(steps);
            changes.extend(change(&boards[i], random).map(|changed| (i, changed)));
        }
        if step.is_multiple_of(pause) {
            tick();
        }
        let changed: Vec<Board> = changes.iter().map(|(_, changed)| changed.clone()).collect();
        for ((i, changed), after) in changes.into_iter().zip(evaluate(&changed)?) {
            let chance = base.powf(-(after - h[i]) * f64::from(step) / f64::from(steps));
            if randoms[i].unit() < chance {
                (boards[i], h[i]) = (changed, after);
            }
        }
    }
    let end =
        |((weight, h), board): ((f64, f64), Board)| End { weight: base.powf(weight), h, board };
    Ok(weights.into_iter().zip(h).zip(boards).map(end).collect())
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
pub mod tests {
    use super::super::branching;
    use super::super::statistics::{estimate, mean};
    use super::*;
    use crate::board::{Goal, Grid};
    use crate::classics::{Heuristic, LinearConflict, Manhattan};

    /// All boards that can reach the goal with the blank first, whose tiles are labels.
    pub fn space(grid: Grid) -> Vec<Board> {
        let goal = Goal::named("blank-first", grid).unwrap();
        let tiles = 0..grid.cells() as u8;
        let mut all: Vec<Vec<u8>> = vec![Vec::new()];
        for _ in tiles.clone() {
            let mut longer = Vec::new();
            for part in &all {
                let rest = tiles.clone().filter(|tile| !part.contains(tile));
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
        let space = space(grid);
        assert_eq!(space.len(), 181_440);
        let base = branching::factor(grid);
        fn check<H: Heuristic>(space: &[Board], base: f64, heuristic: &H) -> f64 {
            let value = |board: &Board| heuristic.value(&heuristic.start(board.tiles()));
            let exact = mean(space.iter().map(|board| base.powf(-f64::from(value(board)))));
            let values = |boards: &[Board]| {
                Ok::<_, ()>(boards.iter().map(|board| f64::from(value(board))).collect())
            };
            let weight = |chain: usize| {
                // Spread over the space as a uniform draw would be.
                let start = space[(chain * 7_919 * 31 + 5) % space.len()].clone();
                anneal(vec![start], base, 2000, chain, values, || ()).unwrap()[0].weight
            };
            let weights: Vec<f64> = (0..200).map(weight).collect();
            let (found, error) = estimate(&weights);
            assert!((found - exact).abs() < 4.0 * error, "{found:e} is not {exact:e} ± {error:e}");
            assert!(error < 0.1 * exact, "{error:e} of {exact:e}");
            exact
        }
        let weak = check(&space, base, &Manhattan::new(grid, 0));
        let strong = check(&space, base, &LinearConflict::new(grid, 0));
        assert!(strong < weak);
    }

    #[test]
    fn chains_side_by_side_are_those_one_by_one() {
        let grid = Grid::new(3, 3).unwrap();
        let manhattan = Manhattan::new(grid, 0);
        let value = |board: &Board| f64::from(manhattan.value(&manhattan.start(board.tiles())));
        let values = |boards: &[Board]| Ok::<_, ()>(boards.iter().map(value).collect());
        let space = space(grid);
        let starts = [space[7].clone(), space[70_000].clone()];
        let together = anneal(starts.to_vec(), 1.7, 300, 3, values, || ()).unwrap();
        for (i, start) in starts.into_iter().enumerate() {
            let alone = anneal(vec![start], 1.7, 300, 3 + i, values, || ()).unwrap();
            let end = |end: &End| (end.weight, end.board.clone());
            assert_eq!(end(&alone[0]), end(&together[i]));
        }
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
