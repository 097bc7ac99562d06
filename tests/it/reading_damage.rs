//! Texts with a fault: few become another board, none without a word, and no fault takes a sound board with it.

use std::ops::Range;

use taquin::read;
use taquin_engine::board::{Board, Grid};

use crate::common::{Random, grid, rounds};
use crate::examples::{READING, examples};

/// Damaged texts, and the most of them that may be read as another board.
const DAMAGED: usize = 10_000;
const MOST: usize = 9;

/// Files of several boards, with a fault in one of each.
const FILES: usize = 10_000;

/// A way of writing a board.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Form {
    Rows,
    Aligned,
    Gap,
    Commas,
    Tabs,
    Lists,
    Picture,
    Bars,
    Sized,
    Sides,
    Named,
    Numbered,
    // A board is one line.
    Slashes,
    Row,
    Word,
    Id,
    List,
    Object,
}

use Form::*;

const FORMS: [Form; 18] = [
    Rows, Aligned, Gap, Commas, Tabs, Lists, Picture, Bars, Sized, Sides, Named, Numbered, Slashes,
    Row, Word, Id, List, Object,
];

/// The cells, with texts between them and at the ends of rows.
fn joined(cells: &[String], width: usize, between: &str, end: &str) -> String {
    cells.chunks(width).map(|row| row.join(between)).collect::<Vec<_>>().join(end)
}

/// One character for a tile.
fn letter(cell: &str) -> String {
    match cell.parse() {
        Ok(tile) => char::from_digit(tile, 36).expect("a small board").to_string(),
        Err(_) => cell.to_owned(),
    }
}

impl Form {
    fn can_write(self, grid: Grid) -> bool {
        let is_square = grid.width() == grid.height();
        match self {
            Row => is_square && grid.width() > 2,
            Word => is_square && grid.width() > 2 && grid.width() < 6,
            _ => true,
        }
    }

    /// The text of a board, the `place`th of its file.
    fn text(self, cells: &[String], width: usize, place: usize) -> String {
        let height = cells.len().div_ceil(width);
        let aligned = |cell: &String| format!("{cell:>2}");
        let gap = |cell: &String| if cell == "0" { "  ".to_owned() } else { aligned(cell) };
        let of = |show: &dyn Fn(&String) -> String| cells.iter().map(show).collect::<Vec<String>>();
        let plain = joined(cells, width, " ", "\n");
        match self {
            Rows => plain,
            Aligned => joined(&of(&aligned), width, " ", "\n"),
            Gap => joined(&of(&gap), width, " ", "\n"),
            Commas => joined(cells, width, ",", "\n"),
            Tabs => joined(cells, width, "\t", "\n"),
            Lists => format!("[[{}]]", joined(cells, width, ", ", "],\n [")),
            Picture => {
                let rule = format!("+{}", "--+".repeat(width));
                let end = format!("|\n{rule}\n|");
                format!("{rule}\n|{}|\n{rule}", joined(&of(&gap), width, "|", &end))
            }
            Bars => format!("| {} |", joined(cells, width, " | ", " |\n| ")),
            Sized => format!("{width}x{height}\n{plain}"),
            Sides => format!("{height} {width}\n{plain}"),
            Named => format!("Puzzle {}\n{plain}", place + 1),
            Numbered => format!("{} 57 {}\n{plain}", place + 1, 90_000 + place),
            Slashes => joined(cells, width, " ", " / "),
            Row => cells.join(" "),
            Word => of(&|cell| letter(cell)).concat(),
            Id => format!("{width}x{height}: {}", cells.join(",")),
            List => format!("[[{}]]", joined(cells, width, ",", "],[")),
            Object => {
                let tiles = cells.join(", ");
                format!(r#"{{"board": [{tiles}], "width": {width}, "height": {height}}}"#)
            }
        }
    }
}

/// A board drawn at random: its cells and its size.
fn drawn(random: &mut Random, form: Form) -> (Vec<String>, Grid) {
    let size = loop {
        let side = 3 + random.below(2);
        let other = [side, 2 + random.below(4)][random.below(2)];
        if form.can_write(grid(side, other)) {
            break grid(side, other);
        }
    };
    let mut cells: Vec<String> = (0..size.cells()).map(|tile| tile.to_string()).collect();
    random.shuffle(&mut cells);
    (cells, size)
}

fn shown(cells: &[String], size: Grid) -> String {
    joined(cells, size.width(), " ", " / ")
}

/// The boards of a text, and whether they rest on guesses. Errors are none.
fn answers(text: &str) -> Vec<Option<(String, bool)>> {
    let shown = |reading: read::Reading| (reading.board.to_string(), !reading.notes.is_empty());
    read::boards(text, None).into_iter().map(|answer| answer.ok().map(shown)).collect()
}

fn pick<T: Clone>(all: &[T], random: &mut Random) -> T {
    all[random.below(all.len())].clone()
}

/// The places of numbers and words. In one of four and more characters each is one.
fn words(text: &str, random: &mut Random) -> Vec<Range<usize>> {
    let is_in = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric);
    let begins = (0..text.len()).filter(|&at| is_in(at) && (at == 0 || !is_in(at - 1)));
    let word = |begin: usize| begin..(begin..).find(|&at| !is_in(at)).expect("an end");
    let part = |word: Range<usize>| match word.len() {
        0..4 => word,
        length => {
            let at = word.start + random.below(length);
            at..at + 1
        }
    };
    begins.map(word).map(part).collect()
}

