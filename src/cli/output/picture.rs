//! `--svg`: solutions as pictures, one below the other, with a board for each move.

use std::io::Write;
use std::path::Path;

use super::file::{Files, Output, is_standard};
use super::report::Answer;
use super::streams::say;
use crate::cli::exit::{Failure, wrong};
use crate::picture::{MOST, Sheet};
use crate::text::plural;

/// The picture of all solutions so far.
pub struct Picture {
    output: Output,
    sheet: Sheet,
}

impl Picture {
    /// An empty picture for a file.
    ///
    /// # Errors
    /// The file cannot be written, is another one of the command's, or is the standard output, where
    /// the answers are.
    pub fn new(path: &Path, files: &mut Files) -> Result<Picture, Failure> {
        if is_standard(path) {
            return Err(wrong!("--svg needs a file: the standard output is for the answers"));
        }
        Ok(Picture { output: files.output(path)?, sheet: Sheet::default() })
    }

    /// Draws the solution of an answer, if it has one.
    pub fn add(&mut self, answer: &Answer) {
        let Some(solution) = &answer.bracket.solution else { return };
        let length = solution.length_in_words();
        let proved = if answer.bracket.is_optimal() { "optimal" } else { "not proved optimal" };
        // The tiles of a larger board do not fit on a line.
        let board = answer.board.board();
        let grid = board.grid();
        let text = if grid.cells() <= 25 { board.to_string() } else { format!("{grid}") };
        let title = format!("{text}: {length}, {proved}");
        self.sheet.add(&title, board, solution.moves());
    }

    /// Writes the picture. Without a solution the file stays as it is.
    pub fn finish(mut self) -> Result<(), Failure> {
        if self.sheet.solutions() == 0 {
            say("taquin", "there is no solution to draw, so no picture is written");
            return Ok(());
        }
        if self.sheet.left_out() > 0 {
            let left_out = plural(self.sheet.left_out() as u64, "board");
            say(
                "taquin",
                format_args!("the picture ends after {MOST} boards; {left_out} left out"),
            );
        }
        let written = self.output.write_all(self.sheet.finish("taquin solve").as_bytes());
        written.map_err(|error| self.output.failure(error))?;
        self.output.finish()
    }
}
