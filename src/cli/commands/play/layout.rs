//! The places of the parts of the screen: the board, the figures next to it or below it, and the help.

use ratatui::layout::Rect;

use crate::board::Grid;

/// The rows of the figures: moves, optimum, board.
const FIGURES: u16 = 3;
/// The rows for a message, and one of help.
const WORDS: u16 = 2;
/// The rows that the help fills on a screen of common width.
const HELP: u16 = 3;
/// The columns that the figures need.
const NARROW: u16 = 34;
/// The columns between the board and the figures.
const GAP: u16 = 2;

/// The parts of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    grid: Grid,
    pub board: Rect,
    /// True if tiles have borders.
    pub boxed: bool,
    pub figures: Rect,
    /// The goal, where there is room for it.
    pub goal: Option<Rect>,
    pub message: Rect,
    pub help: Rect,
}

/// The digits of the largest tile.
pub fn digits(grid: Grid) -> u16 {
    (grid.cells() - 1).to_string().len() as u16
}

/// The columns and rows of a cell.
fn cell(grid: Grid, boxed: bool) -> (u16, u16) {
    if boxed { (digits(grid) + 4, 3) } else { (digits(grid) + 2, 1) }
}

fn board(grid: Grid, boxed: bool) -> (u16, u16) {
    let (width, height) = cell(grid, boxed);
    (width * grid.width() as u16, height * grid.height() as u16)
}

/// The columns and rows that a board needs at least.
pub fn least(grid: Grid) -> (u16, u16) {
    let (width, height) = board(grid, false);
    let (below, beside) = (height + FIGURES + WORDS, height.max(FIGURES) + WORDS);
    // A wide board has its figures below it, a high one next to it, whichever takes less room.
    if height > 2 * width { (width + GAP + NARROW, beside) } else { (width.max(NARROW), below) }
}

impl Layout {
    /// The largest layout that fits.
    pub fn new(area: Rect, grid: Grid) -> Option<Layout> {
        let shapes = [(true, true), (true, false), (false, true), (false, false)];
        shapes
            .into_iter()
            .map(|(boxed, beside)| Layout::shaped(grid, boxed, beside))
            .find(|(_, width, height)| *width <= area.width && *height <= area.height)
            .map(|(layout, ..)| layout.filled(area))
    }

    /// A layout at the origin, with the columns and rows that it needs.
    fn shaped(grid: Grid, boxed: bool, beside: bool) -> (Layout, u16, u16) {
        let (width, height) = board(grid, boxed);
        let board = Rect { x: 0, y: 0, width, height };
        let figures = if beside {
            Rect { x: width + GAP, y: 0, width: NARROW, height: FIGURES }
        } else {
            Rect { x: 0, y: height, width: NARROW, height: FIGURES }
        };
        let bottom = board.bottom().max(figures.bottom());
        let words = Rect { x: 0, y: bottom, width: 0, height: 1 };
        let right = board.right().max(figures.right());
        let layout =
            Layout { grid, board, boxed, figures, goal: None, message: words, help: words };
        (layout, right, bottom + WORDS)
    }

    /// The layout moved to an area, with the rest of the area given to the words and the goal.
    fn filled(mut self, area: Rect) -> Layout {
        let top = self.message.y;
        let spare = area.height - top - WORDS;
        // Where there are rows to spare, one above the message is empty, and the message has more.
        let above = u16::from(spare >= HELP);
        let lines = 1 + u16::from(spare > HELP) + u16::from(spare > HELP + 2);
        let bottom = Rect { x: area.x, width: area.width, ..self.message };
        self.message = Rect { y: area.y + top + above, height: lines, ..bottom };
        let help = self.message.bottom();
        self.help = Rect { y: help, height: area.bottom() - help, ..bottom };
        self.board.x += area.x;
        self.board.y += area.y;
        self.figures.x += area.x;
        self.figures.y += area.y;
        self.figures.width = area.right() - self.figures.x;
        let (width, height) = (digits(self.grid) + 1, self.grid.height() as u16);
        let goal = Rect {
            y: self.figures.bottom() + 1,
            width: width * self.grid.width() as u16,
            // A line of heading.
            height: height + 1,
            ..self.figures
        };
        let fits = goal.right() <= area.right() && goal.bottom() <= self.message.y;
        self.goal = (self.figures.x > self.board.x && fits).then_some(goal);
        self
    }

    /// The area of a cell of the board.
    pub fn cell(&self, number: usize) -> Rect {
        let (width, height) = cell(self.grid, self.boxed);
        let (row, column) = (self.grid.row(number) as u16, self.grid.column(number) as u16);
        Rect { x: self.board.x + column * width, y: self.board.y + row * height, width, height }
    }

    /// The cell of the board at a place of the screen.
    pub fn cell_at(&self, x: u16, y: u16) -> Option<usize> {
        (0..self.grid.cells()).find(|&number| self.cell(number).contains((x, y).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes() -> impl Iterator<Item = Grid> {
        let sizes = [(2, 2), (3, 3), (4, 4), (5, 5), (10, 10), (16, 16), (128, 2), (2, 128)];
        sizes.into_iter().map(|(width, height)| Grid::new(width, height).unwrap())
    }

    #[test]
    fn the_least_size_is_enough_and_no_less_is() {
        for grid in sizes() {
            let (width, height) = least(grid);
            let fits = |width, height| Layout::new(Rect::new(0, 0, width, height), grid).is_some();
            assert!(fits(width, height), "{grid}");
            assert!(!fits(width - 1, height) && !fits(width, height - 1), "{grid}");
        }
    }

    #[test]
    fn parts_lie_on_the_screen_and_apart() {
        for grid in sizes() {
            for (width, height) in [(20, 6), (40, 12), (80, 24), (120, 60), (600, 200)] {
                let area = Rect::new(3, 2, width, height);
                let Some(layout) = Layout::new(area, grid) else { continue };
                let Layout { board, figures, message, help, goal, .. } = layout;
                let parts: Vec<Rect> =
                    [board, figures, message, help].into_iter().chain(goal).collect();
                for (i, part) in parts.iter().enumerate() {
                    assert_eq!(part.intersection(area), *part, "{grid} {area} {i}");
                    assert!(parts[..i].iter().all(|other| !other.intersects(*part)), "{grid} {i}");
                }
            }
        }
    }

    #[test]
    fn a_place_has_the_cell_that_is_drawn_there() {
        for grid in sizes() {
            let (width, height) = least(grid);
            let layout = Layout::new(Rect::new(0, 0, width + 40, height + 40), grid).unwrap();
            for number in 0..grid.cells() {
                let cell = layout.cell(number);
                assert_eq!(layout.cell_at(cell.x, cell.y), Some(number));
                assert_eq!(layout.cell_at(cell.right() - 1, cell.bottom() - 1), Some(number));
            }
            assert_eq!(layout.cell_at(layout.board.right(), 0), None);
            assert_eq!(layout.cell_at(0, layout.board.bottom()), None);
        }
    }
}
