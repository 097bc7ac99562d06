//! A* (Hart, Nilsson & Raphael 1968) and breadth-first search, which is A* without a heuristic.
//!
//! Both keep every position, some 30 bytes for one of 16 cells, so memory is their limit. They stop
//! at a limit with the bound that was proved.

use taquin_engine::board::{Metric, Move, Moves, Position};
use taquin_engine::search::{Control, Outcome, Stop};

use crate::Heuristic;
use crate::graph::{Entered, Full, Graph};

/// The order of expansion among the positions with the least f = g + h.
///
/// The first found first makes A* breadth-first among them. The last found first makes it
/// depth-first: the last layer, where f is the length of the solution, is then not searched whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ties {
    /// The last found.
    #[default]
    Lifo,
    /// The first found.
    Fifo,
}

/// A* for an optimal solution of a position, of at most `moves` moves if that is given. Unless
/// `control` limits the memory, positions take up to 2 GiB.
///
/// A heuristic that is not consistent is allowed: a position that is reached in fewer moves later
/// is expanded again.
///
/// The heuristic must be one of the position's goal. With another one the search may panic, not
/// end, or find a solution that is not optimal.
pub fn a_star<H: Heuristic>(
    position: &Position,
    heuristic: &H,
    ties: Ties,
    moves: Option<u32>,
    control: &Control,
) -> Outcome {
    let mut graph = Graph::new(position.grid(), control);
    let mut parent = position.clone();
    let mut child = position.clone();
    let carry = heuristic.start(position.labels());
    let most = moves.unwrap_or(u32::from(u16::MAX) - 1);
    let mut f = heuristic.value(&carry) as usize;
    let mut outcome = Outcome::new(position, Metric::Single, f as u32);
    if position.is_goal() {
        outcome.path = Some(Moves::default());
        return outcome;
    }
    let Ok(start) = graph.start(position.labels(), carry) else {
        outcome.stopped = Some(Stop::Memory);
        return outcome;
    };
    let mut open = Open { buckets: Vec::new(), ties };
    let mut reported = 0;
    outcome.stopped = control.proved(outcome.lower_bound());
    if outcome.stopped.is_some() {
        return outcome;
    }
    if f <= most as usize {
        open.push(f, start);
    }
    loop {
        let Some(number) = open.pop(&mut f) else {
            outcome.raise(outcome.lower_bound().max(most.saturating_add(1)));
            outcome.stopped = Some(Stop::Moves);
            return outcome;
        };
        if f as u32 > outcome.lower_bound() {
            outcome.raise(f as u32);
            outcome.stopped = control.proved(f as u32);
            if outcome.stopped.is_some() {
                return outcome;
            }
        }
        if std::mem::replace(&mut graph.node(number).closed, true) {
            continue;
        }
        outcome.expanded += 1;
        if outcome.expanded.is_multiple_of(1024) {
            control.journal().searched(outcome.generated - reported);
            reported = outcome.generated;
            outcome.stopped = control.check(outcome.generated);
            if outcome.stopped.is_some() {
                return outcome;
            }
        }
        parent.overwrite(|labels| graph.labels(number, labels));
        let depth = u32::from(graph.node(number).depth) + 1;
        let last = graph.last(number);
        for m in Move::ALL {
            if last == Some(m.opposite()) {
                continue;
            }
            child.clone_from(&parent);
            let Some((from, to)) = child.make(m) else { continue };
            outcome.generated += 1;
            let carry = heuristic.moved(graph.data(number), child.labels(), from, to);
            let value = heuristic.value(&carry);
            let total = (depth + value) as usize;
            if total > most as usize {
                continue;
            }
            match graph.enter(child.labels(), Some((number, m)), || carry) {
                Err(Full) => {
                    outcome.stopped = Some(Stop::Memory);
                    return outcome;
                }
                Ok(Entered::Known) => {}
                Ok(Entered::New(found) | Entered::Shorter(found)) => {
                    // All solutions have one parity, so none is shorter than f + 1.
                    if value == 0 && total <= f + 1 && child.is_goal() {
                        outcome.raise(depth);
                        outcome.path = Some(graph.path(found));
                        return outcome;
                    }
                    // With a heuristic that is not consistent, a child's f may be below f.
                    open.push(total.max(f), found);
                }
            }
        }
    }
}

