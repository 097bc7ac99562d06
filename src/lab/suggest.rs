//! Partitions that fit a number of bytes, found by exchanging tiles between patterns.
//!
//! A partition is the better, the smaller the mean of b^−h is ([`values`](super::values)). Its mean is taken over
//! positions that [`chains`](super::chains) draw with the density b^−m, m being the Manhattan distance: there
//! b^−h is b^−m times a factor between 0 and 1, whose spread is small. All partitions are compared on the same
//! positions. As an exchange changes two patterns, the values of the positions are kept for each pattern.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::Arc;

use rayon::prelude::*;

use super::chains::anneal;
use super::{Error, branching};
use crate::board::{Board, Canonical, Goal, Grid, Random, transposed};
use crate::classics::{Heuristic, Manhattan, Spec};
use crate::parallel::map_chunks;
use crate::pdb::{HEADER_BYTES, Index, MAX_PATTERN, Partition, Pattern, Table, generate};
use crate::search::{Cancel, is_view};
use crate::solver::heuristic_of;
use crate::store::{MAX_OPTIMAL_CELLS, Set};
use crate::text::plural;

/// A partition, and how good it is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Suggestion {
    /// The partition, by labels of the canonical form of the goal.
    pub partition: Partition,
    /// The heuristic by its databases, which names the tiles that are printed on the board.
    pub heuristic: Spec,
    /// The mean of h over boards drawn uniformly.
    pub average_h: f64,
    /// The estimated mean of b^−h over all positions.
    pub quality: f64,
    /// The bytes of its databases.
    pub bytes: u64,
}

/// The boards drawn uniformly, the chains, and the steps of each chain.
const UNIFORM: usize = 4096;
const CHAINS: usize = 4096;
const STEPS: u32 = 300;

/// The partitions from which the search begins: the best of those that cut the board into strips.
const STARTS: usize = 3;

/// The most patterns that a search has room for.
const MOST_PATTERNS: usize = 4;

/// An exchange has to lower the mean by this factor: less is chance.
const GAIN: f64 = 0.995;

/// Searches for partitions of all tiles with which [`Engine`](crate::search::Engine) solves boards to a goal, whose
/// databases have at most `memory` bytes. Returns those at which no exchange of two tiles is better, the best one
/// first. The same seed gives the same partitions. `watch` is called for each partition that was tried.
///
/// A table is built for each new pattern, on the current rayon thread pool: this takes minutes for patterns of
/// seven tiles on 20 cells. After a cancel the best partitions found so far are returned.
///
/// # Errors
/// Where no partition fits, and where the system has too little memory for a table.
pub fn suggest(
    goal: &Goal,
    memory: u64,
    seed: u64,
    cancel: &Cancel,
    watch: &(dyn Fn() + Sync),
) -> Result<Vec<Suggestion>, Error> {
    let canonical = Canonical::of(goal);
    let (grid, blank) = (canonical.grid(), canonical.goal_blank());
    if grid.cells() > MAX_OPTIMAL_CELLS {
        let what = "too large: databases of all tiles are for boards of up to";
        return Err(Error::Refused(format!("{grid} boards are {what} {MAX_OPTIMAL_CELLS} cells")));
    }
    let mut random = Random::new(seed);
    let mut sample = Sample::new(&canonical, &mut random, cancel)?;
    let mut starts = Vec::new();
    for largest_first in sizes(grid, blank, memory) {
        let smallest_first = largest_first.iter().rev().copied().collect();
        for sizes in [largest_first, smallest_first] {
            for rows in [false, true] {
                let patterns = strips(grid, blank, &sizes, rows);
                starts.extend(sample.tried(patterns, watch)?);
            }
        }
    }
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    starts.dedup();
    let mut found = BTreeMap::new();
    for (mut best, mut patterns) in starts.into_iter().take(STARTS) {
        let mut swaps = swaps(grid, &patterns, &mut random);
        while let Some(swap) = swaps.pop() {
            let Some(tried) = sample.tried(swap, watch)? else { break };
            if tried.0 < best * GAIN {
                (best, patterns) = tried;
                swaps = self::swaps(grid, &patterns, &mut random);
            }
        }
        patterns.sort_unstable();
        found.insert(patterns, best);
    }
    let suggestion = |(patterns, quality): (Vec<u64>, f64)| {
        let partition = partition(grid, blank, &patterns)?;
        let tables = partition.patterns().iter().map(|p| Table::length(&sample.indices[&p.len()]));
        let bytes = tables.map(|bytes| (bytes + HEADER_BYTES) as u64).sum();
        let heuristic = heuristic_of(&Set::from(partition.clone()), &canonical);
        let average_h = sample.average_h(&patterns);
        Some(Suggestion { partition, heuristic, average_h, quality, bytes })
    };
    let mut found: Vec<_> = found.into_iter().filter_map(suggestion).collect();
    found.sort_by(|a, b| a.quality.total_cmp(&b.quality));
    match found.is_empty() {
        true if cancel.is_cancelled() => Err(Error::Cancelled),
        true => {
            let bytes = plural(memory, "byte");
            Err(Error::Refused(format!(
                "no partition of {grid} boards fits in {bytes}: allow more"
            )))
        }
        false => Ok(found),
    }
}

