//! Which views a board is searched with.
//!
//! Sets of views are tried on the board itself, at thresholds that were exhausted before and take a
//! small part of the time of what is to come, ever fewer of them at ever later thresholds:
//!
//! 1. All pairs.
//! 2. The best of these, then each of the best two with any third view, then the best of these
//!    with any fourth.
//! 3. The best of each size, the views in use, and those that the search began with.
//!
//! What is compared is not the time, but the number of nodes times what a node with so many views
//! costs: so the choice, and all that follows from it, is the same on any machine. A trial ends
//! when it has cost a quarter more than the first one of its round.

use rayon::prelude::*;

use super::catalogue::{Catalogue, Position};
use super::{Control, Stage};

/// The most views that a search has at a time.
pub(super) const MAX_VIEWS: usize = super::engine::MAX_VIEWS;

/// What a generated node costs with one to four views, in hundredths of what it costs with two.
const COST: [u64; MAX_VIEWS] = [60, 100, 140, 200];

/// How much larger than a trial the last iteration must be, at least, in each of the three rounds.
/// An iteration has about 8 times the nodes of the one before.
const ROUNDS: [u64; 3] = [300, 40, 5];

/// What these are multiplied by the second and the third time, when iterations are so large that
/// smaller samples will do.
const LATER: u64 = 8;

/// How many pairs are tried again.
const PAIRS: usize = 10;

/// The nodes of the last iteration from which views are tried for the first, the second and the
/// third time.
const DUE: [u64; 3] = [600_000, 50_000_000, 2_000_000_000];

/// The thresholds of the rounds of trials; `None` where it is not time to try other views.
fn rounds(stage: &Stage) -> Option<[u32; 3]> {
    let &(_, last) = stage.history.last()?;
    if last < *DUE.get(stage.trials as usize)? {
        return None;
    }
    let factor = if stage.trials > 0 { LATER } else { 1 };
    let [first, second, third] = ROUNDS.map(|round| {
        let small = |&&(_, nodes): &&(u32, u64)| nodes <= last / (round * factor);
        stage.history.iter().rev().find(small).map(|&(bound, _)| bound)
    });
    Some([first.or(second)?, second?, third?])
}

impl<B: AsRef<[u8]> + Sync> Catalogue<B> {
    /// Chooses the views of the next stage, if it is time to; `None` where a table is damaged.
    pub(super) fn choose(
        &self,
        position: &Position,
        stage: &mut Stage,
        control: &Control,
    ) -> Option<()> {
        let Some(rounds) = rounds(stage).filter(|_| self.views() > stage.views.len()) else {
            return Some(());
        };
        stage.trials += 1;
        let left = control.nodes().saturating_sub(stage.generated);
        let mut trials = Trials { catalogue: self, position, control, left };
        let best = trials.best(rounds, stage, self.first_views())?;
        stage.generated += left - trials.left;
        stage.views = best;
        Some(())
    }
}

/// The trials of one choice.
struct Trials<'a, B> {
    catalogue: &'a Catalogue<B>,
    position: &'a Position,
    control: &'a Control,
    /// The nodes that may still be generated.
    left: u64,
}

impl<B: AsRef<[u8]> + Sync> Trials<'_, B> {
    /// The best views, of all three rounds; those in use where too few nodes are left for trials.
    fn best(
        &mut self,
        [first, second, third]: [u32; 3],
        stage: &Stage,
        first_views: Vec<usize>,
    ) -> Option<Vec<usize>> {
        let views = self.catalogue.views();
        let pairs = (0..views).flat_map(|a| (a + 1..views).map(move |b| vec![a, b]));
        let mut pairs = self.rank(first, pairs.collect())?;
        pairs.truncate(PAIRS);
        let mut best = self.rank(second, pairs)?;
        best.truncate(2);
        let mut field = vec![stage.views.clone(), first_views];
        while let Some(smaller) = best.first().filter(|set| set.len() < MAX_VIEWS).cloned() {
            let mut larger = vec![smaller.clone()];
            for (set, view) in best.iter().flat_map(|set| (0..views).map(move |view| (set, view))) {
                let mut set = [&set[..], &[view]].concat();
                set.sort_unstable();
                if set.is_sorted_by(|a, b| a < b) && !larger.contains(&set) {
                    larger.push(set);
                }
            }
            field.push(smaller);
            best = self.rank(second, larger)?;
            best.truncate(1);
            if best.first().is_some_and(|set| field.contains(set)) {
                // A view more does not pay.
                break;
            }
        }
        field.extend(best);
        // This round is the dearest: no set twice.
        let mut sets: Vec<Vec<usize>> = Vec::new();
        for set in field {
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        let best = if sets.len() > 1 { self.rank(third, sets)?.into_iter().next() } else { None };
        Some(best.unwrap_or_else(|| stage.views.clone()))
    }

    /// Sets of views, the cheapest first. The first one is tried before the others, and those that
    /// cost more are left out. None at all where there may not be nodes enough.
    fn rank(&mut self, bound: u32, sets: Vec<Vec<usize>>) -> Option<Vec<Vec<usize>>> {
        let Some((first, others)) = sets.split_first() else { return Some(sets) };
        let nodes = |set: &[usize], cap: u64| {
            self.catalogue.measure(self.position, set, bound, cap, self.control)
        };
        let each = |set: &[usize]| COST[set.len() - 1];
        let first_nodes = nodes(first, self.left)?;
        self.left -= first_nodes;
        // What is a little worse here may be better on more.
        let cap = first_nodes * each(first) * 5 / 4;
        if others.iter().map(|set| cap / each(set)).sum::<u64>() > self.left {
            return Some(Vec::new());
        }
        let others: Vec<u64> =
            others.par_iter().map(|set| nodes(set, cap / each(set))).collect::<Option<_>>()?;
        self.left -= others.iter().sum::<u64>();
        let costs = [&[first_nodes], &others[..]].concat().into_iter().zip(sets);
        let costs = costs.map(|(nodes, set)| (nodes * each(&set), nodes, set));
        // One that reached the cap is no better.
        let mut ranked: Vec<_> = costs
            .enumerate()
            .filter(|(i, (_, nodes, set))| *i == 0 || *nodes < cap / each(set))
            .map(|(_, (cost, _, set))| (cost, set))
            .collect();
        ranked.sort_by_key(|(cost, _)| *cost);
        Some(ranked.into_iter().map(|(_, set)| set).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Views are tried when iterations are large, at thresholds that cost a small part of the last.
    #[test]
    fn trials_are_small() {
        let stage = |trials, nodes: &[u64]| {
            let history = (80..).step_by(2).zip(nodes.iter().copied()).collect();
            Stage { trials, history, ..Stage::default() }
        };
        let growing = [10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
        assert_eq!(rounds(&stage(0, &[])), None);
        assert_eq!(rounds(&stage(0, &growing[..5])), None);
        assert_eq!(rounds(&stage(0, &growing[..6])), Some([84, 86, 88]));
        assert_eq!(rounds(&stage(1, &growing[..7])), None);
        assert_eq!(rounds(&stage(1, &growing)), Some([86, 88, 90]));
        assert_eq!(rounds(&stage(3, &growing)), None);
        // Too short a history: better to wait.
        assert_eq!(rounds(&stage(0, &[1_000_000, 10_000_000])), None);
        assert_eq!(rounds(&stage(0, &[50_000, 500_000, 5_000_000])), Some([80, 80, 82]));
    }
}
