//! Solvers.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyString;
use taquin::solver::{Division, GoalSpec, Merged, Packet, PacketResult, Split, State, Target};
use taquin::{
    Board, Bracket, Cancel, Error, Goal, Grid, LabelledBoard, Limits, Moves, Solver, Spec, Store,
};
use taquin_engine::board::{Metric, OpenGoal, OpenPosition};

use crate::analysis::PyAnalysis;
use crate::batch::Batch;
use crate::board::{grid, read};
use crate::errors::{of_solver, value};
use crate::interrupt;
use crate::labels::Labels;
use crate::solution::{PySolution, PySolutions};

/// The folder that stands for memory.
const MEMORY: &str = ":memory:";

/// The most cells of boards whose values fit a byte, whatever the heuristic.
const BYTE_CELLS: usize = 25;

/// A solver for one goal and heuristic. Several threads may use it at the same time.
///
/// goal is a name, such as "blank-last" or "spiral", a board, or text with equal labels or with * for cells
/// that do not matter, such as "1 2 3 / * * *". heuristic is a name as `taquin
/// solve --heuristic` takes it. Databases come from pdb_dir, else from the folder that TAQUIN_PDB_DIR
/// names, else from the folder taquin in the user's data folder; ":memory:" keeps them in memory.
/// Missing ones are built unless build is false. method is "ida", "plain", "astar", "astar:fifo",
/// "bfs", "beam", "staged" or "greedy". metric is "single", which counts
/// moves of single tiles, or "multi", which counts slides of one or several tiles. threads is the number of threads
/// that search; by default all cores.
#[pyclass(name = "Solver", module = "taquin", frozen)]
pub struct PySolver {
    solver: Solver,
    settings: Settings,
    /// The solvers of other heuristics, which share the databases.
    others: Mutex<HashMap<Spec, Solver>>,
}

#[derive(Clone)]
struct Settings {
    goal: GoalSpec,
    metric: Metric,
    heuristic: Spec,
    store: Store,
    threads: Option<usize>,
}

