//! The factor by which a search without goal and heuristic grows with a move.

use crate::board::{Grid, Move};

/// The asymptotic branching factor of the positions of a grid, without moves that undo the last one
/// (Edelkamp & Korf, *The branching factor of regular search spaces*, AAAI 1998): 2.1304 on 4×4.
///
/// It depends only on the walks of the blank. Walks of d moves are counted by their last cell and
/// last move. The factor is their growth over two moves, because cells of the two colours alternate.
pub fn factor(grid: Grid) -> f64 {
    deep(grid, vec![[1.0; 4]; grid.cells()]).0
}

/// The share of each cell among the cells of the blank in a deep tree: the average over two depths.
pub fn shares(grid: Grid) -> Vec<f64> {
    // From one cell, so that the colours of the cells alternate.
    let mut start = vec![[0.0; 4]; grid.cells()];
    start[0] = [1.0; 4];
    let walks = deep(grid, start).1;
    let shares = |walks: &[[f64; 4]]| -> Vec<f64> {
        let all: f64 = walks.iter().flatten().sum();
        walks.iter().map(|counts| counts.iter().sum::<f64>() / all.max(f64::MIN_POSITIVE)).collect()
    };
    let (even, odd) = (shares(&walks), shares(&step(grid, &walks)));
    even.into_iter().zip(odd).map(|(even, odd)| (even + odd) / 2.0).collect()
}

/// The walks of the blank from all cells: for each depth up to the last, the number of walks of at most as
/// many moves that end in each cell.
pub fn walks(grid: Grid, depth: usize) -> Vec<Vec<f64>> {
    let mut walks = vec![[0.0; 4]; grid.cells()];
    for (from, m) in (0..grid.cells()).flat_map(|from| Move::ALL.map(|m| (from, m))) {
        if let Some(to) = grid.source(from, m) {
            walks[to][m as usize] = 1.0;
        }
    }
    let mut ends = vec![vec![1.0; grid.cells()]];
    for shorter in 0..depth {
        let counts = walks.iter().map(|counts| counts.iter().sum::<f64>());
        ends.push(ends[shorter].iter().zip(counts).map(|(before, now)| before + now).collect());
        walks = step(grid, &walks);
    }
    ends
}

/// The factor, and the walks by their last cell and move.
fn deep(grid: Grid, mut walks: Vec<[f64; 4]>) -> (f64, Vec<[f64; 4]>) {
    let mut growth = 1.0;
    for _ in 0..2000 {
        let before: f64 = walks.iter().flatten().sum();
        walks = step(grid, &step(grid, &walks));
        let after: f64 = walks.iter().flatten().sum();
        if before == 0.0 {
            return (1.0, walks);
        }
        growth = (after / before).sqrt();
        walks.iter_mut().flatten().for_each(|count| *count /= after);
    }
    (growth, walks)
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
    fn walks_are_counted() {
        let grid = Grid::new(3, 3).unwrap();
        // 24 moves, and after one of them as many as the cell has other neighbours.
        let walks = walks(grid, 2);
        let sums: Vec<f64> = walks.iter().map(|ends| ends.iter().sum()).collect();
        assert_eq!(sums, [9.0, 9.0 + 24.0, 9.0 + 24.0 + 44.0]);
        assert_eq!(walks[1], [3.0, 4.0, 3.0, 4.0, 5.0, 4.0, 3.0, 4.0, 3.0]);
        let shares = shares(grid);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        // Half of all walks end at one of the four edges.
        assert!((shares[1] - 0.125).abs() < 1e-6 && shares[4] > shares[0], "{shares:?}");
    }

    #[test]
    fn factors_are_the_published_ones() {
        // Edelkamp & Korf 1998; √3 for the 8-puzzle.
        for (side, expected) in [(3, 3.0_f64.sqrt()), (4, 2.1304), (5, 2.36761), (2, 1.0)] {
            let found = factor(Grid::new(side, side).unwrap());
            assert!((found - expected).abs() < 1e-4, "{side}: {found}");
        }
    }
}