/// Breadth-first search: [`a_star`] without a heuristic.
pub fn bfs(position: &Position, moves: Option<u32>, control: &Control) -> Outcome {
    a_star(position, &Blind, Ties::Fifo, moves, control)
}

/// Gives every position the value 0.
struct Blind;

impl Heuristic for Blind {
    type Carry = ();

    fn start(&self, _: &[u8]) {}

    fn moved(&self, (): &(), _: &[u8], _: usize, _: usize) {}

    fn value(&self, (): &()) -> u32 {
        0
    }
}

/// The positions still to be expanded, by f.
struct Open {
    buckets: Vec<std::collections::VecDeque<u32>>,
    ties: Ties,
}

impl Open {
    fn push(&mut self, f: usize, number: u32) {
        if f >= self.buckets.len() {
            self.buckets.resize_with(f + 1, Default::default);
        }
        self.buckets[f].push_back(number);
    }

    /// The next position. `f` never sinks: children are entered at no less than their parent's f.
    fn pop(&mut self, f: &mut usize) -> Option<u32> {
        while *f < self.buckets.len() {
            let bucket = &mut self.buckets[*f];
            let number = match self.ties {
                Ties::Lifo => bucket.pop_back(),
                Ties::Fifo => bucket.pop_front(),
            };
            if number.is_some() {
                return number;
            }
            self.buckets[*f] = Default::default();
            *f += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taquin_engine::board::Grid;

    use crate::{Manhattan, WalkingDistance};

    /// One of the two positions of 3×3 at 31 moves from the goal.
    fn hardest() -> Position {
        Position::new(Grid::new(3, 3).unwrap(), 0, &[8, 0, 6, 5, 4, 7, 2, 3, 1]).unwrap()
    }

    #[test]
    fn all_of_them_are_optimal() {
        let (hardest, control) = (hardest(), Control::default());
        let manhattan = Manhattan::new(hardest.grid(), 0);
        let of = |ties| a_star(&hardest, &manhattan, ties, None, &control);
        for outcome in [of(Ties::Lifo), of(Ties::Fifo), bfs(&hardest, None, &control)] {
            assert_eq!((outcome.lower_bound(), outcome.stopped), (31, None));
            assert_eq!(outcome.path.unwrap().len(), 31);
        }
    }

    #[test]
    fn limits_are_kept() {
        let (three, control) = (hardest(), Control::default());
        let found =
            |outcome: Outcome| (outcome.path.is_some(), outcome.lower_bound(), outcome.stopped);
        for moves in [0, 1, 29, 30] {
            let outcome = bfs(&three, Some(moves), &control);
            assert_eq!(found(outcome), (false, moves + 1, Some(Stop::Moves)));
        }
        assert_eq!(found(bfs(&three, Some(31), &control)), (true, 31, None));
        let (solved, bound, stop) = found(bfs(&three, None, &control.clone().with_memory(1 << 20)));
        assert_eq!((solved, stop), (false, Some(Stop::Memory)));
        assert!(bound > 5 && bound < 31);
        let outcome = bfs(&three, None, &control.with_nodes(2000));
        assert_eq!(outcome.stopped, Some(Stop::Nodes));
    }

    #[test]
    fn ties_change_the_nodes_and_not_the_length() {
        let four = Grid::new(4, 4).unwrap();
        let mut position = Position::goal(four, 0);
        for i in 0..300 {
            position.make(Move::ALL[(i * i * i + i / 5) % 4]);
        }
        let walking = WalkingDistance::new(four, 0).unwrap();
        let solve = |ties| a_star(&position, &walking, ties, None, &Control::default());
        let (lifo, fifo) = (solve(Ties::Lifo), solve(Ties::Fifo));
        assert_eq!(lifo.lower_bound(), fifo.lower_bound());
        assert!(lifo.expanded < fifo.expanded, "{} {}", lifo.expanded, fifo.expanded);
    }
}
