//! The nodes of a search, and the generation of their children.
//!
//! A node stores no h. It stores the *slack* of each view: half of the amount by which g + h may
//! still rise before it exceeds the threshold. A move that lowers h leaves the slack as it is, a
//! move that raises h lowers it by 1. A node with a negative slack is pruned.

use super::meta::Meta;
use super::space::Space;
use crate::search::moves::{Step, StepTable, Steps};

/// A position in a search, with `V` views `W`.
#[derive(Clone, Copy)]
pub(crate) struct Node<W, const V: usize> {
    pub views: [W; V],
    pub meta: Meta,
}

impl<W: Copy + Default, const V: usize> Node<W, V> {
    /// A placeholder that fills unused places of a stack.
    pub fn room() -> Node<W, V> {
        Node { views: [W::default(); V], meta: Meta::default() }
    }

    /// Returns this node as the root of a new subtree.
    pub fn as_root(self) -> Node<W, V> {
        Node { meta: self.meta.as_root(), ..self }
    }

    /// The slack of the view that has least.
    pub fn least_slack(&self) -> u32 {
        (0..V).map(|view| self.meta.slack_of(view)).min().unwrap_or(0)
    }
}

/// Everything that an iteration reads.
pub(crate) struct Expander<'a, S: Space, const V: usize> {
    pub space: &'a S,
    pub steps: &'a StepTable,
    pub views: [S::Tables<'a>; V],
    /// The goal in the first view.
    pub goal: S::View,
}

impl<S: Space, const V: usize> Expander<'_, S, V> {
    /// The steps of a node.
    #[inline(always)]
    pub fn steps(&self, node: &Node<S::View, V>) -> &Steps {
        self.steps.of(node.meta.state())
    }

    /// The steps of a node with one move alone; `None` if the move is not permitted.
    #[inline(always)]
    pub fn step_of(&self, node: &Node<S::View, V>, m: usize) -> Option<Steps> {
        let mut steps = self.steps(node).iter().copied();
        let step = steps.find(|step| !step.is_none() && step.m() == m)?;
        Some([step, Step::default(), Step::default(), Step::default()])
    }

    /// Prefetches the data of a node that the generation of its children reads.
    #[inline(always)]
    pub fn fetch(&self, node: &Node<S::View, V>) {
        for (view, tables) in node.views.iter().zip(&self.views) {
            self.space.fetch(view, tables);
        }
    }

    /// Returns whether this is the goal.
    #[inline(always)]
    pub fn is_goal(&self, node: &Node<S::View, V>) -> bool {
        S::same_position(&node.views[0], &self.goal)
    }
}