/// The positions, and the values of each pattern that was tried.
struct Sample<'a> {
    grid: Grid,
    blank: usize,
    cancel: &'a Cancel,
    base: f64,
    /// The positions of the chains, then those drawn uniformly; then the mirror images of all, if there are any.
    labels: Vec<Box<[u8]>>,
    /// The weight of each position of the chains, times b^m.
    weights: Vec<f64>,
    indices: HashMap<usize, Arc<Index>>,
    values: HashMap<u64, Vec<u8>>,
}

impl<'a> Sample<'a> {
    fn new(
        canonical: &Canonical,
        random: &mut Random,
        cancel: &'a Cancel,
    ) -> Result<Sample<'a>, Error> {
        let (grid, blank) = (canonical.grid(), canonical.goal_blank());
        let goal = canonical.goal();
        let base = branching::factor(grid);
        let manhattan = Manhattan::new(grid, blank);
        let labels = |board: &Board| -> Box<[u8]> {
            canonical.position(board).expect("the boards can reach the goal").labels().into()
        };
        let value = |board: &Board| f64::from(manhattan.value(&manhattan.start(&labels(board))));
        let evaluate = |boards: &[Board]| Ok::<_, Error>(boards.iter().map(value).collect());
        let starts: Vec<_> = (0..CHAINS).map(|_| goal.random_board(random)).collect();
        let chains = starts.into_par_iter().enumerate().map(|(chain, start)| {
            let steps = if cancel.is_cancelled() { 1 } else { STEPS };
            anneal(vec![start], base, steps, chain, evaluate, || ())
        });
        let ends = chains.collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
        let (weights, boards): (Vec<_>, Vec<_>) =
            ends.map(|end| (end.weight * base.powf(end.h), end.board)).unzip();
        let uniform = (0..UNIFORM).map(|_| goal.random_board(random));
        let mut labels: Vec<_> = boards.into_iter().chain(uniform).map(|b| labels(&b)).collect();
        if grid.is_mirrored(blank) {
            labels.extend(labels.clone().iter().map(|labels| transposed(grid, labels)));
        }
        let (indices, values) = (HashMap::new(), HashMap::new());
        Ok(Sample { grid, blank, cancel, base, labels, weights, indices, values })
    }

    /// A partition with its mean of b^−h; `None` after a cancel.
    fn tried(
        &mut self,
        patterns: Vec<u64>,
        watch: &(dyn Fn() + Sync),
    ) -> Result<Option<(f64, Vec<u64>)>, Error> {
        for &pattern in &patterns {
            if !self.values.contains_key(&pattern) {
                match self.values_of(pattern) {
                    Ok(values) => self.values.insert(pattern, values),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(None),
                    Err(error) => {
                        let what = format!("a table cannot be built: {error}");
                        return Err(Error::Refused(what));
                    }
                };
            }
        }
        watch();
        let h = self.h(&patterns);
        let of = |(weight, h): (&f64, u32)| weight * self.base.powf(-f64::from(h));
        let sum: f64 = self.weights.iter().zip(h).map(of).sum();
        Ok(Some((sum / CHAINS as f64, patterns)))
    }

    /// Builds the table of a pattern, and looks all positions up in it.
    fn values_of(&mut self, tiles: u64) -> io::Result<Vec<u8>> {
        let tiles = (0..self.grid.cells()).filter(|cell| tiles >> cell & 1 == 1);
        let pattern = Pattern::new(self.grid, self.blank, tiles).expect("tiles of the board");
        let index = || Arc::new(Index::new(self.grid, pattern.len()));
        let index = self.indices.entry(pattern.len()).or_insert_with(index).clone();
        let built = generate(&index, &pattern, self.cancel, &mut |_| ())?;
        let table = Table::new(pattern, index, built.bits);
        let values = map_chunks(&self.labels, 512, |_, labels| {
            let states: Vec<_> = labels.iter().map(|labels| table.state(labels)).collect();
            table.values(&states).expect("the table was just built")
        });
        Ok(values.into_iter().flatten().map(|value| value as u8).collect())
    }

    /// The values of the positions: the sum of the patterns, or of their mirror images if that is larger.
    fn h(&self, patterns: &[u64]) -> impl Iterator<Item = u32> {
        let values: Vec<_> = patterns.iter().map(|pattern| &self.values[pattern]).collect();
        let sum = move |i: usize| values.iter().map(|values| u32::from(values[i])).sum::<u32>();
        let (all, count) = (self.labels.len(), self.weights.len() + UNIFORM);
        (0..count).map(move |i| (i..all).step_by(count).map(&sum).max().unwrap_or_default())
    }

    fn average_h(&self, patterns: &[u64]) -> f64 {
        let uniform = self.h(patterns).skip(self.weights.len());
        uniform.map(f64::from).sum::<f64>() / UNIFORM as f64
    }
}

