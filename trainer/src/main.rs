//! Learns the numbers that rank the positions of beams, from solutions of random boards.
//!
//! Each round solves boards by beams with the weights so far, and then teaches the weights to rank the
//! positions on the way to each solution before others of their levels. The weights kept are the mean of
//! the last rounds. A network learns the same on top of the weights in use, from the samples of all rounds.
//!
//! Equal arguments give equal bytes on every machine, for any number of threads: boards come from
//! seeds, sums have an order, and no function is used whose last bit depends on the system.

mod beam;
mod descent;
mod features;
mod network;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::{Parser, ValueEnum};
use rayon::prelude::*;
use taquin_engine::board::{Canonical, Goal, Grid, Metric, Position, Random};
use taquin_engine::search::{Learned, LearnedNumbers, Network, STEP, Terms, Weights};

use crate::beam::{Beam, Sample};
use crate::descent::Descent;
use crate::features::Features;
use crate::network::View;

/// Learns the weights, or the network, that rank the positions of beams.
#[derive(Parser)]
struct Arguments {
    /// File to write
    file: PathBuf,

    /// Boards to learn from: those of the weights in use, or a few small ones that take seconds
    #[arg(long, value_enum, default_value = "full")]
    plan: Name,

    /// Metric that the beams count in: single or multi
    #[arg(long, default_value_t)]
    metric: Metric,

    /// Learn a network on top of the weights in use
    #[arg(long, conflicts_with = "metric")]
    network: bool,

    /// Seed of the boards
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    Full,
    Short,
}

/// The boards of a training, and how it uses them.
struct Plan {
    /// Sizes, and the boards of each size in a round.
    sizes: &'static [(usize, usize)],
    rounds: usize,
    /// The positions of a level.
    width: usize,
    /// The other positions of a level that one on the way to the solution is compared with.
    others: usize,
    /// The passes over the samples of a round.
    passes: usize,
    /// The last rounds, whose mean is kept; a network is that of the last one.
    kept: usize,
}

const FULL: Plan = Plan {
    sizes: &[(10, 80), (8, 300), (7, 500), (6, 3000), (5, 1000)],
    rounds: 5,
    width: 1000,
    others: 10,
    passes: 3,
    kept: 3,
};

const SHORT: Plan =
    Plan { sizes: &[(4, 60), (3, 60)], rounds: 3, width: 50, others: 5, passes: 2, kept: 2 };

/// The boards that a network learns from.
const NETWORK: Plan = Plan {
    sizes: &[(10, 120), (8, 400), (7, 1500), (6, 3000), (5, 1000)],
    rounds: 2,
    kept: 1,
    ..FULL
};

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let plan = match (arguments.plan, arguments.network) {
        (Name::Full, false) => FULL,
        (Name::Full, true) => NETWORK,
        (Name::Short, _) => SHORT,
    };
    let (seed, commit) = (arguments.seed, commit()?);
    let progress = |line: &str| eprintln!("{line}");
    let file = if arguments.network {
        let (about, network) = train_network(&plan, seed, progress)?;
        network.file(&format!("commit {commit}\n{about}"))
    } else {
        let (about, weights) = train(&plan, arguments.metric, seed, progress)?;
        weights.file(&format!("commit {commit}\n{about}"))
    };
    fs::write(&arguments.file, file)
        .with_context(|| format!("cannot write {}", arguments.file.display()))
}

/// The last commit that changed the trainer.
fn commit() -> Result<String> {
    let trainer = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let git = Command::new("git")
        .args(["-C", trainer, "log", "-1", "--format=%h", "--", "."])
        .output()
        .context("cannot run git, which names the commit of the trainer")?;
    ensure!(git.status.success(), "the trainer runs in a checkout only");
    let commit = String::from_utf8(git.stdout)?.trim().to_string();
    ensure!(!commit.is_empty(), "no commit has the trainer");
    Ok(commit)
}

