//! The factor by which a search without goal and heuristic grows with a move.

use crate::board::{Grid, Move};

/// The asymptotic branching factor of the positions of a grid, without moves that undo the last one
/// (Edelkamp & Korf, *The branching factor of regular search spaces*, AAAI 1998): 2.1304 on 4×4.
///
/// It depends only on the walks of the blank. Walks of d moves are counted by their last cell and
/// last move. The factor is their growth over two moves, because cells of the two colours alternate.
pub fn factor(grid: Grid) -> f64 {
    let mut walks = vec![[1.0_f64; 4]; grid.cells()];
    let mut growth = 1.0;
    for _ in 0..2000 {
        let before: f64 = walks.iter().flatten().sum();
        walks = step(grid, &step(grid, &walks));
        let after: f64 = walks.iter().flatten().sum();
        if before == 0.0 {
            return 1.0;
        }
        growth = (after / before).sqrt();
        walks.iter_mut().flatten().for_each(|count| *count /= after);
    }
    growth
}

/// The walks after one more move, by cell and last move.
fn step(grid: Grid, walks: &[[f64; 4]]) -> Vec<[f64; 4]> {
    let mut next = vec![[0.0; 4]; walks.len()];
    for (cell, counts) in walks.iter().enumerate() {
        for m in Move::ALL {
            let Some(to) = grid.source(cell, m) else { continue };
            let others = counts.iter().sum::<f64>() - counts[m.opposite() as usize];
            next[to][m as usize] += others;
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_the_published_ones() {
        // Edelkamp & Korf 1998; √3 for the 8-puzzle.
        for (side, expected) in [(3, 3.0_f64.sqrt()), (4, 2.1304), (5, 2.36761), (2, 1.0)] {
            let found = factor(Grid::new(side, side).unwrap());
            assert!((found - expected).abs() < 1e-4, "{side}: {found}");
        }
    }
}