impl Settings {
    fn builder(&self) -> taquin::Builder {
        let builder =
            Solver::builder().goal(self.goal.clone()).metric(self.metric).store(self.store.clone());
        match self.threads {
            Some(threads) => builder.threads(threads),
            None => builder,
        }
    }
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (
        goal=None, heuristic="standard", *, pdb_dir=None, build=true, threads=None, method=None,
        metric="single"
    ))]
    fn new(
        goal: Option<&Bound<'_, PyAny>>,
        heuristic: &str,
        pdb_dir: Option<PathBuf>,
        build: bool,
        threads: Option<usize>,
        method: Option<&str>,
        metric: &str,
    ) -> PyResult<PySolver> {
        let metric = metric.parse().map_err(value)?;
        let store = match pdb_dir {
            Some(folder) if folder.as_os_str() == MEMORY => Store::memory(),
            Some(folder) => Store::folder(folder),
            None => Store::default(),
        };
        let goal = goal.map_or_else(|| Ok(GoalSpec::default()), goal_spec)?;
        let heuristic: Spec = heuristic.parse().map_err(value)?;
        let store = store.build_missing(build);
        PySolver::build(Settings { goal, metric, heuristic, store, threads }, method)
    }

    /// The goal: its name, or its board.
    #[getter]
    pub fn goal(&self) -> String {
        self.settings.goal.to_string()
    }

    /// The folder of the databases; None for databases in memory.
    #[getter]
    fn pdb_dir(&self) -> Option<PathBuf> {
        self.settings.store.path().map(ToOwned::to_owned)
    }

    /// The metric: "single" or "multi".
    #[getter]
    fn metric(&self) -> &'static str {
        self.settings.metric.name()
    }

    /// The number of threads that search.
    #[getter]
    fn threads(&self) -> usize {
        self.solver.threads()
    }

    /// Loads or builds the databases for boards of a size, which the first board would do.
    #[pyo3(signature = (size=None))]
    fn prepare(&self, py: Python<'_>, size: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let size = size.map_or_else(|| Grid::new(4, 4).map_err(value), grid)?;
        let solver = self.solver.clone();
        run(py, Limits::default(), move |limits| solver.prepare_with(size, limits))
    }

    /// Solves a board: a Board, or anything that Board() reads.
    ///
    /// The solution is optimal unless a limit ends the search, in seconds or in nodes generated. With
    /// a gap the search ends once a solution is known that is at most gap moves longer than the lower
    /// bound. If the goal has equal tiles or cells that do not matter, the board may have labels, as in
    /// "A A B / B C _".
    #[pyo3(signature = (board, *, time_limit=None, node_limit=None, gap=0))]
    fn solve(
        &self,
        board: &Bound<'_, PyAny>,
        time_limit: Option<f64>,
        node_limit: Option<u64>,
        gap: u32,
    ) -> PyResult<PySolution> {
        let (py, solver) = (board.py(), self.solver.clone());
        let limits = limited(time_limit, node_limit)?.gap(gap);
        if let Some(goal) = self.settings.goal.open() {
            let board = labelled(goal, board)?;
            let given = board.clone();
            let bracket = run(py, limits, move |limits| solver.solve_labelled(&given, limits))?;
            return open_answer(goal, board, bracket);
        }
        let board = read(board, None)?;
        let given = board.clone();
        let bracket = run(py, limits, move |limits| solver.solve_with(&given, limits))?;
        self.answer(board, bracket)
    }

    /// Counts the optimal solutions of a board, and lists the first of them.
    #[pyo3(signature = (board, *, most=10, time_limit=None, node_limit=None))]
    fn solutions(
        &self,
        board: &Bound<'_, PyAny>,
        most: usize,
        time_limit: Option<f64>,
        node_limit: Option<u64>,
    ) -> PyResult<PySolutions> {
        let (py, solver) = (board.py(), self.solver.clone());
        let limits = limited(time_limit, node_limit)?;
        let (count, paths, first) = if let Some(goal) = self.settings.goal.open() {
            let board = labelled(goal, board)?;
            let given = board.clone();
            let work = move |limits: &Limits| solver.solutions_labelled(&given, limits, most);
            let found = run(py, limits, work)?;
            (found.count, found.paths, open_answer(goal, board, found.bracket)?)
        } else {
            let board = read(board, None)?;
            let given = board.clone();
            let found = run(py, limits, move |limits| solver.solutions(&given, limits, most))?;
            (found.count, found.paths, self.answer(board, found.bracket)?)
        };
        Ok(PySolutions {
            count: count.ok(),
            moves: paths.iter().map(ToString::to_string).collect(),
            first: Py::new(py, first)?,
        })
    }

    /// Analyses a line of moves: the distance of each position, and where moves were lost. moves are
    /// letters, "DDRU", or what str() makes of a Solution. The limits are for each position searched.
    #[pyo3(signature = (board, moves, *, time_limit=None, node_limit=None))]
    fn analyse(
        &self,
        board: &Bound<'_, PyAny>,
        moves: &str,
        time_limit: Option<f64>,
        node_limit: Option<u64>,
    ) -> PyResult<PyAnalysis> {
        let (py, board) = (board.py(), read(board, None)?);
        let moves: Moves = moves.parse().map_err(value)?;
        let limits = limited(time_limit, node_limit)?;
        let (solver, given) = (self.solver.clone(), board.clone());
        let analysis = run(py, limits, move |limits| solver.analyse(&given, &moves, limits))?;
        Ok(PyAnalysis { board, analysis })
    }

    /// The heuristic's value of a board: a lower bound on the length of its solutions. name is
    /// another heuristic than the solver's.
    #[pyo3(signature = (board, name=None))]
    fn heuristic(&self, board: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<u32> {
        let (py, board) = (board.py(), read(board, None)?);
        let solver = self.named(name)?;
        let values = run(py, Limits::default(), move |limits| solver.values(&[board], limits))?;
        values.first().copied().ok_or_else(|| value("a board without a value"))
    }

    /// The heuristic's values of many boards, computed on all threads: uint8 of shape (N,), or
    /// uint16 for boards of more than 25 cells. boards is an array of shape (N, cells) or (N,
    /// height, width), or a list of boards.
    #[pyo3(signature = (boards, name=None, *, size=None))]
    fn heuristics<'py>(
        &self,
        boards: &Bound<'py, PyAny>,
        name: Option<&str>,
        size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = boards.py();
        let batch = self.batch(boards, size)?;
        let solver = self.named(name)?;
        let is_byte = batch.grid.cells() <= BYTE_CELLS;
        let values =
            run(py, Limits::default(), move |limits| solver.values(&batch.boards, limits))?;
        // No heuristic is above 255 where a byte is used: no board of that size takes as many moves.
        Ok(if is_byte {
            let bytes = values.into_iter().map(|value| u8::try_from(value).unwrap_or(u8::MAX));
            PyArray1::from_iter(py, bytes).into_any()
        } else {
            let words = values.into_iter().map(|value| u16::try_from(value).unwrap_or(u16::MAX));
            PyArray1::from_iter(py, words).into_any()
        })
    }

    /// Solves many boards on all threads, within the limits for each of them.
    ///
    /// Returns Labels: the lengths in moves of single tiles as int16, the moves as int8 of shape (N, longest), the nodes
    /// generated as uint64, and whether each solution is optimal. A move is its place in
    /// taquin.MOVES, and -1 follows the last one. Without a solution the length is -1.
    #[pyo3(signature = (boards, *, size=None, time_limit=None, node_limit=None, gap=0))]
    fn solve_many<'py>(
        &self,
        boards: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        time_limit: Option<f64>,
        node_limit: Option<u64>,
        gap: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = boards.py();
        let batch = self.batch(boards, size)?;
        let limits = limited(time_limit, node_limit)?.gap(gap);
        let labels = Labels::with_room(batch.boards.len())?;
        let solver = self.solver.clone();
        let labels = run(py, limits, move |limits| labels.fill(&solver, batch, limits))?;
        labels.into_python(py)
    }

    /// The Solution of each board, as a list, on all threads. The limits are for each board.
    #[pyo3(signature = (boards, *, size=None, time_limit=None, node_limit=None, gap=0))]
    fn solve_each(
        &self,
        boards: &Bound<'_, PyAny>,
        size: Option<&Bound<'_, PyAny>>,
        time_limit: Option<f64>,
        node_limit: Option<u64>,
        gap: u32,
    ) -> PyResult<Vec<PySolution>> {
        let Batch { grid, boards: items } = self.batch(boards, size)?;
        let limits = limited(time_limit, node_limit)?.gap(gap);
        let goal = self.solver.goal(grid).map_err(value)?;
        let solver = self.solver.clone();
        let answers = run(boards.py(), limits, move |limits| {
            let items = items.into_iter().map(|board| (board.clone(), Some(board)));
            let answers = solver.stream(items, limits.clone());
            let answer = |(board, answer): (Board, Option<_>)| Some((board, answer?));
            let answers = answers.filter_map(answer).map(|(board, answer)| Ok((board, answer?)));
            answers.collect::<Result<Vec<(Board, Bracket)>, Error>>()
        })?;
        let solution =
            |(board, bracket)| PySolution { board, goal: goal.clone(), open: None, bracket };
        Ok(answers.into_iter().map(solution).collect())
    }

    /// Divides a threshold of the search for a board into about count packets, which any number of
    /// programs search: see run_packet and merge.
    ///
    /// The threshold is the first whose predecessor had at least `after` nodes; smaller ones are
    /// searched at once. There are fewer packets than count if they would have fewer than about
    /// `nodes` nodes. state is that of an earlier merge. Returns the packets as lines of text, in
    /// the order of the search, or the Solution if the board is solved on the way.
    #[pyo3(signature = (board, state=None, *, after=10_000_000, count=100, nodes=0))]
    fn packets<'py>(
        &self,
        board: &Bound<'py, PyAny>,
        state: Option<&str>,
        after: u64,
        count: usize,
        nodes: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, board) = (board.py(), read(board, None)?);
        let state: Option<State> = state.map(str::parse).transpose().map_err(value)?;
        let (solver, given) = (self.solver.clone(), board.clone());
        let division = Division::into(count).after(after).nodes(nodes);
        let work = move |limits: &Limits| solver.packets(&given, state, division, limits);
        match run(py, Limits::default(), work)? {
            Split::Solved(bracket) => Ok(Bound::new(py, self.answer(board, bracket)?)?.into_any()),
            Split::Packets(packets) => {
                let lines: Vec<String> = packets.iter().map(ToString::to_string).collect();
                Ok(lines.into_pyobject(py)?.into_any())
            }
        }
    }

    /// Searches a packet, and returns its result as a line: the same one each time.
    fn run_packet(&self, py: Python<'_>, packet: &str) -> PyResult<String> {
        let packet: Packet = packet.parse().map_err(value)?;
        let solver = self.solver.clone();
        let result = run(py, Limits::default(), move |limits| solver.run_packet(&packet, limits))?;
        Ok(result.to_string())
    }

    /// Joins the results of a threshold's packets, in any order. Those after the first one that
    /// holds a solution are not needed.
    ///
    /// Returns the Solution and None; or, if the threshold holds no solution, a Solution without
    /// moves, whose lower_bound is proved, and the state from which packets goes on.
    fn merge(
        &self,
        py: Python<'_>,
        results: Vec<String>,
    ) -> PyResult<(PySolution, Option<String>)> {
        let results: Vec<PacketResult> =
            results.iter().map(|line| line.parse()).collect::<Result<_, _>>().map_err(value)?;
        let first = results.first().ok_or_else(|| value("there are no results of packets"))?;
        let board = first.board().map_err(value)?;
        let solver = self.solver.clone();
        match run(py, Limits::default(), move |limits| solver.merge(results, limits))? {
            Merged::Solved(bracket) => Ok((self.answer(board, bracket)?, None)),
            Merged::Exhausted { bracket, state } => {
                Ok((self.answer(board, bracket)?, Some(state.to_string())))
            }
        }
    }

    /// A solver with another heuristic and method, which shares the databases.
    #[pyo3(signature = (heuristic, *, method=None))]
    fn with_heuristic(&self, heuristic: &str, method: Option<&str>) -> PyResult<PySolver> {
        let heuristic = heuristic.parse().map_err(value)?;
        PySolver::build(Settings { heuristic, ..self.settings.clone() }, method)
    }

    /// Compares heuristics: their values on boards, and the nodes of searches for some of them. Names are
    /// those of `taquin bench --heuristics`; a function of uint8[N, cells] has values alone. See
    /// taquin.Comparison.
    #[pyo3(signature = (
        heuristics, boards=None, *, n=1000, seed=1, size=None, solve=20, node_limit=1_000_000
    ))]
    #[allow(clippy::too_many_arguments)]
    fn compare<'py>(
        slf: Bound<'py, PySolver>,
        heuristics: Bound<'py, PyAny>,
        boards: Option<Bound<'py, PyAny>>,
        n: usize,
        seed: u64,
        size: Option<Bound<'py, PyAny>>,
        solve: usize,
        node_limit: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let compare = slf.py().import("taquin._compare")?.getattr("compare")?;
        compare.call1((slf, heuristics, boards, n, seed, size, solve, node_limit))
    }

    /// Compares the values of heuristics, by name or as functions of uint8[N, cells], with true distances.
    /// See taquin.Evaluation.
    #[pyo3(signature = (heuristics, boards=None, *, n=1000, seed=1, size=None))]
    fn evaluate<'py>(
        slf: Bound<'py, PySolver>,
        heuristics: Bound<'py, PyAny>,
        boards: Option<Bound<'py, PyAny>>,
        n: usize,
        seed: u64,
        size: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let evaluate = slf.py().import("taquin._compare")?.getattr("evaluate")?;
        evaluate.call1((slf, heuristics, boards, n, seed, size))
    }

    /// Searches a board with a function of uint8[N, cells]: by batch-weighted A* (method "bwas"), or by IDA*
    /// in batches ("ida"). weight is the weight of the path: with 1 and admissible values the solution is
    /// optimal, with less there are fewer nodes. See taquin.Found.
    #[pyo3(signature = (
        board, heuristic, *, method="bwas", batch=1000, weight=1.0, time_limit=None, node_limit=None
    ))]
    #[allow(clippy::too_many_arguments)]
    fn search<'py>(
        slf: Bound<'py, PySolver>,
        board: Bound<'py, PyAny>,
        heuristic: Bound<'py, PyAny>,
        method: &str,
        batch: usize,
        weight: f64,
        time_limit: Option<f64>,
        node_limit: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let search = slf.py().import("taquin._compare")?.getattr("search")?;
        search.call1((slf, heuristic, board, method, batch, weight, time_limit, node_limit))
    }

    fn __repr__(&self) -> String {
        let Settings { goal, heuristic, .. } = &self.settings;
        format!("Solver(goal='{goal}', heuristic='{heuristic}')")
    }
}

