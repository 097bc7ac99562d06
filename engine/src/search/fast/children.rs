//! The children of some nodes, generated at once.
//!
//! Nodes have one to three children, practically at random, and the end of a loop over the children
//! of one node is mispredicted nearly every time, at the price of most of a node. So the children
//! of many nodes are generated in one loop. With AVX2 this loop takes four children at a time.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::list::{List, MOST_CHILDREN};
use super::node::{Expander, Node};
use super::processor::{Processor, Scalar};
use super::space::Space;
use crate::prefetch::prefetch;
use crate::search::moves::{MOST_STEPS, Steps};

/// Children of some nodes.
///
/// They are generated in two steps: the first `EARLY` views of all children, and the other views of
/// the children that these do not prune. If `EARLY` is `V`, there is one step.
pub(crate) struct Children<S: Space, P, const V: usize, const EARLY: usize> {
    list: List,
    views: S::Views,
    processor: P,
}

impl<S: Space, P: Processor, const V: usize, const EARLY: usize> Children<S, P, V, EARLY> {
    /// No children.
    pub fn new(processor: P) -> Self {
        const { assert!(1 <= EARLY && EARLY <= V) };
        Children { list: List::new(), views: S::Views::default(), processor }
    }

    /// The number of children.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Adds the children of a node by some of its steps. Returns their number.
    #[inline(always)]
    pub fn add(&mut self, node: &Node<S::View, V>, steps: &Steps, tag: u32) -> usize {
        self.list.add(&node.views, node.meta, steps, tag)
    }

    /// Begins the children added: generates their first views.
    ///
    /// # Safety
    /// - The children's parents stay as they are and where they are until no views are left to generate.
    ///   Their views are of the expander's space and tables, their automaton states are those of their
    ///   blanks. The steps are of these states, and there are none only at the end.
    #[inline(always)]
    pub unsafe fn begin(&mut self, expander: &Expander<'_, S, V>) {
        self.list.states().for_each(|state| prefetch(expander.steps.address(state)));
        // SAFETY: the caller's.
        unsafe { self.generate(expander, 0..EARLY) };
    }

    /// Generates views of all children.
    ///
    /// # Safety
    /// - As for [`Children::begin`].
    #[inline(always)]
    unsafe fn generate(&mut self, expander: &Expander<'_, S, V>, views: Range<usize>) {
        let Children { list, views: found, processor } = self;
        list.pad();
        // SAFETY: the caller's.
        unsafe { expander.space.generate(*processor, &expander.views, views, list, found) };
    }

    /// Keeps those that the first views do not prune, and generates their other views.
    ///
    /// # Safety
    /// - [`Children::begin`] has begun them, with the same expander, and they are not sifted yet.
    #[inline(always)]
    pub unsafe fn sift(&mut self, expander: &Expander<'_, S, V>) {
        if EARLY < V {
            // SAFETY: the caller's. The tables are borrowed as long as the expander is.
            unsafe { S::resolve(self.processor, 0..EARLY, &mut self.list, &mut self.views) };
            self.list.retain::<V>();
            // SAFETY: the caller's.
            unsafe { self.generate(expander, EARLY..V) };
        }
    }

    /// Reads the last table bits, and calls `take` with the tag of each child kept and the child. There
    /// are none afterwards.
    ///
    /// # Safety
    /// - There are none, or [`Children::begin`] and, if `EARLY` is less than `V`, [`Children::sift`] have
    ///   been called since they were added. The tables are still borrowed.
    #[inline(always)]
    pub unsafe fn finish(&mut self, mut take: impl FnMut(u32, Child<'_, S, V, EARLY>)) {
        let Children { list, views, processor } = self;
        let last = if EARLY < V { EARLY..V } else { 0..V };
        // SAFETY: the caller's.
        unsafe { S::resolve(*processor, last, list, views) };
        for place in 0..list.len() {
            take(list.tag(place), Child { list, views, place });
        }
        list.clear();
    }
}

/// A child whose table bits are known.
pub(crate) struct Child<'a, S: Space, const V: usize, const EARLY: usize> {
    list: &'a List,
    views: &'a S::Views,
    place: usize,
}

impl<S: Space, const V: usize, const EARLY: usize> Child<'_, S, V, EARLY> {
    /// Returns whether a view prunes it.
    #[inline(always)]
    pub fn pruned(&self) -> bool {
        self.list.meta(self.place).is_pruned::<V>()
    }

    /// Writes the child's node, view by view.
    #[inline(always)]
    pub fn write(&self, node: &mut Node<S::View, V>) {
        for (view, found) in node.views.iter_mut().enumerate() {
            let is_early = EARLY < V && view < EARLY;
            let place = if is_early { self.list.place(self.place) } else { self.place };
            *found = S::found(self.views, view, place);
        }
        node.meta = self.list.meta(self.place);
    }

    /// The child's node.
    #[inline(always)]
    pub fn node(&self) -> Node<S::View, V> {
        let mut node = Node::room();
        self.write(&mut node);
        node
    }
}

