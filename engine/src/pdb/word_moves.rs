//! Moving blocks of orders, a word at a time.
//!
//! The k! orders of a cohort are a *block* of bits, one word for each coset of orders. A move of a
//! tile carries each word of a block to a word of another block, with its bits permuted: see
//! [`Orders`].

use std::collections::BTreeMap;

use super::orders::Orders;

/// The effect on a block of each row of the transition table.
pub(super) struct WordMoves {
    /// The words of a block.
    pub cosets: usize,
    rows: Vec<Vec<Batch>>,
}

/// Words whose bits one row permutes in the same way.
struct Batch {
    /// The flip bit that is exchanged differs by the element of V. For each of the four bits, the places of
    /// the word that are exchanged with places 1, 2, 4 or 8 higher.
    flips: Option<[u64; 4]>,
    /// The permutation of the elements after it: the places that are rotated, and by how much. No parts stand for
    /// no change.
    parts: Vec<(u64, u32)>,
    /// (coset before, coset after). The last pair is repeated until [`AT_ONCE`] divides their
    /// number: words are added to the target, and adding one twice changes nothing.
    words: Vec<(u16, u16)>,
}

/// Words changed at once, which the compiler turns into vectors. The vectors of WebAssembly are slower.
const AT_ONCE: usize = if cfg!(target_family = "wasm") { 1 } else { 4 };

impl WordMoves {
    /// The rows of the transition table.
    pub fn new(orders: &Orders) -> WordMoves {
        let rows = (0..orders.rows()).map(|row| batches(orders, row));
        WordMoves { cosets: orders.cosets(), rows: rows.collect() }
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
            batch.apply(source, target);
        }
    }
}

/// The words of a row of the transition table, in batches.
fn batches(orders: &Orders, row: usize) -> Vec<Batch> {
    let bits = orders.word_bits();
    let mut batches: BTreeMap<Vec<usize>, Vec<(u16, u16)>> = BTreeMap::new();
    for coset in 0..orders.cosets() {
        let ranks = (coset * bits..).take(bits);
        // Where the bits without flips go shows where all go.
        let after = ranks.step_by(1 << orders.pairs()).map(|rank| orders.after(row, rank));
        let after: Vec<usize> = after.collect();
        let target = after[0] / bits;
        let places = after.into_iter().map(|rank| rank - target * bits).collect();
        batches.entry(places).or_default().push((coset as u16, target as u16));
    }
    batches.into_iter().map(|(places, words)| Batch::new(orders.pairs(), &places, words)).collect()
}

impl Batch {
    /// The words whose bits without flips move to these places.
    fn new(pairs: usize, places: &[usize], mut words: Vec<(u16, u16)>) -> Batch {
        // The bits of one element.
        let bits = 1 << pairs;
        let (mut flips, mut parts) = (None, Vec::new());
        for (element, place) in places.iter().enumerate() {
            let (first, flip) = (element * bits, place % bits);
            for low in (0..bits).filter(|low| flip > 0 && low & flip == 0) {
                flips.get_or_insert([0; 4])[flip.ilog2() as usize] |= 1 << (first + low);
            }
            let mask = u64::MAX >> (64 - bits) << first;
            let by = (place - flip).wrapping_sub(first) as u32 % 64;
            match parts.iter_mut().find(|(_, other)| *other == by) {
                Some((rotated, _)) => *rotated |= mask,
                None => parts.push((mask, by)),
            }
        }
        parts.truncate(if let [(_, 0)] = parts[..] { 0 } else { parts.len() });
        let last = words[words.len() - 1];
        words.resize(words.len().next_multiple_of(AT_ONCE), last);
        Batch { flips, parts, words }
    }

    /// Moves words from coset to coset, and changes them on the way.
    #[inline(always)]
    fn apply(&self, source: &[u64], target: &mut [u64]) {
        for chunk in self.words.as_chunks::<AT_ONCE>().0 {
            let mut words = chunk.map(|(from, _)| source[usize::from(from)]);
            if let Some(flips) = &self.flips {
                words = words.map(|word| flipped(flips, word));
            }
            if !self.parts.is_empty() {
                let mut moved = [0; AT_ONCE];
                for &(mask, by) in &self.parts {
                    for (moved, word) in moved.iter_mut().zip(words) {
                        *moved |= (word & mask).rotate_left(by);
                    }
                }
                words = moved;
            }
            for ((_, to), word) in chunk.iter().zip(words) {
                target[usize::from(*to)] |= word;
            }
        }
    }
}

/// Exchanges bits of a word. No exchange waits for another one.
#[inline(always)]
fn flipped([a, b, c, d]: &[u64; 4], w: u64) -> u64 {
    (w & a) << 1
        | w >> 1 & a
        | (w & b) << 2
        | w >> 2 & b
        | (w & c) << 4
        | w >> 4 & c
        | (w & d) << 8
        | w >> 8 & d
}
