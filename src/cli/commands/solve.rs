//! `taquin solve`.

use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::iter;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;

use crate::board::{LabelledBoard, Metric, Move, Moves};
use crate::classics::Spec;
use crate::cli::advice::Advice;
use crate::cli::args::values::{length, path, size};
use crate::cli::args::{DatabaseArgs, LimitArgs, OutputArgs, Threads};
use crate::cli::input::{BoardArgs, Input, Place, Question};
use crate::cli::interrupt;
use crate::cli::output::{All, Answer, Files, Picture, Printer, Progress, Shows};
use crate::cli::process::{ExitCode, refuse, say};
use crate::search::{Cancel, Stop};
use crate::solver::{
    Bracket, Builder, Checkpoint, Error, GoalSpec, Limits, Method, Solver, Target,
};
use crate::store::Store;
use crate::text::{grouped, plural};

#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    input: BoardArgs,

    /// Count moves of tiles (single) or slides (multi)
    #[arg(long, value_name = "METRIC", default_value_t, hide_default_value = true)]
    metric: Metric,

    /// Heuristic: see taquin help heuristics
    #[arg(long, value_name = "NAME", default_value = "standard", hide_default_value = true)]
    heuristic: Spec,

    #[command(flatten)]
    output: OutputArgs,

    /// Show the next move, and how many follow
    #[arg(long, conflicts_with_all = ["json", "count_solutions", "all", "checkpoint"])]
    hint: bool,

    /// Print each move that begins an optimal solution
    #[arg(long, conflicts_with_all = ["hint", "count_solutions", "all", "checkpoint"])]
    good: bool,

    /// Draw the solutions as SVG, one board per move
    #[arg(long, value_name = "FILE", value_parser = path())]
    svg: Option<PathBuf>,

    /// Draw an animation, for a browser or a README
    #[arg(long, requires = "svg", hide_short_help = true)]
    animate: bool,

    /// Search: ida, bfs and others, see taquin help searches
    #[arg(short, long)]
    method: Option<Method>,

    /// Look for solutions of at most N moves, for bfs and astar
    #[arg(long, value_name = "N", value_parser = length, allow_negative_numbers = true, hide_short_help = true)]
    max_moves: Option<u32>,

    /// Count the optimal solutions
    // The number of threads already has the name that clap would choose.
    #[arg(id = "count_solutions", long = "count")]
    count: bool,

    /// List all optimal solutions
    #[arg(long)]
    all: bool,

    /// Print the steps, solving one board at a time
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    limits: LimitArgs,

    /// Stop at a solution that is at most N moves longer than the lower bound
    #[arg(
        long,
        value_name = "N",
        value_parser = length,
        default_value = "0",
        hide_default_value = true,
        hide_short_help = true,
        allow_negative_numbers = true,
        conflicts_with_all = ["count_solutions", "all", "checkpoint"]
    )]
    gap: u32,

    /// Memory for building a table and for stored positions, as in 500M
    #[arg(long, value_name = "SIZE", value_parser = size, allow_negative_numbers = true, hide_short_help = true)]
    memory: Option<u64>,

    /// File for the state of the search
    #[arg(long, value_name = "FILE", value_parser = path(), conflicts_with_all = ["count_solutions", "all"], hide_short_help = true)]
    checkpoint: Option<PathBuf>,

    /// Continue the search of the checkpoint, if the file exists
    #[arg(long, requires = "checkpoint", hide_short_help = true)]
    resume: bool,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    databases: DatabaseArgs,
}

impl SolveArgs {
    /// Refuses options that do not go together.
    fn check(&self, input: &Input) -> anyhow::Result<()> {
        let (method, is_open) = (self.method, input.goal.open().is_some());
        let is_blind = method.is_some_and(|method| !method.is_guided());
        let heeds_gap = method.is_none_or(Method::heeds_gap);
        let has_heuristic = !matches!(self.heuristic, Spec::Standard | Spec::None);
        let can_count = method.is_none_or(Method::deepens_by_engine);
        let stores = method.is_some_and(Method::remembers);
        refuse([
            (is_blind && has_heuristic, "--method bfs uses no heuristic: leave --heuristic out"),
            (
                self.max_moves.is_some() && !stores,
                "--max-moves needs --method bfs or --method astar",
            ),
            (
                stores && self.memory.is_some_and(|bytes| bytes < LEAST_MEMORY),
                "--memory must be at least 1M for --method bfs and --method astar",
            ),
            (self.counts() && !can_count, "--count and --all need --method ida"),
            (
                self.metric == Metric::Multi && (self.counts() || self.good),
                "--count, --all and --good support only the single-tile metric: leave out that option or --metric",
            ),
            (self.gap > 0 && !heeds_gap, "--gap needs --method ida, plain, beam, astar or bfs"),
            (self.animate && !input.is_alone, "--animate is for one board, given as an argument"),
            (
                is_open && (self.gap > 0 || self.max_moves.is_some() || self.keeps() || self.good),
                "--gap, --good, --max-moves, --svg and --checkpoint do not work with open goals (equal tiles or *): leave them out",
            ),
        ])
    }

