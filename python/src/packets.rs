//! Results of packets, as lines of text.

use pyo3::prelude::*;
use taquin::solver::{Packet, PacketResult};

use crate::errors::value;

/// Whether a line is the result of a packet, and both are whole.
#[pyfunction]
pub fn is_result(packet: &str, line: &str) -> bool {
    let result = packet.parse::<Packet>().ok().zip(line.parse::<PacketResult>().ok());
    result.is_some_and(|(packet, result)| result.is_of(&packet))
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
