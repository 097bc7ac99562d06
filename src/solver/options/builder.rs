//! The options of a solver.

use super::event::Event;
use super::goal::GoalSpec;
use super::method::Method;
use crate::board::{GoalError, Metric};
use crate::classics::Spec;
use crate::store::Store;

/// The most threads of a solver.
pub const MAX_THREADS: usize = 1024;

/// Receives events, from all threads.
type Listener = Box<dyn Fn(&Event<'_>) + Send + Sync>;

/// Options of a [`Solver`](crate::solver::Solver).
///
/// ```
/// use taquin::{Solver, Store};
///
/// let solver = Solver::builder()
///     .goal("blank-first")
///     .heuristic("manhattan+linear-conflict".parse()?)
///     .store(Store::memory())
///     .build()?;
/// assert_eq!(solver.solve(&"1 0 2 / 3 4 5".parse()?)?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct Builder {
    pub(crate) goal: Result<GoalSpec, GoalError>,
    pub(crate) metric: Metric,
    pub(crate) heuristic: Spec,
    pub(crate) method: Option<Method>,
    pub(crate) store: Store,
    pub(crate) threads: Option<usize>,
    pub(crate) progress: Option<Listener>,
}

impl Builder {
    /// Sets the goal: a [`Goal`](crate::Goal) or a [`Board`](crate::Board), or as text one of
    /// [`Goal::NAMES`](crate::Goal::NAMES), for boards of any
    /// size, or a board. By default `blank-last`.
    pub fn goal<G>(self, goal: G) -> Builder
    where
        G: TryInto<GoalSpec>,
        G::Error: Into<GoalError>,
    {
        Builder { goal: goal.try_into().map_err(Into::into), ..self }
    }

    /// Sets the unit that counts as one move. By default [`Metric::Single`].
    ///
    /// With [`Metric::Multi`] boards of up to 16 cells are solved in the fewest slides by [`Method::Ida`];
    /// larger ones in few slides by [`Method::Beam`]. The heuristics are [`Spec::Standard`] and `manhattan`.
    /// Counting solutions, checkpoints and packets are not supported.
    pub fn metric(self, metric: Metric) -> Builder {
        Builder { metric, ..self }
    }

    /// Sets the heuristic. By default [`Spec::Standard`].
    pub fn heuristic(self, heuristic: Spec) -> Builder {
        Builder { heuristic, ..self }
    }

    /// Sets the method. By default [`Method::Ida`], but [`Method::Beam`] for boards of more than
    /// 25 cells with the standard heuristic and with [`Spec::Learned`], and [`Method::Bfs`] with
    /// [`Spec::None`].
    pub fn method(self, method: Method) -> Builder {
        Builder { method: Some(method), ..self }
    }

    /// Sets the source of the databases. By default [`Store::default`], which builds missing ones:
    /// see [`Store::build_missing`] and [`Store::memory_limit`].
    pub fn store(self, store: Store) -> Builder {
        Builder { store, ..self }
    }

    /// Gives the solver this many separate threads; 0 counts as 1. By default it uses the rayon thread pool
    /// that it is called on: see *Panics* of [`Solver`](crate::solver::Solver).
    pub fn threads(self, threads: usize) -> Builder {
        Builder { threads: Some(threads), ..self }
    }

    /// Sets a function that receives the progress, from all threads. It must not use the solver.
    ///
    /// Of the boards that a stream solves at the same time, only the events that name their board are
    /// reported.
    pub fn progress(self, progress: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Builder {
        Builder { progress: Some(Box::new(progress)), ..self }
    }
}

/// The options that [`Solver::new`](crate::solver::Solver::new) takes.
impl Default for Builder {
    fn default() -> Builder {
        Builder {
            goal: Ok(GoalSpec::default()),
            metric: Metric::Single,
            heuristic: Spec::Standard,
            method: None,
            store: Store::default(),
            threads: None,
            progress: None,
        }
    }
}
