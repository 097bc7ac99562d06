//! The search of an engine: one threshold after the other, with the views of each.

use super::choice;
use super::views::{Engine, SearchError};
use crate::board::{Metric, Position};
use crate::pdb::BrokenTable;
use crate::search::fast::MAX_DEPTH;
use crate::search::run::{
    Count, Deepening, Limits, Outcome, Proof, Record, Searched, Stop, Threshold,
};
use crate::search::threshold::{AnyTree, Order, Sizes};

/// A search for an optimal solution with an engine, on the rayon thread pool that it is called on.
///
/// Views and lanes stay from one threshold to the next. Its [record](Search::record) is all that another
/// search needs to go on.
pub struct Search<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) position: Position,
    pub(crate) record: Record,
    /// The value of the position.
    value: u32,
    /// Whether other views are tried when it is time to.
    chooses: bool,
    pub(crate) tree: Option<Box<dyn AnyTree + 'a>>,
    /// The nodes so far.
    pub(crate) nodes: Count,
    /// The nodes of the large subtrees of the last threshold that it has exhausted.
    pub(crate) sizes: Sizes,
}

impl Engine {
    /// A search of a position that has not begun.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position has a different goal.
    pub fn search(&self, position: &Position) -> Result<Search<'_>, BrokenTable> {
        Ok(Search { chooses: true, ..self.search_with(position, &self.initial_views)? })
    }

    /// A search with the same views all along. Views are named by their numbers: the first partition,
    /// its mirror image, the second partition, and so on.
    ///
    /// # Errors
    /// As [`Engine::search`].
    ///
    /// # Panics
    /// If the position has a different goal, or unless there are one to four views, each of
    /// them below [`Engine::views`].
    pub fn search_with(
        &self,
        position: &Position,
        views: &[usize],
    ) -> Result<Search<'_>, BrokenTable> {
        assert!(self.has(views), "there are no such views");
        let tree = self.tree(position, views)?;
        let bound = if self.is_large() { self.value(position)? } else { tree.value() };
        let threshold = Threshold { bound, views: views.to_vec(), ..Threshold::default() };
        let search = self.search_of(position, Record::new(threshold), bound);
        Ok(Search { tree: Some(tree), chooses: false, ..search })
    }

    /// The search that goes on from a record of one that may choose other views.
    fn search_of(&self, position: &Position, record: Record, value: u32) -> Search<'_> {
        let Threshold { generated, expanded, .. } = record.threshold;
        let nodes = Count { generated, expanded };
        let (position, tree, sizes) = (position.clone(), None, Sizes::new());
        Search { engine: self, position, record, value, chooses: true, tree, nodes, sizes }
    }

    /// The search of this position that goes on from a record; the empty record begins it. The answer and the
    /// numbers of nodes equal the results of an uninterrupted search.
    ///
    /// # Errors
    /// [`SearchError::Record`] if `record` is not one of a search for this position with these
    /// tables; [`SearchError::Broken`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position has a different goal.
    pub fn resume(&self, position: &Position, record: Record) -> Result<Search<'_>, SearchError> {
        if record == Record::default() {
            return Ok(self.search(position)?);
        }
        let value = self.value(position)?;
        let Threshold { bound, views, history, .. } = &record.threshold;
        let fitting = record.is_possible() && self.has(views);
        // A bound of 0 means that a search has not begun.
        let bounds = value.max(1)..=MAX_DEPTH as u32;
        let fitting = fitting && history.iter().all(|(of, _)| of < bound);
        // Thresholds rise by 2 from the value of the position.
        if !fitting || !bounds.contains(bound) || (bound - value) % 2 != 0 {
            return Err(SearchError::Record);
        }
        Ok(self.search_of(position, record, value))
    }

    /// An optimal solution of a position, on the current rayon thread pool.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position has a different goal.
    pub fn solve(&self, position: &Position, limits: &Limits) -> Result<Outcome, BrokenTable> {
        self.search(position)?.run(limits)
    }

    /// A solution of at most this many moves, which need not be optimal; none if the outcome has neither one nor a
    /// reason to stop. A single threshold decides.
    ///
    /// # Errors
    /// As [`Engine::search`].
    ///
    /// # Panics
    /// If the position has a different goal.
    pub fn within(
        &self,
        position: &Position,
        moves: u32,
        limits: &Limits,
    ) -> Result<Outcome, BrokenTable> {
        let mut search = self.search(position)?;
        let bound = search.threshold().bound;
        if moves < bound {
            return Ok(search.outcome(Searched::Exhausted));
        }
        search.record.threshold.bound = moves - (moves - bound) % 2;
        let (end, proof) = (search.next(limits)?, Outcome::new(position, Metric::Single, bound));
        let found = search.outcome(end);
        // The lower thresholds were left out.
        let is_exhausted = found.path.is_none() && found.stopped.is_none();
        Ok(if is_exhausted { found } else { Outcome { proof: proof.proof, ..found } })
    }

    /// Returns whether it is time to try other views. A search that begins with as many as it can have keeps
    /// them, and so does each one in WebAssembly, to keep the .wasm small.
    pub(crate) fn choice_is_due(&self, threshold: &Threshold) -> bool {
        let may_choose =
            !cfg!(target_family = "wasm") && self.initial_views.len() < choice::MAX_VIEWS;
        may_choose && self.views() > threshold.views.len() && choice::is_due(threshold)
    }
}

