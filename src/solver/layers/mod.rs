//! The boards at each distance from a goal, layer after layer, by breadth-first search.
//!
//! A move leads from a layer to itself or to one of its neighbours. So the boards that a layer leads to and that
//! are neither in it nor in the one before are the next layer, and no earlier layer is kept.
//!
//! | file | contents |
//! |---|---|
//! | `ranks` | the numbers of all boards of a small size, and what a move makes of them |
//! | `space` | a layer as a bit for each of these numbers |
//! | `ball` | a layer as a list of boards, for large sizes and open goals |
//! | `outward` | [`Layers`]: the layers of a goal, held in one of these ways |
//! | `table` | the distance of every board of a small size |

mod ball;
mod outward;
mod ranks;
mod space;
mod table;

pub use outward::Layers;
pub(crate) use outward::MAX_UNNAMED;
pub use ranks::MAX_SPACE_CELLS;
pub(crate) use table::{DistanceTable, TableOfMany};

use crate::search::{Limits, Stop};

/// The boards of a layer, in a fixed order.
trait Layer: Send {
    /// Turns to the next layer, unless it is empty. Returns the number of its boards.
    fn advance(&mut self, limits: &Limits) -> Result<u64, Stop>;

    /// The tiles in reading order of the boards with these numbers, which ascend.
    fn tiles(&self, numbers: &mut dyn Iterator<Item = u64>) -> Vec<Vec<u8>>;
}
