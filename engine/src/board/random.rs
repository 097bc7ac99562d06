//! Random boards that follow from a seed, the same on every machine and in every version.
//!
//! The generator is ChaCha (Bernstein 2008) with 8 rounds. The key is the seed as 64 bits, least
//! significant byte first, followed by zeros. The stream's words are taken in pairs, low half first.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use super::{Board, Goal, Move};

/// A stream of random numbers that follows from a seed.
#[derive(Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Random(ChaCha8Rng::from_seed(key))
    }

    /// Draws a number of 53 bits between 0 and 1, 1 excluded.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Draws a number below `n`, all with the same probability.
    ///
    /// The number is the high half of a product, drawn again where the low half falls into the
    /// remainder of 2⁶⁴ divided by `n` (Lemire 2019).
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n as u64;
        let remainder = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(n);
            if product as u64 >= remainder {
                return (product >> 64) as usize;
            }
        }
    }
}

impl Goal {
    /// Draws a board uniformly among those that can reach this goal.
    ///
    /// ```
    /// use taquin_engine::board::{Goal, Random};
    ///
    /// let goal = Goal::named("blank-last", "4x4".parse()?)?;
    /// let board = goal.random_board(&mut Random::new(1));
    /// assert_eq!(board.to_string(), "0 2 3 15 / 13 6 9 4 / 10 8 1 11 / 14 12 5 7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn random_board(&self, random: &mut Random) -> Board {
        let grid = self.board().grid();
        let mut tiles = self.board().tiles().to_vec();
        for last in (1..tiles.len()).rev() {
            tiles.swap(last, random.below(last + 1));
        }
        let board = Board::from_permutation(grid, tiles.clone().into());
        if self.solvability(&board).is_solvable() {
            return board;
        }
        // Exchanging two fixed tiles pairs the unsolvable boards with the solvable ones.
        let cell = |tile: u8| tiles.iter().position(|&t| t == tile).expect("all tiles are there");
        let (one, two) = (cell(1), cell(2));
        tiles.swap(one, two);
        Board::from_permutation(grid, tiles.into())
    }

    /// Makes a number of random moves from this goal, none of which undoes the one before.
    pub fn walk(&self, moves: u64, random: &mut Random) -> Board {
        let mut board = self.board().clone();
        let mut last = None;
        for _ in 0..moves {
            loop {
                let m = Move::ALL[random.below(4)];
                if last != Some(m.opposite()) && board.apply(m) {
                    last = Some(m);
                    break;
                }
            }
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::board::Grid;

    #[test]
    fn the_stream_is_that_of_the_cipher() {
        // ChaCha8, all-zero key and nonce: the keystream of the published test vectors.
        let mut random = Random::new(0);
        assert_eq!(random.0.next_u64().swap_bytes(), 0x3e00_ef2f_895f_40d6);
        for n in 1..100 {
            assert!((0..100).all(|_| random.below(n) < n));
            assert!((0.0..1.0).contains(&random.unit()));
        }
    }

    #[test]
    fn all_boards_are_equally_likely() {
        let grid = Grid::new(3, 2).unwrap();
        for name in ["blank-last", "snake"] {
            let goal = Goal::named(name, grid).unwrap();
            let mut random = Random::new(7);
            let mut seen: HashMap<Board, u32> = HashMap::new();
            for _ in 0..36_000 {
                *seen.entry(goal.random_board(&mut random)).or_default() += 1;
            }
            // 360 boards, 100 times each: 6 standard deviations.
            assert_eq!(seen.len(), 360);
            assert!(seen.values().all(|count| (40..160).contains(count)), "{seen:?}");
            assert!(seen.keys().all(|board| goal.solvability(board).is_solvable()));
        }
    }

    #[test]
    fn a_walk_does_not_turn_back() {
        let goal = Goal::named("spiral", Grid::new(4, 4).unwrap()).unwrap();
        // Two moves that do not undo each other lead two steps away.
        for seed in 0..50 {
            assert_ne!(goal.walk(2, &mut Random::new(seed)), *goal.board());
            let far = goal.walk(101, &mut Random::new(seed));
            assert!(goal.solvability(&far).is_solvable());
        }
        assert_eq!(goal.walk(0, &mut Random::new(0)), *goal.board());
    }
}
