//! A beam over states.

use std::collections::HashSet;

use super::heuristic::ClassTables;
use super::layers::{State, StateSpace};
use crate::board::{Move, Moves, OpenPosition};
use crate::search::Control;

/// The most moves of a solution.
const MAX_MOVES: usize = 1000;

/// A state of the beam, with the place of its parent in the layer before.
struct Kept {
    state: State,
    parent: u32,
    m: Move,
}

/// The first solution on which a beam of this width comes.
pub(super) fn beam(
    space: &StateSpace,
    position: &OpenPosition,
    tables: &ClassTables,
    width: usize,
    control: &Control,
) -> Option<Moves> {
    let start = space.state(position);
    let mut seen = HashSet::from([start]);
    let mut layers = vec![vec![Kept { state: start, parent: 0, m: Move::Up }]];
    let mut generated = 0;
    while layers.len() <= MAX_MOVES && control.check(generated).is_none() {
        let layer = layers.last()?;
        if let Some(place) = layer.iter().position(|kept| space.is_goal(kept.state)) {
            return Some(path(&layers, place));
        }
        let mut children: Vec<(u32, State, u32, Move)> = Vec::new();
        for (parent, kept) in (0..).zip(layer) {
            let (mut masks, blank) = space.masks(kept.state);
            let ranks = tables.ranks(&masks);
            for (m, class, from, child) in space.children(kept.state, blank) {
                generated += 1;
                if seen.insert(child) {
                    let moved = 1 << from | 1 << blank;
                    masks[usize::from(class)] ^= moved;
                    let value = tables.value_after(&ranks, class, &masks, from);
                    masks[usize::from(class)] ^= moved;
                    children.push((value, child, parent, m));
                }
            }
        }
        if children.len() > width {
            children.select_nth_unstable_by_key(width, |&(value, state, ..)| (value, state));
            children.truncate(width);
        }
        children.sort_unstable_by_key(|&(value, state, ..)| (value, state));
        let kept = |(_, state, parent, m)| Kept { state, parent, m };
        layers.push(children.into_iter().map(kept).collect());
    }
    None
}

/// The moves to a state of the last layer.
fn path(layers: &[Vec<Kept>], mut place: usize) -> Moves {
    let mut moves = Vec::new();
    for layer in layers[1..].iter().rev() {
        let kept = &layer[place];
        moves.push(kept.m);
        place = kept.parent as usize;
    }
    moves.reverse();
    Moves(moves)
}
