//! IDA* with a heuristic from outside, such as a program or a function in another language, that values many
//! positions at once. Nothing is known about its values, so the outcomes have no proof.

use taquin_engine::board::{Metric, Move, Moves, Position};
use taquin_engine::search::{Deepening, Limits, Meter, Outcome, Stop, Threshold, Unrecorded};

/// Returns the values of positions, given by their labels, in their order. The list may be empty. A value is a finite
/// number of at least 0. The goal is never asked for.
pub type Evaluate<'a, E> = dyn FnMut(&[Box<[u8]>]) -> Result<Vec<f64>, E> + 'a;

/// IDA* that expands up to `batch` positions at once, the ones found last, and values their children
/// together. Values are rounded up: distances are whole numbers.
///
/// An iteration without a solution expands the positions that [`ida_star`](crate::ida_star()) expands.
/// The last one may expand more.
///
/// # Errors
/// The error of `evaluate`.
pub fn batch_ida_star<E>(
    position: &Position,
    batch: usize,
    limits: &Limits,
    evaluate: &mut Evaluate<'_, E>,
) -> Result<Outcome, E> {
    let whole = |h: f64| h.ceil().min(f64::from(u32::MAX / 2)) as u32;
    let bound = match position.is_goal() {
        true => 0,
        false => whole(evaluate(&[position.labels().into()])?[0]),
    };
    let mut meter = Meter::new(limits);
    let mut failure = None;
    let iterate = |threshold: &Threshold, _: &Limits, outcome: &mut Outcome| {
        let (mut end, mut next) = (Ok(None), u32::MAX);
        let mut stack = vec![(position.clone(), Vec::new())];
        'iteration: while !stack.is_empty() {
            let (mut children, mut labels) = (Vec::new(), Vec::new());
            for (parent, path) in stack.split_off(stack.len().saturating_sub(batch.max(1))) {
                if let Err(stop) = meter.expand() {
                    end = Err(stop);
                    break 'iteration;
                }
                for m in Move::ALL {
                    let mut child = parent.clone();
                    if path.last() == Some(&m.opposite()) || child.make(m).is_none() {
                        continue;
                    }
                    meter.generated += 1;
                    let path = [&path[..], &[m]].concat();
                    if !child.is_goal() {
                        labels.push(child.labels().into());
                        children.push((child, path));
                    } else if path.len() as u32 <= threshold.bound {
                        end = Ok(Some(Moves(path)));
                        break 'iteration;
                    } else {
                        next = next.min(path.len() as u32);
                    }
                }
            }
            match evaluate(&labels) {
                Ok(values) => {
                    for ((child, path), h) in children.into_iter().zip(values).rev() {
                        let f = (path.len() as u32).saturating_add(whole(h));
                        if f <= threshold.bound {
                            stack.push((child, path));
                        } else {
                            next = next.min(f);
                        }
                    }
                }
                Err(error) => {
                    failure = Some(error);
                    end = Err(Stop::Cancelled);
                    break;
                }
            }
        }
        if next == u32::MAX && end == Ok(None) {
            end = Err(Stop::Method);
        }
        meter.write_to(outcome);
        (end, next)
    };
    let outcome = Unrecorded::new(position, Metric::Single, bound, iterate).run(limits);
    let outcome = outcome.expect("it reads no table");
    // The values prove nothing.
    failure.map_or(Ok(Outcome { proof: None, ..outcome }), Err)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use taquin_engine::board::Grid;

    use crate::best_first::tests::hardest;
    use crate::{Heuristic, Manhattan, batch_a_star, ida_star};

    fn values(labels: &[Box<[u8]>]) -> Result<Vec<f64>, Infallible> {
        let manhattan = Manhattan::new(Grid::new(3, 3).unwrap(), 0);
        let value = |labels: &[u8]| f64::from(manhattan.value(&manhattan.start(labels)));
        Ok(labels.iter().map(|labels| value(labels)).collect())
    }

    #[test]
    fn admissible_values_give_optimal_solutions() {
        let limits = Limits::default();
        for batch in [1, 7, 1000] {
            let star = batch_a_star(&hardest(), batch, 1.0, &limits, &mut values).unwrap();
            let ida = batch_ida_star(&hardest(), batch, &limits, &mut values).unwrap();
            for outcome in [star, ida] {
                assert_eq!((outcome.stopped, outcome.proof.is_none()), (None, true));
                let mut end = hardest();
                let path = outcome.path.unwrap();
                path.iter().for_each(|m| assert!(end.make(m).is_some()));
                assert_eq!((path.len(), end.is_goal()), (31, true));
            }
        }
        // A batch of one is the plain search.
        let ida = batch_ida_star(&hardest(), 1, &limits, &mut values).unwrap();
        let plain = ida_star(&hardest(), &Manhattan::new(hardest().grid(), 0), &limits);
        assert!(ida.expanded.abs_diff(plain.expanded) < plain.expanded / 10);
    }

    #[test]
    fn a_small_weight_takes_fewer_nodes() {
        let limits = Limits::default();
        let of = |weight| batch_a_star(&hardest(), 10, weight, &limits, &mut values).unwrap();
        let (greedy, optimal) = (of(0.2), of(1.0));
        assert!(greedy.generated < optimal.generated && greedy.path.unwrap().len() >= 31);
    }

    /// The last found goes first. This path to the goal would be longer than depths are counted.
    #[test]
    fn paths_are_as_long_as_depths_are_counted() {
        let mut start = Position::goal(Grid::new(3, 3).unwrap(), 0);
        for i in 0..22_usize {
            start.make(Move::ALL[(i * i * i + i / 5) % 4]);
        }
        let mut value = 1e6;
        let mut deeper = |labels: &[Box<[u8]>]| -> Result<Vec<f64>, Infallible> {
            value -= 1.0;
            Ok(vec![value; labels.len()])
        };
        let outcome = batch_a_star(&start, 1, 0.0, &Limits::default(), &mut deeper).unwrap();
        assert_eq!(outcome.path.unwrap().len(), 65_534);
    }

    #[test]
    fn values_may_be_large() {
        let mut large = |labels: &[Box<[u8]>]| -> Result<Vec<f64>, Infallible> {
            Ok(values(labels)?.into_iter().map(|value| 1e5 * value).collect())
        };
        let limits = Limits::default();
        let outcome = batch_a_star(&hardest(), 1, 1.0, &limits, &mut large).unwrap();
        assert!(outcome.path.is_some());
    }

    #[test]
    fn limits_and_errors_end_a_search() {
        let few = Limits::default().nodes(50);
        let outcome = batch_a_star(&hardest(), 4, 1.0, &few, &mut values).unwrap();
        assert_eq!((outcome.stopped, outcome.path), (Some(Stop::Nodes), None));
        let outcome = batch_ida_star(&hardest(), 4, &few, &mut values).unwrap();
        assert_eq!((outcome.stopped, outcome.path), (Some(Stop::Nodes), None));
        let mut left = 5;
        let mut broken = |labels: &[Box<[u8]>]| {
            left -= 1;
            if left > 0 { Ok(values(labels).unwrap()) } else { Err("broken") }
        };
        let limits = Limits::default();
        assert_eq!(batch_ida_star(&hardest(), 4, &limits, &mut broken), Err("broken"));
        assert_eq!(batch_a_star(&hardest(), 4, 1.0, &limits, &mut broken), Err("broken"));
    }
}
