//! The subtrees that an iteration is split into: their [`Order`], and their names.
//!
//! Which subtrees there are, and their order, follows from the position, the tables and the
//! [`Threshold`](crate::search::Threshold). A subtree is named by the moves that lead to it, its [`Prefix`].

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::board::Move;
use crate::search::run::Count;

/// The order in which the subtrees of an iteration are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The order of their paths. An iteration is then one depth-first search.
    DepthFirst,
    /// The order of h at their roots, the smallest first, with ties in the order of their paths. The last iteration
    /// meets its solution early, as in the best-first searches of A*+IDA* (Bu and Korf 2019). The frontier
    /// takes memory: 350 MB at its largest, a million subtrees.
    BestFirst,
}

impl Order {
    /// Returns whether a tree is split deep enough, by the nodes of the iteration before.
    pub fn is_split(self, last: u64, depth: u32, subtrees: usize) -> bool {
        match self {
            // Some 16 to 4,000 subtrees, at about two children a node. Large iterations have up to
            // eight times more: all lanes and threads stay busy to the end, and an interruption
            // loses little.
            Order::DepthFirst => {
                let wanted = (last / 16).clamp(16, 1 << 12).max((last / 256).min(1 << 15));
                depth >= wanted.ilog2()
            }
            // With fewer, h tells subtrees apart less well; with more, the split itself takes much searching.
            Order::BestFirst => {
                depth >= MAX_SPLIT || subtrees as u64 >= (last / 64).clamp(16, 1 << 20)
            }
        }
    }
}

/// The most moves above the subtrees of an iteration.
const MAX_SPLIT: u32 = 32;

/// The most moves of a prefix. Prefixes that lead into the subtrees of an iteration are longer: on the way
/// down, the largest child has most of the nodes of its parent.
const MAX_PREFIX: u32 = u128::BITS / 2;

/// The moves from a position to the root of a subtree, on the canonical board. As text they have a
/// letter each, as in `DDRU`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prefix {
    /// The moves in two bits each, the first lowest.
    moves: u128,
    len: u32,
}

impl Prefix {
    pub(crate) fn moves(self) -> impl Iterator<Item = usize> {
        (0..self.len).map(move |i| (self.moves >> (2 * i)) as usize & 3)
    }

    /// These moves and one more. There must be room.
    pub(crate) fn with(mut self, m: usize) -> Prefix {
        self.moves |= (m as u128) << (2 * self.len);
        self.len += 1;
        self
    }

    /// Returns whether there is room for no more moves.
    pub(crate) fn is_full(&self) -> bool {
        self.len == MAX_PREFIX
    }

    /// The number of moves.
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// The first moves; `None` if there are fewer.
    pub(crate) fn cut(&self, len: usize) -> Option<Prefix> {
        (len <= self.len()).then(|| self.moves().take(len).fold(Prefix::default(), Prefix::with))
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves().try_for_each(|m| f.write_char(Move::ALL[m].letter()))
    }
}

#[cfg(feature = "serde")]
crate::serde_as_text!(Prefix);

/// A text is not the moves to a subtree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a sequence of 1 to 64 moves U, D, L or R")]
pub struct PrefixError(String);

impl FromStr for Prefix {
    type Err = PrefixError;

    fn from_str(text: &str) -> Result<Prefix, PrefixError> {
        let no_prefix = || PrefixError(text.chars().take(40).collect());
        if text.is_empty() {
            return Err(no_prefix());
        }
        text.chars().try_fold(Prefix::default(), |prefix, letter| {
            let m = Move::from_letter(letter).filter(|_| prefix.len < MAX_PREFIX);
            m.map(|m| prefix.with(m as usize)).ok_or_else(no_prefix)
        })
    }
}

/// The roots of the subtrees that a threshold is divided into, in the order of the search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roots {
    /// The roots, each with the nodes that its subtree is expected to have.
    pub roots: Vec<(Root, f64)>,
    /// The nodes after the last of them, above subtrees.
    pub rest: Count,
}

/// The root of a subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// The moves that lead to it.
    pub prefix: Prefix,
    /// The nodes above it and not above an earlier one.
    pub above: Count,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_text() {
        let prefix = |text: &str| text.parse::<Prefix>();
        let longest = "UDLR".repeat(16);
        for text in ["U", "DLRU", &longest[..32], &longest[..33], &longest] {
            assert_eq!(prefix(text).unwrap().to_string(), text);
        }
        for text in ["", "X", "U D", &"U".repeat(65)] {
            assert!(prefix(text).is_err(), "{text}");
        }
        let whole = prefix(&longest).unwrap();
        for len in [1, 31, 32, 33, 64] {
            assert_eq!(whole.cut(len), Some(prefix(&longest[..len]).unwrap()));
        }
        assert_eq!(whole.cut(65), None);
    }

    #[test]
    fn trees_are_split_by_the_nodes_before() {
        let is_split = |order: Order, last, depth, subtrees| order.is_split(last, depth, subtrees);
        for (last, depth) in [(0, 4), (1_600, 6), (1 << 20, 12), (u64::MAX, 15)] {
            assert!(!is_split(Order::DepthFirst, last, depth - 1, usize::MAX), "{last}");
            assert!(is_split(Order::DepthFirst, last, depth, 0), "{last}");
        }
        for (last, subtrees) in [(0, 16), (6_400, 100), (u64::MAX, 1 << 20)] {
            assert!(!is_split(Order::BestFirst, last, 0, subtrees - 1), "{last}");
            assert!(is_split(Order::BestFirst, last, 0, subtrees), "{last}");
        }
        // A branch holds no more moves, however few subtrees there are.
        assert!(is_split(Order::BestFirst, u64::MAX, MAX_SPLIT, 1));
    }
}
