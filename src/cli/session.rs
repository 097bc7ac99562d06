//! From the text of a board to its answer.
//!
//! [`Session::prepare`] reads a board, and has the goal, the databases and the solver ready
//! that it takes; each of these is made once, when the first board wants it. The [`Task`] it
//! gives stands on its own: tasks can be carried out in any order, on any thread.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::boards::KindArgs;
use super::checkpoint::{CheckpointArgs, CheckpointError};
use super::databases::{self, DatabaseError, Databases, Loaded, TableBytes};
use super::exit::ExitCode;
use super::heuristics::{self, Heuristic, HeuristicError, Shelf};
use super::input::Fault;
use super::integrity::Check;
use super::limits::Limits;
use super::long;
use super::method::{self, AllSolutions, Guided, Method, MethodArgs};
use super::say;
use super::sets::{self, Set};
use crate::board::{Board, Canonical, Goal, GoalError, Grid, ParseError, Path, Solvability};
use crate::heuristic::{Additions, Spec, Term};
use crate::pdb::{BrokenTable, OpenError};
use crate::search::{Catalogue, Control, Outcome, Solver, SolverError, Stop};

/// All that boards share.
pub(super) struct Session<N> {
    databases: Databases,
    kind: KindArgs,
    heuristic: Spec,
    method: MethodArgs,
    limits: Limits,
    checkpoint: CheckpointArgs,
    /// Stops all searches.
    stop: Control,
    /// Told what the user should know of a build.
    note: N,
    targets: HashMap<Grid, Arc<Target>>,
    /// By canonical grid and goal cell of the blank.
    engines: HashMap<(Grid, usize), Result<Arc<Engine>, Arc<EngineError>>>,
}

/// A goal for boards of one size.
#[derive(Debug)]
pub(super) struct Target {
    pub goal: Goal,
    /// What its boards are searched with.
    pub heuristic: String,
    canonical: Canonical,
    plan: Plan,
}

/// How boards of one size are solved.
#[derive(Debug)]
enum Plan {
    /// With databases, of several partitions for a portfolio.
    Tables(Vec<Set>),
    /// With databases of more than two patterns to a partition.
    Catalogue(Set),
    /// Not with the heuristic that was asked for.
    NoPortfolio,
    /// By a plain search, with the largest of these bounds.
    Bounds(Method, Vec<Term>),
}

/// What boards of one class of goals are searched with.
pub(super) enum Engine {
    Tables {
        solver: Box<Solver<TableBytes>>,
        /// Where the tables come from, for messages.
        origin: String,
        checks: Vec<Arc<Check>>,
        /// What all solutions are found with, where they are wanted.
        all: Option<Box<Heuristic>>,
    },
    Catalogue {
        catalogue: Box<Catalogue<TableBytes>>,
        /// Where the tables come from, for messages.
        origin: String,
        checks: Vec<Arc<Check>>,
    },
    Plain {
        guided: Guided,
        /// Where its tables come from, for messages.
        origin: String,
        checks: Vec<Arc<Check>>,
        /// What it is guided by, where it stands in for another one.
        instead: Option<String>,
    },
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
pub(super) enum EngineError {
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Solver(#[from] SolverError),
    #[error(transparent)]
    Heuristic(#[from] HeuristicError),
}

/// A solvable board, and all it takes to solve it.
pub(super) struct Task {
    board: Board,
    target: Arc<Target>,
    /// `None` where the board is solved already.
    engine: Option<Arc<Engine>>,
    method: MethodArgs,
    limits: Limits,
    checkpoint: CheckpointArgs,
    stop: Control,
}

/// What a search found out about a board.
#[derive(Debug)]
pub(super) struct Answer {
    pub board: Board,
    pub target: Arc<Target>,
    /// A solution, replayed; `None` where the search was stopped before it found one.
    pub path: Option<Path>,
    /// No solution is shorter.
    pub lower_bound: u32,
    /// What ended the search before it was done.
    pub stopped: Option<Stop>,
    pub generated: u64,
    pub expanded: u64,
    /// Of the search alone.
    pub time: Duration,
    /// What the search was guided by.
    pub heuristic: String,
    /// All optimal solutions, where they are wanted, or what stopped the search for them.
    pub solutions: Option<Result<AllSolutions, Stop>>,
}

/// Why a board has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(transparent)]
    Board(#[from] ParseError),
    #[error(transparent)]
    Goal(#[from] GoalError),
    #[error(
        "there is no portfolio for {0} boards, only for 4x4: leave --heuristic out, or say standard"
    )]
    NoPortfolio(Grid),
    #[error("cannot reach the goal: {0}")]
    Unsolvable(Solvability),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Engine(Arc<EngineError>),
    #[error(transparent)]
    Damaged(#[from] OpenError),
    #[error(
        "{broken} ({origin}): check with `pdb-gen verify`, and rebuild with `pdb-gen build --force`"
    )]
    Broken { broken: BrokenTable, origin: String },
    #[error(
        "internal error: {what}: the databases ({origin}) may be damaged: check with `pdb-gen verify`"
    )]
    Wrong { what: &'static str, origin: String },
}

