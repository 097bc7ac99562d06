//! Sets of databases: which partition a board is solved with, and what people call it.

use std::collections::BTreeSet;
use std::path::Path;

use crate::board::{Board, Canonical, Goal, Grid};
use crate::pdb::{Partition, Pattern, PatternError};

/// The most cells of a board whose tiles go into two patterns.
pub(super) const MAX_CELLS: usize = 16;

/// The most cells of a board that can be solved with databases at all.
pub(super) const MAX_CATALOGUE_CELLS: usize = 25;

/// The most tiles of a pattern where nothing better is known.
const MOST_TILES: usize = 6;

/// The partitions of the 4x4 portfolio.
const PORTFOLIO: [&str; 3] = ["7-8", "7-8b", "7-8c"];

/// A partition or a catalogue of several, with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set {
    /// As in `7-8`, or lists of tiles.
    pub name: String,
    /// Of a catalogue, its first one.
    pub partition: Partition,
    /// The other partitions of a catalogue. Its databases serve all patterns of the same shape.
    pub catalogue: Option<Vec<Partition>>,
}

/// Why there is no such set.
#[derive(Debug, thiserror::Error)]
pub(super) enum SetError {
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error(
        "{0} boards have no partition of their own: give one with --partition, as in 1,2,3/4,5,6"
    )]
    NoStandard(Grid),
    #[error("there is no catalogue {name:?} of {grid}{}", known_catalogues(*grid))]
    NoCatalogue { name: String, grid: Grid },
    #[error("the catalogue {name} is for goals with the blank in a corner, not in cell {blank}")]
    NotForGoal { name: String, blank: usize },
}

impl Set {
    /// What boards are solved with. Up to 16 cells, two patterns, halves of the tiles in reading
    /// order where nothing better is known; on larger boards a catalogue, or patterns of up to six tiles in
    /// reading order. `None` where even these would be too large, and on 2x2, where a pattern
    /// cannot have two tiles.
    pub fn standard(grid: Grid, blank: usize) -> Option<Set> {
        let tiles: Vec<usize> = (0..grid.cells()).filter(|&cell| cell != blank).collect();
        if grid.cells() > MAX_CELLS {
            return Set::standard_of_many(grid, blank, &tiles);
        }
        let (first, second) = tiles.split_at(tiles.len() / 2);
        let name = format!("{}-{}", first.len(), second.len());
        let partition = Partition::parse(&name, grid, blank)
            .or_else(|_| Partition::new(patterns(grid, blank, &[first, second])?));
        Some(Set { name, partition: partition.ok()?, catalogue: None })
    }

    fn standard_of_many(grid: Grid, blank: usize, tiles: &[usize]) -> Option<Set> {
        if grid.cells() > MAX_CATALOGUE_CELLS {
            return None;
        }
        if let Some(name) = Partition::catalogues(grid).next().filter(|_| blank == 0) {
            return Set::catalogue(name, grid, blank).ok();
        }
        if let Some(name) = Partition::names(grid).next() {
            let partition = Partition::parse(name, grid, blank).ok()?;
            return Some(Set { name: name.to_owned(), partition, catalogue: None });
        }
        let parts: Vec<_> =
            tiles.chunks(tiles.len().div_ceil(tiles.len().div_ceil(MOST_TILES))).collect();
        let partition = Partition::new(patterns(grid, blank, &parts).ok()?).ok()?;
        Some(Set { name: partition.to_string(), partition, catalogue: None })
    }

    /// A catalogue by its name.
    ///
    /// # Errors
    /// [`SetError`] where there is none of that name for the size, or for the goal.
    pub fn catalogue(name: &str, grid: Grid, blank: usize) -> Result<Set, SetError> {
        if blank >= grid.cells() {
            return Err(PatternError::Blank { grid, blank }.into());
        }
        let (grid, canonical) = canonical(grid, blank);
        let partitions = Partition::catalogue(name.trim(), grid);
        let Some(mut partitions) = partitions.filter(|partitions| !partitions.is_empty()) else {
            return Err(SetError::NoCatalogue { name: name.to_owned(), grid });
        };
        if canonical != 0 {
            return Err(SetError::NotForGoal { name: name.to_owned(), blank });
        }
        let partition = partitions.remove(0);
        Ok(Set { name: name.trim().to_owned(), partition, catalogue: Some(partitions) })
    }

