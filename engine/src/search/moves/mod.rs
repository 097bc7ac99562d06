//! The moves that a search tries: the automaton that leaves out sequences which others replace, and its rows
//! as the inner loop reads them.

mod automaton;
mod rows;

pub(crate) use automaton::{Forbidden, LONG, Rows, step, without_undoing};
pub(crate) use rows::{MOST_STEPS, Step, StepTable, Steps, number_of_steps, rows};