impl Trouble {
    /// What to exit with.
    pub fn code(&self) -> ExitCode {
        match self {
            Trouble::Fault(_)
            | Trouble::Board(_)
            | Trouble::Goal(_)
            | Trouble::Checkpoint(_)
            | Trouble::NoPortfolio(_) => ExitCode::Usage,
            Trouble::Unsolvable(_) => ExitCode::Negative,
            Trouble::Engine(error) if error.is_usage() => ExitCode::Usage,
            Trouble::Engine(_)
            | Trouble::Damaged(_)
            | Trouble::Broken { .. }
            | Trouble::Wrong { .. } => ExitCode::Database,
        }
    }

    /// The same in a word, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Trouble::Fault(_)
            | Trouble::Board(_)
            | Trouble::Goal(_)
            | Trouble::Checkpoint(_)
            | Trouble::NoPortfolio(_) => "input",
            Trouble::Unsolvable(_) => "unsolvable",
            Trouble::Engine(error) => match **error {
                _ if error.is_usage() => "input",
                EngineError::Database(_) | EngineError::Heuristic(_) => "database",
                EngineError::Solver(_) => "internal",
            },
            Trouble::Damaged(_) | Trouble::Broken { .. } => "database",
            Trouble::Wrong { .. } => "internal",
        }
    }
}

impl EngineError {
    /// Whether another heuristic or board has to be given.
    fn is_usage(&self) -> bool {
        matches!(self, EngineError::Heuristic(error) if heuristics::code(error) == ExitCode::Usage)
    }
}

impl<N: Fn(fmt::Arguments)> Session<N> {
    /// A session, if there can be such a goal.
    ///
    /// # Errors
    /// [`GoalError`] where the goal is wrong for boards of any size, or of the one given.
    pub fn new(
        databases: Databases,
        kind: KindArgs,
        heuristic: Spec,
        method: MethodArgs,
        limits: Limits,
        note: N,
    ) -> Result<Session<N>, GoalError> {
        kind.checked_goal()?;
        Ok(Session {
            databases,
            kind,
            heuristic,
            method,
            limits,
            checkpoint: CheckpointArgs::default(),
            stop: Control::default(),
            note,
            targets: HashMap::new(),
            engines: HashMap::new(),
        })
    }

    /// Makes a task of a board that can be solved.
    pub fn prepare(&mut self, text: &str) -> Result<Task, Trouble> {
        let board = Board::parse(text, self.kind.size)?;
        let target = self.target(board.grid())?;
        let solvability = target.goal.solvability(&board);
        if !solvability.is_solvable() {
            return Err(Trouble::Unsolvable(solvability));
        }
        if self.checkpoint.checkpoint.is_some() && !matches!(target.plan, Plan::Catalogue(_)) {
            return Err(CheckpointError::Needless.into());
        }
        let engine = if board == *target.goal.board() { None } else { Some(self.engine(&target)?) };
        let (method, limits, stop) = (self.method, self.limits, self.stop.clone());
        let checkpoint = self.checkpoint.clone();
        Ok(Task { board, target, engine, method, limits, checkpoint, stop })
    }

    /// The same with the state of searches kept in a file, which serves one board.
    pub fn with_checkpoint(mut self, checkpoint: CheckpointArgs) -> Session<N> {
        self.checkpoint = checkpoint;
        self
    }

    /// What stops the searches of all tasks.
    pub fn stopper(&self) -> &Control {
        &self.stop
    }

    fn target(&mut self, grid: Grid) -> Result<Arc<Target>, GoalError> {
        if let Some(target) = self.targets.get(&grid) {
            return Ok(target.clone());
        }
        let goal = Goal::parse(&self.kind.goal, grid)?;
        let target = Arc::new(Target::new(goal, &self.heuristic, &self.method));
        self.targets.insert(grid, target.clone());
        Ok(target)
    }

