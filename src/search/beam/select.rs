//! The choice of the candidates that form the next level.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// Finds the places of about `width` candidates with the lowest bounds, never more, the lowest bounds
/// first. `key` is the bound and the hash of a candidate. Candidates with the same hash are the same
/// position, and one of them is kept.
///
/// Of the last bound, of which not all are kept, those with low hashes are. With the first ones
/// instead, a level would descend from few positions of the level before, and solutions would be
/// longer.
pub(super) fn select<C>(
    candidates: &[C],
    width: usize,
    key: impl Fn(&C) -> (u32, u64),
) -> Vec<u32> {
    let hash = |&i: &u32| key(&candidates[i as usize]).1;
    let mut seen: HashSet<u64, BuildHasherDefault<Hashed>> =
        HashSet::with_capacity_and_hasher(width.min(candidates.len()), Default::default());
    let mut kept = Vec::with_capacity(width.min(candidates.len()));
    let (order, ends) = by_bound(candidates, |candidate| key(candidate).0);
    let mut begin = 0;
    for end in ends {
        let room = width - kept.len();
        let new = order[begin..end].iter().copied().filter(|i| seen.insert(hash(i)));
        if end - begin <= room {
            kept.extend(new);
        } else {
            // Hashes are as good as random numbers: about `room` of them are below the limit.
            let mut new: Vec<u32> = new.collect();
            let limit = (room as f64 / new.len() as f64 * u64::MAX as f64) as u64;
            new.retain(|i| hash(i) <= limit);
            new.truncate(room);
            kept.append(&mut new);
            break;
        }
        begin = end;
    }
    kept
}

/// The places of the candidates, sorted by bound, and where each bound ends.
fn by_bound<C>(candidates: &[C], bound: impl Fn(&C) -> u32) -> (Vec<u32>, Vec<usize>) {
    let bounds = || candidates.iter().map(&bound);
    let least = bounds().min().unwrap_or(0);
    let mut ends = vec![0; bounds().max().map_or(0, |most| (most - least) as usize + 1)];
    bounds().for_each(|bound| ends[(bound - least) as usize] += 1);
    let mut end = 0;
    for count in &mut ends {
        // Where the next place of this bound is, and in the end where they end.
        let next = end;
        end += *count;
        *count = next;
    }
    let mut order = vec![0; candidates.len()];
    for (i, bound) in bounds().enumerate() {
        let next = &mut ends[(bound - least) as usize];
        order[*next] = i as u32;
        *next += 1;
    }
    (order, ends)
}

/// Passes on values that are hashes already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only hashes are hashed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_bounds_are_kept_once() {
        let candidates: Vec<(u32, u64)> = (0..1000u64)
            .map(|i| (7 + (i % 3) as u32, (i / 2 % 300).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
            .collect();
        for width in [1, 100, 250, 400, 2000] {
            let kept = select(&candidates, width, |&candidate| candidate);
            let bounds: Vec<u32> = kept.iter().map(|&i| candidates[i as usize].0).collect();
            assert!(bounds.is_sorted() && kept.len() <= width, "{width}: {bounds:?}");
            let hashes: HashSet<u64> = kept.iter().map(|&i| candidates[i as usize].1).collect();
            assert_eq!(hashes.len(), kept.len());
            // About a third of the positions have the lowest bound, and are kept if there is room.
            assert!(kept.len() >= width.min(300) * 3 / 4, "{width}: {}", kept.len());
        }
        assert!(select(&[], 5, |&candidate| candidate).is_empty());
    }
}
