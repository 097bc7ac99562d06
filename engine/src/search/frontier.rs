//! The frontier of an iteration: the roots of the subtrees that it is split into, in an [`Order`].
//!
//! Which subtrees there are, and their order, follows from the position, the tables and the
//! [`Threshold`](super::Threshold). A subtree is named by the moves that lead to it, its [`Prefix`].

use std::fmt::{self, Write};
use std::str::FromStr;

use super::births::CHILDREN;
use super::children::{Children, OneByOne};
use super::expand::{Expander, Node};
use super::race::{Count, SubtreeRoot};
use super::space::Space;
use crate::board::Move;
use crate::parallel::{descending, map_chunks};

/// The order in which the subtrees of an iteration are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// In the order of their paths. An iteration is then one depth-first search.
    DepthFirst,
    /// By h at their roots, the smallest first, and else in the order of their paths. The last
    /// iteration meets its solution early, as in the best-first searches of A*+IDA* (Bu and Korf
    /// 2019). The frontier takes memory: 350 MB at its largest, a million subtrees.
    BestFirst,
}

impl Order {
    /// Returns whether a tree is split deep enough, by the nodes of the iteration before.
    fn is_split(self, last: u64, depth: u32, subtrees: usize) -> bool {
        match self {
            // Some 16 to 4,000 subtrees, at about two children a node. Large iterations have up to
            // eight times more: all lanes and threads stay busy to the end, and an interruption
            // loses little.
            Order::DepthFirst => {
                let wanted = (last / 16).clamp(16, 1 << 12).max((last / 256).min(1 << 15));
                depth >= wanted.ilog2()
            }
            // With fewer, h tells subtrees apart less well; with more, much is searched to split.
            Order::BestFirst => {
                depth >= MAX_SPLIT || subtrees as u64 >= (last / 64).clamp(16, 1 << 20)
            }
        }
    }
}

/// The most moves above the subtrees of an iteration.
const MAX_SPLIT: u32 = 32;

/// The most moves of a prefix. Those that lead into the subtrees of an iteration are longer: on the way
/// down, the largest child has most of the nodes of its parent.
const MAX_PREFIX: u32 = 64;

/// The moves that a word holds.
const WORD: u32 = u64::BITS / 2;

/// The nodes that a level is split by at a time: enough to hide the memory's latency.
const BATCH: usize = 8;

/// Larger levels are split into parts of this many branches, on all threads.
const PART: usize = 4096;

/// The moves from a position to the root of a subtree, on the canonical board. As text they have a
/// letter each, as in `DDRU`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefix {
    /// Two bits each, the first lowest.
    moves: [u64; 2],
    len: u32,
}

impl Prefix {
    fn moves(self) -> impl Iterator<Item = usize> {
        (0..self.len)
            .map(move |i| (self.moves[(i / WORD) as usize] >> (2 * (i % WORD)) & 3) as usize)
    }

    /// The letters of the moves.
    pub fn letters(self) -> impl Iterator<Item = char> {
        self.moves().map(|m| Move::ALL[m].letter())
    }

    /// These moves and one more. There must be less than [`MAX_PREFIX`] of them.
    fn with(mut self, m: usize) -> Prefix {
        self.moves[(self.len / WORD) as usize] |= (m as u64) << (2 * (self.len % WORD));
        self.len += 1;
        self
    }

    /// These moves and as many of others as there is room for.
    pub(super) fn then(self, moves: impl Iterator<Item = usize>) -> Prefix {
        moves.take(self.room()).fold(self, Prefix::with)
    }

    /// The number of moves that there is room for.
    pub(super) fn room(&self) -> usize {
        (MAX_PREFIX - self.len) as usize
    }

    /// The first moves, one more than both begin with.
    pub(super) fn to_difference(self, from: &Prefix) -> Prefix {
        let len = self.shared(from) + 1;
        Prefix::default().then(self.moves().take(len))
    }

    /// Returns whether the other one begins with these moves.
    pub(super) fn begins(&self, other: &Prefix) -> bool {
        self.shared(other) == self.len as usize
    }

    /// The number of moves that both begin with.
    fn shared(&self, other: &Prefix) -> usize {
        let differing = |word: usize| (self.moves[word] ^ other.moves[word]).trailing_zeros() / 2;
        let equal = match differing(0) {
            WORD => WORD + differing(1),
            first => first,
        };
        equal.min(self.len).min(other.len) as usize
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letters().try_for_each(|letter| f.write_char(letter))
    }
}

/// A text is not the moves to a subtree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a row of 1 to 64 moves U, D, L or R")]
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

/// A node above the subtrees, or a root of one.
#[derive(Clone, Copy)]
pub(super) struct Branch<W, const V: usize> {
    pub node: Node<W, V>,
    /// The moves that lead to it.
    pub prefix: Prefix,
    /// The nodes that a search in the iteration's order has counted, at the levels above, before
    /// this node.
    pub above: Count,
}