/// The text with one fault, and whether a line of it is gone.
fn damaged(text: &str, random: &mut Random) -> Option<(String, bool)> {
    let words = words(text, random);
    let mut lines: Vec<&str> = text.split('\n').collect();
    let (at, line) = (pick(&words, random), random.below(lines.len()));
    let (before, word, after) = (&text[..at.start], &text[at.clone()], &text[at.end..]);
    let between = if text.contains(',') { ", " } else { " " };
    let other = random.below(words.len() + 1).to_string();
    let kind = random.below(10);
    let bad = match kind {
        // A number is dropped, doubled, changed, misspelt, or put in.
        0 => [before, after].concat(),
        1 => [before, word, between, word, after].concat(),
        2 => [before, &other, after].concat(),
        3 => {
            let wrong = ["o", "l", "?", "q", ".5", "-"];
            let cut = random.below(word.len() + 1);
            [before, &word[..cut], pick(&wrong, random), &word[cut..], after].concat()
        }
        4 => [before, &other, between, word, after].concat(),
        // A line is dropped, doubled, joined to the next one, or split.
        5 => {
            lines.remove(line);
            lines.join("\n")
        }
        6 => {
            lines.insert(line, lines[line]);
            lines.join("\n")
        }
        7 if line > 0 => [&lines[..line].join("\n"), " ", &lines[line..].join("\n")].concat(),
        8 => [before, "\n", word, after].concat(),
        // A separator is lost.
        9 => [before, word, after.strip_prefix(|c: char| !c.is_alphanumeric())?].concat(),
        _ => return None,
    };
    (bad != text).then_some((bad, kind == 5))
}

