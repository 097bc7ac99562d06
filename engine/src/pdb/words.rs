//! Moving blocks of orders, a word at a time.
//!
//! The k! orders of a cohort are a *block* of bits, one word for each coset of orders. A move of a
//! tile carries each word of a block to a word of another block, with its bits permuted: see
//! [`Orders`]. So does any permutation of the places, such as a reflection of the board makes.

use std::collections::HashMap;

use rayon::prelude::*;

use super::Orders;
use super::orders::{Places, WordMove};

/// The effect on a block of each row of the transition table, and of further permutations.
pub(super) struct WordMoves {
    /// The words of a block.
    pub cosets: usize,
    rows: Vec<Vec<Batch>>,
}

/// Words that one row changes in the same way.
struct Batch {
    flips: Flips,
    permutation: Permutation,
    /// (coset before, coset after). The last pair is repeated until [`AT_ONCE`] divides their
    /// number: words are added to the target, and adding one twice changes nothing.
    words: Vec<(u16, u16)>,
}

/// Exchanges flip bits in the ranks of a word. The element of V decides which ones. For each of the
/// four bits, the mask has the places of the word that are exchanged with those 1, 2, 4 or 8
/// higher.
enum Flips {
    None,
    /// One bit of each rank.
    One([u64; 4]),
    /// Any number of bits.
    Many([u64; 4]),
}

/// Permutes the elements of V in a word, by parts of the word that are masked and rotated. No parts
/// stand for no change.
struct Permutation(Vec<(u64, u32)>);

/// Words changed at once, which the compiler turns into vectors. WebAssembly has none here.
const AT_ONCE: usize = if cfg!(target_family = "wasm") { 1 } else { 4 };

impl WordMoves {
    /// The rows of the transition table, followed by one for each of `mirrored`: the permutation of
    /// the places that a reflection makes, after which the tiles of the pairs in the mask `swapped`
    /// are exchanged.
    pub fn new(orders: &Orders, mirrored: &[Places], swapped: usize) -> WordMoves {
        let cosets = 0..orders.cosets();
        let row = |row| batches(orders, cosets.clone().map(|c| orders.word_move(row, c)), 0);
        let mut rows: Vec<_> = (0..orders.rows()).map(row).collect();
        rows.par_extend(mirrored.par_iter().map(|places| {
            let moves = cosets.clone().map(|coset| orders.word_permuted(places, coset));
            batches(orders, moves, swapped)
        }));
        WordMoves { cosets: orders.cosets(), rows }
    }

    /// Adds to the block `target` the orders that a row makes of those in the block `source`.
    #[inline(always)]
    pub fn apply(&self, row: usize, source: &[u64], target: &mut [u64]) {
        if row == 0 {
            for (t, s) in target.iter_mut().zip(source) {
                *t |= s;
            }
            return;
        }
        for batch in &self.rows[row] {
            match &batch.flips {
                Flips::None => batch.apply(source, target, |w| w),
                Flips::One(masks) => batch.apply(source, target, |w| flip_one(masks, w)),
                Flips::Many(masks) => batch.apply(source, target, |w| flip_many(masks, w)),
            }
        }
    }
}

impl Batch {
    #[inline(always)]
    fn apply(
        &self,
        source: &[u64],
        target: &mut [u64],
        flip: impl Fn([u64; AT_ONCE]) -> [u64; AT_ONCE],
    ) {
        match &self.permutation.0[..] {
            [] => move_words(&self.words, source, target, flip),
            parts => move_words(&self.words, source, target, |w| permute(parts, flip(w))),
        }
    }
}

/// Gathers words that move in the same way. `moves` has the move of each coset; `swapped` is a mask
/// of pairs whose flip bit changes besides.
fn batches(orders: &Orders, moves: impl Iterator<Item = WordMove>, swapped: usize) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    let mut place = HashMap::new();
    for (coset, moved) in moves.enumerate() {
        let batch = *place.entry((moved.flipped, moved.element)).or_insert_with(|| {
            batches.push(Batch {
                flips: Flips::new(orders, moved.flipped, swapped),
                permutation: Permutation::new(orders, moved.element),
                words: Vec::new(),
            });
            batches.len() - 1
        });
        batches[batch].words.push((coset as u16, moved.coset));
    }
    for Batch { words, .. } in &mut batches {
        let last = words[words.len() - 1];
        words.resize(words.len().next_multiple_of(AT_ONCE), last);
    }
    batches
}

/// Moves words from coset to coset, and changes them on the way.
#[inline(always)]
fn move_words(
    words: &[(u16, u16)],
    source: &[u64],
    target: &mut [u64],
    change: impl Fn([u64; AT_ONCE]) -> [u64; AT_ONCE],
) {
    for chunk in words.as_chunks::<AT_ONCE>().0 {
        let moved = change(chunk.map(|(from, _)| source[usize::from(from)]));
        for ((_, to), word) in chunk.iter().zip(moved) {
            target[usize::from(*to)] |= word;
        }
    }
}

/// Applies the parts of a [`Permutation`].
#[inline(always)]
fn permute(parts: &[(u64, u32)], words: [u64; AT_ONCE]) -> [u64; AT_ONCE] {
    let mut moved = [0; AT_ONCE];
    for &(mask, by) in parts {
        for (moved, word) in moved.iter_mut().zip(words) {
            *moved |= (word & mask).rotate_left(by);
        }
    }
    moved
}

