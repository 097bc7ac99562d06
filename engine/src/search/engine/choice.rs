//! The choice of the views that a board is searched with.
//!
//! Sets of views are tried on the board itself, at thresholds that were exhausted before and cost a small
//! part of the next iteration. Ever fewer sets are tried at ever later thresholds:
//!
//! 1. All pairs, and all single views if the search began with one.
//! 2. The best of these; then each of the best two with any third view; then the best three with any
//!    fourth.
//! 3. The best of each size, the views in use, and the views that the search began with.
//!
//! Trials compare the number of nodes times the cost of a node with that many views, not the time.
//! The choice, and all that follows from it, is therefore the same on every machine. A trial ends when it
//! has cost a quarter more than the first one of its round.

use std::collections::HashSet;

use crate::parallel::map_chunks;
use crate::search::fast;
use crate::search::run::Threshold;

/// The most views of a search: in WebAssembly a partition and its mirror image.
pub(crate) const MAX_VIEWS: usize = if cfg!(target_family = "wasm") { 2 } else { fast::MAX_VIEWS };

/// The cost of a generated node with one to four views, in hundredths of its cost with two.
const COST: [u64; fast::MAX_VIEWS] = [66, 100, 135, 165];

/// The least factor by which the last iteration must be larger than a trial, in each of the three rounds.
/// An iteration has about 8 times the nodes of the one before.
const ROUNDS: [u64; 3] = [300, 40, 5];

/// The factors on these for each choice: when iterations are large, smaller samples are enough.
const FACTORS: [u64; 4] = [1, 8, 32, 128];

/// The number of sets that the second round tries again.
const AGAIN: usize = 10;

/// The nodes of the last iteration from which views are chosen for the first time, the second, and so on.
const DUE: [u64; 4] = [600_000, 50_000_000, 400_000_000, 10_000_000_000];

/// The thresholds of the rounds of trials; `None` if it is not time to try other views.
fn rounds(threshold: &Threshold) -> Option<[u32; 3]> {
    let &(_, last) = threshold.history.last()?;
    let choice = threshold.trials as usize;
    if last < *DUE.get(choice)? {
        return None;
    }
    let factor = FACTORS[choice];
    let [first, second, third] = ROUNDS.map(|round| {
        let small = |&&(_, nodes): &&(u32, u64)| nodes <= last / (round * factor);
        threshold.history.iter().rev().find(small).map(|&(bound, _)| bound)
    });
    Some([first.or(second)?, second?, third?])
}

/// Returns whether it is time to try other views.
pub(crate) fn is_due(threshold: &Threshold) -> bool {
    rounds(threshold).is_some()
}

