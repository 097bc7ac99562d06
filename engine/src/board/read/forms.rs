//! The table of forms: what is read, with an example of each. The manual's list has the same
//! examples.

/// A form in which a board is read.
#[derive(Debug)]
pub struct Form {
    /// The form in words.
    pub name: &'static str,
    /// An example.
    pub text: &'static str,
    /// The board of the example, as it is written by default.
    pub board: &'static str,
}

const fn form(name: &'static str, text: &'static str, board: &'static str) -> Form {
    Form { name, text, board }
}

const EIGHT: &str = "1 2 3 / 4 0 6 / 7 5 8";
const WIDE: &str = "1 2 3 / 4 0 5";
const LAST: &str = "1 2 3 / 4 6 8 / 7 5 0";
const ORDER: &str = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0";
const FIFTEEN: &str = "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12";

/// The forms in which boards are read.
pub const FORMS: &[Form] = &[
    form("numbers in one row", "1 2 3 4 0 6 7 5 8", EIGHT),
    form("rows with slashes, semicolons or bars", "1 2 3 / 4 0 6 / 7 5 8", EIGHT),
    form("a row a line", "1 2 3\n4 0 6\n7 5 8", EIGHT),
    form("commas, brackets", "[[1, 2, 3], [4, 0, 6], [7, 5, 8]]", EIGHT),
    form("hexadecimal", "517392b4d6f80aec", FIFTEEN),
    form("letters", "eagcibkdmfoh0jnl", FIFTEEN),
    form("a size before the tiles", "3x2: 1,2,3,4,0,5", WIDE),
    form("the side on a line", "3\n1 2 3\n4 0 6\n7 5 8", EIGHT),
    form("width and height on a line", "3 2\n1 2 3\n4 0 5", WIDE),
    form("rows and columns on a line", "2 3\n1 2 3\n4 0 5", WIDE),
    form("names of rows and columns", "rows: 2, columns: 3\n1 2 3\n4 0 5", WIDE),
    form("a tile a line", "3\n1\n2\n3\n4\n0\n6\n7\n5\n8", EIGHT),
    form("a number of boards, or a label", "1 55 15300442\n1 2 3\n4 0 6\n7 5 8", EIGHT),
    form("a name before the board", "board = [[1, 2, 3], [4, 0, 6], [7, 5, 8]]", EIGHT),
    form("a number before a board in one row", "01 1 2 3 4 0 6 7 5 8", EIGHT),
    form("an array", "np.array([[1, 2, 3],\n [4, 0, 6],\n [7, 5, 8]])", EIGHT),
    form("strings", "['1', '2', '3', '4', '', '6', '7', '5', '8']", EIGHT),
    form("dashes between numbers", "1-2-3/4-0-6/7-5-8", EIGHT),
    form("rows of a link", "1_2_3-4_0_6-7_5_8", EIGHT),
    form("another blank: _ . x # -1 None null • □", "1 2 3 4 x 6 7 5 8", EIGHT),
    form("a gap for the blank", "1 2 3\n4   6\n7 5 8", EIGHT),
    form("a gap in one row", "1 2 3 4   6 7 5 8", EIGHT),
    form("no blank at the end", "1 2 3\n4 6 8\n7 5", LAST),
    form("letters in order, no blank", "A B C D/E F G H/I J K L/M N O", ORDER),
    form("an empty cell", "[[1,2,3],[4,,6],[7,5,8]]", EIGHT),
    form("cells between semicolons", "1;2;3\n4;;6\n7;5;8", EIGHT),
    form("a list among other text", "State(board=((1,2,3),(4,0,6),(7,5,8)), blank=(1,1))", EIGHT),
    form("columns of a program", "matrix(c(1,4,7,2,0,5,3,6,8), nrow=3)", EIGHT),
    form("a text of a program", "start = \"1 2 3 4 0 6 7 5 8\".split()", EIGHT),
    form("a label and one word", "Case #1: 123406758", EIGHT),
    form("a label before each row", "row 1: 1 2 3\nrow 2: 4 0 6\nrow 3: 7 5 8", EIGHT),
    form("marks of a list", "- [1, 2, 3]\n- [4, 0, 6]\n- [7, 5, 8]", EIGHT),
    form("a picture", "+-+-+-+\n|1|2|3|\n+-+-+-+\n|4| |6|\n+-+-+-+\n|7|5|8|\n+-+-+-+", EIGHT),
    form("a table of TeX", "1 & 2 & 3 \\\\ \\hline\n4 & & 6 \\\\\n7 & 5 & 8 \\\\", EIGHT),
    form("a table with its numbers", "   0  1  2\n0  1  2  3\n1  4  0  6\n2  7  5  8", EIGHT),
    form("a data frame", ",a,b,c\n0,1,2,3\n1,4,0,6\n2,7,5,8", EIGHT),
    form("a number before each row", "1. 1 2 3\n2. 4 0 6\n3. 7 5 8", EIGHT),
    form("other digits", "① ② ③\n④ ⬜ ⑥\n⑦ ⑤ ⑧", EIGHT),
    form("a comment", "1 2 3 # the top\n4 0 6\n7 5 8", EIGHT),
    form("a comment of a program", "{{1, 2, 3}, // the top\n {4, 0, 6},\n {7, 5, 8}};", EIGHT),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn every_form_is_read() {
        for Form { name, text, board } in FORMS {
            let read = Board::read(text, None).map(|reading| reading.board.to_string());
            assert_eq!(read.as_deref(), Ok(*board), "{name}");
        }
    }
}
