//! `taquin solve`.

use std::io::{self, BufWriter, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use crate::board::{LabelledBoard, Metric};
use crate::cli::advice::{Trouble, Unreached, quote};
use crate::cli::args::boards::{BoardArgs, KindArgs};
use crate::cli::args::checkpoint::CheckpointArgs;
use crate::cli::args::databases::DatabaseArgs;
use crate::cli::args::limits::{self, LimitArgs};
use crate::cli::args::method::MethodArgs;
use crate::cli::args::output::OutputArgs;
use crate::cli::args::parsers::{Threads, metric, path};
use crate::cli::exit::{ExitCode, Failure, wrong};
use crate::cli::input::{Input, Origin};
use crate::cli::interrupt::{self, Answering};
use crate::cli::output::file::Files;
use crate::cli::output::picture::Picture;
use crate::cli::output::progress::Progress;
use crate::cli::output::report::{All, Answer, Place, Printer, Rejected, Report};
use crate::cli::output::streams::say;
use crate::cli::threads;
use crate::cli::words;
use crate::reference::Spec;
use crate::search::{Cancel, Stop};
use crate::solver::{Bracket, Checkpoint, Error, Limits, Solver, Target};
use crate::text::{grouped, plural};

#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    input: BoardArgs,

    /// The unit that counts as one move: a single tile, or with multi a slide of tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric(), default_value_t)]
    metric: Metric,

    /// Heuristic: see taquin help heuristics
    #[arg(long, value_name = "HEURISTIC", default_value = "standard")]
    heuristic: Spec,

    #[command(flatten)]
    output: OutputArgs,

    /// Print only the next move, and the number of moves after it
    #[arg(long, conflicts_with_all = ["json", "count_solutions", "all", "checkpoint"])]
    hint: bool,

    /// Draw the solutions as SVG, a board for each move, 1000 in all
    #[arg(long, value_name = "FILE", value_parser = path())]
    svg: Option<PathBuf>,

    /// Draw one board that moves, in a browser or a README
    #[arg(long, requires = "svg")]
    animate: bool,

    #[command(flatten)]
    method: MethodArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// Stop at a solution that is at most N moves longer than the lower bound
    #[arg(
        long,
        value_name = "N",
        value_parser = limits::length,
        default_value = "0",
        hide_default_value = true,
        allow_negative_numbers = true,
        conflicts_with_all = ["count_solutions", "all", "checkpoint"]
    )]
    gap: u32,

    /// Memory for a table that is built, and for stored positions, as in 500M
    #[arg(long, value_name = "SIZE", value_parser = limits::size, allow_negative_numbers = true)]
    memory: Option<u64>,

    #[command(flatten)]
    checkpoint: CheckpointArgs,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    databases: DatabaseArgs,
}

impl SolveArgs {
    /// Refuses options that do not go with a goal that leaves something open.
    fn check_open(&self, kind: &KindArgs) -> Result<(), Failure> {
        if kind.goal().open().is_none() {
            return Ok(());
        }
        let rules = [
            (self.gap > 0, "--gap"),
            (self.svg.is_some(), "--svg"),
            (self.checkpoint.is_some(), "--checkpoint"),
            (self.method.max_moves.is_some(), "--max-moves"),
        ];
        match rules.into_iter().find(|&(is_given, _)| is_given) {
            Some((_, option)) => Err(wrong!(
                "{option} is not for goals with equal tiles or cells that do not matter: leave it out"
            )),
            None => Ok(()),
        }
    }
}

/// The most solutions that `--all` lists.
const LISTED: usize = 1_000_000;