impl<'a> Search<'a> {
    /// The threshold that is searched next, and its finished subtrees.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Chooses the views of the next threshold, if it is time to. Returns the reason if the search must end:
    /// too few nodes remain for the choice, or it has reached a limit.
    ///
    /// # Errors
    /// As [`Engine::search`].
    pub(crate) fn choose(&mut self, limits: &Limits) -> Result<Option<Stop>, BrokenTable> {
        let Search { engine, position, record: Record { threshold, .. }, .. } = self;
        if !self.chooses || !engine.choice_is_due(threshold) {
            return Ok(None);
        }
        self.tree = None;
        let left = limits.most_nodes().saturating_sub(threshold.generated);
        // Trials are not reported.
        let limits = limits.clone().silent();
        let measure = |views: &[usize], bound, cap| {
            let threshold = Threshold { bound, views: views.to_vec(), ..Threshold::default() };
            let (mut record, limits) = (Record::new(threshold), limits.clone().nodes(cap));
            let mut tree = engine.tree(position, views)?;
            let outcome =
                tree.iterate(&mut record, Order::DepthFirst, &limits, &mut Sizes::new(), None);
            let outcome = outcome.map_err(|endless| engine.blame(position, views, &endless))?;
            Ok(outcome.generated.min(cap))
        };
        let initial = &engine.initial_views;
        let chosen = choice::choose(threshold, engine.views(), initial, left, measure)?;
        if chosen {
            threshold.bound =
                threshold.bound.max(engine.largest_value(0..engine.views(), position.labels())?);
        }
        self.nodes.generated = threshold.generated;
        Ok(limits.check(threshold.generated).or((!chosen).then_some(Stop::Nodes)))
    }

    /// Takes the tree with the views of the threshold.
    pub(crate) fn take_tree(&mut self) -> Result<Box<dyn AnyTree + 'a>, BrokenTable> {
        let new = || self.engine.tree(&self.position, &self.record.threshold.views);
        self.tree.take().map_or_else(new, Ok)
    }
}

impl Deepening for Search<'_> {
    fn next(&mut self, limits: &Limits) -> Result<Searched, BrokenTable> {
        if let Some(stop) = self.choose(limits)? {
            return Ok(Searched::Stopped(stop));
        }
        let order = self.engine.order(&self.record.threshold);
        let mut tree = self.take_tree()?;
        self.sizes = Sizes::new();
        let end = tree.iterate(&mut self.record, order, limits, &mut self.sizes, None);
        self.tree = Some(tree);
        let views = &self.record.threshold.views;
        let outcome = end.map_err(|endless| self.engine.blame(&self.position, views, &endless))?;
        self.nodes = Count { generated: outcome.generated, expanded: outcome.expanded };
        Ok(match (outcome.path, outcome.stopped) {
            (Some(path), _) => Searched::Solved(path),
            (None, Some(stop)) => Searched::Stopped(stop),
            (None, None) => Searched::Exhausted,
        })
    }

    fn skip(&mut self, proof: &Proof) {
        assert!(proof.is_of(&self.position, Metric::Single), "the proof is of another question");
        let bound = &mut self.record.threshold.bound;
        *bound = proof.bound().max(*bound);
    }

    fn threshold(&self) -> &Threshold {
        &self.record.threshold
    }

    fn outcome(&self, end: Searched) -> Outcome {
        let (proof, value) = (Some(self.proof()), Some(self.value));
        let Count { generated, expanded } = self.nodes;
        Outcome { proof, value, generated, expanded, ..Outcome::default() }.ended(end)
    }
}
