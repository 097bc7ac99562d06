//! Moving blocks of orders, a word at a time.
//!
//! The k! orders of a cohort are a *block* of bits, one word for each coset of orders. A move of a
//! tile carries each word of a block to a word of another block, with its bits permuted: see
//! [`Orders`].

use std::collections::BTreeMap;

use super::Orders;

/// The effect on a block of each row of the transition table.
pub(super) struct WordMoves {
    /// The words of a block.
    pub cosets: usize,
    rows: Vec<Vec<Batch>>,
}

/// Words whose bits one row permutes in the same way.
struct Batch {
    /// The bits that move by the same distance to higher places, and the distance.
    up: Vec<(u64, u32)>,
    /// The bits that move to lower places, or stay.
    down: Vec<(u64, u32)>,
    /// (coset before, coset after). The last pair is repeated until [`AT_ONCE`] divides their
    /// number: words are added to the target, and adding one twice changes nothing.
    words: Vec<(u16, u16)>,
}

/// Words changed at once, which the compiler turns into vectors. The vectors of WebAssembly are slower.
const AT_ONCE: usize = if cfg!(target_family = "wasm") { 1 } else { 8 };

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
        let [mut up, mut down] = [const { Vec::new() }; 2];
        for from in 0..places.len() << pairs {
            let to = places[from >> pairs] ^ (from & ((1 << pairs) - 1));
            let parts = if to > from { &mut up } else { &mut down };
            let by = to.abs_diff(from) as u32;
            match parts.iter_mut().find(|(_, other)| *other == by) {
                Some((bits, _)) => *bits |= 1 << from,
                None => parts.push((1u64 << from, by)),
            }
        }
        let last = words[words.len() - 1];
        words.resize(words.len().next_multiple_of(AT_ONCE), last);
        Batch { up, down, words }
    }

    /// Moves words from coset to coset, and changes them on the way.
    #[inline(always)]
    fn apply(&self, source: &[u64], target: &mut [u64]) {
        for chunk in self.words.as_chunks::<AT_ONCE>().0 {
            let words = chunk.map(|(from, _)| source[usize::from(from)]);
            let mut moved = [0; AT_ONCE];
            for &(bits, by) in &self.up {
                for (moved, word) in moved.iter_mut().zip(words) {
                    *moved |= (word & bits) << by;
                }
            }
            for &(bits, by) in &self.down {
                for (moved, word) in moved.iter_mut().zip(words) {
                    *moved |= (word & bits) >> by;
                }
            }
            for ((_, to), word) in chunk.iter().zip(moved) {
                target[usize::from(*to)] |= word;
            }
        }
    }
}
