//! The nodes of a search, and the generation of their children.
//!
//! A node stores no h. It stores the *slack* of each view: half of the amount by which g + h may
//! still rise before it exceeds the threshold. A move that lowers h leaves the slack as it is, a
//! move that raises h lowers it by 1. A node with a negative slack is pruned.

use super::list::CHILDREN;
use super::space::{MAX_VIEWS, Space, slack_shift};
use crate::search::moves::MoveRows;

/// A position in a search, with `V` views `W`.
#[derive(Clone, Copy)]
pub(crate) struct Node<W, const V: usize> {
    pub views: [W; V],
    /// Bits 0 to 15: the automaton's state. A byte a view from bit 16: the slack, with the top
    /// bit set as long as it is not negative. Bits 48 to 55: moves from the root of the
    /// subtree; 56 and 57: the last move.
    pub meta: u64,
}

const DEPTH_SHIFT: u32 = 48;
const MOVE_SHIFT: u32 = 56;
/// The largest slack a node can have.
pub(crate) const MAX_SLACK: u32 = 127;
/// The longest path below the root of a subtree.
pub(crate) const MAX_DEPTH: usize = 255;

impl<W: Copy + Default, const V: usize> Node<W, V> {
    /// A placeholder that fills unused places of a stack.
    pub fn room() -> Node<W, V> {
        Node { views: [W::default(); V], meta: 0 }
    }

    /// The root of a subtree.
    pub fn new(views: [W; V], automaton: u16, slack: [u32; V]) -> Node<W, V> {
        let mut meta = u64::from(automaton) | guards(V);
        for (view, slack) in slack.into_iter().enumerate() {
            assert!(slack <= MAX_SLACK);
            meta |= u64::from(slack) << slack_shift(view);
        }
        Node { views, meta }
    }

    /// Returns this node as the root of a new subtree.
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
        (self.meta >> slack_shift(view)) as u32 & MAX_SLACK
    }

    /// The slack of the view that has least.
    pub fn least_slack(&self) -> u32 {
        (0..V).map(|view| self.slack(view)).min().unwrap_or(0)
    }

    pub fn depth(&self) -> usize {
        (self.meta >> DEPTH_SHIFT & 0xff) as usize
    }

    /// The state, slacks, depth and last move of each child of a row before its table bits are known.
    #[inline(always)]
    pub fn metas_after(&self, row: &[u32; CHILDREN]) -> [u64; CHILDREN] {
        let meta = (self.meta & !0xffff & ((1 << MOVE_SHIFT) - 1)) + (1 << DEPTH_SHIFT);
        row.map(|packed| {
            let packed = u64::from(packed);
            meta | packed >> 2 | (packed & 3) << MOVE_SHIFT
        })
    }
}

/// The bits that are set as long as no slack is negative.
const fn guards(views: usize) -> u64 {
    assert!(views <= MAX_VIEWS);
    let mut guards = 0;
    let mut view = 0;
    while view < views {
        guards |= 0x80 << slack_shift(view);
        view += 1;
    }
    guards
}

/// Returns whether some view prunes a node with this extra word.
#[inline(always)]
pub(crate) fn is_pruned<const V: usize>(meta: u64) -> bool {
    !meta & const { guards(V) } != 0
}

/// Everything that an iteration reads.
pub(crate) struct Expander<'a, S: Space, const V: usize> {
    pub space: &'a S,
    pub moves: &'a MoveRows,
    pub views: [S::Tables<'a>; V],
    /// The goal in the first view.
    pub goal: S::View,
}

impl<S: Space, const V: usize> Expander<'_, S, V> {
    /// The row of a node's permitted moves.
    #[inline(always)]
    pub fn row(&self, node: &Node<S::View, V>) -> &[u32; CHILDREN] {
        self.moves.row(node.meta & 0xffff)
    }

    /// The row of a node with one move alone; `None` if the move is not permitted.
    #[inline(always)]
    pub fn row_of(&self, node: &Node<S::View, V>, m: usize) -> Option<[u32; CHILDREN]> {
        let mut row = self.row(node).iter().copied();
        let packed = row.find(|&packed| packed != 0 && packed as usize & 3 == m)?;
        Some([packed, 0, 0, 0])
    }

    /// Prefetches the data of a node that the generation of its children reads.
    #[inline(always)]
    pub fn fetch(&self, node: &Node<S::View, V>) {
        for (view, tables) in node.views.iter().zip(&self.views) {
            self.space.fetch_view(view, tables);
        }
    }

    /// Returns whether this is the goal.
    #[inline(always)]
    pub fn is_goal(&self, node: &Node<S::View, V>) -> bool {
        S::same_position(&node.views[0], &self.goal)
    }
}
