//! The tree of a position in some views: split into the subtrees of an iteration, and searched.
//!
//! A [`Tree`] owns its root and its expander, so every node below is one of that expander. The unchecked
//! look-ups of the search rest on this: [`Tree::new`] states the conditions that its caller vouches for, and
//! no other code here needs such conditions.

use std::cmp::Reverse;

use super::estimate::{GROWTH, estimated, weight};
use super::frontier::{self, Order, Prefix, Roots};
use super::race::{Race, Receive, is_parallel};
use crate::board::{Move, Moves};
use crate::parallel::{map_chunks, on_threads};
use crate::search::fast::{Crew, End, Expander, MAX_DEPTH, MAX_SLACK, Meta, Node, Source, Space};
use crate::search::moves::{Steps, number_of_steps};
use crate::search::run::{Count, Event, Limits, Outcome, Record, Stop, Threshold};

/// Larger levels are split into parts of this many branches, on all threads.
const PART: usize = 4096;

/// The moves below a branch at whose nodes its subtree is weighed. The slack of the branch alone does not tell
/// how many of its children the search prunes.
const WEIGHED: usize = 4;

/// A position in the views of an expander.
pub(crate) struct ViewedPosition<S: Space, const V: usize> {
    pub views: [S::View; V],
    /// The heuristic's value in each view.
    pub values: [u32; V],
    pub automaton: u16,
    pub symmetric: bool,
}

impl<S: Space, const V: usize> ViewedPosition<S, V> {
    /// The heuristic's value: the largest of these views.
    pub fn value(&self) -> u32 {
        self.values.into_iter().max().unwrap_or(0)
    }

    /// The root of an iteration; `None` if the threshold exceeds the limit of a lane.
    pub fn node(&self, threshold: u32) -> Option<Node<S::View, V>> {
        let slack = self.values.map(|value| threshold.saturating_sub(value) / 2);
        (threshold as usize <= MAX_DEPTH && slack.iter().all(|&s| s <= MAX_SLACK))
            .then(|| self.node_with(slack))
    }

    /// The root of a search with this slack in each view.
    pub fn node_with(&self, slack: [u32; V]) -> Node<S::View, V> {
        Node { views: self.views, meta: Meta::new(self.automaton, slack) }
    }
}

/// A node above the subtrees, or a root of one.
#[derive(Clone, Copy)]
pub(crate) struct Branch<W, const V: usize> {
    node: Node<W, V>,
    /// The moves that lead to it.
    prefix: Prefix,
    /// The nodes that a search in the iteration's order has counted, at the levels above, before
    /// this node.
    above: Count,
}

impl<W, const V: usize> Branch<W, V> {
    fn root(node: Node<W, V>) -> Branch<W, V> {
        Branch { node, prefix: Prefix::default(), above: Count::default() }
    }

    /// The moves that lead to it, and further moves.
    fn path(&self, below: impl IntoIterator<Item = Move>) -> impl Iterator<Item = Move> {
        self.prefix.moves().map(Move::numbered).chain(below)
    }
}

/// The roots of an iteration's subtrees, in their order, and the nodes above the subtrees.
type Frontier<W, const V: usize> = (Vec<Branch<W, V>>, Count);

/// The tree of a position.
pub(crate) struct Tree<'a, S: Space, const V: usize> {
    expander: Expander<'a, S, V>,
    root: ViewedPosition<S, V>,
    /// The lanes of the thread that searches it, made when they are first wanted.
    crew: Option<Crew<S, V>>,
}

/// A path longer than any threshold, from the root of the tree: a table is damaged.
pub(crate) struct Endless(pub Vec<Move>);

/// The nodes of a subtree, by the moves to its root.
pub(crate) type Sizes = Vec<(Prefix, u64)>;

/// The results of subtrees that were searched up to the first solution.
pub(crate) struct SubtreeResults {
    /// The nodes of each.
    pub counts: Vec<Count>,
    /// The solution, from the root of the tree on, or the reason to stop.
    pub outcome: Outcome,
}

/// The fewest nodes of a threshold whose subtrees are measured.
const MEASURED: u64 = 1_000_000;

/// Subtrees with at least this part of the nodes of their threshold are measured.
const PARTS: u64 = 1 << 16;

/// A tree, whatever its views are.
pub(crate) trait AnyTree {
    /// The heuristic's value of the root.
    fn value(&self) -> u32;

    /// Searches the threshold of a record, and keeps its finished subtrees there. A threshold without a
    /// solution is exhausted unless the outcome has the reason of a stop: then the record turns to the next
    /// one, and `sizes` receives the nodes of the large subtrees. If `all` is given, it receives all solutions
    /// that the automaton permits, in any order, and none ends the search.
    fn iterate(
        &mut self,
        record: &mut Record,
        order: Order,
        limits: &Limits,
        sizes: &mut Sizes,
        all: Option<&Receive<'_>>,
    ) -> Result<Outcome, Endless>;

