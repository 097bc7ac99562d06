//! Packets: the search for one board, divided among any number of programs and machines.
//!
//! 1. [`Solver::packets`] divides a threshold into [`Packet`]s. Each is some of its subtrees, and
//!    holds all that is needed to search them.
//! 2. [`Solver::run_packet`] searches one, anywhere. It changes nothing, and gives the same
//!    [`PacketResult`] each time.
//! 3. [`Solver::merge`] joins the results. Either there is a solution, or the threshold is exhausted, and
//!    [`Solver::packets`] continues with the next one from the [`State`] that is returned.
//!
//! The solution, the proof and the node counts are those of [`Solver::solve`].
//!
//! The results of one threshold show how many nodes its large subtrees have. The packets of the next
//! threshold are divided by these numbers, so that no packet takes much longer than the others.
//!
//! ```
//! use taquin::solver::{Division, Split};
//! use taquin::{Board, Limits, Solver, Store};
//!
//! let solver = Solver::builder().store(Store::memory()).build()?;
//! let board: Board = "9 5 2 7 / 1 3 6 4 / 8 10 0 11".parse()?;
//! let division = Division { count: 4, ..Division::default() };
//! let limits = Limits::default();
//! let mut state = None;
//! let solved = loop {
//!     let packets = match solver.packets(&board, state, division, &limits)? {
//!         Split::Packets(packets) => packets,
//!         Split::Solved(bracket) => break bracket,
//!     };
//!     let results = packets.iter().map(|packet| solver.run_packet(packet, &limits));
//!     let (bracket, next) = solver.merge(results.collect::<Result<_, _>>()?, &limits)?;
//!     if next.is_none() {
//!         break bracket;
//!     }
//!     state = next;
//! };
//! let alone = solver.solve(&board)?;
//! assert_eq!(solved.solution.as_ref().map(|solution| solution.moves()), Some(alone.moves()));
//! assert_eq!(solved.effort.generated, alone.effort().generated);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod packet;
mod search;

pub use packet::{Division, Packet, PacketResult};
pub use search::Split;
pub(super) use search::{divided, merged, run};
