//! Ranks of the engine's nodes in a beam.

use super::{Learned, STEP};
use crate::board::Position;
use crate::heuristic::Heuristic;
use crate::search::masks::MAX_MASK_CELLS;

/// Ranks nodes by their bound, and by an extra that is kept for each of them.
pub(super) trait Ranking: Sync {
    type Extra: Copy + Send + Sync;

    /// The extra of the start.
    fn start(&self, position: &Position) -> Self::Extra;

    /// The extra of a node's child by a move, which is a place in
    /// [`Move::ALL`](crate::board::Move::ALL).
    fn moved(&self, extra: &Self::Extra, m: usize) -> Self::Extra;

    /// The rank of that child, which has this bound. Nodes with low ranks are kept.
    fn rank(&self, extra: &Self::Extra, m: usize, bound: u32) -> u32;
}

/// Ranks nodes by their bound alone.
pub(super) struct ByBound;

impl Ranking for ByBound {
    type Extra = ();

    fn start(&self, _: &Position) {}

    #[inline(always)]
    fn moved(&self, (): &(), _: usize) {}

    #[inline(always)]
    fn rank(&self, (): &(), _: usize, bound: u32) -> u32 {
        bound
    }
}

/// Ranks nodes by a sum of learned weights plus their bound: the weights see tiles that hinder each
/// other anywhere on the board, and the bound sees many tiles at once, but each pattern alone.
pub(super) struct ByBoundAndLearned<'a>(pub &'a Learned);

/// The position of a node, of which the node itself has the tables' states only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Labels {
    carry: <Learned as Heuristic>::Carry,
    blank: u8,
    labels: [u8; MAX_MASK_CELLS],
}

impl Ranking for ByBoundAndLearned<'_> {
    type Extra = Labels;

    fn start(&self, position: &Position) -> Labels {
        let known = position.labels();
        let mut labels = [0; MAX_MASK_CELLS];
        labels[..known.len()].copy_from_slice(known);
        Labels { carry: self.0.start(known), blank: position.blank() as u8, labels }
    }

    #[inline(always)]
    fn moved(&self, parent: &Labels, m: usize) -> Labels {
        let mut child = *parent;
        let to = usize::from(parent.blank);
        let from = self.0.source(to, m);
        child.labels.swap(from, to);
        child.carry = self.0.moved(&parent.carry, &child.labels, from, to);
        child.blank = from as u8;
        child
    }

    #[inline(always)]
    fn rank(&self, parent: &Labels, m: usize, bound: u32) -> u32 {
        self.0.rank(&self.moved(parent, m).carry) + STEP * bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Grid, Metric, Move};

    #[test]
    fn a_move_gives_the_extra_of_the_child() {
        let grid = Grid::new(5, 4).unwrap();
        let learned = Learned::new(grid, 0, Metric::Single);
        let ranking = ByBoundAndLearned(&learned);
        let mut position = Position::goal(grid, 0);
        let mut extra = ranking.start(&position);
        for i in 0..400 {
            let m = (i * i / 3 + i) % 4;
            let rank = ranking.rank(&extra, m, 7);
            if position.make(Move::ALL[m]).is_some() {
                extra = ranking.moved(&extra, m);
                assert_eq!(extra, ranking.start(&position), "{i}");
                assert_eq!(rank, learned.rank(&extra.carry) + 7 * STEP, "{i}");
            }
        }
        assert!(!position.is_goal());
    }
}
