//! Heuristics measured by the laboratory, functions of Python among them.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use taquin::lab::{self, Case, Contender, Contest, Entry, Error, Provenance, Record, Search};
use taquin::lab::{Settings, Suite};
use taquin::{Board, Cancel, Limits, Method, Store, Ties};

use crate::announce;
use crate::arrays::numpy;
use crate::batch::Batch;
use crate::board::read;
use crate::errors::{argument, of_solver, value};
use crate::interrupt;
use crate::numbers::{optional, whole};
use crate::solver::{LIMITS, PySolver};

/// The exception that a function raised.
type Raised = Arc<Mutex<Option<PyErr>>>;

/// Returns a caller of a Python function, which gets a new array of boards, uint8 of shape (N, cells). Its
/// calls never overlap: few networks or caches in Python are made for that.
fn caller(
    function: Py<PyAny>,
    raised: Raised,
) -> impl Fn(&[Board]) -> Result<Vec<f64>, String> + Send + Sync + 'static {
    let turn = Mutex::new(());
    move |boards| {
        // Taken without the interpreter's lock, which a call under way needs.
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        Python::attach(|py| call(py, &function, boards)).map_err(|error| {
            let text = error.to_string();
            *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            text
        })
    }
}

fn call(py: Python<'_>, function: &Py<PyAny>, boards: &[Board]) -> PyResult<Vec<f64>> {
    let (n, cells) = (boards.len(), boards.first().map_or(0, |board| board.tiles().len()));
    let tiles: Vec<u8> = boards.iter().flat_map(|board| board.tiles()).copied().collect();
    let array = PyArray1::from_vec(py, tiles).reshape([n, cells])?;
    let values = function.call1(py, (array,))?;
    let values = numpy(py)?.call_method1("asarray", (values, "float64"))?;
    if values.getattr("ndim")?.extract::<usize>()? == 0 {
        return Err(value(format!("one number for {n} boards: return an array of {n} numbers")));
    }
    values.call_method0("ravel")?.call_method0("tolist")?.extract()
}

/// Runs a measurement, which gets the place for the exception of a function. Ctrl-C ends it.
fn run<R: Send + 'static>(
    py: Python<'_>,
    limits: Limits,
    work: impl FnOnce(&Raised, &Limits, &Cancel) -> Result<R, Error> + Send + 'static,
) -> PyResult<R> {
    let (raised, cancel) = (Raised::default(), Cancel::new());
    let (seen, handle, limits) = (raised.clone(), cancel.clone(), limits.cancel(&cancel));
    let worked = interrupt::run(py, &cancel, move || work(&seen, &limits, &handle))?;
    worked.map_err(|error| {
        let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.unwrap_or_else(|| match &error {
            Error::Solver(error) => of_solver(error),
            error => value(error),
        })
    })
}

/// A heuristic: its name, and the function if it is one.
type Given = (String, Option<Py<PyAny>>);

/// A heuristic that was read.
enum Read {
    Named(Contender),
    Function(String, Py<PyAny>),
}

/// Reads a heuristic. Without `searches` it is for its values alone.
///
/// # Errors
/// `ValueError` for a name that `taquin bench --heuristics` does not take.
fn contender((name, function): Given, searches: bool) -> PyResult<Read> {
    if let Some(function) = function {
        return Ok(Read::Function(name, function));
    }
    let named: Contender = name.parse().map_err(|error| argument("heuristics", error))?;
    let search = if searches { named.search } else { Search::Values };
    Ok(Read::Named(Contender { search, ..named }))
}

/// A heuristic, loaded; a function with this search.
fn entry(
    read: Read,
    search: Search,
    store: &Store,
    suite: &Suite,
    settings: &Settings,
    raised: &Raised,
) -> Result<Entry, Error> {
    match read {
        Read::Function(name, function) => {
            let call = caller(function, raised.clone());
            Entry::of_function(&name, search, suite, settings, call)
        }
        Read::Named(contender) => Entry::load(&contender, suite, store, settings, announce::event),
    }
}

/// The boards that a function gets at once.
const PART: usize = 10_000;

/// The values of a heuristic on boards, as float64.
#[pyfunction]
#[pyo3(signature = (solver, contender, boards, *, size=None))]
pub fn values<'py>(
    solver: &Bound<'py, PySolver>,
    contender: Given,
    boards: &Bound<'py, PyAny>,
    size: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let py = solver.py();
    let read = self::contender(contender, false)?;
    let (suite, store) = (suite(solver.get(), boards, size)?, solver.get().store().clone());
    let values = run(py, Limits::default(), move |raised, limits, _| {
        let entry = entry(read, Search::Values, &store, &suite, &Settings::default(), raised)?;
        let boards: Vec<Board> = suite.cases.into_iter().map(|case| case.board).collect();
        let parts = boards.chunks(PART).map(|part| entry.values(part, limits));
        Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
    })?;
    numpy(py)?;
    Ok(PyArray1::from_vec(py, values))
}

