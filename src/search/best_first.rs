//! A* (Hart, Nilsson & Raphael 1968) and breadth-first search, which is A* without a heuristic.
//!
//! Every position is kept, so memory is what they run out of: some 30 bytes a position of 16
//! cells. They stop at a limit, with the bound that was proved.

use super::graph::{Entered, Full, Graph, Hand};
use super::{Control, Outcome, Stop};
use crate::board::{Grid, Move};
use crate::heuristic::Heuristic;

/// Which of the positions with the least f = g + h is expanded first.
///
/// The first found makes A* go on breadth-first among them, the last found depth-first: the last
/// layer, where f is the length of the solution, then need not be gone through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The last found.
    #[default]
    Lifo,
    /// The first found.
    Fifo,
}

/// A* from the position `labels` (see [`Canonical`](crate::board::Canonical)) on `grid`, whose
/// goal has the blank in cell `blank`, for an optimal solution of at most `moves` moves, if that
/// is given. Where `control` allows no other, positions take up to 2 GiB.
pub fn a_star<H: Heuristic>(
    grid: Grid,
    blank: usize,
    labels: &[u8],
    heuristic: &H,
    ties: Ties,
    moves: Option<u32>,
    control: &Control,
) -> Outcome {
    let mut outcome = Outcome::default();
    let mut graph = Graph::new(grid, control);
    let mut hand = Hand::new(grid, blank, labels);
    let mut child = hand.clone();
    let state = heuristic.start(labels);
    let most = moves.unwrap_or(u32::from(u16::MAX) - 1);
    let mut f = heuristic.value(&state) as usize;
    outcome.lower_bound = f as u32;
    if hand.is_goal() {
        outcome.path = Some(crate::board::Path::default());
        return outcome;
    }
    let Ok(start) = graph.start(labels, state) else {
        outcome.stopped = Some(Stop::Memory);
        return outcome;
    };
    let mut open = Open { buckets: Vec::new(), ties };
    if f <= most as usize {
        open.push(f, start);
    }
    loop {
        let Some(number) = open.pop(&mut f) else {
            outcome.lower_bound = outcome.lower_bound.max(most.saturating_add(1));
            outcome.stopped = Some(Stop::Moves);
            return outcome;
        };
        outcome.lower_bound = f as u32;
        if std::mem::replace(&mut graph.node(number).closed, true) {
            continue;
        }
        outcome.expanded += 1;
        if outcome.expanded.is_multiple_of(1024) {
            outcome.stopped = control.check(outcome.generated);
            if outcome.stopped.is_some() {
                return outcome;
            }
        }
        hand.take(&graph, number, blank);
        let depth = u32::from(graph.node(number).depth) + 1;
        let last = graph.last(number);
        for m in Move::ALL {
            if last == Some(m.opposite()) {
                continue;
            }
            child.labels.copy_from_slice(&hand.labels);
            child.empty = hand.empty;
            let Some((from, to)) = child.make(m) else { continue };
            outcome.generated += 1;
            let state = heuristic.moved(graph.state(number), &child.labels, from, to);
            let value = heuristic.value(&state);
            let total = (depth + value) as usize;
            if total > most as usize {
                continue;
            }
            match graph.enter(&child.labels, Some((number, m)), || state) {
                Err(Full) => {
                    outcome.stopped = Some(Stop::Memory);
                    return outcome;
                }
                Ok(Entered::Known) => {}
                Ok(Entered::New(found) | Entered::Shorter(found)) => {
                    // All solutions have one parity, so none is shorter than f + 1.
                    if value == 0 && total <= f + 1 && child.is_goal() {
                        outcome.lower_bound = depth;
                        outcome.path = Some(graph.path(found));
                        return outcome;
                    }
                    // Where the heuristic is not consistent, a child may seem nearer than it is.
                    open.push(total.max(f), found);
                }
            }
        }
    }
}

/// Breadth-first search from the position `labels`, as [`a_star`] without a heuristic.
pub fn bfs(
    grid: Grid,
    blank: usize,
    labels: &[u8],
    moves: Option<u32>,
    control: &Control,
) -> Outcome {
    a_star(grid, blank, labels, &Blind, Ties::Fifo, moves, control)
}

/// Knows nothing.
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

    /// The next position, and its f, which never sinks: the heuristics are consistent.
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
    use crate::heuristic::{Manhattan, WalkingDistance};

    fn grid(width: usize, height: usize) -> Grid {
        Grid::new(width, height).unwrap()
    }

    const HARDEST: [u8; 9] = [8, 0, 6, 5, 4, 7, 2, 3, 1];

    #[test]
    fn all_of_them_are_optimal() {
        let grid = grid(3, 3);
        let control = Control::default();
        let manhattan = Manhattan::new(grid, 0);
        let of = |ties| a_star(grid, 0, &HARDEST, &manhattan, ties, None, &control);
        for outcome in [of(Ties::Lifo), of(Ties::Fifo), bfs(grid, 0, &HARDEST, None, &control)] {
            assert_eq!((outcome.lower_bound, outcome.stopped), (31, None));
            assert_eq!(outcome.path.unwrap().len(), 31);
        }
    }

    #[test]
    fn limits_are_kept() {
        let three = grid(3, 3);
        let control = Control::default();
        let found =
            |outcome: Outcome| (outcome.path.is_some(), outcome.lower_bound, outcome.stopped);
        for moves in [0, 1, 29, 30] {
            let outcome = bfs(three, 0, &HARDEST, Some(moves), &control);
            assert_eq!(found(outcome), (false, moves + 1, Some(Stop::Moves)));
        }
        assert_eq!(found(bfs(three, 0, &HARDEST, Some(31), &control)), (true, 31, None));
        let (solved, bound, stop) =
            found(bfs(three, 0, &HARDEST, None, &control.clone().with_memory(1 << 20)));
        assert_eq!((solved, stop), (false, Some(Stop::Memory)));
        assert!(bound > 5 && bound < 31);
        let outcome = bfs(three, 0, &HARDEST, None, &control.with_nodes(2000));
        assert_eq!(outcome.stopped, Some(Stop::Nodes));
    }

    #[test]
    fn ties_change_the_nodes_and_not_the_length() {
        let four = grid(4, 4);
        let mut labels: Vec<u8> = (0..16).collect();
        let mut empty = 0;
        for i in 0..300 {
            let Some(from) = four.source(empty, Move::ALL[(i * i * i + i / 5) % 4]) else {
                continue;
            };
            labels.swap(empty, from);
            empty = from;
        }
        let walking = WalkingDistance::new(four, 0).unwrap();
        let solve = |ties| a_star(four, 0, &labels, &walking, ties, None, &Control::default());
        let (lifo, fifo) = (solve(Ties::Lifo), solve(Ties::Fifo));
        assert_eq!(lifo.lower_bound, fifo.lower_bound);
        assert!(lifo.expanded < fifo.expanded, "{} {}", lifo.expanded, fifo.expanded);
    }
}
