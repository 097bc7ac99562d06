//! A beam over states.

use super::heuristic::ClassTables;
use super::layers::StateSpace;
use crate::board::{Move, Moves, OpenPosition};
use crate::search::Limits;
use crate::search::beam::{Beam, Chosen, Nodes, Origins, PART, Ranked};
use crate::search::births::CHILDREN;
use crate::search::space::mix;
use crate::search::states::State;

/// The most moves of a solution.
const MAX_MOVES: usize = 1000;

/// The first solution that a beam of this width finds.
pub(super) fn beam(
    space: &StateSpace,
    position: &OpenPosition,
    tables: &ClassTables,
    width: usize,
    limits: &Limits,
) -> Option<Moves> {
    let start = space.state(position, position.board());
    let rank = space.value(start, tables);
    let mut beam = Beam::new(width.into(), limits);
    beam.run(&OpenNodes { space, tables }, vec![(start, None)], rank, 0, MAX_MOVES, usize::MAX / 2)
        .map(Moves)
}

struct OpenNodes<'a> {
    space: &'a StateSpace,
    tables: &'a ClassTables,
}

impl Nodes for OpenNodes<'_> {
    /// States, and the last move of each.
    type Part = Vec<(State, Option<Move>)>;

    fn candidates(&self, first: usize, part: &Self::Part, _length: usize) -> Vec<Ranked> {
        let mut candidates = Vec::with_capacity(CHILDREN * part.len());
        for (place, &(state, last)) in (first..).zip(part) {
            self.space.for_each_child(state, self.tables, |m, value, child| {
                if last != Some(m.opposite()) {
                    let hash = mix(child as u64 ^ mix((child >> 64) as u64));
                    let number = Origins::MOVES.number(place, m as usize, 1);
                    candidates.push(Ranked { hash, rank: value, number });
                }
            });
        }
        candidates
    }

    fn make(&self, level: &[Self::Part], chosen: &[Chosen]) -> Self::Part {
        let child = |&Chosen { number, .. }: &Chosen| {
            let (place, m) = (Origins::MOVES.place(number), Origins::MOVES.last(number));
            let (state, _) = level[place / PART][place % PART];
            let after = self.space.states.after(state, self.space.states.blank(state), m);
            (after.expect("the move was made before").0, Some(m))
        };
        chosen.iter().map(child).collect()
    }

    fn goal(&self, part: &Self::Part) -> Option<usize> {
        part.iter().position(|&(state, _)| self.space.is_goal(state))
    }
}