/// The suite of boards that are given.
fn suite(
    solver: &PySolver,
    boards: &Bound<'_, PyAny>,
    size: Option<&Bound<'_, PyAny>>,
) -> PyResult<Suite> {
    let batch = solver.batch(boards, size)?;
    let goal = solver.goal_of(batch.grid)?;
    let cases = batch.boards.into_iter().map(|board| Case { board, known: None }).collect();
    Ok(Suite::new("boards", goal, solver.solver().metric(), cases))
}

/// Tries heuristics on boards, functions for their values alone, and returns the record as JSON. With
/// `distances` there are no searches, and the values are compared with true distances.
#[pyfunction]
#[pyo3(signature = (solver, contenders, boards, *, size=None, node_limit=None, distances=false))]
pub fn bench(
    solver: &Bound<'_, PySolver>,
    contenders: Vec<Given>,
    boards: &Bound<'_, PyAny>,
    size: Option<&Bound<'_, PyAny>>,
    node_limit: Option<&Bound<'_, PyAny>>,
    distances: bool,
) -> PyResult<String> {
    let (py, solver) = (solver.py(), solver.get());
    let read = contenders.into_iter().map(|given| contender(given, !distances));
    let read = read.collect::<PyResult<Vec<_>>>()?;
    let (suite, store) = (suite(solver, boards, size)?, solver.store().clone());
    let (threads, node_limit) = (solver.solver().threads(), optional("node_limit", node_limit)?);
    let settings = Settings { threads, node_limit, ..Settings::default() };
    run(py, Limits::default(), move |raised, _, cancel| {
        let load = |read| entry(read, Search::Values, &store, &suite, &settings, raised);
        let entries = read.into_iter().map(load).collect::<Result<Vec<_>, _>>()?;
        let search = || lab::distances(&suite, &store, announce::event);
        let search = distances.then(search).transpose()?;
        let provenance = Provenance::now(&suite, &settings, vec!["taquin in Python".to_owned()]);
        let distances = search.as_ref();
        let (entries, suite) = (&entries[..], &suite);
        let contest = Contest { entries, suite, settings, cancel, distances, record: None };
        let (tried, ended) = contest.run(&|_| ());
        ended?;
        let truth = match distances.is_some() {
            true => lab::compare(entries, suite, &tried, cancel)?,
            false => Vec::new(),
        };
        let record = Record::new(suite, entries, &tried, Vec::new(), truth, provenance);
        Ok(serde_json::to_string(&record).expect("a record is JSON"))
    })
}

/// Searches a board with the values of a function: by batch-weighted A* ("bwas"), or by IDA* in batches
/// ("ida"). Returns the moves or None, the nodes generated and expanded, the seconds, and why it stopped.
#[pyfunction]
#[pyo3(signature = (solver, name, function, board, *, method, batch, weight, **limits))]
#[allow(clippy::too_many_arguments, clippy::type_complexity)]
pub fn search_with(
    solver: &Bound<'_, PySolver>,
    name: String,
    function: Py<PyAny>,
    board: &Bound<'_, PyAny>,
    method: &str,
    batch: &Bound<'_, PyAny>,
    weight: f64,
    limits: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Option<String>, u64, u64, f64, Option<String>)> {
    let (py, solver) = (solver.py(), solver.get());
    let search = match method {
        "bwas" => Search::By(Method::AStar(Ties::Lifo)),
        "ida" => Search::By(Method::Plain),
        other => return Err(value(format!("there is no method {other:?}: write bwas or ida"))),
    };
    let batch = whole("batch", batch)?;
    if !(0.0..=1.0).contains(&weight) || batch == 0 {
        return Err(value("weight is a number from 0 to 1, and batch is at least 1"));
    }
    let board = read("board", board, None)?;
    let goal = solver.goal_of(board.grid())?;
    Batch { grid: board.grid(), boards: vec![board.clone()] }.check_solvable(py, &goal)?;
    let suite = Suite::new("board", goal, solver.solver().metric(), Vec::new());
    let store = solver.store().clone();
    let settings = Settings { batch, weight, ..Settings::default() };
    let limits = crate::solver::limits(limits, &LIMITS[..2])?;
    let read = Read::Function(name, function);
    let (trial, moves) = run(py, limits, move |raised, limits, _| {
        let entry = entry(read, search, &store, &suite, &settings, raised)?;
        entry.search(&board, limits)
    })?;
    let moves = moves.map(|moves| moves.to_string());
    Ok((moves, trial.generated, trial.expanded, trial.seconds, trial.stopped))
}
