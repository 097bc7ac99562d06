//! Best-first search: A*, A* in batches, and breadth-first search, which is A* without a heuristic.
//!
//! 1. The open positions wait in order of f = w·g + h: g moves led there, and h is the value.
//! 2. The positions of the least f are expanded: one, or a batch of them. Their children are valued together.
//! 3. A child that is new, or is reached in fewer moves than before, is open.
//! 4. The search ends when no open position has an f below w times the length of the best solution.
//!
//! It keeps every position, in about 30 bytes for 16 cells, so memory is its limit. If a position is reached
//! again in fewer moves, its value is computed again.
//!
//! - A*: Hart, Nilsson & Raphael, *A formal basis for the heuristic determination of minimum cost paths*,
//!   IEEE Transactions on Systems Science and Cybernetics 4 (1968).
//! - Batches and the weight: Agostinelli, McAleer, Shmakov & Baldi, *Solving the Rubik's cube with deep
//!   reinforcement learning and search*, Nature Machine Intelligence 1 (2019).

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;

use taquin_engine::board::{Metric, Move, Moves, Position};
use taquin_engine::search::{Event, Limits, Outcome, Stop};

use crate::graph::{Graph, GraphNode};
use crate::{Evaluate, Heuristic};

/// The order of expansion among the positions with the least f = g + h.
///
/// If the first found goes first, A* is breadth-first among them. If the last found goes first, A* is
/// depth-first, and need not search the whole last layer, where f is the length of the solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ties {
    /// The last found.
    #[default]
    Lifo,
    /// The first found.
    Fifo,
}

/// The most moves that the graph counts: a child is one deeper.
const MAX_DEPTH: u32 = u16::MAX as u32 - 1;

/// A best-first search.
struct Policy {
    ties: Ties,
    /// The positions expanded at once.
    batch: usize,
    /// The weight of the moves made.
    weight: f64,
    /// The most moves of a solution.
    most: u32,
    /// The values are of an admissible heuristic with the parity of the distance, and the weight is 1: the
    /// least f is a lower bound.
    proves: bool,
}

/// A* for an optimal solution of a position. Unless `limits` limit the memory, positions take up to 2 GiB.
///
/// The heuristic need not be consistent: a position that is reached in fewer moves later is expanded again.
///
/// The heuristic must be one of the position's goal. With another one the search may panic, not
/// end, or find a solution that is not optimal.
pub fn a_star<H: Heuristic>(
    position: &Position,
    heuristic: &H,
    ties: Ties,
    limits: &Limits,
) -> Outcome {
    let value = |labels: &[u8]| heuristic.value(&heuristic.start(labels));
    a_star_by(position, value, ties, limits)
}

/// Breadth-first search: A* without a heuristic.
pub fn bfs(position: &Position, limits: &Limits) -> Outcome {
    Outcome { value: None, ..a_star_by(position, |_| 0, Ties::Fifo, limits) }
}

/// [`a_star`] with the values of positions.
pub(crate) fn a_star_by(
    position: &Position,
    value: impl Fn(&[u8]) -> u32,
    ties: Ties,
    limits: &Limits,
) -> Outcome {
    let most = limits.moves.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
    let policy = Policy { ties, batch: 1, weight: 1.0, most, proves: true };
    let mut values = |positions: &[Box<[u8]>]| -> Result<Vec<f64>, Infallible> {
        Ok(positions.iter().map(|labels| f64::from(value(labels))).collect())
    };
    let Ok(outcome) = best_first(position, &policy, limits, &mut values);
    outcome
}

/// A* with values from outside, of up to `batch` expanded positions at a time.
///
/// With a weight of 1 and an admissible heuristic the solution is optimal. A smaller weight takes fewer
/// nodes and may give a longer solution; 0 is greedy. Unless `limits` limit the memory, positions
/// take up to 2 GiB.
///
/// # Errors
/// The error of `evaluate`.
pub fn batch_a_star<E>(
    position: &Position,
    batch: usize,
    weight: f64,
    limits: &Limits,
    evaluate: &mut Evaluate<'_, E>,
) -> Result<Outcome, E> {
    let policy =
        Policy { ties: Ties::Lifo, batch: batch.max(1), weight, most: MAX_DEPTH, proves: false };
    best_first(position, &policy, limits, evaluate)
}