pub fn run(args: &SolveArgs) -> Result<ExitCode, Failure> {
    args.method.checked(&args.heuristic, args.gap)?;
    let alone = args.input.is_alone();
    if args.animate && !alone {
        return Err(wrong!("--animate is for one board, given as an argument"));
    }
    let (kind, mut inputs) = args.input.inputs()?;
    args.check_open(&kind)?;
    if args.checkpoint.is_some() {
        let boards: Vec<Input> = inputs.take(2).collect();
        if boards.len() > 1 {
            return Err(wrong!("--checkpoint is for one board"));
        }
        inputs = Box::new(boards.into_iter());
    }
    let mut files = Files::reading(args.input.file.iter().chain(args.input.kind.file()));
    let checkpoint = args.checkpoint.checkpoint(&mut files)?;
    let picture = args.svg.as_deref().map(|path| Picture::new(path, args.animate, &mut files));
    let picture = picture.transpose()?;
    threads::start(args.threads.count)?;

    let cancel = Cancel::new();
    let job = Job::new(args, &kind, checkpoint, &cancel)?;
    let mut reporter = Reporter::new(args, alone, picture);
    let _answering = Answering::new(move || cancel.cancel());
    let questions = inputs.map(move |input| Question::read(input, &kind));
    // A terminal shows the answers themselves.
    if !alone && job.progress.is_seen() && !io::stdout().is_terminal() {
        job.progress.count_boards(args.input.total());
    }
    let written = if alone || job.counts || job.is_open {
        job.one_by_one(questions, &mut reporter)
    } else {
        job.stream(questions, &mut reporter)
    };
    job.progress.finish();
    if job.cancel.is_cancelled() && !alone {
        let (answered, total) = (reporter.count as u64, args.input.total());
        if total.is_none_or(|total| answered < total) {
            let of = total.map_or(String::new(), |total| format!(" of {}", grouped(total)));
            let answered = plural(answered, "board");
            say("taquin", format_args!("interrupted after {answered}{of}"));
        }
    }
    if let Some(advice) = reporter.unreached.advice(reporter.count as u64) {
        say("taquin", advice);
    }
    let drawn = reporter.picture.take().map_or(Ok(()), Picture::finish);
    interrupt::finish();
    match written {
        // The reader of the answers is gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Ok(reporter.worst.unwrap_or_default());
        }
        written => written.context("cannot write the answers").map_err(Failure::usage)?,
    }
    drawn?;
    reporter.worst.ok_or_else(|| wrong!("there is no board in the input"))
}

/// A board of the input, or why it cannot be read.
struct Question {
    origin: Origin,
    text: String,
    board: Result<(LabelledBoard, Target), Trouble>,
}

impl Question {
    fn read(Input { origin, text, reading }: Input, kind: &KindArgs) -> Question {
        let board = kind.asked(&origin, reading);
        Question { origin, text, board }
    }

    fn board(&self) -> Option<&LabelledBoard> {
        self.board.as_ref().ok().map(|(board, _)| board)
    }
}

/// A solver with its limits, and the kind of answers.
struct Job {
    solver: Solver,
    limits: Limits,
    cancel: Cancel,
    checkpoint: Option<Checkpoint>,
    progress: Arc<Progress>,
    /// True if all optimal solutions are counted.
    counts: bool,
    /// True if they are listed too.
    lists: bool,
    /// True if the goal leaves something open.
    is_open: bool,
}

impl Job {
    fn new(
        args: &SolveArgs,
        kind: &KindArgs,
        checkpoint: Option<Checkpoint>,
        cancel: &Cancel,
    ) -> Result<Job, Failure> {
        let store = args.databases.store().memory_limit(args.memory);
        let progress = Arc::new(Progress::new(&store, args.method.verbose).in_metric(args.metric));
        let events = progress.clone();
        let mut builder = Solver::builder()
            .goal(kind.goal())
            .metric(args.metric)
            .heuristic(args.heuristic.clone())
            .store(store)
            .progress(move |event| events.solver(event));
        if let Some(method) = args.method.method() {
            builder = builder.method(method);
        }
        let solver = builder.build().map_err(|error| Failure::usage(Trouble::from(error)))?;
        let mut limits = args.limits.limits().gap(args.gap).cancel(cancel);
        if let Some(bytes) = args.memory {
            limits = limits.memory(bytes);
        }
        if let Some(moves) = args.method.max_moves {
            limits = limits.moves(moves);
        }
        let (counts, lists, cancel) = (args.method.counts(), args.method.all, cancel.clone());
        let is_open = kind.goal().open().is_some();
        Ok(Job { solver, limits, cancel, checkpoint, progress, counts, lists, is_open })
    }

    /// Solves one board after the other, each on all threads.
    fn one_by_one(
        &self,
        questions: impl Iterator<Item = Question>,
        reporter: &mut Reporter,
    ) -> io::Result<()> {
        for question in questions {
            let board = question.board().map(LabelledBoard::board);
            self.progress.begin(&question.origin, board);
            let result = question.board().map(|board| self.solve(board));
            self.progress.clear();
            self.progress.end(bracket_of(&result));
            reporter.report(question, result)?;
            self.progress.answered();
            if self.cancel.is_cancelled() {
                break;
            }
        }
        Ok(())
    }

