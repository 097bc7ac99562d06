//! A threshold of a search in parts, which any number of programs search.
//!
//! A part is a contiguous range of the threshold's subtrees, named by their [`Prefix`]es. Its result is the
//! same wherever it is searched. Joined in a [`Record`](super::Record), the results of all parts are
//! those of a search that was not divided: [`Engine::resume`] turns them into its answer.

use super::engine::{Engine, EngineSearch, Prepared, Spaces, with_space, with_views};
use super::expand::{Expander, Node};
use super::frontier::{Branch, Frontier, Order, Prefix};
use super::iteration;
use super::lanes::Crew;
use super::race::{Count, Race};
use super::space::Space;
use super::{Control, Journal, Outcome, Record, SearchError, Threshold};
use crate::board::{Moves, Position};

/// The result of a part: the nodes up to the first solution, or of all subtrees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Part {
    /// The nodes generated.
    pub generated: u64,
    /// The nodes expanded.
    pub expanded: u64,
    /// The first solution, if there is one.
    pub solution: Option<Found>,
}

/// The solution that a part holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Found {
    /// The nodes generated and expanded above the subtrees, up to this one: in a depth-first
    /// threshold fewer than all.
    pub above: Option<[u64; 2]>,
    /// The moves on the canonical board, from the position to the goal.
    pub moves: Moves,
}

/// A place in the search of subtrees, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The number of a subtree.
    pub subtree: usize,
    /// The moves to the node within it that comes next; `None` if that is its root.
    pub within: Option<Prefix>,
}

/// A stretch of some subtrees, up to the next one or to their end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Where it begins.
    pub begin: Place,
    /// Its nodes.
    pub content: Content,
}

/// The content of a [`Stretch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// It was searched.
    Searched(Part),
    /// It is left to others.
    Left {
        /// The number of roots that lie within the first subtree.
        inner: usize,
        /// The moves to each root, in the order of the search, and the slack there.
        prefixes: Vec<(Prefix, u32)>,
    },
}

/// The roots of a threshold's subtrees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// The moves to each, in the order of the search, and the slack there: half of the amount by
    /// which h may be too low. A subtree with one unit more has several times the nodes.
    pub prefixes: Vec<(Prefix, u32)>,
    /// The nodes generated and expanded above them.
    pub above: [u64; 2],
}

impl Engine {
    /// Splits a threshold into its subtrees, on the current rayon thread pool.
    ///
    /// There are at most about a million subtrees, which take 350 MB meanwhile.
    ///
    /// # Errors
    /// [`SearchError::Record`] if the threshold is not one of a search for this position with these
    /// tables; [`SearchError::Broken`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position is one of another goal.
    pub fn split(&self, position: &Position, threshold: &Threshold) -> Result<Roots, SearchError> {
        self.check_record(position, &Record::new(threshold.clone()))?;
        with_space!(self, threshold.views.as_slice(), |prepared, views| {
            self.split_with(views, prepared, position, threshold)
        })
    }

    /// Searches rows of subtrees of a threshold in the order of their prefixes, on the current rayon
    /// thread pool. `journal` receives the progress. Returns the stretches of each row.
    ///
    /// Without a `pause`, each row is one stretch, which does not depend on the number of threads. With
    /// one, the search ends after about that many nodes, and leaves stretches: those that were searched
    /// and those that are left, searched later, have the nodes and the first solution of the whole. On
    /// one thread the same stretches are left each time. If there is a solution, none are.
    ///
    /// # Errors
    /// As [`Engine::split`]; [`SearchError::Record`] if the search prunes one of the subtrees;
    /// [`SearchError::Stopped`] if a limit ends the search.
    ///
    /// # Panics
    /// If the position is one of another goal.
    pub fn search_part(
        &self,
        position: &Position,
        threshold: &Threshold,
        rows: &[Vec<Prefix>],
        pause: Option<u64>,
        control: &Control,
        journal: &dyn Journal,
    ) -> Result<Vec<Vec<Stretch>>, SearchError> {
        self.check_record(position, &Record::new(threshold.clone()))?;
        with_space!(self, threshold.views.as_slice(), |prepared, views| {
            self.part_with(views, prepared, position, threshold, rows, pause, control, journal)
        })
    }

