//! Means, deviations, and intervals.

use crate::board::Random;

/// The seed of the resamples.
pub const SEED: u64 = 1;

/// The mean; not a number for none.
pub fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}

/// The mean, if there are values.
pub fn average(values: impl Iterator<Item = f64>) -> Option<f64> {
    Some(mean(values)).filter(|mean| !mean.is_nan())
}

/// The mean, and its standard error; 0 for fewer than two values, which do not show it.
pub fn estimate(values: &[f64]) -> (f64, f64) {
    let (mean, count) = (mean(values.iter().copied()), values.len() as f64);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let spread = if count > 1.0 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
    (mean, spread / count.sqrt())
}

/// The median of sorted values, of which there is at least one.
pub fn median(sorted: &[f64]) -> f64 {
    (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0
}

/// Pearson's correlation; `None` if one of the two does not vary.
pub fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let [a, b] = [mean(pairs.iter().map(|pair| pair.0)), mean(pairs.iter().map(|pair| pair.1))];
    let sum = |of: fn(f64, f64) -> f64| pairs.iter().map(|&(x, y)| of(x - a, y - b)).sum::<f64>();
    let (both, squares) = (sum(|x, y| x * y), sum(|x, _| x * x) * sum(|_, y| y * y));
    (squares > 0.0).then(|| both / squares.sqrt())
}

/// The number of resamples of `n` boards: fewer of many, so that they take a second at most.
fn resamples(n: usize) -> usize {
    (20_000_000 / n.max(1)).clamp(100, 1000)
}

/// The fewest pairs that have an interval. Of fewer, the interval of a bootstrap is far too narrow.
pub const FEWEST: usize = 10;

/// The ratio of the sums of pairs, and its 95 % interval by the percentiles of a bootstrap: boards are drawn
/// with both their numbers (Efron 1979). With divisors of 1 it is a mean. A divisor of 0 has no ratio, and
/// fewer than [`FEWEST`] pairs have no interval.
pub fn ratio(pairs: &[(f64, f64)]) -> (Option<f64>, Option<(f64, f64)>) {
    let n = pairs.len();
    let ratio = |sums: (f64, f64)| (sums.1 > 0.0).then(|| sums.0 / sums.1);
    let add = |sums: (f64, f64), pair: &(f64, f64)| (sums.0 + pair.0, sums.1 + pair.1);
    let whole = ratio(pairs.iter().fold((0.0, 0.0), add));
    if whole.is_none() || n < FEWEST {
        return (whole, None);
    }
    let mut random = Random::new(SEED);
    let mut draw = |_| ratio((0..n).fold((0.0, 0.0), |sums, _| add(sums, &pairs[random.below(n)])));
    let mut ratios: Vec<f64> = (0..resamples(n)).filter_map(&mut draw).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share).round() as usize];
    (whole, (!ratios.is_empty()).then(|| (at(0.025), at(0.975))))
}

/// The larger side of an interval, as a share of what it is of.
pub fn width(middle: f64, (low, high): (f64, f64)) -> f64 {
    let side = (high - middle).max(middle - low);
    if side > 0.0 { side / middle } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of many samples, the interval of about 95 % holds the true ratio.
    #[test]
    fn intervals_hold_the_truth_nineteen_times_in_twenty() {
        let mut random = Random::new(5);
        // Of few boards, the interval is somewhat too narrow: it holds the truth nine times in ten.
        for (boards, least) in [(80, 175), (FEWEST, 165)] {
            let mut held = 0;
            for _ in 0..200 {
                // Skewed, as nodes are, and correlated; the ratio of the means is 1/2.
                let mut pair = || {
                    let size = -random.unit().max(1e-12).ln();
                    (size * 2.0 * random.unit() * 0.5, size)
                };
                let pairs: Vec<(f64, f64)> = (0..boards).map(|_| pair()).collect();
                let (Some(ratio), Some((low, high))) = ratio(&pairs) else { panic!() };
                assert!(low <= ratio && ratio <= high);
                held += u32::from((low..=high).contains(&0.5));
            }
            assert!((least..=199).contains(&held), "{boards} boards: {held} of 200");
        }
        assert_eq!(ratio(&[(1.0, 2.0); FEWEST - 1]), (Some(0.5), None));
        assert_eq!(ratio(&[(1.0, 0.0); FEWEST]), (None, None));
        assert_eq!(ratio(&[(3.0, 1.0); FEWEST]), (Some(3.0), Some((3.0, 3.0))));
    }

    #[test]
    fn correlations_are_signed() {
        assert_eq!(correlation(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]), Some(1.0));
        assert_eq!(correlation(&[(1.0, 2.0), (2.0, 1.0)]), Some(-1.0));
        assert_eq!(correlation(&[(1.0, 2.0), (1.0, 1.0)]), None);
        assert_eq!((median(&[1.0, 3.0]), median(&[2.0])), (2.0, 2.0));
    }
}