/// Chooses the views of the next iterations, if it is time to. Returns whether enough nodes remain for that.
/// Without a choice the search must not go on, because with more nodes it would be another search. There are
/// `views` views. The search began with the views `initial`, and may generate `left` nodes more. `measure(set,
/// bound, cap)` returns the nodes of an iteration, at most `cap`.
///
/// # Errors
/// The error of a measurement.
pub(crate) fn choose<E: Send>(
    threshold: &mut Threshold,
    views: usize,
    initial: &[usize],
    left: u64,
    measure: impl Fn(&[usize], u32, u64) -> Result<u64, E> + Sync,
) -> Result<bool, E> {
    let Some(rounds) = rounds(threshold) else { return Ok(true) };
    let (limit, mut left) = (left, left);
    // Sets of views, the cheapest first. The first one is tried before the others, and sets that cost more are
    // left out. `None` if there may not be enough nodes.
    let mut rank = |bound: u32, sets: Vec<Vec<usize>>| {
        let Some((first, others)) = sets.split_first() else { return Ok(Some(sets)) };
        let each = |set: &[usize]| COST[set.len() - 1];
        let first_nodes = measure(first, bound, left)?;
        left -= first_nodes;
        // A set that is a little worse here may be better on larger iterations.
        let cap = first_nodes * each(first) * 5 / 4;
        if others.iter().map(|set| cap / each(set)).sum::<u64>() > left {
            return Ok(None);
        }
        let measure = |_, set: &[Vec<usize>]| measure(&set[0], bound, cap / each(&set[0]));
        let others = map_chunks(others, 1, measure).into_iter().collect::<Result<Vec<u64>, _>>()?;
        left -= others.iter().sum::<u64>();
        let costs = [&[first_nodes], &others[..]].concat().into_iter().zip(sets);
        let costs = costs.map(|(nodes, set)| (nodes * each(&set), nodes, set));
        // A set that reached the cap is not better.
        let mut ranked: Vec<_> = costs
            .enumerate()
            .filter(|(i, (_, nodes, set))| *i == 0 || *nodes < cap / each(set))
            .map(|(_, (cost, _, set))| (cost, set))
            .collect();
        ranked.sort_by_key(|(cost, _)| *cost);
        Ok(Some(ranked.into_iter().map(|(_, set)| set).collect::<Vec<_>>()))
    };
    let singles = (0..views).filter(|_| initial.len() == 1).map(|view| vec![view]);
    let pairs = (0..views).flat_map(|a| (a + 1..views).map(move |b| vec![a, b]));
    let Some(mut best) = rank(rounds[0], pairs.chain(singles).collect())? else {
        return Ok(false);
    };
    best.truncate(AGAIN);
    let Some(mut best) = rank(rounds[1], best)? else { return Ok(false) };
    best.truncate(2);
    let mut field = vec![threshold.views.clone(), initial.to_vec()];
    while let Some(smaller) = best.first().filter(|set| set.len() < MAX_VIEWS).cloned() {
        let mut larger = vec![smaller.clone()];
        for (set, view) in best.iter().flat_map(|set| (0..views).map(move |view| (set, view))) {
            let mut set = [&set[..], &[view]].concat();
            set.sort_unstable();
            if set.is_sorted_by(|a, b| a < b) && !larger.contains(&set) {
                larger.push(set);
            }
        }
        let Some(ranked) = rank(rounds[1], larger)? else { return Ok(false) };
        best = ranked;
        // Two more views may pay where one does not.
        best.retain(|set| set.len() > smaller.len());
        best.truncate(1);
        field.push(smaller);
    }
    field.extend(best);
    // The third round is the most expensive: it tries no set twice.
    let mut tried = HashSet::new();
    field.retain(|set| tried.insert(set.clone()));
    if field.len() > 1 {
        let Some(ranked) = rank(rounds[2], field)? else { return Ok(false) };
        field = ranked;
    }
    threshold.trials += 1;
    threshold.generated += limit - left;
    threshold.views = field.swap_remove(0);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Views are tried when iterations are large, at thresholds that cost a small part of the last.
    #[test]
    fn trials_are_small() {
        let threshold = |trials, nodes: &[u64]| {
            let history = (80..).step_by(2).zip(nodes.iter().copied()).collect();
            Threshold { trials, history, ..Threshold::default() }
        };
        let growing = [10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
        assert_eq!(rounds(&threshold(0, &[])), None);
        assert_eq!(rounds(&threshold(0, &growing[..5])), None);
        assert_eq!(rounds(&threshold(0, &growing[..6])), Some([84, 86, 88]));
        assert_eq!(rounds(&threshold(1, &growing[..7])), None);
        assert_eq!(rounds(&threshold(1, &growing)), Some([86, 88, 90]));
        assert_eq!(rounds(&threshold(4, &growing)), None);
        // The history is too short: better to wait.
        assert_eq!(rounds(&threshold(0, &[1_000_000, 10_000_000])), None);
        assert_eq!(rounds(&threshold(0, &[50_000, 500_000, 5_000_000])), Some([80, 80, 82]));
    }

    /// A made-up cost of nodes: the set that prunes most at its price is chosen, within the remaining nodes.
    #[test]
    fn the_cheapest_views_are_chosen() {
        let history = vec![(80, 50_000), (82, 500_000), (84, 5_000_000)];
        let start = Threshold { history, views: vec![0, 1], ..Threshold::default() };
        let choose = |left: u64, nodes: fn(&[usize]) -> u64| {
            let mut threshold = start.clone();
            let measure = |set: &[usize], _, cap: u64| Ok::<_, ()>(nodes(set).min(cap));
            let chosen = super::choose(&mut threshold, 4, &[0, 1], left, measure);
            assert_eq!(chosen, Ok(true));
            assert!(threshold.generated <= left);
            threshold.views
        };
        let third = |set: &[usize]| if set.contains(&2) { 1_000 } else { 10_000 };
        assert_eq!(choose(u64::MAX, third), [0, 2]);
        // Too few nodes remain: the choice is still to come.
        let mut waiting = start.clone();
        let measure = |set: &[usize], _, cap: u64| Ok::<_, ()>(third(set).min(cap));
        assert_eq!(super::choose(&mut waiting, 4, &[0, 1], 15_000, measure), Ok(false));
        assert_eq!(waiting, start);
        assert_eq!(
            choose(u64::MAX, |set| 10_000 / set.len() as u64 / set.len() as u64),
            [0, 1, 2, 3]
        );
        assert_eq!(choose(u64::MAX, |_| 10_000), [0, 1]);
        // A third view does not pay, a fourth does.
        let fourth = |set: &[usize]| [20_000, 10_000, 7_500, 5_000][set.len() - 1];
        assert_eq!(choose(u64::MAX, fourth), [0, 1, 2, 3]);
        let fails = |_: &[usize], _, _| Err("damaged");
        assert_eq!(super::choose(&mut start.clone(), 4, &[0, 1], 9, fails), Err("damaged"));
    }
}
