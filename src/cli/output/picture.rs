//! `--svg`: solutions as pictures, one below the other with a board for each move, or one that moves.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::bail;

use super::file::{Files, Output, is_standard};
use super::report::Answer;
use crate::cli::process::say;
use crate::picture::{MOST, Sheet, motion};
use crate::text::plural;

/// The picture of all solutions so far.
pub struct Picture {
    output: Output,
    drawn: Drawn,
}

enum Drawn {
    Sheet(Sheet),
    /// The moving picture of one board, once it is solved.
    Motion(Option<String>),
}

/// Refuses the name of a picture of another kind.
pub fn is_svg(path: &Path) -> anyhow::Result<()> {
    let kind = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_lowercase();
    if ["png", "jpg", "jpeg", "gif", "webp", "pdf", "html"].contains(&&*kind) {
        bail!("--svg writes SVG, not {kind}: name a file that ends with .svg");
    }
    Ok(())
}

impl Picture {
    /// An empty picture for a file.
    ///
    /// # Errors
    /// The file cannot be written, is another one of the command's, has the name of a picture of another
    /// kind, or is the standard output, where the answers are.
    pub fn new(path: &Path, moves: bool, files: &mut Files) -> anyhow::Result<Picture> {
        if is_standard(path) {
            bail!("--svg needs a file: the standard output is for the answers");
        }
        is_svg(path)?;
        let drawn = if moves { Drawn::Motion(None) } else { Drawn::Sheet(Sheet::default()) };
        Ok(Picture { output: files.output(path)?, drawn })
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
        match &mut self.drawn {
            Drawn::Sheet(sheet) => sheet.add(&title, board, solution.moves()),
            Drawn::Motion(picture) => *picture = Some(motion(&title, board, solution.moves())),
        }
    }

    /// Writes the picture. Without a solution the file stays as it is.
    pub fn finish(self) -> anyhow::Result<()> {
        let picture = match &self.drawn {
            Drawn::Sheet(sheet) => {
                if sheet.left_out() > 0 {
                    let left_out = plural(sheet.left_out() as u64, "board");
                    say!("the picture ends after {MOST} boards; {left_out} left out");
                }
                (sheet.solutions() > 0).then(|| sheet.finish("taquin solve"))
            }
            Drawn::Motion(picture) => picture.clone(),
        };
        let Some(picture) = picture else {
            say!("there is no solution to draw, so no picture is written");
            return Ok(());
        };
        self.output.put(picture.as_bytes())
    }
}