/// Numbers that are a board by themselves, whoever reads them: equal rows, or one row or column of a square.
fn is_board(text: &str, board: &str) -> bool {
    let has_other =
        |c: char| !(c.is_ascii_digit() || c.is_whitespace() || ",;/|()[]{}".contains(c));
    let row = |row: &str| -> Vec<String> {
        row.split(|c: char| !c.is_ascii_digit())
            .filter(|n| !n.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let mut rows: Vec<Vec<String>> = text.split(['\n', '/', ';', ']', '}', ')']).map(row).collect();
    rows.retain(|row| !row.is_empty());
    let cells = rows.concat();
    let width = board.split(" / ").next().map_or(1, |row| row.split(' ').count());
    let is_line = width * width == cells.len() && (rows.len() == 1 || rows.len() == cells.len());
    !text.contains(has_other)
        && joined(&cells, width, " ", " / ") == board
        && (is_line || rows.iter().all(|row| row.len() == width))
}

/// Damage may make another board of a text, after its name in the first line or not: that is not a fault, and it is
/// not counted.
fn is_sound(text: &str, board: &str) -> bool {
    let is_word = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphabetic());
    let without = |line: &str| line.split('#').next().unwrap_or(line).to_owned();
    let text: &str = &text.lines().map(without).collect::<Vec<_>>().join("\n");
    let bare =
        text.split_once(':').filter(|(name, _)| is_word(name)).map_or(text, |(_, rest)| rest);
    bare.split("\n\n").any(|part| is_board(part, board))
        || text.parse::<Board>().is_ok_and(|plain| plain.to_string() == board)
}

/// The tiles of a board in order. A line that is split in the middle gives them another shape.
fn tiles(board: &str) -> String {
    board.replace(" / ", " ")
}

#[test]
fn few_damaged_texts_become_another_board() {
    let mut sound = examples(READING);
    // A goal is a board, too.
    sound.retain(|example| {
        let is_board = !example.labels && example.size.is_none() && !example.has_errors();
        is_board && example.part != "JSON objects"
    });
    let mut random = Random(57);
    let (mut number, mut others, mut silent) = (0, Vec::new(), Vec::new());
    while number < DAMAGED {
        let (text, boards) = if random.below(2) == 0 {
            let example = pick(&sound, &mut random);
            (example.text.clone(), example.boards().map(str::to_owned).collect())
        } else {
            let form = pick(&FORMS, &mut random);
            let (cells, size) = drawn(&mut random, form);
            (form.text(&cells, size.width(), 0), vec![shown(&cells, size)])
        };
        let Some((bad, is_shorter)) = damaged(&text, &mut random) else { continue };
        number += 1;
        let found = answers(&bad);
        // Without a line, a board may be another one with fewer rows.
        let is_part = |board: &String| {
            let has_rows = |whole: &String| board.split(" / ").all(|row| whole.contains(row));
            is_shorter && boards.iter().any(has_rows)
        };
        let is_other = |(board, _): &(String, bool)| {
            let is_reshaped = boards.iter().any(|whole| tiles(whole) == tiles(board));
            !is_reshaped && !is_part(board) && !is_sound(&bad, board)
        };
        if found.iter().flatten().any(is_other) {
            let is_told =
                found.iter().any(|answer| answer.as_ref().is_none_or(|(_, guess)| *guess));
            let kind = if is_told { &mut others } else { &mut silent };
            kind.push(format!("{text:?}\n  {bad:?}\n  {found:?}\n"));
        }
    }
    let counts = format!("{} with a note or an error, {} without", others.len(), silent.len());
    println!("{counts}");
    assert!(
        silent.is_empty() && others.len() <= MOST,
        "{counts}:\n{}\n{}",
        silent.concat(),
        others.concat()
    );
}

/// A fault of one board, or something around it that is none.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Defect {
    Missing,
    Twice,
    Misspelt,
    Words,
    Heading,
    EmptyLine,
    LineEnds,
    Mark,
    Sizes,
}

#[test]
fn each_board_of_a_file_has_one_answer_or_one_error() {
    use Defect::*;
    let defects = [Missing, Twice, Misspelt, Words, Heading, EmptyLine, LineEnds, Mark, Sizes];
    let mut random = Random(58);
    let mut wrong = Vec::new();
    for number in 0..rounds(FILES) {
        let (form, defect) = (pick(&FORMS, &mut random), defects[number % defects.len()]);
        let is_line = form >= Slashes;
        // Words above a board are its name.
        let defect = if defect == Words && !(is_line && form != Object) { Twice } else { defect };
        let count = 2 + random.below(4);
        let faulty =
            usize::from(defect == Words) + random.below(count - usize::from(defect == Words));
        let first = drawn(&mut random, form).1;
        let (mut text, mut expected) = (String::new(), Vec::new());
        for place in 0..count {
            let (mut cells, mut size) = drawn(&mut random, form);
            while defect != Sizes && size != first {
                (cells, size) = drawn(&mut random, form);
            }
            let is_faulty = place == faulty;
            // A sign for the largest tile would be the blank of tiles that are counted from 0.
            let largest = (cells.len() - 1).to_string();
            let cell =
                (0..cells.len()).filter(|&cell| cells[cell] != "0" && cells[cell] != largest);
            let cell = pick(&cell.collect::<Vec<_>>(), &mut random);
            match defect {
                Missing if is_faulty => drop(cells.remove(cell)),
                Twice if is_faulty => cells[cell] = cells[(cell + 1) % cells.len()].clone(),
                Misspelt if is_faulty => {
                    cells[cell] = ["?", "1o", "7.5", "l1"][random.below(4)].to_owned()
                }
                _ => {}
            }
            let has_fault = is_faulty && matches!(defect, Missing | Twice | Misspelt | Words);
            expected.push((!has_fault).then(|| shown(&cells, size)));
            text += match defect {
                Heading if is_faulty => "# the next board\n",
                EmptyLine if is_faulty => "\n \n",
                _ => "",
            };
            text += &match defect {
                Words if is_faulty => "no board today".to_owned(),
                _ => form.text(&cells, size.width(), place),
            };
            text += if is_line { "\n" } else { "\n\n" };
        }
        text = match defect {
            LineEnds => text.replace('\n', "\r\n"),
            Mark => format!("\u{feff}{text}"),
            _ => text,
        };
        let found: Vec<Option<String>> =
            answers(&text).into_iter().map(|answer| answer.map(|(board, _)| board)).collect();
        if found != expected {
            wrong.push(format!("{form:?}, {defect:?}: {text:?}\n  {found:?}\n  {expected:?}\n"));
        }
    }
    let shown: String = wrong.iter().take(20).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of them:\n{shown}", wrong.len());
}

