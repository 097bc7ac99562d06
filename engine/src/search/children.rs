//! The children of some nodes, generated at once.
//!
//! Nodes have one to three children, practically at random, and the end of a loop over the children
//! of one node is mispredicted nearly every time, at the price of most of a node. So the children
//! of many nodes are generated in one loop, which takes several children at a time.

use std::ops::Range;

use super::births::{Births, CHILDREN};
use super::expand::{Expander, Node, is_pruned};
use super::space::{Batch, Space};
use super::vector::{Chosen, Processor, Work};
use crate::prefetch::prefetch;

/// Children of some nodes.
///
/// They are generated in two steps: the first `EARLY` views of all children, and the other views of
/// the children that these do not prune. If `EARLY` is `V`, there is one step.
pub(crate) struct Children<S: Space, const V: usize, const EARLY: usize> {
    births: Births,
    batch: S::Batch,
    processor: Chosen,
}

/// Generates some views of all children.
struct Generate<'a, 'e, S: Space, const V: usize> {
    expander: &'a Expander<'e, S, V>,
    batch: &'a mut S::Batch,
    views: Range<usize>,
    births: &'a Births,
}

impl<S: Space, const V: usize> Work for Generate<'_, '_, S, V> {
    #[inline(always)]
    fn run<P: Processor>(self, processor: P) {
        let Generate { expander: Expander { space, views: tables, .. }, batch, views, births } =
            self;
        // SAFETY: `Children::generate` makes these, whose caller vouches for the children.
        unsafe { batch.generate(processor, space, tables, views, births) };
    }
}

/// Resolves some views of all children.
struct Resolve<'a, S: Space> {
    batch: &'a mut S::Batch,
    views: Range<usize>,
    births: &'a mut Births,
}

impl<S: Space> Work for Resolve<'_, S> {
    #[inline(always)]
    fn run<P: Processor>(self, processor: P) {
        let Resolve { batch, views, births } = self;
        // SAFETY: `Children::resolve` makes these, whose caller vouches for the children.
        unsafe { batch.resolve(processor, views, births) };
    }
}

impl<S: Space, const V: usize, const EARLY: usize> Children<S, V, EARLY> {
    /// No children.
    pub fn new() -> Self {
        const { assert!(1 <= EARLY && EARLY <= V) };
        Children { births: Births::new(), batch: S::Batch::default(), processor: Chosen::new() }
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
    /// - The children's parents stay as they are and where they are until all views are generated. Their
    ///   views are of the expander's space and tables, their automaton states match the cells of their
    ///   blanks. The moves are of these states' rows, and there are zeros only at a row's end.
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
        let Children { births, batch, processor } = self;
        processor.run(Generate { expander, batch, views, births });
    }

    /// Reads the table bits of views of all children.
    ///
    /// # Safety
    /// - These views are generated. The tables are still borrowed.
    #[inline(always)]
    unsafe fn resolve(&mut self, views: Range<usize>) {
        let Children { births, batch, processor } = self;
        processor.run(Resolve::<S> { batch, views, births });
    }