    /// Divides the threshold of a record, from the end of its row on, into subtrees that are expected to have
    /// at most `most` nodes. `sizes` are the nodes of subtrees in the threshold before.
    fn divide(&self, record: &Record, order: Order, most: f64, sizes: &Sizes) -> Roots;

    /// Searches subtrees with these prefixes up to the first solution. `None` if the search prunes one of them.
    fn search(
        &mut self,
        threshold: &Threshold,
        prefixes: &[Prefix],
        limits: &Limits,
    ) -> Result<Option<SubtreeResults>, Endless>;
}

impl<'a, S: Space, const V: usize> Tree<'a, S, V> {
    /// The tree below a root.
    ///
    /// # Safety
    /// - The root is a solvable position of the expander's goal in the views of the expander, with the
    ///   state of the blank's cell in the expander's automaton.
    pub unsafe fn new(expander: Expander<'a, S, V>, root: ViewedPosition<S, V>) -> Tree<'a, S, V> {
        Tree { expander, root, crew: None }
    }

    /// Splits the tree below `node`, the root. If it is `symmetric`, it equals its mirror image, and so the mirror
    /// image of a solution is a solution. One of both begins with the lesser of a move and the transposed move,
    /// so only lesser moves are made there. `last` is the number of nodes of the iteration before.
    fn split(
        &self,
        node: Node<S::View, V>,
        symmetric: bool,
        last: u64,
        order: Order,
    ) -> Frontier<S::View, V> {
        let expander = &self.expander;
        let mut level = vec![Branch::root(node)];
        let mut total = Count::default();
        let mut depth = 0;
        while !order.is_split(last, depth, level.len()) {
            let half = symmetric && depth == 0;
            let parts = map_chunks(&level, PART, |_, part| Self::below(expander, part, half));
            // A large level takes much memory: the old one is dropped before the next one is filled.
            level = Vec::with_capacity(parts.iter().map(|(part, _)| part.len()).sum());
            let mut before = Count::default();
            for (part, sum) in parts {
                level.extend(part.into_iter().map(|b| Branch { above: b.above + before, ..b }));
                before = before + sum;
            }
            total = total + before;
            depth += 1;
        }
        if order == Order::BestFirst {
            // All roots that are not goals have the same depth, so a smaller h leaves more slack.
            level.sort_by_cached_key(|branch| Reverse(branch.node.least_slack()));
            level.iter_mut().for_each(|branch| branch.above = total);
        }
        (level, total)
    }

    /// The children of some branches, by the lesser of a move and its mirror image if `half` are wanted,
    /// and the nodes counted. A goal stays where it is.
    fn below(
        expander: &Expander<'_, S, V>,
        branches: &[Branch<S::View, V>],
        half: bool,
    ) -> Frontier<S::View, V> {
        let steps = |branch: &Branch<S::View, V>| {
            let mut steps = Steps::default();
            if !expander.is_goal(&branch.node) {
                let is_made = |m: usize| !half || m < Move::ALL[m].transposed() as usize;
                // The last one is searched first: see `StepTable`.
                let made = expander.steps(&branch.node).iter().rev().copied();
                let made = made.filter(|step| !step.is_none() && is_made(step.m()));
                steps.iter_mut().zip(made).for_each(|(place, step)| *place = step);
            }
            steps
        };
        let parents: Vec<_> = branches.iter().map(|branch| (&branch.node, steps(branch))).collect();
        let mut children = Vec::with_capacity(2 * parents.len());
        let take = |number: usize, child| children.push((number, child));
        // SAFETY: the nodes are the root or descend from it.
        unsafe { expander.children(parents.iter().copied(), take) };
        let mut next = Vec::with_capacity(children.len());
        let mut children = children.into_iter().peekable();
        let mut sum = Count::default();
        for (number, (branch, (_, steps))) in branches.iter().zip(&parents).enumerate() {
            if expander.is_goal(&branch.node) {
                next.push(Branch { above: branch.above + sum, ..*branch });
                continue;
            }
            sum = sum + Count { generated: number_of_steps(steps) as u64, expanded: 1 };
            while let Some((_, node)) = children.next_if(|&(of, _)| of == number) {
                let prefix = branch.prefix.with(node.meta.last());
                next.push(Branch { node, prefix, above: branch.above + sum });
            }
        }
        (next, sum)
    }

    /// Adds the subtrees with these prefixes, which begin with the moves to a branch. `None` if the search
    /// prunes one of them.
    fn reach(
        &self,
        branch: &Branch<S::View, V>,
        prefixes: &[Prefix],
        reached: &mut Vec<Branch<S::View, V>>,
    ) -> Option<()> {
        let next = |prefix: &Prefix| prefix.moves().nth(branch.prefix.len());
        let mut children = Vec::new();
        for prefixes in prefixes.chunk_by(|a, b| next(a) == next(b)) {
            let Some(m) = next(&prefixes[0]) else {
                reached.extend(prefixes.iter().map(|_| *branch));
                continue;
            };
            if children.is_empty() {
                (children, _) = Self::below(&self.expander, &[*branch], false);
            }
            let prefix = branch.prefix.with(m);
            let child = children.iter().find(|child| child.prefix == prefix)?;
            self.reach(child, prefixes, reached)?;
        }
        Some(())
    }

    /// Searches all subtrees of a race, as [`Race::run`] describes, which is one of branches of this tree.
    /// Returns the number of the subtree that holds the solution. `last` is the number of nodes of the
    /// iteration before.
    fn race(
        &mut self,
        race: &mut Race<'_, Branch<S::View, V>>,
        last: u64,
        outcome: &mut Outcome,
    ) -> Result<Option<usize>, Endless> {
        let (expander, crew) = (&self.expander, self.crew.get_or_insert_with(Crew::new));
        let winner = race.run(outcome, |mut race| {
            if is_parallel(last) {
                // SAFETY: the subtrees' roots descend from the root, which is a node of the expander.
                on_threads(race.len(), &|| unsafe { Crew::new().run(expander, &mut &*race) });
            } else {
                // SAFETY: as above.
                unsafe { crew.run(expander, &mut race) };
            }
        });
        race.endless.take().map(Endless).map_or(Ok(()), Err)?;
        Ok(winner.map(|(winner, below)| {
            outcome.path = Some(race.root(winner).path(&below).collect());
            winner
        }))
    }

    /// The nodes that branches are expected to have, in any unit: what the slacks [`WEIGHED`] moves below tell.
    fn weights(expander: &Expander<'_, S, V>, branches: &[Branch<S::View, V>]) -> Vec<f64> {
        let mut level: Vec<_> = branches.iter().map(|branch| branch.node).enumerate().collect();
        for _ in 0..WEIGHED {
            level.retain(|(_, node)| !expander.is_goal(node));
            let mut children = Vec::with_capacity(2 * level.len());
            let parents = level.iter().map(|(_, node)| (node, *expander.steps(node)));
            let take = |number: usize, child| children.push((level[number].0, child));
            // SAFETY: the nodes are the root or descend from it.
            unsafe { expander.children(parents, take) };
            level = children;
        }
        // A subtree that ends before has few nodes, not none, and the sum of weights is not 0.
        let mut weights = vec![weight(0) / GROWTH; branches.len()];
        level.iter().for_each(|(of, node)| weights[*of] += weight(node.least_slack()));
        weights
    }

    /// Divides branches that are expected to have more than `most` nodes. `sum` are the nodes above the
    /// branches that were divided before.
    fn deepened(
        &self,
        branch: Branch<S::View, V>,
        expected: f64,
        most: f64,
        sum: &mut Count,
        shares: &mut Vec<(Branch<S::View, V>, f64)>,
    ) {
        if expected <= most || branch.prefix.is_full() || self.expander.is_goal(&branch.node) {
            shares.push((Branch { above: branch.above + *sum, ..branch }, expected));
            return;
        }
        let (children, counted) = Self::below(&self.expander, &[branch], false);
        *sum = *sum + counted;
        let weights = Self::weights(&self.expander, &children);
        let total: f64 = weights.iter().sum();
        for (child, weight) in children.into_iter().zip(weights) {
            let expected = expected * weight / total;
            self.deepened(Branch { above: branch.above, ..child }, expected, most, sum, shares);
        }
    }
}

impl<S: Space, const V: usize> AnyTree for Tree<'_, S, V> {
    fn value(&self) -> u32 {
        self.root.value()
    }

