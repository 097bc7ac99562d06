//! Heuristics measured by the laboratory, functions of Python among them.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use taquin::lab::{self, Case, Contender, Contest, Entry, Error, Provenance, Record, Search};
use taquin::lab::{Settings, Suite};
use taquin::{Board, Cancel, Limits, Store, Ties};

use crate::arrays::numpy;
use crate::batch::Batch;
use crate::board::read;
use crate::errors::{of_solver, value};
use crate::interrupt;
use crate::solver::{PySolver, limited};

/// The exception that a function raised.
type Raised = Arc<Mutex<Option<PyErr>>>;

/// Calls a function of Python with boards as uint8 of shape (N, cells), and returns its values.
fn call(function: &Py<PyAny>, boards: &[Board], raised: &Raised) -> Result<Vec<f64>, String> {
    Python::attach(|py| {
        let cells = boards.first().map_or(0, |board| board.tiles().len());
        let tiles: Vec<u8> = boards.iter().flat_map(|board| board.tiles()).copied().collect();
        let array = PyArray1::from_vec(py, tiles).reshape([boards.len(), cells])?;
        let values = function.call1(py, (array,))?;
        let values = numpy(py)?.call_method1("asarray", (values, "float64"))?;
        values.call_method0("ravel")?.call_method0("tolist")?.extract()
    })
    .map_err(|error: PyErr| {
        let text = error.to_string();
        *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        text
    })
}

/// The exception of an error: the one that a function raised, if it did.
fn exception(error: &Error, raised: &Raised) -> PyErr {
    let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
    raised.unwrap_or_else(|| match error {
        Error::Solver(error) => of_solver(error),
        error => value(error),
    })
}

/// A contender: its name, and the function if it is one.
type Given = (String, Option<Py<PyAny>>);

/// A contender with what it needs.
fn entry(
    (name, function): Given,
    search: Search,
    store: &Store,
    suite: &Suite,
    settings: &Settings,
    raised: &Raised,
) -> Result<Entry, Error> {
    match function {
        Some(function) => {
            let raised = raised.clone();
            let call = move |boards: &[Board]| call(&function, boards, &raised);
            Ok(Entry::of_function(&name, search, suite, settings, call))
        }
        None => {
            let parsed = name.parse::<Contender>();
            let contender =
                parsed.map_err(|error| Error::Function { name, reason: error.to_string() })?;
            Entry::load(&contender, suite, store, settings, |_| ())
        }
    }
}

/// Tries contenders on boards, functions for their values alone, and returns the record as JSON. With
/// `distances` the values are compared with true distances.
#[pyfunction]
#[pyo3(signature = (solver, contenders, boards, *, size=None, node_limit=None, distances=false))]
pub fn bench(
    solver: &Bound<'_, PySolver>,
    contenders: Vec<Given>,
    boards: &Bound<'_, PyAny>,
    size: Option<&Bound<'_, PyAny>>,
    node_limit: Option<u64>,
    distances: bool,
) -> PyResult<String> {
    let (py, solver) = (solver.py(), solver.get());
    let batch = solver.batch(boards, size)?;
    let goal = solver.goal_of(batch.grid)?;
    let store = solver.store().clone();
    let cases = batch.boards.into_iter().map(|board| Case { board, known: None }).collect();
    let suite = Suite::new("boards", goal, solver.solver().metric(), cases);
    let threads = solver.solver().threads();
    let settings = Settings { threads, node_limit, ..Settings::default() };
    let (raised, cancel) = (Raised::default(), Cancel::new());
    let (seen, handle) = (raised.clone(), cancel.clone());
    let work = move || -> Result<String, Error> {
        let mut suite = suite;
        let load = |given| entry(given, Search::Values, &store, &suite, &settings, &seen);
        let entries = contenders.into_iter().map(load).collect::<Result<Vec<_>, _>>()?;
        if distances {
            lab::distances(&mut suite, &store, &handle)?;
        }
        let provenance = Provenance::now(&suite, &settings, vec!["taquin in Python".to_owned()]);
        let mut tried = Vec::new();
        let contest = Contest::new(&entries, &suite, settings.clone(), &handle);
        contest.run(&|_| (), |board| {
            tried.push(board);
            Ok::<_, Error>(())
        })?;
        let truth = match distances {
            true => lab::compare(&entries, &suite, &tried, &handle)?,
            false => Vec::new(),
        };
        let record = Record::new(&suite, &entries, &tried, Vec::new(), truth, provenance);
        Ok(serde_json::to_string(&record).expect("a record is JSON"))
    };
    let worked = interrupt::run(py, &cancel, work)?;
    worked.map_err(|error| exception(&error, &raised))
}

/// Searches a board with the values of a function: by batch-weighted A* ("bwas"), or by IDA* in batches
/// ("ida"). Returns the moves or None, the nodes generated and expanded, the seconds, and why it stopped.
#[pyfunction]
#[pyo3(signature = (solver, function, board, *, method, batch, weight, time_limit, node_limit))]
#[allow(clippy::too_many_arguments, clippy::type_complexity)]
pub fn search_with(
    solver: &Bound<'_, PySolver>,
    function: Py<PyAny>,
    board: &Bound<'_, PyAny>,
    method: &str,
    batch: usize,
    weight: f64,
    time_limit: Option<&Bound<'_, PyAny>>,
    node_limit: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Option<String>, u64, u64, f64, Option<String>)> {
    let (py, solver) = (solver.py(), solver.get());
    let search = match method {
        "bwas" => Search::AStar(Ties::Lifo),
        "ida" => Search::Ida,
        other => return Err(value(format!("there is no method {other:?}: write bwas or ida"))),
    };
    if !(0.0..=1.0).contains(&weight) || batch == 0 {
        return Err(value("weight is a number from 0 to 1, and batch is at least 1"));
    }
    let board = read("board", board, None)?;
    let goal = solver.goal_of(board.grid())?;
    Batch { grid: board.grid(), boards: vec![board.clone()] }.check_solvable(py, &goal)?;
    let suite = Suite::new("board", goal, solver.solver().metric(), Vec::new());
    let store = solver.store().clone();
    let settings = Settings { batch, weight, ..Settings::default() };
    let limits = limited(time_limit, node_limit)?;
    let (raised, cancel) = (Raised::default(), Cancel::new());
    let (seen, limits): (Raised, Limits) = (raised.clone(), limits.cancel(&cancel));
    let given = ("heuristic".to_owned(), Some(function));
    let work = move || {
        let entry = entry(given, search, &store, &suite, &settings, &seen)?;
        entry.search(&board, &limits)
    };
    let found = interrupt::run(py, &cancel, work)?;
    let (trial, moves) = found.map_err(|error| exception(&error, &raised))?;
    let moves = moves.map(|moves| moves.to_string());
    Ok((moves, trial.generated, trial.expanded, trial.seconds, trial.stopped))
}
