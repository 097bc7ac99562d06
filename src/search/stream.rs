//! Many boards: each lane searches a board of its own.
//!
//! A single board split into subtrees wastes what its lanes search beyond the solution. With
//! a board a lane nothing is wasted, and no thread waits for another. The solutions and node
//! counts are those of [`Solver::solve`].

use super::coordinates::{Coordinates, View};
use super::engine::Engine;
use super::lanes::{Crew, End, Job, Report, Source};
use super::solver::{Root, Solver};
use super::{Control, Outcome};
use crate::board::{Move, Path};
use crate::pdb::BrokenTable;

/// What a stream of boards offers to a thread that asks for one.
#[derive(Debug)]
pub enum Supply<T> {
    /// A board as labels (see [`Canonical`](crate::board::Canonical)), with a name, and with the
    /// limits of its search.
    Board(T, Box<[u8]>, Control),
    /// Nothing right now.
    Later,
    /// Nothing ever again.
    End,
}

/// What came of a board of a stream.
#[derive(Debug)]
pub enum Verdict {
    /// It was solved, or its search was stopped.
    Done(Outcome),
    /// It is better solved alone by [`Solver::solve`], on all threads and with all partitions:
    /// it needs more nodes than a stream spends on a board, or it is its own mirror image.
    Hard,
    /// A table is damaged.
    Broken(BrokenTable),
}

/// The nodes after which a board is called hard.
const HARD: u64 = 1_000_000;

impl<B: AsRef<[u8]> + Sync> Solver<B> {
    /// Solves boards of a stream on the calling thread, several at a time, until `supply` says
    /// [`Supply::End`]. Call it on as many threads as are to work.
    ///
    /// `supply` is asked for a board whenever a lane is free; its argument says whether the
    /// thread has nothing else to do, so that it may wait. `deliver` takes the results as they
    /// come, in any order.
    pub fn solve_stream<T>(
        &self,
        supply: impl FnMut(bool) -> Supply<T>,
        deliver: impl FnMut(T, Verdict),
    ) {
        match self.views() {
            4 => self.stream::<4, T>(supply, deliver),
            2 => self.stream::<2, T>(supply, deliver),
            _ => self.stream::<1, T>(supply, deliver),
        }
    }

    fn stream<const V: usize, T>(
        &self,
        supply: impl FnMut(bool) -> Supply<T>,
        deliver: impl FnMut(T, Verdict),
    ) {
        let engine: Engine<'_, _, V> = self.engine(0);
        let boards = std::iter::repeat_with(|| None).take(Crew::<Coordinates, V>::LANES).collect();
        let mut stream =
            Stream { solver: self, supply, deliver, boards, again: None, ended: false };
        Crew::new().run(&engine, &mut stream);
    }
}

/// A board in work.
struct InWork<const V: usize, T> {
    name: T,
    control: Control,
    root: Root<V>,
    /// What its earlier iterations have counted, and the threshold of this one.
    outcome: Outcome,
}

struct Stream<'a, const V: usize, T, B, S, D> {
    solver: &'a Solver<B>,
    supply: S,
    deliver: D,
    /// The boards in work; their places are the names of the jobs.
    boards: Vec<Option<InWork<V, T>>>,
    /// A board to be searched again with its next threshold.
    again: Option<usize>,
    ended: bool,
}

impl<const V: usize, T, B, S, D> Stream<'_, V, T, B, S, D>
where
    B: AsRef<[u8]> + Sync,
    S: FnMut(bool) -> Supply<T>,
    D: FnMut(T, Verdict),
{
    /// Takes in a board: a job, unless it is hard or its table is damaged.
    fn begin(&mut self, name: T, labels: &[u8], control: Control) -> Option<usize> {
        let root = match self.solver.root::<V>(0, labels) {
            Ok(root) if root.symmetric => {
                (self.deliver)(name, Verdict::Hard);
                return None;
            }
            Ok(root) => root,
            Err(broken) => {
                (self.deliver)(name, Verdict::Broken(broken));
                return None;
            }
        };
        let outcome = Outcome { lower_bound: root.value(), ..Outcome::default() };
        let place = self.boards.iter().position(Option::is_none)?;
        self.boards[place] = Some(InWork { name, control, root, outcome });
        Some(place)
    }

    fn finish(&mut self, place: usize, verdict: impl FnOnce(Outcome) -> Verdict) {
        if let Some(board) = self.boards[place].take() {
            (self.deliver)(board.name, verdict(board.outcome));
        }
    }
}

impl<const V: usize, T, B, S, D> Source<View, V> for Stream<'_, V, T, B, S, D>
where
    B: AsRef<[u8]> + Sync,
    S: FnMut(bool) -> Supply<T>,
    D: FnMut(T, Verdict),
{
    fn next(&mut self, idle: bool) -> Option<Job<View, V>> {
        loop {
            let place = match self.again.take() {
                Some(place) => Some(place),
                None if self.ended => return None,
                None => match (self.supply)(idle) {
                    Supply::Board(name, labels, control) => self.begin(name, &labels, control),
                    Supply::Later if idle => None,
                    Supply::Later => return None,
                    Supply::End => {
                        self.ended = true;
                        return None;
                    }
                },
            };
            let Some(place) = place else { continue };
            let board = self.boards[place].as_ref()?;
            match board.root.node(board.outcome.lower_bound) {
                Some(root) => return Some(Job { root, name: place }),
                None => self.finish(place, |_| Verdict::Hard),
            }
        }
    }

    fn done(&mut self, report: Report<'_>) {
        let place = report.name;
        let Some(board) = &mut self.boards[place] else { return };
        board.outcome.generated += report.generated;
        board.outcome.expanded += report.expanded;
        match report.end {
            End::Exhausted => {
                board.outcome.lower_bound += 2;
                board.outcome.stopped = board.control.check(board.outcome.generated);
                match board.outcome.stopped {
                    Some(_) => self.finish(place, Verdict::Done),
                    None => self.again = Some(place),
                }
            }
            End::Solved(path) => {
                let moves = path.iter().map(|&m| Move::ALL[usize::from(m)]);
                board.outcome.path = Some(Path(moves.collect()));
                self.finish(place, Verdict::Done);
            }
            End::Endless => {
                let broken = self.solver.broken(0);
                self.finish(place, |_| Verdict::Broken(broken));
            }
        }
    }

    fn dropped(&mut self, place: usize, generated: u64) -> bool {
        let Some(board) = &mut self.boards[place] else { return true };
        let generated = board.outcome.generated + generated;
        board.outcome.stopped = board.control.check(generated);
        if board.outcome.stopped.is_some() {
            board.outcome.generated = generated;
            self.finish(place, Verdict::Done);
        } else if generated > HARD {
            self.finish(place, |_| Verdict::Hard);
        }
        self.boards[place].is_none()
    }
}
