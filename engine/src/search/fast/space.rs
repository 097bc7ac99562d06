//! The views of a position that the inner loop moves.
//!
//! The loop stores no board. It moves *views*: a view holds what one partition's tables need of a
//! position. Its form depends on the number of patterns.

use std::borrow::Cow;
use std::ops::Range;

use super::list::Births;
use crate::board::Symmetry;
use crate::pdb::{BrokenTable, State, Table};

/// A pattern of a view: its table, and the symmetry through which the table sees the board.
pub(crate) struct PatternView<'a> {
    pub table: &'a Table,
    pub symmetry: Symmetry,
    /// The blank's goal cell, and label. The table may be of a goal with the blank in another cell of
    /// the zone.
    pub blank: usize,
}

impl PatternView<'_> {
    /// The pattern's state in a position.
    pub fn state(&self, labels: &[u8]) -> State {
        self.table.state(&self.carried(labels))
    }

    /// The number of moves of the pattern's tiles.
    ///
    /// # Errors
    /// [`BrokenTable`] if the table does not lead to the goal.
    pub fn value(&self, labels: &[u8]) -> Result<u32, BrokenTable> {
        self.table.value(self.state(labels))
    }

    /// A position through the symmetry: cells and tiles carried along, the blank labelled as the table
    /// has it.
    fn carried<'l>(&self, labels: &'l [u8]) -> Cow<'l, [u8]> {
        let pattern = self.table.pattern();
        let (grid, blank, symmetry) = (pattern.grid(), pattern.blank(), self.symmetry);
        if symmetry == Symmetry::IDENTITY && blank == self.blank {
            return Cow::Borrowed(labels);
        }
        let mut image = vec![0; labels.len()];
        for (cell, &label) in labels.iter().enumerate() {
            let shown = match symmetry.cell(grid, usize::from(label)) {
                _ if usize::from(label) == self.blank => blank,
                // The label that the blank's label is exchanged with is of no pattern.
                name if name == blank => symmetry.cell(grid, self.blank),
                name => name,
            };
            image[symmetry.cell(grid, cell)] = shown as u8;
        }
        Cow::Owned(image)
    }
}

/// A way to store positions as views, and to move them.
pub(crate) trait Space: Sync + Sized {
    /// A view of a position.
    type View: Copy + Default + Send + Sync;

    /// Everything that a view reads: its tables, and all else that differs between views.
    type Tables<'a>: Sync;

    /// A child's view before its table bit is known.
    type Pending: Copy + Default;

    /// Views of children, generated in vectors.
    #[cfg(target_arch = "x86_64")]
    type Vectors: Batch<Self>;

    /// The tables of a view.
    ///
    /// # Panics
    /// If a table is not numbered as one that the space was made for.
    fn tables<'a>(&'a self, patterns: &[PatternView<'a>]) -> Self::Tables<'a>;

    /// The view of a position given as labels, a permutation of the grid's cells.
    fn view(&self, patterns: &[PatternView<'_>], labels: &[u8]) -> Self::View;

    /// The child of a view by move number `m`.
    ///
    /// # Safety
    /// - `view` is one of this space, made for `tables`, or a child of such a one.
    /// - `m` does not leave the board.
    unsafe fn child(&self, view: &Self::View, m: usize, tables: &Self::Tables<'_>)
    -> Self::Pending;

    /// Prefetches what [`Space::resolve`] reads of a child.
    fn fetch_child(&self, child: &Self::Pending);

    /// Prefetches what [`Space::child`] reads of a view.
    fn fetch_view(&self, view: &Self::View, tables: &Self::Tables<'_>);

    /// Reads the table. Returns the view, and 1 if h rose, 0 if it fell.
    ///
    /// # Safety
    /// - The child is from [`Space::child`], and the tables of its view are still borrowed.
    unsafe fn resolve(child: &Self::Pending) -> (Self::View, u64);

    /// Returns whether two views of the same tables are of the same position, whatever their table
    /// bits.
    fn same_position(a: &Self::View, b: &Self::View) -> bool;

    /// A hash of the position of a view. Those of one space and the same tables can be compared.
    fn hash(view: &Self::View) -> u64;
}

/// Views of some children, all generated at once.
pub(crate) trait Batch<S: Space>: Default {
    /// The lanes of a group that searches with such batches, at most [`LANES`](super::list::LANES).
    const LANES: usize;

    /// Generates some views of children, and prefetches their table bits.
    ///
    /// # Safety
    /// - The processor has what the batch asks for.
    /// - The children are padded. Their parents' addresses are those of `[S::View; V]` that live. These
    ///   views, and the moves, are as for [`Space::child`].
    unsafe fn generate<const V: usize>(
        &mut self,
        space: &S,
        tables: &[S::Tables<'_>; V],
        views: Range<usize>,
        births: &Births,
    );

    /// Reads the table bits of some views of the children, and lowers the slacks where h rose.
    ///
    /// # Safety
    /// - The processor has what the batch asks for.
    /// - [`Batch::generate`] has generated these views of the children, and the tables of the views are
    ///   still borrowed.
    unsafe fn resolve(&mut self, views: Range<usize>, births: &mut Births);

    /// A view of the child in a place.
    ///
    /// # Safety
    /// - [`Batch::resolve`] has resolved it, and the tables of the view are still borrowed.
    unsafe fn view(&self, view: usize, place: usize) -> S::View;
}

/// The most views of a node.
pub(crate) const MAX_VIEWS: usize = 4;

/// The bit offset of a view's slack in [`Node::meta`](super::node::Node::meta).
#[inline(always)]
pub(crate) const fn slack_shift(view: usize) -> u32 {
    16 + 8 * view as u32
}

/// Mixes the bits of a word (Steele, Lea & Flood 2014).
pub(crate) const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The number of the transposed move differs from that of the move in this bit.
pub(crate) const TRANSPOSE: usize = 2;
const _: () = {
    use crate::board::Move;
    let mut m = 0;
    while m < 4 {
        assert!(Move::ALL[m].transposed() as usize == m ^ TRANSPOSE);
        m += 1;
    }
};
