//! `taquin shuffle`: boards drawn at random.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};

use clap::Args;

use super::exit::{ExitCode, Failure};
use super::random::Random;
use super::{say, written};
use crate::board::{Board, Goal, Grid, Move};

pub(super) const EXAMPLES: &str = "\
Examples:
  taquin shuffle
  taquin shuffle --moves 30 --seed 1
  taquin shuffle --size 5x4 --count 1000 --seed 2026 > boards.txt
  taquin shuffle --size 3x3 --goal blank-first --count 10 | taquin solve --goal blank-first -

A seed stands for the same boards on every machine and in every version: the generator is ChaCha8,
keyed with the seed, and numbers in a range are drawn without bias.";

#[derive(Debug, Args)]
pub(super) struct ShuffleArgs {
    /// Size of the boards
    #[arg(short, long, value_name = "WxH", default_value = "4x4")]
    pub size: Grid,

    /// Make N random moves from the goal
    ///
    /// A draw of a move that the border bars, or that undoes the one before, is drawn again.
    #[arg(short, long, value_name = "N", conflicts_with = "uniform")]
    pub moves: Option<u64>,

    /// Draw uniformly among all boards that can reach the goal (the default)
    #[arg(short, long)]
    pub uniform: bool,

    /// Number that the boards follow from [default: one drawn at random, which is told]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,

    /// Number of boards
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    pub count: u64,

    /// Position that the boards can reach: a name or a board
    #[arg(short, long, default_value = "blank-last")]
    pub goal: String,
}

pub(super) fn run(args: &ShuffleArgs) -> Result<ExitCode, Failure> {
    let goal = Goal::parse(&args.goal, args.size).map_err(Failure::usage)?;
    let seed = args.seed.unwrap_or_else(|| {
        let seed = RandomState::new().hash_one(());
        say("taquin", format_args!("the same again with --seed {seed}"));
        seed
    });
    let mut random = Random::new(seed);
    let mut out = BufWriter::new(io::stdout().lock());
    for _ in 0..args.count {
        let board = match args.moves {
            Some(moves) => walk(&goal, moves, &mut random),
            None => uniform(&goal, &mut random),
        };
        if !written(writeln!(out, "{board}"))? {
            return Ok(ExitCode::Fine);
        }
    }
    written(out.flush())?;
    Ok(ExitCode::Fine)
}

/// The goal after a number of random moves, none of which undoes the one before.
fn walk(goal: &Goal, moves: u64, random: &mut Random) -> Board {
    let mut board = goal.board().clone();
    let mut last = None;
    for _ in 0..moves {
        loop {
            let m = Move::ALL[random.below(4)];
            if last != Some(m.opposite()) && board.apply(m) {
                last = Some(m);
                break;
            }
        }
    }
    board
}

/// A board drawn uniformly among those that can reach the goal.
pub(super) fn uniform(goal: &Goal, random: &mut Random) -> Board {
    let grid = goal.board().grid();
    let mut tiles = goal.board().tiles().to_vec();
    for last in (1..tiles.len()).rev() {
        tiles.swap(last, random.below(last + 1));
    }
    let board = Board::from_permutation(grid, tiles.clone().into());
    if goal.solvability(&board).is_solvable() {
        return board;
    }
    // To exchange two tiles, always the same, pairs the boards that cannot with those that can.
    let cell = |tile: u8| tiles.iter().position(|&t| t == tile).expect("all tiles are there");
    let (one, two) = (cell(1), cell(2));
    tiles.swap(one, two);
    Board::from_permutation(grid, tiles.into())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn all_boards_come_up_alike() {
        let grid = Grid::new(3, 2).unwrap();
        for name in ["blank-last", "snake"] {
            let goal = Goal::named(name, grid).unwrap();
            let mut random = Random::new(7);
            let mut seen: HashMap<Board, u32> = HashMap::new();
            for _ in 0..36_000 {
                *seen.entry(uniform(&goal, &mut random)).or_default() += 1;
            }
            // 360 boards, 100 times each: 6 standard deviations.
            assert_eq!(seen.len(), 360);
            assert!(seen.values().all(|count| (40..160).contains(count)), "{seen:?}");
            assert!(seen.keys().all(|board| goal.solvability(board).is_solvable()));
        }
    }

    #[test]
    fn a_walk_does_not_turn_back() {
        let goal = Goal::named("spiral", Grid::new(4, 4).unwrap()).unwrap();
        // Two moves that do not undo each other lead two steps away.
        for seed in 0..50 {
            let board = walk(&goal, 2, &mut Random::new(seed));
            assert_ne!(board, *goal.board());
            assert!(goal.solvability(&walk(&goal, 101, &mut Random::new(seed))).is_solvable());
        }
        assert_eq!(walk(&goal, 0, &mut Random::new(0)), *goal.board());
    }
}
