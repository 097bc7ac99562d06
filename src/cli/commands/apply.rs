//! `taquin apply`: moves replayed on a board.

use std::io;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde::Serialize;

use crate::board::{BlockedMove, Board, Convention, LabelledBoard, MAX_CELLS, Metric, Moves};
use crate::cli::advice::report;
use crate::cli::args::values::read_text;
use crate::cli::args::{Color, DatabaseArgs, LimitArgs};
use crate::cli::input::{BoardArgs, KindArgs, Question};
use crate::cli::interrupt;
use crate::cli::output::{Analysed, Progress, analysed, drawn, object};
use crate::cli::process::{ExitCode, print, refuse, written};
use crate::format::{self, Format};
use crate::read::{self, Note, is_object};
use crate::solver::{Analysis, Cells, Posed, Solver, Target};

/// The most bytes of moves that are read.
const MAX_TEXT: u64 = 16 << 20;

#[derive(Debug, Args)]
pub struct ApplyArgs {
    /// Start board, in quotes; - alone reads the output of taquin solve --json
    #[arg(allow_negative_numbers = true)]
    board: String,

    /// Moves, or - for standard input: DDL, Down Down Left, 2d l, tiles and more
    ///
    /// taquin help formats lists the forms. A tile with a label is named by it, unless the label is a
    /// direction, such as L.
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,

    /// Name moves by the direction of the tile (default) or of the blank
    ///
    /// Without this option, moves that reach the goal only as directions of the blank are rejected.
    #[arg(id = "convention", long = "moves", alias = "directions", value_name = "WHOSE")]
    convention: Option<Convention>,

    #[command(flatten)]
    kind: KindArgs,

    /// Report the length only in this metric: in moves of single tiles, or in slides
    #[arg(long, value_name = "METRIC", conflicts_with_all = ["format", "json"])]
    metric: Option<Metric>,

    /// Print the moves in this format, in place of the board they lead to
    #[arg(long, value_enum, hide_possible_values = true)]
    format: Option<Format>,

    /// Print a JSON object, as --format json does
    #[arg(short, long, conflicts_with = "format")]
    json: bool,

    /// Colour the board
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    color: Color,

    /// Find lost moves, with a better move for each
    ///
    /// A move away from the goal loses two: itself, and the one that undoes its effect.
    #[arg(long, visible_alias = "analyze", conflicts_with_all = ["format", "metric"])]
    analyse: bool,

    // For the search of each position.
    #[command(flatten, next_help_heading = "Options of --analyse")]
    limits: LimitArgs,

    #[command(flatten, next_help_heading = "Options of --analyse")]
    databases: DatabaseArgs,
}

pub fn run(args: &ApplyArgs) -> anyhow::Result<ExitCode> {
    let alone = !args.analyse;
    refuse([
        (alone && args.limits.time_limit.is_some(), "--time-limit is for --analyse"),
        (alone && args.limits.node_limit.is_some(), "--node-limit is for --analyse"),
        (alone && args.databases.no_build, "--no-build is for --analyse"),
        (
            args.moves.is_empty() && args.board != "-",
            "no moves: write them after the board, or - for standard input",
        ),
    ])?;
    if !args.moves.is_empty() {
        let (board, moves) = args.parts();
        refuse([(
            board == "-",
            "- as the board reads the output of taquin solve --json, without moves: write the board in quotes",
        )])?;
        let (posed, notes) = args.kind.labelled(&board)?;
        return args.show(&args.replay(posed, notes, &text(moves)?)?);
    }
    let mut worst = None;
    for Question { place, board } in
        BoardArgs::of_file(Path::new("-"), &args.kind).open()?.questions
    {
        let replayed = board.and_then(|board| match is_object(&place.text) {
            true => args.replay(board, place.notes, &place.text),
            false => bail!("no moves: - alone reads the output of `taquin solve --json`"),
        });
        let code = match &replayed {
            Ok(replayed) => args.show(replayed)?,
            // The next board may be sound.
            Err(error) => report(place.origin, error),
        };
        worst = worst.max(Some(code));
    }
    worst.context(
        "standard input contains no board: - alone reads the output of taquin solve --json",
    )
}

/// A board, and where its moves lead.
struct Replayed {
    board: LabelledBoard,
    goal: Target,
    path: Moves,
    end: LabelledBoard,
    reached: bool,
    notes: Vec<Note>,
}

impl ApplyArgs {
    /// The board and the moves. The tiles of a board without quotes are separate arguments.
    fn parts(&self) -> (String, &[String]) {
        let joined = |tiles: usize| format!("{} {}", self.board, self.moves[..tiles].join(" "));
        let is_board = |&tiles: &usize| joined(tiles).parse::<Board>().is_ok();
        let most = self.moves.len().min(MAX_CELLS);
        let tiles = (1..most).rev().find(is_board).filter(|_| self.board.parse::<Board>().is_err());
        match tiles {
            Some(tiles) => (joined(tiles), &self.moves[tiles..]),
            None => (self.board.clone(), &self.moves),
        }
    }

