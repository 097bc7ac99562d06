//! Arguments that several commands have. A doc comment here is help text.

pub mod boards;
pub mod checkpoint;
pub mod color;
pub mod databases;
pub mod limits;
pub mod method;
pub mod output;
pub mod parsers;
