//! The memory for tables, calculated before any of it is allocated.

use std::fs;
use std::sync::Arc;

use crate::board::{Grid, Metric};
use crate::pdb::{Index, Numbering, Orders, Pattern, Placements};

/// The bytes that the system, or the control group of this process, has available now; `None`
/// where the system does not say.
fn available() -> Option<u64> {
    let kibibytes = || {
        let text = fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    let number = |file: &str| {
        fs::read_to_string(format!("/sys/fs/cgroup/{file}")).ok()?.trim().parse::<u64>().ok()
    };
    let group = || Some(number("memory.max")?.saturating_sub(number("memory.current")?));
    let system = kibibytes().map(|kibibytes| kibibytes << 10);
    system.into_iter().chain(group()).min()
}

/// The bytes that may be taken where no limit is given: nine tenths of what is available, or of
/// the address space.
pub(super) fn sensible() -> u64 {
    available().unwrap_or(usize::MAX as u64) / 10 * 9
}

/// A table that would take more memory than is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the table of {tiles} tiles on {grid} boards would take {} of memory, more than the {} allowed",
    readable(*bytes, true), readable((*allowed).into(), false)
)]
#[non_exhaustive]
pub struct TooLarge {
    /// The board's size.
    pub grid: Grid,
    /// The number of tiles of the pattern.
    pub tiles: usize,
    /// The bytes that the table and the work on it would take.
    pub bytes: u128,
    /// The bytes that are allowed.
    pub allowed: u64,
}

/// A number of bytes, rounded up or down so that what is needed is enough and what is allowed is there.
fn readable(bytes: u128, up: bool) -> String {
    let units = |size: u128| if up { bytes.div_ceil(size) } else { bytes / size };
    match bytes {
        0..0x400 => format!("{bytes} bytes"),
        0x400..0x10_0000 => format!("{} KiB", units(1 << 10)),
        0x10_0000..0x4000_0000 => format!("{} MiB", units(1 << 20)),
        _ => {
            let tenths = if up { (10 * bytes).div_ceil(1 << 30) } else { (10 * bytes) >> 30 };
            format!("{}.{} GiB", tenths / 10, tenths % 10)
        }
    }
}

/// The use of the numbering of a pattern's states.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// Look-ups in a file.
    Open,
    /// Building the table.
    Build,
    /// Building the table that ignores the blank.
    BuildPlain,
    /// Reading the table and checking its hash.
    Check,
    /// Proving the table, too.
    Prove,
}

impl Purpose {
    /// The bytes that this takes in addition to the numbering.
    fn bytes(self, pattern: Pattern, sets: u128, cohorts: u128) -> u128 {
        // A file is opened at every start, and making the orders takes as long as the numbering.
        if let Purpose::Open = self {
            return 0;
        }
        let tiles = pattern.len() as u128;
        let orders = Orders::new(pattern.len(), pattern.grid().width());
        let words = orders.cosets() as u128;
        let table = orders.len() as u128 * cohorts.div_ceil(8);
        // Two blocks of bits; a place, a vector, and at most four moves a tile in it.
        let search = cohorts * (2 * 8 * words + 4 + 24 + 4 * 8 * tiles);
        match self {
            Purpose::Open => 0,
            Purpose::Build => search,
            // A byte and a bit a state.
            Purpose::BuildPlain => sets * (orders.len() as u128 + 8 * words) + search,
            Purpose::Check => table,
            // Two vectors, at most four moves a tile, a byte a state.
            Purpose::Prove => table + cohorts * (orders.len() as u128 + 2 * 24 + 4 * 16 * tiles),
        }
    }

    /// The bytes that this takes for a table that counts slides, by the number of placements of its
    /// tiles and of cells without one.
    fn bytes_of_slides(self, placements: u128, free: u128) -> u128 {
        match self {
            Purpose::Open => 0,
            // Four numbers of 16 bits a placement: the cells reached in both directions, those of one
            // direction before the last level, and the record.
            Purpose::Build | Purpose::BuildPlain => 8 * placements,
            Purpose::Check => 2 * placements,
            // A byte for each cell of the blank and direction.
            Purpose::Prove => (2 + 2 * free) * placements,
        }
    }
}

/// A numbering of at most this many bytes is made in well under a second.
const SMALL: u128 = 64 << 20;

/// The numbering of a pattern's states, if it leaves room for its purpose.
pub(super) fn numbering(
    metric: Metric,
    pattern: Pattern,
    purpose: Purpose,
    allowed: u64,
) -> Result<Numbering, TooLarge> {
    match metric {
        Metric::Single => index(pattern, purpose, allowed).map(Arc::new).map(Numbering::Single),
        Metric::Multi => {
            // It takes some kilobytes itself.
            let placements = Placements::new(pattern.grid().cells(), pattern.len());
            let numbering = Numbering::Multi(Arc::new(placements));
            reckon(pattern, &numbering, purpose, allowed)?;
            Ok(numbering)
        }
    }
}

