//! The commands, each with its arguments and its help.

pub mod apply;
pub mod bench;
pub mod build;
pub mod check;
pub mod count;
pub mod inspect;
pub mod packets;
pub mod play;
pub mod shell;
pub mod shuffle;
pub mod solve;
pub mod suggest;
