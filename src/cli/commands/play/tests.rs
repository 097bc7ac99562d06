//! The game without a terminal.

use super::estimate::{Estimate, Work};
use super::game::{Action, Game, Mode, Origin, Wish};
use crate::board::{Board, Goal, Move, Random};

fn goal() -> Goal {
    Goal::named("blank-last", "3x3".parse().unwrap()).unwrap()
}

fn game(board: &str) -> Game {
    Game::new(goal(), board.parse().unwrap(), Origin::Given, 5, false)
}

#[track_caller]
fn shows(game: &Game, board: &str) {
    assert_eq!(game.place.board.to_string(), board);
}

/// The finding of a search for the current position.
fn found(game: &mut Game, lower: u32, moves: &str, last: bool) {
    let solution = Some(moves.parse().unwrap());
    game.found(Estimate::answer_of(lower, solution, last));
}

fn fails(game: &mut Game) {
    let work = Work::Failed("no databases".to_owned());
    game.found(Estimate { work, ..Estimate::default() });
}

#[test]
fn arrows_slide_tiles() {
    let mut game = game("1 2 3 / 4 0 5 / 7 8 6");
    game.act(Action::Arrow(Move::Left));
    shows(&game, "1 2 3 / 4 5 0 / 7 8 6");
    assert_eq!((game.place.moves, &*game.message), (1, ""));
    // Nothing is right of the blank.
    game.act(Action::Arrow(Move::Left));
    assert_eq!((game.place.moves, &*game.message), (1, "No tile can go left."));
    game.act(Action::Arrow(Move::Up));
    assert!(game.is_solved());
    assert_eq!((game.place.moves, &*game.message), (2, "Solved."));
    assert_eq!(game.place.estimate.upper(), Some(0));
}

#[test]
fn inverted_arrows_move_the_blank() {
    let board = "1 2 3 / 4 0 5 / 7 8 6".parse().unwrap();
    let mut game = Game::new(goal(), board, Origin::Given, 0, true);
    game.act(Action::Arrow(Move::Right));
    shows(&game, "1 2 3 / 4 5 0 / 7 8 6");
    game.act(Action::Arrow(Move::Right));
    assert_eq!(&*game.message, "No tile can go left.");
}

#[test]
fn a_click_slides_a_whole_line() {
    let mut game = game("1 2 3 / 4 5 6 / 0 7 8");
    game.act(Action::Cell(8));
    shows(&game, "1 2 3 / 4 5 6 / 7 8 0");
    assert_eq!(game.place.moves, 2);
    game.act(Action::Cell(2));
    shows(&game, "1 2 0 / 4 5 3 / 7 8 6");
    // Out of line, and the blank itself.
    game.act(Action::Cell(4));
    assert_eq!(&*game.message, "This tile is not in a line with the blank.");
    game.act(Action::Cell(2));
    assert_eq!((game.place.moves, &*game.message), (4, ""));
    shows(&game, "1 2 0 / 4 5 3 / 7 8 6");
}

