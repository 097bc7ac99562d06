//! The table of a pattern that counts slides, and lookups in it.

use std::sync::Arc;

use super::super::{AnyBytes, MAX_PATTERN, Pattern};
use super::{LEAST_BITS, MAX_LEAST, MAX_SLIDE_CELLS, Placements, counts_slides};
use crate::prefetch::prefetch;

/// A pattern database that counts slides, over any bytes that hold it.
///
/// The value of a position is a lower bound on the number of slides to the goal if the first one is
/// along a row. Let d be the exact number in the abstract problem, in which the tiles outside the
/// pattern look alike, and let m be the least d over all cells of the blank, with the tiles of the
/// pattern where they are. The value is m where d is m or m + 1, and m + 2 where d is larger. Where m
/// is above 63, the value is 63.
pub struct SlideTable<B> {
    pattern: Pattern,
    placements: Arc<Placements>,
    /// The tiles of the pattern, followed by zeros.
    tiles: [u8; MAX_PATTERN],
    bits: B,
}

impl<B> std::fmt::Debug for SlideTable<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SlideTable({})", self.pattern)
    }
}

/// The error of bytes that are not as many as the table of a pattern has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found} bytes given for the slides of tiles {pattern}, whose table has {expected}")]
pub struct SlideTableError {
    /// The pattern.
    pub pattern: Pattern,
    /// The number of bytes of its table.
    pub expected: usize,
    /// The number of bytes given.
    pub found: usize,
}

/// The place of a position's value in a table. It is found before the value is read, so that the
/// processor can fetch several at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Probe {
    /// The first byte of the record.
    byte: usize,
    /// The bit of the blank's cell.
    bit: u32,
}

impl<B: AsRef<[u8]> + Send + Sync + 'static> SlideTable<B> {
    /// The table over bytes whose type is forgotten.
    pub fn into_any(self) -> SlideTable<AnyBytes> {
        let SlideTable { pattern, placements, tiles, bits } = self;
        SlideTable { pattern, placements, tiles, bits: AnyBytes::new(bits) }
    }
}

impl<B: AsRef<[u8]>> SlideTable<B> {
    /// The table of a pattern over its bytes, which are not looked at.
    ///
    /// # Errors
    /// [`SlideTableError`] unless there are exactly as many bytes as the pattern's table has.
    ///
    /// # Panics
    /// When there is no such table (see [`counts_slides`]), or `placements` is not the numbering of
    /// as many cells and tiles.
    pub fn new(
        pattern: Pattern,
        placements: Arc<Placements>,
        bits: B,
    ) -> Result<SlideTable<B>, SlideTableError> {
        assert!(counts_slides(pattern));
        assert!(
            (placements.cells(), placements.tiles()) == (pattern.grid().cells(), pattern.len())
        );
        let (expected, found) = (2 * placements.len(), bits.as_ref().len());
        if expected != found {
            return Err(SlideTableError { pattern, expected, found });
        }
        let mut tiles = [0; MAX_PATTERN];
        for (place, tile) in tiles.iter_mut().zip(pattern.tiles()) {
            *place = tile as u8;
        }
        Ok(SlideTable { pattern, placements, tiles, bits })
    }

    /// The pattern.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> &[u8] {
        self.bits.as_ref()
    }

    /// The numbering of its placements.
    pub(super) fn placements(&self) -> &Placements {
        &self.placements
    }

    /// The records of the placements, in the order of their numbers.
    pub(super) fn records(&self) -> &[[u8; 2]] {
        self.bits.as_ref().as_chunks().0
    }

    /// The table with its bytes at hand.
    pub fn borrowed(&self) -> SlideTable<&[u8]> {
        SlideTable {
            pattern: self.pattern,
            placements: Arc::clone(&self.placements),
            tiles: self.tiles,
            bits: self.bits.as_ref(),
        }
    }

    /// The place of the value of a position, given as the cell of each label and that of the blank.
    ///
    /// Cells must be those of a position of the pattern's goal: each label has its own. Otherwise
    /// the place is that of another value, or [`SlideTable::value`] panics.
    #[inline(always)]
    pub fn probe(&self, cells: &[u8; MAX_SLIDE_CELLS], blank: u8) -> Probe {
        let cell = |i: usize| cells[usize::from(self.tiles[i]) % MAX_SLIDE_CELLS];
        let located = self.placements.locate(blank, cell);
        Probe { byte: 2 * located.placement, bit: LEAST_BITS as u32 + located.free }
    }

    /// Starts to load the value at a place.
    #[inline(always)]
    pub fn prefetch(&self, probe: Probe) {
        prefetch(self.bits.as_ref().as_ptr().wrapping_add(probe.byte));
    }

    /// The value at a place: a lower bound on the number of slides to the goal.
    ///
    /// # Panics
    /// When the place is not one of this table.
    #[inline(always)]
    pub fn value(&self, probe: Probe) -> u32 {
        let bytes = &self.bits.as_ref()[probe.byte..probe.byte + 2];
        let record = u16::from_le_bytes([bytes[0], bytes[1]]);
        u32::from(record & MAX_LEAST) + (u32::from(record) >> probe.bit & 1) * 2
    }
}
