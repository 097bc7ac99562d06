//! The meaning of keys and clicks.

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::game::Action;
use super::layout::Layout;
use crate::board::Move;

/// The action that an event of the terminal asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    Act(Action),
    Redraw,
    Suspend,
    Quit,
}

/// The request of an event, on a screen of this layout.
pub fn request(event: &Event, layout: Option<&Layout>) -> Option<Request> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(key),
        Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            ..
        }) => layout?.cell_at(*column, *row).map(|cell| Request::Act(Action::Cell(cell))),
        Event::Resize(..) => Some(Request::Redraw),
        _ => None,
    }
}

fn of_key(key: &KeyEvent) -> Option<Request> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        // The terminal turns these keys into signals only in its usual mode.
        return match key.code {
            KeyCode::Char('c') => Some(Request::Quit),
            KeyCode::Char('z') => Some(Request::Suspend),
            KeyCode::Char('l') => Some(Request::Redraw),
            _ => None,
        };
    }
    let action = match key.code {
        KeyCode::Left | KeyCode::Char('h') => Action::Arrow(Move::Left),
        KeyCode::Down | KeyCode::Char('j') => Action::Arrow(Move::Down),
        KeyCode::Up | KeyCode::Char('k') => Action::Arrow(Move::Up),
        KeyCode::Right | KeyCode::Char('l') => Action::Arrow(Move::Right),
        KeyCode::Char(' ') | KeyCode::Enter => Action::Space,
        KeyCode::Char('u') | KeyCode::Backspace => Action::Undo,
        KeyCode::Char('r') => Action::Redo,
        KeyCode::Char('?') => Action::Hint,
        KeyCode::Char('s') => Action::Step,
        KeyCode::Char('e') => Action::Edit,
        KeyCode::Char('n') => Action::New,
        KeyCode::Esc => Action::Escape,
        KeyCode::Char('q') => return Some(Request::Quit),
        _ => return None,
    };
    Some(Request::Act(action))
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;
    use crate::board::Grid;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Option<Request> {
        request(&Event::Key(KeyEvent::new(code, modifiers)), None)
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
        assert_eq!(plain('q'), Some(Request::Quit));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Request::Quit));
        assert_eq!(key(KeyCode::Char('z'), KeyModifiers::CONTROL), Some(Request::Suspend));
        assert_eq!((plain('x'), key(KeyCode::Char('u'), KeyModifiers::CONTROL)), (None, None));
    }

    #[test]
    fn a_key_that_is_let_go_does_nothing() {
        let mut event = KeyEvent::new(KeyCode::Left, KeyModifiers::NONE);
        event.kind = KeyEventKind::Release;
        assert_eq!(request(&Event::Key(event), None), None);
    }

    #[test]
    fn clicks_hit_cells() {
        let grid = Grid::new(4, 4).unwrap();
        let layout = Layout::new(Rect::new(0, 0, 80, 24), grid).unwrap();
        let click = |kind, column, row| {
            let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
            request(&Event::Mouse(event), Some(&layout))
        };
        let cell = layout.cell(6);
        let down = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(click(down, cell.x, cell.y), Some(Request::Act(Action::Cell(6))));
        assert_eq!(click(down, 79, 23), None);
        assert_eq!(click(MouseEventKind::Moved, cell.x, cell.y), None);
    }
}