impl<S: Space, const V: usize> Expander<'_, S, V> {
    /// Calls `take` with the number of a parent and a child, for each step of each parent, in order. Children
    /// that a view prunes are left out.
    ///
    /// # Safety
    /// - The nodes are of this expander, and the steps are theirs.
    pub unsafe fn children<'n>(
        &self,
        parents: impl Iterator<Item = (&'n Node<S::View, V>, Steps)>,
        take: impl FnMut(usize, Node<S::View, V>),
    ) where
        S::View: 'n,
    {
        #[cfg(target_arch = "x86_64")]
        if let Some(processor) = Avx2::detect() {
            // SAFETY: the processor has these instructions, and the caller vouches for the parents.
            return unsafe { self.children_with_avx2(processor, parents, take) };
        }
        // SAFETY: the caller vouches for the parents.
        unsafe { self.children_with(Scalar, parents, take) };
    }

    /// Runs code compiled for AVX2.
    ///
    /// # Safety
    /// - As for [`Expander::children`].
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    unsafe fn children_with_avx2<'n>(
        &self,
        processor: Avx2,
        parents: impl Iterator<Item = (&'n Node<S::View, V>, Steps)>,
        take: impl FnMut(usize, Node<S::View, V>),
    ) where
        S::View: 'n,
    {
        // SAFETY: the caller's.
        unsafe { self.children_with(processor, parents, take) };
    }

    /// The loop of [`Expander::children`].
    ///
    /// # Safety
    /// - As for [`Expander::children`].
    #[inline(always)]
    unsafe fn children_with<'n>(
        &self,
        processor: impl Processor,
        parents: impl Iterator<Item = (&'n Node<S::View, V>, Steps)>,
        mut take: impl FnMut(usize, Node<S::View, V>),
    ) where
        S::View: 'n,
    {
        let mut parents = (0..).zip(parents);
        // While the table bits of some children are fetched, others are at work.
        let mut pair: [_; 2] = std::array::from_fn(|_| Children::<S, _, V, V>::new(processor));
        let mut waiting = 0;
        for turn in (0..2).cycle() {
            let children = &mut pair[turn];
            waiting -= children.len();
            // SAFETY: there are none, or they were begun two turns ago, by the same expander.
            unsafe {
                children.finish(|number, child| {
                    if !child.pruned() {
                        take(number as usize, child.node());
                    }
                });
            }
            while children.len() <= MOST_CHILDREN - MOST_STEPS
                && let Some((number, (node, steps))) = parents.next()
            {
                children.add(node, &steps, number);
            }
            waiting += children.len();
            if waiting == 0 {
                break;
            }
            // SAFETY: the caller's. The nodes stay where they are as long as the parents are read.
            unsafe { children.begin(self) };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::board::{Grid, Move, Symmetry};
    use crate::pdb::{Partition, Table};
    use crate::search::fast::coordinates::Coordinates;
    use crate::search::fast::list::LANES;
    use crate::search::fast::masks::Masks;
    use crate::search::fast::masks::tests::tables;
    use crate::search::fast::meta::Meta;
    use crate::search::fast::space::PatternView;
    use crate::search::moves::StepTable;

    /// The children of nodes that no view prunes.
    fn unpruned<S: Space, P: Processor, const V: usize, const EARLY: usize>(
        processor: P,
        expander: &Expander<'_, S, V>,
        nodes: &[Node<S::View, V>],
    ) -> Vec<([S::View; V], Meta)> {
        let mut children = Children::<S, P, V, EARLY>::new(processor);
        let (mut found, mut rest) = (Vec::new(), nodes);
        // Now few nodes at once, now many.
        for size in (1..=P::LANES).rev().cycle() {
            let (nodes, others) = rest.split_at(size.min(rest.len()));
            if nodes.is_empty() {
                return found;
            }
            for (node, tag) in nodes.iter().zip(0..) {
                children.add(node, expander.steps(node), tag);
            }
            // SAFETY: the nodes are borrowed and of this expander.
            unsafe {
                children.begin(expander);
                children.sift(expander);
                children.finish(|tag, child| {
                    let node = child.node();
                    assert_eq!(child.pruned(), node.meta.is_pruned::<V>());
                    assert_eq!(node.meta.depth(), nodes[tag as usize].meta.depth() + 1);
                    if !child.pruned() {
                        found.push((node.views, node.meta));
                    }
                });
            }
            assert_eq!(children.len(), 0);
            rest = others;
        }
        unreachable!("the nodes come to an end")
    }

    /// Children are as boards and tables say, whenever and however their views are generated.
    fn compare<S: Space<View: Debug + PartialEq>, const V: usize>(space: &S, tables: &[Table]) {
        let grid = tables[0].pattern().grid();
        // Views and mirrored views in turn.
        let patterns: [Vec<PatternView<'_>>; V] = std::array::from_fn(|view| {
            let transposed = view % 2 == 1 && grid.width() == grid.height();
            let symmetry = if transposed { Symmetry::TRANSPOSE } else { Symmetry::IDENTITY };
            tables.iter().map(|table| PatternView { table, symmetry, blank: 0 }).collect()
        });
        let views =
            |labels: &[u8]| patterns.each_ref().map(|patterns| space.view(patterns, labels));
        let values = |labels: &[u8]| {
            patterns.each_ref().map(|patterns| -> u32 {
                patterns.iter().map(|pattern| pattern.value(labels).unwrap()).sum()
            })
        };
        let steps = StepTable::without_undoing(grid);
        let mut labels: Vec<u8> = (0..grid.cells() as u8).collect();
        let expander = Expander {
            space,
            steps: &steps,
            views: std::array::from_fn(|view| space.tables(&patterns[view])),
            goal: space.view(&patterns[0], &labels),
        };
        let mut random = 1u64;
        let mut below = |end: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % end
        };
        let (mut nodes, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..if cfg!(miri) { 2 * LANES } else { 40 * LANES } {
            (1..labels.len()).for_each(|i| labels.swap(i, below(i + 1)));
            let blank = labels.iter().position(|&label| label == 0).unwrap();
            // Now this view prunes, now that one, or none does.
            let slack: [u32; V] = std::array::from_fn(|_| if below(2 * V) == 0 { 0 } else { 9 });
            let node = Node { views: views(&labels), meta: Meta::new(steps.start(blank), slack) };
            let before = values(&labels);
            for (step, meta) in
                expander.steps(&node).iter().zip(node.meta.after(expander.steps(&node)))
            {
                let from = grid.source(blank, Move::ALL[step.m()]).filter(|_| !step.is_none());
                let Some(from) = from else { continue };
                let mut child = labels.clone();
                child.swap(blank, from);
                let rose: [bool; V] = {
                    let after = values(&child);
                    std::array::from_fn(|view| after[view] > before[view])
                };
                if (0..V).all(|view| !rose[view] || slack[view] > 0) {
                    let lowered = (0..V).filter(|&view| rose[view]);
                    let meta = lowered.fold(meta, |meta, view| meta - Meta::slack(view).word(1u64));
                    expected.push((views(&child), Meta(meta)));
                }
            }
            nodes.push(node);
        }
        assert!(expected.len() > nodes.len() / 2 && expected.len() < 4 * nodes.len());
        assert_eq!(unpruned::<S, _, V, V>(Scalar, &expander, &nodes), expected);
        assert_eq!(unpruned::<S, _, V, 1>(Scalar, &expander, &nodes), expected);
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            assert_eq!(unpruned::<S, _, V, 1>(avx2, &expander, &nodes), expected);
            assert_eq!(unpruned::<S, _, V, V>(avx2, &expander, &nodes), expected);
        }
    }

    fn compare_views<S: Space<View: Debug + PartialEq>>(space: &S, tables: &[Table]) {
        compare::<S, 2>(space, tables);
        // Miri takes minutes for each of them.
        if !cfg!(miri) {
            compare::<S, 1>(space, tables);
            compare::<S, 3>(space, tables);
            compare::<S, 4>(space, tables);
        }
    }

    #[test]
    fn coordinates_are_those_of_the_children() {
        let (height, partition) =
            if cfg!(miri) { (2, "1,2,3/4,5") } else { (3, "1,2,3/4,5,6,7,8") };
        let grid = Grid::new(3, height).unwrap();
        let tables = tables(&Partition::parse(partition, grid, 0).unwrap());
        let indexes: [_; 2] = std::array::from_fn(|i| tables[i].index().clone());
        let [first, second] = indexes;
        let space = Coordinates::new(first, second);
        compare_views(&space, &tables);
    }

    #[test]
    fn masks_are_those_of_the_children() {
        // Patterns of one number of tiles, and of several.
        let cases = [
            (3, 2, "1,2/3,4/5"),
            (3, 3, "1,2/3,4/5,6/7,8"),
            (3, 3, "1,2,3/4,5/6,7,8"),
            (4, 2, "1,2,3,4,5/6,7"),
            (5, 3, "1,2,3,4/5,6,7/8,9,10/11,12,13,14"),
            (4, 4, "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15"),
            (5, 3, "1,2,3,4,5,6,7/8,9,10,11,12,13,14"),
        ];
        for &(width, height, partition) in if cfg!(miri) { &cases[..1] } else { &cases[..] } {
            let grid = Grid::new(width, height).unwrap();
            let tables = tables(&Partition::parse(partition, grid, 0).unwrap());
            let indexes = || tables.iter().map(|table| table.index().clone());
            compare_views(&Masks::new(grid, indexes()), &tables);
            // A record has room for the names of three zone maps.
            compare_views(&Masks::with_cohort_bits(grid, indexes(), |_| 30), &tables);
        }
    }
}