    fn engine(&mut self, target: &Target) -> Result<Arc<Engine>, Trouble> {
        let (grid, blank) = (target.canonical.grid(), target.canonical.blank());
        let plan = match &target.plan {
            Plan::NoPortfolio => return Err(Trouble::NoPortfolio(target.goal.board().grid())),
            plan => plan,
        };
        let (databases, note, args) = (&self.databases, &self.note, self.method);
        let compose = |method, bounds: &[Term]| {
            Engine::compose(databases, bounds, &target.canonical, method, args, note)
        };
        let engine = self.engines.entry((grid, blank)).or_insert_with(|| {
            let engine = match plan {
                Plan::Bounds(method, bounds) => compose(*method, bounds),
                Plan::Tables(sets) => Engine::load(databases, sets, &self.heuristic, args, note),
                Plan::Catalogue(set) => Engine::catalogue(databases, set, note),
                Plan::NoPortfolio => unreachable!("refused above"),
            };
            let engine = match engine {
                // Few build the tables of such goals, and those who may not are not left alone.
                Err(EngineError::Database(missing @ DatabaseError::Missing { .. }))
                    if blank != 0
                        && grid.cells() <= sets::MAX_CELLS
                        && self.heuristic == Spec::Standard =>
                {
                    let bounds = method::standard_bounds(grid);
                    let name = Spec::Bound(bounds.clone()).to_string();
                    note(format_args!("{missing}; until then {name} serves, which is slower"));
                    compose(Method::Ida, &bounds).map(|engine| engine.instead(name))
                }
                engine => engine,
            };
            engine.map(Arc::new).map_err(Arc::new)
        });
        engine.clone().map_err(Trouble::Engine)
    }
}

impl Target {
    fn new(goal: Goal, heuristic: &Spec, args: &MethodArgs) -> Target {
        let canonical = Canonical::of(&goal);
        let (grid, blank) = (canonical.grid(), canonical.blank());
        let method = args.method(grid, heuristic);
        let portfolio =
            |count| Set::portfolio(grid, blank, count).map_or(Plan::NoPortfolio, Plan::Tables);
        let plan = match heuristic {
            Spec::Bound(bounds) => match heuristics::fast(bounds, grid, blank) {
                Some(set) if method == Method::Ida => Plan::Tables(vec![set]),
                _ => Plan::Bounds(method, bounds.clone()),
            },
            Spec::Portfolio => portfolio(3),
            Spec::Together => portfolio(2),
            Spec::Standard => match Set::standard(grid, blank) {
                Some(set) if method == Method::Ida && grid.cells() <= sets::MAX_CELLS => {
                    Plan::Tables(vec![set])
                }
                Some(set) if method == Method::Ida && !args.count && !args.all => {
                    Plan::Catalogue(set)
                }
                // 2x2 boards are too small for two patterns.
                None if grid.cells() < sets::MAX_CELLS => {
                    Plan::Bounds(method, vec![Term::Manhattan(Additions::NONE)])
                }
                _ => Plan::Bounds(method, method::standard_bounds(grid)),
            },
        };
        // The solver takes the mirror along the main diagonal where that keeps the goal.
        let mirror = if grid.is_mirrored(blank) { ":mirror" } else { "" };
        let heuristic = match &plan {
            Plan::Tables(sets) => {
                let names: Vec<_> = sets.iter().map(|set| set.name.clone() + mirror).collect();
                match heuristic {
                    Spec::Portfolio => format!("portfolio({})", names.join(",")),
                    Spec::Together => format!("max({})", names.join(",")),
                    Spec::Standard | Spec::Bound(_) => names.join(","),
                }
            }
            Plan::Catalogue(set) if set.catalogue.is_some() => format!("catalogue({})", set.name),
            Plan::Catalogue(set) => set.name.clone() + mirror,
            Plan::Bounds(Method::Bfs, _) | Plan::NoPortfolio => "none".to_owned(),
            Plan::Bounds(_, bounds) => Spec::Bound(bounds.clone()).to_string(),
        };
        Target { goal, heuristic, canonical, plan }
    }
}

/// The fast search, where its tables come from, and their checks.
pub(super) type Fast = (Box<Solver<TableBytes>>, String, Vec<Arc<Check>>);

