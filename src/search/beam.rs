//! Beam search: a short solution quickly, without a proof.
//!
//! 1. All positions of a level are as many moves away from the start. Their children are the
//!    candidates for the next level. A position that is reached twice is one candidate.
//! 2. The candidates with the lowest bounds form the next level, at most as many as the beam is
//!    wide. Of equal ones the first are taken, so the solution is always the same.
//! 3. The first level that holds the goal ends the search. The moves to it are read back through
//!    the levels.
//!
//! The positions are nodes of the engine, so a child costs as much as in its search. A beam as wide
//! as the largest level is breadth-first search, and its solution is optimal.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::Control;
use super::engine::{Engine, Prepared, Spaces, with_space};
use super::expand::{Expander, Frame, MAX_DEPTH, MAX_SLACK, Node};
use super::moves::Moves;
use super::space::Space;
use crate::board::{Move, Path, Position};
use crate::pdb::BrokenTable;

/// The nodes whose table bits are fetched together.
const BATCH: usize = 16;

impl Engine {
    /// A solution found by a beam of `width` positions a level, on the calling thread; `None` if
    /// there is none within 254 moves, or `control` stops the search. It looks at its limits once a
    /// level.
    ///
    /// Takes some 200 bytes a position of a level, and 4 bytes a position of all levels.
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
        control: &Control,
    ) -> Result<Option<Path>, BrokenTable> {
        assert!((1..=1 << 30).contains(&width));
        with_space!(self.beam_in(position, width, control))
    }

    fn beam_in<S: Space>(
        &self,
        prepared: &Prepared<S>,
        position: &Position,
        width: usize,
        control: &Control,
    ) -> Result<Option<Path>, BrokenTable> {
        // More views would cost more than they add.
        match *self.first_views() {
            [a, b, ..] => self.beam_with([a, b], prepared, position, width, control),
            [a] => self.beam_with([a], prepared, position, width, control),
            [] => Ok(None),
        }
    }

    fn beam_with<S: Space, const V: usize>(
        &self,
        views: [usize; V],
        prepared: &Prepared<S>,
        position: &Position,
        width: usize,
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
        Ok(unsafe { Beam { expander, values, width }.run(start, control) })
    }
}

struct Beam<'a, S: Space, const V: usize> {
    expander: Expander<'a, S, V>,
    /// The start's bound in each view.
    values: [u32; V],
    width: usize,
}

/// A position that may be in the next level.
struct Candidate<W, const V: usize> {
    node: Node<W, V>,
    /// The position's place in its level, and the move: `place << 2 | move`.
    from: u32,
    bound: u32,
}

impl<S: Space, const V: usize> Beam<'_, S, V> {
    /// # Safety
    /// - `start` is a node of the expander.
    unsafe fn run(&self, start: Node<S::View, V>, control: &Control) -> Option<Path> {
        let mut level = vec![start];
        let mut came_from: Vec<Vec<u32>> = Vec::new();
        let mut generated = 0;
        loop {
            if let Some(place) = level.iter().position(|node| self.expander.is_goal(node)) {
                return Some(read_back(&came_from, place));
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
            let kept = select(candidates, self.width);
            level.clear();
            level.extend(kept.iter().map(|candidate| candidate.node));
            came_from.push(kept.iter().map(|candidate| candidate.from).collect());
        }
    }

    /// The children of a level, each position once.
    ///
    /// # Safety
    /// - The nodes are nodes of the expander.
    unsafe fn candidates(&self, level: &[Node<S::View, V>]) -> Vec<Candidate<S::View, V>> {
        let mut candidates = Vec::with_capacity(3 * level.len());
        let mut seen: HashSet<u64, BuildHasherDefault<Hashed>> =
            HashSet::with_capacity_and_hasher(3 * level.len(), BuildHasherDefault::default());
        let mut frames: [Frame<S, V>; BATCH] = std::array::from_fn(|_| Frame::new());
        for (batch, nodes) in level.chunks(BATCH).enumerate() {
            for (frame, node) in frames.iter_mut().zip(nodes) {
                // SAFETY: the caller vouches for the node.
                unsafe { self.expander.frame(node, frame) };
            }
            for (i, frame) in frames.iter().enumerate().take(nodes.len()) {
                // SAFETY: the frame was filled just above.
                for node in unsafe { frame.survivors(&self.expander) } {
                    if seen.insert(S::hash(&node.views[0])) {
                        let from = ((batch * BATCH + i) << 2 | node.last()) as u32;
                        candidates.push(Candidate { from, bound: self.bound(&node), node });
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

/// The first candidates with the lowest bounds, in their order.
fn select<W, const V: usize>(
    mut candidates: Vec<Candidate<W, V>>,
    width: usize,
) -> Vec<Candidate<W, V>> {
    let mut counts: Vec<usize> = Vec::new();
    for candidate in &candidates {
        let bound = candidate.bound as usize;
        if counts.len() <= bound {
            counts.resize(bound + 1, 0);
        }
        counts[bound] += 1;
    }
    // How many of each bound are kept.
    let mut room = width;
    for count in &mut counts {
        *count = (*count).min(room);
        room -= *count;
    }
    candidates.retain(|candidate| {
        let left = &mut counts[candidate.bound as usize];
        let keep = *left > 0;
        *left -= usize::from(keep);
        keep
    });
    candidates
}

/// The moves to a place of the last level.
fn read_back(came_from: &[Vec<u32>], mut place: usize) -> Path {
    let mut moves: Vec<Move> = came_from
        .iter()
        .rev()
        .map(|level| {
            let from = level[place];
            place = (from >> 2) as usize;
            Move::ALL[(from & 3) as usize]
        })
        .collect();
    moves.reverse();
    Path(moves)
}

/// Passes on values that are hashes already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only hashes are hashed");
    }
}
