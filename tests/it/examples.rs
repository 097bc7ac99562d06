//! The examples of `tests/data/reading.txt` and `tests/data/moves.txt`, whose first lines describe the form.

use taquin_engine::board::Grid;

pub const READING: &str = include_str!("../data/reading.txt");
pub const MOVES: &str = include_str!("../data/moves.txt");

/// A text and its answers.
#[derive(Clone, Debug, Default)]
pub struct Example {
    /// Its line in the file.
    pub line: usize,
    /// The heading of its part of the file.
    pub part: &'static str,
    pub name: Option<&'static str>,
    pub board: Option<&'static str>,
    pub size: Option<Grid>,
    pub alone: bool,
    pub labels: bool,
    pub blank: bool,
    pub text: String,
    pub answers: Vec<Answer>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A board or moves, and a part of each note.
    Is(String, Vec<String>),
    /// A part of the message of an error.
    Error(String),
}

impl Example {
    /// The boards among the answers.
    pub fn boards(&self) -> impl Iterator<Item = &str> {
        self.answers.iter().filter_map(|answer| match answer {
            Answer::Is(board, _) => Some(&**board),
            Answer::Error(_) => None,
        })
    }

    pub fn has_errors(&self) -> bool {
        self.boards().count() < self.answers.len()
    }
}

fn unescaped(line: &str) -> String {
    let mut parts = line.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    while let Some(part) = parts.next() {
        let (c, rest) = match part.strip_prefix("u{").and_then(|part| part.split_once('}')) {
            Some((code, rest)) => {
                (u32::from_str_radix(code, 16).ok().and_then(char::from_u32), rest)
            }
            None if part.is_empty() => (Some('\\'), parts.next().unwrap_or_default()),
            None => (Some(if part.starts_with('t') { '\t' } else { '\r' }), &part[1..]),
        };
        text.push(c.expect(line));
        text.push_str(rest);
    }
    text
}

/// The examples of a file.
pub fn examples(file: &'static str) -> Vec<Example> {
    let (mut examples, mut open) = (Vec::<Example>::new(), Vec::<Example>::new());
    let (mut next, mut lines, mut answers) = (Example::default(), Vec::new(), Vec::new());
    for (number, line) in (1..).zip(file.lines().chain([""])) {
        if let Some(part) = line.strip_prefix("## ") {
            next.part = part;
        }
        if line.starts_with('#') {
            continue;
        }
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        // The text ends at its answers, or at an empty line.
        if matches!(key, "" | "=" | "!") && !lines.is_empty() {
            let Example { part, board, .. } = next;
            let text = std::mem::take(&mut lines).join("\n");
            open.push(Example { text, ..std::mem::take(&mut next) });
            next = Example { part, board, ..Example::default() };
        }
        match key {
            "" if !answers.is_empty() => {
                let answers = std::mem::take(&mut answers);
                let open = open.drain(..);
                examples.extend(open.map(|each| Example { answers: answers.clone(), ..each }));
            }
            "" => {}
            ":" => next.name = Some(value),
            "size" => next.size = Some(value.parse().expect(line)),
            "alone" => next.alone = true,
            "labels" => next.labels = true,
            "blank" => next.blank = true,
            "board" => next.board = Some(value),
            "|" => {
                next.line = if lines.is_empty() { number } else { next.line };
                lines.push(unescaped(value));
            }
            "=" => answers.push(Answer::Is(value.to_owned(), Vec::new())),
            "!" => answers.push(Answer::Error(unescaped(value))),
            "note" => match answers.last_mut() {
                Some(Answer::Is(_, notes)) => notes.push(value.to_owned()),
                _ => panic!("line {number}: a note of what?"),
            },
            _ => panic!("line {number}: {line}"),
        }
    }
    assert!(open.is_empty(), "texts without answers at the end");
    examples
}
