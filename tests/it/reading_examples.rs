//! The examples of boards and of moves are read as they should be.

use taquin::read;
use taquin_engine::board::{Board, Convention, Grid, LabelledBoard};

use crate::examples::{Answer, Example, MOVES, READING, examples};

/// The answers of the front door, with the words of their notes.
fn answers(text: &str, size: Option<Grid>) -> Vec<Result<(String, Vec<String>), String>> {
    let shown = |reading: read::Reading| {
        (reading.board.to_string(), reading.notes.iter().map(ToString::to_string).collect())
    };
    let found = read::boards(text, size).into_iter();
    found.map(|answer| answer.map(shown).map_err(|error| error.to_string())).collect()
}

/// The boards, and `None` for each error.
fn boards(text: &str, size: Option<Grid>) -> Vec<Option<String>> {
    answers(text, size).into_iter().map(|answer| Some(answer.ok()?.0)).collect()
}

fn fits(found: &Result<(String, Vec<String>), String>, expected: &Answer) -> bool {
    match (found, expected) {
        (Ok((board, notes)), Answer::Is(wanted, parts)) => {
            let is_told = |part: &String| notes.iter().any(|note| note.contains(part));
            board == wanted && notes.is_empty() == parts.is_empty() && parts.iter().all(is_told)
        }
        (Err(error), Answer::Error(part)) => error.contains(part),
        _ => false,
    }
}

fn of_boards() -> Vec<Example> {
    let mut all = examples(READING);
    all.retain(|example| !example.labels);
    all
}

#[test]
fn every_text_has_its_boards() {
    let all = of_boards();
    assert!(all.len() > 500);
    let wrong = |Example { line, text, size, answers: expected, .. }: &Example| {
        let found = answers(text, *size);
        let is_right = found.len() == expected.len()
            && found.iter().zip(expected).all(|(found, expected)| fits(found, expected));
        (!is_right).then(|| format!("line {line}: {text:?}\n  {found:?}\n  {expected:?}\n"))
    };
    let wrong: Vec<String> = all.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.concat());
}

/// Goals, and boards of labels, have the names of their tiles.
#[test]
fn goals_are_read_by_their_names() {
    let mut all = examples(READING);
    all.retain(|example| example.labels);
    assert!(all.len() > 20);
    for Example { line, text, answers, .. } in all {
        let found = text.parse::<taquin::solver::GoalSpec>();
        match (&found, &answers[0]) {
            (Ok(goal), Answer::Is(wanted, _)) if goal.to_string() == *wanted => {}
            (Err(error), Answer::Error(part)) if error.to_string().contains(part) => {}
            (_, expected) => panic!("line {line}: {text:?}: {found:?}, not {expected:?}"),
        }
    }
}

/// The plain forms of the engine have the same boards, whoever reads them. The engine does not look at brackets.
#[test]
fn plain_forms_are_read_alike() {
    let mut all = of_boards();
    all.retain(|example| !(example.has_errors() && example.text.contains(['[', '('])));
    for Example { line, text, size, .. } in all {
        // An empty line ends a board of a stream.
        let plain = Board::parse(&text, size).ok().filter(|_| !text.trim().contains("\n\n"));
        let Some(plain) = plain else { continue };
        let found = answers(&text, size);
        let one = found.len() == 1 && found[0].as_ref().is_ok_and(|it| it.0 == plain.to_string());
        assert!(one, "line {line}: {text:?}: {found:?}, not {plain}");
    }
}

/// Neither the ends of lines, a byte order mark, nor another board after an empty line changes the answers.
#[test]
fn what_is_around_a_text_changes_nothing() {
    let sound = "1 2 3\n4 5 6\n7 8 0\n";
    let mut wrong = Vec::new();
    for Example { line, text, size, alone, answers, .. } in of_boards() {
        let expected: Vec<Option<String>> = answers
            .into_iter()
            .map(|answer| match answer {
                Answer::Is(board, _) => Some(board),
                Answer::Error(_) => None,
            })
            .collect();
        let mut check = |text: &str, after: &[Option<String>]| {
            let found = boards(text, size);
            if found != [&expected[..], after].concat() {
                wrong.push(format!("line {line}: {text:?}\n  {found:?}\n"));
            }
        };
        check(&text.replace('\n', "\r\n"), &[]);
        check(&format!("\u{feff}{text}"), &[]);
        check(&format!("{text}\n\n\n"), &[]);
        if !alone && size.is_none() {
            check(&format!("{text}\n\n{sound}"), &[Some("1 2 3 / 4 5 6 / 7 8 0".to_owned())]);
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.concat());
}

#[test]
fn every_list_has_its_moves() {
    let all = examples(MOVES);
    assert!(all.len() > 180);
    let mut wrong = Vec::new();
    for Example { line, text, board, blank, answers, .. } in all {
        let board = board.expect("lists have boards");
        let board = match board.parse::<Board>() {
            Ok(board) => board.into(),
            Err(_) => board.parse::<LabelledBoard>().unwrap(),
        };
        let convention = if blank { Convention::Blank } else { Convention::Tile };
        match (read::moves(&board, &text, convention), &answers[0]) {
            (Ok(moves), Answer::Is(wanted, _)) if moves.to_string() == *wanted => {}
            (Err(error), Answer::Error(part)) if error.to_string().contains(part) => {}
            (Err(error), expected) => {
                wrong.push(format!("line {line}: {text:?}: {error}, not {expected:?}\n"));
            }
            (found, expected) => {
                wrong.push(format!("line {line}: {text:?}: {found:?}, not {expected:?}\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.concat());
}