/// Trains weights. Returns lines about them, and the weights.
fn train(
    plan: &Plan,
    metric: Metric,
    seed: u64,
    progress: impl Fn(&str),
) -> Result<(String, Weights)> {
    let features = |&(side, _): &(usize, usize)| {
        let grid = Grid::new(side, side)?;
        Ok((0..grid.cells()).into_par_iter().map(|blank| Features::new(grid, blank)).collect())
    };
    let features: Vec<Vec<Features>> = plan.sizes.iter().map(features).collect::<Result<_>>()?;
    let mut descent = Descent::new();
    let mut weights = Descent::first();
    let (mut kept, mut samples, mut loss, mut last_step) = (Vec::new(), 0, 0.0, 0.0);
    for round in 0..plan.rounds {
        // The first weights are poor teachers.
        let part = if round == 0 { 4 } else { 1 };
        let guide = |f: &Features| Learned::with_weights(f.grid(), f.goal().goal_blank(), &weights);
        let guides = features.iter().map(|of_size| of_size.par_iter().map(guide).collect());
        let guides: Vec<Vec<Learned>> = guides.collect();
        let solved = solve(plan, part, metric, seed, round, &guides)?;
        let all: Vec<&Sample> = solved.iter().flat_map(|solved| &solved.samples).collect();
        ensure!(!all.is_empty(), "no board was solved");
        let (mean, mean_loss) =
            descent.run(&features, &all, plan.passes, seed.wrapping_add(round as u64));
        (samples, loss) = (samples + all.len(), mean_loss);
        progress(&report(plan, round, &solved, all.len(), loss));
        if round + plan.kept >= plan.rounds {
            kept.push(mean.clone());
        }
        last_step = step(&features, &solved, &mean);
        weights = rounded(&mean, last_step)?;
    }
    let sums = (0..Terms::COUNT).map(|i| kept.iter().map(|weights| weights[i]).sum::<f32>());
    let mean: Vec<f32> = sums.map(|sum| sum / kept.len() as f32).collect();
    let weights = rounded(&mean, last_step)?;
    let about = format!("seed {seed}\nsamples {samples}\nloss {loss:.4}\n");
    Ok((about, weights))
}

/// Trains a network. Returns lines about it, and the network.
fn train_network(plan: &Plan, seed: u64, progress: impl Fn(&str)) -> Result<(String, Network)> {
    let weights = LearnedNumbers::get().unwrap().weights(Metric::Single);
    let views = |&(side, _): &(usize, usize)| {
        let grid = Grid::new(side, side)?;
        let view = |blank| View::new(grid, blank, weights);
        Ok((0..grid.cells()).into_par_iter().map(view).collect())
    };
    let views: Vec<Vec<View>> = plan.sizes.iter().map(views).collect::<Result<_>>()?;
    let (mut samples, mut network, mut loss) = (Vec::new(), None, 0.0);
    for round in 0..plan.rounds {
        let guide = |view: &View| view.guide(network.as_ref());
        let guides = views.iter().map(|of_size| of_size.par_iter().map(guide).collect());
        let guides: Vec<Vec<Learned>> = guides.collect();
        let mut solved = solve(plan, 1, Metric::Single, seed, round, &guides)?;
        samples.extend(solved.iter_mut().flat_map(|board| std::mem::take(&mut board.samples)));
        let (new, new_loss) = network::learn(&views, &samples, plan.passes, seed);
        (network, loss) = (Some(new), new_loss);
        progress(&report(plan, round, &solved, samples.len(), loss));
    }
    let about = format!("seed {seed}\nsamples {}\nloss {loss:.4}\n", samples.len());
    Ok((about, network.context("a plan has a round")?))
}

/// A board that a beam solved, and samples of its levels.
struct Solved {
    /// The place of its size in the plan.
    size: usize,
    position: Position,
    moves: usize,
    samples: Vec<Sample>,
}

/// Solves the boards of a round, or the first part of them, in an order that does not depend on the threads.
/// The guides are by size and by the blank's cell in the goal.
fn solve(
    plan: &Plan,
    part: usize,
    metric: Metric,
    seed: u64,
    round: usize,
    guides: &[Vec<Learned>],
) -> Result<Vec<Solved>> {
    let boards = plan.sizes.iter().enumerate();
    let boards: Vec<(usize, usize)> =
        boards.flat_map(|(size, &(_, count))| (0..count / part).map(move |i| (size, i))).collect();
    let goal =
        |&(side, _): &(usize, usize)| Ok(Goal::named("blank-first", Grid::new(side, side)?)?);
    let goals: Vec<Goal> = plan.sizes.iter().map(goal).collect::<Result<_>>()?;
    let solve = |&(size, i): &(usize, usize)| {
        let number = ((round * plan.sizes.len() + size) * 10_000 + i) as u64;
        let mut random = Random::new(seed << 32 | number);
        let position = draw(&goals[size], i, &mut random)?;
        let goal_blank = position.goal_blank();
        let guide = &guides[size][goal_blank];
        let beam = Beam { guide, metric, width: plan.width, others: plan.others };
        let (moves, samples) = beam.solve(&position, &mut random)?;
        let sample = |labels| Sample { size, goal_blank, labels };
        Some(Solved { size, position, moves, samples: samples.into_iter().map(sample).collect() })
    };
    Ok(boards.par_iter().map(solve).collect::<Vec<_>>().into_iter().flatten().collect())
}

