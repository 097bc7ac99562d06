//! Beams of the engine's nodes, whose children cost as much as in its search.

use super::guided::GuidedPosition;
use super::learned::Learned;
use super::levels::{Beam, Candidates, Nodes, Origins, Start};
use super::select::{CHUNK, Chosen};
use super::width::Width;
use crate::board::{Moves, Position};
use crate::pdb::BrokenTable;
use crate::prefetch::prefetch;
use crate::search::engine::{Engine, Spaces, with_space};
use crate::search::fast::{Expander, MAX_DEPTH, MAX_SLACK, Node, Space};
use crate::search::moves::StepTable;
use crate::search::run::Limits;

impl Engine {
    /// Finds a solution by a beam of `width` positions per level, on the current rayon thread pool; `None` if
    /// it finds none of less than `below` moves and within 254, or `limits` stop the search. If the width is
    /// fixed, the number of threads changes nothing. It checks its limits once per level.
    ///
    /// The tables guide it alone, or together with learned weights. With weights, a node costs about twice as
    /// much. Without them, a beam on 5×5 has to be several times as wide for equally short solutions.
    ///
    /// Takes some 400 bytes per position of a level on 5×5, and 4 bytes per position of all levels.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position or the weights have a different goal, or the width is 0 or more than 2³⁰.
    pub fn beam(
        &self,
        position: &Position,
        width: Width,
        below: usize,
        learned: Option<&Learned>,
        limits: &Limits,
    ) -> Result<Option<Moves>, BrokenTable> {
        assert!((1..=1 << 30).contains(&width.most()));
        if let Some(learned) = learned {
            learned.assert_goal_of(position);
        }
        let mut beam = Beam { width, most: MAX_DEPTH - 1, patience: None, limits, generated: 0 };
        // More views would cost more than they add.
        with_space!(self, |space| match self.initial_views[..] {
            [a, b, ..] => self.beam_in(space, [a, b], position, below, learned, &mut beam),
            [a] => self.beam_in(space, [a], position, below, learned, &mut beam),
            [] => Ok(None),
        })
    }

    fn beam_in<S: Space, const V: usize>(
        &self,
        space: &S,
        views: [usize; V],
        position: &Position,
        below: usize,
        learned: Option<&Learned>,
        beam: &mut Beam<'_>,
    ) -> Result<Option<Moves>, BrokenTable> {
        let root = self.root(space, position, views)?;
        // The automaton would forbid a way to a position whose other ways are not in the beam.
        let steps = StepTable::without_undoing(position.grid());
        let expander = Expander { steps: &steps, ..self.expander(space, views) };
        let nodes = EngineNodes { expander, values: root.values, learned, below };
        let guided =
            learned.map(|learned| GuidedPosition::of(position, learned)).into_iter().collect();
        let part = EngineChunk { nodes: vec![root.node_with([MAX_SLACK; V])], guided };
        let start = Start { part, rank: u32::MAX, made: 0 };
        Ok(beam.run(&nodes, start).map(Moves))
    }
}

/// The number of nodes by which a parent is fetched ahead: parents are in no order.
const AHEAD: usize = 16;

/// Nodes of an engine's expander.
struct EngineNodes<'a, S: Space, const V: usize> {
    expander: Expander<'a, S, V>,
    /// The start's bound in each view.
    values: [u32; V],
    /// Ranks nodes together with their bound.
    learned: Option<&'a Learned>,
    /// A solution must have fewer moves.
    below: usize,
}

struct EngineChunk<W, const V: usize> {
    nodes: Vec<Node<W, V>>,
    /// The position of each node, if learned weights rank them.
    guided: Vec<GuidedPosition>,
}

/// Each level is generated twice: for the ranks of its candidates, and for the nodes of the chosen
/// candidates. That takes less time than to keep the nodes of all candidates.
impl<S: Space, const V: usize> Nodes for EngineNodes<'_, S, V> {
    type Chunk = EngineChunk<S::View, V>;

    fn candidates(&self, first: usize, part: &Self::Chunk, _length: usize, found: &mut Candidates) {
        let parents = part.nodes.iter().map(|node| (node, *self.expander.steps(node)));
        let take = |place: usize, child: Node<S::View, V>| {
            let bound = self.bound(&child);
            if (bound as usize) < self.below {
                let rank = match self.learned {
                    Some(learned) => {
                        part.guided[place].rank_after(child.meta.last(), bound, learned)
                    }
                    None => bound,
                };
                let number = Origins::MOVES.number(first + place, child.meta.last(), 1);
                found.add(rank, number, || S::hash(&child.views[0]));
            }
        };
        // SAFETY: the nodes form a level, so they are the start or descend from it.
        unsafe { self.expander.children(parents, take) };
    }

    fn make(&self, level: &[Self::Chunk], chosen: &[Chosen]) -> Self::Chunk {
        let parent = |&Chosen { number, .. }: &Chosen| {
            let place = Origins::MOVES.place(number);
            (&level[place / CHUNK], place % CHUNK)
        };
        let ahead = |i: usize| chosen.get(i + AHEAD).map(parent);
        let parents = chosen.iter().enumerate().map(|(i, child)| {
            if let Some((part, place)) = ahead(i) {
                let size = size_of::<Node<S::View, V>>();
                let node = (&raw const part.nodes[place]).cast::<u8>();
                for offset in (0..size).step_by(64).chain([size - 1]) {
                    prefetch(node.wrapping_add(offset));
                }
            }
            let (part, place) = parent(child);
            let node = &part.nodes[place];
            let step = self.expander.step_of(node, Origins::MOVES.last(child.number) as usize);
            (node, step.expect("the candidate has made this move"))
        });
        let mut nodes = Vec::with_capacity(chosen.len());
        // SAFETY: as above.
        unsafe { self.expander.children(parents, |_, child| nodes.push(child)) };
        let Some(learned) = self.learned else {
            return EngineChunk { nodes, guided: Vec::new() };
        };
        let guided = chosen.iter().enumerate().map(|(i, child)| {
            if let Some((part, place)) = ahead(i) {
                prefetch((&raw const part.guided[place]).cast());
            }
            let (part, place) = parent(child);
            part.guided[place].moved(Origins::MOVES.last(child.number) as usize, learned)
        });
        EngineChunk { nodes, guided: guided.collect() }
    }

    fn goal(&self, part: &Self::Chunk) -> Option<usize> {
        part.nodes.iter().position(|node| self.expander.is_goal(node))
    }
}

impl<S: Space, const V: usize> EngineNodes<'_, S, V> {
    /// The bound of a node, plus its depth: g + h rises by 2 with each move that raises h.
    #[inline(always)]
    fn bound(&self, node: &Node<S::View, V>) -> u32 {
        let risen = |view: usize| self.values[view] + 2 * (MAX_SLACK - node.meta.slack_of(view));
        (0..V).map(risen).max().unwrap_or(0)
    }
}
