//! What the inner loop needs of positions.
//!
//! The loop keeps no board: it moves *views*, each of which holds what one partition's tables
//! need of a position, and whose form depends on the patterns.

/// A way to keep positions as views, and to move them.
pub(crate) trait Space: Sync {
    /// A view of a position.
    type View: Copy + Default + Send + Sync;

    /// What one view reads: its tables, and all else that differs between views.
    type Tables<'a>: Sync;

    /// The beginning of a child.
    type Draft: Copy + Default;

    /// A child's view, its table bit not yet known.
    type Child: Copy;

    /// What a lane holds before its first node.
    const NONE: Self::Child;

    /// What to change in the number of a move for view number `view`: the moves of a mirrored
    /// view are transposed.
    fn turn(view: usize, tables: &Self::Tables<'_>) -> usize;

    /// Begins the child of a view by move number `m`, and starts to fetch what [`Space::child`]
    /// reads.
    ///
    /// # Safety
    /// - `view` is one of this space, made for `tables`, or a child of such a one.
    /// - `m` does not leave the board.
    unsafe fn draft(&self, view: &Self::View, m: usize, tables: &Self::Tables<'_>) -> Self::Draft;

    /// The child that was begun.
    ///
    /// # Safety
    /// - `draft` is from [`Space::draft`] of the same view and tables.
    unsafe fn child(
        &self,
        view: &Self::View,
        draft: &Self::Draft,
        tables: &Self::Tables<'_>,
    ) -> Self::Child;

    /// Starts to fetch what [`Space::resolve`] reads of a child.
    fn fetch_child(&self, child: &Self::Child);

    /// Starts to fetch what [`Space::draft`] reads of a view.
    fn fetch_view(&self, view: &Self::View);

    /// Reads the table. Returns the view, and 1 where h rose, 0 where it fell.
    ///
    /// # Safety
    /// - The child is from [`Space::child`], and the tables of its view are still borrowed.
    unsafe fn resolve(child: &Self::Child) -> (Self::View, u64);

    /// Whether two views of the same tables are of the same position, their table bits aside.
    fn same_position(a: &Self::View, b: &Self::View) -> bool;
}

/// The number of the transposed move is that of the move with this bit changed.
pub(crate) const TRANSPOSE: usize = 2;
const _: () = {
    use crate::board::Move;
    let mut m = 0;
    while m < 4 {
        assert!(Move::ALL[m].transposed() as usize == m ^ TRANSPOSE);
        m += 1;
    }
};
