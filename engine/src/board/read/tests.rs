//! Texts of the kinds that people have, and what is read.

use super::*;

/// The board of each text, and the number of guesses.
#[test]
fn texts_of_people_are_read() {
    let board = "8 1 3 / 4 0 2 / 7 6 5";
    for (text, guesses) in [
        // An empty cell is the blank there.
        ("[8,1,3,4,,2,7,6,5]", 0),
        ("8,1,3 4,,2 7,6,5", 0),
        ("8;1;3;4;;2;7;6;5", 0),
        ("8;1;3\n4;;2\n7;6;5", 0),
        ("[[8,1,3],[4,,2],[7,6,5]]", 0),
        ("{8,1,3},\n{4, ,2},\n{7,6,5}", 0),
        ("[8][1][3]\n[4][ ][2]\n[7][6][5]", 0),
        ("[[8,1,3,],[4,0,2,],[7,6,5,],]", 0),
        ("8 & 1 & 3 \\\\\n4 & & 2 \\\\\n7 & 6 & 5", 0),
        // A gap in brackets, too.
        ("[[8 1 3]\n [4   2]\n [7 6 5]]", 0),
        ("[8 1 3]\n[4   2]\n[7 6 5]", 0),
        ("[[ 8  1  3]\n [ 4     2]\n [ 7  6  5]]", 0),
        // Words, and words in quotes.
        ("start: 813402765", 1),
        ("Case #1: 813402765", 1),
        ("1. 813402765", 1),
        ("1. 8 1 3 / 4 0 2 / 7 6 5", 1),
        ("12. 8 1 3; 4 . 2; 7 6 5", 1),
        ("10: 813402765", 1),
        ("[1] 813402765", 1),
        ("813402765 14", 1),
        ("813402765,14", 1),
        ("8 1 3 4 0 2 7 6 5 : 14", 1),
        ("\"813402765\"", 0),
        ("state = '8134_2765'", 0),
        ("string s = \"813402765\";", 0),
        ("[\"813\",\"402\",\"765\"]", 0),
        ("board\n813\n402\n765", 1),
        ("1\n813402765", 1),
        // Lists among other text.
        ("['8', '1', '3']\n['4', ' ', '2']\n['7', '6', '5']", 0),
        ("[8, 1, 3]\n[4, '', 2]\n[7, 6, 5]", 0),
        ("\"8\",\"1\",\"3\"\n\"4\",\"\",\"2\"\n\"7\",\"6\",\"5\"", 0),
        ("int t[3][3] =\n{\n  {8,1,3}, // row 1\n  {4,0,2},\n  {7,6,5}\n};", 0),
        ("/* start */\nint b[3][3] = {{8,1,3},{4,0,2},{7,6,5}};", 0),
        ("State(board=((8,1,3),(4,0,2),(7,6,5)), blank=(1,1))", 0),
        ("Board { tiles: [[8, 1, 3], [4, 0, 2], [7, 6, 5]], size: 3 }", 0),
        ("puzzle(3, [[8,1,3],[4,0,2],[7,6,5]]).", 0),
        ("start = \"8 1 3 4 0 2 7 6 5\".split()", 0),
        ("3×3 Matrix{Int64}:\n 8  1  3\n 4  0  2\n 7  6  5", 0),
        ("const board: [[u8; 3]; 3] = [[8,1,3],[4,0,2],[7,6,5]];", 0),
        // Names, sizes and other lines around the tiles.
        ("3x3 8 1 3 4 0 2 7 6 5", 0),
        ("3×3 813402765", 0),
        ("Size: 3\n\n8 1 3\n4 0 2\n7 6 5", 0),
        ("Rows: 3\nCols: 3\n8 1 3\n4 0 2\n7 6 5", 2),
        ("rows: 3, cols: 3\n8 1 3\n4 0 2\n7 6 5", 0),
        ("3 rows 3 columns\n8 1 3\n4 0 2\n7 6 5", 0),
        ("A;B;C\n8;1;3\n4;0;2\n7;6;5", 1),
        ("3 3\n8;1;3\n4;;2\n7;6;5", 0),
        ("8 1 3 4   2 7 6 5", 1),
        ("8 1 3 4  2 7 6 5", 1),
        ("8 1 3 4 [] 2 7 6 5", 0),
        ("8 1 3 4 ( ) 2 7 6 5", 0),
        ("3*3\n8 1 3\n4 0 2\n7 6 5", 0),
        ("shape (3, 3)\n8 1 3\n4 0 2\n7 6 5", 0),
        ("shape=(3,3)\n8 1 3\n4 0 2\n7 6 5", 0),
        ("size 3, 3\n8 1 3 4 0 2 7 6 5", 0),
        ("3 on 3\n8 1 3\n4 0 2\n7 6 5", 0),
        ("[3 x 3]\n8 1 3\n4 0 2\n7 6 5", 0),
        ("3 rows by 3 columns\n8 1 3\n4 0 2\n7 6 5", 0),
        ("3 wide, 3 high\n8 1 3\n4 0 2\n7 6 5", 0),
        ("W: 3 H: 3\n8 1 3\n4 0 2\n7 6 5", 0),
        ("Depth: 0, Cost: 0\n8 1 3\n4 0 2\n7 6 5", 1),
        ("Start:  8 1 3\n        4 0 2\n        7 6 5", 1),
        ("Start:  8 1 3\n        4   2\n        7 6 5", 1),
        ("row 1: 8 1 3\nrow 2: 4 0 2\nrow 3: 7 6 5", 1),
        ("8 1 3\n4 0 2\n7 6 5\nMoves: 14", 1),
        ("8 1 3\n4 0 2\n7 6 5\n14", 1),
        ("It's a board:\n8 1 3\n4 0 2\n7 6 5", 1),
        ("17\n8 1 3\n4 0 2\n7 6 5", 1),
        // Marks of other languages.
        ("- 8 1 3\n- 4 0 2\n- 7 6 5", 0),
        ("board:\n  - [8, 1, 3]\n  - [4, 0, 2]\n  - [7, 6, 5]", 0),
        ("> 8 1 3\n> 4 0 2\n> 7 6 5", 0),
        ("```\n8 1 3\n4 0 2\n7 6 5\n```", 0),
        ("b = \"\"\"\n8 1 3\n4 0 2\n7 6 5\n\"\"\"", 1),
        ("; easy\n8 1 3\n4 0 2\n7 6 5", 0),
        // Other notations.
        (
            "<table>\n<tr><td>8</td><td>1</td><td>3</td></tr>\n<tr><td>4</td><td></td><td>2</td></tr>\n<tr><td>7</td><td>6</td><td>5</td></tr>\n</table>",
            0,
        ),
        ("\\begin{bmatrix} 8 & 1 & 3 \\\\ 4 & 0 & 2 \\\\ 7 & 6 & 5 \\end{bmatrix}", 0),
        ("８１３\n４０２\n７６５", 0),
        ("let s = \"8 1 3\\n4 0 2\\n7 6 5\";", 0),
        ("     [,1] [,2] [,3]\n[1,]    8    1    3\n[2,]    4    0    2\n[3,]    7    6    5", 0),
        ("A = [8 1 3 ...\n     4 0 2 ...\n     7 6 5];", 0),
        ("char b[3][4] = {\"813\", \"4 2\", \"765\"};", 0),
        ("#(8 1 3 4 0 2 7 6 5)", 0),
        ("#2A((8 1 3) (4 0 2) (7 6 5))", 0),
        ("|8|1|3|\n|:-:|:-:|:-:|\n|4||2|\n|7|6|5|", 0),
        ("8-1-3/4-0-2/7-6-5", 0),
        ("813-402-765", 0),
        ("8.1.3.4.0.2.7.6.5", 0),
        ("8:1:3:4:0:2:7:6:5", 0),
        ("8 1 3\\4 0 2\\7 6 5", 0),
        ("3 3 8 1 3 4 0 2 7 6 5", 0),
        ("8 1 3 / 4 # 2 / 7 6 5", 1),
        // Tables with the numbers or names of their rows and columns.
        (",0,1,2\n0,8,1,3\n1,4,0,2\n2,7,6,5", 0),
        ("0,1,2\n8,1,3\n4,0,2\n7,6,5", 1),
        ("   a  b  c\n0  8  1  3\n1  4  0  2\n2  7  6  5", 0),
        ("\"\",\"V1\",\"V2\",\"V3\"\n\"1\",8,1,3\n\"2\",4,0,2\n\"3\",7,6,5", 0),
        ("     [,1] [,2] [,3]\n[1,]    8    1    3\n[2,]    4   NA    2\n[3,]    7    6    5", 0),
        ("1. 8 1 3\n2. 4 0 2\n3. 7 6 5", 0),
        ("     1\t8 1 3\n     2\t4 0 2\n     3\t7 6 5", 1),
        ("1 | 8 1 3\n2 | 4 0 2\n3 | 7 6 5", 0),
        (";A;B;C\n1;8;1;3\n2;4;;2\n3;7;6;5", 0),
        // A title is no line of names, and a word is no row.
        ("Case A 2\n8 1 3\n4 0 2\n7 6 5", 1),
        ("Beginners\n813402765", 1),
        // Numbers with exponents, and those of a search.
        ("8.0e+00 1.0e+00 3.0e+00\n4.0e+00 0.0e+00 2.0e+00\n7.0e+00 6.0e+00 5.0e+00", 0),
        ("f(n) = 4\n8 1 3\n4 0 2\n7 6 5", 1),
        ("3x3 8 1 3/4 0 2/7 6 5", 0),
        // Pictures.
        (" _ _ _\n|8|1|3|\n|4|_|2|\n|7|6|5|", 0),
        ("|__8|__1|__3|\n|__4|___|__2|\n|__7|__6|__5|", 0),
        (
            " ___ ___ ___\n| 8 | 1 | 3 |\n|___|___|___|\n| 4 |   | 2 |\n|___|___|___|\n| 7 | 6 | 5 |\n|___|___|___|",
            0,
        ),
    ] {
        let reading = Board::read(text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(reading.board.to_string(), board, "{text}");
        assert_eq!(reading.guesses.len(), guesses, "{text}: {:?}", reading.guesses);
    }
    for (text, board) in [
        // Rows of different lengths have no columns.
        ("8 5 12 4\n9 7 14 1\n2 3 11 6\n10 15 13", "8 5 12 4 / 9 7 14 1 / 2 3 11 6 / 10 15 13 0"),
        ("1 2 3 4\n5 6 7 8\n9 10 11", "1 2 3 4 / 5 6 7 8 / 9 10 11 0"),
        (
            " 1  2  3  4\n 5     7  8\n 9 10 11 12\n13 14 15  6",
            "1 2 3 4 / 5 0 7 8 / 9 10 11 12 / 13 14 15 6",
        ),
        ("Start state\n1 5 3\n2 4 0", "1 5 3 / 2 4 0"),
        ("easy\n1230", "1 2 / 3 0"),
        ("print(matrix(c(1,2,3,4,0,6,7,5,8), nrow=3, byrow=TRUE))", "1 2 3 / 4 0 6 / 7 5 8"),
        // Every third gap is wider.
        ("1 2 3  4 5 6  7 8", "1 2 3 / 4 5 6 / 7 8 0"),
        (
            " 5  1  7  3  9  2 11  4 13  6 15  8    10 14 12",
            "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12",
        ),
        ("2\n3\n1 2 3\n4 0 5", "1 2 3 / 4 0 5"),
        (
            "board:\n  - [1, 2, 3, 4]\n  - [5, 6, 0, 8]\n  - [9, 10, 11, 7]",
            "1 2 3 4 / 5 6 0 8 / 9 10 11 7",
        ),
        ("shape (2, 3)\n1 2 3 4 0 5", "1 2 3 / 4 0 5"),
        ("Shape: 2 x 3\n1 2 3\n4 0 5", "1 2 3 / 4 0 5"),
        // The last cell of a row is empty.
        ("1\t2\t3\n4\t5\t\n7\t8\t6", "1 2 3 / 4 5 0 / 7 8 6"),
    ] {
        let reading = Board::read(text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(reading.board.to_string(), board, "{text}");
    }
    let first = Board::read("[[,1,2],[3,4,5],[6,7,8]]", None).unwrap();
    assert_eq!(first.board.to_string(), "0 1 2 / 3 4 5 / 6 7 8");
}

/// No text with a fault or with two boards becomes a board.
#[test]
fn wrong_texts_are_refused() {
    for (text, message) in [
        ("8,,3\n4,,2\n7,6,5", "the blank appears twice, tile 1 is missing"),
        ("[8,1,3,4,,0,7,6,5]", "the blank appears twice, tile 2 is missing"),
        ("[[8,1,3],[4,2],[7,6,5]]", "row 2 has 2 cells, but row 1 has 3"),
        ("[8 1 3]\n[4 2]\n[7 6 5]", "row 2 has 2 cells, but row 1 has 3"),
        ("4\n8 1 3\n4 0 2\n7 6 5", "the line before the tiles says 4, but the board is 3x3"),
        ("3\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0", "says 3, but the board is 4x4"),
        ("n = 4\n8 1 3\n4 0 2\n7 6 5", "says 4, but the board is 3x3"),
        ("4x4 1 2 3 4 0 6 7 5 8", "a 4x4 board has 16 cells, but 9 were given"),
        ("1 2 3 4\n5 6 7 8\n9 10 11 12", "there is no tile 12 on a 4x3 board"),
        ("2\n12X453786\n12345678X", "these are 2 boards"),
        ("id,board\n1,813402765\n2,123456780", "these are 2 boards"),
        ("813402765 123456780", "these are 2 boards"),
        ("a = [[8,1,3],[4,0,2],[7,6,5]]\nb = [[1,2,3],[4,5,6],[7,0,8]]", "these are 2 boards"),
        ("[[8,1,3,4,0,2,7,6,5],[1,2,3,4,5,6,7,0,8]]", "these are 2 boards"),
        ("[[[8,1,3],[4,0,2],[7,6,5]],[[1,2,3],[4,5,6],[7,0,8]]]", "these are 2 boards"),
        ("8 1 3\n4 0 2\n7 6 5\n\n1 2 3\n4 5 6\n7 0 8", "these are 2 boards"),
        ("2\n8 1 3\n4 0 2\n7 6 5\n\n1 2 3\n4 5 6\n7 0 8", "these are 2 boards"),
        ("Start\n\n8 1 3\n4 0 2\n7 6 5\n\nGoal\n\n1 2 3\n4 5 6\n7 0 8", "these are 2 boards"),
        ("\"813402765\"\n\n8 1 3\n4 0 2\n7 6 5", "these are 2 boards"),
        ("State(board=((8,1,3),(4,0,2),(7,6,5)))\n8;1;3\n4;;2\n7;6;5", "these are 2 boards"),
        ("a = [1,2,3,0]\nb = [1,2,3,3]", "tile 3 appears twice, the blank is missing"),
        ("[[1,2,3,0],[4,5,6,7],[8,9,10,11],[12,13,14,14]]", "tile 14 appears twice"),
        ("1 2 3\n4 0 5 6\n7 8", "row 2 has 4 cells, but row 1 has 3"),
        ("|1|2|0|\n|3|4|5|\n|6|7|7|", "tile 7 appears twice, tile 8 is missing"),
        ("0 11 2 3\n4 6 5 7\n8 9 10 1\n13 12 14", "row 4 has 3 cells, but row 1 has 4"),
        ("8x8: 1 2 3 0", "an 8x8 board has 64 cells, but 4 were given"),
        ("9x1\n8 1 3\n4 0 2\n7 6 5", "a 9x1 board is out of range: both sides must be at least 2"),
        ("shape (9, 1)\n8 1 3\n4 0 2\n7 6 5", "a 1x9 board is out of range"),
        ("17 by 17: 1 2 3 0", "a 17x17 board is out of range"),
        ("1x9 [[8,1,3],[4,0,2],[7,6,5]]", "a 1x9 board is out of range"),
        ("[[1,2,3,0],[4,5,6,7],[8,9,10],[11,12,13,14,15]]", "row 3 has 3 cells, but row 1 has 4"),
        (
            "[[1,2,3,0],[4,5,6,7],[8,9,10,11,12],[13,14,15,16]]",
            "row 3 has 5 cells, but row 1 has 4",
        ),
        // A picture has its cells where its bars are.
        ("|1|2|3| |\n|4| |6|\n|7|5|8|", "row 2 has 3 cells, but row 1 has 4"),
        ("+-+-+-+\n|1|2|3|\n|4| |6| |\n|7|5|8|\n+-+-+-+", "row 2 has 4 cells, but row 1 has 3"),
        // A number apart from the others is none of them.
        ("3) 8 1 4 0 2 7 6 5", "a 3x3 board has 9 cells, but 8 were given"),
        ("[3] 8 1 4 0 2 7 6 5", "a 3x3 board has 9 cells, but 8 were given"),
        ("p = [[8, 1, 3], [4, 0, 2], [7, 6, 5, 9]]", "row 3 has 4 cells, but row 1 has 3"),
        ("8 1 4 0 2 7 6 5 | 3", "row 2 has 1 cell, but row 1 has 8"),
        ("3. 8 1 4 0 2 7 6 5", "8 numbers in one row form no square board"),
        ("3. 8 1 3 4 0 2 7 6 6", "tile 6 appears twice, tile 5 is missing"),
        ("7 0 2\n3 x 1\n6 5 4", "\"x\" is neither a tile nor a separator"),
        // A label is no fault.
        ("Case 2: 1 2 3 4 5 6 7 0", "8 numbers in one row form no square board"),
        ("puzzle = [8, 1, 3, 4, 0, 2, 7, 6]", "8 numbers in one row form no square board"),
        // A comma is no blank.
        ("1,23\n0,5,4", "row 2 has 3 cells, but row 1 has 2"),
        // Rows are no labels.
        ("8 6\n0 4 3\n1 2 5", "an 8x6 board has 48 cells, but 6 were given"),
        ("15 44 68167\n-1 1\n5 1 3\n2 4", "row 2 has 2 cells, but row 1 has 3"),
        ("1234\n5678\n0abc\n6ef9", "tile 6 appears twice, tile 13 is missing"),
        ("1 2 3\n2 1 0", "tile 2 appears twice, tile 4 is missing"),
        ("A b\n1 0 3\n2 1 2", "tile 1 appears twice"),
        // The fault is that of the table, and of the list.
        (
            "     [,1] [,2]\n[1,]    1    2\n[2,]    2    0",
            "tile 2 appears twice, tile 3 is missing",
        ),
        ("   0  1  2\n0  1  2  3\n1  4  0\n2  7  5  6", "row 2 has 2 cells, but row 1 has 3"),
        ("\\begin{tabular}{cc}\n1 & 2 \\\\\n2 & 0 \\\\\n\\end{tabular}", "tile 2 appears twice"),
        ("8;1;3\n4;0;2\n7;6;6", "tile 6 appears twice, tile 5 is missing"),
        ("A = [l 1 3; 4 0 2; 7 6 5];", "\"l\" is neither a tile nor a separator"),
        // Dates, versions and times are no boards.
        ("1.2.3.0", "7 numbers in one row"),
        ("12:30", "neither a tile nor a separator"),
        ("1 2 3 # 0", "\"#\" is neither a tile nor a separator"),
    ] {
        let error = Board::read(text, None).expect_err(text).to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    // With its size, it lacks no rows.
    let size = Grid::new(4, 3).ok();
    assert!(Board::read("1 2 3 4\n5 6 7 8\n9 10 11 12", size).is_ok());
}
