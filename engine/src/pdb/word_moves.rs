//! Moving blocks of orders, a word at a time.
//!
//! The k! orders of a cohort are a *block* of bits, one word for each coset of orders. A move of a
//! tile carries each word of a block to a word of another block, with its bits permuted: see
//! [`Orders`].

use std::collections::HashMap;

use super::Orders;
use super::orders::WordMove;

/// The effect on a block of each row of the transition table.
pub(super) struct WordMoves {
    /// The words of a block.
    pub cosets: usize,
    rows: Vec<Vec<Batch>>,
}

/// Words that one row changes in the same way.
struct Batch {
    flips: Option<Flips>,
    permutation: Permutation,
    /// (coset before, coset after). The last pair is repeated until [`AT_ONCE`] divides their
    /// number: words are added to the target, and adding one twice changes nothing.
    words: Vec<(u16, u16)>,
}

/// Exchanges one flip bit of each rank in a word. The element of V decides which one. For each of the four
/// bits, the mask has the places of the word that are exchanged with places 1, 2, 4 or 8 higher.
struct Flips([u64; 4]);

/// Permutes the elements of V in a word, by parts of the word that are masked and rotated. No parts
/// stand for no change.
struct Permutation(Vec<(u64, u32)>);

/// Words changed at once, which the compiler turns into vectors. The vectors of WebAssembly are slower.
const AT_ONCE: usize = if cfg!(target_family = "wasm") { 1 } else { 4 };

impl WordMoves {
    /// The rows of the transition table.
    pub fn new(orders: &Orders) -> WordMoves {
        let moves = |row| (0..orders.cosets()).map(move |coset| orders.word_move(row, coset));
        let rows = (0..orders.rows()).map(|row| batches(orders, moves(row))).collect();
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
                None => batch.apply(source, target, |w| w),
                Some(flips) => batch.apply(source, target, |w| flips.apply(w)),
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

/// Gathers words that move in the same way. `moves` has the move of each coset.
fn batches(orders: &Orders, moves: impl Iterator<Item = WordMove>) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    let mut place = HashMap::new();
    for (coset, moved) in moves.enumerate() {
        let batch = *place.entry((moved.flipped, moved.element)).or_insert_with(|| {
            batches.push(Batch {
                flips: moved.flipped.map(|pair| Flips::new(orders, pair)),
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
    /// Exchanges the flip bit of this pair of the representative.
    fn new(orders: &Orders, pair: u8) -> Flips {
        let mut masks = [0; 4];
        for element in 0..orders.elements() {
            let bit = orders.pair_under(pair, element);
            for flips in (0..1 << orders.pairs()).filter(|flips| flips & 1 << bit == 0) {
                masks[bit] |= 1 << (element << orders.pairs() | flips);
            }
        }
        Flips(masks)
    }

    /// No exchange waits for another one.
    #[inline(always)]
    fn apply(&self, words: [u64; AT_ONCE]) -> [u64; AT_ONCE] {
        let Flips([a, b, c, d]) = self;
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
