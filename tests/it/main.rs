//! The integration tests: one program, which is linked once, with a module for each subject.
//!
//! The harness runs them on as many threads as there are processors. So a test changes nothing that
//! belongs to the whole process, such as its environment or its working directory: whatever needs
//! that runs in a process of its own. Tables are built once for all tests; see [`common`].

mod common;

// Helpers of some tests.
mod pieces;
#[cfg(feature = "cli")]
mod process;
#[cfg(all(unix, feature = "cli"))]
mod signals;

mod clock;
mod damage;
mod distances;
mod documents;
mod endings;
mod engine;
mod examples;
mod fuzz;
mod heuristics;
mod insert;
mod ladder;
mod limits;
mod methods;
mod multi;
mod open;
mod reading_damage;
mod reading_examples;
mod refusals;
mod sharing;
mod short;
mod small;
mod solutions;
mod solver;
mod solving;
mod soundness;
mod spaces;
mod tables;
mod twentyfour;

#[cfg(feature = "serde")]
mod kept;
#[cfg(feature = "lab")]
mod lab;
#[cfg(feature = "serde")]
mod packets;

#[cfg(feature = "cli")]
mod lists;

#[cfg(all(unix, feature = "cli"))]
mod faults;
#[cfg(feature = "cli")]
mod names;
#[cfg(all(unix, feature = "cli"))]
mod outputs;
#[cfg(all(unix, feature = "cli"))]
mod play;
#[cfg(all(unix, feature = "cli"))]
mod progress;
#[cfg(feature = "cli")]
mod prompt;
#[cfg(all(unix, feature = "cli"))]
mod prompt_bench;
#[cfg(all(unix, feature = "cli"))]
mod prompt_help;
#[cfg(all(unix, feature = "cli"))]
mod prompt_packets;
#[cfg(feature = "cli")]
mod reading;
#[cfg(all(unix, feature = "cli"))]
mod transcripts;
