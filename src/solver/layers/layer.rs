//! A layer, whatever holds its boards.

use crate::search::{Limits, Stop};

/// The boards of a layer, in a fixed order.
pub trait Layer {
    /// Turns to the next layer, unless it is empty. Returns the number of its boards.
    fn advance(&mut self, limits: &Limits) -> Result<u64, Stop>;

    /// The tiles in reading order of the boards with these numbers, which ascend.
    fn tiles(&self, numbers: &mut dyn Iterator<Item = u64>) -> Vec<Vec<u8>>;
}
