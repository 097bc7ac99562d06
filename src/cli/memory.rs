//! What memory a table takes, reckoned before any of it is taken, and how much may be.

use std::fs;
use std::sync::OnceLock;

use crate::board::Grid;
use crate::pdb::{Index, Orders, Pattern};

/// More than this is not taken. Like the memory itself it is one for the whole process.
static LIMIT: OnceLock<u64> = OnceLock::new();

/// Sets the limit, where the user has one. It has to be done before any table is asked for.
pub(super) fn limit(asked: Option<u64>) {
    if let Some(bytes) = asked {
        // A second call changes nothing; there is none.
        let _ = LIMIT.set(bytes);
    }
}

/// What may be taken: what the user says, else nine tenths of what the system has to give.
fn allowed() -> u64 {
    // Unit tests mean the same on every machine.
    let available = || if cfg!(test) { Some(10 << 30) } else { available() };
    *LIMIT.get_or_init(|| available().map_or(u64::MAX, |bytes| bytes / 10 * 9))
}

/// What the system, or the control group that this process is in, has to give now; `None` where it
/// does not tell. Then the system refuses what there is not, or does not.
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

/// A table that would take more memory than is sensible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the table of {} tiles on {grid} boards would take {} of memory, more than the {} allowed: take patterns of fewer tiles, or allow more with --memory",
    tiles, readable(*bytes), readable((*allowed).into())
)]
pub(super) struct TooLarge {
    grid: Grid,
    tiles: usize,
    bytes: u128,
    allowed: u64,
}

fn readable(bytes: u128) -> String {
    let gibibytes = bytes as f64 / f64::from(1 << 30);
    if gibibytes < 1.0 {
        format!("{:.0} MiB", (1024.0 * gibibytes).ceil())
    } else {
        format!("{gibibytes:.1} GiB")
    }
}

/// The numbering of a pattern's states, if it fits.
pub(super) fn index(pattern: &Pattern) -> Result<Index, TooLarge> {
    index_with(pattern, |_, _| 0)
}

/// The numbering of a pattern's states, if it leaves room to build the table.
pub(super) fn index_to_build(pattern: &Pattern) -> Result<Index, TooLarge> {
    index_with(pattern, search(pattern))
}

/// The numbering of a pattern's states, if it leaves room to build the table that ignores the
/// blank.
pub(super) fn index_to_build_plain(pattern: &Pattern) -> Result<Index, TooLarge> {
    let orders = Orders::new(pattern.len(), pattern.grid().width());
    // A byte and a bit a state.
    let plain = orders.len() as u128 + 8 * orders.cosets() as u128;
    let search = search(pattern);
    index_with(pattern, |sets, cohorts| sets * plain + search(sets, cohorts))
}

/// What the search of a pattern's states takes, by sets and cohorts.
fn search(pattern: &Pattern) -> impl Fn(u128, u128) -> u128 {
    let words = Orders::new(pattern.len(), pattern.grid().width()).cosets() as u128;
    // A place, a vector, and at most four moves a tile in it.
    let moves = 4 + 24 + 4 * 8 * pattern.len() as u128;
    // Two blocks of bits.
    move |_, cohorts| cohorts * (2 * 8 * words + moves)
}

/// The numbering of a pattern's states, if it leaves room to prove the table.
pub(super) fn index_to_verify(pattern: &Pattern) -> Result<Index, TooLarge> {
    let orders: u128 = (1..=pattern.len() as u128).product();
    // Two vectors, at most four moves a tile, a byte a state.
    let moves = 2 * 24 + 4 * 16 * pattern.len() as u128;
    index_with(pattern, |_, cohorts| cohorts * (orders + moves))
}

/// The numbering of a pattern's states, if it leaves room for the bytes that so many sets and
/// cohorts take.
fn index_with(pattern: &Pattern, bytes: impl Fn(u128, u128) -> u128) -> Result<Index, TooLarge> {
    let grid = pattern.grid();
    let cells = grid.cells() as u128;
    let tiles = pattern.len();
    let sets = (0..tiles as u128).fold(1, |sets, i| sets * (cells - i) / (i + 1));
    // A mask, a cohort, and a zone for each cell.
    let own = sets * (8 + 4 + cells);
    let allowed = allowed();
    let allow = |cohorts| match own + bytes(sets, cohorts) {
        bytes if bytes > allowed.into() => Err(TooLarge { grid, tiles, bytes, allowed }),
        _ => Ok(()),
    };
    // There is a cohort for each set at least; how many there are, only the index knows.
    allow(sets)?;
    let index = Index::new(grid, tiles);
    allow(index.cohorts() as u128)?;
    Ok(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(width: usize, height: usize, tiles: usize) -> Pattern {
        Pattern::new(Grid::new(width, height).unwrap(), 0, 1..=tiles).unwrap()
    }

    #[test]
    fn the_system_tells_what_it_has() {
        let bytes = available();
        assert!(bytes.is_none_or(|bytes| bytes > 1 << 20 && bytes < 1 << 50), "{bytes:?}");
        assert!(!cfg!(target_os = "linux") || bytes.is_some());
    }

    #[test]
    fn what_is_sensible_is_allowed() {
        for (width, height, tiles) in [(2, 2, 1), (3, 3, 4), (4, 4, 8), (5, 5, 7), (8, 8, 4)] {
            let pattern = pattern(width, height, tiles);
            for index in [index, index_to_build, index_to_build_plain, index_to_verify] {
                assert!(index(&pattern).is_ok(), "{width}x{height}, {tiles} tiles");
            }
        }
    }

    #[test]
    fn what_is_not_is_refused_at_once() {
        for (width, height, tiles) in [(5, 5, 8), (6, 6, 7), (8, 8, 6), (8, 8, 8), (32, 2, 8)] {
            let pattern = pattern(width, height, tiles);
            for index in [index_to_build, index_to_build_plain, index_to_verify] {
                let refused = index(&pattern).unwrap_err().to_string();
                assert!(refused.contains("more than the 9.0 GiB allowed"), "{refused}");
            }
        }
        let refused = index(&pattern(8, 8, 8)).unwrap_err();
        assert_eq!(refused.bytes, 4_426_165_368 * 76);
    }
}
