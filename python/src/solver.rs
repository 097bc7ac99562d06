//! Solvers.

use std::collections::HashMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyString};
use taquin::read::Expected;
use taquin::solver::{Division, GoalSpec, Packet, PacketResult, Split, State, Target};
use taquin::{
    Analysis, Board, Bracket, Cancel, Error, Goal, Grid, LabelledBoard, Limits, Method, Moves,
    Solver, Spec, Store,
};
use taquin_engine::board::Metric;

use crate::announce;
use crate::batch::Batch;
use crate::board::{PyBoard, grid, hash, read};
use crate::errors::{argument, of_file, of_solver, value};
use crate::interrupt::{self, PyCancel};
use crate::labels::Labels;
use crate::numbers::{optional, time, whole};
use crate::solution::PySolution;

/// The folder that stands for memory.
const MEMORY: &str = ":memory:";

/// The most cells of boards whose values fit a byte, whatever the heuristic.
const BYTE_CELLS: usize = 25;

/// A solver for one goal and heuristic. Several threads may use it at the same time.
///
/// Solvers are equal if their arguments are. A copy is the solver itself; a pickle has the arguments,
/// and not the databases.
///
/// goal is a name, such as "blank-last" or "spiral", a board, or text with equal labels or with * for
/// cells that do not matter, such as "1 2 3 / * * *". heuristic is a name as `taquin
/// solve --heuristic` takes it. Databases come from pdb_dir, else from the folder that TAQUIN_PDB_DIR
/// names, else from the folder taquin in the user's data folder; ":memory:" keeps them in memory.
/// Missing ones are built unless build is false; it is an error if pdb_dir is not writable then. method
/// is "ida", "plain", "astar", "astar:fifo", "bfs", "beam", "staged" or "greedy". metric is "single",
/// which counts moves of single tiles, or "multi", which counts slides of one or several tiles. threads
/// is the number of threads that search; by default all cores.
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
    /// The text of the blank.
    blank: Option<String>,
    metric: Metric,
    heuristic: Spec,
    method: Option<Method>,
    /// The argument `pdb_dir`.
    folder: Option<PathBuf>,
    build: bool,
    threads: Option<usize>,
    store: Store,
}

impl Settings {
    /// The arguments, which equal solvers share.
    fn key(&self) -> impl PartialEq + Hash {
        let Settings { goal, blank, metric, heuristic, method, folder, build, threads, .. } = self;
        (goal.to_string(), blank, metric, heuristic, method, folder, build, threads)
    }

