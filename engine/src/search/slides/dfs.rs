//! Depth-first search of one subtree.

use super::node::{Slide, SlideLayout, SlideNode};
use crate::pdb::SlideTable;
use crate::search::run::Count;

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

impl Tree<'_> {
    /// Calls `survivor` with each child of a node that may lead to the goal in `left` more slides,
    /// until it returns true. Returns the number of children.
    #[inline(always)]
    pub fn survivors<const N: usize>(
        &self,
        (node, direction): &Directed,
        left: u32,
        mut survivor: impl FnMut(Slide, Directed) -> bool,
    ) -> u64 {
        let next = 1 - direction;
        let (first, others) = self.views[next].split_first().expect("each direction has a table");
        let mut children = [None; N];
        let mut count = 0;
        self.layout.for_each_child(node, *direction, |slide, node| {
            let probe = node.probe(first, next);
            first.prefetch(probe);
            children[count] = Some((slide, node, probe));
            count += 1;
        });
        for (slide, node, probe) in children.iter().flatten() {
            if first.value(*probe) <= left
                && others.iter().all(|table| table.value(node.probe(table, next)) <= left)
                && survivor(*slide, (*node, next))
            {
                break;
            }
        }
        count as u64
    }

    /// Searches below a node for a solution of exactly `left` slides; no shorter one exists. Returns whether
    /// there is one, and adds its slides, the last one first. `go_on` decides every [`POLL`] expansions
    /// whether the search goes on, by the nodes generated.
    ///
    /// # Errors
    /// The search does not go on.
    pub fn visit<const N: usize>(
        &self,
        node: &Directed,
        left: u32,
        count: &mut Count,
        slides: &mut Vec<Slide>,
        go_on: &dyn Fn(u64) -> bool,
    ) -> Result<bool, ()> {
        if left == 0 {
            return Ok(self.layout.is_goal(&node.0));
        }
        count.expanded += 1;
        if count.expanded.is_multiple_of(POLL) && !go_on(count.generated) {
            return Err(());
        }
        let mut end = Ok(false);
        let generated = self.survivors::<N>(node, left - 1, |slide, child| {
            end = self.visit::<N>(&child, left - 1, count, slides, go_on);
            if end == Ok(true) {
                slides.push(slide);
            }
            end != Ok(false)
        });
        count.generated += generated;
        end
    }
}
