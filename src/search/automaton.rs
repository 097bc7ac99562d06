//! The move automaton: leaves out move sequences that another sequence of at most their length
//! replaces (Taylor & Korf 1993).
//!
//! Order the words over the four moves by length, then alphabetically. A word of moves from a
//! given blank cell is *minimal* if no smaller word leads from there to the same position. Every
//! factor of a minimal word is minimal, so the least optimal solution of any position has no
//! factor that is not: a search may leave out every path that ends in a *forbidden* word, and
//! still finds that solution.
//!
//! 1. From each blank cell, search breadth-first, in word order, to the given length. A word
//!    that leads to a position seen before is not minimal; if no suffix of it is forbidden
//!    already, it is a new forbidden word.
//! 2. The forbidden words make an automaton that finds any of them in a text (Aho & Corasick
//!    1975): one trie for each blank cell where a word can start. A state is the longest suffix
//!    of the moves made that some forbidden word begins with.
//!
//! The borders need no further treatment: a move that leaves the board is in no row.
//!
//! This file uses nothing of the crate, because the build script uses it too.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// The state after each move from each state, with the moves in the order Up, Right, Left, Down; 0
/// if the move is forbidden or leaves the board. In state 1 + cell no move was made yet, and the
/// blank is in that cell.
pub type Rows = Vec<[u16; 4]>;

/// The blank's cell after move `m`, the place of the move in the order above.
fn step(width: usize, height: usize, cell: usize, m: usize) -> Option<usize> {
    let (row, column) = (cell / width, cell % width);
    match m {
        0 if row + 1 < height => Some(cell + width),
        1 if column > 0 => Some(cell - 1),
        2 if column + 1 < width => Some(cell + 1),
        3 if row > 0 => Some(cell - width),
        _ => None,
    }
}

/// Moves from a blank cell. Words of one start compare as length, then moves.
type Word = Vec<u8>;

/// A forbidden word: the blank's cell where it starts, and its moves.
type Forbidden = (u8, Word);

/// Two words of the same length from the same blank cell that lead to the same position.
pub struct Equivalents {
    /// The blank's cell before the moves.
    pub start: usize,
    /// The forbidden word.
    pub forbidden: Word,
    /// The minimal one.
    pub minimal: Word,
}

/// The forbidden words of up to `length` moves whose minimal word is no shorter. A path without
/// detours is turned into one without forbidden words by replacing these, one after the other.
pub fn equivalents(width: usize, height: usize, length: usize) -> Vec<Equivalents> {
    let forbidden = forbidden_words(width, height, length).into_iter();
    let pair = |((start, forbidden), minimal): (Forbidden, Word)| {
        let start = usize::from(start);
        (forbidden.len() == minimal.len()).then_some(Equivalents { start, forbidden, minimal })
    };
    forbidden.filter_map(pair).collect()
}

/// Builds the automaton that forbids all words of up to `length` moves that are not minimal. If it
/// would need more than 65,535 states, the length is reduced.
///
/// Costs about a tenth of a microsecond for each position within `length` moves of each blank
/// cell: some 30 ms for length 12 on 4×4.
pub fn build(width: usize, height: usize, length: usize) -> Rows {
    let forbidden = forbidden_words(width, height, length);
    let forbidden: Vec<Forbidden> = forbidden.into_iter().map(|(word, _)| word).collect();
    (2..=length)
        .rev()
        .find_map(|length| automaton(width, height, &forbidden, length))
        .unwrap_or_else(|| automaton(width, height, &[], 0).expect("a state for each cell"))
}

/// The forbidden words, shortest first, each with the minimal word for the same position.
fn forbidden_words(width: usize, height: usize, length: usize) -> Vec<(Forbidden, Word)> {
    let cells = width * height;
    let mut forbidden: HashSet<Forbidden> = HashSet::new();
    let mut in_order = Vec::new();
    // For each start, the positions on the rim of the search: tiles, blank, minimal word.
    type Reached = (Vec<u8>, u8, Word);
    let mut rims: Vec<Vec<Reached>> = (0..cells as u8)
        .map(|cell| vec![((0..cells as u8).collect(), cell, Word::new())])
        .collect();
    // A position seen from a start comes back, if at all, after an even number of further moves.
    let mut seen: Vec<HashMap<Vec<u8>, Word>> =
        rims.iter().map(|rim| HashMap::from([(rim[0].0.clone(), Word::new())])).collect();
    for _ in 0..length {
        let mut found = Vec::new();
        for (start, rim) in rims.iter_mut().enumerate() {
            let mut next = Vec::new();
            for (tiles, blank, word) in rim.iter() {
                for m in 0..4 {
                    let Some(to) = step(width, height, usize::from(*blank), m) else { continue };
                    let mut longer = word.clone();
                    longer.push(m as u8);
                    if has_forbidden_suffix(width, height, start, &longer, &forbidden) {
                        continue;
                    }
                    let mut moved = tiles.clone();
                    moved.swap(usize::from(*blank), to);
                    match seen[start].entry(moved.clone()) {
                        Entry::Vacant(vacant) => {
                            vacant.insert(longer.clone());
                            next.push((moved, to as u8, longer));
                        }
                        Entry::Occupied(minimal) => {
                            found.push(((start as u8, longer), minimal.get().clone()));
                        }
                    }
                }
            }
            *rim = next;
        }
        forbidden.extend(found.iter().map(|(word, _)| word.clone()));
        in_order.append(&mut found);
    }
    in_order
}