    /// A solver with a heuristic and method.
    fn build(&self, heuristic: Spec, method: Option<Method>) -> PyResult<Solver> {
        let mut builder = Solver::builder()
            .goal(self.goal.clone())
            .metric(self.metric)
            .heuristic(heuristic)
            .store(self.store.clone())
            .progress(announce::event);
        if let Some(threads) = self.threads {
            builder = builder.threads(threads);
        }
        if let Some(method) = method {
            builder = builder.method(method);
        }
        builder.build().map_err(|error| of_solver(&error))
    }
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(signature = (
        goal=None, heuristic="standard", *, pdb_dir=None, build=true, threads=None, method=None,
        metric="single", blank=None
    ))]
    // Keywords of Python.
    #[allow(clippy::too_many_arguments)]
    fn new(
        goal: Option<&Bound<'_, PyAny>>,
        heuristic: &str,
        pdb_dir: Option<PathBuf>,
        build: bool,
        threads: Option<&Bound<'_, PyAny>>,
        method: Option<&str>,
        metric: &str,
        blank: Option<String>,
    ) -> PyResult<PySolver> {
        let metric = metric.parse().map_err(|error| argument("metric", error))?;
        let folder = pdb_dir;
        let store = match &folder {
            Some(folder) if folder.as_os_str() == MEMORY => Store::memory(),
            Some(folder) => {
                check_folder(folder)?;
                Store::folder(folder).required()
            }
            None => Store::default(),
        };
        let goal =
            goal.map(|goal| goal_spec(goal, blank.as_deref())).transpose()?.unwrap_or_default();
        let heuristic = heuristic_spec("heuristic", heuristic)?;
        let method = method.map(method_named).transpose()?;
        let threads = optional("threads", threads)?;
        if threads == Some(0) {
            return Err(argument("threads", "0 is too few: give 1 or more, or None for all cores"));
        }
        let store = store.build_missing(build);
        let settings =
            Settings { goal, blank, metric, heuristic, method, folder, build, threads, store };
        PySolver::build(settings)
    }

    /// The class with its arguments.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ())> {
        let Settings { goal, blank, metric, heuristic, method, folder, build, threads, .. } =
            &self.settings;
        let arguments = PyDict::new(py);
        arguments.set_item("goal", goal.to_string())?;
        arguments.set_item("heuristic", heuristic.to_string())?;
        arguments.set_item("pdb_dir", folder)?;
        arguments.set_item("build", build)?;
        arguments.set_item("threads", threads)?;
        arguments.set_item("method", method.map(|method| method.to_string()))?;
        arguments.set_item("metric", metric.name())?;
        arguments.set_item("blank", blank)?;
        let partial = py.import("functools")?.getattr("partial")?;
        Ok((partial.call((py.get_type::<PySolver>(),), Some(&arguments))?, ()))
    }

    /// The solver itself, as nothing changes it.
    fn __copy__(slf: Bound<'_, PySolver>) -> Bound<'_, PySolver> {
        slf
    }

    fn __deepcopy__<'py>(
        slf: Bound<'py, PySolver>,
        _memo: &Bound<'py, PyAny>,
    ) -> Bound<'py, PySolver> {
        slf
    }

    fn __eq__(&self, other: &PySolver) -> bool {
        self.settings.key() == other.settings.key()
    }

    fn __hash__(&self) -> u64 {
        hash(&self.settings.key())
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

    /// Loads or builds the databases for boards of a size, which otherwise happens for the first board.
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
    #[pyo3(
        signature = (board, **limits),
        text_signature = "($self, board, *, time_limit=None, node_limit=None, gap=0)"
    )]
    fn solve(
        &self,
        board: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PySolution> {
        self.solve_until(&PyCancel::default(), board, limits)
    }

    #[pyo3(name = "_solve_until", signature = (cancel, board, **limits))]
    fn solve_until(
        &self,
        cancel: &PyCancel,
        board: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PySolution> {
        let ((posed, goal), limits) = (self.given(board)?, self::limits(limits, &LIMITS)?);
        let (solver, asked) = (self.solver.clone(), posed.clone());
        let bracket = run_until(board.py(), &cancel.0, limits, move |limits| {
            solver.solve_with(asked, limits)
        })?;
        PySolution::of(posed, goal, bracket)
    }

    /// Counts the optimal solutions of a board, and lists the first of them.
    #[pyo3(
        signature = (board, *, most=None, **limits),
        text_signature = "($self, board, *, most=10, time_limit=None, node_limit=None)"
    )]
    fn solutions<'py>(
        &self,
        board: &Bound<'py, PyAny>,
        most: Option<&Bound<'py, PyAny>>,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, most) = (board.py(), optional("most", most)?.unwrap_or(10));
        let ((posed, goal), limits) = (self.given(board)?, self::limits(limits, &LIMITS[..2])?);
        let (solver, asked) = (self.solver.clone(), posed.clone());
        let found = run(py, limits, move |limits| solver.solutions(asked, limits, most))?;
        let moves: Vec<String> = found.paths.iter().map(ToString::to_string).collect();
        let parts = (found.count.ok(), moves, PySolution::of(posed, goal, found.bracket)?);
        py.import("taquin._results")?.getattr("Solutions")?.call1(parts)
    }

    /// Analyses a line of moves: the distance of each position, and where moves were lost. moves are letters,
    /// "DDRU", or the str() of a Solution. The limits are for each position searched.
    #[pyo3(
        signature = (board, moves, **limits),
        text_signature = "($self, board, moves, *, time_limit=None, node_limit=None)"
    )]
    fn analyse<'py>(
        &self,
        board: &Bound<'py, PyAny>,
        moves: &str,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, board) = (board.py(), self.read(board)?);
        let moves: Moves = moves.parse().map_err(|error| argument("moves", error))?;
        let (limits, given) = (self::limits(limits, &LIMITS[..2])?, board.clone());
        let solver = self.solver.clone();
        let analysis = run(py, limits, move |limits| solver.analyse(&given, &moves, limits))?;
        analysed(py, board, &analysis)
    }

    /// analyse for many boards, each with its moves, on all threads. The limits are for each position searched.
    #[pyo3(
        signature = (boards, moves, *, size=None, **limits),
        text_signature = "($self, boards, moves, *, size=None, time_limit=None, node_limit=None)"
    )]
    fn analyse_many<'py>(
        &self,
        boards: &Bound<'py, PyAny>,
        moves: Vec<String>,
        size: Option<&Bound<'py, PyAny>>,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (py, boards) = (boards.py(), self.batch(boards, size)?.boards);
        if boards.len() != moves.len() {
            let counts = format!("{} are given for {} boards", moves.len(), boards.len());
            return Err(argument("moves", counts));
        }
        let of_row = |row: usize, error: String| argument("moves", format!("board {row}: {error}"));
        let parsed = moves.iter().enumerate().map(|(row, moves)| {
            moves.parse::<Moves>().map_err(|error| of_row(row, error.to_string()))
        });
        let lines: Vec<_> = boards.into_iter().zip(parsed.collect::<PyResult<Vec<_>>>()?).collect();
        let limits = self::limits(limits, &LIMITS[..2])?;
        let solver = self.solver.clone();
        let (lines, found) = run(py, limits, move |limits| {
            let found = solver.analyse_all(&lines, limits);
            Ok((lines, found))
        })?;
        let each = lines.into_iter().zip(found).enumerate();
        each.map(|(row, ((board, _), analysis))| match analysis {
            Err(error @ Error::Blocked(_)) => Err(of_row(row, error.to_string())),
            analysis => analysed(py, board, &analysis.map_err(|error| of_solver(&error))?),
        })
        .collect()
    }

    /// The distances of many boards to the goal in the solver's metric, int16 of shape (N,), on all threads; -1
    /// where the limits or the method leave one unproved.
    #[pyo3(
        signature = (boards, *, size=None, **limits),
        text_signature = "($self, boards, *, size=None, time_limit=None, node_limit=None)"
    )]
    fn distances<'py>(
        &self,
        boards: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyArray1<i16>>> {
        let (py, batch) = (boards.py(), self.batch(boards, size)?);
        let (limits, solver) = (self::limits(limits, &LIMITS[..2])?, self.solver.clone());
        let distances = run(py, limits, move |limits| {
            let number = |exact: Option<u32>| exact.and_then(|exact| exact.try_into().ok());
            let distances = solver.distances(batch.boards, limits.clone());
            distances.map(|found| Ok(number(found?.exact()).unwrap_or(-1))).collect()
        })?;
        Ok(PyArray1::from_vec(py, distances))
    }

    /// Whether each move of many boards belongs to an optimal solution, bool of shape (N, 4) in the order of
    /// taquin.MOVES, on all threads. The limits are for each search; it is an error if one is reached.
    #[pyo3(
        signature = (boards, *, size=None, **limits),
        text_signature = "($self, boards, *, size=None, time_limit=None, node_limit=None)"
    )]
    fn optimal_moves<'py>(
        &self,
        boards: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let (py, batch) = (boards.py(), self.batch(boards, size)?);
        let (limits, solver) = (self::limits(limits, &LIMITS[..2])?, self.solver.clone());
        let n = batch.boards.len();
        let optimal = run(py, limits, move |limits| {
            let optimal = solver.optimal_moves(batch.boards, limits.clone());
            Ok(optimal.collect::<Result<Vec<_>, Error>>()?.concat())
        })?;
        PyArray1::from_vec(py, optimal).reshape([n, 4])
    }

    /// A solution of at most so many moves, as letters; None if the board has none. It need not be optimal,
    /// and takes less time than solve.
    #[pyo3(
        signature = (board, moves, **limits),
        text_signature = "($self, board, moves, *, time_limit=None, node_limit=None)"
    )]
    fn within(
        &self,
        board: &Bound<'_, PyAny>,
        moves: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<String>> {
        let (py, board) = (board.py(), self.read(board)?);
        let (moves, limits) = (whole("moves", moves)?, self::limits(limits, &LIMITS[..2])?);
        let solver = self.solver.clone();
        let found = run(py, limits, move |limits| solver.within(&board, moves, limits))?;
        Ok(found.map(|moves| moves.to_string()))
    }

    /// The heuristic's value of a board: a lower bound on the length of its solutions. name is
    /// another heuristic than the solver's.
    #[pyo3(signature = (board, name=None))]
    fn heuristic(&self, board: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<u32> {
        let (py, board) = (board.py(), self.read(board)?);
        let solver = self.named("name", name)?;
        let values = run(py, Limits::default(), move |limits| solver.values(&[board], limits))?;
        values.first().copied().ok_or_else(|| PyRuntimeError::new_err("a board without a value"))
    }

    /// The heuristic's values of many boards, computed on all threads: uint8 of shape (N,), or
    /// uint16 for boards of more than 25 cells. boards is an array of shape (N, cells) or (N,
    /// height, width), or a list of boards. A function of uint8[N, cells] in place of a name has
    /// values of float64.
    #[pyo3(signature = (boards, name=None, *, size=None))]
    fn heuristics<'py>(
        slf: &Bound<'py, PySolver>,
        boards: &Bound<'py, PyAny>,
        name: Option<Bound<'py, PyAny>>,
        size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (boards.py(), slf.get());
        if let Some(function) = name.as_ref().filter(|name| name.is_callable()) {
            let given = (slf, ("the function", function), boards);
            let size = [("size", size)].into_py_dict(py)?;
            return py.import("taquin._taquin")?.getattr("values")?.call(given, Some(&size));
        }
        let batch = this.batch(boards, size)?;
        let name = name.map(|name| name.extract::<String>()).transpose();
        let name =
            name.map_err(|_| PyTypeError::new_err("name: text or a function is expected"))?;
        let solver = this.named("name", name.as_deref())?;
        // No board takes more moves than the type holds.
        let dtype = if batch.grid.cells() <= BYTE_CELLS { "uint8" } else { "uint16" };
        let values =
            run(py, Limits::default(), move |limits| solver.values(&batch.boards, limits))?;
        PyArray1::from_vec(py, values).call_method1("astype", (dtype,))
    }

    /// Solves many boards on all threads, within the limits for each of them.
    ///
    /// Returns Labels: the lengths in moves of single tiles as int16, the moves as int8 of shape (N,
    /// longest), the nodes generated as uint64, whether each solution is optimal, the lower bounds
    /// and the numbers of slides as int16, and the nodes expanded as uint64. A move is its place in
    /// taquin.MOVES, and -1 follows the last one. Without a solution the length is -1.
    #[pyo3(
        signature = (boards, *, size=None, **limits),
        text_signature = "($self, boards, *, size=None, time_limit=None, node_limit=None, gap=0)"
    )]
    fn solve_many<'py>(
        &self,
        boards: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, batch) = (boards.py(), self.batch(boards, size)?);
        let (labels, limits) =
            (Labels::with_room(batch.boards.len())?, self::limits(limits, &LIMITS)?);
        let solver = self.solver.clone();
        run(py, limits, move |limits| labels.fill(&solver, batch, limits))?.into_python(py)
    }

    /// The Solution of each board, as a list, on all threads. The limits are for each board.
    #[pyo3(
        signature = (boards, *, size=None, **limits),
        text_signature = "($self, boards, *, size=None, time_limit=None, node_limit=None, gap=0)"
    )]
    fn solve_each(
        &self,
        boards: &Bound<'_, PyAny>,
        size: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<PySolution>> {
        let (py, batch) = (boards.py(), self.batch(boards, size)?);
        let limits = self::limits(limits, &LIMITS)?;
        let solver = self.solver.clone();
        let answers = run(py, limits, move |limits| {
            let items = batch.boards.into_iter().map(|board| (board.clone(), Some(board)));
            let answers = solver.stream(items, limits.clone());
            let answer = |(board, answer): (Board, Option<_>)| Some((board, answer?));
            let answers = answers.filter_map(answer).map(|(board, answer)| Ok((board, answer?)));
            answers.collect::<Result<Vec<(Board, Bracket)>, Error>>()
        })?;
        answers.into_iter().map(|(board, found)| self.answer(board, found)).collect()
    }

    /// Divides a threshold of the search for a board into about count packets, which any number of
    /// programs search: see run_packet and merge.
    ///
    /// The threshold is the first whose predecessor had at least `after` nodes; smaller ones are
    /// searched at once. There are fewer packets than count if they would have fewer than about `nodes`
    /// nodes. state comes from an earlier merge. Returns the packets as lines of text, in the order of the
    /// search, or the Solution if the board is solved on the way.
    #[pyo3(
        signature = (board, state=None, *, after=None, count=None, nodes=None),
        text_signature = "($self, board, state=None, *, after=10000000, count=100, nodes=0)"
    )]
    fn packets<'py>(
        &self,
        board: &Bound<'py, PyAny>,
        state: Option<&str>,
        after: Option<&Bound<'py, PyAny>>,
        count: Option<&Bound<'py, PyAny>>,
        nodes: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, board) = (board.py(), self.read(board)?);
        let state: Option<State> =
            state.map(str::parse).transpose().map_err(|error| argument("state", error))?;
        let (solver, given) = (self.solver.clone(), board.clone());
        let division = Division {
            count: optional("count", count)?.unwrap_or(100),
            after: optional("after", after)?.unwrap_or(10_000_000),
            nodes: optional("nodes", nodes)?.unwrap_or(0),
        };
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
        let packet: Packet = packet.parse().map_err(|error| argument("packet", error))?;
        let solver = self.solver.clone();
        let result = run(py, Limits::default(), move |limits| solver.run_packet(&packet, limits))?;
        Ok(result.to_string())
    }

    /// Joins the results of a threshold's packets, in any order. Results after the first one that holds a
    /// solution are not needed.
    ///
    /// Returns the Solution and None; or, if the threshold holds no solution, a Solution without
    /// moves, whose lower_bound is proved, and the state from which packets goes on.
    fn merge(
        &self,
        py: Python<'_>,
        results: Vec<String>,
    ) -> PyResult<(PySolution, Option<String>)> {
        let wrong = |error| argument("results", error);
        let results: Vec<PacketResult> =
            results.iter().map(|line| line.parse()).collect::<Result<_, _>>().map_err(wrong)?;
        let first = results.first().ok_or_else(|| argument("results", "there are none"))?;
        let board = first.board().clone();
        let solver = self.solver.clone();
        let merge = move |limits: &Limits| solver.merge(results, limits);
        let (bracket, state) = run(py, Limits::default(), merge)?;
        Ok((self.answer(board, bracket)?, state.as_ref().map(State::to_string)))
    }

    /// A solver with another heuristic and method, which shares the databases.
    #[pyo3(signature = (heuristic, *, method=None))]
    fn with_heuristic(&self, heuristic: &str, method: Option<&str>) -> PyResult<PySolver> {
        let heuristic = heuristic_spec("heuristic", heuristic)?;
        let method = method.map(method_named).transpose()?;
        PySolver::build(Settings { heuristic, method, ..self.settings.clone() })
    }

    fn __repr__(&self) -> String {
        let Settings { goal, heuristic, .. } = &self.settings;
        format!("Solver(goal='{goal}', heuristic='{heuristic}')")
    }
}

