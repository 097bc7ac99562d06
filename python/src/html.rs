//! Solutions as pages that step through them, without a server.

use taquin::{Board, Moves};

/// The page. Its code is in attributes: pages that show notebooks may drop script elements.
const PAGE: &str = include_str!("player.html");

/// The page of the moves of a board.
pub fn player(board: &Board, path: &Moves, title: &str) -> String {
    let tiles: Vec<String> = board.tiles().iter().map(ToString::to_string).collect();
    let cells: String = board.tiles().iter().map(|&tile| cell(tile)).collect();
    [
        ("@TILES@", tiles.join(",")),
        ("@WIDTH@", board.grid().width().to_string()),
        ("@MOVES@", path.to_string()),
        ("@TITLE@", title.to_owned()),
        ("@CELLS@", cells),
        ("@MOST@", path.len().to_string()),
    ]
    .into_iter()
    .fold(PAGE.to_owned(), |page, (name, text)| page.replace(name, &text))
}

fn cell(tile: u8) -> String {
    let (colour, text) = match tile {
        0 => ("transparent", String::new()),
        tile => ("#f7f3e8", tile.to_string()),
    };
    format!(
        "<div data-cell style=\"height:2.4em;line-height:2.4em;text-align:center;border-radius:3px;\
         background:{colour}\">{text}</div>"
    )
}
