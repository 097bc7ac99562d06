//! The boards at each distance from a goal, by a breadth-first search of the whole space.

use crate::board::{Goal, Metric, Move};

/// The largest number of cells. Half of the 479,001,600 arrangements of 12 cells can reach the goal. The
/// search takes 60 MB for the arrangements that it has seen, and up to 0.2 GB for two layers.
pub const MAX_SPACE_CELLS: usize = 12;

/// The number of boards at each distance from a goal, from 0 to the greatest.
///
/// # Panics
/// For more than [`MAX_SPACE_CELLS`] cells.
pub fn depth_counts(goal: &Goal, metric: Metric) -> Vec<u64> {
    let (grid, goal_blank) = (goal.board().grid(), goal.board().blank());
    let cells = grid.cells();
    assert!(cells <= MAX_SPACE_CELLS, "a {grid} board has too many cells");
    let mut seen = vec![0_u64; (1..=cells).product::<usize>().div_ceil(64)];
    let mut is_new = |number: u32| {
        let (word, bit) = (&mut seen[number as usize / 64], 1 << (number % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    };
    // The goal is the first arrangement.
    is_new(0);
    let (mut layer, mut counts) = (vec![0], Vec::new());
    while !layer.is_empty() {
        counts.push(layer.len() as u64);
        let mut next = Vec::new();
        for parent in layer {
            let mut labels = [0; MAX_SPACE_CELLS];
            arrange(parent, &mut labels[..cells]);
            let is_blank = |&label: &u8| usize::from(label) == goal_blank;
            let start = labels.iter().position(is_blank).unwrap_or(goal_blank);
            for m in Move::ALL {
                let (mut child, mut blank) = (labels, start);
                while let Some(from) = grid.source(blank, m) {
                    child.swap(from, blank);
                    blank = from;
                    let child = number(&child[..cells]);
                    if is_new(child) {
                        next.push(child);
                    }
                    if metric == Metric::Single {
                        break;
                    }
                }
            }
        }
        layer = next;
    }
    counts
}

/// The number of an arrangement: of labels, each tile named by its goal cell.
fn number(labels: &[u8]) -> u32 {
    let (mut number, mut used) = (0, 0_u32);
    for (cell, label) in labels.iter().enumerate() {
        let before = (used & ((1 << label) - 1)).count_ones();
        number = number * (labels.len() - cell) as u32 + u32::from(*label) - before;
        used |= 1 << label;
    }
    number
}

/// Writes the arrangement of a number.
fn arrange(mut number: u32, labels: &mut [u8]) {
    for cell in (0..labels.len()).rev() {
        let choices = (labels.len() - cell) as u32;
        let label = (number % choices) as u8;
        number /= choices;
        labels[cell] = label;
        labels[cell + 1..].iter_mut().for_each(|later| *later += u8::from(*later >= label));
    }
}