/// The fast search with these sets.
pub(super) fn solver(
    databases: &Databases,
    sets: &[Set],
    heuristic: &Spec,
    note: impl Fn(fmt::Arguments),
) -> Result<Fast, EngineError> {
    let mut partitions = Vec::new();
    let mut origins = Vec::new();
    let mut checks = Vec::new();
    for set in sets {
        let Loaded { tables, origin, check } = databases.load(set, &note)?;
        let tables: [_; 2] =
            tables.try_into().unwrap_or_else(|_| unreachable!("the set has two patterns"));
        partitions.push(tables);
        origins.push(origin);
        checks.push(check);
    }
    let solver = Solver::new(partitions)?;
    let together = *heuristic == Spec::Together;
    let solver = Box::new(if together { solver.together() } else { solver });
    Ok((solver, origins.join(" or "), checks))
}

/// The fast search of boards of more than 16 cells, where its tables come from, and their check.
pub(super) type Large = (Box<Catalogue<TableBytes>>, String, Arc<Check>);

/// The fast search of boards of more than 16 cells with this set.
pub(super) fn catalogue(
    databases: &Databases,
    set: &Set,
    note: impl Fn(fmt::Arguments),
) -> Result<Large, EngineError> {
    let Loaded { tables, origin, check } = databases.load(set, note)?;
    let tables = tables.into_iter().map(databases::in_memory).collect();
    Ok((Box::new(Catalogue::new(&set.partitions(), tables)?), origin, check))
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine({})", self.origin())
    }
}

impl Engine {
    fn compose(
        databases: &Databases,
        bounds: &[Term],
        canonical: &Canonical,
        method: Method,
        args: MethodArgs,
        note: impl Fn(fmt::Arguments),
    ) -> Result<Engine, EngineError> {
        let (grid, blank) = (canonical.grid(), canonical.blank());
        let mut shelf = Shelf::new(databases, grid, blank, note);
        let heuristic = Box::new(shelf.compose(bounds)?);
        let guided = Guided { grid, blank, method, args, heuristic };
        Ok(Engine::Plain { guided, origin: shelf.origin(), checks: shelf.checks(), instead: None })
    }

    /// The same, known to be guided by something else than what was asked for.
    fn instead(mut self, name: String) -> Engine {
        if let Engine::Plain { instead, .. } = &mut self {
            *instead = Some(name);
        }
        self
    }

    fn load(
        databases: &Databases,
        sets: &[Set],
        heuristic: &Spec,
        args: MethodArgs,
        note: impl Fn(fmt::Arguments),
    ) -> Result<Engine, EngineError> {
        let (solver, origin, checks) = solver(databases, sets, heuristic, &note)?;
        let all = match &sets[0] {
            set if args.count || args.all => {
                let (grid, blank) = (set.partition.grid(), set.partition.blank());
                let (partition, mirror) = (set.name.clone(), grid.is_mirrored(blank));
                let term = Term::Tables { partition, plain: false, mirror };
                let mut shelf = Shelf::new(databases, grid, blank, &note);
                Some(Box::new(shelf.compose(&[term])?))
            }
            _ => None,
        };
        Ok(Engine::Tables { solver, origin, checks, all })
    }

    fn catalogue(
        databases: &Databases,
        set: &Set,
        note: impl Fn(fmt::Arguments),
    ) -> Result<Engine, EngineError> {
        let (catalogue, origin, check) = catalogue(databases, set, note)?;
        Ok(Engine::Catalogue { catalogue, origin, checks: vec![check] })
    }

    fn search(
        &self,
        canonical: &Canonical,
        labels: &[u8],
        limits: &Limits,
        control: &Control,
        note: impl Fn(fmt::Arguments),
    ) -> Result<Outcome, BrokenTable> {
        match self {
            Engine::Tables { solver, .. } => solver.solve(labels, control),
            Engine::Catalogue { catalogue, .. } => catalogue.solve(labels, control, &()),
            Engine::Plain { guided, .. } => guided.search(canonical, labels, limits, control, note),
        }
    }

    /// What all solutions are found with.
    fn all(&self) -> Option<&Heuristic> {
        match self {
            Engine::Tables { all, .. } => all.as_deref(),
            Engine::Catalogue { .. } => None,
            Engine::Plain { guided, .. } => Some(&*guided.heuristic),
        }
    }

