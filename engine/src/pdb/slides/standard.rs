//! The patterns that boards are solved with by default in the multi-tile metric.

use super::record::MAX_SLIDE_CELLS;
use crate::board::{Grid, Symmetry};
use crate::pdb::pattern::Pattern;

/// The patterns of 4×4 for goals with the blank in cell 0, the strongest first.
///
/// Of all pairs and triples of seven tiles that were tried, these let the search of Korf's 100 boards
/// generate the fewest nodes: see docs/EXPERIMENTS.md. Good patterns run along an edge and round a corner.
const FOUR: [[usize; 7]; 3] =
    [[1, 2, 3, 4, 5, 6, 7], [4, 8, 11, 12, 13, 14, 15], [3, 6, 7, 10, 11, 14, 15]];

/// The most tiles of the patterns of other boards and goals. Their tables have up to 12 MB.
const MOST: usize = 6;

/// The patterns that boards with this goal are solved with by default, the strongest first; `None`
/// for more than [`MAX_SLIDE_CELLS`] cells, or a cell outside the grid.
///
/// They are patterns of the goal and, unless that is the same, of its mirror image along the main
/// diagonal.
pub fn slide_patterns(grid: Grid, goal_blank: usize) -> Option<Vec<Pattern>> {
    if grid.cells() > MAX_SLIDE_CELLS || goal_blank >= grid.cells() {
        return None;
    }
    let mirror = Symmetry::TRANSPOSE;
    let image = (mirror.grid(grid), mirror.cell(grid, goal_blank));
    let mut patterns = of_rows(grid, goal_blank);
    if image != (grid, goal_blank) {
        patterns.extend(of_rows(image.0, image.1));
    }
    Some(patterns)
}

/// The patterns for slides along rows.
fn of_rows(grid: Grid, goal_blank: usize) -> Vec<Pattern> {
    let pattern = |tiles: &[usize]| {
        Pattern::new(grid, goal_blank, tiles.iter().copied()).expect("tiles of the board")
    };
    if (grid.width(), grid.height(), goal_blank) == (4, 4, 0) {
        return FOUR.iter().map(|tiles| pattern(tiles)).collect();
    }
    let tiles: Vec<usize> = (0..grid.cells()).filter(|&cell| cell != goal_blank).collect();
    let most = MOST.min(grid.cells() - 3);
    vec![pattern(&tiles[..most]), pattern(&tiles[tiles.len() - most..])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdb::slides::record::counts_slides;

    #[test]
    fn every_goal_has_patterns_for_rows_and_columns() {
        for width in 2..=8 {
            for height in (2..=8).filter(|height| width * height <= MAX_SLIDE_CELLS) {
                let grid = Grid::new(width, height).unwrap();
                for blank in 0..grid.cells() {
                    let patterns = slide_patterns(grid, blank).unwrap();
                    assert!(patterns.iter().all(|&pattern| counts_slides(pattern)));
                    let here = |p: &&Pattern| (p.grid(), p.blank()) == (grid, blank);
                    let count = patterns.iter().filter(here).count();
                    assert!(count >= 2 && (count < patterns.len() || grid.is_mirrored(blank)));
                }
                assert!(slide_patterns(grid, grid.cells()).is_none());
            }
        }
        assert!(slide_patterns(Grid::new(6, 3).unwrap(), 0).is_none());
    }
}