impl PySolver {
    fn build(settings: Settings, method: Option<&str>) -> PyResult<PySolver> {
        let mut builder = settings.builder().heuristic(settings.heuristic.clone());
        if let Some(method) = method {
            builder = builder.method(method.parse().map_err(value)?);
        }
        let solver = builder.build().map_err(|error| of_solver(&error))?;
        Ok(PySolver { solver, settings, others: Mutex::default() })
    }

    /// Whether lengths are numbers of slides.
    pub fn counts_slides(&self) -> bool {
        self.settings.metric == Metric::Multi
    }

    /// The solver of a heuristic.
    pub fn named(&self, name: Option<&str>) -> PyResult<Solver> {
        let Some(name) = name else { return Ok(self.solver.clone()) };
        let spec: Spec = name.parse().map_err(value)?;
        if spec == self.settings.heuristic {
            return Ok(self.solver.clone());
        }
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(solver) = others.get(&spec) {
            return Ok(solver.clone());
        }
        let builder = self.settings.builder().heuristic(spec.clone());
        let solver = builder.build().map_err(|error| of_solver(&error))?;
        Ok(others.entry(spec).or_insert(solver).clone())
    }

    /// The source of the databases.
    pub fn store(&self) -> &Store {
        &self.settings.store
    }

    /// The solver of the library.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The goal for a size.
    pub fn goal_of(&self, grid: Grid) -> PyResult<Goal> {
        self.solver.goal(grid).map_err(value)
    }

