//! The choice of the candidates that form the next level.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use super::by_parts;
use crate::parallel::map_chunks;

/// A candidate, as far as the choice goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ranked {
    /// The position. Candidates with the same hash are the same position.
    pub hash: u64,
    /// The low ones are chosen.
    pub rank: u32,
    pub number: u32,
}

/// Candidates, grouped by some bits of their hashes.
#[derive(Debug)]
pub(super) struct Part {
    candidates: Vec<Ranked>,
    /// Where each group ends.
    ends: Vec<u32>,
}

/// The candidates of a group, on average at most: a table of them stays in the second-level cache.
const GROUP: usize = 1 << 14;

/// The number of groups for this many candidates.
pub(super) fn groups(candidates: usize) -> usize {
    candidates.div_ceil(GROUP).next_power_of_two()
}

impl Part {
    /// Some candidates in this many groups.
    pub fn new(candidates: &[Ranked], groups: usize) -> Part {
        // Other bits than those that decide which candidates of one rank are chosen.
        let group = |candidate: &Ranked| candidate.hash as u32 as usize & (groups - 1);
        let mut ends = vec![0; groups];
        candidates.iter().for_each(|candidate| ends[group(candidate)] += 1);
        let mut end = 0;
        for count in &mut ends {
            // Where the next candidate of this group is, and in the end where they end.
            let next = end;
            end += *count;
            *count = next;
        }
        let mut grouped = vec![Ranked { hash: 0, rank: 0, number: 0 }; candidates.len()];
        for candidate in candidates {
            let next = &mut ends[group(candidate)];
            grouped[*next as usize] = *candidate;
            *next += 1;
        }
        Part { candidates: grouped, ends }
    }

    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    fn group(&self, group: usize) -> &[Ranked] {
        let begin = group.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.candidates[begin as usize..self.ends[group] as usize]
    }
}

/// The numbers of up to `width` candidates with the lowest ranks, in ascending order. Of candidates
/// for the same position, the first is chosen. All numbers are below `end`, and all parts have the same
/// number of groups.
///
/// Of the last rank, of which not all are chosen, those with low hashes are. With the first ones
/// instead, a level would descend from few positions of the level before, and solutions would be
/// longer.
pub(super) fn select(parts: &[Part], width: usize, end: usize) -> Vec<u32> {
    let groups: Vec<usize> = (0..parts.first().map_or(0, |part| part.ends.len())).collect();
    let positions = map_chunks(&groups, 1, |_, group| positions(parts, group[0]));
    let (last, limit) = last(&positions, width);
    let chosen: Vec<AtomicU64> = (0..end.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    map_chunks(&positions, 1, |_, group| {
        for &Ranked { hash, rank, number } in &group[0].candidates {
            if rank < last || rank == last && hash <= limit {
                chosen[number as usize / 64].fetch_or(1 << (number % 64), Ordering::Relaxed);
            }
        }
    });
    by_parts(&chosen, |first, words| {
        let mut numbers = Vec::with_capacity(64 * words.len());
        for (word, first) in words.iter().zip((64 * first as u32..).step_by(64)) {
            let mut word = word.load(Ordering::Relaxed);
            while word != 0 {
                numbers.push(first + word.trailing_zeros());
                word &= word - 1;
            }
        }
        numbers
    })
}

/// The candidates of a group, each position once.
struct Positions {
    candidates: Vec<Ranked>,
    /// How many there are of each rank.
    ranks: Vec<usize>,
}

fn positions(parts: &[Part], group: usize) -> Positions {
    let all = || parts.iter().flat_map(|part| part.group(group));
    let count = parts.iter().map(|part| part.group(group).len()).sum();
    let mut seen: HashSet<u64, BuildHasherDefault<Hashed>> =
        HashSet::with_capacity_and_hasher(count, Default::default());
    let mut candidates: Vec<Ranked> = Vec::with_capacity(count);
    candidates.extend(all().filter(|candidate| seen.insert(candidate.hash)));
    let most = candidates.iter().map(|candidate| candidate.rank).max();
    let mut ranks = vec![0; most.map_or(0, |most| most as usize + 1)];
    candidates.iter().for_each(|candidate| ranks[candidate.rank as usize] += 1);
    Positions { candidates, ranks }
}

/// The last rank that is chosen from, and the largest hash that is chosen of it.
fn last(groups: &[Positions], width: usize) -> (u32, u64) {
    let ranks = groups.iter().map(|group| group.ranks.len()).max().unwrap_or(0);
    let mut room = width;
    for rank in 0..ranks {
        let count = groups.iter().filter_map(|group| group.ranks.get(rank)).sum::<usize>();
        if count > room {
            let rank = rank as u32;
            let candidates = groups.iter().flat_map(|group| &group.candidates);
            let mut hashes: Vec<u64> = candidates
                .filter(|candidate| candidate.rank == rank)
                .map(|candidate| candidate.hash)
                .collect();
            return match room.checked_sub(1) {
                Some(last) => (rank, *hashes.select_nth_unstable(last).1),
                None => (rank.saturating_sub(1), u64::MAX),
            };
        }
        room -= count;
    }
    (u32::MAX, u64::MAX)
}

/// Passes on values that are hashes already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        // The table takes the lowest bits, which are those of the group.
        self.0 = hash.rotate_right(32);
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only hashes are hashed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_ranks_are_chosen_once() {
        let candidates: Vec<Ranked> = (0..1000)
            .map(|i| Ranked {
                hash: u64::from(i / 2 % 300 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
                rank: 7 + i / 2 % 300 % 3,
                number: 2 * i,
            })
            .collect();
        for (size, groups) in [(1000, 1), (100, 4), (7, 16)] {
            let parts: Vec<Part> =
                candidates.chunks(size).map(|part| Part::new(part, groups)).collect();
            for width in [1, 50, 100, 250, 300, 400] {
                let chosen = select(&parts, width, 2000);
                assert!(chosen.is_sorted());
                // The first of each position.
                assert!(chosen.iter().all(|&number| number < 1200 && number % 4 == 0));
                assert_eq!(chosen.len(), width.min(300));
                let rank = |&number: &u32| candidates[number as usize / 2].rank;
                // 100 positions of each rank.
                let of_rank = |wanted| chosen.iter().filter(|n| rank(n) == wanted).count();
                assert_eq!(
                    [7, 8].map(of_rank),
                    [0, 100].map(|before| { width.saturating_sub(before).min(100) })
                );
                let hash = |&number: &u32| candidates[number as usize / 2].hash;
                if width == 50 {
                    let highest = chosen.iter().map(hash).max();
                    let lower = |c: &&Ranked| c.rank == 7 && Some(c.hash) <= highest;
                    assert_eq!(candidates[..600].iter().filter(lower).count(), 100);
                }
            }
        }
        assert!(select(&[], 5, 0).is_empty());
        assert_eq!(groups(0), 1);
    }
}
