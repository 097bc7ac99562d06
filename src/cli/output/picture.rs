//! `--svg`: solutions as pictures, one below the other, with a board for each move.

use std::io::Write;
use std::path::Path;

use anyhow::anyhow;

use super::file::{Output, is_standard};
use super::report::Answer;
use super::streams::say;
use super::svg::{Anchor, Shapes, text_width};
use super::table::plural;
use crate::board::Board;
use crate::cli::exit::Failure;

/// The most boards of a picture, with a text of some megabytes. The help names it too.
const MOST: usize = 1000;

/// The width that boards have in a row, unless one alone is wider.
const WIDTH: f64 = 920.0;
const MARGIN: f64 = 20.0;
/// The side of a cell.
const CELL: f64 = 26.0;
/// The space between two boards.
const GAP: f64 = 18.0;
/// The height of the line above a board.
const CAPTION: f64 = 18.0;

/// The picture of all solutions so far.
pub struct Picture {
    output: Output,
    shapes: Shapes,
    size: (f64, f64),
    /// The number of solutions and of boards drawn.
    solutions: usize,
    boards: usize,
    /// The boards that were too many.
    left_out: usize,
}

impl Picture {
    /// An empty picture for a file.
    ///
    /// # Errors
    /// The file cannot be written, or is the standard output, where the answers are.
    pub fn new(path: &Path) -> Result<Picture, Failure> {
        if is_standard(path) {
            let error = anyhow!("--svg needs a file: the standard output is for the answers");
            return Err(Failure::usage(error));
        }
        let output = Output::new(path)?;
        let (shapes, size) = (Shapes::default(), (0.0, MARGIN));
        Ok(Picture { output, shapes, size, solutions: 0, boards: 0, left_out: 0 })
    }

    /// Draws the solution of an answer, if it has one.
    pub fn add(&mut self, answer: &Answer) {
        let Some(solution) = &answer.bracket.solution else { return };
        let boards = solution.len() + 1;
        let drawn = boards.min(MOST - self.boards);
        self.boards += drawn;
        self.left_out += boards - drawn;
        if drawn == 0 {
            return;
        }
        self.solutions += 1;
        let length = plural(solution.len() as u64, "move");
        let proved = if answer.bracket.is_optimal() { "optimal" } else { "not proved optimal" };
        // The tiles of a larger board do not fit on a line.
        let grid = answer.board.grid();
        let board = if grid.cells() <= 25 { answer.board.to_string() } else { format!("{grid}") };
        let title = format!("{board}: {length}, {proved}");
        self.size.1 += 16.0;
        let style = "font-size=\"16\" font-weight=\"bold\"";
        self.shapes.text((MARGIN, self.size.1), Anchor::Start, style, &title);
        self.size.0 = self.size.0.max(text_width(&title, 17.0) + 2.0 * MARGIN);
        self.size.1 += 14.0;

        let [width, height] = [grid.width(), grid.height()].map(|cells| cells as f64 * CELL);
        let columns = (((WIDTH + GAP) / (width + GAP)) as usize).max(1);
        let mut board = answer.board.clone();
        let steps = std::iter::once(None).chain(solution.moves().iter().map(Some));
        for (place, step) in steps.take(drawn).enumerate() {
            let moved = step.map(|m| {
                // The tile moves to where the blank is.
                let cell = board.blank();
                board.apply(m);
                cell
            });
            let caption = step.map_or("start".to_owned(), |m| format!("{place}: {m}"));
            let (column, row) = (place % columns, place / columns);
            let x = MARGIN + column as f64 * (width + GAP);
            let y = self.size.1 + row as f64 * (height + CAPTION + GAP);
            self.shapes.group((x, y), &drawing(&board, moved, &caption));
            self.size.0 = self.size.0.max(x + width + MARGIN);
        }
        let rows = drawn.div_ceil(columns) as f64;
        self.size.1 += rows * (height + CAPTION + GAP);
        if drawn < boards {
            let rest = format!("{} more", plural((boards - drawn) as u64, "move"));
            self.shapes.text((MARGIN, self.size.1 + 6.0), Anchor::Start, "", &rest);
            self.size.1 += GAP;
        }
        self.size.1 += GAP;
    }

    /// Writes the picture. Without a solution the file stays as it is.
    pub fn finish(mut self) -> Result<(), Failure> {
        if self.solutions == 0 {
            say("taquin", "there is no solution to draw, so no picture is written");
            return Ok(());
        }
        if self.left_out > 0 {
            let left_out = plural(self.left_out as u64, "board");
            say(
                "taquin",
                format_args!("the picture ends after {MOST} boards; {left_out} left out"),
            );
        }
        let picture = self.shapes.picture("taquin solve", self.size);
        let written = self.output.write_all(picture.as_bytes());
        written.map_err(|error| self.output.failure(error))?;
        self.output.finish()
    }
}

/// A board with the tile that has moved last, given by its cell.
fn drawing(board: &Board, moved: Option<usize>, caption: &str) -> Shapes {
    let grid = board.grid();
    let mut shapes = Shapes::default();
    shapes.text((0.0, CAPTION - 6.0), Anchor::Start, "font-size=\"12\" fill=\"#444444\"", caption);
    let corner =
        |cell: usize| (grid.column(cell) as f64 * CELL, CAPTION + grid.row(cell) as f64 * CELL);
    let size = (grid.width() as f64 * CELL, grid.height() as f64 * CELL);
    shapes.rectangle(
        (0.0, CAPTION),
        size,
        "fill=\"#8a8a8a\" stroke=\"#8a8a8a\" stroke-width=\"2\"",
    );
    for (cell, tile) in board.tiles().iter().enumerate().filter(|(_, tile)| **tile != 0) {
        let (x, y) = corner(cell);
        let (fill, weight) = match moved == Some(cell) {
            true => ("#f5b942", " font-weight=\"bold\""),
            false => ("#f7f3e8", ""),
        };
        let inside = (CELL - 2.0, CELL - 2.0);
        shapes.rectangle((x + 1.0, y + 1.0), inside, &format!("rx=\"3\" fill=\"{fill}\""));
        let size = if *tile < 100 { 13.0 } else { 11.0 };
        let middle = (x + CELL / 2.0, y + CELL / 2.0 + 0.36 * size);
        let style = format!("font-size=\"{size}\"{weight}");
        shapes.text(middle, Anchor::Middle, &style, &tile.to_string());
    }
    shapes
}