    /// Solves several boards at a time.
    fn stream(
        &self,
        questions: impl Iterator<Item = Question> + Send + 'static,
        reporter: &mut Reporter,
    ) -> io::Result<()> {
        let progress = self.progress.clone();
        let items = questions.map(move |question| {
            let board = question.board().map(LabelledBoard::board);
            progress.begin(&question.origin, board);
            let board = board.cloned();
            (question, board)
        });
        let shown = io::stdout().is_terminal();
        for (question, result) in self.solver.stream(items, self.limits.clone()) {
            let result = result.map(|result| result.map(|bracket| (bracket, None)));
            // Answers that go elsewhere do not disturb the bar, unless there is something to say.
            let quiet = matches!(&result, Some(Ok((bracket, _))) if !bracket.falls_short());
            if shown || !quiet {
                self.progress.clear();
            } else {
                self.progress.done();
            }
            self.progress.end(bracket_of(&result));
            reporter.report(question, result)?;
            self.progress.answered();
        }
        Ok(())
    }

    fn solve(&self, board: &LabelledBoard) -> Result<(Bracket, Option<All>), Error> {
        if self.counts {
            let most = if self.lists { LISTED } else { 0 };
            let found = match self.is_open {
                true => self.solver.solutions_labelled(board, &self.limits, most)?,
                false => self.solver.solutions(board.board(), &self.limits, most)?,
            };
            let all = All { count: found.count, paths: self.lists.then_some(found.paths) };
            return Ok((found.bracket, Some(all)));
        }
        if self.is_open {
            return Ok((self.solver.solve_labelled(board, &self.limits)?, None));
        }
        let board = board.board();
        let Some(checkpoint) = &self.checkpoint else {
            return Ok((self.solver.solve_with(board, &self.limits)?, None));
        };
        let (bracket, kept) = self.solver.solve_with_checkpoint(board, &self.limits, checkpoint)?;
        self.progress.clear();
        if let Some(error) = kept.unwritten {
            say("taquin", format_args!("{error}: the checkpoint is not up to date"));
        }
        if !bracket.is_optimal() {
            say("taquin", format_args!("the search is kept: go on with `{}`", again()));
        }
        Ok((bracket, None))
    }
}

fn bracket_of(result: &Option<Result<(Bracket, Option<All>), Error>>) -> Option<&Bracket> {
    result.as_ref()?.as_ref().ok().map(|(bracket, _)| bracket)
}

/// Returns whether the databases of other partitions would have made a search much shorter.
fn is_hard(bracket: &Bracket) -> bool {
    let effort = &bracket.effort;
    let is_long = effort.time > Duration::from_secs(1) && bracket.stopped != Some(Stop::Nodes);
    is_long && &*effort.heuristic == "7-8:mirror"
}

/// The command line of this program, with `--resume`.
fn again() -> String {
    let mut words = words::all();
    if !words.iter().any(|word| word == "--resume") {
        // After the name of the command, before a `--` that ends the options.
        words.insert(words.len().min(2), "--resume".to_owned());
    }
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// Writes and draws reports, and remembers the worst exit code.
struct Reporter {
    printer: Printer<BufWriter<io::StdoutLock<'static>>, io::Stderr>,
    /// The number of reports.
    count: usize,
    /// True if hard boards are answered with advice, which is given once.
    advises: bool,
    picture: Option<Picture>,
    unreached: Unreached,
    worst: Option<ExitCode>,
}

impl Reporter {
    fn new(args: &SolveArgs, alone: bool, picture: Option<Picture>) -> Reporter {
        let counts = args.method.count && !args.method.all;
        let printer = args.output.printer(alone, args.hint, counts);
        let advises = args.heuristic == Spec::Standard;
        let unreached = Unreached::default();
        Reporter { printer, count: 0, advises, picture, unreached, worst: None }
    }

    fn report(
        &mut self,
        question: Question,
        result: Option<Result<(Bracket, Option<All>), Error>>,
    ) -> io::Result<()> {
        let Question { origin, text, board } = question;
        let result = board.and_then(|(board, goal)| {
            let (bracket, all) = result.expect("a board has a result")?;
            Ok(Answer { board, goal, bracket, all })
        });
        let code = match &result {
            Ok(answer) => answer.code(),
            Err(trouble) => trouble.code(),
        };
        self.worst = self.worst.max(Some(code));
        self.count += 1;
        if let Err(trouble) = &result
            && trouble.kind() == "unsolvable"
        {
            self.unreached.count(trouble.reachable());
        }
        if let (Some(picture), Ok(answer)) = (&mut self.picture, &result) {
            picture.add(answer);
        }
        let hard = result.as_ref().is_ok_and(|answer| is_hard(&answer.bracket));
        let result = result.map_err(|trouble| Rejected { input: text, trouble });
        self.printer.print(&Report { place: Place { origin, index: self.count }, result })?;
        if hard && std::mem::take(&mut self.advises) {
            say("taquin", "hard boards take less time with more databases: --heuristic portfolio");
        }
        Ok(())
    }
}
