//! The positions of an engine's nodes, by which learned weights rank them in a beam.
//!
//! The weights see tiles that hinder each other anywhere on the board, and a node's bound sees many tiles at
//! once, but each pattern alone. So a rank is the sum of both.

use super::learned::{Learned, STEP};
use crate::board::Position;
use crate::heuristic::Heuristic;
use crate::search::fast::MAX_MASK_CELLS;

/// The position of a node, whose views have the tables' states only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GuidedPosition {
    carry: <Learned as Heuristic>::Carry,
    blank: u8,
    labels: [u8; MAX_MASK_CELLS],
}

impl GuidedPosition {
    pub fn of(position: &Position, learned: &Learned) -> GuidedPosition {
        let known = position.labels();
        let mut labels = [0; MAX_MASK_CELLS];
        labels[..known.len()].copy_from_slice(known);
        GuidedPosition { carry: learned.start(known), blank: position.blank() as u8, labels }
    }

    /// The position after a move, which is a place in [`Move::ALL`](crate::board::Move::ALL).
    #[inline(always)]
    pub fn moved(&self, m: usize, learned: &Learned) -> GuidedPosition {
        let mut child = *self;
        let to = usize::from(self.blank);
        let from = learned.source(to, m);
        child.labels.swap(from, to);
        child.carry = learned.moved(&self.carry, &child.labels, from, to);
        child.blank = from as u8;
        child
    }

    /// The rank after a move, where the node has this bound. Nodes with low ranks are kept.
    #[inline(always)]
    pub fn rank_after(&self, m: usize, bound: u32, learned: &Learned) -> u32 {
        learned.rank(&self.moved(m, learned).carry) + STEP * bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Grid, Metric, Move};

    #[test]
    fn a_move_gives_the_position_of_the_child() {
        let grid = Grid::new(5, 4).unwrap();
        let learned = Learned::new(grid, 0, Metric::Single);
        let mut position = Position::goal(grid, 0);
        let mut guided = GuidedPosition::of(&position, &learned);
        for i in 0..400 {
            let m = (i * i / 3 + i) % 4;
            let rank = guided.rank_after(m, 7, &learned);
            if position.make(Move::ALL[m]).is_some() {
                guided = guided.moved(m, &learned);
                assert_eq!(guided, GuidedPosition::of(&position, &learned), "{i}");
                assert_eq!(rank, learned.rank(&guided.carry) + 7 * STEP, "{i}");
            }
        }
        assert!(!position.is_goal());
    }
}
