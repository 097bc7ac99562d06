//! A beam over states.

use super::layers::StateSpace;
use crate::board::{Move, Moves};
use crate::search::beam::{Beam, CHUNK, Candidates, Chosen, Nodes, Origins, Start};
use crate::search::fast::mix;
use crate::search::run::Limits;
use crate::search::solutions::PackedState;

/// The most moves of a solution.
const MAX_MOVES: usize = 1000;

/// The first solution that a beam of this width finds.
pub(super) fn beam(space: &StateSpace<'_>, width: usize, limits: &Limits) -> Option<Moves> {
    let width = width.into();
    let mut beam = Beam { width, most: MAX_MOVES, patience: None, limits, generated: 0 };
    let start = Start { part: vec![(space.start, None)], rank: space.value(), made: 0 };
    beam.run(space, start).map(Moves)
}

impl Nodes for StateSpace<'_> {
    /// States, and the last move of each.
    type Chunk = Vec<(PackedState, Option<Move>)>;

    fn candidates(&self, first: usize, part: &Self::Chunk, _length: usize, found: &mut Candidates) {
        for (place, &(state, last)) in (first..).zip(part) {
            self.for_each_child(state, |m, value, child| {
                if last != Some(m.opposite()) {
                    let number = Origins::MOVES.number(place, m as usize, 1);
                    found.add(value, number, || mix(child as u64 ^ mix((child >> 64) as u64)));
                }
            });
        }
    }

    fn make(&self, level: &[Self::Chunk], chosen: &[Chosen]) -> Self::Chunk {
        let child = |&Chosen { number, .. }: &Chosen| {
            let (place, m) = (Origins::MOVES.place(number), Origins::MOVES.last(number));
            let (state, _) = level[place / CHUNK][place % CHUNK];
            let after = self.states.after(state, self.states.blank(state), m);
            (after.expect("the move was made before").0, Some(m))
        };
        chosen.iter().map(child).collect()
    }

    fn goal(&self, part: &Self::Chunk) -> Option<usize> {
        part.iter().position(|&(state, _)| self.is_goal(state))
    }
}
