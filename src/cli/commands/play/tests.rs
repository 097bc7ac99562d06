//! The game without a terminal.

use super::estimate::{Estimate, Work};
use super::game::{Action, Game, Origin, Wish};
use crate::board::{Goal, Move, Random};

fn goal() -> Goal {
    Goal::named("blank-last", "3x3".parse().unwrap()).unwrap()
}

fn game(board: &str) -> Game {
    Game::new(goal(), board.parse().unwrap(), Origin::Given, 5, false)
}

/// Does what a word of games.txt says.
fn act(game: &mut Game, text: &str) {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let action = match word {
        "cell" => Action::Cell(rest.parse().unwrap()),
        "space" => Action::Space,
        "undo" => Action::Undo,
        "redo" => Action::Redo,
        "edit" => Action::Edit,
        "escape" => Action::Escape,
        "hint" => Action::Next(Wish::Hint),
        "step" => Action::Next(Wish::Step),
        "tick" => return game.tick(),
        // The finding of a search for the current position.
        "found" => {
            let (lower, moves) = rest.split_once(' ').unwrap();
            let solution = Some(moves.trim_end_matches('?').parse().unwrap());
            let last = !moves.ends_with('?');
            return game.found(Estimate::answer_of(lower.parse().unwrap(), solution, last));
        }
        "fails" => {
            let work = Work::Failed("no databases".to_owned());
            return game.found(Estimate { work, ..Estimate::default() });
        }
        arrow => Action::Arrow(arrow.parse().unwrap()),
    };
    game.act(action);
}

fn holds(game: &Game, check: &str) -> bool {
    let (word, rest) = check.split_once(' ').unwrap_or((check, ""));
    let (place, estimate) = (&game.place, &game.place.estimate);
    let number = |number: Option<usize>| number.map_or("none".to_owned(), |n| n.to_string());
    match word {
        "moves" => place.moves.to_string() == rest,
        "message" => game.message == rest,
        "says" => game.message.contains(rest),
        "solved" => game.is_solved(),
        "unsolvable" => !game.solvability().is_solvable(),
        "searched" => game.question().1 == Some(&place.board),
        "idle" => game.question().1.is_none(),
        "hint" => number(game.hinted()) == rest,
        "lower" => estimate.lower.to_string() == rest,
        "upper" => number(estimate.upper().map(|moves| moves as usize)) == rest,
        "work" => format!("{:?}", estimate.work) == rest,
        "wish" => format!("{:?}", game.wish) == rest,
        "mode" => format!("{:?}", game.mode) == rest,
        "origin" => format!("{:?}", place.origin) == rest,
        _ => place.board.to_string() == check,
    }
}

#[test]
fn games() {
    let mut played = None;
    let lines = include_str!("games.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(board) = line.strip_prefix("= ") {
            played = Some(game(board));
            continue;
        }
        let (played, (actions, checks)) =
            (played.as_mut().unwrap(), line.split_once(" > ").unwrap());
        actions.split(", ").for_each(|action| act(played, action));
        for check in checks.split(" | ") {
            assert!(holds(played, check), "{line}: not {check}: {played:?}");
        }
    }
}

#[test]
fn inverted_arrows_move_the_blank() {
    let board = "1 2 3 / 4 0 5 / 7 8 6".parse().unwrap();
    let mut game = Game::new(goal(), board, Origin::Given, 0, true);
    game.act(Action::Arrow(Move::Right));
    assert_eq!(game.place.board.to_string(), "1 2 3 / 4 5 0 / 7 8 6");
    game.act(Action::Arrow(Move::Right));
    assert_eq!(&*game.message, "No tile can go left.");
}

#[test]
fn a_long_game_is_undone_to_its_start() {
    let mut random = Random::new(3);
    let start = game("1 2 3 / 4 0 5 / 7 8 6");
    let mut played = start.clone();
    for _ in 0..2000 {
        let before = played.place.board.clone();
        let action = match random.below(12) {
            0 => Action::Cell(random.below(9)),
            1 => Action::New,
            2 => Action::Edit,
            3 => Action::Space,
            4 => Action::Undo,
            5 => Action::Redo,
            _ => Action::Arrow(Move::ALL[random.below(4)]),
        };
        let (turn, _) = played.question();
        played.act(action.clone());
        assert_eq!(turn == played.question().0, before == played.place.board, "{action:?}");
        let solvable = goal().solvability(&played.place.board);
        assert_eq!(solvable.is_solvable(), played.solvability().is_solvable());
        if let Some(path) = &played.place.estimate.solution {
            assert_eq!(played.place.board.after(path).as_ref(), Ok(goal().board()));
        }
    }
    while played.message != "There is nothing to undo." {
        played.act(Action::Undo);
    }
    assert_eq!((&played.place.board, played.place.origin), (&start.place.board, Origin::Given));
    while played.message != "There is nothing to redo." {
        played.act(Action::Redo);
    }
    assert_ne!(played.place.board, start.place.board);
}

#[test]
fn new_boards_follow_from_the_seed() {
    let mut game = game("1 2 3 / 4 0 5 / 7 8 6");
    game.act(Action::New);
    let drawn = |seed| goal().random_board(&mut Random::new(seed));
    assert_eq!((&game.place.board, game.place.origin), (&drawn(5), Origin::Seed(5)));
    game.act(Action::New);
    assert_eq!((&game.place.board, game.place.origin), (&drawn(6), Origin::Seed(6)));
    game.act(Action::Undo);
    game.act(Action::Undo);
    assert_eq!(game.place.origin, Origin::Given);
    let random = Game::random(goal(), u64::MAX, false);
    assert_eq!(random.place.board, drawn(u64::MAX));
}
