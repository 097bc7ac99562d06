//! The analysis of a line, as text and as JSON.

use serde::Serialize;

use crate::board::{Convention, Metric, Move};
use crate::solver::{Analysis, Distance, Loss};
use crate::text::plural;

/// The fields of an analysis.
#[derive(Serialize)]
pub struct Analysed {
    distances: Vec<Distance>,
    lost: u32,
    losses: Vec<Loss>,
    stretch: Stretch,
}

#[derive(Serialize)]
struct Stretch {
    at: usize,
    moves: usize,
}

impl Analysed {
    pub fn new(analysis: &Analysis, convention: Convention) -> Analysed {
        let turned = |loss: Loss| {
            let better = loss.better.map(|better| better.turned(convention));
            Loss { better, ..loss }
        };
        let stretch = analysis.longest_stretch();
        Analysed {
            distances: analysis.distances(),
            lost: analysis.lost(),
            losses: analysis.losses().into_iter().map(turned).collect(),
            stretch: Stretch { at: stretch.start, moves: stretch.len() },
        }
    }
}

/// The analysis in words: what the board needs, each loss, and the longest optimal stretch.
pub fn analysed(analysis: &Analysis, convention: Convention) -> String {
    let losses = analysis.losses();
    let Distance { lower, upper, .. } = analysis.distances()[0];
    let needed = match upper {
        Some(upper) if upper == lower => Metric::Single.in_words(lower as usize),
        Some(upper) => format!("{lower} to {upper} moves"),
        None => format!("at least {}", Metric::Single.in_words(lower as usize)),
    };
    let lost = Metric::Single.in_words(analysis.lost() as usize);
    let mut text = match losses.len() {
        0 => {
            let is_exact = |distance: &Distance| distance.upper == Some(distance.lower);
            let known = match analysis.distances().iter().all(is_exact) {
                true => "",
                false => "known to be ",
            };
            format!("the board needs {needed}; no move is {known}lost")
        }
        count => {
            format!("the board needs {needed}; {lost} lost in {}", plural(count as u64, "place"))
        }
    };
    let words = |moves: &[Move]| {
        let names: Vec<String> = moves.iter().map(|&m| convention.turned(m).to_string()).collect();
        names.join(", ")
    };
    for loss in &losses {
        let (places, loses) = match loss.moves {
            1 => (format!("move {}", loss.at + 1), "loses"),
            moves => (format!("moves {} to {}", loss.at + 1, loss.at + moves), "lose"),
        };
        let made = words(&analysis.moves().0[loss.at..loss.at + loss.moves]);
        let better = loss.better.as_ref().and_then(|better| better.iter().next());
        let better = better.map_or(String::new(), |m| format!(", better {}", words(&[m])));
        text += &format!("\n  {places}: {made} {loses} {}{better}", loss.lost);
    }
    let stretch = analysis.longest_stretch();
    if !stretch.is_empty() {
        let (first, last) = (stretch.start + 1, stretch.end);
        let length = Metric::Single.in_words(stretch.len());
        text += &format!("\nlongest optimal stretch: {length}, from move {first} to move {last}");
    }
    text
}