    /// What it is guided by, where it stands in for another one.
    fn stands_in(&self) -> Option<&str> {
        match self {
            Engine::Tables { .. } | Engine::Catalogue { .. } => None,
            Engine::Plain { instead, .. } => instead.as_deref(),
        }
    }

    /// Whether its solutions are optimal.
    fn is_optimal(&self) -> bool {
        !matches!(self, Engine::Plain { guided, .. } if !guided.is_optimal())
    }

    /// Whether a search takes so much memory that it should be the only one.
    pub fn is_large(&self) -> bool {
        matches!(self, Engine::Plain { guided, .. } if guided.is_large())
    }

    /// Its solver, if it has databases.
    pub fn solver(&self) -> Option<&Solver<TableBytes>> {
        match self {
            Engine::Tables { solver, .. } => Some(solver),
            Engine::Catalogue { .. } | Engine::Plain { .. } => None,
        }
    }

    /// Where its values come from, for messages.
    fn origin(&self) -> String {
        match self {
            Engine::Tables { origin, .. }
            | Engine::Catalogue { origin, .. }
            | Engine::Plain { origin, .. } => origin.clone(),
        }
    }

    fn is_long(&self) -> bool {
        matches!(self, Engine::Catalogue { .. })
    }

    /// Waits until the files that its values come from are checked.
    fn check(&self) -> Result<(), OpenError> {
        let (Engine::Tables { checks, .. }
        | Engine::Catalogue { checks, .. }
        | Engine::Plain { checks, .. }) = self;
        checks.iter().try_for_each(|check| check.wait())
    }
}

impl Task {
    /// Solves the board.
    pub fn run(self) -> Result<Answer, Trouble> {
        let Some(engine) = &self.engine else {
            let solved = Outcome { path: Some(Path::default()), ..Outcome::default() };
            return self.answer(Ok(solved), Duration::ZERO);
        };
        let start = Instant::now();
        let note = |text: fmt::Arguments| {
            if self.method.verbose {
                say("taquin", text);
            }
        };
        let (canonical, control, labels) = (&self.target.canonical, self.control(), self.labels());
        let outcome = match &**engine {
            Engine::Catalogue { catalogue, .. } => {
                long::search(catalogue, &labels, &control, &self.checkpoint)?
            }
            engine => engine.search(canonical, &labels, &self.limits, &control, note),
        };
        let time = start.elapsed();
        self.answer(outcome, time)
    }

    /// Whether its search may take minutes, on all threads.
    pub fn is_long(&self) -> bool {
        self.engine.as_ref().is_some_and(|engine| engine.is_long())
    }

    /// What it is searched with; `None` where the board is solved already.
    pub fn engine(&self) -> Option<&Arc<Engine>> {
        self.engine.as_ref()
    }

    /// The position as labels.
    pub fn labels(&self) -> Box<[u8]> {
        self.target.canonical.labels(&self.board)
    }

    /// The limits of its search, whose time begins now.
    pub fn control(&self) -> Control {
        self.limits.control(&self.stop)
    }

    /// The same after a search that took so long.
    fn rest(&self, spent: Duration) -> Control {
        let time_limit = self.limits.time_limit.map(|time| time.saturating_sub(spent));
        Limits { time_limit, ..self.limits }.control(&self.stop)
    }

    /// The answer that a search gives, if its solution does solve the board, and the databases are
    /// what they were when they were built.
    pub fn answer(
        self,
        outcome: Result<Outcome, BrokenTable>,
        time: Duration,
    ) -> Result<Answer, Trouble> {
        let (labels, control) = (self.labels(), self.rest(time));
        let Task { board, target, engine, method, .. } = self;
        engine.as_ref().map_or(Ok(()), |engine| engine.check())?;
        let origin = || engine.as_ref().map(|engine| engine.origin()).unwrap_or_default();
        let outcome = outcome.map_err(|broken| Trouble::Broken { broken, origin: origin() })?;
        let optimal = engine.as_ref().is_none_or(|engine| engine.is_optimal());
        let path = replayed(&board, &target, &outcome, optimal)
            .map_err(|what| Trouble::Wrong { what, origin: origin() })?;
        let Outcome { lower_bound, generated, expanded, stopped, .. } = outcome;
        let instead = engine.as_ref().and_then(|engine| engine.stands_in());
        let heuristic = instead.unwrap_or(&target.heuristic).to_owned();
        let mut answer = Answer {
            board,
            target,
            path,
            lower_bound,
            stopped,
            generated,
            expanded,
            time,
            heuristic,
            solutions: None,
        };
        if (method.count || method.all) && answer.is_optimal() {
            let canonical = &answer.target.canonical;
            let find = |heuristic: &Heuristic| {
                AllSolutions::find(heuristic, canonical, &labels, lower_bound, method.all, &control)
            };
            answer.solutions = match &engine {
                Some(engine) => engine.all().map(find),
                None => Some(Ok(AllSolutions { count: 1, paths: Some(vec![Path::default()]) })),
            };
        }
        Ok(answer)
    }
}

