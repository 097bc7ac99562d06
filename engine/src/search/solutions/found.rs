//! Solutions as layers of states, and how a search collects them.

use std::collections::HashSet;

use super::states::{EMPTY, MAX_CELLS, PackedState, States, state};
use crate::board::{Move, Moves, Position};
use crate::search::moves::{Forbidden, LONG, StepTable};
use crate::search::run::{Limits, Stop};

/// All optimal solutions of a position.
pub struct Solutions {
    states: States,
    layers: Vec<Layer>,
}

/// States in ascending order.
pub(crate) type Layer = Vec<PackedState>;

impl Solutions {
    /// The most cells of a board whose solutions are counted.
    pub const MAX_CELLS: usize = MAX_CELLS;

    /// The solutions through these layers.
    pub(crate) fn new(states: States, layers: Vec<Layer>) -> Solutions {
        Solutions { states, layers }
    }

    /// The number of solutions. A number that exceeds a `u128` is given as its largest value.
    pub fn count(&self) -> u128 {
        let mut paths = vec![1; self.layers.first().map_or(0, Vec::len)];
        for pair in self.layers.windows(2) {
            let mut next = vec![0_u128; pair[1].len()];
            for (&state, &number) in pair[0].iter().zip(&paths) {
                for (.., child) in self.states.children(state, self.states.blank(state)) {
                    if let Ok(place) = pair[1].binary_search(&child) {
                        next[place] = next[place].saturating_add(number);
                    }
                }
            }
            paths = next;
        }
        paths.into_iter().fold(0, u128::saturating_add)
    }

    /// The first `most` solutions in the order of [`Move::ALL`].
    pub fn list(&self, most: usize) -> Vec<Moves> {
        let mut paths = Vec::new();
        if let (Some(&[start]), true) = (self.layers.first().map(Vec::as_slice), most > 0) {
            self.walk(start, &mut Vec::new(), most, &mut paths);
        }
        paths
    }

    /// Lists the solutions that begin with a path, until there are `most`.
    fn walk(&self, state: PackedState, path: &mut Vec<Move>, most: usize, paths: &mut Vec<Moves>) {
        let Some(layer) = self.layers.get(path.len() + 1) else {
            paths.push(Moves(path.clone()));
            return;
        };
        for (m, _, _, child) in self.states.children(state, self.states.blank(state)) {
            if paths.len() < most && layer.binary_search(&child).is_ok() {
                path.push(m);
                self.walk(child, path, most, paths);
                path.pop();
            }
        }
    }
}

/// The bytes of a state in a set, on average.
const STATE: usize = 40;

/// Solutions found by a search with the move automaton.
pub(crate) struct Found {
    states: States,
    start: (PackedState, usize),
    layers: Vec<HashSet<PackedState>>,
    /// The number of states that fit the memory.
    room: usize,
    /// The words to replace, in the order of their starts and of the minimal ones.
    words: Vec<Forbidden>,
    /// The layers where words may begin that were not replaced yet.
    due: Vec<bool>,
}

impl Found {
    /// The empty set of solutions of `length` moves.
    ///
    /// # Panics
    /// If the board has more than [`Solutions::MAX_CELLS`] cells.
    pub fn new(start: &Position, length: u32, limits: &Limits) -> Found {
        let layers = length as usize + 1;
        let memory = usize::try_from(limits.most_memory()).unwrap_or(usize::MAX);
        let (grid, blank) = (start.grid(), start.blank());
        let classes = start.labels().iter().enumerate();
        let classes = classes.map(|(cell, &label)| if cell == blank { EMPTY } else { label });
        let mut words = StepTable::equivalents(grid);
        words.sort_unstable_by(|a, b| (a.start, &a.minimal).cmp(&(b.start, &b.minimal)));
        Found {
            states: States::new(grid),
            start: (state(classes), blank),
            layers: vec![HashSet::new(); layers],
            room: memory / STATE,
            words,
            due: vec![false; layers],
        }
    }