    /// Reads boards that moves can bring to the goal.
    pub fn batch(
        &self,
        boards: &Bound<'_, PyAny>,
        size: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Batch> {
        let batch = Batch::read(boards, size)?;
        batch.check_solvable(boards.py(), &self.goal_of(batch.grid)?)?;
        Ok(batch)
    }

    fn answer(&self, board: Board, bracket: Bracket) -> PyResult<PySolution> {
        let goal = self.solver.goal(board.grid()).map_err(value)?;
        Ok(PySolution { board, goal, open: None, bracket })
    }
}

/// A board for a goal that leaves something open: text, or anything that is written as rows.
fn labelled(goal: &OpenGoal, board: &Bound<'_, PyAny>) -> PyResult<LabelledBoard> {
    let text = board.str()?;
    Ok(goal.read(text.to_str()?).map_err(value)?.board)
}

/// The answer for a goal that leaves something open.
fn open_answer(goal: &OpenGoal, board: LabelledBoard, bracket: Bracket) -> PyResult<PySolution> {
    let position = OpenPosition::new(goal, &board).map_err(value)?;
    let path = bracket.solution.as_ref().map(|solution| solution.moves());
    let end = path.and_then(|path| board.board().after(path).ok());
    let end = end.map_or_else(|| position.near_goal(), Goal::from);
    let given = board.board().clone();
    Ok(PySolution {
        board: given,
        goal: end,
        open: Some((board, Target::Open(goal.clone()))),
        bracket,
    })
}

/// Runs a solver's work, which Ctrl-C ends.
fn run<R: Send + 'static>(
    py: Python<'_>,
    limits: Limits,
    work: impl FnOnce(&Limits) -> Result<R, Error> + Send + 'static,
) -> PyResult<R> {
    let cancel = Cancel::new();
    let limits = limits.cancel(&cancel);
    interrupt::run(py, &cancel, move || work(&limits))?.map_err(|error| of_solver(&error))
}

/// The limits of a search.
pub fn limited(time: Option<f64>, nodes: Option<u64>) -> PyResult<Limits> {
    let mut limits = Limits::default();
    if let Some(seconds) = time {
        limits = limits.time(Duration::try_from_secs_f64(seconds).map_err(value)?);
    }
    if let Some(nodes) = nodes {
        limits = limits.nodes(nodes);
    }
    Ok(limits)
}

fn goal_spec(goal: &Bound<'_, PyAny>) -> PyResult<GoalSpec> {
    match goal.cast::<PyString>() {
        Ok(text) => text.to_str()?.parse().map_err(value),
        Err(_) => Ok(read(goal, None)?.into()),
    }
}