fn index(pattern: Pattern, purpose: Purpose, allowed: u64) -> Result<Index, TooLarge> {
    let (grid, tiles) = (pattern.grid(), pattern.len());
    let cells = grid.cells() as u128;
    let sets = (0..tiles as u128).fold(1, |sets, i| sets * (cells - i) / (i + 1));
    // A mask, its number, a cohort, and a zone for each cell.
    let own = sets * (8 + 4 + 4 + cells);
    // There is a cohort for each set at least; only the numbering knows how many there are. A small
    // one is made nevertheless, so that the error has the exact number.
    if own > SMALL {
        allow(pattern, own + purpose.bytes(pattern, sets, sets), allowed)?;
    }
    let index = Index::new(grid, tiles);
    allow(pattern, own + purpose.bytes(pattern, sets, index.cohorts() as u128), allowed)?;
    Ok(index)
}

/// Checks that there is room for a purpose in addition to an existing numbering.
pub(super) fn reckon(
    pattern: Pattern,
    numbering: &Numbering,
    purpose: Purpose,
    allowed: u64,
) -> Result<(), TooLarge> {
    let bytes = match numbering {
        Numbering::Single(index) => {
            purpose.bytes(pattern, index.sets() as u128, index.cohorts() as u128)
        }
        Numbering::Multi(placements) => {
            let free = pattern.grid().cells() - pattern.len();
            purpose.bytes_of_slides(placements.len() as u128, free as u128)
        }
    };
    allow(pattern, bytes, allowed)
}

fn allow(pattern: Pattern, bytes: u128, allowed: u64) -> Result<(), TooLarge> {
    if bytes <= allowed.into() {
        return Ok(());
    }
    Err(TooLarge { grid: pattern.grid(), tiles: pattern.len(), bytes, allowed })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: u64 = 9 << 30;

    fn pattern(width: usize, height: usize, tiles: usize) -> Pattern {
        Pattern::new(Grid::new(width, height).unwrap(), 0, 1..=tiles).unwrap()
    }

    #[test]
    fn the_system_says_what_it_has() {
        let bytes = available();
        assert!(bytes.is_none_or(|bytes| bytes > 1 << 20 && bytes < 1 << 50), "{bytes:?}");
        assert!(!cfg!(target_os = "linux") || bytes.is_some());
        assert!(bytes.is_none_or(|bytes| sensible() < bytes + bytes / 4));
    }

    /// Rounds the memory that would be enough up, and the memory allowed down.
    #[test]
    fn limits_are_named_as_they_are() {
        let refused = index(pattern(4, 4, 8), Purpose::Build, 100).err().unwrap().to_string();
        assert!(refused.ends_with("more than the 100 bytes allowed"), "{refused}");
        for (bytes, enough, allowed) in [
            (0, "0 bytes", "0 bytes"),
            (1023, "1023 bytes", "1023 bytes"),
            (2047, "2 KiB", "1 KiB"),
            (3 << 19, "2 MiB", "1 MiB"),
            ((1 << 30) + 1, "1.1 GiB", "1.0 GiB"),
            (3 << 30, "3.0 GiB", "3.0 GiB"),
        ] {
            assert_eq!((&*readable(bytes, true), &*readable(bytes, false)), (enough, allowed));
        }
    }

    #[test]
    fn sensible_tables_are_allowed() {
        for (width, height, tiles) in [(2, 2, 1), (3, 3, 4), (4, 4, 8), (5, 5, 7), (8, 8, 4)] {
            let pattern = pattern(width, height, tiles);
            for purpose in [Purpose::Build, Purpose::BuildPlain, Purpose::Check, Purpose::Prove] {
                let numbering = numbering(Metric::Single, pattern, purpose, ALLOWED);
                let numbering =
                    numbering.unwrap_or_else(|refused| panic!("{purpose:?}: {refused}"));
                assert_eq!(reckon(pattern, &numbering, purpose, ALLOWED), Ok(()));
            }
        }
    }

    #[test]
    fn others_are_refused_at_once() {
        for (width, height, tiles) in [(5, 5, 8), (6, 6, 7), (8, 8, 6), (8, 8, 8), (32, 2, 8)] {
            let pattern = pattern(width, height, tiles);
            for purpose in [Purpose::Build, Purpose::BuildPlain, Purpose::Prove] {
                let refused = index(pattern, purpose, ALLOWED).err().unwrap().to_string();
                assert!(refused.contains("more than the 9.0 GiB allowed"), "{refused}");
            }
        }
        let refused = index(pattern(8, 8, 8), Purpose::Open, ALLOWED).err().unwrap();
        assert_eq!(refused.bytes, 4_426_165_368 * 80);
        // The size in the error does not depend on the limit.
        let least = pattern(4, 4, 8);
        let bytes = |allowed| index(least, Purpose::Build, allowed).err().unwrap().bytes;
        assert_eq!(bytes(1 << 10), bytes(100 << 20));
        let pattern = pattern(3, 3, 4);
        for metric in Metric::ALL {
            let numbering = numbering(metric, pattern, Purpose::Open, 1 << 20).unwrap();
            assert_eq!(reckon(pattern, &numbering, Purpose::Open, 0), Ok(()));
            let refused = reckon(pattern, &numbering, Purpose::Build, 1 << 10).unwrap_err();
            let expected = (pattern.grid(), 4, 1 << 10);
            assert_eq!((refused.grid, refused.tiles, refused.allowed), expected);
        }
    }
}
