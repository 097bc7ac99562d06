//! One iteration of the deepening, on one thread or several: a [`Race`] of subtrees.
//!
//! Large iterations are split into subtrees.

use super::dfs::{Directed, DirectedRoots, Tree};
use super::node::{Slide, moves};
use crate::board::Moves;
use crate::parallel::on_threads;
use crate::search::run::{Count, Limits, Outcome, Stop, Threshold};
use crate::search::threshold::{Race, is_parallel};

/// After an iteration of more nodes than this, the next one is split.
const SPLIT: u64 = 20_000;

/// The nodes of the last iteration for each subtree of the next one.
const NODES: u64 = 2_000;

/// The most subtrees.
const MOST: u64 = 4_096;

/// The root of a subtree.
struct SlideRoot {
    node: Directed,
    slides: Vec<Slide>,
}

/// Searches with a threshold, as [`Race::run`] describes.
pub(super) fn search<const N: usize>(
    tree: &Tree<'_>,
    roots: &DirectedRoots,
    threshold: &Threshold,
    limits: &Limits,
    outcome: &mut Outcome,
) -> Result<Option<Moves>, Stop> {
    let last = threshold.last();
    let wanted = if last > SPLIT { (last / NODES).min(MOST) } else { 1 };
    let (subtrees, above) = split::<N>(tree, roots, threshold.bound, wanted as usize);
    let mut race = Race::new(subtrees, |_| above, above, limits);
    let solved = race.run(outcome, |race| {
        if is_parallel(last) && !limits.one_thread {
            on_threads(race.len(), &|| work::<N>(tree, threshold.bound, race));
        } else {
            work::<N>(tree, threshold.bound, race);
        }
    });
    let path = solved.map(|(winner, below)| {
        let slides = &race.root(winner).slides;
        slides.iter().copied().flat_map(moves).chain(below.iter()).collect()
    });
    outcome.stopped.take().map_or(Ok(path), Err)
}

/// Searches subtrees until none remains.
fn work<const N: usize>(tree: &Tree<'_>, bound: u32, race: &Race<'_, SlideRoot>) {
    while let Some((number, root)) = race.next() {
        let (mut count, mut slides) = (Count::default(), Vec::new());
        let go_on = |generated| race.goes_on(number, generated);
        let left = bound - root.slides.len() as u32;
        let found = tree.visit::<N>(&root.node, left, &mut count, &mut slides, &go_on);
        let Ok(found) = found else { continue };
        let slides = slides.into_iter().rev().flat_map(moves);
        race.finish(number, count, found.then(|| slides.collect()));
    }
}

/// Splits the tree, level by level, into at least `wanted` subtrees. Returns their roots, and the
/// nodes above them.
fn split<const N: usize>(
    tree: &Tree<'_>,
    roots: &DirectedRoots,
    bound: u32,
    wanted: usize,
) -> (Vec<SlideRoot>, Count) {
    let roots = roots.iter().filter(|(_, value)| *value <= bound);
    let mut count = Count::default();
    let root = |&(node, _): &(Directed, u32)| SlideRoot { node, slides: Vec::new() };
    let mut level: Vec<SlideRoot> = roots.map(root).collect();
    // The subtrees search the last slides.
    for left in (2..bound).rev() {
        if level.len() >= wanted || level.is_empty() {
            break;
        }
        let mut next = Vec::with_capacity(2 * level.len());
        for root in level {
            let generated = tree.survivors::<N>(&root.node, left, |slide, node| {
                let slides = root.slides.iter().copied().chain([slide]).collect();
                next.push(SlideRoot { node, slides });
                false
            });
            count.generated += generated;
            count.expanded += 1;
        }
        level = next;
    }
    (level, count)
}
