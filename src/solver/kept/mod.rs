//! Searches that outlive a run of the program: kept in a file, or divided among machines.
//!
//! | file | contents |
//! |---|---|
//! | `sealed` | a line of JSON that shows damage |
//! | `state` | the finished work of a search |
//! | `checkpoint` | a search that goes on from its file |
//! | `packet` | some subtrees of a threshold, and their results |
//! | `divided` | a threshold in packets, and the results merged |

mod checkpoint;
mod divided;
mod packet;
mod sealed;
mod state;

pub use checkpoint::{Checkpoint, Subtrees};
pub use divided::Split;
pub use packet::{Division, Packet, PacketResult};
pub use sealed::MAX_SEALED;
pub(crate) use sealed::{open, seal};
pub use state::State;
