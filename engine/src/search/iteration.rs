//! One iteration of the deepening, in lanes and threads: a [`Race`] of the subtrees of a
//! [`Frontier`](super::frontier::Frontier).

use std::iter;
use std::sync::OnceLock;

use super::Outcome;
use super::expand::{Expander, Node};
use super::frontier::Branch;
use super::lanes::{Crew, End, Job, POLL, Report, Source};
use super::race::{Count, Race, SubtreeRoot, is_parallel};
use super::space::Space;
use crate::board::Move;

/// Receives the moves of a solution. Returns whether the search is to go on.
pub(super) type Receive<'a> = dyn Fn(&[Move]) -> bool + Sync + 'a;

/// A path longer than any threshold, from the root of the iteration: a table is damaged.
pub(super) struct Endless(pub Vec<Move>);

/// Searches all subtrees, as [`Race::run`] describes. `last` is the number of nodes of the iteration
/// before. If `all` is given, it receives all solutions, in any order, and none ends the race.
///
/// # Errors
/// [`Endless`] if a table is damaged.
///
/// # Safety
/// - The subtrees were split with `expander`.
pub(super) unsafe fn search<S: Space, const V: usize>(
    race: &mut Race<'_, Branch<S::View, V>>,
    expander: &Expander<'_, S, V>,
    crew: &mut Crew<S, V>,
    last: u64,
    budget: u64,
    all: Option<&Receive<'_>>,
    outcome: &mut Outcome,
) -> Result<Option<usize>, Endless> {
    let endless = OnceLock::new();
    let winner = race.run(budget, outcome, |race| {
        let racers = Racers { race, endless: &endless, all };
        if is_parallel(last) {
            // SAFETY: the subtrees' roots descend from the root, which is a node of `expander`.
            rayon::broadcast(|_| unsafe { Crew::new().run(expander, &mut &racers) });
        } else {
            // SAFETY: as above.
            unsafe { crew.run(expander, &mut &racers) };
        }
    });
    endless.into_inner().map_or(Ok(winner), |moves| Err(Endless(moves)))
}

/// The moves of a lane's path.
pub(super) fn moves(path: &[u8]) -> impl Iterator<Item = Move> {
    path.iter().map(|&m| Move::numbered(m.into()))
}

/// Supplies the lanes of all threads with subtrees.
struct Racers<'a, W, const V: usize> {
    race: &'a Race<'a, Branch<W, V>>,
    endless: &'a OnceLock<Vec<Move>>,
    all: Option<&'a Receive<'a>>,
}

impl<W: Copy + Default + Send + Sync, const V: usize> Source<W, V> for &Racers<'_, W, V> {
    fn next(&mut self, _idle: bool) -> Option<Job<W, V>> {
        let (name, branch) = self.race.next()?;
        Some(Job { root: branch.node.as_root(), name })
    }

    fn done(&mut self, report: Report<'_>) -> bool {
        let Report { name, generated, expanded, end } = report;
        let whole = |below| self.race.root(name).path().chain(moves(below)).collect::<Vec<_>>();
        let solution = match (end, self.all) {
            (End::Exhausted, _) => None,
            (End::Solved(path), None) => Some(moves(path).collect()),
            (End::Solved(path), Some(receive)) => {
                if !receive(&whole(path)) {
                    self.race.give_up();
                }
                return true;
            }
            (End::Endless(path), _) => {
                self.endless.get_or_init(|| whole(path));
                self.race.give_up();
                return false;
            }
        };
        self.race.finish(name, Count { generated, expanded }, solution);
        false
    }

    fn dropped(&mut self, name: usize, generated: u64) -> bool {
        !self.race.goes_on(name, generated)
    }

    fn leaves(&self, name: usize) -> Option<usize> {
        // Its root is not left: each stretch that is searched has nodes.
        let is_begun = self.race.nodes(name).generated > 0;
        let leaves = self.race.is_paused() && is_begun && !self.race.has_left(name);
        leaves.then(|| self.race.root(name).prefix.room())
    }

    fn left(&mut self, name: usize, nodes: &[Node<W, V>], path: &[u8]) {
        let root = self.race.root(name);
        let branch = |node: &Node<W, V>| {
            let above = path[1..node.depth()].iter().map(|&m| m.into());
            let below = above.chain(iter::once(node.last()));
            Branch { node: *node, prefix: root.prefix.then(below), above: Count::default() }
        };
        self.race.leave(name, nodes.iter().rev().map(branch).collect());
    }

    fn poll(&self) -> u64 {
        self.race.poll(POLL)
    }
}
