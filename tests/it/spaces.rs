//! Distances of all positions near a goal against the published counts. Whole spaces are in solving.rs.

use crate::common::{Random, engine, every, grid, histogram, near, published};
use rayon::prelude::*;
use taquin_classics::{WalkingDistance, ida_star};
use taquin_engine::board::{Grid, Metric, Position};
use taquin_engine::search::{Engine, Limits};

fn length(engine: &Engine, position: &Position) -> usize {
    let outcome = engine.solve(position, &Limits::default()).expect("the tables are sound");
    let path = outcome.path.as_ref().expect("it is solvable");
    assert_eq!(outcome.lower_bound() as usize, path.len());
    path.len()
}

/// Positions up to a distance are solved at that distance, and there are as many as published.
fn solved_at_their_depth(grid: Grid, blank: usize, place: &str, partition: &str, depth: u32) {
    let engine = engine(&[partition], grid, blank);
    let positions = near(grid, blank, Metric::Single, depth, usize::MAX);
    let counts = histogram(positions.iter().map(|(_, distance, _)| *distance as usize));
    assert_eq!(counts, published(grid, "stm", place)[..=depth as usize], "{grid} {place}");
    positions.par_iter().step_by(every(5)).for_each(|(labels, distance, _)| {
        let position = Position::new(grid, blank, labels).expect("moves lead there");
        assert_eq!(length(&engine, &position), *distance as usize, "{position:?}");
    });
}

#[test]
fn positions_of_4x4_near_goals_on_an_edge_and_in_the_centre() {
    solved_at_their_depth(grid(4, 4), 1, "edge", "7-8", 13);
    solved_at_their_depth(grid(4, 4), 5, "center", "5-5-5", 13);
}

#[test]
fn positions_of_4x3_near_the_goal_and_far() {
    solved_at_their_depth(grid(4, 3), 0, "corner", "1,2,3,4,5/6,7,8,9,10,11", 18);
    let engine = engine(&["1,2,3,4,5/6,7,8,9,10,11"], grid(4, 3), 0);
    let mut random = Random(11);
    let sample: Vec<Position> = (0..2000).map(|_| random.position(grid(4, 3))).collect();
    let lengths: Vec<usize> = sample.par_iter().map(|board| length(&engine, board)).collect();
    let walking = WalkingDistance::new(grid(4, 3), 0).unwrap();
    sample.par_iter().zip(&lengths).take(200).for_each(|(position, &length)| {
        let plain = ida_star(position, &walking, &Limits::default());
        assert_eq!(plain.lower_bound() as usize, length, "{position:?}");
    });
    // The mean of the sample is that of the space, within 5 standard deviations.
    let counts = published(grid(4, 3), "stm", "corner");
    let moment = |power: i32| {
        let sum: f64 =
            counts.iter().zip(0..).map(|(&n, d)| n as f64 * f64::from(d).powi(power)).sum();
        sum / counts.iter().sum::<usize>() as f64
    };
    let deviation = (moment(2) - moment(1).powi(2)).sqrt() / (lengths.len() as f64).sqrt();
    let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
    assert!((mean - moment(1)).abs() < 5.0 * deviation, "{mean} {}", moment(1));
}
