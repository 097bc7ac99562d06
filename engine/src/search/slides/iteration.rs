//! One iteration of the deepening, on one thread or several: a [`Race`] of subtrees.
//!
//! Large iterations are split into subtrees.

use super::dfs::{Directed, DirectedRoots, End, SubtreeSearch, Tree};
use super::node::Slide;
use crate::board::Move;
use crate::search::race::{Count, Race, SubtreeRoot, is_parallel};
use crate::search::{Control, Outcome, Threshold};

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
    /// The remaining slides.
    left: u32,
    /// The nodes above all subtrees.
    above: Count,
}

impl SubtreeRoot for SlideRoot {
    fn above(&self) -> Count {
        self.above
    }

    fn path(&self) -> impl Iterator<Item = Move> {
        self.slides.iter().flat_map(|slide| slide.moves())
    }
}

/// Searches with a threshold, as [`Race::run`] describes.
pub(super) fn search<const N: usize>(
    tree: &Tree<'_>,
    roots: &DirectedRoots,
    threshold: &Threshold,
    control: &Control,
    outcome: &mut Outcome,
) {
    let last = threshold.last();
    let wanted = if last > SPLIT { (last / NODES).min(MOST) } else { 1 };
    let (subtrees, above) = split::<N>(tree, roots, threshold.bound, wanted as usize);
    let left = control.most_nodes().saturating_sub(outcome.generated);
    let mut race = Race::new(subtrees, above, control);
    race.run(left, outcome, |race| {
        if is_parallel(last) && !control.is_on_one_thread() {
            rayon::broadcast(|_| work::<N>(tree, race));
        } else {
            work::<N>(tree, race);
        }
    });
}

/// Searches subtrees until none remains.
fn work<const N: usize>(tree: &Tree<'_>, race: &Race<'_, SlideRoot>) {
    while let Some((number, root)) = race.next() {
        let go_on = |generated| race.goes_on(number, generated);
        let mut search = SubtreeSearch::<N>::new(tree, &go_on);
        let solution = match search.visit(&root.node, root.left) {
            End::Found => {
                Some(search.slides.iter().rev().flat_map(|slide| slide.moves()).collect())
            }
            End::Exhausted => None,
            End::Stopped => continue,
        };
        race.finish(number, search.count, solution);
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
    let root = |&(node, _): &(Directed, u32)| SlideRoot {
        node,
        slides: Vec::new(),
        left: bound,
        above: count,
    };
    let mut level: Vec<SlideRoot> = roots.map(root).collect();
    // The subtrees search the last slides.
    for left in (2..bound).rev() {
        if level.len() >= wanted || level.is_empty() {
            break;
        }
        let mut next = Vec::with_capacity(2 * level.len());
        for root in level {
            let (generated, _) = tree.survivors::<N>(&root.node, left, |slide, node| {
                let slides = root.slides.iter().copied().chain([slide]).collect();
                next.push(SlideRoot { node, slides, left, above: count });
                false
            });
            count.generated += generated;
            count.expanded += 1;
        }
        level = next;
    }
    level.iter_mut().for_each(|root| root.above = count);
    (level, count)
}
