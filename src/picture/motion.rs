//! An animation of a solution, which repeats. It runs in a browser, even if the browser shows it as an image
//! (SMIL).

use super::shapes::{Point, Shapes};
use super::sheet::{CELL, frame, tile};
use crate::board::{Board, Moves};

/// The seconds from one move to the next, and the seconds in which the tile slides.
const MOVE: f64 = 0.6;
const SLIDE: f64 = 0.3;
/// The seconds before the first move and after the last.
const REST: f64 = 1.5;

/// Draws the animation of a solution, with the moving tile marked. Moves that the border blocks leave the
/// board unchanged.
pub fn motion(title: &str, board: &Board, path: &Moves) -> String {
    let grid = board.grid();
    let place = |cell: usize| (grid.column(cell) as f64 * CELL, grid.row(cell) as f64 * CELL);
    let seconds = 2.0 * REST + MOVE * path.len() as f64;
    let mut moves: Vec<Vec<(f64, Point)>> = vec![Vec::new(); board.tiles().len()];
    let mut now = board.clone();
    for (made, m) in path.iter().enumerate() {
        let to = now.blank();
        if now.apply(m) {
            let begin = REST + MOVE * made as f64;
            moves[usize::from(now.tiles()[to])].push((begin, place(to)));
        }
    }
    let mut shapes = Shapes::default();
    shapes.group((0.0, 0.0), &frame(grid));
    for (cell, &number) in board.tiles().iter().enumerate().filter(|(_, number)| **number != 0) {
        let moves = &moves[usize::from(number)];
        let (mut at, mut places, mut marks) = (place(cell), vec![(0.0, place(cell))], Vec::new());
        for &(begin, to) in moves {
            places.extend([(begin, at), (begin + SLIDE, to)]);
            marks.extend([(begin, true), (begin + MOVE, false)]);
            at = to;
        }
        // The tile lies still on the ground of the marked one, which is seen while it moves.
        let mut both = tile(number, false);
        if !moves.is_empty() {
            both.shown_at(&tile(number, true), &marks, seconds);
        }
        shapes.moving(&both, &places, seconds);
    }
    let size = (grid.width() as f64 * CELL, grid.height() as f64 * CELL);
    let mut sheet = Shapes::default();
    sheet.group((2.0, 2.0), &shapes);
    sheet.picture(title, (size.0 + 4.0, size.1 + 4.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_that_move_are_moved_and_marked() {
        let board: Board = "1 2 3 / 4 0 6 / 7 5 8".parse().unwrap();
        let svg = motion("two moves", &board, &"UL".parse().unwrap());
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("two moves"));
        // 1.5 s, two moves of 0.6 s, 1.5 s. The tiles 5 and 8.
        assert_eq!(svg.matches("type=\"translate\"").count(), 2, "{svg}");
        assert_eq!(svg.matches("attributeName=\"opacity\"").count(), 2);
        assert_eq!(svg.matches("dur=\"4.2s\"").count(), 4);
        assert!(svg.contains("values=\"26 52;26 52;26 26;26 26\""), "{svg}");
        assert!(svg.contains("keyTimes=\"0;0.3571;0.4286;1\""), "{svg}");
        // Nothing moves in the picture of a solved board.
        assert!(!motion("none", &board, &Moves::default()).contains("animate"));
    }
}
