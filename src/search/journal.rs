//! What a long search tells of its progress, and what it takes to go on later.
//!
//! An iteration is split into subtrees, its *packets*. Which ones there are, and in what order,
//! follows from the [`Stage`] alone; so a search that was killed goes on from the stage and the
//! packets that were finished, and gives the same answer.

/// An iteration about to begin, and what was done before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stage {
    /// The threshold: no solution is shorter.
    pub bound: u32,
    /// The views that it is searched with, by their numbers.
    pub views: Vec<usize>,
    /// Thresholds exhausted, with these views or others before, and the nodes generated for each.
    pub history: Vec<(u32, u64)>,
    /// How often other views were tried.
    pub trials: u32,
    /// Nodes generated before this iteration, trials included.
    pub generated: u64,
    /// Nodes expanded before it.
    pub expanded: u64,
    /// Packets finished before it.
    pub packets: u64,
}

/// A finished subtree of an iteration. It is written as a list of its fields: there may be thousands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Fields", into = "Fields"))]
pub struct Packet {
    /// Its place in depth-first order.
    pub number: usize,
    /// The nodes generated in it.
    pub generated: u64,
    /// The nodes expanded in it.
    pub expanded: u64,
    /// The moves from its root to the goal, as numbers, if there is a solution in it.
    pub solution: Option<Vec<u8>>,
}

#[cfg(feature = "serde")]
type Fields = (usize, u64, u64, Option<Vec<u8>>);

#[cfg(feature = "serde")]
impl From<Fields> for Packet {
    fn from((number, generated, expanded, solution): Fields) -> Packet {
        Packet { number, generated, expanded, solution }
    }
}

#[cfg(feature = "serde")]
impl From<Packet> for Fields {
    fn from(packet: Packet) -> Fields {
        (packet.number, packet.generated, packet.expanded, packet.solution)
    }
}

/// Told of a search as it goes on, from all its threads.
pub trait Journal: Sync {
    /// An iteration begins; it has this many packets.
    fn begins(&self, _stage: &Stage, _packets: usize) {}

    /// A packet is finished.
    fn finished(&self, _packet: Packet) {}

    /// So many more nodes were generated; told every few thousand.
    fn searched(&self, _nodes: u64) {}
}

/// Nothing is noted.
impl Journal for () {}

/// The finished packets of a stage, small enough to be written often: packets are begun in order, so nearly all
/// finished ones make one row from the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Saved {
    /// The iteration.
    pub stage: Stage,
    /// This many packets, from the first, are finished and hold no solution.
    pub row: usize,
    /// The nodes generated in them.
    pub generated: u64,
    /// The nodes expanded in them.
    pub expanded: u64,
    /// Finished packets behind the row.
    pub beyond: Vec<Packet>,
}

impl Saved {
    /// A stage none of whose packets is finished.
    pub fn new(stage: Stage) -> Saved {
        Saved { stage, ..Saved::default() }
    }

    /// Whether its numbers can be those of a search: all together far below what a counter holds.
    pub(super) fn is_possible(&self) -> bool {
        let Saved { stage, row, .. } = self;
        let of_packets = |p: &Packet| [p.number as u64, p.generated, p.expanded];
        let counts = [self.generated, self.expanded, stage.generated, stage.expanded];
        let counts = counts.into_iter().chain([stage.packets, *row as u64]);
        let counts = counts.chain(stage.history.iter().map(|&(_, nodes)| nodes));
        let mut counts = counts.chain(self.beyond.iter().flat_map(of_packets));
        let sum = counts.try_fold(stage.bound.into(), u64::checked_add);
        stage.bound < 1 << 20 && stage.trials < 1 << 20 && sum.is_some_and(|sum| sum < 1 << 60)
    }

    /// Takes in a finished packet.
    pub fn add(&mut self, packet: Packet) {
        self.beyond.push(packet);
        while let Some(place) =
            self.beyond.iter().position(|p| p.number == self.row && p.solution.is_none())
        {
            let packet = self.beyond.swap_remove(place);
            self.row += 1;
            self.generated += packet.generated;
            self.expanded += packet.expanded;
        }
    }

    /// The number of finished packets of this and all earlier iterations. Those behind the first
    /// solution do not count: whether they are finished is chance.
    pub fn packets(&self) -> u64 {
        let solved = self.beyond.iter().filter(|p| p.solution.is_some()).map(|p| p.number).min();
        let wanted = |number: usize| solved.is_none_or(|solved| number <= solved);
        let beyond = self.beyond.iter().filter(|p| wanted(p.number)).count();
        self.stage.packets + (self.row + beyond) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_make_a_row_up_to_the_first_solution() {
        let packet = |number: usize, solution: Option<Vec<u8>>| Packet {
            number,
            generated: 10 + number as u64,
            expanded: number as u64,
            solution,
        };
        let mut saved = Saved::new(Stage::default());
        saved.add(packet(1, None));
        assert_eq!((saved.row, saved.beyond.len(), saved.packets()), (0, 1, 1));
        saved.add(packet(0, None));
        assert_eq!((saved.row, saved.generated, saved.expanded), (2, 21, 1));
        saved.add(packet(3, None));
        saved.add(packet(2, Some(vec![1])));
        assert_eq!((saved.row, saved.beyond.len(), saved.packets()), (2, 2, 3));
    }
}
