//! Boards and solutions: a board for each move, with the tile that moved marked.

use super::shapes::{Anchor, Shapes, text_width};
use crate::board::{Board, Grid, Moves};

/// The most boards of a sheet, with a text of some megabytes.
pub const MOST: usize = 1000;

/// The width that boards have in a row, unless one alone is wider.
const WIDTH: f64 = 920.0;
const MARGIN: f64 = 20.0;
/// The side of a cell.
pub(super) const CELL: f64 = 26.0;
/// The space between two boards.
const GAP: f64 = 18.0;
/// The height of the line above a board.
const CAPTION: f64 = 18.0;

/// The picture of a board.
pub fn board(board: &Board) -> String {
    let mut shapes = Shapes::default();
    shapes.group((2.0, 2.0 - CAPTION), &drawing(board, None, ""));
    let grid = board.grid();
    let [width, height] = [grid.width(), grid.height()].map(|cells| cells as f64 * CELL + 4.0);
    shapes.picture(&board.to_string(), (width, height))
}

/// A picture of solutions, one below the other.
#[derive(Debug)]
pub struct Sheet {
    shapes: Shapes,
    size: (f64, f64),
    /// The number of solutions and of boards drawn.
    solutions: usize,
    boards: usize,
    /// The boards that were too many.
    left_out: usize,
}

impl Default for Sheet {
    fn default() -> Sheet {
        let (shapes, size) = (Shapes::default(), (0.0, MARGIN));
        Sheet { shapes, size, solutions: 0, boards: 0, left_out: 0 }
    }
}

impl Sheet {
    /// Draws the moves of a board, as far as there is room for [`MOST`] boards. Moves that the border blocks
    /// leave the board as it is.
    pub fn add(&mut self, title: &str, board: &Board, path: &Moves) {
        let boards = path.len() + 1;
        let drawn = boards.min(MOST - self.boards);
        self.boards += drawn;
        self.left_out += boards - drawn;
        if drawn == 0 {
            return;
        }
        self.solutions += 1;
        self.size.1 += 16.0;
        let style = "font-size=\"16\" font-weight=\"bold\"";
        self.shapes.text((MARGIN, self.size.1), Anchor::Start, style, title);
        self.size.0 = self.size.0.max(text_width(title, 17.0) + 2.0 * MARGIN);
        self.size.1 += 14.0;

        let grid = board.grid();
        let [width, height] = [grid.width(), grid.height()].map(|cells| cells as f64 * CELL);
        let columns = (((WIDTH + GAP) / (width + GAP)) as usize).max(1);
        let mut board = board.clone();
        let steps = std::iter::once(None).chain(path.iter().map(Some));
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
            let rest = boards - drawn;
            let rest = format!("{rest} more move{}", if rest == 1 { "" } else { "s" });
            self.shapes.text((MARGIN, self.size.1 + 6.0), Anchor::Start, "", &rest);
            self.size.1 += GAP;
        }
        self.size.1 += GAP;
    }

    /// The number of solutions that were drawn.
    pub fn solutions(&self) -> usize {
        self.solutions
    }

    /// The number of boards that were too many.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The picture.
    pub fn finish(&self, title: &str) -> String {
        self.shapes.picture(title, self.size)
    }
}

/// A board with the tile that has moved last, given by its cell.
fn drawing(board: &Board, moved: Option<usize>, caption: &str) -> Shapes {
    let grid = board.grid();
    let mut shapes = Shapes::default();
    shapes.text((0.0, CAPTION - 6.0), Anchor::Start, "font-size=\"12\" fill=\"#444444\"", caption);
    shapes.group((0.0, CAPTION), &frame(grid));
    for (cell, number) in board.tiles().iter().enumerate().filter(|(_, tile)| **tile != 0) {
        let corner = (grid.column(cell) as f64 * CELL, CAPTION + grid.row(cell) as f64 * CELL);
        shapes.group(corner, &tile(*number, moved == Some(cell)));
    }
    shapes
}

/// The ground of a board.
pub(super) fn frame(grid: Grid) -> Shapes {
    let mut shapes = Shapes::default();
    let size = (grid.width() as f64 * CELL, grid.height() as f64 * CELL);
    let style = "fill=\"#8a8a8a\" stroke=\"#8a8a8a\" stroke-width=\"2\"";
    shapes.rectangle((0.0, 0.0), size, style);
    shapes
}

/// A tile, whose cell has its corner at the origin.
pub(super) fn tile(number: u8, marked: bool) -> Shapes {
    let (fill, weight) = match marked {
        true => ("#f5b942", " font-weight=\"bold\""),
        false => ("#f7f3e8", ""),
    };
    let mut shapes = Shapes::default();
    let style = format!("rx=\"3\" fill=\"{fill}\"");
    shapes.rectangle((1.0, 1.0), (CELL - 2.0, CELL - 2.0), &style);
    let size = if number < 100 { 13.0 } else { 11.0 };
    let style = format!("font-size=\"{size}\"{weight}");
    let middle = (CELL / 2.0, CELL / 2.0 + 0.36 * size);
    shapes.text(middle, Anchor::Middle, &style, &number.to_string());
    shapes
}
