//! Draws a game.
//!
//! Colour never carries information alone: tiles at home have thick borders, or brackets where
//! tiles have no borders.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph, Wrap};

use super::estimate::{Estimate, Work};
use super::game::{Game, Mode, Origin};
use super::layout::{Layout, digits, least};

/// Draws a game on the whole screen.
pub fn draw(frame: &mut Frame, game: &Game, coloured: bool) {
    let (area, grid) = (frame.area(), game.board().grid());
    let Some(layout) = Layout::new(area, grid) else {
        let (width, height) = least(grid);
        let text = format!(
            "The terminal is too small: a {grid} board needs {width} columns and {height} rows. \
             Enlarge it, or press q to quit."
        );
        return frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
    };
    for cell in 0..grid.cells() {
        draw_cell(frame, game, &layout, cell, coloured);
    }
    frame.render_widget(Paragraph::new(figures(game)), layout.figures);
    if let Some(area) = layout.goal {
        draw_goal(frame, game, area);
    }
    let style = Style::new().add_modifier(Modifier::BOLD);
    let message = Span::styled(message(game), style);
    frame.render_widget(Paragraph::new(message).wrap(Wrap { trim: true }), layout.message);
    let help = Paragraph::new(help(game, layout.help.height)).wrap(Wrap { trim: true });
    frame.render_widget(help, layout.help);
}

fn draw_cell(frame: &mut Frame, game: &Game, layout: &Layout, cell: usize, coloured: bool) {
    let area = layout.cell(cell);
    let tile = game.board().tiles()[cell];
    let home = tile == game.goal().board().tiles()[cell] && tile != 0;
    let style = cell_style(game, cell, home, coloured);
    let digits = usize::from(digits(game.board().grid()));
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
    let mut style = Style::new();
    if coloured && home {
        style = style.fg(Color::Green);
    }
    if game.hinted() == Some(cell) {
        style = style.add_modifier(Modifier::REVERSED | Modifier::BOLD);
        if coloured {
            style = style.fg(Color::Yellow);
        }
    }
    if let Mode::Edit { cursor, chosen } = *game.mode() {
        if cursor == cell {
            style = style.add_modifier(Modifier::REVERSED);
        }
        if chosen == Some(cell) {
            style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
            if coloured {
                style = style.fg(Color::Yellow);
            }
        }
    }
    style
}

fn figures(game: &Game) -> Vec<Line<'static>> {
    let grid = game.board().grid();
    let origin = match game.origin() {
        Origin::Given => format!("{grid}"),
        Origin::Seed(seed) => format!("{grid}, seed {seed}"),
        Origin::Edited => format!("{grid}, edited"),
    };
    let optimum = if game.solvability().is_solvable() {
        optimum(game.estimate())
    } else {
        "none: no solution".to_owned()
    };
    vec![
        format!("Moves    {}", game.moves_made()).into(),
        format!("Optimum  {optimum}").into(),
        format!("Board    {origin}").into(),
    ]
}

/// The optimal length from here, as far as it is known.
fn optimum(estimate: &Estimate) -> String {
    let Estimate { lower, work, .. } = estimate;
    let known = match estimate.upper() {
        Some(upper) if upper == *lower => return upper.to_string(),
        Some(upper) => Some(format!("{lower} to {upper}")),
        None => (*lower > 0).then(|| format!("at least {lower}")),
    };
    let known = |rest: &str| match &known {
        Some(known) => format!("{known}, {rest}"),
        None => rest.to_owned(),
    };
    match work {
        Work::Searching => known("searching…"),
        Work::Preparing(note) => known(note),
        Work::Done => known("not proved"),
        Work::Failed(_) => known("search failed"),
    }
}

/// The message of the game, or what is wrong with the board or the search.
fn message(game: &Game) -> String {
    let standing = if !game.solvability().is_solvable() {
        format!("Cannot reach the goal: {}.", game.solvability())
    } else if let Work::Failed(reason) = &game.estimate().work {
        format!("The search failed: {reason}.")
    } else {
        String::new()
    };
    match (game.message(), standing.as_str()) {
        ("", standing) => standing.to_owned(),
        (message, "") => message.to_owned(),
        (message, standing) => format!("{message} {standing}"),
    }
}

/// The keys, the most important ones where there are few rows.
fn help(game: &Game, rows: u16) -> &'static str {
    match game.mode() {
        Mode::Edit { chosen: None, .. } => {
            "arrows or hjkl move the cursor, space or a click chooses a tile; e play"
        }
        Mode::Edit { chosen: Some(_), .. } => {
            "choose the tile to exchange it with; the same tile again: none; e play"
        }
        Mode::Animate => "space stop  q quit",
        Mode::Play if rows < 3 => "q quit  ? hint  u undo  s step",
        Mode::Play if game.is_inverted() => concat!(
            "arrows or hjkl move the blank in that direction, a click slides a tile or a row\n",
            "u undo  r redo  ? hint  s step of the solution  space play the solution\n",
            "e edit  n new board  q quit"
        ),
        Mode::Play => concat!(
            "arrows or hjkl slide a tile in that direction, a click slides a tile or a row\n",
            "u undo  r redo  ? hint  s step of the solution  space play the solution\n",
            "e edit  n new board  q quit"
        ),
    }
}

fn draw_goal(frame: &mut Frame, game: &Game, area: Rect) {
    let grid = game.board().grid();
    let digits = usize::from(digits(grid));
    let rows = game.goal().board().tiles().chunks(grid.width()).map(|row| {
        let tile = |tile: &u8| match tile {
            0 => format!("{:>digits$} ", "."),
            tile => format!("{tile:>digits$} "),
        };
        Line::from(row.iter().map(tile).collect::<String>())
    });
    let lines: Vec<_> = std::iter::once(Line::from("Goal")).chain(rows).collect();
    frame.render_widget(Paragraph::new(lines), area);
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::board::{Goal, Move};
    use crate::cli::commands::play::estimate::Finding;
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
        let (turn, _) = game.question();
        game.act(Action::Found(turn, Finding::Answer { lower, solution, last }));
    }

    fn hinted() -> Game {
        let mut game = game("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 0 14 15");
        answered(&mut game, 2, "LL", true);
        game.act(Action::Arrow(Move::Left));
        game.act(Action::Hint);
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
        "",
        "Hint: tile 15 goes left; 1 move to go.",
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
        assert_eq!(styles[13], "b".repeat("Hint: tile 15 goes left; 1 move to go.".len()));
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
        assert!(words.starts_with("The terminal is too small: a 4x4"), "{words}");
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
            let (turn, _) = game.question();
            game.act(Action::Found(turn, finding));
            optimum(&game)
        };
        let path = |text: &str| Some(text.parse().unwrap());
        for (finding, expected) in [
            (Finding::Preparing("building…".into()), "Optimum  building…"),
            (Finding::Bound(0), "Optimum  searching…"),
            (Finding::Bound(2), "Optimum  at least 2, searching…"),
            (
                Finding::Answer { lower: 2, solution: path("DULL"), last: false },
                "Optimum  2 to 4, searching…",
            ),
            (
                Finding::Answer { lower: 2, solution: path("DULL"), last: true },
                "Optimum  2 to 4, not proved",
            ),
            (Finding::Failed("x".into()), "Optimum  2 to 4, search failed"),
            (Finding::Answer { lower: 2, solution: path("LL"), last: true }, "Optimum  2"),
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
}
