//! Solvers.

use std::collections::HashMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

use numpy::PyArray1;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use taquin::solver::{Division, GoalSpec, Merged, Packet, PacketResult, Split, State};
use taquin::{
    Board, Bracket, Cancel, Error, Goal, Grid, LabelledBoard, Limits, Method, Moves, Solver, Spec,
    Store,
};
use taquin_engine::board::{Metric, OpenGoal};

use crate::analysis::PyAnalysis;
use crate::announce;
use crate::batch::Batch;
use crate::board::{grid, hash, read};
use crate::errors::{argument, of_solver, value};
use crate::interrupt::{self, PyCancel};
use crate::labels::Labels;
use crate::numbers::{optional, time, whole};
use crate::solution::{PySolution, PySolutions};

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
/// Missing ones are built unless build is false; it is an error if pdb_dir takes no files then. method
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
        let Settings { goal, metric, heuristic, method, folder, build, threads, .. } = self;
        (goal.to_string(), metric, heuristic, method, folder, build, threads)
    }

    /// The options that do not depend on the heuristic.
    fn builder(&self) -> taquin::Builder {
        let builder = Solver::builder()
            .goal(self.goal.clone())
            .metric(self.metric)
            .store(self.store.clone())
            .progress(announce::event);
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
        threads: Option<&Bound<'_, PyAny>>,
        method: Option<&str>,
        metric: &str,
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
        let goal = goal.map_or_else(|| Ok(GoalSpec::default()), goal_spec)?;
        let heuristic = heuristic_spec("heuristic", heuristic)?;
        let method = method.map(method_named).transpose()?;
        let threads = optional("threads", threads)?;
        let store = store.build_missing(build);
        let settings = Settings { goal, metric, heuristic, method, folder, build, threads, store };
        PySolver::build(settings)
    }

    /// The class with its arguments.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ())> {
        let Settings { goal, metric, heuristic, method, folder, build, threads, .. } =
            &self.settings;
        let arguments = PyDict::new(py);
        arguments.set_item("goal", goal.to_string())?;
        arguments.set_item("heuristic", heuristic.to_string())?;
        arguments.set_item("pdb_dir", folder)?;
        arguments.set_item("build", build)?;
        arguments.set_item("threads", threads)?;
        arguments.set_item("method", method.map(|method| method.to_string()))?;
        arguments.set_item("metric", metric.name())?;
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
    #[pyo3(
        signature = (board, *, time_limit=None, node_limit=None, gap=None),
        text_signature = "($self, board, *, time_limit=None, node_limit=None, gap=0)"
    )]
    fn solve(
        &self,
        board: &Bound<'_, PyAny>,
        time_limit: Option<&Bound<'_, PyAny>>,
        node_limit: Option<&Bound<'_, PyAny>>,
        gap: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PySolution> {
        self.solve_until(&PyCancel::default(), board, time_limit, node_limit, gap)
    }

    /// Solves a board as solve does, in a thread of asyncio. If the task that waits for it is cancelled,
    /// so is the search.
    #[pyo3(
        signature = (board, *, time_limit=None, node_limit=None, gap=None),
        text_signature = "($self, board, *, time_limit=None, node_limit=None, gap=0)"
    )]
    fn solve_async<'py>(
        slf: Bound<'py, PySolver>,
        board: Bound<'py, PyAny>,
        time_limit: Option<Bound<'py, PyAny>>,
        node_limit: Option<Bound<'py, PyAny>>,
        gap: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let limits = PyDict::new(py);
        limits.set_item("time_limit", time_limit)?;
        limits.set_item("node_limit", node_limit)?;
        limits.set_item("gap", gap)?;
        let solve = py.import("taquin._async")?.getattr("solve")?;
        solve.call((slf, board), Some(&limits))
    }

    #[pyo3(name = "_solve_until", signature = (cancel, board, time_limit, node_limit, gap))]
    fn solve_until(
        &self,
        cancel: &PyCancel,
        board: &Bound<'_, PyAny>,
        time_limit: Option<&Bound<'_, PyAny>>,
        node_limit: Option<&Bound<'_, PyAny>>,
        gap: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PySolution> {
        let (py, solver) = (board.py(), self.solver.clone());
        let limits = limited_with_gap(time_limit, node_limit, gap)?;
        if let Some(goal) = self.settings.goal.open() {
            let board = labelled(goal, board)?;
            let given = board.clone();
            let work = move |limits: &Limits| solver.solve_labelled(&given, limits);
            let bracket = run_until(py, &cancel.0, limits, work)?;
            return PySolution::of_open_goal(goal.clone(), board, bracket);
        }
        let board = read("board", board, None)?;
        let given = board.clone();
        let work = move |limits: &Limits| solver.solve_with(&given, limits);
        let bracket = run_until(py, &cancel.0, limits, work)?;
        self.answer(board, bracket)
    }

    /// Counts the optimal solutions of a board, and lists the first of them.
    #[pyo3(
        signature = (board, *, most=None, time_limit=None, node_limit=None),
        text_signature = "($self, board, *, most=10, time_limit=None, node_limit=None)"
    )]
    fn solutions(
        &self,
        board: &Bound<'_, PyAny>,
        most: Option<&Bound<'_, PyAny>>,
        time_limit: Option<&Bound<'_, PyAny>>,
        node_limit: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PySolutions> {
        let (py, solver) = (board.py(), self.solver.clone());
        let most = optional("most", most)?.unwrap_or(10);
        let limits = limited(time_limit, node_limit)?;
        let (count, paths, first) = if let Some(goal) = self.settings.goal.open() {
            let board = labelled(goal, board)?;
            let given = board.clone();
            let work = move |limits: &Limits| solver.solutions_labelled(&given, limits, most);
            let found = run(py, limits, work)?;
            let first = PySolution::of_open_goal(goal.clone(), board, found.bracket)?;
            (found.count, found.paths, first)
        } else {
            let board = read("board", board, None)?;
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
        time_limit: Option<&Bound<'_, PyAny>>,
        node_limit: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyAnalysis> {
        let (py, board) = (board.py(), read("board", board, None)?);
        let moves: Moves = moves.parse().map_err(|error| argument("moves", error))?;
        let limits = limited(time_limit, node_limit)?;
        let (solver, given) = (self.solver.clone(), board.clone());
        let analysis = run(py, limits, move |limits| solver.analyse(&given, &moves, limits))?;
        Ok(PyAnalysis { board, analysis })
    }

    /// The heuristic's value of a board: a lower bound on the length of its solutions. name is
    /// another heuristic than the solver's.
    #[pyo3(signature = (board, name=None))]
    fn heuristic(&self, board: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<u32> {
        let (py, board) = (board.py(), read("board", board, None)?);
        let solver = self.named("name", name)?;
        let values = run(py, Limits::default(), move |limits| solver.values(&[board], limits))?;
        values.first().copied().ok_or_else(|| PyRuntimeError::new_err("a board without a value"))
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
        let solver = self.named("name", name)?;
        let is_byte = batch.grid.cells() <= BYTE_CELLS;
        let values =
            run(py, Limits::default(), move |limits| solver.values(&batch.boards, limits))?;
        // No board takes more moves than the type holds.
        Ok(if is_byte {
            PyArray1::from_vec(py, narrowed::<u8>(values)?).into_any()
        } else {
            PyArray1::from_vec(py, narrowed::<u16>(values)?).into_any()
        })
    }

    /// Solves many boards on all threads, within the limits for each of them.
    ///
    /// Returns Labels: the lengths in moves of single tiles as int16, the moves as int8 of shape (N,
    /// longest), the nodes generated as uint64, whether each solution is optimal, the lower bounds
    /// and the numbers of slides as int16, and the nodes expanded as uint64. A move is its place in
    /// taquin.MOVES, and -1 follows the last one. Without a solution the length is -1.
    #[pyo3(
        signature = (boards, *, size=None, time_limit=None, node_limit=None, gap=None),
        text_signature = "($self, boards, *, size=None, time_limit=None, node_limit=None, gap=0)"
    )]
    fn solve_many<'py>(
        &self,
        boards: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        time_limit: Option<&Bound<'py, PyAny>>,
        node_limit: Option<&Bound<'py, PyAny>>,
        gap: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = boards.py();
        let batch = self.batch(boards, size)?;
        let limits = limited_with_gap(time_limit, node_limit, gap)?;
        let labels = Labels::with_room(batch.boards.len())?;
        let solver = self.solver.clone();
        let labels = run(py, limits, move |limits| labels.fill(&solver, batch, limits))?;
        labels.into_python(py)
    }

    /// The Solution of each board, as a list, on all threads. The limits are for each board.
    #[pyo3(
        signature = (boards, *, size=None, time_limit=None, node_limit=None, gap=None),
        text_signature = "($self, boards, *, size=None, time_limit=None, node_limit=None, gap=0)"
    )]
    fn solve_each(
        &self,
        boards: &Bound<'_, PyAny>,
        size: Option<&Bound<'_, PyAny>>,
        time_limit: Option<&Bound<'_, PyAny>>,
        node_limit: Option<&Bound<'_, PyAny>>,
        gap: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<PySolution>> {
        let Batch { grid, boards: items } = self.batch(boards, size)?;
        let limits = limited_with_gap(time_limit, node_limit, gap)?;
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
        let (py, board) = (board.py(), read("board", board, None)?);
        let state: Option<State> =
            state.map(str::parse).transpose().map_err(|error| argument("state", error))?;
        let (solver, given) = (self.solver.clone(), board.clone());
        let division = Division::into(optional("count", count)?.unwrap_or(100))
            .after(optional("after", after)?.unwrap_or(10_000_000))
            .nodes(optional("nodes", nodes)?.unwrap_or(0));
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

    /// Searches a packet for about `nodes` nodes. Returns the result so far, and the rest as at most
    /// count packets; there is none if the packet has fewer nodes or holds a solution.
    ///
    /// The result and those of the rest, which may be left in the same way, take the place of the
    /// result of the packet. On one thread the same packet always leaves the same rest.
    #[pyo3(
        signature = (packet, nodes, *, count=None),
        text_signature = "($self, packet, nodes, *, count=4)"
    )]
    fn begin_packet(
        &self,
        py: Python<'_>,
        packet: &str,
        nodes: &Bound<'_, PyAny>,
        count: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(String, Vec<String>)> {
        let packet: Packet = packet.parse().map_err(|error| argument("packet", error))?;
        let nodes: u64 = whole("nodes", nodes)?;
        let count: usize = optional("count", count)?.unwrap_or(4);
        let solver = self.solver.clone();
        let work = move |limits: &Limits| solver.begin_packet(&packet, nodes, count, limits);
        let (result, rest) = run(py, Limits::default(), work)?;
        Ok((result.to_string(), rest.iter().map(ToString::to_string).collect()))
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
        let wrong = |error| argument("results", error);
        let results: Vec<PacketResult> =
            results.iter().map(|line| line.parse()).collect::<Result<_, _>>().map_err(wrong)?;
        let first = results.first().ok_or_else(|| argument("results", "there are none"))?;
        let board = first.board().map_err(wrong)?;
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
        let heuristic = heuristic_spec("heuristic", heuristic)?;
        let method = method.map(method_named).transpose()?;
        PySolver::build(Settings { heuristic, method, ..self.settings.clone() })
    }

    /// Compares heuristics: their values on boards, and the nodes of searches for some of them. Names are
    /// those of `taquin bench --heuristics`; a function of uint8[N, cells] has values alone. See
    /// taquin.Comparison.
    #[pyo3(
        signature = (
            heuristics, boards=None, *, n=None, seed=None, size=None, solve=None, node_limit=None
        ),
        text_signature = "($self, heuristics, boards=None, *, n=1000, seed=1, size=None, solve=20, \
            node_limit=1000000)"
    )]
    #[allow(clippy::too_many_arguments)]
    fn compare<'py>(
        slf: Bound<'py, PySolver>,
        heuristics: Bound<'py, PyAny>,
        boards: Option<Bound<'py, PyAny>>,
        n: Option<Bound<'py, PyAny>>,
        seed: Option<Bound<'py, PyAny>>,
        size: Option<Bound<'py, PyAny>>,
        solve: Option<Bound<'py, PyAny>>,
        node_limit: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let n: usize = optional("n", n.as_ref())?.unwrap_or(1000);
        let seed: u64 = optional("seed", seed.as_ref())?.unwrap_or(1);
        let solve: usize = optional("solve", solve.as_ref())?.unwrap_or(20);
        let node_limit: u64 = optional("node_limit", node_limit.as_ref())?.unwrap_or(1_000_000);
        let compare = slf.py().import("taquin._compare")?.getattr("compare")?;
        compare.call1((slf, heuristics, boards, n, seed, size, solve, node_limit))
    }

    /// Compares the values of heuristics, by name or as functions of uint8[N, cells], with true distances.
    /// See taquin.Evaluation.
    #[pyo3(
        signature = (heuristics, boards=None, *, n=None, seed=None, size=None),
        text_signature = "($self, heuristics, boards=None, *, n=1000, seed=1, size=None)"
    )]
    fn evaluate<'py>(
        slf: Bound<'py, PySolver>,
        heuristics: Bound<'py, PyAny>,
        boards: Option<Bound<'py, PyAny>>,
        n: Option<Bound<'py, PyAny>>,
        seed: Option<Bound<'py, PyAny>>,
        size: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let n: usize = optional("n", n.as_ref())?.unwrap_or(1000);
        let seed: u64 = optional("seed", seed.as_ref())?.unwrap_or(1);
        let evaluate = slf.py().import("taquin._compare")?.getattr("evaluate")?;
        evaluate.call1((slf, heuristics, boards, n, seed, size))
    }

    /// Searches a board with a function of uint8[N, cells]: by batch-weighted A* (method "bwas"), or by IDA*
    /// in batches ("ida"). weight is the weight of the path: with 1 and admissible values the solution is
    /// optimal, with less there are fewer nodes. See taquin.Found.
    #[pyo3(
        signature = (
            board, heuristic, *, method="bwas", batch=None, weight=1.0, time_limit=None,
            node_limit=None
        ),
        text_signature = "($self, board, heuristic, *, method='bwas', batch=1000, weight=1.0, \
            time_limit=None, node_limit=None)"
    )]
    #[allow(clippy::too_many_arguments)]
    fn search<'py>(
        slf: Bound<'py, PySolver>,
        board: Bound<'py, PyAny>,
        heuristic: Bound<'py, PyAny>,
        method: &str,
        batch: Option<Bound<'py, PyAny>>,
        weight: f64,
        time_limit: Option<Bound<'py, PyAny>>,
        node_limit: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let batch: usize = optional("batch", batch.as_ref())?.unwrap_or(1000);
        let search = slf.py().import("taquin._compare")?.getattr("search")?;
        search.call1((slf, heuristic, board, method, batch, weight, time_limit, node_limit))
    }

    fn __repr__(&self) -> String {
        let Settings { goal, heuristic, .. } = &self.settings;
        format!("Solver(goal='{goal}', heuristic='{heuristic}')")
    }
}

