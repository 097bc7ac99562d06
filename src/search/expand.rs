//! The nodes of a search, and the generation of their children.
//!
//! A node stores no h. It stores the *slack* of each view: half of the amount by which g + h may
//! still rise before it exceeds the threshold. A move that lowers h leaves the slack as it is, a
//! move that raises h lowers it by 1. A node with a negative slack is pruned.

use super::moves::Moves;
use super::space::Space;
use crate::prefetch::prefetch;

/// A position in a search, with `V` views `W`.
#[derive(Clone, Copy)]
pub(crate) struct Node<W, const V: usize> {
    pub views: [W; V],
    /// Bits 0 to 15: the automaton's state. A byte a view from bit 16: the slack, with the top
    /// bit set as long as it is not negative. Bits 48 to 55: moves from the root of the
    /// subtree; 56 and 57: the last move.
    pub meta: u64,
}

const SLACK_SHIFT: u32 = 16;
const DEPTH_SHIFT: u32 = 48;
const MOVE_SHIFT: u32 = 56;
/// The largest slack a node can have.
pub(crate) const MAX_SLACK: u32 = 127;
/// The most views a node can have.
pub(crate) const MAX_VIEWS: usize = 4;
/// The longest path below the root of a subtree.
pub(crate) const MAX_DEPTH: usize = 255;

impl<W: Copy + Default, const V: usize> Node<W, V> {
    /// The bits that are set as long as no slack is negative.
    const GUARDS: u64 = {
        assert!(V <= MAX_VIEWS);
        let mut guards = 0;
        let mut view = 0;
        while view < V {
            guards |= 0x80 << (SLACK_SHIFT + 8 * view as u32);
            view += 1;
        }
        guards
    };

    /// A placeholder that fills unused places of a stack.
    pub fn room() -> Node<W, V> {
        Node { views: [W::default(); V], meta: 0 }
    }

    /// The root of a subtree.
    pub fn new(views: [W; V], automaton: u16, slack: [u32; V]) -> Node<W, V> {
        let mut meta = u64::from(automaton) | Self::GUARDS;
        for (view, slack) in slack.into_iter().enumerate() {
            assert!(slack <= MAX_SLACK);
            meta |= u64::from(slack) << (SLACK_SHIFT + 8 * view as u32);
        }
        Node { views, meta }
    }

    /// Returns this node as the root of a subtree of its own.
    pub fn as_root(mut self) -> Node<W, V> {
        self.meta &= (1 << DEPTH_SHIFT) - 1;
        self
    }

    /// The last move.
    pub fn last(&self) -> usize {
        (self.meta >> MOVE_SHIFT & 3) as usize
    }

    /// The slack of a view of a node that is not pruned.
    pub fn slack(&self, view: usize) -> u32 {
        (self.meta >> (SLACK_SHIFT + 8 * view as u32)) as u32 & MAX_SLACK
    }

    /// The slack of the view that has least.
    pub fn least_slack(&self) -> u32 {
        (0..V).map(|view| self.slack(view)).min().unwrap_or(0)
    }

    pub fn depth(&self) -> usize {
        (self.meta >> DEPTH_SHIFT & 0xff) as usize
    }

    /// A child whose table bits are known. `rises` has a byte for each view: 1 where h rose.
    #[inline(always)]
    pub fn resolved(views: [W; V], meta: u64, rises: u64) -> Node<W, V> {
        Node { views, meta: meta.wrapping_sub(rises << SLACK_SHIFT) }
    }

    /// The state, slack, depth and last move of a child before its table bits are known.
    #[inline(always)]
    fn meta_after(&self, packed: u32) -> u64 {
        let meta = (self.meta & !0xffff & ((1 << MOVE_SHIFT) - 1)) + (1 << DEPTH_SHIFT);
        let packed = u64::from(packed);
        meta | packed >> 2 | (packed & 3) << MOVE_SHIFT
    }

    #[inline(always)]
    pub fn pruned(&self) -> bool {
        self.meta & Self::GUARDS != Self::GUARDS
    }
}

/// Everything that an iteration reads.
pub(crate) struct Expander<'a, S: Space, const V: usize> {
    pub space: &'a S,
    pub moves: &'a Moves,
    pub views: [S::Tables<'a>; V],
    /// The goal in the first view.
    pub goal: S::View,
}

/// The most children of a node.
pub(crate) const CHILDREN: usize = 4;

/// A child of a node that waits for its table bits.
#[derive(Clone, Copy)]
pub(crate) struct Pending<C, const V: usize> {
    views: [C; V],
    meta: u64,
}