/// Draws board `i` of a round. Half of them are searched from the goal, whose blank is then anywhere.
fn draw(goal: &Goal, i: usize, random: &mut Random) -> Option<Position> {
    // A quarter of them are scrambled by random moves, as many people's boards are.
    let side = goal.board().grid().width();
    let board = if i % 4 == 1 {
        goal.walk(2 * (side.pow(3) + random.below(side.pow(3))) as u64, random)
    } else {
        goal.random_board(random)
    };
    let position = Canonical::of(goal).position(&board).ok()?;
    Some(if (i / 4).is_multiple_of(2) { position } else { position.inverse() })
}

/// The mean fall of the rank with each move of these solutions.
fn step(features: &[Vec<Features>], solved: &[Solved], weights: &[f32]) -> f32 {
    let (mut fall, mut moves) = (0.0, 0);
    for board in solved {
        let features = &features[board.size][board.position.goal_blank()];
        // The goal's rank is the sum over its pairs.
        fall += features.rank(board.position.labels(), weights)
            - features.rank(features.goal().labels(), weights);
        moves += board.moves;
    }
    fall / moves as f32
}

/// The weights if a step counts as much as the engine wants.
fn rounded(weights: &[f32], step: f32) -> Result<Weights> {
    ensure!(step > 0.0, "the ranks do not fall on the way to the goal");
    let round = |weight: &f32| (weight / step * STEP as f32).round() as i16;
    Ok(Weights::new(weights.iter().map(round)).expect("there is one for each term"))
}

fn report(plan: &Plan, round: usize, solved: &[Solved], samples: usize, loss: f64) -> String {
    let mut line = format!("round {}: {samples} samples, loss {loss:.4}; moves", round + 1);
    for (size, (side, _)) in plan.sizes.iter().enumerate() {
        let of_size = || solved.iter().filter(|board| board.size == size);
        let (count, moves) = (of_size().count(), of_size().map(|board| board.moves).sum::<usize>());
        line += &format!(" {:.1} on {count} of {side}×{side}", moves as f64 / count.max(1) as f64);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of a short training are those of the committed files, which this command writes:
    /// `cargo run --release -p taquin-trainer -- --plan short --metric multi trainer/slides.weights`, or
    /// with `--network trainer/moves.network`.
    #[test]
    fn a_training_can_be_repeated() {
        let files: [(_, &[u8]); 2] = [
            (Metric::Single, include_bytes!("../moves.weights")),
            (Metric::Multi, include_bytes!("../slides.weights")),
        ];
        for (metric, file) in files {
            let train = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| train(&SHORT, metric, 1, |_| ()).unwrap())
            };
            let (about, weights) = train(1);
            assert_eq!(train(3), (about.clone(), weights.clone()));
            let (known, known_weights) = Weights::read(file).unwrap();
            assert_eq!(known.split_once('\n').unwrap().1, about);
            assert_eq!(weights, known_weights, "{metric}");
            assert_ne!(super::train(&SHORT, metric, 2, |_| ()).unwrap().1, weights);
        }
    }

    #[test]
    fn a_training_of_a_network_can_be_repeated() {
        let train = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| train_network(&SHORT, 1, |_| ()).unwrap())
        };
        let (about, network) = train(1);
        assert_eq!(train(3), (about.clone(), network.clone()));
        let (known, known_network) = Network::read(include_bytes!("../moves.network")).unwrap();
        assert_eq!(known.split_once('\n').unwrap().1, about);
        assert_eq!(network, known_network);
    }

    #[test]
    fn ranks_are_those_of_the_engine() {
        let grid = Grid::new(5, 5).unwrap();
        let features = Features::new(grid, 0);
        let numbers = (0..Terms::COUNT).map(|i| (i * 7919 % 201) as i16 - 100);
        // Squares and cubes count in parts, which the engine rounds once for each tile.
        let numbers = numbers.enumerate().map(|(i, weight)| if i < 4 { 0 } else { weight });
        let numbers: Vec<i16> = numbers.collect();
        let weights = Weights::new(numbers.iter().copied()).unwrap();
        let floats: Vec<f32> = numbers.iter().map(|&weight| weight.into()).collect();
        let guide = Learned::with_weights(grid, 0, &weights);
        let goal = Goal::named("blank-first", grid).unwrap();
        for seed in 0..20 {
            let board = goal.random_board(&mut Random::new(seed));
            let position = Canonical::of(&goal).position(&board).unwrap();
            let rank = features.rank(position.labels(), &floats);
            assert_eq!(guide.sum(position.labels()), rank as i32);
        }
    }
}