    /// The threshold that follows one whose subtrees hold no solution, with the views chosen for
    /// it. `record` has all of the `subtrees` in its row, and `above` is that of [`Roots`].
    ///
    /// # Errors
    /// As [`Engine::split`]; [`SearchError::Record`] if the record is not that of a whole threshold;
    /// [`SearchError::Stopped`] if the choice of views was stopped.
    ///
    /// # Panics
    /// If the position is one of another goal.
    pub fn exhausted(
        &self,
        position: &Position,
        mut record: Record,
        subtrees: usize,
        above: [u64; 2],
        control: &Control,
    ) -> Result<Threshold, SearchError> {
        self.check_record(position, &record)?;
        let Threshold { generated, expanded, .. } = record.threshold;
        let sum = |numbers: [u64; 3]| numbers.into_iter().try_fold(0, u64::checked_add);
        let generated = sum([generated, record.generated, above[0]]).ok_or(SearchError::Record)?;
        let expanded = sum([expanded, record.expanded, above[1]]).ok_or(SearchError::Record)?;
        if record.row != subtrees || !record.beyond.is_empty() {
            return Err(SearchError::Record);
        }
        record.advance(generated, expanded, subtrees);
        self.check_record(position, &record)?;
        let mut threshold = record.threshold;
        if self.choice_is_due(&threshold) {
            let stop = with_space!(self, |prepared| {
                let root = self.root(prepared, position, self.first_views())?;
                let mut search = EngineSearch { prepared, position, root, control, journal: &() };
                self.choose(&mut search, &mut threshold)
            })?;
            if let Some(stop) = stop {
                return Err(SearchError::Stopped(stop));
            }
        }
        Ok(threshold)
    }

    fn split_with<S: Space, const V: usize>(
        &self,
        views: [usize; V],
        prepared: &Prepared<S>,
        position: &Position,
        threshold: &Threshold,
    ) -> Result<Roots, SearchError> {
        let root = self.root(prepared, position, &views)?;
        let node = root.node(views, threshold.bound).ok_or(SearchError::Record)?;
        let expander = self.expander(prepared, views);
        let (last, order) = (threshold.last(), self.order(threshold));
        // SAFETY: the root is a position of this engine's goal in these views.
        let frontier = unsafe { Frontier::split(&expander, node, root.symmetric, last, order) };
        Ok(Roots { prefixes: frontier.prefixes().collect(), above: frontier.above.into() })
    }

    #[allow(clippy::too_many_arguments, reason = "the macros choose the first two")]
    fn part_with<S: Space, const V: usize>(
        &self,
        views: [usize; V],
        prepared: &Prepared<S>,
        position: &Position,
        threshold: &Threshold,
        rows: &[Vec<Prefix>],
        pause: Option<u64>,
        control: &Control,
        journal: &dyn Journal,
    ) -> Result<Vec<Vec<Stretch>>, SearchError> {
        let root = self.root(prepared, position, &views)?;
        let node = root.node(views, threshold.bound).ok_or(SearchError::Record)?;
        let expander = self.expander(prepared, views);
        // SAFETY: the root is a position of this engine's goal in these views.
        let frontier = unsafe { Frontier::of(&expander, node, &rows.concat()) };
        let mut frontier = frontier.ok_or(SearchError::Record)?;
        if let Some(nodes) = pause {
            let wanted = (nodes / 64).clamp(64, MOST_INNER) as usize;
            // SAFETY: the frontier is of this expander.
            frontier = unsafe { frontier.deepened(&expander, wanted) };
        }
        let mut race = Race::new(frontier.branches, frontier.above, control, journal);
        if let Some(nodes) = pause {
            race.pause_after(nodes);
        }
        let (last, order) = (threshold.last(), self.order(threshold));
        let (mut crew, mut outcome) = (Crew::new(), Outcome::default());
        let nodes = control.nodes();
        // SAFETY: the frontier is of this expander.
        let end = unsafe {
            iteration::search(&mut race, &expander, &mut crew, last, nodes, None, &mut outcome)
        };
        let winner = end.map_err(|endless| self.blame(position, &views, &endless))?;
        if let Some(stop) = outcome.stopped {
            return Err(SearchError::Stopped(stop));
        }
        // Without a pause nothing is left.
        let first_left = race.first_left().unwrap_or(usize::MAX);
        let (mut limit, mut solution) = (race.begun(), None);
        if let Some((moves, winner)) = outcome.path.zip(winner) {
            // A solution that comes after something that is left may not be the first one. What is left
            // of its own subtree comes after it.
            limit = if winner <= first_left { usize::MAX } else { winner };
            let above = (order == Order::DepthFirst).then(|| {
                // SAFETY: as above.
                let whole =
                    unsafe { Frontier::split(&expander, node, root.symmetric, last, order) };
                let prefix = &race.root(winner).prefix;
                let found = whole.branches.iter().find(|branch| branch.prefix.begins(prefix));
                found.map_or(whole.above, |branch| branch.above).into()
            });
            solution = Some((winner, Found { above, moves })).filter(|_| winner <= first_left);
        }
        let above = Count::default();
        let mut division = Division { race: &race, limit, solution, above, next: 0, at_end: false };
        // SAFETY: the root and the race are of this expander.
        let rows = rows.iter().map(|row| unsafe { division.row(&expander, node, row) });
        rows.collect::<Option<_>>().ok_or(SearchError::Record)
    }
}

/// A part that may pause is split into at least this many subtrees, unless it pauses soon: all lanes
/// have work then.
const MOST_INNER: u64 = 1 << 10;

