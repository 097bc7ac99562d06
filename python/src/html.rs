//! Solutions as pages that step through them, without a server.

use taquin::{Board, Moves};

/// The colours of the pictures.
const TILE: &str = "#f7f3e8";
const MOVED: &str = "#f5b942";
const GROUND: &str = "#8a8a8a";

/// Shows the board after as many moves as the slider says. It is an attribute of the slider: pages
/// that show notebooks may drop scripts of their own.
const SHOW: &str = "\
(function(s){var d=s.closest('[data-moves]'),w=+d.dataset.width,t=d.dataset.tiles.split(',').map(Number),\
m=d.dataset.moves,b=t.indexOf(0),n=+s.value,last=-1;\
for(var i=0;n>i;i++){var f=b+{U:w,D:-w,L:1,R:-1}[m[i]];t[b]=t[f];t[f]=0;last=b;b=f;}\
d.querySelectorAll('[data-cell]').forEach(function(c,i){c.textContent=t[i]||'';\
c.style.background=t[i]?(i==last?'MOVED':'TILE'):'transparent';});\
d.querySelector('output').textContent=n?n+': '+{U:'Up',D:'Down',L:'Left',R:'Right'}[m[n-1]]:'start';})(this)";

const STEP: &str = "var s=this.parentNode.querySelector('input');s.stepWAY();s.oninput()";

/// The page of the moves of a board.
pub fn player(board: &Board, path: &Moves, title: &str) -> String {
    let (width, most) = (board.grid().width(), path.len());
    let tiles: Vec<String> = board.tiles().iter().map(ToString::to_string).collect();
    let cells: String = board.tiles().iter().map(|&tile| cell(tile)).collect();
    let show = SHOW.replace("MOVED", MOVED).replace("TILE", TILE);
    let button = |way: &str, sign: &str, label: &str| {
        let step = STEP.replace("WAY", way);
        format!("<button type=\"button\" aria-label=\"{label}\" onclick=\"{step}\">{sign}</button>")
    };
    format!(
        "<div data-tiles=\"{}\" data-width=\"{width}\" data-moves=\"{path}\" \
         style=\"display:inline-block;font-family:system-ui,sans-serif\">\n\
         <div>{title}</div>\n\
         <div style=\"display:inline-grid;grid-template-columns:repeat({width},2.4em);gap:2px;\
         padding:2px;margin:0.4em 0;background:{GROUND};color:#000\">{cells}</div>\n\
         <div>{}<input type=\"range\" min=\"0\" max=\"{most}\" value=\"0\" aria-label=\"move\" \
         style=\"width:16em;vertical-align:middle\" oninput=\"{show}\">{} <output>start</output></div>\n\
         </div>\n",
        tiles.join(","),
        button("Down", "‹", "previous move"),
        button("Up", "›", "next move"),
    )
}

fn cell(tile: u8) -> String {
    let (colour, text) = match tile {
        0 => ("transparent", String::new()),
        tile => (TILE, tile.to_string()),
    };
    format!(
        "<div data-cell style=\"height:2.4em;line-height:2.4em;text-align:center;border-radius:3px;\
         background:{colour}\">{text}</div>"
    )
}