    /// Adds a solution. A solution of another length, to which a damaged table can lead, is ignored.
    ///
    /// # Errors
    /// [`Stop::Memory`] if there is no more room.
    pub fn add(&mut self, moves: &[Move]) -> Result<(), Stop> {
        if moves.len() + 1 != self.layers.len() {
            return Ok(());
        }
        let (mut state, mut blank) = self.start;
        self.enter(0, state)?;
        (1..).zip(moves).try_for_each(|(depth, &m)| {
            let after = self.states.after(state, blank, m);
            (state, blank) = after.expect("solutions stay on the board");
            self.enter(depth, state)
        })
    }

    /// Adds a state.
    fn enter(&mut self, depth: usize, state: PackedState) -> Result<(), Stop> {
        if self.layers[depth].insert(state) {
            // Words that lead to this state or through it, or begin here.
            self.due[depth.saturating_sub(LONG)..=depth].fill(true);
            self.room = self.room.saturating_sub(1);
        }
        if self.room > 0 { Ok(()) } else { Err(Stop::Memory) }
    }

    /// Adds the solutions that the automaton leaves out, after a search that was perhaps stopped.
    pub fn complete(mut self, stopped: Option<Stop>, limits: &Limits) -> Result<Solutions, Stop> {
        let full = (self.room == 0).then_some(Stop::Memory);
        full.or(stopped).map_or(Ok(()), Err)?;
        while self.due.contains(&true) {
            for depth in 0..self.layers.len() {
                if std::mem::take(&mut self.due[depth]) {
                    let mut missing = self.missing(depth).into_iter();
                    missing.try_for_each(|(depth, state)| self.enter(depth, state))?;
                    limits.check(0).map_or(Ok(()), Err)?;
                }
            }
        }
        let sorted = |layer: HashSet<PackedState>| {
            let mut layer: Layer = layer.into_iter().collect();
            layer.sort_unstable();
            layer
        };
        Ok(Solutions::new(self.states, self.layers.into_iter().map(sorted).collect()))
    }

    /// The states missing where the minimal words that begin in a layer are replaced.
    fn missing(&self, depth: usize) -> Vec<(usize, PackedState)> {
        let mut missing = Vec::new();
        for &state in &self.layers[depth] {
            let start = (state, self.states.blank(state));
            let from = self.words.partition_point(|word| word.start < start.1);
            let words = self.words[from..].partition_point(|word| word.start == start.1);
            self.follow(&self.words[from..][..words], 0, (start, depth), start, &mut missing);
        }
        missing
    }

    /// Follows words as far as they lead through the layers. Their minimal words have the first `len` moves
    /// in common, which lead from `start` to `at`.
    fn follow(
        &self,
        words: &[Forbidden],
        len: usize,
        start: ((PackedState, usize), usize),
        at: (PackedState, usize),
        missing: &mut Vec<(usize, PackedState)>,
    ) {
        // Shorter words come first.
        let whole = words.partition_point(|word| word.minimal.len() == len);
        let (whole, mut longer) = words.split_at(whole);
        for Forbidden { word, .. } in whole {
            let (mut state, mut blank) = start.0;
            for (depth, &m) in (start.1 + 1..).zip(word) {
                let after = self.states.after(state, blank, Move::ALL[usize::from(m)]);
                (state, blank) = after.expect("words stay on the board");
                if !self.holds(depth, state) {
                    missing.push((depth, state));
                }
            }
        }
        for m in Move::ALL {
            let words = longer.partition_point(|word| word.minimal[len] <= m as u8);
            let (words, others) = longer.split_at(words);
            longer = others;
            let after = self.states.after(at.0, at.1, m).filter(|_| !words.is_empty());
            if let Some(after) = after.filter(|after| self.holds(start.1 + len + 1, after.0)) {
                self.follow(words, len + 1, start, after, missing);
            }
        }
    }

    fn holds(&self, depth: usize, state: PackedState) -> bool {
        self.layers.get(depth).is_some_and(|layer| layer.contains(&state))
    }
}