/// The roots of an iteration's subtrees, in their order.
pub(super) struct Frontier<W, const V: usize> {
    pub branches: Vec<Branch<W, V>>,
    /// Nodes generated and expanded above the subtrees.
    pub above: Count,
}

impl<W, const V: usize> SubtreeRoot for Branch<W, V> {
    fn above(&self) -> Count {
        self.above
    }

    fn path(&self) -> impl Iterator<Item = Move> {
        self.prefix.moves().map(Move::numbered)
    }
}

impl<W: Copy + Default + Send + Sync, const V: usize> Frontier<W, V> {
    /// Splits the tree below `root`. A `symmetric` root equals its mirror image: half of its moves
    /// are enough, as a solution or its mirror image begins with the lesser of a move and its
    /// mirror image. `last` is the number of nodes of the iteration before.
    ///
    /// # Safety
    /// - `root` is a node of `expander`.
    pub unsafe fn split<S: Space<View = W>>(
        expander: &Expander<'_, S, V>,
        root: Node<W, V>,
        symmetric: bool,
        last: u64,
        order: Order,
    ) -> Frontier<W, V> {
        let mut level =
            vec![Branch { node: root, prefix: Prefix::default(), above: Count::default() }];
        let mut total = Count::default();
        let mut depth = 0;
        while !order.is_split(last, depth, level.len()) {
            let kind = if symmetric && depth == 0 { Kind::Half } else { Kind::Whole };
            // SAFETY: the nodes are the root or descend from it.
            let part = |branches: &[Branch<W, V>]| unsafe { below(expander, branches, kind) };
            let (next, sum) = if level.len() < 2 * PART {
                part(&level)
            } else {
                let parts = map_chunks(&level, PART, |_, branches| part(branches));
                // A large level takes much memory.
                drop(level);
                joined(parts)
            };
            total = total + sum;
            level = next;
            depth += 1;
        }
        if order == Order::BestFirst {
            // All roots that are not goals have the same depth, so a smaller h leaves more slack.
            let slacks: Vec<u32> = level.iter().map(|branch| branch.node.least_slack()).collect();
            let sorted = descending(&slacks).into_iter();
            level = sorted.map(|i| Branch { above: total, ..level[i as usize] }).collect();
        }
        Frontier { branches: level, above: total }
    }

    /// The moves to each subtree, and the slack at its root.
    pub fn prefixes(&self) -> impl Iterator<Item = (Prefix, u32)> {
        self.branches.iter().map(|branch| (branch.prefix, branch.node.least_slack()))
    }

    /// The subtrees with these prefixes alone. The nodes above them are not counted. `None` if
    /// the search prunes one of them.
    ///
    /// # Safety
    /// - `root` is a node of `expander`.
    pub unsafe fn of<S: Space<View = W>>(
        expander: &Expander<'_, S, V>,
        root: Node<W, V>,
        prefixes: &[Prefix],
    ) -> Option<Frontier<W, V>> {
        let mut children = Children::<S, OneByOne<S>, V, V>::new();
        let mut branches = Vec::with_capacity(prefixes.len());
        // The nodes on the way to the last subtree: most subtrees share most of it with the next.
        let mut nodes = vec![root];
        let mut before = Prefix::default();
        for prefix in prefixes {
            nodes.truncate(before.shared(prefix) + 1);
            for m in prefix.moves().skip(nodes.len() - 1) {
                let node = nodes.last()?;
                children.add(node, expander.row(node), 0);
                let mut found = None;
                // SAFETY: the node is the root or descends from it, and the moves are all of its row.
                unsafe {
                    children.begin(expander);
                    children.finish(|_, child| {
                        let child = child.node();
                        if child.last() == m && !child.pruned() {
                            found = Some(child);
                        }
                    });
                }
                nodes.push(found?);
            }
            let node = *nodes.last()?;
            branches.push(Branch { node, prefix: *prefix, above: Count::default() });
            before = *prefix;
        }
        Some(Frontier { branches, above: Count::default() })
    }

    /// Splits the subtrees further, into at least this many unless their trees or their prefixes do
    /// not allow it. They are in the order of a depth-first search of one subtree after the other, and
    /// all nodes above them are above some of them.
    ///
    /// # Safety
    /// - The subtrees are of `expander`.
    pub unsafe fn deepened<S: Space<View = W>>(
        mut self,
        expander: &Expander<'_, S, V>,
        wanted: usize,
    ) -> Frontier<W, V> {
        while self.branches.len() < wanted {
            // SAFETY: the caller vouches for the subtrees.
            let (branches, sum) = unsafe { below(expander, &self.branches, Kind::Inner) };
            if sum == Count::default() {
                break;
            }
            self.branches = branches;
            self.above = self.above + sum;
        }
        self
    }

