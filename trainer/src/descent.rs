//! Weights by gradient descent.
//!
//! The loss of a sample is the cross-entropy of the position on the way to the solution, if positions are
//! as probable as the exponential of their negative ranks. Steps are those of AdaGrad (Duchi, Hazan &
//! Singer 2011), and the result is the mean of the weights during the last pass.

use taquin_engine::board::Random;
use taquin_engine::search::{STEP, Terms, Weights};

use crate::beam::Sample;
use crate::features::Features;

/// The size of steps.
const RATE: f32 = 0.05;

/// The part of a weight that each step takes off, but for weights of distances.
const DECAY: f32 = 1e-4;

/// The samples after which the weights are added to their mean.
const EVERY: usize = 1000;

/// Errors of probabilities too small to learn from.
const NEGLIGIBLE: f32 = 1e-3;

/// Weights, and how much has been learned about each.
pub struct Descent {
    weights: Vec<f32>,
    /// The sum of the squares of its gradients.
    squares: Vec<f32>,
}

/// The weight of a tile's distance, and of the cubes along both axes, before anything is learned.
const DISTANCE: f32 = 0.5;
const CUBES: (usize, f32) = (3, 1.35);

impl Descent {
    pub fn new() -> Descent {
        let mut weights = vec![0.0; Terms::COUNT];
        (weights[0], weights[CUBES.0]) = (DISTANCE, CUBES.1);
        Descent { weights, squares: vec![0.1; Terms::COUNT] }
    }

    /// The first weights, for the engine.
    pub fn first() -> Weights {
        let first = Descent::new().weights;
        let weights = first.iter().map(|weight| (weight * STEP as f32) as i16);
        Weights::new(weights).expect("there is one for each term")
    }

    /// Learns from samples. Returns the mean weights and the mean loss of the last pass.
    pub fn run(
        &mut self,
        features: &[Vec<Features>],
        samples: &[&Sample],
        passes: usize,
        seed: u64,
    ) -> (Vec<f32>, f64) {
        let mut random = Random::new(seed);
        let mut order: Vec<usize> = (0..samples.len()).collect();
        let mut gradient = Gradient { values: vec![0.0; Terms::COUNT], touched: Vec::new() };
        let (mut sums, mut count) = (vec![0.0; Terms::COUNT], 0.0);
        let mut loss = 0.0;
        for pass in 1..=passes {
            for last in (1..order.len()).rev() {
                order.swap(last, random.below(last + 1));
            }
            loss = 0.0;
            for (i, &sample) in order.iter().enumerate() {
                let sample = samples[sample];
                let features = &features[sample.size][sample.goal_blank];
                loss += self.learn(features, &sample.labels, &mut gradient);
                if pass == passes && i % EVERY == 0 {
                    count += 1.0;
                    for (sum, &weight) in sums.iter_mut().zip(&self.weights) {
                        *sum += f64::from(weight);
                    }
                }
            }
        }
        (sums.iter().map(|sum| (sum / count) as f32).collect(), loss / samples.len() as f64)
    }

    /// Makes a step. Returns the loss before it.
    fn learn(&mut self, features: &Features, labels: &[u8], gradient: &mut Gradient) -> f64 {
        let positions = || labels.chunks_exact(features.grid().cells());
        let ranks: Vec<f32> =
            positions().map(|labels| features.rank(labels, &self.weights)).collect();
        let lowest = ranks.iter().copied().fold(f32::INFINITY, f32::min);
        let exps: Vec<f64> = ranks.iter().map(|rank| exp(f64::from(lowest - rank))).collect();
        let sum: f64 = exps.iter().sum();
        for (i, (position, exp)) in positions().zip(&exps).enumerate() {
            let error = f32::from(u8::from(i == 0)) - (exp / sum) as f32;
            if error.abs() >= NEGLIGIBLE {
                features.each(position, |weight, times| gradient.add(weight, error * times));
            }
        }
        for &weight in &gradient.touched {
            let mut slope = std::mem::take(&mut gradient.values[weight]);
            // A second time: it was done.
            if slope == 0.0 {
                continue;
            }
            if weight > CUBES.0 {
                slope += DECAY * self.weights[weight];
            }
            self.squares[weight] += slope * slope;
            self.weights[weight] -= RATE * slope / self.squares[weight].sqrt();
        }
        gradient.touched.clear();
        ln(sum) - f64::from(lowest - ranks[0])
    }
}

/// The slope of a loss by the weights, of which few are touched.
struct Gradient {
    values: Vec<f32>,
    touched: Vec<usize>,
}

impl Gradient {
    fn add(&mut self, weight: usize, slope: f32) {
        if self.values[weight] == 0.0 {
            self.touched.push(weight);
        }
        self.values[weight] += slope;
    }
}

/// The exponential of a number that is not positive. The last bit of the standard library's depends on the
/// system.
pub fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    // Squared ten times, after a series that converges at once.
    let small = x / 1024.0;
    let mut term = 1.0;
    let mut sum = 1.0;
    for n in 1..=12 {
        term *= small / f64::from(n);
        sum += term;
    }
    (0..10).fold(sum, |power, _| power * power)
}

/// The logarithm of a number from 1 on, by Newton's method.
pub fn ln(x: f64) -> f64 {
    let mut y = 0.0;
    for _ in 0..40 {
        y += x * exp(-y) - 1.0;
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_and_logarithms_are_close() {
        for i in 0..200 {
            let x = f64::from(i) / 7.0;
            assert!((exp(-x) / (-x).exp() - 1.0).abs() < 1e-11, "{x}");
            assert!((ln(1.0 + x) - (1.0 + x).ln()).abs() < 1e-9, "{x}");
        }
        assert_eq!(exp(-1e9), 0.0);
    }
}
