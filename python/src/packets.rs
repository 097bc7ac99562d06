//! Packets of a divided search, as lines of text.

use pyo3::prelude::*;
use taquin::Limits;
use taquin::solver::{Merged, Packet, PacketResult, Split, State};

use crate::board::read;
use crate::errors::value;
use crate::solution::PySolution;
use crate::solver::{PySolver, run};

/// The packets of a threshold as lines, or the solution.
pub fn packets<'py>(
    solver: &PySolver,
    board: &Bound<'py, PyAny>,
    state: Option<&str>,
    after: u64,
    count: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, board) = (board.py(), read(board, None)?);
    let state: Option<State> = state.map(str::parse).transpose().map_err(value)?;
    let (own, given) = (solver.solver.clone(), board.clone());
    let work = move |limits: &Limits| own.packets(&given, state, after, count, limits);
    match run(py, Limits::default(), work)? {
        Split::Solved(bracket) => Ok(Bound::new(py, solver.answer(board, bracket)?)?.into_any()),
        Split::Packets(packets) => {
            let lines: Vec<String> = packets.iter().map(ToString::to_string).collect();
            Ok(lines.into_pyobject(py)?.into_any())
        }
    }
}

/// The result of a packet as a line.
pub fn run_packet(solver: &PySolver, py: Python<'_>, packet: &str) -> PyResult<String> {
    let packet: Packet = packet.parse().map_err(value)?;
    let solver = solver.solver.clone();
    let result = run(py, Limits::default(), move |limits| solver.run_packet(&packet, limits))?;
    Ok(result.to_string())
}

/// The solution, or what the threshold proves and the state after it.
pub fn merge(
    solver: &PySolver,
    py: Python<'_>,
    results: &[String],
) -> PyResult<(PySolution, Option<String>)> {
    let results = results.iter().map(|line| line.parse()).collect::<Result<Vec<PacketResult>, _>>();
    let results = results.map_err(value)?;
    let first = results.first().ok_or_else(|| value("there are no results of packets"))?;
    let board = first.board().map_err(value)?;
    let own = solver.solver.clone();
    match run(py, Limits::default(), move |limits| own.merge(results, limits))? {
        Merged::Solved(bracket) => Ok((solver.answer(board, bracket)?, None)),
        Merged::Exhausted { bracket, state } => {
            Ok((solver.answer(board, bracket)?, Some(state.to_string())))
        }
    }
}

/// Whether a line is the result of a packet, and whole.
#[pyfunction]
pub fn is_result(packet: &str, line: &str) -> bool {
    match (packet.parse::<Packet>(), line.parse::<PacketResult>()) {
        (Ok(packet), Ok(result)) => result.is_of(&packet),
        _ => false,
    }
}

/// What a result holds: whether there is a solution, and the nodes generated.
#[pyfunction]
pub fn result_summary(line: &str) -> PyResult<(bool, u64)> {
    let result: PacketResult = line.parse().map_err(value)?;
    Ok((result.is_solved(), result.generated()))
}