    /// Returns whether the solutions or the search are kept in files.
    fn keeps(&self) -> bool {
        self.svg.is_some() || self.checkpoint.is_some()
    }

    /// Returns whether the optimal solutions are counted.
    fn counts(&self) -> bool {
        self.count || self.all
    }

    /// The method for a solver; `None` where the solver chooses.
    fn method(&self) -> Option<Method> {
        // Only an optimal search gives all optimal solutions.
        self.method.or(self.counts().then_some(Method::Ida))
    }
}

/// The least memory of a search that stores its positions.
const LEAST_MEMORY: u64 = 1 << 20;

/// The most solutions that `--all` lists.
const LISTED: usize = 1_000_000;

pub fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let mut input = args.input.open()?;
    args.check(&input)?;
    if args.checkpoint.is_some() {
        let boards: Vec<Question> = input.questions.take(2).collect();
        if boards.len() > 1 {
            bail!("--checkpoint is for one board");
        }
        input.questions = Box::new(boards.into_iter());
    }
    let Input { goal, is_alone, total, questions } = input;
    let mut files = Files::reading(args.input.file.iter().chain(args.input.kind.file()));
    if let Some(path) = &args.checkpoint {
        drop(files.file(path)?);
    }
    let picture = args.svg.as_deref().map(|path| Picture::new(path, args.animate, &mut files));
    let mut picture = picture.transpose()?;
    let shows = match args {
        SolveArgs { hint: true, .. } => Shows::Hint,
        SolveArgs { good: true, .. } => Shows::Good,
        SolveArgs { count: true, all: false, .. } => Shows::Count,
        _ => Shows::Moves,
    };
    let mut printer = Printer::new(&args.output, is_alone, shows);
    args.threads.start()?;

    let job = Job::new(args, goal)?;
    // A terminal shows the answers themselves.
    let shown = io::stdout().is_terminal();
    if !is_alone && !shown {
        job.progress.show(total, "boards");
    }
    let (mut answered, mut worst, mut written) = (0_u64, None, Ok(()));
    for (place, answer) in job.answers(questions, is_alone) {
        let result = answer.as_ref().map_err(|error| Advice::of(error, args.input.goal_follows));
        let code = result.as_ref().map_or_else(Advice::code, |answer| answer.code());
        (answered, worst) = (answered + 1, worst.max(Some(code)));
        // Answers that go elsewhere do not disturb the bar, unless there is something to say.
        if shown || is_alone || code != ExitCode::Fine {
            job.progress.hide();
        }
        if let Ok(answer) = &result {
            job.progress.write_effort(&answer.bracket.effort);
            picture.iter_mut().for_each(|picture| picture.add(answer));
        }
        written = printer.print(&place, result.as_ref().copied());
        if written.is_err() {
            break;
        }
        job.progress.count_one();
    }
    job.progress.hide();
    if job.cancel.is_cancelled() && !is_alone && total.is_none_or(|total| answered < total) {
        let of = total.map_or(String::new(), |total| format!(" of {}", grouped(total)));
        say!("interrupted after {}{of}", plural(answered, "board"));
    }
    let drawn = picture.map_or(Ok(()), Picture::finish);
    interrupt::finish();
    match written {
        // The reader of the answers is gone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Ok(worst.unwrap_or_default());
        }
        written => written.context("cannot write the answers")?,
    }
    drawn?;
    worst.with_context(|| args.input.no_board())
}

/// The options of a solver for a goal.
fn builder(args: &SolveArgs, goal: GoalSpec) -> Builder {
    let builder = Solver::builder().goal(goal).metric(args.metric);
    let builder = builder.heuristic(args.heuristic.clone());
    args.method().into_iter().fold(builder, |builder, it| builder.method(it))
}

/// An error of a board. Known goals do not have the names of its tiles.
fn of_names(error: Error, board: &LabelledBoard) -> Error {
    match error {
        Error::Unsolvable { solvability, .. } if board.has_labels() => {
            Error::Unsolvable { solvability, reachable: Vec::new() }
        }
        error => error,
    }
}

/// A solver with its limits.
struct Job<'a> {
    args: &'a SolveArgs,
    solver: Solver,
    /// The tables of all goals.
    store: Store,
    /// The last goal that followed its board, and its solver.
    last: RefCell<Option<(Target, Solver)>>,
    limits: Limits,
    cancel: Cancel,
    progress: Arc<Progress>,
    /// True if the goal is open.
    is_open: bool,
}

