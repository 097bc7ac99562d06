//! The memory for tables, calculated before any of it is allocated.

use std::fs;

use crate::board::{Grid, Metric};

/// The bytes that the system, or the control group of this process, has available now; `None`
/// where the system does not say.
fn available() -> Option<u64> {
    let read = |file: &str| fs::read_to_string(file).ok();
    let kibibytes = || {
        let text = read("/proc/meminfo")?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    let number = |file: &str| read(&format!("/sys/fs/cgroup/{file}"))?.trim().parse::<u64>().ok();
    let group = || Some(number("memory.max")?.saturating_sub(number("memory.current")?));
    let system = kibibytes().map(|kibibytes| kibibytes << 10);
    system.into_iter().chain(group()).min()
}

/// The bytes that may be taken where no limit is given: nine tenths of the available memory, or of the
/// address space.
pub(super) fn sensible() -> u64 {
    available().unwrap_or(usize::MAX as u64) / 10 * 9
}

/// A table that would take more memory than the limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the table of {tiles} tiles on {grid} boards would take {} of memory, more than the {} allowed",
    readable(*bytes, true), readable(*allowed, false)
)]
#[non_exhaustive]
pub struct TooLarge {
    /// The board's size.
    pub grid: Grid,
    /// The number of tiles of the pattern.
    pub tiles: usize,
    /// The bytes that the table and the work on it would take.
    pub bytes: u64,
    /// The limit in bytes.
    pub allowed: u64,
}

/// A number of bytes, rounded up for a need and down for a limit, so that both hold.
fn readable(bytes: u64, up: bool) -> String {
    let units = |size: u64| if up { bytes.div_ceil(size) } else { bytes / size };
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
    /// The bytes that this takes at most, the numbering included: for each eighth of a state, and for each
    /// cohort.
    pub(super) fn bytes(self, metric: Metric, cohorts: u64, orders: u64) -> u64 {
        let (eighths, of_cohort) = match (self, metric) {
            (Purpose::Open, _) => (0, 80),
            (Purpose::Check, Metric::Single) => (1, 80),
            // Two bits per state, and for each cohort a place, a vector, and in it at most four moves per
            // tile.
            (Purpose::Build, Metric::Single) => (2, 300),
            (Purpose::BuildPlain, _) => (8, 300),
            // A byte per state, and the table itself.
            (Purpose::Prove, Metric::Single) => (9, 800),
            (Purpose::Check | Purpose::Prove, Metric::Multi) => (16, 80),
            // Four numbers of 16 bits per placement: the cells reached in both directions, the cells of one
            // direction before the last level, and the record.
            (Purpose::Build, Metric::Multi) => (64, 800),
        };
        cohorts.saturating_mul(orders * eighths / 8 + of_cohort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdb::{Numbering, Pattern};
    use crate::store::Store;

    const ALLOWED: u64 = 9 << 30;

    fn pattern(width: usize, height: usize, tiles: usize) -> Pattern {
        Pattern::new(Grid::new(width, height).unwrap(), 0, 1..=tiles).unwrap()
    }

    fn numbering(pattern: Pattern, purpose: Purpose, allowed: u64) -> Result<Numbering, TooLarge> {
        let store = Store::memory().memory_limit(Some(allowed));
        store.numbering(Metric::Single, pattern, purpose)
    }

    fn refused(pattern: Pattern, purpose: Purpose, allowed: u64) -> TooLarge {
        numbering(pattern, purpose, allowed).err().unwrap()
    }

    #[test]
    fn the_system_says_what_it_has() {
        let bytes = available();
        assert!(bytes.is_none_or(|bytes| bytes > 1 << 20 && bytes < 1 << 50), "{bytes:?}");
        assert!(!cfg!(target_os = "linux") || bytes.is_some());
        assert!(bytes.is_none_or(|bytes| sensible() < bytes + bytes / 4));
    }

    /// Rounds the memory that would be enough up, and the limit down.
    #[test]
    fn limits_are_named_as_they_are() {
        let refused = refused(pattern(4, 4, 8), Purpose::Build, 100).to_string();
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
                let numbering = numbering(pattern, purpose, ALLOWED);
                numbering.unwrap_or_else(|refused| panic!("{purpose:?}: {refused}"));
            }
        }
    }

    #[test]
    fn others_are_refused_at_once() {
        for (width, height, tiles) in [(5, 5, 8), (6, 6, 7), (8, 8, 6), (8, 8, 8), (32, 2, 8)] {
            let pattern = pattern(width, height, tiles);
            for purpose in [Purpose::Build, Purpose::BuildPlain, Purpose::Prove] {
                let refused = refused(pattern, purpose, ALLOWED).to_string();
                assert!(refused.contains("more than the 9.0 GiB allowed"), "{refused}");
            }
        }
        // The size in the error does not depend on the limit.
        let bytes = |allowed| refused(pattern(4, 4, 8), Purpose::Build, allowed).bytes;
        assert_eq!(bytes(1 << 10), bytes(100 << 20));
        let pattern = pattern(3, 3, 4);
        for metric in Metric::ALL {
            // Of a numbering that is kept.
            let store = Store::memory();
            store.numbering(metric, pattern, Purpose::Open).unwrap();
            let store = store.memory_limit(Some(1 << 10));
            let refused = store.numbering(metric, pattern, Purpose::Build).unwrap_err();
            let expected = (pattern.grid(), 4, 1 << 10);
            assert_eq!((refused.grid, refused.tiles, refused.allowed), expected);
        }
    }
}
