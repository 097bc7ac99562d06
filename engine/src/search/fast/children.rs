//! The children of some nodes, generated at once.
//!
//! Nodes have one to three children, practically at random, and the end of a loop over the children
//! of one node is mispredicted nearly every time, at the price of most of a node. So the children
//! of many nodes are generated in one loop. With AVX2 this loop takes several children at a time.

use std::marker::PhantomData;
use std::ops::Range;

use super::list::{Births, CHILDREN, MOST_CHILDREN};
use super::node::{Expander, Node, is_pruned};
use super::space::{Batch, MAX_VIEWS, Space, slack_shift};
use crate::prefetch::prefetch;

/// Children of some nodes.
///
/// They are generated in two steps: the first `EARLY` views of all children, and the other views of
/// the children that these do not prune. If `EARLY` is `V`, there is one step.
pub(crate) struct Children<S, B, const V: usize, const EARLY: usize> {
    births: Births,
    batch: B,
    space: PhantomData<S>,
}

impl<S: Space, B: Batch<S>, const V: usize, const EARLY: usize> Children<S, B, V, EARLY> {
    /// No children.
    pub fn new() -> Self {
        const { assert!(1 <= EARLY && EARLY <= V) };
        Children { births: Births::new(), batch: B::default(), space: PhantomData }
    }

    /// The number of children.
    pub fn len(&self) -> usize {
        self.births.len()
    }

    /// Adds the children of a node by the moves of a row, which ends with zeros. Returns their number.
    #[inline(always)]
    pub fn add(&mut self, node: &Node<S::View, V>, row: &[u32; CHILDREN], tag: u32) -> usize {
        self.births.add(&node.views, row, node.metas_after(row), tag)
    }

    /// Begins the children added: generates their first views.
    ///
    /// # Safety
    /// - The children's parents stay as they are and where they are until no views are left to generate.
    ///   Their views are of the expander's space and tables, their automaton states are those of their
    ///   blanks. The moves are of these states' rows, and there are zeros only at a row's end.
    /// - The processor has what the batch asks for.
    #[inline(always)]
    pub unsafe fn begin(&mut self, expander: &Expander<'_, S, V>) {
        for &packed in &self.births.moves[..self.births.len()] {
            prefetch(expander.moves.line(u64::from(packed as u32 >> 2)));
        }
        // SAFETY: the caller's.
        unsafe { self.generate(expander, 0..EARLY) };
    }

    /// Generates views of all children.
    ///
    /// # Safety
    /// - As for [`Children::begin`].
    #[inline(always)]
    unsafe fn generate(&mut self, expander: &Expander<'_, S, V>, views: Range<usize>) {
        self.births.pad();
        // SAFETY: the caller's.
        unsafe { self.batch.generate(expander.space, &expander.views, views, &self.births) };
    }

