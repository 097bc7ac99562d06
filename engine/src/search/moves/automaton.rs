//! The move automaton: leaves out move sequences that another sequence of at most their length
//! replaces (Taylor & Korf 1993).
//!
//! Order the words over the four moves by length, then alphabetically. A word of moves from a
//! given blank cell is *minimal* if no smaller word leads from there to the same position. Every factor of a
//! minimal word is minimal, so the least optimal solution of any position has only minimal factors. A search
//! may leave out every path that ends in a *forbidden* word, and still finds that solution.
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
//! The build script includes this file, so it uses nothing of the crate.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The state after each move from each state, with the moves in the order Up, Right, Left, Down; 0
/// if the move is forbidden or leaves the board. In state 1 + cell no move was made yet, and the
/// blank is in that cell.
pub type Rows = Vec<[u16; 4]>;

/// The length of the automata of 4×4 and 5×5, which the build script computes.
pub const LONG: usize = 12;

/// The most cells of a board for which forbidden words are searched.
pub const MOST_CELLS: usize = 25;

/// The state of a forbidden move.
const DEAD: u16 = 0;

/// The bits of a trie for the move 0.
const LONGER: u8 = 1;
const FORBIDDEN: u8 = 16;

/// The blank's cell after move `m`, the place of the move in the order above.
pub fn step(width: usize, height: usize, cell: usize, m: usize) -> Option<usize> {
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

/// A forbidden word, and the minimal word for the same position.
pub struct Forbidden {
    /// The blank's cell before the moves.
    pub start: usize,
    /// The forbidden word.
    pub word: Word,
    /// The minimal one.
    pub minimal: Word,
}

impl Forbidden {
    /// Returns whether the minimal word has the same length. A path without detours is turned into one
    /// without forbidden words by replacing such words, one after the other.
    pub fn is_as_short(&self) -> bool {
        self.word.len() == self.minimal.len()
    }
}

/// Builds the automaton that forbids all words of up to `length` moves that are not minimal. If it
/// would need more than 65,535 states, the length is reduced.
///
/// Costs about half a microsecond for each position within `length` moves of each blank cell: 0.15 s
/// for length 12 on 4×4.
pub fn build(width: usize, height: usize, length: usize) -> Rows {
    let forbidden = forbidden_words(width, height, length);
    rows(width, height, &trie(width * height, &forbidden, length))
}

/// The automaton that forbids undoing the last move, and nothing else. The board may have more than
/// [`MOST_CELLS`].
pub fn without_undoing(width: usize, height: usize) -> Rows {
    let mut forbidden = Vec::new();
    for start in 0..width * height {
        let moves = (0..4).filter(|&m| step(width, height, start, m).is_some());
        forbidden.extend(moves.map(|m| Forbidden {
            start,
            word: vec![m as u8, 3 - m as u8],
            minimal: Word::new(),
        }));
    }
    rows(width, height, &trie(width * height, &forbidden, 2))
}

/// The forbidden words of [`build`] as a trie, from which [`rows`] makes the automaton. It has a
/// byte for each prefix of a forbidden word that is not the whole word: in bit `m` whether the
/// prefix that is longer by the move `m` follows, in bit 4 + `m` whether that is a forbidden word.
/// Prefixes are in the order of their length, of the blank's cell, and of the alphabet.
pub fn trie(cells: usize, forbidden: &[Forbidden], length: usize) -> Vec<u8> {
    let trie = |length: usize| {
        let words = forbidden.iter().filter(|forbidden| forbidden.word.len() <= length);
        let mut words: Vec<_> = words.map(|Forbidden { start, word, .. }| (*start, word)).collect();
        words.sort_unstable();
        trie_of(cells, &words)
    };
    let mut tries = (1..=length).rev().map(trie);
    tries.find(|trie| trie.len() <= usize::from(u16::MAX)).expect("a state for each cell")
}

/// The trie of words in the order of their blanks' cells and the alphabet.
fn trie_of(cells: usize, mut words: &[(usize, &Word)]) -> Vec<u8> {
    // The words that begin with each prefix, and its length.
    let mut prefixes = Vec::new();
    for cell in 0..cells {
        let here = words.partition_point(|&(start, _)| start == cell);
        prefixes.push((words.split_off(..here).unwrap_or_default(), 0));
    }
    let mut trie = Vec::new();
    while let Some(&(mut words, size)) = prefixes.get(trie.len()) {
        let mut bits = 0;
        for m in 0..4 {
            let next = words.partition_point(|(_, word)| word[size] == m);
            match words.split_off(..next).unwrap_or_default() {
                [] => {}
                // No forbidden word begins with another one.
                [(_, word)] if word.len() == size + 1 => bits |= FORBIDDEN << m,
                longer => {
                    bits |= LONGER << m;
                    prefixes.push((longer, size + 1));
                }
            }
        }
        trie.push(bits);
    }
    trie
}

/// The automaton of a trie, in time linear in its states: some 0.1 ms for 15,000 of them. They are numbered
/// in the order of the trie.
pub fn rows(width: usize, height: usize, trie: &[u8]) -> Rows {
    let cells = width * height;
    let mut rows = vec![[DEAD; 4]];
    // One more, for prefixes that are not there: the processor cannot foresee which moves lead to longer
    // prefixes, so there are no branches on that.
    let mut suffix = vec![DEAD; trie.len() + 1];
    let mut longer = cells;
    for (prefix, bits) in trie.iter().enumerate() {
        // A state takes over the moves of its longest suffix that is a state. That one comes before.
        let mut row = rows[usize::from(suffix[prefix])];
        if prefix < cells {
            row = [0, 1, 2, 3].map(|m| step(width, height, prefix, m).map_or(DEAD, state));
        }
        for (m, next) in row.iter_mut().enumerate() {
            let is_longer = bits & LONGER << m != 0;
            suffix[longer] = *next;
            *next = if is_longer { state(longer) } else { *next };
            *next = if bits & FORBIDDEN << m != 0 { DEAD } else { *next };
            longer += usize::from(is_longer);
        }
        rows.push(row);
    }
    rows
}

/// The state of a prefix. That of no moves has the number of the blank's cell.
fn state(prefix: usize) -> u16 {
    1 + prefix as u16
}

/// A position: the tile of each cell, in [`BITS`] each.
type Tiles = u128;

/// The bits of a tile, whose number is below [`MOST_CELLS`].
const BITS: usize = 5;

struct Minimal {
    /// The moves in two bits each, after a 1.
    word: u64,
    /// The word after its first move. It is minimal too.
    suffix: usize,
    /// The minimal words that are longer by a move.
    longer: [Option<usize>; 4],
}

/// The forbidden words of up to `length` moves, shortest first.
///
/// # Panics
/// If the board has more than [`MOST_CELLS`].
pub fn forbidden_words(width: usize, height: usize, length: usize) -> Vec<Forbidden> {
    let cells = width * height;
    assert!(cells <= MOST_CELLS);
    let mut forbidden = Vec::new();
    // The minimal words of all starts. The first ones are those without a move.
    let empty = |cell| Minimal { word: 1, suffix: cell, longer: [None; 4] };
    let mut words: Vec<Minimal> = (0..cells).map(empty).collect();
    // For each start, the positions on the rim of the search: tiles, blank, number of the minimal
    // word.
    let solved = (0..cells).fold(0, |tiles, cell| tiles | (cell as Tiles) << (BITS * cell));
    let mut rims: Vec<Vec<(Tiles, usize, usize)>> =
        (0..cells).map(|cell| vec![(solved, cell, cell)]).collect();
    let mut seen: Vec<HashMap<Tiles, usize>> =
        (0..cells).map(|cell| HashMap::from([(solved, cell)])).collect();
    for size in 0..length {
        for (start, rim) in rims.iter_mut().enumerate() {
            for (tiles, blank, before) in std::mem::take(rim) {
                for m in 0..4 {
                    let Some(to) = step(width, height, blank, m) else { continue };
                    // If the longer word without its first move is not minimal, then it ends in a
                    // forbidden word already.
                    let suffix = if size == 0 {
                        to
                    } else {
                        match words[words[before].suffix].longer[m] {
                            Some(suffix) => suffix,
                            None => continue,
                        }
                    };
                    let word = words[before].word << 2 | m as u64;
                    // The blank's tile is the start's.
                    let change = (tiles >> (BITS * to) ^ start as Tiles) & ((1 << BITS) - 1);
                    let moved = tiles ^ change << (BITS * blank) ^ change << (BITS * to);
                    match seen[start].entry(moved) {
                        Entry::Vacant(vacant) => {
                            let longer = words.len();
                            words[before].longer[m] = Some(longer);
                            words.push(Minimal { word, suffix, longer: [None; 4] });
                            rim.push((moved, to, longer));
                            vacant.insert(longer);
                        }
                        Entry::Occupied(minimal) => {
                            let [word, minimal] = [word, words[*minimal.get()].word].map(moves);
                            forbidden.push(Forbidden { start, word, minimal });
                        }
                    }
                }
            }
        }
    }
    forbidden
}

/// The moves of a word in two bits each.
fn moves(word: u64) -> Word {
    let moves = (0..word.ilog2() / 2).rev();
    moves.map(|place| (word >> (2 * place) & 3) as u8).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// States at lengths 2 and 6, the one for dead ends included.
    #[test]
    fn sizes_are_as_computed_by_hand_and_by_others() {
        // A state for each blank cell and for each last move: 16 + 48.
        assert_eq!(build(4, 4, 2).len(), 1 + 16 + 48);
        assert_eq!(build(5, 4, 2), without_undoing(5, 4));
        assert_eq!(build(4, 4, 6).len(), 1 + 208);
        // A state for each cell, and one for each move into it.
        for side in [4, 16] {
            assert_eq!(without_undoing(side, side).len(), 1 + side * side + 4 * side * (side - 1));
        }
    }

    /// Every position is still reached by a word of its least length, and by one word only, up to
    /// the length of the automaton.
    #[test]
    fn one_word_is_left_for_each_position() {
        for (width, height, length) in [(3, 2, 9), (3, 3, 8), (4, 3, 8), (2, 4, 9)] {
            let rows = build(width, height, length);
            let made = |(tiles, blank): &(Vec<u8>, usize), m: usize| {
                let to = step(width, height, *blank, m)?;
                let mut moved = tiles.clone();
                moved.swap(*blank, to);
                Some((moved, to))
            };
            for start in 0..width * height {
                let solved = ((0..(width * height) as u8).collect::<Vec<_>>(), start);
                let mut seen = HashSet::from([solved.clone()]);
                let mut words = vec![(solved.clone(), 1 + start as u16)];
                let mut plain = HashSet::from([solved]);
                for _ in 0..length {
                    let all = plain.iter().flat_map(|at| (0..4).filter_map(|m| made(at, m)));
                    plain = all.filter(|at| seen.insert(at.clone())).collect();
                    let longer = words.iter().flat_map(|(at, state)| {
                        let next = (0..4).map(|m| (m, rows[usize::from(*state)][m]));
                        let next = next.filter(|(_, state)| *state != 0);
                        next.map(|(m, state)| (made(at, m).unwrap(), state)).collect::<Vec<_>>()
                    });
                    words = longer.collect();
                    let reached: HashSet<_> = words.iter().map(|(at, _)| at.clone()).collect();
                    assert_eq!(reached.len(), words.len());
                    assert_eq!(reached, plain);
                }
            }
        }
    }
}
