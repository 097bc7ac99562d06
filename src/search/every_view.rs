//! The plain search with every view of a catalogue at every node: slow, and the reference for the
//! fast one. Its node counts are the published ones, where there are any.

use super::catalogue::{Catalogue, Position};
use super::masks::{View, ViewTables};
use super::space::Space;
use super::{Control, Outcome};
use crate::board::{Move, Path};
use crate::pdb::BrokenTable;

impl<B: AsRef<[u8]> + Sync> Catalogue<B> {
    /// An optimal solution by recursion on one thread, with the maximum of all views at every node.
    /// The solution may be another one than that of [`Catalogue::solve`], as the move automaton
    /// may leave out the one found here.
    ///
    /// # Errors
    /// [`BrokenTable`] where a table does not lead to the goal.
    ///
    /// # Panics
    /// As [`Catalogue::solve`].
    pub fn solve_plainly(&self, labels: &[u8], control: &Control) -> Result<Outcome, BrokenTable> {
        let position = self.position(labels)?;
        let goal: Vec<u8> = (0..labels.len() as u8).collect();
        let mut search = Search {
            catalogue: self,
            tables: (0..self.views()).map(|view| self.view_tables(view)).collect(),
            goal: self.position(&goal)?.views[0],
            control,
            outcome: Outcome { lower_bound: position.value(), ..Outcome::default() },
            path: Vec::new(),
        };
        loop {
            let bound = search.outcome.lower_bound;
            let slack: Vec<u32> = position.values.iter().map(|value| (bound - value) / 2).collect();
            let Position { views, automaton, .. } = &position;
            if search.visit(views, &slack, u64::from(*automaton)) {
                search.outcome.path = Some(Path(search.path));
                return Ok(search.outcome);
            }
            if search.outcome.stopped.is_some() {
                return Ok(search.outcome);
            }
            search.outcome.lower_bound += 2;
        }
    }
}

struct Search<'a, B> {
    catalogue: &'a Catalogue<B>,
    tables: Vec<ViewTables<'a>>,
    /// In the first view.
    goal: View,
    control: &'a Control,
    outcome: Outcome,
    path: Vec<Move>,
}

impl<B: AsRef<[u8]> + Sync> Search<'_, B> {
    /// Searches below a node; returns whether the goal was found, or the search was stopped
    /// (in which case it was not).
    fn visit(&mut self, views: &[View], slack: &[u32], automaton: u64) -> bool {
        if <super::masks::Masks as Space>::same_position(&views[0], &self.goal) {
            return true;
        }
        self.outcome.expanded += 1;
        if self.outcome.expanded.is_multiple_of(4096) {
            self.outcome.stopped = self.control.check(self.outcome.generated);
        }
        let row = *self.catalogue.moves.row(automaton);
        // The rows have the last move first.
        for &packed in row.iter().rev().filter(|&&packed| packed != 0) {
            if self.outcome.stopped.is_some() {
                return false;
            }
            self.outcome.generated += 1;
            let m = usize::from(packed & 3);
            let mut children = Vec::with_capacity(views.len());
            let mut left = Vec::with_capacity(views.len());
            for ((view, tables), slack) in views.iter().zip(&self.tables).zip(slack) {
                // SAFETY: the view is the root's or descends from it; the automaton's moves stay on
                // the board, and its state is that of the blank; the tables are borrowed.
                let (child, rose) = unsafe {
                    let draft = self.catalogue.masks.draft(view, m, tables);
                    let child = self.catalogue.masks.child(view, &draft, tables);
                    <super::masks::Masks as Space>::resolve(&child)
                };
                let Some(slack) = slack.checked_sub(rose as u32) else { break };
                children.push(child);
                left.push(slack);
            }
            if children.len() < views.len() {
                continue;
            }
            self.path.push(Move::ALL[m]);
            if self.visit(&children, &left, u64::from(packed >> 2)) {
                return true;
            }
            self.path.pop();
        }
        false
    }
}
