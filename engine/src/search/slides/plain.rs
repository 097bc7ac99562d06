//! Iterative deepening in the multi-tile metric on boards of any size, without tables.

use super::borders::{Borderline, DIRECTIONS};
use super::node::Slide;
use crate::board::{Metric, Move, Moves, Position};
use crate::search::{Control, Outcome, Stop, Threshold};

/// Expansions between two checks of the limits.
const POLL: u64 = 1024;

/// Searches for a solution with the fewest slides, on boards of any size. In the outcome the lower
/// bound is a number of slides, and each run of equal moves of the path is one slide. `control` is
/// checked every 1,024 expansions, its nodes at every one; if it stops the search, the outcome holds the
/// bound proved.
///
/// The bound that guides the search is weak: about half of the slides on random boards. 3×3 boards
/// take less than a millisecond. [`SlideEngine`](super::SlideEngine) is faster, up to 16 cells.
pub fn slide_ida(position: &Position, control: &Control) -> Outcome {
    let mut search = Search::new(Borderline::of(position), control);
    let mut outcome = Outcome::new(position, Metric::Multi, search.bound());
    if outcome.lower_bound() == 0 {
        outcome.path = Some(Moves::default());
        return outcome;
    }
    let mut threshold = Threshold::default();
    loop {
        threshold.bound = outcome.lower_bound();
        control.journal().reached(&threshold);
        outcome.stopped = control.check(search.generated);
        if outcome.stopped.is_some() {
            return outcome;
        }
        control.journal().begins(&threshold, 1);
        let found = search.within(threshold.bound);
        search.report();
        (outcome.generated, outcome.expanded) = (search.generated, search.expanded);
        outcome.stopped = search.stopped;
        if found || outcome.stopped.is_some() {
            outcome.path = found.then(|| search.path());
            return outcome;
        }
        threshold.history.push((threshold.bound, search.generated - threshold.generated));
        (threshold.generated, threshold.expanded) = (search.generated, search.expanded);
        outcome.raise(threshold.bound + 1);
    }
}

/// The ways of a slide in each direction: whether the blank goes right or down, and the tiles' move.
const WAYS: [[(bool, Move); 2]; 2] =
    [[(false, Move::Right), (true, Move::Left)], [(true, Move::Up), (false, Move::Down)]];

/// A depth-first search for the goal of a board.
pub(in crate::search) struct Search<'a> {
    board: Borderline,
    slides: Vec<Slide>,
    generated: u64,
    expanded: u64,
    /// The number of generated nodes at which the search is given up.
    limit: u64,
    /// Why `control` stopped the search.
    stopped: Option<Stop>,
    /// The nodes that the journal knows of.
    reported: u64,
    control: &'a Control,
}

impl<'a> Search<'a> {
    pub fn new(board: Borderline, control: &'a Control) -> Search<'a> {
        Search {
            board,
            slides: Vec::new(),
            generated: 0,
            expanded: 0,
            limit: u64::MAX,
            stopped: None,
            reported: 0,
            control,
        }
    }

    /// Goes on with another board, for a number of nodes. All nodes add up.
    pub fn restart(&mut self, board: Borderline, allowed: u64) {
        (self.board, self.stopped) = (board, None);
        self.limit = self.generated.saturating_add(allowed);
    }

    /// The nodes generated so far.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// A lower bound on the slides of a solution.
    pub fn bound(&self) -> u32 {
        DIRECTIONS.map(|direction| self.board.bound(direction)).into_iter().min().unwrap_or(0)
    }

    /// Whether the goal is reached in at most `most` slides, or false if a limit ends the search.
    pub fn within(&mut self, most: u32) -> bool {
        self.slides.clear();
        DIRECTIONS.into_iter().any(|direction| {
            let bound = self.board.bound(direction);
            bound == 0 || (bound <= most && self.visit(direction, most))
        })
    }

    /// The slides found.
    pub fn slides(&self) -> &[Slide] {
        &self.slides
    }

    fn path(&self) -> Moves {
        self.slides.iter().flat_map(|slide| slide.moves()).collect()
    }

    /// Whether the search has to end.
    pub fn is_over(&self) -> bool {
        self.stopped.is_some() || self.generated >= self.limit
    }

    /// Tells the journal of the nodes generated.
    #[cold]
    pub fn report(&mut self) {
        self.control.journal().searched(self.generated - self.reported);
        self.reported = self.generated;
    }

    /// Searches below a board other than the goal, whose next slide has this direction, with `left`
    /// slides left.
    fn visit(&mut self, direction: usize, left: u32) -> bool {
        self.expanded += 1;
        if self.expanded.is_multiple_of(POLL) || self.generated >= self.control.nodes() {
            self.report();
            self.stopped = self.stopped.or(self.control.check(self.generated));
        }
        if self.is_over() {
            return false;
        }
        let next = 1 - direction;
        for (forward, way) in WAYS[direction] {
            let mut tiles = 0;
            while self.board.step(direction, forward) {
                tiles += 1;
                self.generated += 1;
                let bound = self.board.bound(next);
                if bound < left {
                    self.slides.push(Slide::new(way, tiles));
                    if bound == 0 || self.visit(next, left - 1) {
                        return true;
                    }
                    self.slides.pop();
                }
            }
            (0..tiles).for_each(|_| {
                self.board.step(direction, !forward);
            });
        }
        false
    }
}