fn has_forbidden_suffix(
    width: usize,
    height: usize,
    start: usize,
    word: &[u8],
    forbidden: &HashSet<Forbidden>,
) -> bool {
    let mut cell = start;
    (0..word.len()).any(|from| {
        let found = forbidden.contains(&(cell as u8, word[from..].to_vec()));
        cell = step(width, height, cell, usize::from(word[from])).unwrap_or(cell);
        found
    })
}

/// The automaton of the forbidden words of up to `length` moves, if 16 bits number its states.
fn automaton(width: usize, height: usize, forbidden: &[Forbidden], length: usize) -> Option<Rows> {
    const DEAD: u16 = 0;
    let cells = width * height;
    // States are numbered as they are made: by length, so that suffixes come first.
    let mut number: HashMap<(u8, &[u8]), u16> = HashMap::new();
    let mut words: Vec<(u8, &[u8])> = Vec::new();
    for cell in 0..cells {
        number.insert((cell as u8, &[]), 1 + cell as u16);
        words.push((cell as u8, &[]));
    }
    let within = forbidden.iter().filter(|(_, word)| word.len() <= length);
    let ends: HashSet<(u8, &[u8])> = within.clone().map(|(s, w)| (*s, &w[..])).collect();
    for size in 1..length {
        for (start, word) in within.clone().filter(|(_, word)| word.len() > size) {
            let prefix = (*start, &word[..size]);
            if let Entry::Vacant(vacant) = number.entry(prefix) {
                vacant.insert(u16::try_from(words.len() + 1).ok()?);
                words.push(prefix);
            }
        }
    }
    let follow = |mut cell: usize, word: &[u8]| {
        for &m in word {
            cell = step(width, height, cell, usize::from(m)).expect("words stay on the board");
        }
        cell
    };
    let mut rows = vec![[DEAD; 4]];
    let mut longer = Vec::new();
    for &(start, word) in &words {
        let blank = follow(usize::from(start), word);
        let mut row = [DEAD; 4];
        for (m, target) in row.iter_mut().enumerate() {
            if step(width, height, blank, m).is_none() {
                continue;
            }
            longer.clear();
            longer.extend_from_slice(word);
            longer.push(m as u8);
            // The longest suffix that is a state; forbidden if any suffix is a forbidden word.
            let mut cell = usize::from(start);
            for from in 0..=longer.len() {
                let suffix = (cell as u8, &longer[from..]);
                if ends.contains(&suffix) {
                    *target = DEAD;
                    break;
                }
                if *target == DEAD {
                    *target = number.get(&suffix).copied().unwrap_or(DEAD);
                }
                if from < longer.len() {
                    cell = follow(cell, &longer[from..=from]);
                }
            }
        }
        rows.push(row);
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States at lengths 2 and 6, the one for dead ends included.
    #[test]
    fn sizes_are_as_computed_by_hand_and_by_others() {
        // A state for each blank cell and for each last move: 16 + 48.
        assert_eq!(build(4, 4, 2).len(), 1 + 16 + 48);
        assert_eq!(build(4, 4, 6).len(), 1 + 208);
    }

    /// Every position is still reached by a word of its least length, and by one word only, up to
    /// the length of the automaton.
    #[test]
    fn one_word_is_left_for_each_position() {
        for (width, height, length) in [(3, 2, 9), (3, 3, 8), (4, 3, 8), (2, 4, 9)] {
            let rows = build(width, height, length);
            for start in 0..width * height {
                let tiles: Vec<u8> = (0..(width * height) as u8).collect();
                let mut seen = HashSet::from([tiles.clone()]);
                let mut plain = vec![(tiles.clone(), start)];
                let mut words = vec![(tiles, start, 1 + start as u16)];
                for _ in 0..length {
                    let mut next = Vec::new();
                    for (tiles, blank) in &plain {
                        for m in 0..4 {
                            let Some(to) = step(width, height, *blank, m) else { continue };
                            let mut moved = tiles.clone();
                            moved.swap(*blank, to);
                            if seen.insert(moved.clone()) {
                                next.push((moved, to));
                            }
                        }
                    }
                    plain = next;
                    let mut next = Vec::new();
                    for (tiles, blank, state) in &words {
                        for (m, &state) in rows[usize::from(*state)].iter().enumerate() {
                            if state == 0 {
                                continue;
                            }
                            let to = step(width, height, *blank, m).unwrap();
                            let mut moved = tiles.clone();
                            moved.swap(*blank, to);
                            next.push((moved, to, state));
                        }
                    }
                    words = next;
                    let reached: HashSet<_> = words.iter().map(|(tiles, ..)| tiles).collect();
                    assert_eq!(reached.len(), words.len());
                    assert_eq!(reached, plain.iter().map(|(tiles, _)| tiles).collect());
                }
            }
        }
    }
}