    /// Keeps those that the first views do not prune, and generates their other views.
    ///
    /// # Safety
    /// - [`Children::begin`] has begun them, with the same expander, and they are not sifted yet.
    /// - The processor has what the batch asks for.
    #[inline(always)]
    pub unsafe fn sift(&mut self, expander: &Expander<'_, S, V>) {
        if EARLY < V {
            // SAFETY: the caller's. The tables are borrowed as long as the expander is.
            unsafe { self.batch.resolve(0..EARLY, &mut self.births) };
            self.births.retain(|meta| !is_pruned::<V>(meta));
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
    /// - The processor has what the batch asks for.
    #[inline(always)]
    pub unsafe fn finish(&mut self, mut take: impl FnMut(u32, Child<'_, S, B, V, EARLY>)) {
        let Children { births, batch, .. } = self;
        let last = if EARLY < V { EARLY..V } else { 0..V };
        // SAFETY: the caller's.
        unsafe { batch.resolve(last, births) };
        for place in 0..births.len() {
            take(births.tag(place), Child { batch, births, place, space: PhantomData });
        }
        births.clear();
    }
}

/// A child whose table bits are known.
pub(crate) struct Child<'a, S, B, const V: usize, const EARLY: usize> {
    batch: &'a B,
    births: &'a Births,
    place: usize,
    space: PhantomData<S>,
}

impl<S: Space, B: Batch<S>, const V: usize, const EARLY: usize> Child<'_, S, B, V, EARLY> {
    /// Returns whether a view prunes it.
    #[inline(always)]
    pub fn pruned(&self) -> bool {
        is_pruned::<V>(self.births.metas[self.place])
    }

    /// Writes the child's node, view by view.
    #[inline(always)]
    pub fn write(&self, node: &mut Node<S::View, V>) {
        for (view, found) in node.views.iter_mut().enumerate() {
            let place = if EARLY < V && view < EARLY {
                usize::from(self.births.places[self.place])
            } else {
                self.place
            };
            // SAFETY: a child is made where all its views are resolved, and handed on at once.
            *found = unsafe { self.batch.view(view, place) };
        }
        node.meta = self.births.metas[self.place];
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
    /// Calls `take` with the number of a row and a child, for each move of each row, in order. Children that a
    /// view prunes are left out.
    ///
    /// # Safety
    /// - The nodes are of this expander, and the moves are of their rows.
    pub unsafe fn children<'n>(
        &self,
        rows: impl Iterator<Item = (&'n Node<S::View, V>, [u32; CHILDREN])>,
        take: impl FnMut(usize, Node<S::View, V>),
    ) where
        S::View: 'n,
    {
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            // SAFETY: the processor has these instructions, and the caller vouches for the rows.
            return unsafe { self.children_with_avx2(rows, take) };
        }
        // SAFETY: nothing is asked of the processor, and the caller vouches for the rows.
        unsafe { self.children_in::<OneByOne<S>>(rows, take) };
    }

    /// Runs code compiled for the instructions that [`has_avx2`] asks for.
    ///
    /// # Safety
    /// - The processor has them.
    /// - As for [`Expander::children`].
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    unsafe fn children_with_avx2<'n>(
        &self,
        rows: impl Iterator<Item = (&'n Node<S::View, V>, [u32; CHILDREN])>,
        take: impl FnMut(usize, Node<S::View, V>),
    ) where
        S::View: 'n,
    {
        // SAFETY: the caller's.
        unsafe { self.children_in::<S::Vectors>(rows, take) };
    }

    /// The loop of [`Expander::children`].
    ///
    /// # Safety
    /// - The processor has what the batches ask for.
    /// - As for [`Expander::children`].
    #[inline(always)]
    unsafe fn children_in<'n, B: Batch<S>>(
        &self,
        rows: impl Iterator<Item = (&'n Node<S::View, V>, [u32; CHILDREN])>,
        mut take: impl FnMut(usize, Node<S::View, V>),
    ) where
        S::View: 'n,
    {
        let mut rows = (0..).zip(rows);
        // While the table bits of some children are fetched, others are at work.
        let mut pair: [_; 2] = std::array::from_fn(|_| Children::<S, B, V, V>::new());
        let mut waiting = 0;
        for turn in (0..2).cycle() {
            let children = &mut pair[turn];
            waiting -= children.len();
            // SAFETY: there are none, or they were begun two turns ago, by the same expander. The processor
            // is the caller's.
            unsafe {
                children.finish(|number, child| {
                    if !child.pruned() {
                        take(number as usize, child.node());
                    }
                });
            }
            while children.len() <= MOST_CHILDREN - CHILDREN
                && let Some((number, (node, row))) = rows.next()
            {
                children.add(node, &row, number);
            }
            waiting += children.len();
            if waiting == 0 {
                break;
            }
            // SAFETY: the caller's. The nodes stay where they are as long as the rows are read.
            unsafe { children.begin(self) };
        }
    }
}

/// Views of children generated one by one.
pub(crate) struct OneByOne<S: Space>([[S::Pending; MOST_CHILDREN]; MAX_VIEWS]);

impl<S: Space> Default for OneByOne<S> {
    fn default() -> Self {
        OneByOne([[S::Pending::default(); MOST_CHILDREN]; MAX_VIEWS])
    }
}

impl<S: Space> Batch<S> for OneByOne<S> {
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn generate<const V: usize>(
        &mut self,
        space: &S,
        tables: &[S::Tables<'_>; V],
        views: Range<usize>,
        births: &Births,
    ) {
        for child in 0..births.len() {
            // SAFETY: the caller vouches for the address.
            let parent = unsafe { &*(births.parents[child] as *const [S::View; V]) };
            let m = (births.moves[child] & 3) as usize;
            for view in views.clone() {
                // SAFETY: the caller's.
                let begun = unsafe { space.child(&parent[view], m, &tables[view]) };
                space.fetch_child(&begun);
                self.0[view][child] = begun;
            }
        }
    }

    #[inline(always)]
    unsafe fn resolve(&mut self, views: Range<usize>, births: &mut Births) {
        for view in views {
            for place in 0..births.len() {
                // SAFETY: the caller's.
                let (_, rose) = unsafe { S::resolve(&self.0[view][place]) };
                let meta = &mut births.metas[place];
                *meta = meta.wrapping_sub(rose << slack_shift(view));
            }
        }
    }

    #[inline(always)]
    unsafe fn view(&self, view: usize, place: usize) -> S::View {
        // SAFETY: the caller's.
        unsafe { S::resolve(&self.0[view][place]).0 }
    }
}

/// Returns whether the processor has AVX2, BMI1, BMI2 and POPCNT, the instructions of 2013 and
/// later: shifts by any register, counting bits, 32 bytes at a time.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(test)]
#[cfg(target_arch = "x86_64")]
mod tests {
    use std::fmt::Debug;