/// The ways to divide the tiles of a board among the fewest patterns that fit, as the number of tiles of each, the
/// largest first.
fn sizes(grid: Grid, blank: usize, memory: u64) -> Vec<Vec<usize>> {
    let tiles = grid.cells() - 1;
    let bytes: Vec<u64> = (0..=MAX_PATTERN.min(grid.cells() - 3))
        .map(|size| table_bytes(grid, size, memory))
        .collect();
    let mut parts = vec![Vec::new()];
    while !parts.is_empty() {
        let longer = |part: &Vec<usize>| {
            let part = part.clone();
            let left = tiles - part.iter().sum::<usize>();
            let most = part.last().copied().unwrap_or(bytes.len() - 1).min(left);
            (1..=most).map(move |size| [&part[..], &[size]].concat())
        };
        parts = parts.iter().flat_map(longer).collect();
        parts.retain(|part| part.iter().map(|&size| bytes[size]).sum::<u64>() <= memory);
        let is_view = |sizes: &&Vec<usize>| {
            let partition = partition(grid, blank, &strips(grid, blank, sizes, false));
            partition.is_some_and(|partition| is_view(&partition))
        };
        let fitting: Vec<_> = parts.iter().filter(is_view).cloned().collect();
        if !fitting.is_empty() {
            return fitting;
        }
        parts.retain(|part| part.len() < MOST_PATTERNS);
    }
    parts
}

/// The bytes of a database of so many tiles; more than `memory` where they are not worth counting.
fn table_bytes(grid: Grid, tiles: usize, memory: u64) -> u64 {
    let sets = (0..tiles).fold(1.0, |sets, i| sets * (grid.cells() - i) as f64 / (i as f64 + 1.0));
    let orders = (1..=tiles).product::<usize>() as f64;
    match sets * orders / 8.0 <= memory as f64 && tiles > 0 {
        true => (Table::length(&Index::new(grid, tiles)) + HEADER_BYTES) as u64,
        false => u64::MAX / MAX_PATTERN as u64,
    }
}

/// Patterns of these sizes, one after the other column by column, or row by row.
fn strips(grid: Grid, blank: usize, sizes: &[usize], rows: bool) -> Vec<u64> {
    let mut cells: Vec<usize> = (0..grid.cells()).filter(|&cell| cell != blank).collect();
    if !rows {
        cells.sort_by_key(|&cell| (grid.column(cell), grid.row(cell)));
    }
    let mut cells = cells.into_iter();
    let strip = |&size: &usize| cells.by_ref().take(size).fold(0, |mask, cell| mask | 1 << cell);
    sizes.iter().map(strip).collect()
}

