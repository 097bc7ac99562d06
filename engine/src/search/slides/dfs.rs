//! Depth-first search of one subtree.

use super::node::{Slide, SlideLayout, SlideNode};
use crate::pdb::{Probe, SlideTable};
use crate::search::race::Count;

/// The node and the direction of its next slide: 0 for a row, 1 for a column.
pub(super) type Directed = (SlideNode, usize);

/// The roots of a search, one for each direction, with a lower bound each.
pub(super) type DirectedRoots = [(Directed, u32); 2];

/// Expansions between two checks of the limits.
const POLL: u64 = 1024;

/// The tree of all sequences of slides, which all its searches share.
pub(super) struct Tree<'a> {
    pub layout: &'a SlideLayout,
    /// The tables for each direction of the next slide, at least one for each.
    pub views: [&'a [SlideTable]; 2],
}

/// A child of a node.
#[derive(Clone, Copy)]
struct SlideChild {
    slide: Slide,
    node: SlideNode,
    /// The place of its value in the first table.
    probe: Probe,
}

impl Tree<'_> {
    /// Calls `survivor` with each child of a node that may lead to the goal in `left` more slides,
    /// until it returns true. Returns the number of children, and whether `survivor` returned true.
    #[inline(always)]
    pub fn survivors<const N: usize>(
        &self,
        (node, direction): &Directed,
        left: u32,
        mut survivor: impl FnMut(Slide, Directed) -> bool,
    ) -> (u64, bool) {
        let next = 1 - direction;
        let (first, others) = self.views[next].split_first().expect("each direction has a table");
        let mut children = [None; N];
        let mut count = 0;
        self.layout.for_each_child(node, *direction, |slide, node| {
            let probe = node.probe(first, next);
            first.prefetch(probe);
            children[count] = Some(SlideChild { slide, node, probe });
            count += 1;
        });
        for child in children.iter().flatten() {
            let SlideChild { slide, node, probe } = child;
            if first.value(*probe) <= left
                && others.iter().all(|table| table.value(node.probe(table, next)) <= left)
                && survivor(*slide, (*node, next))
            {
                return (count as u64, true);
            }
        }
        (count as u64, false)
    }
}

/// The end of a search of a subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Found,
    Exhausted,
    /// Ended by a limit, or because the result of the subtree is no longer needed.
    Stopped,
}

/// Decides whether a search goes on, every [`POLL`] expansions. It receives the nodes generated.
pub(super) type GoOn<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// The search of one subtree.
pub(super) struct SubtreeSearch<'a, const N: usize> {
    tree: &'a Tree<'a>,
    go_on: GoOn<'a>,
    pub count: Count,
    /// The slides of the solution, the last one first.
    pub slides: Vec<Slide>,
}

impl<'a, const N: usize> SubtreeSearch<'a, N> {
    pub fn new(tree: &'a Tree<'a>, go_on: GoOn<'a>) -> SubtreeSearch<'a, N> {
        SubtreeSearch { tree, go_on, count: Count::default(), slides: Vec::new() }
    }

    /// Searches below a node for a solution of exactly `left` slides; no shorter one exists.
    pub fn visit(&mut self, node: &Directed, left: u32) -> End {
        if left == 0 {
            return if self.tree.layout.is_goal(&node.0) { End::Found } else { End::Exhausted };
        }
        self.count.expanded += 1;
        if self.count.expanded.is_multiple_of(POLL) && !(self.go_on)(self.count.generated) {
            return End::Stopped;
        }
        let tree = self.tree;
        let mut end = End::Exhausted;
        let (generated, _) = tree.survivors::<N>(node, left - 1, |slide, child| {
            end = self.visit(&child, left - 1);
            if end == End::Found {
                self.slides.push(slide);
            }
            end != End::Exhausted
        });
        self.count.generated += generated;
        end
    }
}
