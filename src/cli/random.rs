//! Random numbers that are the same on every machine and in every version.
//!
//! ChaCha (Bernstein 2008) with 8 rounds. The key is the seed as 64 bits, least significant byte
//! first, then zeros; the stream's words are taken in pairs, low half first.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
pub(super) struct Random(ChaCha8Rng);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Random(ChaCha8Rng::from_seed(key))
    }

    /// The next number from 0 to 1, 1 left out, of 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The next number below `n`, all equally likely (Lemire 2019): the high half of a product,
    /// drawn again where the low half falls into the rest of 2⁶⁴ by `n`.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n as u64;
        let rest = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(n);
            if product as u64 >= rest {
                return (product >> 64) as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_that_of_the_cipher() {
        // ChaCha8, all-zero key and nonce: the keystream of the published test vectors begins
        // 3e 00 ef 2f 89 5f 40 d6.
        let mut random = Random::new(0);
        assert_eq!(
            random.0.next_u64(),
            u64::from_le_bytes([0x3e, 0, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6])
        );
    }

    #[test]
    fn numbers_stay_below() {
        let mut random = Random::new(1);
        for n in 1..100 {
            assert!((0..100).all(|_| random.below(n) < n));
        }
    }
}