    /// Keeps the children that the first views do not prune, and generates their other views.
    ///
    /// # Safety
    /// - [`Children::begin`] has begun them, with the same expander, and they are not sifted yet.
    #[inline(always)]
    pub unsafe fn sift(&mut self, expander: &Expander<'_, S, V>) {
        if EARLY < V {
            // SAFETY: the caller's. The tables are borrowed as long as the expander is.
            unsafe { self.resolve(0..EARLY) };
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
    #[inline(always)]
    pub unsafe fn finish(&mut self, mut take: impl FnMut(u32, Child<'_, S, V, EARLY>)) {
        let last = if EARLY < V { EARLY..V } else { 0..V };
        // SAFETY: the caller's.
        unsafe { self.resolve(last) };
        let Children { births, batch, .. } = self;
        for place in 0..births.len() {
            take(births.tag(place), Child { batch, births, place });
        }
        births.clear();
    }
}

/// A child whose table bits are known.
pub(crate) struct Child<'a, S: Space, const V: usize, const EARLY: usize> {
    batch: &'a S::Batch,
    births: &'a Births,
    place: usize,
}

impl<S: Space, const V: usize, const EARLY: usize> Child<'_, S, V, EARLY> {
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
            *found = self.batch.view(view, place);
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

#[cfg(test)]
pub(super) mod tests {
    use std::fmt::Debug;
    use std::sync::Arc;

    use super::*;
    use crate::Cancel;
    use crate::board::{Grid, Move, Symmetry};
    use crate::pdb::{Index, Partition, Pattern, Table, generate};
    use crate::search::births::LANES;
    use crate::search::coordinates::Coordinates;
    use crate::search::masks::Masks;
    use crate::search::moves::MoveRows;
    use crate::search::space::{PatternView, slack_shift};

    /// The number of the node, and the views and the meta, of each child that no view prunes.
    type Found<W, const V: usize> = Vec<(u32, [W; V], u64)>;

    /// The children of nodes, in lists of all lengths.
    fn found<S: Space, const V: usize, const EARLY: usize>(
        processor: Chosen,
        expander: &Expander<'_, S, V>,
        nodes: &[Node<S::View, V>],
    ) -> Found<S::View, V> {
        let mut children = Children::<S, V, EARLY>::new();
        children.processor = processor;
        let mut found = Vec::new();
        let mut rest = (0..).zip(nodes);
        for length in (0..=LANES).cycle() {
            let added = rest.by_ref().take(length);
            added.for_each(|(tag, node)| {
                children.add(node, expander.row(node), tag);
            });
            if length > 0 && children.len() == 0 {
                return found;
            }
            // SAFETY: the nodes are borrowed, and of this expander.
            unsafe {
                children.begin(expander);
                children.sift(expander);
                children.finish(|tag, child| {
                    let node = child.node();
                    assert_eq!(child.pruned(), node.pruned());
                    if !node.pruned() {
                        found.push((tag, node.views, node.meta));
                    }
                });
            }
        }
        unreachable!("the lists are not all empty")
    }

    /// Compares the children of the nodes of a walk with the children that follow from their boards, on every
    /// processor, and whatever views are generated first.
    fn compare<S: Space<View: Debug + PartialEq>, const V: usize>(space: &S, tables: &[Table]) {
        let grid = tables[0].pattern().grid();
        // Views and mirrored views in turn.
        let patterns: [Vec<PatternView<'_>>; V] = std::array::from_fn(|view| {
            let transposed = view % 2 == 1 && grid.width() == grid.height();
            let symmetry = if transposed { Symmetry::TRANSPOSE } else { Symmetry::IDENTITY };
            tables.iter().map(|table| PatternView { table, symmetry, blank: 0 }).collect()
        });
        let layouts = patterns.each_ref().map(|patterns| {
            space.layout(&patterns.iter().map(|pattern| pattern.symmetry).collect::<Vec<_>>())
        });
        let mut labels: Vec<u8> = (0..grid.cells() as u8).collect();
        let moves = MoveRows::without_undoing(grid);
        let expander = Expander {
            space,
            moves: &moves,
            views: std::array::from_fn(|view| space.tables(&patterns[view], &layouts[view])),
            goal: space.view(&patterns[0], &labels),
        };
        let views = |labels: &[u8]| patterns.each_ref().map(|shown| space.view(shown, labels));
        let values = |labels: &[u8]| {
            let value = |shown: &PatternView<'_>| shown.value(labels).unwrap();
            patterns.each_ref().map(|shown| shown.iter().map(value).sum::<u32>())
        };
        let (mut nodes, mut expected) = (Vec::new(), Vec::new());
        let (mut blank, mut random) = (0, 1u64);
        for number in 0..if cfg!(miri) { 20 } else { 1_000 } {
            // Now this view prunes, now that one, or none does.
            let slack = std::array::from_fn(|view| if number % (V + 2) == view { 0 } else { 9 });
            let node = Node::new(views(&labels), moves.start(blank), slack);
            let row = *expander.row(&node);
            let mut next = (blank, labels.clone());
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            for (&packed, mut meta) in row.iter().zip(node.metas_after(&row)) {
                let m = Move::ALL[(packed & 3) as usize];
                let Some(from) = grid.source(blank, m).filter(|_| packed != 0) else { continue };
                let mut after = labels.clone();
                after.swap(blank, from);
                let change = values(&after).into_iter().zip(values(&labels)).enumerate();
                for (view, (after, before)) in change {
                    assert_eq!(after.abs_diff(before), 1);
                    meta = meta.wrapping_sub(u64::from(after > before) << slack_shift(view));
                }
                if !is_pruned::<V>(meta) {
                    expected.push((number as u32, views(&after), meta));
                }
                if random >> 62 == u64::from(packed & 3) || next.0 == blank {
                    next = (from, after);
                }
            }
            nodes.push(node);
            (blank, labels) = next;
        }
        assert!((nodes.len()..3 * nodes.len()).contains(&expected.len()));
        for processor in [Chosen::Portable, Chosen::new()] {
            assert_eq!(found::<S, V, 1>(processor, &expander, &nodes), expected);
            assert_eq!(found::<S, V, V>(processor, &expander, &nodes), expected);
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

    /// A partition's tables.
    pub fn tables(partition: &Partition) -> Vec<Table> {
        let table = |pattern: &Pattern| {
            let index = Arc::new(Index::new(pattern.grid(), pattern.len()));
            let bits = generate(&index, pattern, &Cancel::new(), |_| ()).unwrap().bits;
            Table::new(*pattern, index, bits).unwrap()
        };
        partition.patterns().iter().map(table).collect()
    }

    #[test]
    fn coordinates_of_children_are_those_of_their_boards() {
        let (height, partition) =
            if cfg!(miri) { (2, "1,2,3/4,5") } else { (3, "1,2,3/4,5,6,7,8") };
        let partition = Partition::parse(partition, Grid::new(3, height).unwrap(), 0).unwrap();
        let tables = tables(&partition);
        let [first, second]: [_; 2] = std::array::from_fn(|i| tables[i].index().clone());
        compare_views(&Coordinates::new(first, second).unwrap(), &tables);
    }

    #[test]
    fn masks_of_children_are_those_of_their_boards() {
        // Patterns of one number of tiles, and of several.
        let cases = [
            (3, 2, "1,2/3,4/5"),
            (3, 3, "1,2/3,4/5,6/7,8"),
            (4, 2, "1,2,3,4,5/6,7"),
            (4, 4, "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15"),
            (5, 3, "1,2,3,4,5,6,7/8,9,10,11,12,13,14"),
            (3, 4, "1,2,3,4,5,6/7,8,9/10/11"),
        ];
        for &(width, height, partition) in if cfg!(miri) { &cases[..1] } else { &cases[..] } {
            let grid = Grid::new(width, height).unwrap();
            let tables = tables(&Partition::parse(partition, grid, 0).unwrap());
            let indexes = || tables.iter().map(|table| table.index().clone());
            compare_views(&Masks::new(grid, indexes()).unwrap(), &tables);
            // A record has room for the names of three zone maps.
            compare_views(&Masks::with_cohort_bits(grid, indexes(), |_| 30).unwrap(), &tables);
        }
    }
}
