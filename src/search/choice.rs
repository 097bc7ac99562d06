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
        let Some([first, second, third]) = rounds(stage) else { return Some(()) };
        stage.trials += 1;
        let mut trials = Trials { catalogue: self, position, control, generated: 0 };
        let all = 0..self.views();
        let pairs = all.clone().flat_map(|a| (a + 1..self.views()).map(move |b| vec![a, b]));
        let mut pairs = trials.rank(first, pairs.collect())?;
        pairs.truncate(PAIRS);
        let mut best = trials.rank(second, pairs)?;
        best.truncate(2);
        let mut final_sets = vec![stage.views.clone(), self.first_views()];
        while let Some(smaller) = best.first() {
            final_sets.push(smaller.clone());
            if smaller.len() == MAX_VIEWS {
                break;
            }
            let mut larger: Vec<Vec<usize>> = Vec::new();
            for set in &best {
                for view in all.clone().filter(|view| !set.contains(view)) {
                    let mut set = [&set[..], &[view]].concat();
                    set.sort_unstable();
                    if !larger.contains(&set) {
                        larger.push(set);
                    }
                }
            }
            // Only what is better than without the view.
            larger.insert(0, smaller.clone());
            best = trials.rank(second, larger)?;
            best.truncate(1);
            if best.first().is_some_and(|set| final_sets.contains(set)) {
                break;
            }
        }
        if let Some(best) = trials.rank(third, final_sets)?.into_iter().next() {
            stage.views = best;
        }
        stage.generated += trials.generated;
        Some(())
    }
}

struct Trials<'a, B> {
    catalogue: &'a Catalogue<B>,
    position: &'a Position,
    control: &'a Control,
    generated: u64,
}

impl<B: AsRef<[u8]> + Sync> Trials<'_, B> {
    /// Sets of views, the cheapest first. The first one is tried before the others, and those that
    /// cost more are left out.
    fn rank(&mut self, bound: u32, sets: Vec<Vec<usize>>) -> Option<Vec<Vec<usize>>> {
        let Some((first, others)) = sets.split_first() else { return Some(sets) };
        let cost = |set: &[usize], cap: u64| {
            let each = COST[set.len() - 1];
            let cap = cap / each;
            let nodes = self.catalogue.measure(self.position, set, bound, cap, self.control)?;
            Some((if nodes < cap { nodes * each } else { u64::MAX }, nodes))
        };
        let first_cost = cost(first, u64::MAX)?;
        // What is a little worse here may be better on more.
        let cap = first_cost.0 + first_cost.0 / 4;
        let others = others.par_iter().map(|set| cost(set, cap));
        let costs: Vec<(u64, u64)> = others.collect::<Option<_>>()?;
        let costs = [&[first_cost], &costs[..]].concat();
        self.generated += costs.iter().map(|(_, nodes)| nodes).sum::<u64>();
        let mut ranked: Vec<_> = costs.into_iter().zip(sets).collect();
        ranked.retain(|((cost, _), _)| *cost < u64::MAX);
        ranked.sort_by_key(|((cost, _), _)| *cost);
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
