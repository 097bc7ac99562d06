//! Ranks of the engine's nodes in a beam.

use super::Learned;
use super::guide::Guide;
use super::learned::STEP;
use crate::board::Position;
use crate::search::masks::MAX_MASK_CELLS;

/// Ranks nodes by their bound, and by what it keeps beside each of them.
pub(super) trait Ranking: Sync {
    type Beside: Copy + Send + Sync;

    /// What is kept beside the start.
    fn start(&self, position: &Position) -> Self::Beside;

    /// What is kept beside the child of a node by a move, which is a place in
    /// [`Move::ALL`](crate::board::Move::ALL).
    fn moved(&self, beside: &Self::Beside, m: usize) -> Self::Beside;

    /// The rank of that child, which has this bound. Nodes with low ranks are kept.
    fn rank(&self, beside: &Self::Beside, m: usize, bound: u32) -> u32;
}

/// Ranks nodes by their bound alone.
pub(super) struct ByBound;

impl Ranking for ByBound {
    type Beside = ();

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
pub(super) struct ByBoth<'a>(pub &'a Learned);

/// The board of a node.
#[derive(Clone, Copy)]
pub(super) struct Board {
    carry: <Learned as Guide>::Carry,
    blank: u8,
    labels: [u8; MAX_MASK_CELLS],
}

impl Ranking for ByBoth<'_> {
    type Beside = Board;

    fn start(&self, position: &Position) -> Board {
        let known = position.labels();
        let mut labels = [0; MAX_MASK_CELLS];
        labels[..known.len()].copy_from_slice(known);
        Board { carry: self.0.start(known), blank: position.blank() as u8, labels }
    }

    #[inline(always)]
    fn moved(&self, board: &Board, m: usize) -> Board {
        let mut child = *board;
        let to = usize::from(board.blank);
        let from = self.0.source(to, m);
        child.labels.swap(from, to);
        child.carry = self.0.moved(&board.carry, &child.labels, from, to);
        child.blank = from as u8;
        child
    }

    #[inline(always)]
    fn rank(&self, board: &Board, m: usize, bound: u32) -> u32 {
        self.0.rank(&self.moved(board, m).carry) + STEP * bound
    }
}
