//! The larger of two bounds.
//!
//! **Admissible** if both are. **Consistent** if both are: neither falls or rises by more than 1
//! with a move, so the larger does not either. If both have the parity of the optimal number of
//! moves, so has the larger.
//!
//! **Cost**: the cost of both.

use crate::Heuristic;

/// The larger of two bounds. Consistent if both are.
///
/// Three or more bounds are nested: `Max(a, Max(b, c))`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Max<A, B>(pub A, pub B);

impl<A: Heuristic, B: Heuristic> Heuristic for Max<A, B> {
    type Carry = (A::Carry, B::Carry);

    fn start(&self, labels: &[u8]) -> Self::Carry {
        (self.0.start(labels), self.1.start(labels))
    }

    #[inline]
    fn moved(&self, carry: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry {
        (self.0.moved(&carry.0, labels, from, to), self.1.moved(&carry.1, labels, from, to))
    }

    #[inline]
    fn value(&self, carry: &Self::Carry) -> u32 {
        self.0.value(&carry.0).max(self.1.value(&carry.1))
    }

    /// The larger of both ranks.
    #[inline]
    fn rank(&self, carry: &Self::Carry) -> u32 {
        self.0.rank(&carry.0).max(self.1.rank(&carry.1))
    }
}

#[cfg(test)]
mod tests {
    use taquin_engine::board::{Grid, Metric, Position};
    use taquin_engine::search::Learned;

    use super::*;

    #[test]
    fn ranks_are_forwarded() {
        let grid = Grid::new(4, 4).unwrap();
        let learned = Learned::new(grid, 0, Metric::Single);
        let labels = Position::goal(grid, 0).labels().to_vec();
        let rank = learned.rank(&learned.start(&labels));
        assert_ne!(rank, learned.value(&learned.start(&labels)));
        let largest = Max(&learned, &learned);
        assert_eq!(largest.rank(&largest.start(&labels)), rank);
    }
}