/// The division of a race that has ended into stretches.
struct Division<'a, W, const V: usize> {
    race: &'a Race<'a, Branch<W, V>>,
    /// The first subtree that counts as not searched.
    limit: usize,
    /// The first solution, and the number of its subtree.
    solution: Option<(usize, Found)>,
    /// The nodes above the subtrees that are in a stretch.
    above: Count,
    /// The number of the next subtree.
    next: usize,
    /// All that follows is left.
    at_end: bool,
}

impl<W: Copy + Default + Send + Sync, const V: usize> Division<'_, W, V> {
    /// The stretches of the next row of subtrees, which the race may have split further. `None` if the
    /// search prunes one of them.
    ///
    /// # Safety
    /// - `root` is a node of `expander`, and the subtrees are below it.
    unsafe fn row<S: Space<View = W>>(
        &mut self,
        expander: &Expander<'_, S, V>,
        root: Node<W, V>,
        row: &[Prefix],
    ) -> Option<Vec<Stretch>> {
        if self.at_end {
            // SAFETY: the caller vouches for the root.
            let left = unsafe { Frontier::of(expander, root, row) }?.branches;
            return Some(vec![stretch_left(Place::default(), 0, &left)]);
        }
        let mut stretches = Vec::new();
        // The stretch that goes on.
        let mut open: Option<(Place, Part)> = None;
        let searched = |(begin, part)| Stretch { begin, content: Content::Searched(part) };
        for (subtree, prefix) in row.iter().enumerate() {
            let at = |node: &Prefix| Place {
                subtree,
                within: Some(*node).filter(|node| node != prefix),
            };
            let mut last: Option<Prefix> = None;
            while self.next < self.limit.min(self.race.len()) {
                let (number, branch) = (self.next, *self.race.root(self.next));
                if !prefix.begins(&branch.prefix) {
                    break;
                }
                // Nodes above it that are not above the one before come first.
                let place = at(&last.map_or(*prefix, |last| branch.prefix.to_difference(&last)));
                let (_, part) = open.get_or_insert((place, Part::default()));
                self.add(number, part);
                let left = self.race.take_left(number).filter(|_| self.solution.is_none());
                if let Some(left) = left {
                    let first = at(&left.first()?.prefix);
                    stretches.extend(open.take().map(searched));
                    stretches.push(stretch_left(first, left.len(), &left));
                }
                last = Some(branch.prefix);
                self.next += 1;
            }
            let at_limit = self.race.subtree(self.next).filter(|_| self.next >= self.limit);
            if at_limit.is_some_and(|branch| prefix.begins(&branch.prefix)) {
                self.at_end = true;
                stretches.extend(open.take().map(searched));
                // SAFETY: the caller vouches for the root.
                let (inner, left) = unsafe { after(expander, root, &row[subtree..], last) }?;
                let begin = left.first().map_or(*prefix, |first| first.prefix);
                stretches.push(stretch_left(at(&begin), inner, &left));
                return Some(stretches);
            }
        }
        stretches.extend(open.map(searched));
        Some(stretches)
    }

    /// Adds the nodes of a subtree, and of those above it that are not above an earlier one.
    fn add(&mut self, number: usize, part: &mut Part) {
        let winner = self.solution.as_ref().map_or(usize::MAX, |&(winner, _)| winner);
        if number > winner {
            return;
        }
        let above = self.race.root(number).above;
        let Count { generated, expanded } = self.race.nodes(number) + (above - self.above);
        self.above = above;
        part.generated += generated;
        part.expanded += expanded;
        if number == winner {
            part.solution = self.solution.as_ref().map(|(_, found)| found.clone());
        }
    }
}

fn stretch_left<W: Copy + Default, const V: usize>(
    begin: Place,
    inner: usize,
    left: &[Branch<W, V>],
) -> Stretch {
    let prefixes = left.iter().map(|branch| (branch.prefix, branch.node.least_slack())).collect();
    Stretch { begin, content: Content::Left { inner, prefixes } }
}

/// The subtrees of a row, without what comes up to the end of the one with the prefix `last`, which is
/// within the first. Returns the number of those that are within the first too. `None` if the search
/// prunes one of them.
///
/// # Safety
/// - `root` is a node of `expander`.
#[allow(clippy::type_complexity, reason = "a name would say no more")]
unsafe fn after<S: Space, const V: usize>(
    expander: &Expander<'_, S, V>,
    root: Node<S::View, V>,
    row: &[Prefix],
    last: Option<Prefix>,
) -> Option<(usize, Vec<Branch<S::View, V>>)> {
    // SAFETY: the caller vouches for the root.
    let mut whole = unsafe { Frontier::of(expander, root, row) }?.branches;
    let Some(last) = last else { return Some((0, whole)) };
    let first = (!whole.is_empty()).then(|| whole.remove(0))?;
    // SAFETY: the subtree's root descends from `root`.
    let mut left = unsafe { Frontier::after(expander, first, &last) }?;
    let inner = left.len();
    left.append(&mut whole);
    Some((inner, left))
}