#[test]
fn moves_are_undone_and_made_again() {
    let mut game = game("1 2 3 / 4 0 5 / 7 8 6");
    game.act(Action::Undo);
    assert_eq!(&*game.message, "There is nothing to undo.");
    game.act(Action::Arrow(Move::Left));
    game.act(Action::Arrow(Move::Down));
    shows(&game, "1 2 0 / 4 5 3 / 7 8 6");
    game.act(Action::Undo);
    game.act(Action::Undo);
    shows(&game, "1 2 3 / 4 0 5 / 7 8 6");
    assert_eq!(game.place.moves, 0);
    game.act(Action::Redo);
    shows(&game, "1 2 3 / 4 5 0 / 7 8 6");
    assert_eq!(game.place.moves, 1);
    // A move of another kind leaves nothing to make again.
    game.act(Action::Arrow(Move::Up));
    game.act(Action::Redo);
    assert_eq!(&*game.message, "There is nothing to redo.");
    assert!(game.is_solved());
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
fn a_hint_names_the_next_move_and_how_many_are_left() {
    let mut game = game("1 2 3 / 4 0 5 / 7 8 6");
    game.act(Action::Next(Wish::Hint));
    assert_eq!((&*game.message, game.hinted()), ("Searching for a solution…", None));
    found(&mut game, 2, "LU", true);
    assert_eq!(&*game.message, "Hint: tile 5 goes left; 2 moves to go.");
    assert_eq!((game.hinted(), game.place.moves), (Some(5), 0));
    // The next one is known already; nothing is searched.
    game.act(Action::Arrow(Move::Left));
    assert_eq!((game.hinted(), game.question().1), (None, None));
    game.act(Action::Next(Wish::Hint));
    assert_eq!(&*game.message, "Hint: tile 6 goes up; 1 move to go.");
    game.act(Action::Escape);
    assert_eq!((game.hinted(), &*game.message), (None, ""));
}

#[test]
fn a_hint_that_is_not_proved_is_called_so() {
    let mut game = game("1 2 3 / 4 0 5 / 7 8 6");
    found(&mut game, 0, "DULU", false);
    assert!(game.question().1.is_some());
    game.act(Action::Next(Wish::Hint));
    assert!(game.message.contains("4 moves to go in a solution not proved optimal"));
}

#[test]
fn steps_follow_the_solution() {
    let mut game = game("1 2 3 / 4 0 5 / 7 8 6");
    // The first step waits for the search.
    game.act(Action::Next(Wish::Step));
    assert_eq!(game.place.moves, 0);
    found(&mut game, 2, "LU", true);
    assert_eq!((game.place.moves, &*game.message), (1, "Tile 5 went left."));
    game.act(Action::Next(Wish::Step));
    assert!(game.is_solved());
    game.act(Action::Next(Wish::Step));
    assert_eq!((game.place.moves, &*game.message), (2, "The board is solved."));
    game.act(Action::Undo);
    shows(&game, "1 2 3 / 4 5 0 / 7 8 6");
}

#[test]
fn a_key_withdraws_a_step_that_waits() {
    let mut game = game("1 2 3 / 4 0 5 / 7 8 6");
    game.act(Action::Next(Wish::Step));
    game.act(Action::Escape);
    found(&mut game, 2, "LU", true);
    assert_eq!(game.place.moves, 0);
}

#[test]
fn the_animation_makes_a_move_for_each_tick() {
    let mut game = game("1 2 3 / 4 0 5 / 7 8 6");
    game.tick();
    game.act(Action::Space);
    game.tick();
    assert_eq!((game.wish, game.place.moves), (Some(Wish::Animate), 0));
    found(&mut game, 2, "LU", true);
    game.tick();
    assert_eq!(game.place.moves, 1);
    // Stopped, it goes on later.
    game.act(Action::Space);
    game.tick();
    assert_eq!((game.wish, game.place.moves), (None, 1));
    game.act(Action::Space);
    game.tick();
    assert_eq!((game.wish, game.is_solved()), (None, true));
}

#[test]
fn the_estimate_follows_the_moves() {
    let mut game = game("1 2 3 / 4 0 5 / 7 8 6");
    found(&mut game, 2, "LU", true);
    assert_eq!(game.question().1, None);
    game.act(Action::Arrow(Move::Right));
    let estimate = &game.place.estimate;
    assert_eq!((estimate.lower, &estimate.solution), (1, &None));
    assert_eq!(game.question().1, Some(&game.place.board));
}

#[test]
fn an_edit_exchanges_two_tiles() {
    let mut game = game("1 2 3 / 4 5 0 / 7 8 6");
    game.act(Action::Arrow(Move::Down));
    game.act(Action::Edit);
    assert_eq!(game.mode, Mode::Edit { cursor: 2, chosen: None });
    // The cursor goes where the arrow points, and stays on the board.
    for way in [Move::Up, Move::Right, Move::Left, Move::Left] {
        game.act(Action::Arrow(way));
    }
    game.act(Action::Space);
    assert_eq!(game.mode, Mode::Edit { cursor: 0, chosen: Some(0) });
    game.act(Action::Arrow(Move::Right));
    game.act(Action::Space);
    shows(&game, "2 1 0 / 4 5 3 / 7 8 6");
    assert_eq!((game.place.origin, game.place.moves), (Origin::Edited, 0));
    // By clicks; the same tile twice is none.
    for cell in [3, 3, 3, 4] {
        game.act(Action::Cell(cell));
    }
    shows(&game, "2 1 0 / 5 4 3 / 7 8 6");
    game.act(Action::Edit);
    assert_eq!(game.mode, Mode::Play);
    game.act(Action::Undo);
    game.act(Action::Undo);
    shows(&game, "1 2 0 / 4 5 3 / 7 8 6");
    assert_eq!((game.place.origin, game.place.moves), (Origin::Given, 1));
    game.act(Action::Redo);
    shows(&game, "2 1 0 / 4 5 3 / 7 8 6");
}

#[test]
fn an_unsolvable_board_is_not_searched() {
    let mut game = game("1 2 3 / 4 5 6 / 7 8 0");
    game.act(Action::Edit);
    game.act(Action::Cell(0));
    game.act(Action::Cell(1));
    game.act(Action::Escape);
    assert!(!game.solvability().is_solvable());
    assert_eq!(game.question().1, None);
    for action in [Action::Next(Wish::Hint), Action::Next(Wish::Step), Action::Space] {
        game.act(action);
        assert_eq!((&*game.message, game.wish), ("", None));
    }
    // It can be played with, and another exchange makes it solvable.
    game.act(Action::Arrow(Move::Down));
    assert_eq!((game.place.moves, game.question().1), (1, None));
    game.act(Action::Edit);
    game.act(Action::Cell(0));
    game.act(Action::Cell(1));
    assert!(game.question().1.is_some());
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

#[test]
fn without_a_search_the_game_goes_on() {
    let mut game = game("1 2 3 / 4 0 5 / 7 8 6");
    game.act(Action::Space);
    fails(&mut game);
    assert_eq!((game.wish, &*game.message), (None, ""));
    game.act(Action::Next(Wish::Hint));
    assert_eq!(&*game.message, "");
    assert_eq!(game.place.estimate.work, Work::Failed("no databases".to_owned()));
    game.act(Action::Arrow(Move::Left));
    game.act(Action::Arrow(Move::Up));
    assert!(game.is_solved());
}

#[test]
fn a_solved_board_can_be_the_first() {
    let game = game("1 2 3 / 4 5 6 / 7 8 0");
    assert_eq!((game.question().1, game.place.estimate.upper()), (None, Some(0)));
    let board: &Board = &game.place.board;
    assert_eq!(board, goal().board());
}
