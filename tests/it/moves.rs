//! Moves as people have them, and the goals that they may have meant.

use crate::commands::taquin;
use serde_json::Value;
use taquin_engine::board::{Board, Convention, Goal};

const NEAR: &str = "1 2 3 / 4 5 6 / 0 7 8";

/// The lists of moves of public course work, contests and trainers.
#[test]
fn lists_of_moves_reach_the_goal() {
    for (board, moves, convention, length) in [
        (
            "15 14 1 6 / 9 11 4 12 / 0 10 7 3 / 13 8 5 2",
            "rrrulddluuuldrurdddrullulurrrddldluurddlulurruldrdrd",
            "blank",
            52,
        ),
        ("1 2 3 / 4 0 6 / 7 5 8", "DR", "blank", 2),
        (NEAR, "2\nleft\nleft", "tile", 2),
        (NEAR, "['Left', 'Left']", "tile", 2),
        (NEAR, "<<", "tile", 2),
        (NEAR, "←←", "tile", 2),
        (NEAR, r#"{"moves":["Left","Left"]}"#, "tile", 2),
        (
            "2 3 6 / 1 0 7 / 4 8 5",
            "Move 7 Left\nMove 5 Up\nMove 8 Right\nMove 7 Down\nMove 5 Left\nMove 6 Down\n\
             Move 3 Right\nMove 2 Right\nMove 1 Up\nMove 4 Up\nMove 7 Left\nMove 8 Left",
            "tile",
            12,
        ),
        ("1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12", "1. L 2. U", "tile", 2),
        ("1 2 3 / 4 0 6 / 7 5 8", "Move blank down, move blank right", "tile", 2),
        ("1 2 3 / 4 0 6 / 7 5 8", "5U 8L", "tile", 2),
        ("1 2 3 / 4 0 6 / 7 5 8", "1. 5\n2. 8", "tile", 2),
        ("1 2 3 / 4 0 6 / 7 5 8", "Solution in 2 moves: Up → Left", "tile", 2),
        (NEAR, r#"{"path_to_goal":["Left","Left"]}"#, "tile", 2),
        ("1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12", "L, U", "tile", 2),
    ] {
        let applied = taquin(["apply", "--json", "--moves", convention, board, moves]);
        let object = &applied.objects()[0];
        assert_eq!(
            (&object["reached"], &object["length"]),
            (&true.into(), &length.into()),
            "{moves}"
        );
        // Without the option, the other convention is not taken silently.
        let plain = taquin(["apply", board, moves]);
        if convention == "blank" {
            let plain = plain.expect(
                2,
                "as directions of the blank these moves reach the goal: add --moves blank",
            );
            assert_eq!(plain.out, "");
            taquin(["apply", "--moves", "tile", board, moves]);
        } else {
            plain.fine();
        }
    }
    let solved = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0";
    for moves in ["1. D 2. R", "D, R"] {
        assert!(taquin(["apply", solved, moves]).expect(1, "").out.contains("\n2 moves, 2 slides"));
    }
}

#[test]
fn the_tiles_of_a_board_may_be_arguments() {
    let spread: Vec<&str> = "apply 1 2 3 4 0 6 7 5 8 U L".split(' ').collect();
    assert!(taquin(spread).fine().ends_with("2 moves, 2 slides: the goal is reached\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/cases/spaces-blank.txt");
    taquin(["apply", path, "UL"]).expect(2, "is a file: give its board");
}

#[test]
fn a_solved_board_is_named_where_nothing_is_printed() {
    let board = "1 2 3 / 4 5 6 / 7 8 0";
    let run = taquin(["solve", board]).expect(0, "the board is solved: 0 moves");
    assert_eq!(run.out, "");
    assert_eq!(taquin(["solve", "--quiet", board]).err, "");
    assert_eq!(taquin(["solve", board, board]).err, "");
}

#[test]
fn a_list_that_is_wrong_in_both_conventions_is_not_guessed() {
    let board = "1 2 3 / 4 0 6 / 7 5 8";
    for (moves, code, message) in [
        ("Move 5 Up\nMove 7 Left", 2, "move 2 is Left of tile 7, which cannot go that way"),
        ("3\nup\nleft", 2, "the list says 3 moves, but has 2"),
        (
            "Move 5 Down\nMove 8 Right",
            2,
            "which cannot go that way, but as directions of the blank",
        ),
        ("D D", 2, "move 2 of 2, Down, is blocked by the border"),
        ("D", 1, ""),
    ] {
        let run = taquin(["apply", board, moves]).expect(code, message);
        assert_eq!(
            run.err.contains("directions of the blank"),
            message.contains("directions"),
            "{moves}"
        );
    }
    // As they are, if the convention is given.
    let kept = taquin(["apply", "--moves", "tile", board, "DR"]).expect(1, "");
    assert!(kept.out.ends_with("this is not the goal\n"), "{kept:?}");
    // The directions in a message are those of the list.
    taquin(["apply", "--moves", "blank", board, "UU"]).expect(2, "move 2 of 2, Up, is blocked");
}

#[test]
fn solutions_are_written_in_both_conventions() {
    let board = "1 2 3 / 4 0 6 / 7 5 8";
    let solve = |args: &[&str]| taquin(["solve"].iter().chain(args).chain(&[board])).fine();
    for (format, tile, blank) in [
        ("letters", "UL\n", "DR\n"),
        ("words", "Up, Left\n", "Down, Right\n"),
        ("arrows", "↑←\n", "↓→\n"),
        ("runs", "u l\n", "d r\n"),
        ("tiles", "5 8\n", "5 8\n"),
    ] {
        assert_eq!(solve(&["--format", format]), tile);
        assert_eq!(solve(&["--format", format, "--moves", "blank"]), blank);
        assert_eq!(
            taquin(["apply", "--moves", "blank", "--format", format, board, "DR"]).fine(),
            blank
        );
    }
    assert_eq!(solve(&["--hint", "--moves", "blank"]), "Down\n");
    assert_eq!(solve(&["--all", "--format", "letters", "--directions", "blank"]), "DR\n");
    // An object says whose directions it has.
    let object = solve(&["--json", "--all", "--moves", "blank"]);
    assert!(object.contains(r#""moves":"DR","directions":"blank""#), "{object}");
    assert!(object.contains(r#""all":["DR"]"#), "{object}");
    assert!(!solve(&["--json"]).contains("directions"));
    taquin(["apply", board, &object]).fine();
}

#[test]
fn a_scramble_leads_from_the_goal_to_its_board() {
    for (goal, convention) in [
        ("blank-last", Convention::Tile),
        ("blank-last", Convention::Blank),
        ("spiral", Convention::Blank),
    ] {
        let shuffle = |args: &[&str]| {
            let common = ["--size", "3x3", "--seed", "5", "-n", "5", "--goal", goal];
            taquin(["shuffle"].iter().chain(&common).chain(args)).fine()
        };
        let boards: Vec<Board> = shuffle(&[]).lines().map(|line| line.parse().unwrap()).collect();
        let args = ["--as", "moves", "--directions", convention.name()];
        let scrambles = shuffle(&args);
        assert_eq!(scrambles.lines().count(), 5);
        let objects = shuffle(&[&args[..], &["--json"]].concat());
        for ((board, scramble), object) in boards.iter().zip(scrambles.lines()).zip(objects.lines())
        {
            let solved = Goal::named(goal, board.grid()).unwrap();
            let start = solved.board().clone().into();
            let (path, _) = taquin::read::moves(&start, scramble, convention).unwrap();
            assert_eq!(solved.board().after(&path).as_ref(), Ok(board), "{scramble}");
            let text = board.to_string();
            let optimal =
                taquin(["solve", "--json", "--goal", goal, &text]).objects()[0]["length"].clone();
            let object: Value = serde_json::from_str(object).unwrap();
            assert_eq!((&object["scramble"], &object["length"]), (&scramble.into(), &optimal));
            assert_eq!(object["directions"].is_string(), convention == Convention::Blank);
            assert_eq!(optimal, path.len());
        }
    }
    let plain = taquin(["shuffle", "--size", "3x3", "--seed", "5", "--json"]);
    assert_eq!(plain.objects()[0]["scramble"], Value::Null);
    taquin(["shuffle", "--size", "6x6", "--as", "moves"]).expect(2, "up to 25 cells");
    taquin(["shuffle", "--as", "moves", "--format", "grid"]).expect(2, "--format is for boards");
    taquin(["shuffle", "--directions", "blank"]).expect(2, "--directions needs --as moves");
}

#[test]
fn names_may_be_abbreviated_or_are_asked_for() {
    let board = "1 2 3 / 8 0 4 / 7 6 5";
    for goal in ["snail", "Spiral", "sp"] {
        taquin(["check", "--goal", goal, board]).fine();
    }
    let near = "1 2 3 / 4 0 6 / 7 5 8";
    for args in [["--method", "be"], ["--method", "as"], ["--heuristic", "walk"]] {
        assert!(taquin(["solve", args[0], args[1], near]).fine().contains("Up"), "{args:?}");
    }
    for (option, name, message) in [
        ("--goal", "sprial", "there is no goal \"sprial\": did you mean spiral?"),
        ("--goal", "blank", "blank-last, blank-first, blank-top-right or blank-bottom-left?"),
        ("--heuristic", "manhatan", "did you mean manhattan?"),
        ("--heuristic", "max(walking,7-8", "a ')' is missing"),
        ("--method", "bam", "did you mean beam?"),
        ("--method", "b", "invalid value 'b'"),
    ] {
        taquin(["solve", option, name, near]).expect(2, message);
    }
}

#[test]
fn a_goal_that_the_board_can_reach_is_named() {
    let board = "1 2 3 / 4 5 6 / 8 7 0";
    let reachable = Goal::reachable(&board.parse().unwrap());
    let (first, last) = (reachable[0], reachable[reachable.len() - 1]);
    let message = format!(" or {last}: --goal {first}");
    taquin(["solve", board]).expect(1, &message);
    assert!(taquin(["check", board]).out.contains(&message));
    for command in ["solve", "check"] {
        let object = &taquin([command, "--json", board]).objects()[0];
        assert_eq!(object["reachable"], Value::from(reachable.clone()), "{command}");
    }
    for goal in Goal::NAMES {
        let code = i32::from(!reachable.contains(&goal));
        assert_eq!(taquin(["check", "--goal", goal, board]).code, code, "{goal}");
    }
    // Once for a batch, if most boards have the wrong goal.
    let summary = format!("2 of 3 boards cannot reach the goal, and 2 of them can reach {first}");
    let solved = "1 2 3 / 4 5 6 / 7 8 0";
    for command in ["solve", "check"] {
        taquin([command, board, solved, board]).expect(1, &summary);
        let few = taquin([command, board, solved, solved]).expect(1, "");
        assert!(!few.err.contains("boards cannot reach"), "{few:?}");
    }
}