    /// All its partitions.
    pub fn partitions(&self) -> Vec<Partition> {
        let others = self.catalogue.iter().flatten().cloned();
        std::iter::once(self.partition.clone()).chain(others).collect()
    }

    /// The patterns that it has databases for.
    pub fn patterns(&self) -> Vec<Pattern> {
        if self.catalogue.is_none() {
            return self.partition.patterns().to_vec();
        }
        let partitions = self.partitions();
        let patterns = partitions.iter().flat_map(|partition| partition.patterns());
        let shapes: BTreeSet<_> = patterns.map(|pattern| pattern.representative()).collect();
        shapes.into_iter().collect()
    }

    /// The first `count` sets of a portfolio, the standard one first; `None` where none is known.
    pub fn portfolio(grid: Grid, blank: usize, count: usize) -> Option<Vec<Set>> {
        let names = PORTFOLIO[..count].iter().map(|&name| {
            let partition = Partition::parse(name, grid, blank).ok()?;
            Some(Set { name: name.to_owned(), partition, catalogue: None })
        });
        names.collect()
    }

    /// A set by the partition's name, by lists of tiles, or the standard one.
    ///
    /// A name stands for a class of equivalent goals, and gives the set that serves them all;
    /// lists are taken as they are.
    pub fn parse(text: Option<&str>, grid: Grid, blank: usize) -> Result<Set, SetError> {
        if blank >= grid.cells() {
            return Err(PatternError::Blank { grid, blank }.into());
        }
        if let Some(lists) = text.filter(|text| text.contains([',', '/'])) {
            let partition = Partition::parse(lists, grid, blank)?;
            return Ok(Set { name: partition.to_string(), partition, catalogue: None });
        }
        let (grid, blank) = canonical(grid, blank);
        let standard = Set::standard(grid, blank);
        let name = match (text.map(str::trim), &standard) {
            (Some(name), _) => name,
            (None, Some(set)) => return Ok(set.clone()),
            (None, None) => return Err(SetError::NoStandard(grid)),
        };
        match standard {
            Some(set) if set.name == name && set.catalogue.is_none() => Ok(set),
            _ => {
                let partition = Partition::parse(name, grid, blank)?;
                Ok(Set { name: name.to_owned(), partition, catalogue: None })
            }
        }
    }

    /// The command that builds this set.
    pub fn command(&self, folder: &Path, force: bool) -> String {
        let mut command = format!(
            "pdb-gen build --size {} {} {}",
            self.partition.grid(),
            if self.catalogue.is_some() { "--catalogue" } else { "--partition" },
            quote(&self.name)
        );
        if self.partition.blank() != 0 {
            command += &format!(" --blank {}", self.partition.blank());
        }
        if force {
            command += " --force";
        }
        command + " --out " + &quote(&folder.display().to_string())
    }
}

fn patterns(grid: Grid, blank: usize, lists: &[&[usize]]) -> Result<Vec<Pattern>, PatternError> {
    lists.iter().map(|tiles| Pattern::new(grid, blank, tiles.iter().copied())).collect()
}

fn known_catalogues(grid: Grid) -> String {
    let names: Vec<_> = Partition::catalogues(grid).collect();
    if names.is_empty() {
        ": only 5x5 has one, small".to_owned()
    } else {
        format!(": there is {}", names.join(", "))
    }
}

/// The grid and blank's cell that stand for all that are equivalent by symmetry.
fn canonical(grid: Grid, blank: usize) -> (Grid, usize) {
    let mut tiles: Vec<u8> = (0..grid.cells()).map(|cell| cell as u8).collect();
    tiles.swap(0, blank);
    let goal = Goal::from(Board::from_permutation(grid, tiles.into()));
    let canonical = Canonical::of(&goal);
    (canonical.grid(), canonical.blank())
}

