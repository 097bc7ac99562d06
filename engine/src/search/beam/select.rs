//! The choice of the candidates that form the next level.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::parallel::map_chunks;

/// The nodes of a part of a level, which a thread takes at once. The last part may have fewer.
pub(crate) const CHUNK: usize = 1024;

/// The part of a candidate that selection reads.
#[derive(Clone, Copy)]
pub(crate) struct Ranked {
    /// The hash of the position. Candidates with the same hash are the same position.
    pub hash: u64,
    /// Candidates with low ranks are chosen. It is less than `u32::MAX`.
    pub rank: u32,
    /// The name of the candidate, which no other has.
    pub number: u32,
}

/// Candidates, grouped by some bits of their hashes.
pub(crate) struct Grouped {
    pub candidates: Vec<Ranked>,
    /// The end of each group.
    ends: Vec<u32>,
    /// The least and the largest rank, if there is a candidate.
    ranks: Option<[u32; 2]>,
}

/// The candidates of a group, on average at most: a table of them fits into a second-level cache of a
/// megabyte.
const GROUP: usize = 1 << 14;

/// The most groups: each part of a level lists them.
const MOST_GROUPS: usize = 1 << 10;

/// The number of groups for this many candidates.
pub(crate) fn group_count(candidates: usize) -> usize {
    candidates.div_ceil(GROUP).next_power_of_two().min(MOST_GROUPS)
}

impl Grouped {
    /// Some candidates in this many groups, a power of two.
    pub fn new(candidates: &[Ranked], groups: usize) -> Grouped {
        // The low bits: the high ones decide which candidates of one rank are chosen.
        let group = |candidate: &Ranked| candidate.hash as usize & (groups - 1);
        let mut ends = vec![0; groups];
        let mut ranks: Option<[u32; 2]> = None;
        for candidate in candidates {
            ends[group(candidate)] += 1;
            let [least, most] = ranks.get_or_insert([candidate.rank; 2]);
            (*least, *most) = (candidate.rank.min(*least), candidate.rank.max(*most));
        }
        let mut end = 0;
        for count in &mut ends {
            // Index of the group's next candidate; after the loop, the end of the group.
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
        Grouped { candidates: grouped, ends, ranks }
    }

    fn group(&self, group: usize) -> &[Ranked] {
        let begin = group.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.candidates[begin as usize..self.ends[group] as usize]
    }
}

/// A candidate that is part of the next level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Chosen {
    pub number: u32,
    pub rank: u32,
}

/// A rank that no candidate has.
const NO_RANK: u32 = u32::MAX;

/// Up to `width` candidates with the lowest ranks, in the order of their numbers. Of candidates
/// for the same position, the first is chosen. All numbers are below `end`, and all parts have the same
/// number of groups.
///
/// Of the last rank, only the candidates with low hashes are chosen. With the first ones instead, a level
/// would descend from few positions of the level before, and solutions would be longer.
pub(crate) fn select(parts: &[Grouped], width: usize, end: usize) -> Vec<Chosen> {
    let groups: Vec<usize> = (0..parts.first().map_or(0, |part| part.ends.len())).collect();
    let bins = Bins::new(parts);
    let groups = map_chunks(&groups, 1, |_, group| Distinct::new(parts, group[0], &bins));
    let (last, limit) = cutoff(&groups, &bins, width);
    let ranks: Vec<AtomicU32> = (0..end).map(|_| AtomicU32::new(NO_RANK)).collect();
    map_chunks(&groups, 1, |_, group| {
        for &Ranked { hash, rank, number } in &group[0].candidates {
            if (rank, hash) <= (last, limit) {
                ranks[number as usize].store(rank, Ordering::Relaxed);
            }
        }
    });
    let parts = map_chunks(&ranks, CHUNK, |first, ranks| {
        let ranks = ranks.iter().map(|rank| rank.load(Ordering::Relaxed));
        let all = (first as u32..).zip(ranks).map(|(number, rank)| Chosen { number, rank });
        all.filter(|chosen| chosen.rank != NO_RANK).collect::<Vec<_>>()
    });
    parts.concat()
}

/// The candidates of a group, each position once.
struct Distinct {
    candidates: Vec<Ranked>,
    /// The number of ranks in each bin.
    counts: Vec<u32>,
}

