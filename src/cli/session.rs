//! From the text of a board to its answer.
//!
//! [`Session::prepare`] reads a board, and has the goal, the databases and the solver ready
//! that it takes; each of these is made once, when the first board wants it. The [`Task`] it
//! gives stands on its own: tasks can be carried out in any order, on any thread.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::args::boards::KindArgs;
use super::args::checkpoint::CheckpointArgs;
use super::args::limits::Limits;
use super::args::method::{Method, MethodArgs};
use super::checkpoint::CheckpointError;
use super::databases::{DatabaseError, Databases};
use super::engine::{Engine, EngineError};
use super::exit::ExitCode;
use super::heuristics::Heuristic;
use super::method::{self, AllSolutions};
use super::output::streams::say;
use super::sets;
use super::target::{Plan, Target};
use super::trouble::Trouble;
use crate::board::{Board, Goal, GoalError, Grid, Path};
use crate::heuristic::{Spec, Term};
use crate::pdb::BrokenTable;
use crate::search::{Control, Outcome, Stop};

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
        let outcome =
            engine.search(canonical, &labels, &self.limits, &self.checkpoint, &control, note)?;
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
    use crate::cli::databases::{Loaded, TableBytes};
    use crate::pdb::{Buffer, Table};
    use crate::search::Solver;

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
