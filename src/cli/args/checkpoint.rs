//! `--checkpoint` and `--resume`.

use std::path::PathBuf;

use clap::Args;

use super::parsers::path;
use crate::cli::exit::Failure;
use crate::cli::output::file::Files;
use crate::solver::Checkpoint;

/// The file in which a long search keeps its state.
#[derive(Args, Clone, Debug, Default)]
pub struct CheckpointArgs {
    /// File to keep the state of the search in
    #[arg(long, value_name = "FILE", value_parser = path(), conflicts_with_all = ["count_solutions", "all"])]
    checkpoint: Option<PathBuf>,

    /// Continue the search of the checkpoint, if the file exists
    #[arg(long, requires = "checkpoint")]
    resume: bool,
}

impl CheckpointArgs {
    /// Returns whether there is one.
    pub fn is_some(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// The checkpoint for a solver, if there is one.
    ///
    /// # Errors
    /// The file is another one of the command's, or cannot be written.
    pub fn checkpoint(&self, files: &mut Files) -> Result<Option<Checkpoint>, Failure> {
        let Some(path) = &self.checkpoint else { return Ok(None) };
        drop(files.file(path)?);
        Ok(Some(Checkpoint::new(path).resume(self.resume)))
    }
}
