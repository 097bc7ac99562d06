//! The views of a position that the inner loop moves.
//!
//! The loop stores no board. It moves *views*: a view holds what one partition's tables need of a
//! position. Its form depends on the number of patterns.

use std::borrow::Cow;
use std::ops::Range;

use super::list::List;
use super::processor::Processor;
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
                // If this goal has the blank in cell 0 and the table's goal has it in cell 1, the blank is
                // labelled 1, and tile 1 gets the label 0, which is free. It is in no pattern of the table,
                // because no pattern holds the blank's cell.
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

    /// Views of the children of a list, and what is known of those that are not complete.
    type Views: Default;

    /// The tables of a view.
    ///
    /// # Panics
    /// If a table is not numbered as one that the space was made for.
    fn tables<'a>(&'a self, patterns: &[PatternView<'a>]) -> Self::Tables<'a>;

    /// The view of a position given as labels, a permutation of the grid's cells.
    fn view(&self, patterns: &[PatternView<'_>], labels: &[u8]) -> Self::View;

    /// Prefetches what [`Space::generate`] reads of a parent's view.
    fn fetch(&self, view: &Self::View, tables: &Self::Tables<'_>);

    /// Generates some views of the children of a list, and prefetches their table bits.
    ///
    /// # Safety
    /// - The children are padded. Their parents' addresses are those of `[Self::View; V]` that live. Each of
    ///   these views is one of this space, made for its tables, or was generated from such a one.
    /// - The moves do not leave the board.
    unsafe fn generate<P: Processor, const V: usize>(
        &self,
        p: P,
        tables: &[Self::Tables<'_>; V],
        views: Range<usize>,
        list: &List,
        found: &mut Self::Views,
    );

    /// Reads the table bits of some views of the children, and lowers the slacks where h rose.
    ///
    /// # Safety
    /// - [`Space::generate`] has generated these views of the children, and the tables of the views are
    ///   still borrowed.
    unsafe fn resolve<P: Processor>(
        p: P,
        views: Range<usize>,
        list: &mut List,
        found: &mut Self::Views,
    );

    /// A view of the child in a place, which [`Space::resolve`] has completed.
    fn found(found: &Self::Views, view: usize, place: usize) -> Self::View;

    /// Returns whether two views of the same tables are of the same position, whatever their table
    /// bits.
    fn same_position(a: &Self::View, b: &Self::View) -> bool;

    /// A hash of the position of a view. Those of one space and the same tables can be compared.
    fn hash(view: &Self::View) -> u64;
}

/// Mixes the bits of a word (Steele, Lea & Flood 2014).
pub(crate) const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The number of the transposed move differs from that of the move in this bit.
pub(crate) const TRANSPOSE: u64 = 2;
const _: () = {
    use crate::board::Move;
    let mut m = 0;
    while m < 4 {
        assert!(Move::ALL[m].transposed() as u64 == m as u64 ^ TRANSPOSE);
        m += 1;
    }
};