impl PySolver {
    fn build(settings: Settings) -> PyResult<PySolver> {
        let solver = settings.build(settings.heuristic.clone(), settings.method)?;
        Ok(PySolver { solver, settings, others: Mutex::default() })
    }

    /// Whether lengths are numbers of slides.
    pub fn counts_slides(&self) -> bool {
        self.settings.metric == Metric::Multi
    }

    /// The solver of a heuristic, which an argument names.
    pub fn named(&self, argument: &str, name: Option<&str>) -> PyResult<Solver> {
        let Some(name) = name else { return Ok(self.solver.clone()) };
        let spec = heuristic_spec(argument, name)?;
        if spec == self.settings.heuristic {
            return Ok(self.solver.clone());
        }
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(solver) = others.get(&spec) {
            return Ok(solver.clone());
        }
        let solver = self.settings.build(spec.clone(), None)?;
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

    /// The goal, for boards of every size or of one.
    pub fn spec(&self) -> &GoalSpec {
        &self.settings.goal
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

    /// Reads a board.
    fn read(&self, board: &Bound<'_, PyAny>) -> PyResult<Board> {
        let blank = self.settings.blank.clone();
        read("board", board, Expected { blank, ..Expected::default() })
    }

    /// Reads the board that is to be solved, and its goal. For an open goal the board is
    /// text, or anything that is written as rows.
    fn given(&self, board: &Bound<'_, PyAny>) -> PyResult<(LabelledBoard, Target)> {
        let expected = self.settings.goal.expected(None, self.settings.blank.as_deref());
        let Some(goal) = expected.goal.clone() else {
            let board = self.read(board)?;
            let goal = self.solver.goal(board.grid()).map_err(|error| argument("goal", error))?;
            return Ok((board.into(), Target::Board(goal)));
        };
        let labelled = taquin::read::board(board.str()?.to_str()?, expected).map_err(value)?.board;
        Ok((labelled, goal.into()))
    }

    fn answer(&self, board: Board, bracket: Bracket) -> PyResult<PySolution> {
        let goal = self.goal_of(board.grid())?;
        PySolution::of(board.into(), Target::Board(goal), bracket)
    }
}

/// The result of an analysis of a board.
fn analysed<'py>(
    py: Python<'py>,
    board: Board,
    analysis: &Analysis,
) -> PyResult<Bound<'py, PyAny>> {
    let results = py.import("taquin._results")?;
    let distances = analysis.distances();
    let lower: Vec<u32> = distances.iter().map(|distance| distance.lower).collect();
    let upper: Vec<Option<u32>> = distances.iter().map(|distance| distance.upper).collect();
    let losses = analysis.losses().into_iter().map(|loss| {
        let better = loss.better.map(|better| better.to_string());
        results.getattr("Loss")?.call1((loss.at, loss.moves, loss.lost, better))
    });
    let losses = losses.collect::<PyResult<Vec<_>>>()?;
    let stretch = analysis.longest_stretch();
    let parts = (
        PyBoard::from(board),
        analysis.moves().to_string(),
        lower,
        upper,
        losses,
        analysis.lost(),
        (stretch.start, stretch.end),
    );
    results.getattr("Analysis")?.call1(parts)
}