impl<S: Space, const V: usize> Expander<'_, S, V> {
    /// A placeholder before the first child.
    pub const NONE: Pending<S::Child, V> = Pending { views: [S::NONE; V], meta: 0 };

    /// The row of a node's permitted moves.
    #[inline(always)]
    pub fn row(&self, node: &Node<S::View, V>) -> &[u32; CHILDREN] {
        self.moves.row(node.meta & 0xffff)
    }

    /// Prefetches the row of a child of a node. Returns what the child holds beside its views, before
    /// its table bits are known.
    #[inline(always)]
    pub fn meta(&self, node: &Node<S::View, V>, packed: u32) -> u64 {
        prefetch(self.moves.line(u64::from(packed >> 2)));
        node.meta_after(packed)
    }

    /// Begins a child of a node, by a move of its row.
    ///
    /// # Safety
    /// - The node's views are of this expander's space and tables, and its automaton state is that of
    ///   its blank.
    /// - The move is one of this state's row.
    #[inline(always)]
    pub unsafe fn draft(&self, node: &Node<S::View, V>, packed: u32) -> [S::Draft; V] {
        prefetch(self.moves.line(u64::from(packed >> 2)));
        let mut drafts = [S::Draft::default(); V];
        for (view, draft) in drafts.iter_mut().enumerate() {
            let tables = &self.views[view];
            let m = (packed & 3) as usize;
            // SAFETY: the caller vouches for the view, and the automaton's moves stay on the board.
            *draft = unsafe { self.space.draft(&node.views[view], m, tables) };
        }
        drafts
    }

    /// Generates a child that was begun, and prefetches its table bits.
    ///
    /// # Safety
    /// - The drafts are from [`Expander::draft`] of this expander, the same node and move.
    #[inline(always)]
    pub unsafe fn generate(
        &self,
        node: &Node<S::View, V>,
        packed: u32,
        drafts: &[S::Draft; V],
        child: &mut Pending<S::Child, V>,
    ) {
        child.meta = node.meta_after(packed);
        for (view, draft) in drafts.iter().enumerate() {
            let tables = &self.views[view];
            // SAFETY: the caller's.
            child.views[view] = unsafe { self.space.child(&node.views[view], draft, tables) };
            self.space.fetch_child(&child.views[view]);
        }
    }

    /// Prefetches what [`Expander::draft`] reads of a node.
    #[inline(always)]
    pub fn fetch(&self, node: &Node<S::View, V>) {
        for (view, tables) in node.views.iter().zip(&self.views) {
            self.space.fetch_view(view, tables);
        }
    }

    /// Reads a child's table bits.
    ///
    /// # Safety
    /// - The child is from [`Expander::generate`] of this expander.
    #[inline(always)]
    pub unsafe fn resolve(&self, pending: &Pending<S::Child, V>) -> Node<S::View, V> {
        let mut views = [S::View::default(); V];
        let mut rises = 0;
        for (number, (view, child)) in views.iter_mut().zip(&pending.views).enumerate() {
            // SAFETY: the tables are borrowed as long as the expander is.
            let (resolved, rose) = unsafe { S::resolve(child) };
            *view = resolved;
            rises |= rose << (8 * number);
        }
        Node::resolved(views, pending.meta, rises)
    }

    /// Generates all children of a node into a frame.
    ///
    /// # Safety
    /// - The node is as for [`Expander::draft`].
    pub unsafe fn frame(&self, node: &Node<S::View, V>, frame: &mut Frame<S, V>) {
        let row = self.row(node);
        frame.count = 0;
        while frame.count < CHILDREN && row[frame.count] != 0 {
            let child = &mut frame.children[frame.count];
            // SAFETY: the caller's.
            unsafe {
                let drafts = self.draft(node, row[frame.count]);
                self.generate(node, row[frame.count], &drafts, child);
            }
            frame.count += 1;
        }
    }

    /// Whether this is the goal.
    #[inline(always)]
    pub fn is_goal(&self, node: &Node<S::View, V>) -> bool {
        S::same_position(&node.views[0], &self.goal)
    }
}

/// The children of a node that wait for their table bits.
pub(crate) struct Frame<S: Space, const V: usize> {
    children: [Pending<S::Child, V>; CHILDREN],
    count: usize,
}

impl<S: Space, const V: usize> Frame<S, V> {
    /// No children.
    pub fn new() -> Frame<S, V> {
        Frame { children: [Expander::<S, V>::NONE; CHILDREN], count: 0 }
    }

    /// The number of children.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The children that no view prunes, in the order in which they are searched: see
    /// [`Moves`](super::moves::Moves).
    ///
    /// # Safety
    /// - The frame was filled by [`Expander::frame`] of this expander, or is empty.
    pub unsafe fn survivors<'f>(
        &'f self,
        expander: &'f Expander<'_, S, V>,
    ) -> impl Iterator<Item = Node<S::View, V>> + 'f {
        let children = self.children[..self.count].iter().rev();
        // SAFETY: the caller vouches for the frame.
        let resolved = children.map(|pending| unsafe { expander.resolve(pending) });
        resolved.filter(|child| !child.pruned())
    }
}
