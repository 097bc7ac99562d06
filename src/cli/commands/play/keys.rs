//! The meaning of keys and clicks.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::game::{Action, Wish};
use super::view::Layout;
use crate::board::Move;

/// The action that an event of the terminal asks for, on a screen of this layout.
pub fn action(event: &Event, layout: Option<&Layout>) -> Option<Action> {
    let key = match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key,
        Event::Mouse(MouseEvent { kind: MouseEventKind::Down(button), column, row, .. }) => {
            let cell = layout?.cell_at(*column, *row)?;
            return (*button == MouseButton::Left).then_some(Action::Cell(cell));
        }
        _ => return None,
    };
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        // The terminal turns this key into a signal only in its usual mode.
        return (key.code == KeyCode::Char('c')).then_some(Action::Quit);
    }
    Some(match key.code {
        KeyCode::Left | KeyCode::Char('h') => Action::Arrow(Move::Left),
        KeyCode::Down | KeyCode::Char('j') => Action::Arrow(Move::Down),
        KeyCode::Up | KeyCode::Char('k') => Action::Arrow(Move::Up),
        KeyCode::Right | KeyCode::Char('l') => Action::Arrow(Move::Right),
        KeyCode::Char(' ') | KeyCode::Enter => Action::Space,
        KeyCode::Char('u') | KeyCode::Backspace => Action::Undo,
        KeyCode::Char('r') => Action::Redo,
        KeyCode::Char('?') => Action::Next(Wish::Hint),
        KeyCode::Char('s') => Action::Next(Wish::Step),
        KeyCode::Char('e') => Action::Edit,
        KeyCode::Char('n') => Action::New,
        KeyCode::Esc => Action::Escape,
        KeyCode::Char('q') => Action::Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::KeyEvent;
    use ratatui::layout::Rect;

    use super::*;
    use crate::board::Grid;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Option<Action> {
        action(&Event::Key(KeyEvent::new(code, modifiers)), None)
    }

    #[test]
    fn keys_have_one_meaning() {
        let plain = |c| key(KeyCode::Char(c), KeyModifiers::NONE);
        for (code, letter) in [
            (KeyCode::Left, 'h'),
            (KeyCode::Down, 'j'),
            (KeyCode::Up, 'k'),
            (KeyCode::Right, 'l'),
            (KeyCode::Enter, ' '),
        ] {
            assert!(plain(letter).is_some());
            assert_eq!(key(code, KeyModifiers::NONE), plain(letter));
        }
        let letters = "hjkl ur?senq";
        for (i, letter) in letters.chars().enumerate() {
            assert!(letters.chars().take(i).all(|other| plain(other) != plain(letter)));
        }
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Action::Quit));
        assert_eq!((plain('x'), key(KeyCode::Char('u'), KeyModifiers::CONTROL)), (None, None));
        let mut released = KeyEvent::new(KeyCode::Left, KeyModifiers::NONE);
        released.kind = KeyEventKind::Release;
        assert_eq!(action(&Event::Key(released), None), None);
    }

    #[test]
    fn clicks_hit_cells() {
        let grid = Grid::new(4, 4).unwrap();
        let layout = Layout::new(Rect::new(0, 0, 80, 24), grid).unwrap();
        let click = |kind, column, row| {
            let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
            action(&Event::Mouse(event), Some(&layout))
        };
        let cell = layout.cell(6);
        let down = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(click(down, cell.x, cell.y), Some(Action::Cell(6)));
        assert_eq!(click(down, 79, 23), None);
        assert_eq!(click(MouseEventKind::Moved, cell.x, cell.y), None);
    }
}