    /// The subtrees that a depth-first search of a subtree has not begun when it is at the end of the
    /// one with the prefix `end`, in its order. `None` if the search prunes that one.
    ///
    /// # Safety
    /// - `root` is a subtree's root of `expander`.
    pub unsafe fn after<S: Space<View = W>>(
        expander: &Expander<'_, S, V>,
        root: Branch<W, V>,
        end: &Prefix,
    ) -> Option<Vec<Branch<W, V>>> {
        let mut later = Vec::new();
        let mut branch = root;
        while branch.prefix != *end {
            // SAFETY: the branch is the root or descends from it.
            let (children, _) = unsafe { below(expander, &[branch], Kind::Inner) };
            let at = children.iter().position(|child| child.prefix.begins(end))?;
            if children[at].prefix == branch.prefix {
                return None;
            }
            branch = children[at];
            later.push(children.into_iter().skip(at + 1));
        }
        // The deepest ones come first.
        Some(later.into_iter().rev().flatten().collect())
    }
}

/// The children of a branch that become subtrees.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// All.
    Whole,
    /// Those by the lesser of a move and its mirror image.
    Half,
    /// All. A branch without children stays, and its nodes are not counted; so does one whose prefix has
    /// no room.
    Inner,
}

/// The children of some branches, and the nodes counted. A goal stays where it is.
///
/// # Safety
/// - The branches' nodes are those of `expander`.
unsafe fn below<S: Space, const V: usize>(
    expander: &Expander<'_, S, V>,
    branches: &[Branch<S::View, V>],
    kind: Kind,
) -> (Vec<Branch<S::View, V>>, Count) {
    let mut next = Vec::with_capacity(3 * branches.len());
    let mut sum = Count::default();
    let mut children = Children::<S, OneByOne<S>, V, V>::new();
    let mut survivors = Vec::with_capacity(CHILDREN * BATCH);
    let stays =
        |branch: &Branch<S::View, V>| branch.prefix.room() == 0 || expander.is_goal(&branch.node);
    for branches in branches.chunks(BATCH) {
        let mut counts = [0; BATCH];
        for ((count, branch), tag) in counts.iter_mut().zip(branches).zip(0..) {
            if !stays(branch) {
                *count = children.add(&branch.node, expander.row(&branch.node), tag);
            }
        }
        survivors.clear();
        // SAFETY: the caller vouches for the nodes, and the moves are all of their rows.
        unsafe {
            children.begin(expander);
            children.finish(|tag, child| {
                if !child.pruned() {
                    survivors.push((tag, child.node()));
                }
            });
        }
        let mut rest = &survivors[..];
        for ((branch, count), tag) in branches.iter().zip(counts).zip(0..) {
            if stays(branch) {
                next.push(Branch { above: branch.above + sum, ..*branch });
                continue;
            }
            let end = rest.iter().position(|&(of, _)| of != tag).unwrap_or(rest.len());
            let (own, others) = rest.split_at(end);
            rest = others;
            if own.is_empty() && kind == Kind::Inner {
                next.push(Branch { above: branch.above + sum, ..*branch });
                continue;
            }
            let half = kind == Kind::Half;
            let generated = if half { count.div_ceil(2) } else { count };
            sum = sum + Count { generated: generated as u64, expanded: 1 };
            let is_made = |m: usize| !half || m < Move::ALL[m].transposed() as usize;
            // The last one is searched first: see `Moves`.
            let own = own.iter().rev().filter(|(_, node)| is_made(node.last()));
            next.extend(own.map(|&(_, node)| Branch {
                node,
                prefix: branch.prefix.with(node.last()),
                above: branch.above + sum,
            }));
        }
    }
    (next, sum)
}

/// The parts of a level, one after the other.
fn joined<W, const V: usize>(parts: Vec<(Vec<Branch<W, V>>, Count)>) -> (Vec<Branch<W, V>>, Count) {
    let mut level = Vec::with_capacity(parts.iter().map(|(part, _)| part.len()).sum());
    let mut total = Count::default();
    for (part, sum) in parts {
        level.extend(part.into_iter().map(|b| Branch { above: b.above + total, ..b }));
        total = total + sum;
    }
    (level, total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_text() {
        let prefix = |text: &str| text.parse::<Prefix>();
        let longest = "UDLR".repeat(16);
        let other = format!("{}L", &longest[..40]);
        for text in ["U", "DLRU", &longest[..32], &longest[..33], &longest] {
            assert_eq!(prefix(text).unwrap().to_string(), text);
        }
        for text in ["", "X", "U D", &"U".repeat(65)] {
            assert!(prefix(text).is_err(), "{text}");
        }
        for (a, b, shared) in [
            ("UDL", "UDR", 2),
            ("UU", "UUU", 2),
            ("D", "U", 0),
            ("DD", "DD", 2),
            (&longest, &longest[..31], 31),
            (&longest[..33], &longest, 33),
            (&longest, &other, 40),
            (&longest, &longest, 64),
        ] {
            let (a, b) = (prefix(a).unwrap(), prefix(b).unwrap());
            assert_eq!(a.shared(&b), shared, "{a} {b}");
            assert_eq!(a.begins(&b), a.to_string().len() == shared, "{a} {b}");
        }
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