fn best_first<E>(
    position: &Position,
    policy: &Policy,
    limits: &Limits,
    evaluate: &mut Evaluate<'_, E>,
) -> Result<Outcome, E> {
    let &Policy { ties, batch, weight, most, proves } = policy;
    let is_goal = position.is_goal();
    let h = if is_goal { 0.0 } else { evaluate(&[position.labels().into()])?[0] };
    let mut outcome = match proves {
        true => Outcome::new(position, Metric::Single, h as u32),
        false => Outcome::default(),
    };
    if is_goal {
        return Ok(Outcome { path: Some(Moves::default()), ..outcome });
    }
    let mut graph = Graph::new(position.grid(), limits);
    let mut open = Open { queues: BTreeMap::new(), ties };
    // Only the values of a bound have a limit.
    let fits = |f: f64| !proves || f <= f64::from(most);
    // The best solution: its last position and its length.
    let mut best: Option<(u32, u16)> = None;
    let mut reported = 0;
    let (mut parent, mut child) = (position.clone(), position.clone());
    let (mut reached, mut labels) = (Vec::new(), Vec::new());
    outcome.stopped = 'search: {
        match graph.enter(position.labels(), None) {
            Ok(start) if fits(h) => open.push(h, start.unwrap_or(0)),
            Ok(_) => {}
            Err(stop) => break 'search Some(stop),
        }
        if let Some(stop) = limits.proved(outcome.lower_bound()) {
            break 'search Some(stop);
        }
        loop {
            if !proves || outcome.expanded % 1024 == 1023 {
                limits.report(&Event::Nodes(outcome.generated - reported));
                reported = outcome.generated;
                if let Some(stop) = limits.check(outcome.generated) {
                    break 'search Some(stop);
                }
            }
            let end = best.map_or(f64::INFINITY, |(_, length)| weight * f64::from(length));
            let (least, parents) = open.next(batch, end, &mut graph);
            let Some(least) = least else {
                let bound = outcome.lower_bound().max(most + 1);
                if proves {
                    outcome.raise(best.map_or(bound, |(_, length)| length.into()));
                }
                outcome.path = best.map(|(goal, _)| graph.path(goal));
                let stop = if proves { Stop::Moves } else { Stop::Method };
                break 'search best.is_none().then_some(stop);
            };
            if proves && least as u32 > outcome.lower_bound() {
                outcome.raise(least as u32);
                if let Some(stop) = limits.proved(least as u32) {
                    break 'search Some(stop);
                }
            }
            for number in parents {
                outcome.expanded += 1;
                parent.overwrite(|labels| labels.copy_from_slice(graph.labels(number)));
                let &mut GraphNode { depth, last, .. } = graph.node(number);
                let depth = u32::from(depth) + 1;
                for m in Move::ALL {
                    child.clone_from(&parent);
                    if last == Some(m.opposite()) || child.make(m).is_none() {
                        continue;
                    }
                    outcome.generated += 1;
                    if depth > most {
                        continue;
                    }
                    let found = match graph.enter(child.labels(), Some((number, m))) {
                        Ok(Some(found)) => found,
                        Ok(None) => continue,
                        Err(stop) => break 'search Some(stop),
                    };
                    if !child.is_goal() {
                        reached.push(found);
                        labels.push(child.labels().into());
                        continue;
                    }
                    // A shorter path to the goal has replaced the one before.
                    best = Some((found, depth as u16));
                    // All solutions have one parity, so none is shorter than f + 1.
                    if proves && f64::from(depth) <= least + 1.0 {
                        outcome.raise(depth);
                        outcome.path = Some(graph.path(found));
                        break 'search None;
                    }
                }
            }
            let values = evaluate(&labels)?;
            labels.clear();
            for (number, h) in reached.drain(..).zip(values) {
                let f = weight * f64::from(graph.node(number).depth) + h;
                // With a heuristic that is not consistent, a child's f may be below its parent's f.
                let f = if proves { f.max(least) } else { f };
                if fits(f) {
                    open.push(f, number);
                }
            }
        }
    };
    limits.report(&Event::Nodes(outcome.generated - reported));
    outcome.positions = graph.len() as u64;
    Ok(outcome)
}

/// The positions still to be expanded, by f.
struct Open {
    /// By the bits of f, which sort as f does, since f is not negative.
    queues: BTreeMap<u64, VecDeque<u32>>,
    ties: Ties,
}

impl Open {
    fn push(&mut self, f: f64, number: u32) {
        self.queues.entry(f.to_bits()).or_default().push_back(number);
    }

    /// The least f, if it is below `end`, and the next positions, at most `batch`.
    fn next(&mut self, batch: usize, end: f64, graph: &mut Graph) -> (Option<f64>, Vec<u32>) {
        let (mut least, mut numbers) = (None, Vec::with_capacity(batch.min(1024)));
        while numbers.len() < batch
            && let Some(mut queue) = self.queues.first_entry()
            && f64::from_bits(*queue.key()) < end
        {
            let f = f64::from_bits(*queue.key());
            let next = match self.ties {
                Ties::Lifo => queue.get_mut().pop_back(),
                Ties::Fifo => queue.get_mut().pop_front(),
            };
            match next {
                None => drop(queue.remove()),
                // It may wait twice, if it was reached in fewer moves later.
                Some(number) if std::mem::replace(&mut graph.node(number).closed, true) => {}
                Some(number) => {
                    least.get_or_insert(f);
                    numbers.push(number);
                }
            }
        }
        (least, numbers)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use taquin_engine::board::Grid;

    use crate::WalkingDistance;

    /// One of the two positions of 3×3 at 31 moves from the goal.
    pub fn hardest() -> Position {
        Position::new(Grid::new(3, 3).unwrap(), 0, &[8, 0, 6, 5, 4, 7, 2, 3, 1]).unwrap()
    }

    #[test]
    fn limits_are_kept() {
        let (three, limits) = (hardest(), Limits::default());
        let found =
            |outcome: Outcome| (outcome.path.is_some(), outcome.lower_bound(), outcome.stopped);
        for moves in [0, 1, 29, 30] {
            let outcome = bfs(&three, &limits.clone().moves(moves));
            assert_eq!(found(outcome), (false, moves + 1, Some(Stop::Moves)));
        }
        assert_eq!(found(bfs(&three, &limits.clone().moves(31))), (true, 31, None));
        let (solved, bound, stop) = found(bfs(&three, &limits.clone().memory(1 << 20)));
        assert_eq!((solved, stop), (false, Some(Stop::Memory)));
        assert!(bound > 5 && bound < 31);
        let outcome = bfs(&three, &limits.nodes(2000));
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
        let solve = |ties| a_star(&position, &walking, ties, &Limits::default());
        let (lifo, fifo) = (solve(Ties::Lifo), solve(Ties::Fifo));
        assert_eq!(lifo.lower_bound(), fifo.lower_bound());
        assert!(lifo.expanded < fifo.expanded, "{} {}", lifo.expanded, fifo.expanded);
    }
}