impl PySolver {
    fn build(settings: Settings) -> PyResult<PySolver> {
        let mut builder = settings.builder().heuristic(settings.heuristic.clone());
        if let Some(method) = settings.method {
            builder = builder.method(method);
        }
        let solver = builder.build().map_err(|error| of_solver(&error))?;
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

/// Runs a solver's work, which Ctrl-C ends.
fn run<R: Send + 'static>(
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

/// The limits that the arguments `time_limit` and `node_limit` name.
pub fn limited(
    time_limit: Option<&Bound<'_, PyAny>>,
    node_limit: Option<&Bound<'_, PyAny>>,
) -> PyResult<Limits> {
    let mut limits = Limits::default();
    if let Some(seconds) = time_limit
        && let Some(duration) = time("time_limit", seconds)?
    {
        limits = limits.time(duration);
    }
    if let Some(nodes) = optional("node_limit", node_limit)? {
        limits = limits.nodes(nodes);
    }
    Ok(limits)
}

/// [`limited`], with the argument `gap`.
fn limited_with_gap(
    time_limit: Option<&Bound<'_, PyAny>>,
    node_limit: Option<&Bound<'_, PyAny>>,
    gap: Option<&Bound<'_, PyAny>>,
) -> PyResult<Limits> {
    Ok(limited(time_limit, node_limit)?.gap(optional("gap", gap)?.unwrap_or(0)))
}

fn goal_spec(goal: &Bound<'_, PyAny>) -> PyResult<GoalSpec> {
    match goal.cast::<PyString>() {
        Ok(text) => text.to_str()?.parse().map_err(|error| argument("goal", error)),
        Err(_) => Ok(read("goal", goal, None)?.into()),
    }
}

fn method_named(name: &str) -> PyResult<Method> {
    name.parse().map_err(|error| argument("method", error))
}

/// Reads an argument that names a heuristic.
pub fn heuristic_spec(name: &str, heuristic: &str) -> PyResult<Spec> {
    heuristic.parse().map_err(|error| argument(name, error))
}

/// Shows early that a path is no folder. One that is missing is made when it is needed.
fn check_folder(path: &Path) -> PyResult<()> {
    if path.as_os_str().is_empty() {
        return Err(argument("pdb_dir", "the name of a folder is empty"));
    }
    let reason = match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => io::ErrorKind::NotADirectory.into(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => error,
    };
    let text = format!("pdb_dir: {}: {reason}", path.display());
    Err(io::Error::new(reason.kind(), text).into())
}

/// Values in a smaller type.
fn narrowed<T: TryFrom<u32>>(values: Vec<u32>) -> PyResult<Vec<T>> {
    let wide = |_| PyRuntimeError::new_err("internal error: a value is too large for its array");
    values.into_iter().map(|value| T::try_from(value).map_err(wide)).collect()
}
