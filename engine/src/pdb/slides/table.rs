//! The table of a pattern that counts slides, and look-ups in it.

use std::sync::Arc;

use super::placements::Placements;
use super::record::{LEAST_BITS, MAX_LEAST, MAX_SLIDE_CELLS, counts_slides};
use crate::pdb::bytes::Bytes;
use crate::pdb::orders::MAX_PATTERN;
use crate::pdb::pattern::Pattern;
use crate::prefetch::prefetch;

/// A pattern database that counts slides.
///
/// The value of a position is a lower bound on the number of slides to the goal if the first one is
/// along a row. Let d be the exact number in the abstract problem, in which the tiles outside the
/// pattern look alike, and let m be the least d over all cells of the blank, with the tiles of the
/// pattern where they are. The value is m where d is m or m + 1, and m + 2 where d is larger. Where m
/// is above 63, the value is 63.
pub struct SlideTable {
    pattern: Pattern,
    placements: Arc<Placements>,
    /// The tiles of the pattern, followed by zeros.
    tiles: [u8; MAX_PATTERN],
    bytes: Bytes,
}

impl std::fmt::Debug for SlideTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SlideTable({})", self.pattern)
    }
}

/// The place of a position's value in a table. It is found before the value is read, so that the
/// processor can fetch several at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Probe {
    /// The number of the placement and of its record.
    placement: usize,
    /// The bit of the blank's cell.
    bit: u32,
}

impl SlideTable {
    /// The table of a pattern over its bytes, which are not looked at.
    ///
    /// # Panics
    /// When there is no such table (see [`counts_slides`]), `placements` is not the numbering of its number of
    /// cells and tiles, or the bytes have another length than the pattern's table.
    pub fn new(
        pattern: Pattern,
        placements: Arc<Placements>,
        bytes: impl Into<Bytes>,
    ) -> SlideTable {
        assert!(counts_slides(pattern));
        assert!(
            (placements.cells(), placements.tiles()) == (pattern.grid().cells(), pattern.len())
        );
        let bytes = bytes.into();
        assert_eq!(bytes.len(), 2 * placements.len(), "the length of the table of tiles {pattern}");
        let mut tiles = [0; MAX_PATTERN];
        for (place, tile) in tiles.iter_mut().zip(pattern.tiles()) {
            *place = tile as u8;
        }
        SlideTable { pattern, placements, tiles, bytes }
    }

    /// The pattern.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The place of the value of a position, given as the cell of each label and the cell of the blank.
    ///
    /// The cells must form a position of the pattern's goal: each label has its own cell. Otherwise the place
    /// holds another value, or [`SlideTable::value`] panics.
    #[inline(always)]
    pub fn probe(&self, cells: &[u8; MAX_SLIDE_CELLS], blank: u8) -> Probe {
        let cell = |i: usize| cells[usize::from(self.tiles[i]) % MAX_SLIDE_CELLS];
        let (placement, free) = self.placements.locate(blank, cell);
        Probe { placement, bit: LEAST_BITS as u32 + free }
    }

    /// Starts to load the value at a place.
    #[inline(always)]
    pub fn prefetch(&self, probe: Probe) {
        prefetch(self.bytes.as_ptr().wrapping_add(2 * probe.placement));
    }

    /// The value at a place: a lower bound on the number of slides to the goal.
    ///
    /// # Panics
    /// When the place is not one of this table.
    #[inline(always)]
    pub fn value(&self, probe: Probe) -> u32 {
        let record = self.bytes.short(probe.placement);
        u32::from(record & MAX_LEAST) + (u32::from(record) >> probe.bit & 1) * 2
    }
}
