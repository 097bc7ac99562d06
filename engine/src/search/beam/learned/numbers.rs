//! The learned numbers that beams use.
//!
//! They are part of the program. In WebAssembly they would be a tenth of a module that seldom needs them, so there the
//! host gives them, unless the feature `numbers` is on.

use std::sync::OnceLock;

use super::network::Network;
use super::weights::Weights;
use crate::board::Metric;

/// The weights and the network of beams.
pub struct LearnedNumbers {
    moves: Weights,
    slides: Weights,
    network: Network,
}

static NUMBERS: OnceLock<LearnedNumbers> = OnceLock::new();

impl LearnedNumbers {
    /// The numbers of beams; `None` where the host has not given them yet.
    pub fn get() -> Option<&'static LearnedNumbers> {
        #[cfg(any(not(target_family = "wasm"), feature = "numbers"))]
        NUMBERS.get_or_init(|| {
            let files: [&[u8]; 3] = [
                include_bytes!("moves.weights"),
                include_bytes!("slides.weights"),
                include_bytes!("moves.network"),
            ];
            LearnedNumbers::read(&files.concat()).expect("a test reads the files")
        });
        NUMBERS.get()
    }

    /// Beams use the numbers from now on, unless there are some.
    pub fn give(self) {
        let _ = NUMBERS.set(self);
    }

    /// The numbers of the files `moves.weights`, `slides.weights` and `moves.network`, one after the other; `None` if
    /// they are damaged.
    pub fn read(files: &[u8]) -> Option<LearnedNumbers> {
        let (_, moves, files) = Weights::read_first(files)?;
        let (_, slides, files) = Weights::read_first(files)?;
        let (_, network) = Network::read(files)?;
        Some(LearnedNumbers { moves, slides, network })
    }

    /// The weights of beams that count in this metric.
    pub fn weights(&self, metric: Metric) -> &Weights {
        match metric {
            Metric::Single => &self.moves,
            Metric::Multi => &self.slides,
        }
    }

    /// The network of beams of moves.
    pub fn network(&self) -> &Network {
        &self.network
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_say_how_their_numbers_were_made() {
        for about in [
            Weights::read(include_bytes!("moves.weights")).unwrap().0,
            Weights::read(include_bytes!("slides.weights")).unwrap().0,
            Network::read(include_bytes!("moves.network")).unwrap().0,
        ] {
            let names = about.lines().map(|line| line.split_once(' ').unwrap().0);
            assert_eq!(names.collect::<Vec<_>>(), ["commit", "seed", "samples", "loss"]);
        }
    }
}