    use super::Children;
    use super::OneByOne;
    use super::has_avx2;
    use crate::board::{Grid, Symmetry};
    use crate::pdb::{Partition, Table};
    use crate::search::fast::coordinates::Coordinates;
    use crate::search::fast::list::LANES;
    use crate::search::fast::masks::Masks;
    use crate::search::fast::masks::tests::tables;
    use crate::search::fast::node::{Expander, Node, is_pruned};
    use crate::search::fast::space::{Batch, PatternView, Space};
    use crate::search::moves::MoveRows;

    /// The children of nodes that no view prunes.
    fn unpruned<S: Space, B: Batch<S>, const V: usize, const EARLY: usize>(
        expander: &Expander<'_, S, V>,
        nodes: &[Node<S::View, V>],
    ) -> Vec<([S::View; V], u64)> {
        let mut children = Children::<S, B, V, EARLY>::new();
        let (mut found, mut rest) = (Vec::new(), nodes);
        // Now few nodes at once, now many.
        for size in (1..=B::LANES).rev().cycle() {
            let (nodes, others) = rest.split_at(size.min(rest.len()));
            if nodes.is_empty() {
                return found;
            }
            for (node, tag) in nodes.iter().zip(0..) {
                children.add(node, expander.row(node), tag);
            }
            // SAFETY: the nodes are borrowed and of this expander, and the tests have looked for AVX2.
            unsafe {
                children.begin(expander);
                children.sift(expander);
                children.finish(|tag, child| {
                    let node = child.node();
                    assert_eq!(child.pruned(), is_pruned::<V>(node.meta));
                    assert_eq!(node.depth(), nodes[tag as usize].depth() + 1);
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

    /// The children that no view prunes do not depend on when and how their views are generated.
    fn compare<S: Space<View: Debug + PartialEq>, const V: usize>(space: &S, tables: &[Table]) {
        let grid = tables[0].pattern().grid();
        // Views and mirrored views in turn.
        let patterns: [Vec<PatternView<'_>>; V] = std::array::from_fn(|view| {
            let transposed = view % 2 == 1 && grid.width() == grid.height();
            let symmetry = if transposed { Symmetry::TRANSPOSE } else { Symmetry::IDENTITY };
            tables.iter().map(|table| PatternView { table, symmetry, blank: 0 }).collect()
        });
        let moves = MoveRows::without_undoing(grid);
        let mut labels: Vec<u8> = (0..grid.cells() as u8).collect();
        let expander = Expander {
            space,
            moves: &moves,
            views: std::array::from_fn(|view| space.tables(&patterns[view])),
            goal: space.view(&patterns[0], &labels),
        };
        let mut random = 1u64;
        let mut below = |end: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % end
        };
        let mut nodes = Vec::new();
        for _ in 0..if cfg!(miri) { 2 * LANES } else { 40 * LANES } {
            (1..labels.len()).for_each(|i| labels.swap(i, below(i + 1)));
            let blank = labels.iter().position(|&label| label == 0).unwrap();
            // Now this view prunes, now that one, or none does.
            let slack = std::array::from_fn(|_| if below(2 * V) == 0 { 0 } else { 9 });
            let views = patterns.each_ref().map(|patterns| space.view(patterns, &labels));
            nodes.push(Node::new(views, moves.start(blank), slack));
        }
        let expected = unpruned::<S, OneByOne<S>, V, V>(&expander, &nodes);
        assert!(expected.len() > nodes.len() / 2 && expected.len() < 4 * nodes.len());
        assert_eq!(unpruned::<S, OneByOne<S>, V, 1>(&expander, &nodes), expected);
        assert_eq!(unpruned::<S, S::Vectors, V, 1>(&expander, &nodes), expected);
        assert_eq!(unpruned::<S, S::Vectors, V, V>(&expander, &nodes), expected);
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
    fn coordinates_together_are_coordinates_one_by_one() {
        if !has_avx2() {
            return;
        }
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
    fn masks_together_are_masks_one_by_one() {
        if !has_avx2() {
            return;
        }
        // Patterns of one number of tiles, and of several.
        let cases = [
            (3, 2, "1,2/3,4/5"),
            (3, 3, "1,2/3,4/5,6/7,8"),
            (3, 3, "1,2,3/4,5/6,7,8"),
            (4, 2, "1,2,3,4,5/6,7"),
            (5, 3, "1,2,3,4/5,6,7/8,9,10/11,12,13,14"),
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