impl Answer {
    /// The number of moves of the solution.
    pub fn length(&self) -> Option<u32> {
        self.path.as_ref().map(|path| path.len() as u32)
    }

    /// By how much the solution is longer than the bound.
    pub fn gap(&self) -> u32 {
        self.length().map_or(0, |length| length.saturating_sub(self.lower_bound))
    }

    /// Whether there is a solution, and it is proved that none is shorter.
    pub fn is_optimal(&self) -> bool {
        self.length() == Some(self.lower_bound)
    }

    /// What to exit with: a search that was cut short of what it was to prove has failed.
    pub fn code(&self) -> ExitCode {
        let stopped = self.stopped.is_some() && !self.is_optimal();
        if stopped || matches!(self.solutions, Some(Err(_))) {
            ExitCode::Negative
        } else {
            ExitCode::Fine
        }
    }
}

/// The solution of a search as the board's own moves, if they do solve it; `None` where the search
/// was stopped before it found one.
fn replayed(
    board: &Board,
    target: &Target,
    outcome: &Outcome,
    optimal: bool,
) -> Result<Option<Path>, &'static str> {
    let Some(path) = &outcome.path else {
        return outcome.stopped.map(|_| None).ok_or("the search found no solution");
    };
    if path.len() < outcome.lower_bound as usize {
        return Err("the solution is shorter than what was proved");
    }
    if optimal && path.len() > outcome.lower_bound as usize && outcome.stopped.is_none() {
        return Err("the solution is longer than what was proved");
    }
    let path = target.canonical.path_back(path);
    match board.after(&path) {
        Ok(end) if end == *target.goal.board() => Ok(Some(path)),
        _ => Err("the moves found do not lead to the goal"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdb::{Buffer, Table};

    const STANDARD: Spec = Spec::Standard;

    fn session(goal: &str, size: Option<Grid>) -> Result<Session<fn(fmt::Arguments)>, GoalError> {
        let databases = Databases { folder: "there is no such folder".into(), build: false };
        let kind = KindArgs { goal: goal.to_owned(), size };
        Session::new(databases, kind, STANDARD, MethodArgs::default(), Limits::default(), |note| {
            panic!("{note}")
        })
    }

    #[test]
    fn tasks_can_go_to_other_threads() {
        fn is_send<T: Send>() {}
        is_send::<Task>();
        is_send::<Result<Answer, Trouble>>();
    }

    #[test]
    fn boards_that_need_no_engine_make_none() {
        let mut session = session("blank-last", None).unwrap();
        assert!(session.prepare("1 2 2 0").is_err_and(|trouble| trouble.kind() == "input"));
        assert!(session.prepare("2 1 3 0").is_err_and(|trouble| trouble.kind() == "unsolvable"));
        assert_eq!(session.prepare("1 2 3 0").unwrap().run().unwrap().path, Some(Path::default()));
        assert!(session.engines.is_empty());
        // Nor do the files of a large set matter until then.
        let solved = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0";
        assert!(session.prepare(solved).is_ok());
        let unsolved = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15";
        assert!(session.prepare(unsolved).is_err_and(|trouble| trouble.kind() == "database"));
    }

    #[test]
    fn one_engine_serves_all_equivalent_goals() {
        let solve = |goal: &str, boards: &[&str]| {
            let mut session = session(goal, None).unwrap();
            let lengths: Vec<usize> = boards
                .iter()
                .map(|board| session.prepare(board).unwrap().run().unwrap().path.unwrap().len())
                .collect();
            assert_eq!(session.engines.len(), 1);
            lengths
        };
        assert_eq!(solve("blank-last", &["1 2 3/4 0 5", "1 2/3 4/0 5", "0 1 2/4 5 3"]), [1, 1, 3]);
        assert_eq!(solve("blank-top-right", &["1 0 2 / 3 4 5", "1 2 5 / 3 4 0"]), [1, 1]);
    }

    #[test]
    fn a_goal_that_fits_no_board_is_refused_at_once() {
        let three = Grid::new(3, 2).ok();
        for (goal, size) in [
            ("corner", None),
            ("1 2 2 0", None),
            ("1 x 2 0", None),
            ("", None),
            ("1 2 3 4 5", three),
            ("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0", three),
        ] {
            assert!(session(goal, size).is_err(), "{goal}");
        }
        for (goal, size) in
            [("1 2 3 0", None), ("1 2 3 4 5 0", None), ("1 2 3 4 5 0", three), ("spiral", three)]
        {
            assert!(session(goal, size).is_ok(), "{goal}");
        }
        let mut session = session("1 2 3 0", None).unwrap();
        assert!(session.prepare("1 2 3 / 4 0 5").is_err_and(|trouble| trouble.kind() == "input"));
        assert!(session.prepare("1 0 3 2").is_ok());
    }

    #[test]
    fn a_damaged_table_gives_no_answer() {
        let target = Arc::new(Target::new(
            Goal::parse("blank-last", Grid::new(3, 3).unwrap()).unwrap(),
            &STANDARD,
            &MethodArgs::default(),
        ));
        let databases = Databases { folder: "nowhere".into(), build: true };
        let Plan::Tables(sets) = &target.plan else { panic!() };
        let board: Board = "8 6 7 / 2 5 4 / 3 0 1".parse().unwrap();
        for damage in [0, 0xff] {
            let Loaded { tables, origin, .. } = databases.load(&sets[0], |_| ()).unwrap();
            let tables = tables.into_iter().map(|table| {
                let mut bits = Buffer::zeroed(table.bits().len()).unwrap();
                for (byte, sound) in bits.as_bytes_mut().iter_mut().zip(table.bits()) {
                    *byte = sound ^ damage;
                }
                let (pattern, index) = (table.pattern(), table.index().clone());
                Table::new(pattern, index, TableBytes::Owned(bits)).unwrap()
            });
            let Ok(tables) = <[_; 2]>::try_from(tables.collect::<Vec<_>>()) else { panic!() };
            let solver = Box::new(Solver::new(vec![tables]).unwrap());
            let engine =
                Some(Arc::new(Engine::Tables { solver, origin, checks: Vec::new(), all: None }));
            let task = Task {
                board: board.clone(),
                target: target.clone(),
                engine,
                method: MethodArgs::default(),
                limits: Limits::default(),
                checkpoint: CheckpointArgs::default(),
                stop: Control::default(),
            };
            match task.run() {
                Ok(answer) => assert_eq!((damage, answer.path.unwrap().len()), (0, 31)),
                Err(trouble) => {
                    assert_eq!((damage, trouble.code()), (0xff, ExitCode::Database));
                    assert!(trouble.to_string().contains("pdb-gen verify"), "{trouble}");
                }
            }
        }
    }

    #[test]
    fn every_answer_is_replayed() {
        let target = Target::new(
            Goal::parse("blank-last", Grid::new(3, 2).unwrap()).unwrap(),
            &STANDARD,
            &MethodArgs::default(),
        );
        let board: Board = "1 2 3 / 0 4 5".parse().unwrap();
        // On the canonical board, which is turned by half, left is right.
        let outcome = |path: &str, lower_bound| {
            let path = Some(path.parse().unwrap());
            Outcome { path, lower_bound, ..Outcome::default() }
        };
        assert_eq!(
            replayed(&board, &target, &outcome("RR", 2), true),
            Ok(Some("LL".parse().unwrap()))
        );
        assert!(replayed(&board, &target, &outcome("LL", 2), true).is_err());
        assert!(replayed(&board, &target, &outcome("R", 1), true).is_err());
        assert!(replayed(&board, &target, &outcome("RR", 0), true).is_err());
        assert!(replayed(&board, &target, &outcome("RR", 4), true).is_err());
        assert!(replayed(&board, &target, &Outcome::default(), true).is_err());
        let stopped = Outcome { stopped: Some(Stop::Time), ..Outcome::default() };
        assert_eq!(replayed(&board, &target, &stopped, true), Ok(None));
        // Not proved to be optimal, but a solution.
        let stopped = Outcome { stopped: Some(Stop::Time), ..outcome("RR", 0) };
        assert_eq!(replayed(&board, &target, &stopped, true), Ok(Some("LL".parse().unwrap())));
    }
}