impl<'a> Job<'a> {
    fn new(args: &'a SolveArgs, goal: GoalSpec) -> anyhow::Result<Job<'a>> {
        let store = args.databases.store().memory_limit(args.memory);
        let progress = Progress::of_steps(args.verbose, args.metric);
        let is_open = goal.open().is_some();
        let (solver, progress) = progress.solver(builder(args, goal), store.clone())?;
        let cancel = interrupt::cancel();
        let limits = args.limits.limits().gap(args.gap).cancel(&cancel);
        let limits = args.memory.into_iter().fold(limits, Limits::memory);
        let limits = args.max_moves.into_iter().fold(limits, Limits::moves);
        let last = RefCell::default();
        Ok(Job { args, solver, store, last, limits, cancel, progress, is_open })
    }

    /// Solves several boards at a time, or one after the other, each on all threads, where there is more to
    /// show of each.
    fn answers(
        &self,
        mut questions: Box<dyn Iterator<Item = Question> + Send>,
        is_alone: bool,
    ) -> Box<dyn Iterator<Item = (Place, anyhow::Result<Answer>)> + '_> {
        let args = self.args;
        let shows = args.counts() || args.good || args.verbose || args.checkpoint.is_some();
        if is_alone || shows || self.is_open || args.input.goal_follows {
            return Box::new(iter::from_fn(move || {
                let next = if self.cancel.is_cancelled() { None } else { questions.next() };
                let Question { place, board } = next?;
                self.progress.name_board(&place);
                let answer = board.and_then(|(board, goal)| {
                    let found =
                        self.solver_for(&goal).and_then(|it| self.solve(&it, &board, &goal));
                    let (bracket, all) = found.map_err(|error| of_names(error, &board))?;
                    let good = self.good(&board, &goal, &bracket)?;
                    Ok(Answer { board, goal, bracket, all, good })
                });
                Some((place, answer))
            }));
        }
        let items = questions.map(|question| {
            let board = question.board.as_ref().ok().map(|(board, _)| board.board().clone());
            (question, board)
        });
        let found = self.solver.stream(items, self.limits.clone());
        Box::new(found.map(|(Question { place, board }, bracket)| {
            let answer = board.and_then(|(board, goal)| {
                let bracket = bracket.expect("a board has a result");
                let bracket = bracket.map_err(|error| of_names(error, &board))?;
                Ok(Answer { board, goal, bracket, all: None, good: None })
            });
            (place, answer)
        }))
    }

    /// The solver for a goal.
    fn solver_for(&self, goal: &Target) -> Result<Solver, Error> {
        if !self.args.input.goal_follows {
            return Ok(self.solver.clone());
        }
        let mut last = self.last.borrow_mut();
        if let Some((_, solver)) = last.as_ref().filter(|(known, _)| known == goal) {
            return Ok(solver.clone());
        }
        let new = builder(self.args, goal.clone().into()).store(self.store.clone()).build()?;
        Ok(last.insert((goal.clone(), new)).1.clone())
    }

    /// The first moves of the optimal solutions of a board, where they are wanted; none without a proof.
    fn good(
        &self,
        board: &LabelledBoard,
        goal: &Target,
        bracket: &Bracket,
    ) -> Result<Option<Vec<Moves>>, Error> {
        if !self.args.good || !bracket.is_optimal() {
            return Ok(self.args.good.then(Vec::new));
        }
        let solver = self.solver_for(goal)?;
        let mut found = solver.optimal_moves([board.board().clone()], self.limits.clone());
        let is_good = found.next().unwrap_or(Err(Error::Stopped(Stop::Cancelled)))?;
        let moves = Move::ALL.into_iter().filter(|&m| is_good[m as usize]);
        Ok(Some(moves.map(|m| Moves(vec![m])).collect()))
    }

    /// Bounds and a solution of a board, and all solutions where they are wanted.
    fn solve(
        &self,
        solver: &Solver,
        board: &LabelledBoard,
        goal: &Target,
    ) -> Result<(Bracket, Option<All>), Error> {
        let limits = &self.limits;
        // The goal that is one board has its numbers for the tiles, not the names.
        let posed = match goal {
            Target::Board(_) => board.board().into(),
            Target::Open(_) => board.clone(),
        };
        if self.args.counts() {
            let most = if self.args.all { LISTED } else { 0 };
            let found = solver.solutions(posed, limits, most)?;
            let all = All { count: found.count, paths: found.paths };
            return Ok((found.bracket, Some(all)));
        }
        let Some(path) = &self.args.checkpoint else {
            return Ok((solver.solve_with(posed, limits)?, None));
        };
        let checkpoint = Checkpoint { path: path.clone(), resume: self.args.resume };
        let (bracket, kept) = solver.solve_with_checkpoint(board.board(), limits, &checkpoint)?;
        self.progress.hide();
        if let Some(error) = kept.unwritten {
            say!("{error}: the checkpoint is not up to date");
        }
        if !bracket.is_optimal() {
            say!("the search is saved: repeat the command with --resume to go on");
        }
        Ok((bracket, None))
    }
}