/// A word as a shell takes it.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./,:+=@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(width: usize, height: usize) -> Grid {
        Grid::new(width, height).unwrap()
    }

    #[test]
    fn standard_sets_have_all_tiles() {
        for (width, height) in [(3, 2), (4, 2), (3, 3), (5, 3), (7, 2), (8, 2), (4, 4)] {
            let grid = grid(width, height);
            for blank in 0..grid.cells() {
                let set = Set::standard(grid, blank).unwrap();
                let masks: Vec<u64> = set.partition.patterns().iter().map(|p| p.mask()).collect();
                assert_eq!(masks.len(), 2);
                assert_eq!(masks[0] + masks[1], (1 << grid.cells()) - 1 - (1 << blank));
            }
        }
        assert!(Set::standard(grid(6, 5), 0).is_none());
        assert!(Set::standard(grid(2, 2), 0).is_none());
        let four = Set::standard(grid(4, 4), 0).unwrap();
        assert_eq!(four.name, "7-8");
        assert_eq!(four.partition.to_string(), "1,2,3,4,5,6,7/8,9,10,11,12,13,14,15");
        assert_eq!(Set::standard(grid(3, 3), 0).unwrap().partition.to_string(), "1,2,4,5/3,6,7,8");
    }

    #[test]
    fn names_stand_for_all_equivalent_goals() {
        let standard = Set::standard(grid(4, 4), 0);
        for corner in [0, 3, 12, 15] {
            assert_eq!(Set::parse(Some("7-8"), grid(4, 4), corner).ok(), standard);
            assert_eq!(Set::parse(None, grid(4, 4), corner).ok(), standard);
        }
        let upright = Set::parse(None, grid(3, 4), 11).unwrap();
        assert_eq!((upright.partition.grid(), upright.partition.blank()), (grid(4, 3), 0));
        assert_eq!(Set::parse(Some("5-6"), grid(3, 4), 0).unwrap(), upright);
        let lists = Set::parse(Some("1,2/3"), grid(3, 4), 11).unwrap();
        assert_eq!((lists.partition.grid(), lists.partition.blank()), (grid(3, 4), 11));
        let large = Set::parse(None, grid(5, 5), 24).unwrap();
        assert_eq!((large.name.as_str(), large.partitions().len()), ("small", 7));
        assert_eq!(Set::parse(None, grid(5, 5), 12).unwrap().name, "6-6-6-6");
    }

    #[test]
    fn larger_boards_have_patterns_of_few_tiles() {
        for (width, height) in [(6, 3), (5, 4), (7, 3), (6, 4), (12, 2), (5, 5)] {
            let grid = grid(width, height);
            for blank in 0..grid.cells() {
                let set = Set::standard(grid, blank).unwrap();
                for partition in set.partitions() {
                    let patterns = partition.patterns();
                    assert!(patterns.len() <= 4 && patterns.iter().all(|p| p.len() <= 6));
                    let all: u64 = patterns.iter().map(|p| p.mask()).sum();
                    assert_eq!(all, (1 << grid.cells()) - 1 - (1 << blank), "{set:?}");
                }
            }
        }
        let small = Set::standard(grid(5, 5), 0).unwrap();
        assert_eq!(small.patterns().len(), 11);
        assert_eq!(
            small.command(Path::new("x"), false),
            "pdb-gen build --size 5x5 --catalogue small --out x"
        );
        assert!(Set::catalogue("small", grid(4, 4), 0).unwrap_err().to_string().contains("5x5"));
        assert!(Set::catalogue("big", grid(5, 5), 0).unwrap_err().to_string().contains("small"));
        assert!(
            Set::catalogue("small", grid(5, 5), 12).unwrap_err().to_string().contains("corner")
        );
        assert!(Set::catalogue("small", grid(5, 5), 25).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        let error = |text: Option<&str>, w, h, blank| {
            Set::parse(text, grid(w, h), blank).unwrap_err().to_string()
        };
        assert!(error(Some("8-7"), 4, 4, 0).contains("7-8, 7-8b, 7-8c, 6-6-3"));
        assert!(error(None, 6, 5, 0).contains("--partition"));
        assert!(error(None, 4, 4, 16).contains("0 to 15"));
        assert!(error(Some("1,2"), 16, 16, 0).contains("up to 64 cells"));
        assert!(error(Some("1,99"), 4, 4, 0).contains("no tile 99"));
    }

    #[test]
    fn commands_can_be_pasted() {
        let set = Set::standard(grid(4, 4), 0).unwrap();
        assert_eq!(
            set.command(Path::new("/a/b"), false),
            "pdb-gen build --size 4x4 --partition 7-8 --out /a/b"
        );
        let set = Set::standard(grid(4, 4), 5).unwrap();
        assert_eq!(
            set.command(Path::new("my 'tables'"), true),
            r"pdb-gen build --size 4x4 --partition 7-8 --blank 5 --force --out 'my '\''tables'\'''"
        );
    }
}
