//! The numbers of a network by gradient descent, on the sum of weights that are kept as they are.
//!
//! The loss is that of [`descent`](crate::descent). Steps are those of Adam (Kingma & Ba 2015), each for some
//! samples, and become shorter to the end.

use rayon::prelude::*;
use taquin_engine::board::{Grid, Random, transposed};
use taquin_engine::search::{Learned, Network, Patches, STEP, Weights};

use crate::beam::Sample;
use crate::descent::{exp, ln};

const UNITS: usize = Network::UNITS;
type Units = [f32; UNITS];

/// The samples of a step, and of a part of it, whose sum a thread makes.
const BATCH: usize = 128;
const PART: usize = 64;

/// The first steps, which become longer, the longest, and the last ones as a part of it.
const WARM: f32 = 200.0;
const RATE: f32 = 7e-4;
const LAST: f32 = 0.02;

/// The shares of the means of slopes, and of their squares, that a step keeps.
const KEPT: [f32; 2] = [0.9, 0.999];

/// Errors of probabilities too small to learn from.
const NEGLIGIBLE: f32 = 1e-3;

/// Numbers for each row of units, and the scale of the weights.
#[derive(Clone)]
struct Numbers {
    /// The rows by place in a patch and class.
    rows: Vec<Units>,
    /// The rank that a move is worth.
    scale: f32,
}

impl Numbers {
    fn zero() -> Numbers {
        Numbers { rows: vec![[0.0; UNITS]; Patches::PLACES * Patches::CLASSES], scale: 0.0 }
    }

    fn each(&self) -> impl Iterator<Item = &f32> {
        self.rows.iter().flatten().chain([&self.scale])
    }

    fn each_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.iter_mut().flatten().chain([&mut self.scale])
    }

    /// A sum of units, of which the first half count.
    fn sum(units: &Units) -> f32 {
        let (more, less) = units.split_at(UNITS / 2);
        more.iter().zip(less).map(|(more, less)| more.max(0.0) - less.max(0.0)).sum()
    }
}

/// Learns from samples, and from the transposed ones. Returns the network and the mean loss of the last pass.
pub fn learn(views: &[Vec<View>], samples: &[Sample], passes: usize, seed: u64) -> (Network, f64) {
    let mut random = Random::new(seed);
    let mut numbers = Numbers::zero();
    for number in numbers.rows.iter_mut().flatten() {
        *number = (random.below(2001) as f32 - 1000.0) / 20_000.0;
    }
    numbers.scale = 1.9;
    let mut means = [Numbers::zero(), Numbers::zero()];
    let mut powers = [1.0; 2];
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let steps = passes * samples.len().div_ceil(BATCH);
    let (mut step, mut loss) = (0, 0.0);
    for pass in 0..passes {
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last + 1));
        }
        loss = 0.0;
        for batch in order.chunks(BATCH) {
            let parts: Vec<(f64, Numbers)> = batch
                .par_chunks(PART)
                .map(|part| {
                    let mut slopes = Numbers::zero();
                    let loss = part.iter().map(|&i| {
                        let Sample { size, goal_blank, labels } = &samples[i];
                        let views = &views[*size];
                        let (view, labels) = match (i + pass) % 2 {
                            0 => (&views[*goal_blank], labels.clone()),
                            _ => views[*goal_blank].transposed(views, labels),
                        };
                        view.learn(&numbers, &labels, &mut slopes)
                    });
                    (loss.sum(), slopes)
                })
                .collect();
            loss += parts.iter().map(|(loss, _)| loss).sum::<f64>();
            step += 1;
            let rate = (1.0 - step as f32 / steps as f32).max(LAST) * (step as f32 / WARM).min(1.0);
            powers = [powers[0] * KEPT[0], powers[1] * KEPT[1]];
            let [first, second] = &mut means;
            let mut of_parts: Vec<_> = parts.iter().map(|(_, slopes)| slopes.each()).collect();
            for ((number, mean), square) in
                numbers.each_mut().zip(first.each_mut()).zip(second.each_mut())
            {
                let slope: f32 = of_parts.iter_mut().filter_map(Iterator::next).sum();
                let slope = slope / batch.len() as f32;
                *mean = KEPT[0] * *mean + (1.0 - KEPT[0]) * slope;
                *square = KEPT[1] * *square + (1.0 - KEPT[1]) * slope * slope;
                let unbiased = [*mean / (1.0 - powers[0]), *square / (1.0 - powers[1])];
                *number -= RATE * rate * unbiased[0] / (unbiased[1].sqrt() + 1e-6);
            }
            let most = f32::from(Network::MOST) / STEP as f32 * numbers.scale;
            for number in numbers.rows.iter_mut().flatten() {
                *number = number.clamp(-most, most);
            }
        }
    }
    let most = f32::from(Network::MOST);
    let whole =
        |number: &f32| (number / numbers.scale * STEP as f32).round().clamp(-most, most) as i16;
    let network = Network::new(numbers.rows.iter().flatten().map(whole));
    (network.expect("they are as many, and small"), loss / samples.len() as f64)
}

/// The view that the network has of positions with a certain goal.
pub struct View {
    grid: Grid,
    goal_blank: usize,
    weights: Learned,
    /// The classes by cell and label.
    classes: Vec<usize>,
    /// The cells of each patch.
    patches: Vec<[Option<usize>; Patches::PLACES]>,
}

impl View {
    pub fn new(grid: Grid, goal_blank: usize, weights: &Weights) -> View {
        let (patches, cells) = (Patches::new(grid, goal_blank), grid.cells());
        View {
            grid,
            goal_blank,
            weights: Learned::with_weights(grid, goal_blank, weights),
            classes: (0..cells * cells).map(|i| patches.class(i % cells, i / cells)).collect(),
            patches: (0..cells).map(|cell| patches.cells(cell)).collect(),
        }
    }

