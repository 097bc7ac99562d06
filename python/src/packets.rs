//! Results of packets, as lines of text.

use pyo3::prelude::*;
use taquin::solver::{Packet, PacketResult};

use crate::errors::value;

/// Whether a line is the result of a packet, up to this rest of it, and all of them are whole.
#[pyfunction]
#[pyo3(signature = (packet, line, rest=Vec::new()))]
pub fn is_result(packet: &str, line: &str, rest: Vec<String>) -> bool {
    let rest: Result<Vec<Packet>, _> = rest.iter().map(|packet| packet.parse()).collect();
    match (packet.parse::<Packet>(), line.parse::<PacketResult>(), rest) {
        (Ok(packet), Ok(result), Ok(rest)) => result.completes(&packet, &rest),
        _ => false,
    }
}

/// The content of a result: whether there is a solution, and the nodes generated.
#[pyfunction]
pub fn result_summary(line: &str) -> PyResult<(bool, u64)> {
    let result: PacketResult = line.parse().map_err(value)?;
    Ok((result.is_solved(), result.generated()))
}

/// The threshold of a packet, and the nodes of the threshold before.
#[pyfunction]
pub fn packet_summary(line: &str) -> PyResult<(u32, u64)> {
    let packet: Packet = line.parse().map_err(value)?;
    Ok((packet.threshold(), packet.before()))
}
