//! Shortens a solution, window by window.
//!
//! 1. A *window* is a run of moves of the solution. The position at its end becomes the goal, by
//!    labelling each tile with its cell there, and iterative deepening looks for a shorter path.
//! 2. Windows of one length are tried along the whole solution, then longer ones, until most are
//!    given up because they exceed a number of nodes.
//! 3. Then more nodes are allowed, and so on, until the search is stopped or has exhausted all paths
//!    that are shorter than the whole solution. A window's [`Proof`] names the window's ends, so it
//!    proves nothing of a longer solution.
//!
//! A window of slides is searched in the same way by slides.

mod moves;
mod slides;

use self::moves::MoveWindow;
use self::slides::{SlideWindow, tidy};
use super::slides::Slide;
use super::{Control, Proof};
use crate::board::{Metric, Moves, Position};

/// The nodes that a window may take at first.
const FIRST_NODES: u64 = 2_000;

/// A path at least as short as `path`, from the same position to the same end, and the proof if it is
/// optimal. Without a limit in `control` the search goes on until there is one. It generates no more
/// nodes than `control` allows.
///
/// # Panics
/// If `path` leaves the board.
pub fn shorten(position: &Position, path: Moves, control: &Control) -> (Moves, Option<Proof>) {
    let window = MoveWindow::new(position.grid(), control);
    let (moves, proof) = Shortener::new(window, position, path.0, control).run();
    (Moves(moves), proof)
}

/// [`shorten`], counting slides: a path with no more slides, and the proof if no path has fewer. Each
/// run of equal moves of the result is one slide. It may have more moves.
///
/// # Panics
/// If `path` leaves the board.
pub fn slide_shorten(
    position: &Position,
    path: Moves,
    control: &Control,
) -> (Moves, Option<Proof>) {
    let slide = |(m, tiles)| Slide::new(m, u8::try_from(tiles).expect("it stays on the board"));
    let mut slides = path.runs().map(slide).collect();
    tidy(&mut slides);
    let window = SlideWindow::new(position, control);
    let (slides, proof) = Shortener::new(window, position, slides, control).run();
    (slides.into_iter().flat_map(Slide::moves).collect(), proof)
}

/// The search for a shorter path through a window.
trait Window {
    /// The unit of the length of a path.
    type Unit: Copy;

    const METRIC: Metric;

    /// The length of the first windows, and the increase to the next ones.
    const STEP: usize;

    /// # Panics
    /// If the step leaves the board.
    fn make(position: &mut Position, step: Self::Unit);

    /// Looks for a path to the goal with fewer steps than `length`, and gives up after `allowed` nodes.
    fn shorter(&mut self, start: &Position, length: usize, allowed: u64) -> WindowEnd<Self::Unit>;

    /// The nodes of all windows so far.
    fn generated(&self) -> u64;

    /// Tells the journal of the nodes.
    fn report(&mut self);

    /// Joins steps that are one where windows meet.
    fn tidy(_path: &mut Vec<Self::Unit>) {}
}

enum WindowEnd<S> {
    Shorter(Vec<S>),
    /// No path from the start of the window to its end is shorter.
    Nothing(Proof),
    /// The window took too many nodes, or a limit ended its search.
    GivenUp,
}

struct Shortener<'a, W: Window> {
    window: W,
    start: Position,
    /// The start with the end of the path as its goal.
    whole: Position,
    path: Vec<W::Unit>,
    /// The proof that no path from the start to the end is shorter.
    proof: Option<Proof>,
    control: &'a Control,
}

impl<'a, W: Window> Shortener<'a, W> {
    fn new(window: W, start: &Position, path: Vec<W::Unit>, control: &'a Control) -> Self {
        let whole = start.toward(&after::<W>(start, &path));
        Shortener { window, start: start.clone(), whole, path, proof: None, control }
    }

    /// The path as short as it gets before the search is stopped, and the proof if there is one.
    fn run(mut self) -> (Vec<W::Unit>, Option<Proof>) {
        let (mut allowed, mut length) = (FIRST_NODES, W::STEP);
        while self.proof.is_none() && !self.is_stopped() {
            let (tried, given_up) = self.sweep(length, allowed);
            W::tidy(&mut self.path);
            if 2 * given_up > tried {
                (allowed, length) = (allowed * 4, W::STEP);
            } else {
                length += W::STEP;
            }
        }
        self.window.report();
        (self.path, self.proof)
    }

    fn is_stopped(&self) -> bool {
        self.control.check(self.window.generated()).is_some()
    }

    /// Tries all windows of a length. Returns their number, and the number of those given up.
    fn sweep(&mut self, length: usize, allowed: u64) -> (usize, usize) {
        let mut position = self.start.clone();
        let (mut tried, mut given_up) = (0, 0);
        let mut at = 0;
        while !self.is_stopped() {
            let end = (at + length).min(self.path.len());
            tried += 1;
            let start = position.toward(&after::<W>(&position, &self.path[at..end]));
            let left = self.control.nodes().saturating_sub(self.window.generated());
            match self.window.shorter(&start, end - at, allowed.min(left)) {
                WindowEnd::Shorter(steps) => {
                    self.path.splice(at..end, steps);
                    self.control.journal().shortened(self.path.len());
                    continue;
                }
                WindowEnd::Nothing(proof) if proof.is_of(&self.whole, W::METRIC) => {
                    // Steps before and after the window lead round in a circle.
                    self.path = self.path[at..end].to_vec();
                    self.proof = Some(proof);
                    break;
                }
                WindowEnd::Nothing(_) => {}
                WindowEnd::GivenUp => given_up += 1,
            }
            if end == self.path.len() {
                break;
            }
            for &step in &self.path[at..(at + (length / 3).max(1)).min(end)] {
                W::make(&mut position, step);
                at += 1;
            }
        }
        (tried, given_up)
    }
}

/// The position after some steps.
fn after<W: Window>(start: &Position, steps: &[W::Unit]) -> Position {
    let mut end = start.clone();
    steps.iter().for_each(|&step| W::make(&mut end, step));
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Grid;

    #[test]
    fn detours_are_found_and_the_end_stays() {
        let grid = Grid::new(5, 4).unwrap();
        let goal = Position::goal(grid, 0);
        let end = |path: &Moves| {
            let mut position = goal.clone();
            path.iter().for_each(|m| assert!(position.make(m).is_some()));
            position
        };
        // Three times round a square leads back, so that once is enough.
        let round: Moves = "ULDRULDRULDRULDR".parse().unwrap();
        let (short, proof) = shorten(&goal, round.clone(), &Control::default());
        let bound = proof
            .map(|proof| (proof.is_of(&goal.toward(&end(&round)), Metric::Single), proof.bound()));
        assert_eq!((short.len(), bound), (4, Some((true, 4))), "{short}");
        assert_eq!(end(&short), end(&round));
        let none = Control::default().with_nodes(0);
        assert_eq!(shorten(&goal, round.clone(), &none), (round, None));
        let nothing = Moves::default();
        let (short, proof) = shorten(&goal, nothing.clone(), &Control::default());
        assert_eq!((short, proof.map(|proof| proof.bound())), (nothing, Some(0)));
    }
}