impl Flips {
    /// `flipped` is a mask of pairs of the representative, `swapped` one of the pairs of each order
    /// itself.
    fn new(orders: &Orders, flipped: u8, swapped: usize) -> Flips {
        let mut masks = [0; 4];
        for element in 0..orders.elements() {
            let flipped = (0..4).filter(|pair| flipped & 1 << pair != 0);
            let bits = flipped.map(|pair| 1 << orders.pair_under(pair, element));
            let bits = bits.fold(swapped, |bits, bit| bits ^ bit);
            for (bit, mask) in masks.iter_mut().enumerate().filter(|(bit, _)| bits & 1 << bit != 0)
            {
                for flips in (0..1 << orders.pairs()).filter(|flips| flips & 1 << bit == 0) {
                    *mask |= 1 << (element << orders.pairs() | flips);
                }
            }
        }
        match (flipped.count_ones(), swapped) {
            (0, 0) => Flips::None,
            (1, 0) => Flips::One(masks),
            _ => Flips::Many(masks),
        }
    }
}

/// Applies the masks of [`Flips::One`]. Unlike in [`flip_many`], no exchange waits for another one.
#[inline(always)]
fn flip_one([a, b, c, d]: &[u64; 4], words: [u64; AT_ONCE]) -> [u64; AT_ONCE] {
    words.map(|w| {
        (w & a) << 1
            | w >> 1 & a
            | (w & b) << 2
            | w >> 2 & b
            | (w & c) << 4
            | w >> 4 & c
            | (w & d) << 8
            | w >> 8 & d
    })
}

/// Applies the masks of [`Flips::Many`].
#[inline(always)]
fn flip_many(masks: &[u64; 4], words: [u64; AT_ONCE]) -> [u64; AT_ONCE] {
    words.map(|word| {
        masks.iter().enumerate().fold(word, |word, (bit, mask)| {
            let differs = (word ^ word >> (1 << bit)) & mask;
            word ^ differs ^ differs << (1 << bit)
        })
    })
}

impl Permutation {
    /// The permutation that takes the identity to the element `moved`.
    fn new(orders: &Orders, moved: u8) -> Permutation {
        // The bits of a word that belong to one element.
        let bits = 1usize << orders.pairs();
        let all = u64::MAX >> (64 - bits);
        let mut parts: Vec<(u64, u32)> = Vec::new();
        if moved == 0 {
            return Permutation(parts);
        }
        for element in 0..orders.elements() {
            let (from, to) = (element * bits, orders.element_after(element, moved) * bits);
            let by = (to as u32).wrapping_sub(from as u32) & 63;
            match parts.iter_mut().find(|(_, b)| *b == by) {
                Some((mask, _)) => *mask |= all << from,
                None => parts.push((all << from, by)),
            }
        }
        Permutation(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_moves_agree_with_transitions() {
        let cases = [(1, 4), (2, 4), (3, 4), (4, 4), (5, 5), (6, 5), (7, 4), (8, 4)];
        for &(tiles, width) in if cfg!(miri) { &cases[..3] } else { &cases[..] } {
            let orders = Orders::new(tiles, width);
            let moves = WordMoves::new(&orders, &[], 0);
            for row in 0..orders.rows() {
                // A block with a single bit goes to the block with the single bit of the new rank.
                for rank in (0..orders.len()).step_by(1 + orders.len() / 500) {
                    let mut source = vec![0; orders.cosets()];
                    source[rank / orders.word_bits()] = 1 << (rank % orders.word_bits());
                    let mut target = vec![0; orders.cosets()];
                    moves.apply(row, &source, &mut target);
                    let after = orders.after(row, rank);
                    let mut expected = vec![0; orders.cosets()];
                    expected[after / orders.word_bits()] = 1 << (after % orders.word_bits());
                    assert_eq!(target, expected, "{tiles} tiles, row {row}, rank {rank}");
                }
            }
        }
    }

    /// A permutation of the places and exchanged tiles against the orders themselves.
    #[test]
    fn mirrored_rows_permute_places_and_exchange_tiles() {
        let cases: [(usize, Places, usize); 5] = [
            (2, [1, 0, 2, 3, 4, 5, 6, 7], 1),
            (5, [4, 3, 2, 1, 0, 5, 6, 7], 2),
            (6, [1, 0, 3, 2, 5, 4, 6, 7], 5),
            (7, [3, 2, 1, 0, 6, 5, 4, 7], 7),
            (8, [0, 4, 3, 2, 1, 7, 5, 6], 15),
        ];
        for &(tiles, places, swapped) in if cfg!(miri) { &cases[..2] } else { &cases[..] } {
            let orders = Orders::new(tiles, 4);
            let moves = WordMoves::new(&orders, &[places], swapped);
            for rank in (0..orders.len()).step_by(1 + orders.len() / 500) {
                let before = orders.unrank(rank);
                let mut order = [0; super::super::MAX_PATTERN];
                for (&tile, &to) in before.iter().zip(&places) {
                    order[usize::from(to)] = tile ^ (swapped >> (tile / 2) & 1) as u8;
                }
                let after = orders.rank(&order[..tiles]);
                let mut source = vec![0; orders.cosets()];
                source[rank / orders.word_bits()] = 1 << (rank % orders.word_bits());
                let mut target = vec![0; orders.cosets()];
                moves.apply(orders.rows(), &source, &mut target);
                let mut expected = vec![0; orders.cosets()];
                expected[after / orders.word_bits()] = 1 << (after % orders.word_bits());
                assert_eq!(target, expected, "{tiles} tiles, rank {rank}");
            }
        }
    }
}
