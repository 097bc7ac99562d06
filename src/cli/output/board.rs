//! Boards for people.

use crate::board::{Goal, LabelledBoard};
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

/// A goal as a grid in which each tile of a pattern has the pattern's letter, and its colour.
pub fn marked(goal: &Goal, patterns: &[Vec<u8>]) -> String {
    let board = goal.board();
    let cell = |&tile: &u8| {
        let pattern = patterns.iter().position(|pattern| pattern.contains(&tile));
        match (pattern.and_then(|i| Some((i, ('a'..='z').nth(i)?))), tile) {
            (Some((i, letter)), tile) => {
                // From red on, for as many patterns as there are colours.
                format!("\x1b[{}m{tile:>3}{letter}{PLAIN}", 31 + i % 6)
            }
            (None, 0) => "  . ".to_owned(),
            (None, tile) => format!("{tile:>3} "),
        }
    };
    let row = |tiles: &[u8]| tiles.iter().map(cell).collect::<String>();
    let rows: Vec<String> = board.tiles().chunks(board.grid().width()).map(row).collect();
    rows.join("\n")
}

const GREEN: &str = "\x1b[32m";
const DIM: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, OpenGoal};

    #[test]
    fn patterns_are_marked() {
        let goal = Goal::named("blank-last", "3x2".parse().unwrap()).unwrap();
        let text = marked(&goal, &[vec![5, 4], vec![1]]);
        assert!(text.starts_with("\x1b[32m  1b\x1b[0m  2   3 \n\x1b[31m  4a"), "{text}");
        assert!(text.ends_with("\x1b[31m  5a\x1b[0m  . "), "{text}");
    }

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
