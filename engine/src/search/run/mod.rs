//! The common parts of all searches: limits and events, the record of what was searched, the outcome and its
//! proof, and the turn from one threshold to the next.

mod clock;
mod deepening;
mod event;
mod limits;
mod outcome;
mod proof;
mod record;

pub use clock::Clock;
pub use deepening::{Deepening, Meter, Searched, Unrecorded};
pub use event::Event;
pub use limits::{Limits, Stop};
pub use outcome::{Count, Outcome};
pub use proof::Proof;
pub use record::{Finished, Record, Threshold};
