//! The formats in which moves are written: `--format` of the programs, and the page's.

use std::io::{self, Write};

use crate::board::{Convention, LabelledBoard, Move, Moves};

/// A format of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Format {
    /// Words, ten per line: 1: Down Down Left (the default on a terminal)
    Columns,
    /// A numbered list of words: 1: Down (the default elsewhere)
    Numbered,
    /// Words in a line: Down, Down, Left
    Words,
    /// Letters: DDL
    Letters,
    /// Runs of equal moves: 2d l
    Runs,
    /// Letters, each followed by the length of its run: D2L
    Counts,
    /// Arrows, one character each
    Arrows,
    /// The tile of each move: 13 9 10
    Tiles,
    /// The number of moves, then every board, separated by lines of dashes
    Boards,
    /// One JSON object for each board
    Json,
}

/// The line between two boards.
const LINE: &str = "----------";

impl Format {
    /// Returns whether a solution is one line, whatever its length.
    pub fn is_line(self) -> bool {
        match self {
            Format::Columns | Format::Numbered | Format::Boards => false,
            Format::Words | Format::Letters | Format::Runs | Format::Counts => true,
            Format::Arrows | Format::Tiles | Format::Json => true,
        }
    }
}

/// The moves in a line of columns.
const COLUMNS: usize = 10;

/// Writes the moves of a solution, with directions in a convention.
pub fn moves(
    out: &mut impl Write,
    format: Format,
    board: &LabelledBoard,
    moves: &Moves,
    convention: Convention,
) -> io::Result<()> {
    let path = moves.turned(convention);
    match format {
        Format::Columns => {
            let words: Vec<&str> = path.iter().map(Move::word).collect();
            let digits = words.len().to_string().len();
            for (words, first) in words.chunks(COLUMNS).zip((1..).step_by(COLUMNS)) {
                let line: String = words.iter().map(|word| format!(" {word:<5}")).collect();
                writeln!(out, "{first:>digits$}:{}", line.trim_end())?;
            }
            Ok(())
        }
        Format::Numbered => {
            path.iter().zip(1..).try_for_each(|(m, number)| writeln!(out, "{number}: {m}"))
        }
        Format::Words => {
            writeln!(out, "{}", path.iter().map(Move::word).collect::<Vec<_>>().join(", "))
        }
        Format::Letters | Format::Json => writeln!(out, "{path}"),
        Format::Runs => writeln!(out, "{}", path.to_runs()),
        Format::Counts => writeln!(out, "{}", path.to_counts()),
        Format::Arrows => writeln!(out, "{}", path.iter().map(Move::arrow).collect::<String>()),
        Format::Tiles => {
            let mut now = board.board().clone();
            let tile = |m: Move| {
                let cell = now.grid().source(now.blank(), m).unwrap_or_default();
                let tile = board.label(now.tiles()[cell]).into_owned();
                now.apply(m);
                tile
            };
            writeln!(out, "{}", moves.iter().map(tile).collect::<Vec<_>>().join(" "))
        }
        Format::Boards => {
            writeln!(out, "{}\n{board:#}", moves.len())?;
            let mut now = board.board().clone();
            for m in moves.iter() {
                now.apply(m);
                writeln!(out, "{LINE}\n{:#}", board.with(now.clone()))?;
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn written(format: Format, path: &str) -> String {
        let board: Board = "1 2 3 / 4 0 6 / 7 5 8".parse().unwrap();
        let mut out = Vec::new();
        moves(&mut out, format, &board.into(), &path.parse().unwrap(), Convention::Tile).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[cfg(feature = "cli")]
    #[test]
    fn every_format() {
        for &format in <Format as clap::ValueEnum>::value_variants() {
            let expected = match format {
                Format::Columns => "1: Up    Left\n",
                Format::Numbered => "1: Up\n2: Left\n",
                Format::Words => "Up, Left\n",
                Format::Letters | Format::Counts | Format::Json => "UL\n",
                Format::Runs => "u l\n",
                Format::Arrows => "↑←\n",
                Format::Tiles => "5 8\n",
                Format::Boards => {
                    "2\n1 2 3\n4 . 6\n7 5 8\n----------\n1 2 3\n4 5 6\n7 . 8\n----------\n1 2 3\n4 5 6\n7 8 .\n"
                }
            };
            assert_eq!(written(format, "UL"), expected, "{format:?}");
        }
        assert_eq!(written(Format::Boards, ""), "0\n1 2 3\n4 . 6\n7 5 8\n");
        assert_eq!(written(Format::Runs, "UDDRL"), "u 2d r l\n");
        assert_eq!(written(Format::Counts, "UDDRL"), "UD2RL\n");
        assert_eq!(
            written(Format::Columns, "UDUDUDUDUDL"),
            " 1: Up    Down  Up    Down  Up    Down  Up    Down  Up    Down\n11: Left\n"
        );
        assert_eq!(written(Format::Columns, ""), "");
    }

    #[cfg(feature = "cli")]
    #[test]
    fn every_format_is_read_back_in_both_conventions() {
        let board: Board = "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12".parse().unwrap();
        let path: Moves = "DDDLUUULDDDLUUU".parse().unwrap();
        for &format in <Format as clap::ValueEnum>::value_variants() {
            let [tile, blank] = Convention::ALL.map(|convention| {
                let mut out = Vec::new();
                moves(&mut out, format, &board.clone().into(), &path, convention).unwrap();
                let text = String::from_utf8(out).unwrap();
                let read = crate::read::moves(&board.clone().into(), &text, convention);
                assert_eq!(read.unwrap(), path, "{format:?}, {convention:?}: {text}");
                text
            });
            let no_directions = matches!(format, Format::Tiles | Format::Boards);
            assert_eq!(tile == blank, no_directions, "{format:?}");
        }
    }
}
