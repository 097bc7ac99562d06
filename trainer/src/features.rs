//! The terms of positions of one size, looked up.

use std::collections::HashMap;

use taquin_engine::board::{Grid, Position};
use taquin_engine::search::Terms;

/// The terms of positions on a grid, for a goal with the blank in a certain cell.
pub struct Features {
    grid: Grid,
    goal_blank: usize,
    /// The weights that count for a tile, and how often, by label and cell.
    tiles: Vec<Vec<(u32, f32)>>,
    /// The classes by label and cell.
    classes: Vec<u8>,
    /// The later cells that each cell has a pair with, and the place of the pair in `pairs`.
    near: Vec<Vec<(usize, usize)>>,
    /// The weight that counts, by the classes of both cells.
    pairs: Vec<Vec<Option<u32>>>,
}

impl Features {
    pub fn new(grid: Grid, goal_blank: usize) -> Features {
        let (terms, cells) = (Terms::new(grid, goal_blank), grid.cells());
        let all = || (0..cells * cells).map(|i| (i / cells, i % cells));
        let tile = |(label, cell)| {
            let mut tile = Vec::new();
            terms.of_tile(label, cell, |weight, times| tile.push((weight as u32, times)));
            tile
        };
        let mut features = Features {
            grid,
            goal_blank,
            tiles: all().map(tile).collect(),
            classes: all().map(|(label, cell)| terms.class(label, cell) as u8).collect(),
            near: vec![Vec::new(); cells],
            pairs: Vec::new(),
        };
        let classes = || 0..Terms::CLASSES;
        let mut known = HashMap::new();
        for (one, other) in all().filter(|(one, other)| one < other) {
            let weights = classes().flat_map(|a| classes().map(move |b| (a, b)));
            let weights = weights.map(|(a, b)| terms.of_pair((one, a), (other, b)));
            let weights: Vec<Option<u32>> = weights.map(|i| i.map(|i| i as u32)).collect();
            if weights.iter().all(Option::is_none) {
                continue;
            }
            let place = *known.entry(weights.clone()).or_insert_with(|| {
                features.pairs.push(weights);
                features.pairs.len() - 1
            });
            features.near[one].push((other, place));
        }
        features
    }

    pub fn grid(&self) -> Grid {
        self.grid
    }

    pub fn goal(&self) -> Position {
        Position::goal(self.grid, self.goal_blank)
    }

    /// Calls `take` with each weight that counts for a position, and how often.
    pub fn each(&self, labels: &[u8], mut take: impl FnMut(usize, f32)) {
        let place = |cell: usize| usize::from(labels[cell]) * self.grid.cells() + cell;
        for (cell, near) in self.near.iter().enumerate() {
            for &(weight, times) in &self.tiles[place(cell)] {
                take(weight as usize, times);
            }
            let row = usize::from(self.classes[place(cell)]) * Terms::CLASSES;
            for &(other, pair) in near {
                let class = usize::from(self.classes[place(other)]);
                if let Some(weight) = self.pairs[pair][row + class] {
                    take(weight as usize, 1.0);
                }
            }
        }
    }

    /// The rank of a position by these weights.
    pub fn rank(&self, labels: &[u8], weights: &[f32]) -> f32 {
        let mut rank = 0.0;
        self.each(labels, |weight, times| rank += weights[weight] * times);
        rank
    }
}