    /// Replays moves on a board. `notes` are the guesses that the board rests on.
    fn replay(
        &self,
        (board, goal): (LabelledBoard, Target),
        notes: Vec<Note>,
        moves: &str,
    ) -> anyhow::Result<Replayed> {
        let follow = |convention: Convention| -> anyhow::Result<(Moves, Board)> {
            let path = read::moves(&board, moves, convention)?;
            let end = board.board().after(&path).map_err(|BlockedMove { place, m, .. }| {
                let (moves, m) = (path.len(), convention.turned(m));
                anyhow!("move {place} of {moves}, {m}, is blocked by the border")
            })?;
            Ok((path, end))
        };
        let reaches = |result: &anyhow::Result<(_, Board)>| matches!(result, Ok((_, end)) if goal.is_reached(&board, end) == Ok(true));
        let result = follow(self.convention.unwrap_or_default());
        if self.convention.is_none() && !reaches(&result) && reaches(&follow(Convention::Blank)) {
            let fault = match result {
                Ok(_) => "these moves reach the goal only as directions of the blank".to_owned(),
                Err(error) => {
                    format!("{error}, but as directions of the blank these moves reach the goal")
                }
            };
            bail!(
                "{fault}: add --moves blank, or --moves tile to replay them as directions of the tile"
            );
        }
        let (path, end) = result?;
        let reached = goal.is_reached(&board, &end)?;
        let end = board.with(end);
        Ok(Replayed { board, goal, path, end, reached, notes })
    }

    fn analysis(&self, board: &Board, path: &Moves) -> anyhow::Result<Analysis> {
        let limits = self.limits.limits().cancel(&interrupt::cancel());
        let options = Solver::builder().goal(self.kind.goal()?);
        let (solver, progress) = Progress::default().solver(options, self.databases.store())?;
        let analysis = solver.analyse(board, path, &limits);
        progress.hide();
        Ok(analysis?)
    }

    fn show(&self, replayed: &Replayed) -> anyhow::Result<ExitCode> {
        let Replayed { board, goal, path, end, reached, .. } = replayed;
        let convention = self.convention.unwrap_or_default();
        let analysis = if self.analyse { Some(self.analysis(board.board(), path)?) } else { None };
        match self.format {
            _ if self.json || self.format == Some(Format::Json) => {
                let applied = Applied::new(replayed, analysis.as_ref(), convention);
                written(object(&mut io::stdout().lock(), &applied))?;
            }
            Some(format) => {
                let out = &mut io::stdout().lock();
                written(format::moves(out, format, board, path, convention))?;
            }
            None => {
                let end = drawn(end, goal, self.color.enabled(&io::stdout()));
                let lengths: Vec<String> = Metric::ALL
                    .into_iter()
                    .filter(|metric| self.metric.is_none_or(|only| only == *metric))
                    .map(|metric| metric.in_words(path.length(metric)))
                    .collect();
                let lengths = lengths.join(", ");
                let verdict = if *reached { "the goal is reached" } else { "this is not the goal" };
                print(&format!("{end}\n{lengths}: {verdict}"))?;
                if let Some(analysis) = &analysis {
                    print(&analysed(analysis, convention))?;
                }
            }
        }
        interrupt::finish();
        Ok(if *reached { ExitCode::Fine } else { ExitCode::Negative })
    }
}

/// The text of the moves, from the arguments or from the standard input.
fn text(moves: &[String]) -> anyhow::Result<String> {
    if let [path] = moves
        && Path::new(path).is_file()
    {
        bail!("{path} is a file: read it with - < {path}");
    }
    if moves != ["-"] {
        return Ok(moves.join(" "));
    }
    read_text(io::stdin().lock(), MAX_TEXT).context("cannot read the moves from standard input")
}

#[derive(Serialize)]
struct Applied<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(flatten)]
    posed: Posed<'a>,
    moves: String,
    #[serde(skip_serializing_if = "Convention::is_tile")]
    directions: Convention,
    length: usize,
    slides: usize,
    end: Cells<'a>,
    reached: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    analysis: Option<Analysed>,
}

impl<'a> Applied<'a> {
    fn new(
        replayed: &'a Replayed,
        analysis: Option<&'a Analysis>,
        convention: Convention,
    ) -> Applied<'a> {
        let Replayed { board, goal, path, end, reached, notes } = replayed;
        Applied {
            notes: notes.iter().map(ToString::to_string).collect(),
            posed: Posed::new(board, goal),
            moves: path.turned(convention).to_string(),
            directions: convention,
            length: path.len(),
            slides: path.length(Metric::Multi),
            end: Cells::of(end),
            reached: *reached,
            analysis: analysis.map(|analysis| Analysed::new(analysis, convention)),
        }
    }
}