    fn iterate(
        &mut self,
        record: &mut Record,
        order: Order,
        limits: &Limits,
        sizes: &mut Sizes,
        all: Option<&Receive<'_>>,
    ) -> Result<Outcome, Endless> {
        let Threshold { bound, generated, expanded, .. } = record.threshold;
        let mut outcome = Outcome { generated, expanded, ..Outcome::default() };
        // The nodes are counted together with the nodes of subtrees finished before.
        let Some(node) = self.root.node(bound) else {
            outcome.stopped = Some(Stop::Moves);
            return Ok(outcome);
        };
        outcome.stopped = limits.check(0);
        if outcome.stopped.is_some() {
            return Ok(outcome);
        }
        let last = record.threshold.last();
        // Both halves of a symmetric board have solutions.
        let symmetric = self.root.symmetric && all.is_none();
        let (branches, above) = self.split(node, symmetric, last, order);
        let mut race = Race::new(branches, |branch| branch.above, above, limits);
        race.all = all;
        race.restore(record);
        limits.report(&Event::Threshold(&record.threshold));
        self.race(&mut race, last, &mut outcome)?;
        if outcome.path.is_none() && outcome.stopped.is_none() {
            // A limit may be reached all the same; the bound is then not used.
            outcome.stopped = limits.check(outcome.generated);
        }
        if outcome.path.is_some() || outcome.stopped.is_some() {
            record.add(race.finished(record.row));
            return Ok(outcome);
        }
        sizes.clear();
        let nodes = outcome.generated - generated;
        if nodes >= MEASURED {
            let all = (0..race.len()).map(|i| (race.root(i).prefix, race.nodes(i).generated));
            sizes.extend(all.filter(|&(_, of)| of >= nodes / PARTS));
        }
        record.advance(outcome.generated, outcome.expanded, race.len());
        Ok(outcome)
    }

