//! `--checkpoint` and `--resume`.

use std::path::PathBuf;

use clap::Args;

use super::parsers::path;
use crate::solver::Checkpoint;

/// The file in which a long search keeps its state.
#[derive(Args, Clone, Debug, Default)]
pub struct CheckpointArgs {
    /// File to keep the state of the search in
    ///
    /// For one board and the fast search: see --heuristic. The file takes a few kilobytes and is
    /// written once a second. An existing file is left alone without --resume.
    #[arg(long, value_name = "FILE", value_parser = path(), conflicts_with_all = ["count_solutions", "all"])]
    checkpoint: Option<PathBuf>,

    /// Continue the search that the checkpoint belongs to
    ///
    /// The answer and the numbers of nodes are those of an uninterrupted search. Without the file
    /// the search starts from the beginning.
    #[arg(long, requires = "checkpoint")]
    resume: bool,
}

impl CheckpointArgs {
    /// The checkpoint for a solver, if there is one.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        self.checkpoint.as_ref().map(|path| Checkpoint::new(path).resume(self.resume))
    }
}
