//! Iterative deepening in the multi-tile metric, with tables that count slides.
//!
//! 1. Two slides in the same line are at most one. An optimal solution therefore alternates between
//!    rows and columns, and a node of the search is a position with the direction of the next
//!    slide. On 4×4 each has three children. The first slide may have either direction.
//! 2. The tables are for nodes whose next slide is along a row. For a column, the search looks up
//!    the mirror image of the position along the main diagonal. Both are kept up to date, slide by
//!    slide.
//! 3. A node is pruned if the value of a table is more than the remaining slides. The first table is asked
//!    for all children at once, so that the memory's latency is hidden; the others only for the children that
//!    remain.
//! 4. Every threshold is one more than the last one: the lengths of solutions have no parity.

mod borders;
mod dfs;
mod engine;
mod ida;
mod iteration;
mod node;

pub use engine::SlideEngine;
pub use ida::slide_ida;