impl Distinct {
    fn new(parts: &[Grouped], group: usize, bins: &Bins) -> Distinct {
        let all = || parts.iter().flat_map(|part| part.group(group));
        let count = parts.iter().map(|part| part.group(group).len()).sum();
        let mut seen: HashSet<u64, BuildHasherDefault<Hashed>> =
            HashSet::with_capacity_and_hasher(count, Default::default());
        let mut counts = vec![0; BINS];
        let mut candidates = Vec::with_capacity(count);
        for candidate in all().filter(|candidate| seen.insert(candidate.hash)) {
            counts[bins.of(candidate.rank)] += 1;
            candidates.push(*candidate);
        }
        Distinct { candidates, counts }
    }
}

/// The last rank that is chosen from, and the largest hash that is chosen of it.
fn cutoff(groups: &[Distinct], bins: &Bins, width: usize) -> (u32, u64) {
    let mut room = width;
    for bin in 0..BINS {
        let count: usize = groups.iter().map(|group| group.counts[bin] as usize).sum();
        if count > room {
            let in_bin = map_chunks(groups, 1, |_, group| {
                let all =
                    group[0].candidates.iter().map(|candidate| (candidate.rank, candidate.hash));
                all.filter(|(rank, _)| bins.of(*rank) == bin).collect::<Vec<_>>()
            });
            let mut in_bin = in_bin.concat();
            return match room.checked_sub(1) {
                Some(place) => *in_bin.select_nth_unstable(place).1,
                // The bins before fill the level.
                None => (bins.lowest(bin).saturating_sub(1), u64::MAX),
            };
        }
        room -= count;
    }
    (u32::MAX, u64::MAX)
}

/// The number of bins.
const BINS: usize = 512;

/// Equal ranges of ranks.
struct Bins {
    least: u32,
    shift: u32,
}

impl Bins {
    /// Bins for the ranks of all candidates.
    fn new(parts: &[Grouped]) -> Bins {
        let all = || parts.iter().filter_map(|part| part.ranks).flatten();
        let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
        let bits = u32::BITS - (most - least).leading_zeros();
        Bins { least, shift: bits.saturating_sub(BINS.ilog2()) }
    }

    #[inline(always)]
    fn of(&self, rank: u32) -> usize {
        ((rank - self.least) >> self.shift) as usize
    }

    /// The first rank of a bin.
    fn lowest(&self, bin: usize) -> u32 {
        self.least + ((bin as u32) << self.shift)
    }
}

/// Passes on values that are hashes already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        // The table takes the lowest bits, and these are the same within a group.
        self.0 = hash.rotate_right(32);
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only hashes are hashed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions that appear again and again, in ranks near each other and far apart, in many parts and few.
    #[test]
    fn the_lowest_are_chosen_once_as_if_they_were_sorted() {
        for (spread, positions, size, groups) in [
            (1, 3000, 700, 4),
            (1000, 3000, 700, 4),
            (1 << 21, 3000, 700, 4),
            (u32::MAX - 2, 3000, 700, 4),
            (2, 300, 3000, 1),
            (2, 300, 100, 4),
            (2, 300, 7, 16),
        ] {
            let candidates: Vec<Ranked> = (0..3000u32)
                .map(|number| {
                    let position = number / 2 % positions;
                    let hash = u64::from(position + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    let rank = ((u64::from(spread) * (hash >> 40)) >> 24) as u32;
                    let rank = (u32::MAX - spread) / 2 + rank;
                    Ranked { hash, rank, number: 2 * number }
                })
                .collect();
            let parts: Vec<Grouped> =
                candidates.chunks(size).map(|part| Grouped::new(part, groups)).collect();
            let bins = Bins::new(&parts);
            assert!(candidates.iter().all(|candidate| bins.of(candidate.rank) < BINS));
            let mut sorted: Vec<_> =
                candidates.iter().map(|c| (c.rank, c.hash, c.number)).collect();
            sorted.sort_unstable();
            // The first of each position.
            sorted.dedup_by_key(|&mut (_, hash, _)| hash);
            for width in [1, 2, 50, 99, 100, 250, 300, 1499, 1500, 5000] {
                let chosen = sorted.iter().take(width);
                let mut chosen: Vec<Chosen> =
                    chosen.map(|&(rank, _, number)| Chosen { number, rank }).collect();
                chosen.sort_unstable();
                assert_eq!(select(&parts, width, 6000), chosen, "{spread} {size} {width}");
            }
        }
        assert!(select(&[], 5, 0).is_empty());
    }

    #[test]
    fn groups_are_few() {
        assert_eq!([0, 1 << 20, 1 << 30].map(group_count), [1, 64, MOST_GROUPS]);
    }
}
