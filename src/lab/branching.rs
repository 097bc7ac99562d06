//! Walks of the blank: the factor by which a search without goal and heuristic grows with a move.

use std::mem::replace;

use crate::board::{Grid, Move};

/// A depth at which the walks of a cell grow evenly. There are fewer than 3^600 of them, a number with 287 digits.
const DEEP: usize = 600;

/// The walks of the blank from all cells that never undo a move: for each depth up to the last, the number that
/// end in each cell.
pub fn walks(grid: Grid, depth: usize) -> Vec<Vec<f64>> {
    // By last cell and last move; the last place is of the walks without a move.
    let mut walks = vec![[0.0, 0.0, 0.0, 0.0, 1.0]; grid.cells()];
    let longer = |_| {
        let before = replace(&mut walks, vec![[0.0; 5]; grid.cells()]);
        for (cell, counts) in before.iter().enumerate() {
            for m in Move::ALL {
                let Some(to) = grid.source(cell, m) else { continue };
                let others = counts.iter().sum::<f64>() - counts[m.opposite() as usize];
                walks[to][m as usize] += others;
            }
        }
        before.iter().map(|counts| counts.iter().sum()).collect()
    };
    (0..=depth).map(longer).collect()
}

/// The asymptotic branching factor of the positions of a grid, without moves that undo the last one
/// (Edelkamp & Korf, *The branching factor of regular search spaces*, AAAI 1998): 2.1304 on 4×4.
///
/// It depends only on the walks of the blank. The factor is their growth over two moves, because cells of the
/// two colours alternate.
pub fn factor(grid: Grid) -> f64 {
    let walks = walks(grid, DEEP);
    let all = |depth: usize| walks[depth].iter().sum::<f64>();
    (all(DEEP) / all(DEEP - 2)).sqrt()
}

/// The share of each cell among the cells of the blank in a deep tree: the average over two depths, which have
/// the cells of one colour each.
pub fn shares(grid: Grid) -> Vec<f64> {
    let walks = &walks(grid, DEEP)[DEEP];
    let colour = |cell: usize| (grid.row(cell) + grid.column(cell)) % 2;
    let mut all = [0.0; 2];
    walks.iter().enumerate().for_each(|(cell, walks)| all[colour(cell)] += walks);
    walks.iter().enumerate().map(|(cell, walks)| walks / all[colour(cell)] / 2.0).collect()
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
        assert_eq!(sums, [9.0, 24.0, 44.0]);
        assert_eq!(walks[1], [2.0, 3.0, 2.0, 3.0, 4.0, 3.0, 2.0, 3.0, 2.0]);
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