/// Streams of boards with a fault in one line, or with a line of marks alone.
const STREAMS: usize = 1_000;

/// The faults in a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Cut,
    Missing,
    Twice,
    Misspelt,
    Marks,
    Bytes,
}

/// The forms of a stream: the text before each row, between cells, after each row, and around the board; and whether a
/// board has several lines.
const STREAM_FORMS: [([&str; 5], bool); 7] = [
    (["[", ", ", "], ", "[", "],"], false),
    (["{", ",", "},", "{", "},"], false),
    (["", ", ", ", ", "{\"board\": [", "]}"], false),
    (["", ",", ",", "", ""], false),
    (["", " ", "\n", "", ""], true),
    (["[", " ", "]\n ", "[", "]"], true),
    (["{", ", ", "},\n ", "{", "},"], true),
];

/// A board in a form of [`STREAM_FORMS`].
fn streamed(
    cells: &[String],
    width: usize,
    [begin, between, end, open, close]: [&str; 5],
) -> String {
    let rows = cells.chunks(width).map(|row| format!("{begin}{}{end}", row.join(between)));
    let rows = rows.collect::<String>();
    let bare = end.trim_end_matches(|c: char| c.is_whitespace() || c == ',').len();
    format!("{open}{}{close}", &rows[..rows.len() - (end.len() - bare)])
}

#[test]
fn no_stream_loses_a_board() {
    use Fault::*;
    let faults = [Cut, Missing, Twice, Misspelt, Marks, Bytes];
    let (mut random, mut wrong) = (Random(72), Vec::new());
    for number in 0..rounds(STREAMS) {
        let ((form, is_grid), fault) =
            (pick(&STREAM_FORMS, &mut random), faults[number % faults.len()]);
        let side = 3 + random.below(2);
        let height = if form[2] == ", " || form[2] == "," { side } else { 2 + random.below(4) };
        let count = 2 + random.below(4);
        let faulty = random.below(count);
        let (mut lines, mut expected) = (Vec::new(), Vec::new());
        for place in 0..count {
            let mut cells: Vec<String> = (0..side * height).map(|tile| tile.to_string()).collect();
            random.shuffle(&mut cells);
            let board = shown(&cells, grid(side, height));
            let is_faulty = place == faulty;
            let largest = (cells.len() - 1).to_string();
            let tiles = (0..cells.len()).filter(|&at| cells[at] != "0" && cells[at] != largest);
            let at = pick(&tiles.collect::<Vec<_>>(), &mut random);
            match fault {
                Missing if is_faulty => drop(cells.remove(at)),
                Twice if is_faulty => cells[at] = cells[(at + 1) % cells.len()].clone(),
                Misspelt if is_faulty => {
                    cells[at] = pick(&["?", "1o", "7.5", "l1", "=2"], &mut random).into()
                }
                // Without its last rows, a board may be a smaller one.
                Cut if is_faulty => {
                    cells.truncate(side + 1 + random.below(cells.len() - side - 2));
                    let is_board = (0..cells.len()).all(|tile| cells.contains(&tile.to_string()));
                    cells.truncate(cells.len() - usize::from(is_board));
                }
                Bytes if is_faulty => cells[at] = "\u{ff}".to_owned(),
                _ => {}
            }
            if fault == Marks && is_faulty {
                lines.push(pick(&["[", "[]", "{}", ";", "]", "}", "[["], &mut random).to_owned());
                expected.push(None);
            }
            let mut text = streamed(&cells, side, form);
            if fault == Cut && is_faulty {
                text.truncate(text.trim_end_matches(|c: char| "]},".contains(c)).len());
            }
            lines.push(text);
            let is_sound = fault == Marks || !is_faulty;
            expected.push(is_sound.then_some(board));
        }
        let text = lines.join(if is_grid { "\n\n" } else { "\n" });
        // Latin-1.
        let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let lines = read::LinesOf::new(&*bytes, read::MAX_LINE);
        let found = read::Boards::new(lines, None);
        let found: Vec<_> =
            found.map(|item| item.reading.ok().map(|it| it.board.to_string())).collect();
        if found != expected {
            wrong.push(format!("{fault:?}: {text:?}\n  {found:?}\n  {expected:?}\n"));
        }
    }
    let shown: String = wrong.iter().take(20).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{shown}", wrong.len());
}
