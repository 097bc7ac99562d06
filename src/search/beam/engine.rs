//! Beams of the engine's nodes, whose children cost as much as in its search.

use super::select::select;
use super::{Origin, by_parts, read_back};
use crate::board::{Path, Position};
use crate::pdb::BrokenTable;
use crate::search::Control;
use crate::search::engine::{Engine, Prepared, Spaces, with_space};
use crate::search::expand::{Expander, Frame, MAX_DEPTH, MAX_SLACK, Node};
use crate::search::moves::Moves;
use crate::search::space::Space;

/// The nodes whose table bits are fetched together.
const BATCH: usize = 16;

impl Engine {
    /// Finds a solution by a beam of `width` positions a level, on the current rayon thread pool,
    /// the same for any number of threads; `None` if it finds none of less than `below` moves and
    /// within 254, or `control` stops the search. It looks at its limits once a level.
    ///
    /// Takes some 400 bytes a position of a level, and 4 bytes a position of all levels.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position is one of another goal, or the width is 0 or more than 2³⁰.
    pub fn beam(
        &self,
        position: &Position,
        width: usize,
        below: usize,
        control: &Control,
    ) -> Result<Option<Path>, BrokenTable> {
        assert!((1..=1 << 30).contains(&width));
        with_space!(self.beam_in(position, width, below, control))
    }

    fn beam_in<S: Space>(
        &self,
        prepared: &Prepared<S>,
        position: &Position,
        width: usize,
        below: usize,
        control: &Control,
    ) -> Result<Option<Path>, BrokenTable> {
        // More views would cost more than they add.
        match *self.first_views() {
            [a, b, ..] => self.beam_with([a, b], prepared, position, width, below, control),
            [a] => self.beam_with([a], prepared, position, width, below, control),
            [] => Ok(None),
        }
    }

    fn beam_with<S: Space, const V: usize>(
        &self,
        views: [usize; V],
        prepared: &Prepared<S>,
        position: &Position,
        width: usize,
        below: usize,
        control: &Control,
    ) -> Result<Option<Path>, BrokenTable> {
        let root = self.root(prepared, position)?;
        // The automaton would forbid a way to a position whose other ways are not in the beam.
        let moves = Moves::without_undoing(position.grid());
        let expander = Expander { moves: &moves, ..self.expander(prepared, views) };
        let values = views.map(|view| root.value_of(view));
        let start = root.node_with(views, [MAX_SLACK; V]);
        // SAFETY: the root is a position of this engine's goal in these views, and its automaton
        // state is that of the blank's cell in all automata.
        Ok(unsafe { Beam { expander, values, width, below }.run(start, control) })
    }
}

struct Beam<'a, S: Space, const V: usize> {
    expander: Expander<'a, S, V>,
    /// The start's bound in each view.
    values: [u32; V],
    width: usize,
    /// Solutions of as many moves are not wanted.
    below: usize,
}

/// A position that may be in the next level.
struct Candidate<W, const V: usize> {
    node: Node<W, V>,
    from: Origin<0>,
    bound: u32,
}

impl<S: Space, const V: usize> Beam<'_, S, V> {
    /// # Safety
    /// - `start` is a node of the expander.
    unsafe fn run(&self, start: Node<S::View, V>, control: &Control) -> Option<Path> {
        let mut level = vec![start];
        let mut came_from: Vec<Vec<Origin<0>>> = Vec::new();
        let mut generated = 0;
        loop {
            if let Some(place) = level.iter().position(|node| self.expander.is_goal(node)) {
                return Some(Path(read_back(&came_from, place)));
            }
            if level.is_empty()
                || came_from.len() + 1 >= MAX_DEPTH
                || control.check(generated).is_some()
            {
                return None;
            }
            // SAFETY: the nodes are the start or descend from it.
            let candidates = unsafe { self.candidates(&level) };
            generated += candidates.len() as u64;
            let key = |child: &Candidate<_, V>| (child.bound, S::hash(&child.node.views[0]));
            let kept = select(&candidates, self.width, key);
            let kept = || kept.iter().map(|&i| &candidates[i as usize]);
            level.clear();
            level.extend(kept().map(|candidate| candidate.node));
            came_from.push(kept().map(|candidate| candidate.from).collect());
        }
    }

    /// The children of a level, in the order of their parents.
    ///
    /// # Safety
    /// - The nodes are nodes of the expander.
    unsafe fn candidates(&self, level: &[Node<S::View, V>]) -> Vec<Candidate<S::View, V>> {
        // SAFETY: the caller vouches for the nodes.
        by_parts(level, |first, nodes| unsafe { self.children(nodes, first) })
    }

    /// The children of some nodes of a level, which begin at the place `first`.
    ///
    /// # Safety
    /// - The nodes are nodes of the expander.
    unsafe fn children(
        &self,
        nodes: &[Node<S::View, V>],
        first: usize,
    ) -> Vec<Candidate<S::View, V>> {
        let mut candidates = Vec::with_capacity(3 * nodes.len());
        let mut frames: [Frame<S, V>; BATCH] = std::array::from_fn(|_| Frame::new());
        for (batch, nodes) in nodes.chunks(BATCH).enumerate() {
            for (frame, node) in frames.iter_mut().zip(nodes) {
                // SAFETY: the caller vouches for the node.
                unsafe { self.expander.frame(node, frame) };
            }
            for (i, frame) in frames.iter().enumerate().take(nodes.len()) {
                // SAFETY: the frame was filled just above.
                for node in unsafe { frame.survivors(&self.expander) } {
                    let bound = self.bound(&node);
                    if (bound as usize) < self.below {
                        let from = Origin::new(first + batch * BATCH + i, node.last(), 1);
                        candidates.push(Candidate { node, from, bound });
                    }
                }
            }
        }
        candidates
    }

    /// The bound of a node, plus its depth: g + h rises by 2 with each move that raises h.
    fn bound(&self, node: &Node<S::View, V>) -> u32 {
        let risen = |view: usize| self.values[view] + 2 * (MAX_SLACK - node.slack(view));
        (0..V).map(risen).max().unwrap_or(0)
    }
}