    /// The guide by the weights, and by a network if there is one.
    pub fn guide(&self, network: Option<&Network>) -> Learned {
        let weights = self.weights.clone();
        match network {
            Some(network) => weights.with_network(network),
            None => weights,
        }
    }

    /// The transposes of positions, and their view among those of the size.
    fn transposed<'v>(&self, views: &'v [View], labels: &[u8]) -> (&'v View, Vec<u8>) {
        let (row, column) = (self.grid.row(self.goal_blank), self.grid.column(self.goal_blank));
        let positions = labels.chunks_exact(self.grid.cells());
        let labels = positions.flat_map(|labels| transposed(self.grid, labels)).collect();
        (&views[column * self.grid.width() + row], labels)
    }

    /// The ranks of positions by these numbers, and how they come about.
    fn ranks(&self, numbers: &Numbers, labels: &[u8]) -> Ranks {
        let mut ranks = Ranks::default();
        for labels in labels.chunks_exact(self.grid.cells()) {
            let weights = self.weights.sum(labels) as f32 / STEP as f32;
            let mut rank = numbers.scale * weights;
            for patch in &self.patches {
                let begin = ranks.rows.len();
                ranks.rows.extend(self.rows(labels, patch));
                let mut units = [0.0; UNITS];
                for &row in &ranks.rows[begin..] {
                    for (unit, number) in units.iter_mut().zip(&numbers.rows[row]) {
                        *unit += number;
                    }
                }
                rank += Numbers::sum(&units);
                ranks.units.push(units);
            }
            ranks.ranks.push(rank);
            ranks.weights.push(weights);
        }
        ranks
    }

    /// Adds the slopes of a sample's loss. Returns the loss.
    fn learn(&self, numbers: &Numbers, labels: &[u8], slopes: &mut Numbers) -> f64 {
        let Ranks { ranks, weights, rows, units } = self.ranks(numbers, labels);
        let lowest = ranks.iter().copied().fold(f32::INFINITY, f32::min);
        let exps: Vec<f64> = ranks.iter().map(|rank| exp(f64::from(lowest - rank))).collect();
        let sum: f64 = exps.iter().sum();
        let patches = self.patches.len();
        let units = units.chunks_exact(patches);
        let rows = rows.chunks_exact(patches * Patches::PLACES);
        for (i, ((exp, weights), (units, rows))) in
            exps.iter().zip(&weights).zip(units.zip(rows)).enumerate()
        {
            let error = f32::from(u8::from(i == 0)) - (exp / sum) as f32;
            if error.abs() < NEGLIGIBLE {
                continue;
            }
            slopes.scale += error * weights;
            for (units, rows) in units.iter().zip(rows.chunks_exact(Patches::PLACES)) {
                let mut change = [0.0; UNITS];
                for (unit, change) in change.iter_mut().enumerate() {
                    let error = if unit < UNITS / 2 { error } else { -error };
                    *change = if units[unit] > 0.0 { error } else { 0.0 };
                }
                for &row in rows {
                    for (slope, change) in slopes.rows[row].iter_mut().zip(&change) {
                        *slope += change;
                    }
                }
            }
        }
        ln(sum) - f64::from(lowest - ranks[0])
    }

    /// The rows of the cells of a patch.
    fn rows<'a>(
        &'a self,
        labels: &'a [u8],
        patch: &'a [Option<usize>; Patches::PLACES],
    ) -> impl Iterator<Item = usize> + 'a {
        patch.iter().enumerate().map(|(place, cell)| {
            let class = |cell: usize| self.classes[cell * labels.len() + usize::from(labels[cell])];
            place * Patches::CLASSES + cell.map_or(Patches::OUTSIDE, class)
        })
    }
}

/// The ranks of positions.
#[derive(Default)]
struct Ranks {
    ranks: Vec<f32>,
    /// The sums of weights, in moves.
    weights: Vec<f32>,
    /// The row of numbers that counts, by position, patch and place.
    rows: Vec<usize>,
    /// The units by position and patch.
    units: Vec<Units>,
}

#[cfg(test)]
mod tests {
    use taquin_engine::board::{Canonical, Goal, Metric};
    use taquin_engine::search::LearnedNumbers;

    use super::*;

    #[test]
    fn ranks_are_those_of_the_engine() {
        let grid = Grid::new(5, 5).unwrap();
        let weights = LearnedNumbers::get().unwrap().weights(Metric::Single);
        let most = f32::from(Network::MOST);
        let network = (0..Network::COUNT).map(|i| (i * 7919 % 4001) as i16 - Network::MOST);
        let network = Network::new(network).unwrap();
        let file = network.file("");
        let numbers = file[file.len() - 8 - 2 * Network::COUNT..].as_chunks().0;
        let mut rows = Numbers::zero();
        for (number, &bytes) in rows.rows.iter_mut().flatten().zip(numbers) {
            *number = f32::from(i16::from_le_bytes(bytes)) / most;
        }
        rows.scale = STEP as f32 / most;
        for blank in [0, 8, 24] {
            let view = View::new(grid, blank, weights);
            let guide = view.guide(Some(&network));
            for seed in 0..20 {
                let goal = Goal::named("blank-first", grid).unwrap();
                let board = goal.random_board(&mut Random::new(seed));
                let labels = Canonical::of(&goal).position(&board).unwrap().labels().to_vec();
                let rank = view.ranks(&rows, &labels).ranks[0] * most;
                assert!((rank - guide.sum(&labels) as f32).abs() < 1.0, "{rank}");
            }
        }
    }
}
