//! Shortens a solution, window by window.
//!
//! 1. A *window* is a run of moves of the solution. The position at its end becomes the goal, by
//!    labelling each tile with its cell there, and iterative deepening looks for a shorter path.
//! 2. Windows of one length are tried along the whole solution, then longer ones, until most are
//!    given up because they exceed a number of nodes.
//! 3. Then more nodes are allowed, and so on, until the search is stopped or a window that is the
//!    whole solution is proved optimal.
//!
//! A window of slides is searched in the same way by slides.

mod moves;
mod slides;

use self::moves::MoveWindow;
use self::slides::{SlideWindow, tidy};
use super::Control;
use super::slides::Slide;
use crate::board::{MAX_CELLS, Path, Position};

/// The nodes that a window may take at first.
const FIRST_NODES: u64 = 2_000;

/// A path at least as short as `path`, from the same position to the same end. The second value
/// says whether it was proved optimal; without a limit in `control` the search goes on until then.
///
/// # Panics
/// If `path` leaves the board.
pub fn shorten(position: &Position, path: Path, control: &Control) -> (Path, bool) {
    let mut shortener = Shortener {
        window: MoveWindow::new(position.grid(), control),
        start: position.clone(),
        path: path.0,
        control,
    };
    let optimal = shortener.run();
    (Path(shortener.path), optimal)
}

/// [`shorten`], counting slides: a path with no more slides, and whether no
/// path has fewer. Each run of equal moves of the result is one slide. It may have more moves.
///
/// # Panics
/// If `path` leaves the board.
pub fn slide_shorten(position: &Position, path: Path, control: &Control) -> (Path, bool) {
    let slide = |(m, tiles)| Slide::new(m, u8::try_from(tiles).expect("it stays on the board"));
    let mut slides = path.runs().map(slide).collect();
    tidy(&mut slides);
    let mut shortener = Shortener {
        window: SlideWindow::new(position, control),
        start: position.clone(),
        path: slides,
        control,
    };
    let optimal = shortener.run();
    (shortener.path.into_iter().flat_map(Slide::moves).collect(), optimal)
}

/// The search for a shorter path through a window.
trait Window {
    /// The unit of the length of a path.
    type Step: Copy;

    /// The length of the first windows, and the increase to the next ones.
    const STEP: usize;

    /// # Panics
    /// If the step leaves the board.
    fn make(position: &mut Position, step: Self::Step);

    /// Looks for a path with fewer steps than these and the same end, and gives up after a number of
    /// nodes.
    fn shorter(
        &mut self,
        start: &Position,
        steps: &[Self::Step],
        allowed: u64,
    ) -> Found<Self::Step>;

    /// Whether the limits have ended the search.
    fn is_stopped(&self) -> bool;

    /// Joins steps that are one where windows meet.
    fn tidy(_path: &mut Vec<Self::Step>) {}

    /// The start's labels, each tile labelled with its cell after the steps.
    fn labels(start: &Position, steps: &[Self::Step]) -> impl Iterator<Item = u8> {
        let mut end = start.clone();
        steps.iter().for_each(|&step| Self::make(&mut end, step));
        let mut cell_at_end = [0; MAX_CELLS];
        for (cell, &label) in end.labels().iter().enumerate() {
            cell_at_end[usize::from(label)] = cell as u8;
        }
        start.labels().iter().map(move |&label| cell_at_end[usize::from(label)])
    }
}

struct Shortener<'a, W: Window> {
    window: W,
    start: Position,
    path: Vec<W::Step>,
    control: &'a Control,
}

impl<W: Window> Shortener<'_, W> {
    /// Shortens the path. Returns whether it was proved optimal before the search was stopped.
    fn run(&mut self) -> bool {
        let mut allowed = FIRST_NODES;
        loop {
            let mut length = W::STEP;
            loop {
                let (tried, given_up) = self.sweep(length, allowed);
                W::tidy(&mut self.path);
                if self.window.is_stopped() {
                    return false;
                }
                if length >= self.path.len() && given_up == 0 {
                    return true;
                }
                if 2 * given_up > tried {
                    break;
                }
                length += W::STEP;
            }
            allowed *= 4;
        }
    }

    /// Tries all windows of a length. Returns their number, and the number of those given up.
    fn sweep(&mut self, length: usize, allowed: u64) -> (usize, usize) {
        let mut position = self.start.clone();
        let (mut tried, mut given_up) = (0, 0);
        let mut at = 0;
        while at < self.path.len() && !self.window.is_stopped() {
            let end = (at + length).min(self.path.len());
            tried += 1;
            let found = self.window.shorter(&position, &self.path[at..end], allowed);
            match found {
                Found::Shorter(steps) => {
                    self.path.splice(at..end, steps);
                    self.control.journal().shortened(self.path.len());
                    continue;
                }
                Found::Nothing => {}
                Found::GivenUp => given_up += 1,
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

enum Found<S> {
    Shorter(Vec<S>),
    /// No path is shorter.
    Nothing,
    /// The window took too many nodes.
    GivenUp,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Grid;

    #[test]
    fn detours_are_found_and_the_end_stays() {
        let grid = Grid::new(5, 4).unwrap();
        let goal = Position::goal(grid, 0);
        let end = |path: &Path| {
            let mut position = goal.clone();
            path.iter().for_each(|m| assert!(position.make(m).is_some()));
            position
        };
        // Three times round a square leads back, so that once is enough.
        let round: Path = "ULDRULDRULDRULDR".parse().unwrap();
        let (short, optimal) = shorten(&goal, round.clone(), &Control::default());
        assert!(optimal && short.len() == 4, "{short}");
        assert_eq!(end(&short), end(&round));
        let (same, optimal) = shorten(&goal, round, &Control::default().with_nodes(0));
        assert!(same.len() <= 16 && !same.is_empty(), "{optimal}");
        let nothing = Path::default();
        assert_eq!(shorten(&goal, nothing.clone(), &Control::default()), (nothing, true));
    }
}
