//! All optimal solutions of a position: counted, and listed.
//!
//! A *layer* of depth g holds the states that are on a solution after g moves. Every move from a layer to
//! the next one is part of a solution. The number of paths to each state, layer by layer, gives the number of
//! solutions, and a depth-first search lists them without detours.
//!
//! The searches of ordinary goals find only the solutions that the move automaton
//! permits. All others follow from these: every solution becomes one of them when its forbidden words are
//! replaced by their minimal ones, of the same length. So wherever a minimal word leads through the layers,
//! its forbidden words do too: their states are added, until there is nothing more to add.

mod found;
mod states;

pub use found::Solutions;
pub(crate) use found::{Found, Layer};
pub(crate) use states::{EMPTY, MAX_CELLS, Masks, PackedState, States, in_cell, state};
