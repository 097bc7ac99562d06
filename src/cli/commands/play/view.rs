//! Draws a game.
//!
//! Colour never carries information alone: tiles at home have thick borders, or brackets where
//! tiles have no borders.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout as Split, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;
use ratatui::widgets::{Block, BorderType, Paragraph, Wrap};

use super::estimate::{Estimate, Work};
use super::game::{Game, Mode, Origin, Wish};
use crate::board::Grid;

/// The columns and rows of the figures: moves, optimum, board.
const FIGURES: (u16, u16) = (34, 3);
/// The columns between the board and the figures.
const GAP: u16 = 2;
/// The rows for a message, and one of help.
const WORDS: u16 = 2;

/// The places of the parts of the screen: the board, the figures next to it or below it, and words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    grid: Grid,
    board: Rect,
    /// True if tiles have borders.
    boxed: bool,
    figures: Rect,
    message: Rect,
    help: Rect,
}

/// The digits of the largest tile.
fn digits(grid: Grid) -> u16 {
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

/// The columns and rows that a screen needs.
fn needed(grid: Grid, boxed: bool, beside: bool) -> (u16, u16) {
    let (width, height) = board(grid, boxed);
    match beside {
        true => (width + GAP + FIGURES.0, height.max(FIGURES.1) + WORDS),
        false => (width.max(FIGURES.0), height + FIGURES.1 + WORDS),
    }
}

impl Layout {
    /// The largest layout that fits.
    pub fn new(area: Rect, grid: Grid) -> Option<Layout> {
        let shapes = [(true, true), (true, false), (false, true), (false, false)];
        let fits = |&(boxed, beside): &(bool, bool)| {
            let (width, height) = needed(grid, boxed, beside);
            width <= area.width && height <= area.height
        };
        let (boxed, beside) = shapes.into_iter().find(fits)?;
        let (width, height) = board(grid, boxed);
        let top = needed(grid, boxed, beside).1 - WORDS;
        // The help has three rows where there is room, and the message the others.
        let lines = (area.height - top).saturating_sub(3).clamp(1, 3);
        let rows = [Constraint::Length(top), Constraint::Length(lines), Constraint::Fill(1)];
        let [top, message, help] = Split::vertical(rows).areas(area);
        let [board, figures] = match beside {
            true => {
                Split::horizontal([Constraint::Length(width), Constraint::Fill(1)]).spacing(GAP)
            }
            false => Split::vertical([Constraint::Length(height), Constraint::Fill(1)]),
        }
        .areas(top);
        Some(Layout { grid, board, boxed, figures, message, help })
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

/// Draws a game on the whole screen.
pub fn draw(frame: &mut Frame, game: &Game, coloured: bool) {
    let (area, grid) = (frame.area(), game.place.board.grid());
    let wrapped = |text: String| Paragraph::new(text).wrap(Wrap { trim: true });
    let Some(layout) = Layout::new(area, grid) else {
        let (width, height) = needed(grid, false, false);
        let text = format!(
            "The terminal is too small: {grid} needs {width} columns and {height} rows. Enlarge it, or \
             press q to quit."
        );
        return frame.render_widget(wrapped(text), area);
    };
    for cell in 0..grid.cells() {
        draw_cell(frame, game, &layout, cell, coloured);
    }
    frame.render_widget(Paragraph::new(figures(game, layout.figures.height)), layout.figures);
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let message = Paragraph::new(Span::styled(message(game), bold)).wrap(Wrap { trim: true });
    frame.render_widget(message, layout.message);
    frame.render_widget(wrapped(help(game, layout.help.height)), layout.help);
}

fn draw_cell(frame: &mut Frame, game: &Game, layout: &Layout, cell: usize, coloured: bool) {
    let area = layout.cell(cell);
    let tile = game.place.board.tiles()[cell];
    let home = tile == game.goal.board().tiles()[cell] && tile != 0;
    let style = cell_style(game, cell, home, coloured);
    let digits = usize::from(digits(game.place.board.grid()));
    let number = if tile == 0 { String::new() } else { tile.to_string() };
    let mark = |text: String| Paragraph::new(text).style(style);
    if !layout.boxed {
        let (open, close) = if home { ('[', ']') } else { (' ', ' ') };
        return frame.render_widget(mark(format!("{open}{number:>digits$}{close}")), area);
    }
    let middle = Rect { x: area.x + 1, y: area.y + 1, width: area.width - 2, height: 1 };
    if tile != 0 {
        let border = if home { BorderType::Thick } else { BorderType::Plain };
        frame.render_widget(Block::bordered().border_type(border).style(style), area);
    }
    frame.render_widget(mark(format!(" {number:>digits$} ")), middle);
}

fn cell_style(game: &Game, cell: usize, home: bool, coloured: bool) -> Style {
    let (cursor, chosen) = match game.mode {
        Mode::Edit { cursor, chosen } => (Some(cursor), chosen),
        _ => (None, None),
    };
    let marks = [
        (game.hinted(), Modifier::REVERSED | Modifier::BOLD),
        (cursor, Modifier::REVERSED),
        (chosen, Modifier::BOLD | Modifier::UNDERLINED),
    ];
    let marks = marks.into_iter().filter(|(place, _)| *place == Some(cell));
    let style = marks.fold(Style::new(), |style, (_, mark)| style.add_modifier(mark));
    match [game.hinted(), chosen].contains(&Some(cell)) {
        _ if !coloured => style,
        true => style.fg(Color::Yellow),
        false if home => style.fg(Color::Green),
        false => style,
    }
}

/// The figures, and the goal below them where there is room for it.
fn figures(game: &Game, rows: u16) -> String {
    let grid = game.place.board.grid();
    let origin = match game.place.origin {
        Origin::Given => format!("{grid}"),
        Origin::Seed(seed) => format!("{grid}, seed {seed}"),
        Origin::Edited => format!("{grid}, edited"),
    };
    let optimum = if game.solvability().is_solvable() {
        optimum(&game.place.estimate)
    } else {
        "none: no solution".to_owned()
    };
    let mut text = format!("Moves    {}\nOptimum  {optimum}\nBoard    {origin}", game.place.moves);
    let goal = format!("\n\nGoal\n{:#}", game.goal.board());
    if (text.clone() + &goal).lines().count() <= usize::from(rows) {
        text += &goal;
    }
    text
}

/// The optimal length from here, as far as it is known.
fn optimum(estimate: &Estimate) -> String {
    let lower = estimate.lower;
    let rest = match estimate.work {
        Work::Searching => "searching…",
        Work::Done => "not proved",
        Work::Failed(_) => "search failed",
    };
    match estimate.upper() {
        Some(upper) if upper == lower => upper.to_string(),
        Some(upper) => format!("{lower} to {upper}, {rest}"),
        None if lower > 0 => format!("at least {lower}, {rest}"),
        None => rest.to_owned(),
    }
}

/// The message of the game, or the fault of the board or of the search.
fn message(game: &Game) -> String {
    let standing = if !game.solvability().is_solvable() {
        format!("Cannot reach the goal: {}.", game.solvability())
    } else if let Work::Failed(reason) = &game.place.estimate.work {
        format!("The search failed: {reason}.")
    } else {
        String::new()
    };
    match (game.message.as_str(), standing.as_str()) {
        ("", standing) => standing.to_owned(),
        (message, "") => message.to_owned(),
        (message, standing) => format!("{message} {standing}"),
    }
}

/// The keys, the most important ones where there are few rows.
fn help(game: &Game, rows: u16) -> String {
    let arrows = if game.inverted { "move the blank" } else { "slide a tile" };
    match game.mode {
        Mode::Edit { chosen: None, .. } => {
            "arrows or hjkl move the cursor, space or a click chooses a tile; e play".to_owned()
        }
        Mode::Edit { chosen: Some(_), .. } => {
            "choose the tile to exchange it with; the same tile again: none; e play".to_owned()
        }
        _ if game.wish == Some(Wish::Animate) => "space stop  q quit".to_owned(),
        Mode::Play | Mode::Over if rows < 3 => "q quit  ? hint  u undo  s step".to_owned(),
        Mode::Play | Mode::Over => format!(
            "arrows or hjkl {arrows} in that direction, a click slides a tile or a row\n\
             u undo  r redo  ? hint  s step of the solution  space play the solution\n\
             e edit  n new board  q quit"
        ),
    }
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::board::{Goal, Move};
    use crate::cli::commands::play::game::Action;

    fn game(board: &str) -> Game {
        let board: crate::board::Board = board.parse().unwrap();
        let goal = Goal::named("blank-last", board.grid()).unwrap();
        Game::new(goal, board, Origin::Given, 7, false)
    }

    fn drawn(game: &Game, coloured: bool, width: u16, height: u16) -> Buffer {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, game, coloured)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// The rows of a buffer, without the spaces at their ends.
    fn rows(buffer: &Buffer, cell: impl Fn(&ratatui::buffer::Cell) -> String) -> Vec<String> {
        let rows = buffer.content.chunks(buffer.area.width.into());
        rows.map(|row| row.iter().map(&cell).collect::<String>().trim_end().to_owned()).collect()
    }

    fn text(buffer: &Buffer) -> Vec<String> {
        rows(buffer, |cell| cell.symbol().to_owned())
    }

    /// A letter for the style of each cell.
    fn styles(buffer: &Buffer) -> Vec<String> {
        rows(buffer, |cell| {
            let has = |modifier| cell.modifier.contains(modifier);
            let letter = match (cell.fg, has(Modifier::REVERSED), has(Modifier::BOLD)) {
                (Color::Green, ..) => 'g',
                (Color::Yellow, ..) => 'y',
                (_, true, _) => 'r',
                (_, _, true) => 'b',
                _ => ' ',
            };
            letter.to_string()
        })
    }

    fn answered(game: &mut Game, lower: u32, moves: &str, last: bool) {
        let solution = Some(moves.parse().unwrap());
        game.found(Estimate::answer_of(lower, solution, last));
    }

    fn hinted() -> Game {
        let mut game = game("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 0 14 15");
        answered(&mut game, 2, "LL", true);
        game.act(Action::Arrow(Move::Left));
        game.act(Action::Next(Wish::Hint));
        game
    }

    const GOLDEN: [&str; 18] = [
        "┏━━━━┓┏━━━━┓┏━━━━┓┏━━━━┓  Moves    1",
        "┃  1 ┃┃  2 ┃┃  3 ┃┃  4 ┃  Optimum  1",
        "┗━━━━┛┗━━━━┛┗━━━━┛┗━━━━┛  Board    4x4",
        "┏━━━━┓┏━━━━┓┏━━━━┓┏━━━━┓",
        "┃  5 ┃┃  6 ┃┃  7 ┃┃  8 ┃  Goal",
        "┗━━━━┛┗━━━━┛┗━━━━┛┗━━━━┛   1  2  3  4",
        "┏━━━━┓┏━━━━┓┏━━━━┓┏━━━━┓   5  6  7  8",
        "┃  9 ┃┃ 10 ┃┃ 11 ┃┃ 12 ┃   9 10 11 12",
        "┗━━━━┛┗━━━━┛┗━━━━┛┗━━━━┛  13 14 15  .",
        "┏━━━━┓┏━━━━┓      ┌────┐",
        "┃ 13 ┃┃ 14 ┃      │ 15 │",
        "┗━━━━┛┗━━━━┛      └────┘",
        "Hint: tile 15 goes left; 1 move to go.",
        "",
        "",
        "arrows or hjkl slide a tile in that direction, a click slides a tile or a row",
        "u undo  r redo  ? hint  s step of the solution  space play the solution",
        "e edit  n new board  q quit",
    ];

    #[test]
    fn a_board_without_colour() {
        let buffer = drawn(&hinted(), false, 80, 18);
        assert_eq!(text(&buffer), GOLDEN);
        let styles = styles(&buffer);
        assert_eq!(styles[..9], [""; 9]);
        assert_eq!(styles[9..12], ["                  rrrrrr"; 3]);
        assert!(
            buffer.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset)
        );
    }

    #[test]
    fn a_board_with_colour() {
        let buffer = drawn(&hinted(), true, 80, 18);
        assert_eq!(text(&buffer), GOLDEN);
        let styles = styles(&buffer);
        // Tiles at home are green, the hint is yellow.
        assert_eq!(styles[..9], ["gggggggggggggggggggggggg"; 9]);
        assert_eq!(styles[9..12], ["gggggggggggg      yyyyyy"; 3]);
        assert_eq!(styles[12], "b".repeat("Hint: tile 15 goes left; 1 move to go.".len()));
    }

    #[test]
    fn a_narrow_screen_has_the_figures_below() {
        let game = game("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 0 14 15");
        let rows = text(&drawn(&game, false, 34, 9));
        let expected = [
            "[ 1][ 2][ 3][ 4]",
            "[ 5][ 6][ 7][ 8]",
            "[ 9][10][11][12]",
            "[13]     14  15",
            "Moves    0",
            "Optimum  searching…",
            "Board    4x4",
            "",
            "q quit  ? hint  u undo  s step",
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_screen_that_is_too_small_says_so() {
        let game = game("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 0 14 15");
        let words = text(&drawn(&game, true, 33, 9)).join(" ");
        assert!(words.starts_with("The terminal is too small: 4x4"), "{words}");
        assert!(words.contains("34 columns and 9 rows"), "{words}");
        // Nothing panics, whatever the size.
        for (width, height) in [(1, 1), (2, 50), (200, 1), (34, 8), (0, 0)] {
            drawn(&game, true, width, height);
        }
    }

    #[test]
    fn the_optimum_is_shown_as_far_as_it_is_known() {
        let optimum = |game: &Game| -> String {
            text(&drawn(game, false, 80, 24))[1].chars().skip(26).collect()
        };
        let mut game = game("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 0 14 15");
        let mut found = |finding| {
            game.found(finding);
            optimum(&game)
        };
        let path = |text: &str| Some(text.parse().unwrap());
        let failed = Estimate { work: Work::Failed("x".into()), ..Estimate::default() };
        for (finding, expected) in [
            (Estimate::default(), "Optimum  searching…"),
            (Estimate { lower: 2, ..Estimate::default() }, "Optimum  at least 2, searching…"),
            (Estimate::answer_of(2, path("DULL"), false), "Optimum  2 to 4, searching…"),
            (Estimate::answer_of(2, path("DULL"), true), "Optimum  2 to 4, not proved"),
            (failed, "Optimum  2 to 4, search failed"),
            (Estimate::answer_of(2, path("LL"), true), "Optimum  2"),
        ] {
            assert!(found(finding.clone()).starts_with(expected), "{finding:?}");
        }
    }

    #[test]
    fn an_unsolvable_board_is_named_with_its_reason() {
        let game = game("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0");
        let words = text(&drawn(&game, false, 80, 24)).join("\n");
        assert!(words.contains("Optimum  none: no solution"), "{words}");
        let reason =
            "Cannot reach the goal: 1 transposition (odd) and a blank distance of 0 (even)";
        assert!(words.contains(reason), "{words}");
    }

    #[test]
    fn the_cursor_and_the_chosen_tile_are_marked() {
        let mut game = game("1 2 3 / 4 0 5 / 7 8 6");
        for action in [Action::Edit, Action::Space, Action::Arrow(Move::Left)] {
            game.act(action);
        }
        let buffer = drawn(&game, false, 34, 8);
        assert_eq!(styles(&buffer)[1], "rrrbbb");
        assert_eq!(styles(&drawn(&game, true, 34, 8))[1], "gggyyy");
    }

    fn sizes() -> impl Iterator<Item = Grid> {
        let sizes = [(2, 2), (3, 3), (4, 4), (5, 5), (10, 10), (16, 16), (128, 2), (2, 128)];
        sizes.into_iter().map(|(width, height)| Grid::new(width, height).unwrap())
    }

    #[test]
    fn parts_lie_on_the_screen_and_apart() {
        for grid in sizes() {
            for (width, height) in [(20, 6), (40, 12), (80, 24), (120, 60), (600, 200)] {
                let area = Rect::new(3, 2, width, height);
                let Some(layout) = Layout::new(area, grid) else { continue };
                let parts = [layout.board, layout.figures, layout.message, layout.help];
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
            for beside in [true, false] {
                let (width, height) = needed(grid, false, beside);
                let fits = |width, height| Layout::new(Rect::new(0, 0, width, height), grid);
                assert!(fits(width, height).is_some(), "{grid}");
                let layout = fits(width + 40, height + 40).unwrap();
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
}