    fn divide(&self, record: &Record, order: Order, most: f64, sizes: &Sizes) -> Roots {
        let Record { threshold, row, .. } = record;
        let Some(node) = self.root.node(threshold.bound) else { return Roots::default() };
        let symmetric = self.root.symmetric;
        let (branches, above) = self.split(node, symmetric, threshold.last(), order);
        let branches = branches.get(*row..).unwrap_or_default();
        let expander = &self.expander;
        let weights = map_chunks(branches, PART, |_, part| Self::weights(expander, part)).concat();
        let frontier: Vec<_> = branches.iter().map(|branch| branch.prefix).zip(weights).collect();
        let expected = estimated(&frontier, sizes, threshold.last() as f64 * GROWTH);
        let (mut sum, mut deepened) = (Count::default(), Vec::with_capacity(frontier.len()));
        for (branch, expected) in branches.iter().zip(expected) {
            self.deepened(*branch, expected, most, &mut sum, &mut deepened);
        }
        let mut before = Count::default();
        let share = |(branch, expected): (Branch<_, V>, f64)| {
            let above = branch.above.since(std::mem::replace(&mut before, branch.above));
            (frontier::Root { prefix: branch.prefix, above }, expected)
        };
        let roots = deepened.into_iter().map(share).collect();
        Roots { roots, rest: (above + sum).since(before) }
    }

    fn search(
        &mut self,
        threshold: &Threshold,
        prefixes: &[Prefix],
        limits: &Limits,
    ) -> Result<Option<SubtreeResults>, Endless> {
        let mut branches = Vec::with_capacity(prefixes.len());
        let root = self.root.node(threshold.bound).map(Branch::root);
        if root.and_then(|root| self.reach(&root, prefixes, &mut branches)).is_none() {
            return Ok(None);
        }
        let mut race = Race::new(branches, |_| Count::default(), Count::default(), limits);
        let mut outcome = Outcome::default();
        let winner = self.race(&mut race, threshold.last(), &mut outcome)?;
        let searched = winner.map_or(race.len(), |winner| winner + 1);
        let counts = (0..searched).map(|number| race.nodes(number)).collect();
        Ok(Some(SubtreeResults { counts, outcome }))
    }
}

/// The moves of a lane's path.
pub(crate) fn moves(path: &[u8]) -> impl Iterator<Item = Move> {
    path.iter().map(|&m| Move::numbered(m.into()))
}

/// Supplies the lanes of all threads with subtrees.
impl<W: Copy + Default + Send + Sync, const V: usize> Source<W, V> for &Race<'_, Branch<W, V>> {
    fn next(&mut self, _idle: bool) -> Option<(usize, Node<W, V>)> {
        let (name, branch) = Race::next(self)?;
        Some((name, branch.node.as_root()))
    }

    fn done(&mut self, name: usize, count: Count, end: End<'_>) -> bool {
        let whole = |below| self.root(name).path(moves(below)).collect::<Vec<_>>();
        let solution: Option<Moves> = match (end, self.all) {
            (End::Exhausted, _) => None,
            (End::Solved(path), None) => Some(moves(path).collect()),
            (End::Solved(path), Some(receive)) => {
                if !receive(&whole(path)) {
                    self.give_up();
                }
                return true;
            }
            (End::Endless(path), _) => {
                self.endless.get_or_init(|| whole(path));
                self.give_up();
                return false;
            }
        };
        self.finish(name, count, solution);
        false
    }

    fn dropped(&mut self, name: usize, generated: u64) -> bool {
        !self.goes_on(name, generated)
    }
}
