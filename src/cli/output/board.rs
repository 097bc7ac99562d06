//! Boards for people.

use crate::board::LabelledBoard;
use crate::solver::Target;

/// A board as a grid. In colour, tiles in their goal cells are green and the blank is dim.
pub fn drawn(board: &LabelledBoard, goal: &Target, color: bool) -> String {
    let grid = format!("{board:#}");
    if !color {
        return grid;
    }
    let mut cells = 0..board.board().tiles().len();
    let mut text = String::new();
    // The numbers stay where they are: escape sequences have no width.
    for word in grid.split_inclusive([' ', '\n']) {
        let number = word.trim_end();
        let style = match (number.is_empty(), number) {
            (true, _) => None,
            (_, ".") => cells.next().map(|_| DIM),
            _ => cells.next().and_then(|cell| goal.is_home(board, cell).then_some(GREEN)),
        };
        match style {
            Some(style) => text += &format!("{style}{number}{PLAIN}{}", &word[number.len()..]),
            None => text += word,
        }
    }
    text
}

const GREEN: &str = "\x1b[32m";
const DIM: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Goal, OpenGoal};

    #[test]
    fn tiles_at_home_are_green() {
        let board: Board = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 0 14 15".parse().unwrap();
        let goal = Target::Board(Goal::parse("blank-last", board.grid()).unwrap());
        let board = LabelledBoard::from(board);
        assert_eq!(drawn(&board, &goal, false), format!("{board:#}"));
        let text = drawn(&board, &goal, true);
        assert_eq!(text.lines().last(), Some("\x1b[32m13\x1b[0m  \x1b[2m.\x1b[0m 14 15"));
        let plain = [GREEN, DIM, PLAIN].iter().fold(text, |text, style| text.replace(style, ""));
        assert_eq!(plain, format!("{board:#}"));
        let goal = Target::Open(OpenGoal::parse("A B / * _", None).unwrap());
        let board = LabelledBoard::parse("A A / B _", None).unwrap();
        let text = "\x1b[32mA\x1b[0m A\nB \x1b[2m.\x1b[0m";
        assert_eq!(drawn(&board, &goal, true), text);
    }
}