/// Runs a solver's work. Ctrl-C ends it.
pub fn run<R: Send + 'static>(
    py: Python<'_>,
    limits: Limits,
    work: impl FnOnce(&Limits) -> Result<R, Error> + Send + 'static,
) -> PyResult<R> {
    run_until(py, &Cancel::new(), limits, work)
}

/// [`run`], with work that a handle ends too.
fn run_until<R: Send + 'static>(
    py: Python<'_>,
    cancel: &Cancel,
    limits: Limits,
    work: impl FnOnce(&Limits) -> Result<R, Error> + Send + 'static,
) -> PyResult<R> {
    let limits = limits.cancel(cancel);
    interrupt::run(py, cancel, move || work(&limits))?.map_err(|error| of_solver(&error))
}

/// The arguments that are limits.
pub const LIMITS: [&str; 3] = ["time_limit", "node_limit", "gap"];

/// Reads the arguments of a call that are limits. It takes those that are `known`.
pub fn limits(given: Option<&Bound<'_, PyDict>>, known: &[&str]) -> PyResult<Limits> {
    let mut limits = Limits::default();
    for (name, number) in given.into_iter().flat_map(|given| given.iter()) {
        let name: String = name.extract()?;
        if !known.contains(&&*name) {
            return Err(PyTypeError::new_err(format!("unexpected keyword argument '{name}'")));
        }
        if number.is_none() {
            continue;
        }
        limits = match &*name {
            "node_limit" => limits.nodes(whole(&name, &number)?),
            "gap" => limits.gap(whole(&name, &number)?),
            _ => match time(&name, &number)? {
                Some(time) => limits.time(time),
                None => limits,
            },
        };
    }
    Ok(limits)
}

fn goal_spec(goal: &Bound<'_, PyAny>, blank: Option<&str>) -> PyResult<GoalSpec> {
    match goal.cast::<PyString>() {
        Ok(text) => GoalSpec::read(text.to_str()?, blank).map_err(|error| argument("goal", error)),
        Err(_) => {
            let blank = blank.map(str::to_owned);
            Ok(read("goal", goal, Expected { blank, ..Expected::default() })?.into())
        }
    }
}

fn method_named(name: &str) -> PyResult<Method> {
    name.parse().map_err(|error| argument("method", error))
}

/// Reads an argument that names a heuristic.
pub fn heuristic_spec(name: &str, heuristic: &str) -> PyResult<Spec> {
    heuristic.parse().map_err(|error| argument(name, error))
}

/// Shows early that a path is not a folder. A missing folder is made when it is needed.
fn check_folder(path: &Path) -> PyResult<()> {
    if path.as_os_str().is_empty() {
        return Err(argument("pdb_dir", "the name of a folder is empty"));
    }
    // A file has no such entry.
    match fs::metadata(path.join(".")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(of_file("pdb_dir", path, &error))
        }
        _ => Ok(()),
    }
}