/// The exchanges of two tiles that lie next to the other's pattern, in a random order.
fn swaps(grid: Grid, patterns: &[u64], random: &mut Random) -> Vec<Vec<u64>> {
    let cells = |mask: u64| (0..grid.cells()).filter(move |cell| mask >> cell & 1 == 1);
    let near = |cell, mask: u64| grid.neighbours(cell).any(|other| mask >> other & 1 == 1);
    let mut swaps = Vec::new();
    for (i, &first) in patterns.iter().enumerate() {
        for (j, &second) in patterns.iter().enumerate().skip(i + 1) {
            for a in cells(first).filter(|&a| near(a, second)) {
                for b in cells(second).filter(|&b| near(b, first)) {
                    let mut swapped = patterns.to_vec();
                    let both = 1 << a | 1 << b;
                    (swapped[i], swapped[j]) = (first ^ both, second ^ both);
                    swaps.insert(random.below(swaps.len() + 1), swapped);
                }
            }
        }
    }
    swaps
}

/// The partition into these patterns; `None` if one of them has more tiles than a pattern may have.
fn partition(grid: Grid, blank: usize, patterns: &[u64]) -> Option<Partition> {
    let pattern = |&tiles: &u64| {
        let tiles = (0..grid.cells()).filter(|cell| tiles >> cell & 1 == 1);
        Pattern::new(grid, blank, tiles).ok()
    };
    Partition::new(patterns.iter().map(pattern).collect::<Option<_>>()?).ok()
}

#[cfg(test)]
mod tests {
    use super::super::chains::tests::space;
    use super::*;
    use crate::store::{Set, Store};

    fn goal(grid: Grid) -> Goal {
        Goal::named("blank-first", grid).unwrap()
    }

    fn found(grid: Grid, memory: u64, seed: u64) -> Vec<Suggestion> {
        suggest(&goal(grid), memory, seed, &Cancel::new(), &|| ()).unwrap()
    }

    #[test]
    fn partitions_fit_and_their_mean_is_that_of_the_whole_space() {
        let grid = Grid::new(3, 3).unwrap();
        let memory = 100_000;
        let suggestions = found(grid, memory, 1);
        let base = branching::factor(grid);
        let boards: Vec<Board> = space(grid);
        let mean = |partition: &Partition| {
            let loaded = Store::memory().load(&Set::from(partition.clone()), &|_| ()).unwrap();
            // Many boards share a state of a table.
            let mut known = HashMap::new();
            let mut value = |labels: &[u8]| -> u32 {
                let mut value = |(number, table): (usize, &Table)| {
                    let state = table.state(labels);
                    let key = (number, state.mask, state.blank, state.rank);
                    *known.entry(key).or_insert_with(|| table.value(state).unwrap())
                };
                loaded.tables.iter().enumerate().map(&mut value).sum()
            };
            let of = |board: &Board| {
                let h = value(board.tiles()).max(value(&transposed(grid, board.tiles())));
                (base.powf(-f64::from(h)), f64::from(h))
            };
            let (quality, h): (Vec<_>, Vec<_>) = boards.iter().map(of).unzip();
            let count = boards.len() as f64;
            (quality.iter().sum::<f64>() / count, h.iter().sum::<f64>() / count)
        };
        for Suggestion { partition, average_h, quality, bytes, .. } in &suggestions {
            assert!(*bytes <= memory && is_view(partition), "{partition}: {bytes}");
            let (exact, h) = mean(partition);
            assert!((quality / exact - 1.0).abs() < 0.1, "{partition}: {quality:e}, {exact:e}");
            assert!((average_h - h).abs() < 0.2, "{partition}: {average_h}, {h}");
        }
        // Better than the partition that was drawn by hand.
        let four = Partition::parse("4-4", grid, 0).unwrap();
        assert!(mean(&suggestions[0].partition).0 < mean(&four).0);
        let texts = |found: &[Suggestion]| -> Vec<String> {
            found.iter().map(|found| found.partition.to_string()).collect()
        };
        assert_eq!(texts(&found(grid, memory, 1)), texts(&suggestions));
    }

    #[test]
    fn what_cannot_be_found_is_an_error() {
        let grid = Grid::new(3, 2).unwrap();
        let refused = suggest(&goal(grid), 10, 1, &Cancel::new(), &|| ()).unwrap_err();
        assert_eq!(refused.to_string(), "no partition of 3x2 boards fits in 10 bytes: allow more");
        let cancel = Cancel::new();
        cancel.cancel();
        let cancelled = suggest(&goal(grid), 1 << 20, 1, &cancel, &|| ());
        assert!(matches!(cancelled, Err(Error::Cancelled)));
        let large = Grid::new(6, 5).unwrap();
        assert!(suggest(&goal(large), 1 << 20, 1, &Cancel::new(), &|| ()).is_err());
    }
}
