//! The header page of a database file, as described in docs/FORMAT.md.
//!
//! 1. A magic number and the format's version. These twelve bytes are the same in every version.
//! 2. The fields, all of constant width, so that each has a constant offset.
//! 3. Zeros up to the last eight bytes, which are the hash of all bytes before them.
//!
//! Only this page is encoded. The payload after it is the bytes of the table as they are in memory.

use bincode::{Decode, Encode};
use xxhash_rust::xxh3::xxh3_64;

use super::bytes::payload_hash;
use super::pattern::{Pattern, PatternError};
use super::slides::{MAX_SLIDE_CELLS, counts_slides};
use super::table::row_bytes;
use crate::board::{Grid, Metric};

/// The version of the file format that is written. It is the only one that is read.
pub const FORMAT_VERSION: u32 = 1;

/// The number of bytes of the header page. The payload begins right after it.
///
/// It is a multiple of eight, so that the payload's words are aligned wherever the file is mapped.
pub const HEADER_BYTES: usize = 4096;

/// Like PNG's, it shows damage by a transfer in text mode: the first byte does not survive where
/// only seven bits pass, nor do the CR LF and the LF where line ends are rewritten. 0x1A ends the
/// listing where the file is typed at a DOS prompt.
const MAGIC: [u8; 8] = *b"\x89TPD\r\n\x1a\n";
const NAME: &[u8] = b"TPD";

/// The numbers of the metric, encoding and layout of the tables of a metric.
///
/// - Single: one bit for each state, zone-aware, bit 1 of the number of moves; rank-major, a row of
///   cohorts for each rank, padded to whole words.
/// - Multi: a record of 16 bits for each placement; set by set.
const fn codes(metric: Metric) -> [u8; 3] {
    match metric {
        Metric::Single => [0, 1, 1],
        Metric::Multi => [1, 2, 2],
    }
}

const LEVELS: usize = 256;

/// The fields as they are written. Some follow from others: a reader needs no arithmetic to show
/// them, and each is one more check.
#[derive(Encode, Decode)]
struct Fields {
    width: u8,
    height: u8,
    blank: u8,
    encoding: u8,
    layout: u8,
    deepest: u8,
    metric: u8,
    reserved: [u8; RESERVED],
    tiles: u64,
    cohorts: u64,
    orders: u64,
    states: u64,
    payload_bytes: u64,
    payload_hash: u64,
    levels: [u64; LEVELS],
}

const RESERVED: usize = 5;
const FIELD_BYTES: usize = 7 + RESERVED + 6 * 8 + LEVELS * 8;
const HASH_BYTES: usize = 8;
const HASHED_BYTES: usize = HEADER_BYTES - HASH_BYTES;
const PADDING_BYTES: usize = HASHED_BYTES - MAGIC.len() - size_of::<u32>() - FIELD_BYTES;

/// The part of the page that is hashed: magic number, version, fields, padding.
type Hashed = ([u8; MAGIC.len()], u32, Fields, [u8; PADDING_BYTES]);

/// Every integer is little endian and of its full width, whatever the library's defaults become.
const CONFIG: bincode::config::Configuration<
    bincode::config::LittleEndian,
    bincode::config::Fixint,
    bincode::config::Limit<HASHED_BYTES>,
> = bincode::config::standard()
    .with_little_endian()
    .with_fixed_int_encoding()
    .with_limit::<HASHED_BYTES>();

/// The header of a database file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The metric of the table.
    pub metric: Metric,
    /// The pattern of the table.
    pub pattern: Pattern,
    /// The number of cohorts: sets of cells that the pattern's tiles may occupy, in the single-tile
    /// metric each with a zone of the blank.
    pub cohorts: u64,
    /// The number of orders of the tiles in a set of cells: the factorial of their number.
    pub orders: u64,
    /// The number of states at each level, that is, with each value of the table, from 0 to the
    /// deepest. In the single-tile metric none of these numbers is 0. In the multi-tile metric the
    /// value of a state is the least one over all cells of the blank.
    pub levels: Vec<u64>,
    /// [`payload_hash`] of the table's bits.
    pub payload_hash: u64,
}

/// The reason why a header is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file is of another kind, or its first bytes are gone.
    #[error("not a Taquin pattern database")]
    Magic,
    /// The magic number is as a transfer that rewrites line ends or strips bits leaves it.
    #[error("damaged by a transfer in text mode")]
    TextMode,
    /// The file is of a version that is not read.
    #[error("a file of format version {found}: the only version supported is {FORMAT_VERSION}")]
    Version {
        /// The file's version.
        found: u32,
    },
    /// The file ends within the header.
    #[error("cut short: {found} bytes, where the header alone has {HEADER_BYTES}")]
    Truncated {
        /// The number of bytes of the file.
        found: usize,
    },
    /// The header does not match its own hash.
    #[error("damaged: the header does not match its checksum")]
    Damaged,
    /// The table is of a metric, an encoding or a layout that is not read.
    #[error("a table of another metric, encoding or layout than this program reads")]
    Layout,
    /// There is no such board or pattern.
    #[error("the header's pattern is wrong: {0}")]
    Pattern(#[from] PatternError),
    /// A field contradicts the format or the other fields.
    #[error("the header contradicts itself")]
    Contradiction,
}

/// The bytes of a table of `n` states.
pub(super) fn table_bytes(metric: Metric, cohorts: u64, orders: u64) -> u64 {
    match metric {
        Metric::Single => orders * row_bytes(cohorts),
        Metric::Multi => cohorts * orders * 2,
    }
}

impl Header {
    /// The name of the file that programs look for: [`Pattern::file_name`].
    pub fn file_name(&self) -> String {
        self.pattern.file_name(self.metric)
    }

    /// The number of states, each of which has a bit in the table, or a record of 16 bits if it counts
    /// slides.
    pub fn states(&self) -> u64 {
        self.cohorts * self.orders
    }

    /// The number of bytes of the payload. In the single-tile metric it has a row for each order, with
    /// a bit for each cohort, padded to whole words of 64 bits.
    pub fn payload_bytes(&self) -> u64 {
        table_bytes(self.metric, self.cohorts, self.orders)
    }

    /// The number of bytes of the whole file.
    pub fn file_bytes(&self) -> u64 {
        HEADER_BYTES as u64 + self.payload_bytes()
    }

    /// Returns whether `payload` has the length and the hash that the header describes. It reads
    /// all of it, at some 20 GB/s from memory.
    pub fn matches(&self, payload: &[u8]) -> bool {
        payload.len() as u64 == self.payload_bytes() && payload_hash(payload) == self.payload_hash
    }

    /// The header page.
    ///
    /// # Panics
    /// When [`Header::decode`] would refuse the page, for instance because the levels do not add up
    /// to the states.
    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let page = self.page();
        assert_eq!(Header::decode(&page).as_ref(), Ok(self), "the header contradicts itself");
        page
    }

    fn page(&self) -> [u8; HEADER_BYTES] {
        let mut levels = [0; LEVELS];
        levels
            .get_mut(..self.levels.len())
            .expect("a table has at most 256 levels")
            .copy_from_slice(&self.levels);
        let [metric, encoding, layout] = codes(self.metric);
        let fields = Fields {
            width: self.pattern.grid().width() as u8,
            height: self.pattern.grid().height() as u8,
            blank: self.pattern.blank() as u8,
            encoding,
            layout,
            deepest: self.levels.len().saturating_sub(1) as u8,
            metric,
            reserved: [0; RESERVED],
            tiles: self.pattern.mask(),
            cohorts: self.cohorts,
            orders: self.orders,
            states: self.states(),
            payload_bytes: self.payload_bytes(),
            payload_hash: self.payload_hash,
            levels,
        };
        let mut page = [0; HEADER_BYTES];
        let (hashed, hash) = page.split_at_mut(HASHED_BYTES);
        let all: Hashed = (MAGIC, FORMAT_VERSION, fields, [0; PADDING_BYTES]);
        bincode::encode_into_slice(all, hashed, CONFIG)
            .expect("integers of constant width fill the page exactly");
        hash.copy_from_slice(&xxh3_64(hashed).to_le_bytes());
        page
    }

    /// Reads a header page. Bytes after it are ignored.
    ///
    /// The header it returns is consistent, and [`Header::encode`] turns it into the same page. Two
    /// checks are left to the caller: that the number of cohorts is the pattern's, and that the
    /// payload has the right length and hash.
    ///
    /// # Errors
    /// [`FormatError`] when the page is not one that [`Header::encode`] gives.
    pub fn decode(bytes: &[u8]) -> Result<Header, FormatError> {
        let (magic, rest) = bytes.split_first_chunk().ok_or(FormatError::Magic)?;
        if *magic != MAGIC {
            let named = magic.windows(NAME.len()).any(|window| window == NAME);
            return Err(if named { FormatError::TextMode } else { FormatError::Magic });
        }
        // The version comes first: another version may have another header.
        let truncated = || FormatError::Truncated { found: bytes.len() };
        let version = u32::from_le_bytes(*rest.first_chunk().ok_or_else(truncated)?);
        if version != FORMAT_VERSION {
            return Err(FormatError::Version { found: version });
        }
        let page = bytes.get(..HEADER_BYTES).ok_or_else(truncated)?;
        let (hashed, hash) = page.split_last_chunk().ok_or_else(truncated)?;
        if xxh3_64(hashed) != u64::from_le_bytes(*hash) {
            return Err(FormatError::Damaged);
        }
        let ((_, _, fields, _), _): (Hashed, usize) =
            bincode::decode_from_slice(hashed, CONFIG).map_err(|_| FormatError::Damaged)?;
        let header = fields.header()?;
        if header.page() == *page { Ok(header) } else { Err(FormatError::Contradiction) }
    }
}

impl Fields {
    /// The header that these fields describe. A correct hash only shows that the page is as it was written,
    /// not that it was written by this crate: so its numbers must add up, and the page written for the header
    /// must be the same.
    fn header(self) -> Result<Header, FormatError> {
        let written = [self.metric, self.encoding, self.layout];
        let metric = Metric::ALL.into_iter().find(|&metric| codes(metric) == written);
        let metric = metric.ok_or(FormatError::Layout)?;
        let grid = Grid::new(self.width.into(), self.height.into()).map_err(PatternError::from)?;
        let tiles = (0..64).filter(|&tile| self.tiles & 1 << tile != 0);
        let pattern = Pattern::new(grid, self.blank.into(), tiles)?;
        let orders = (1..=pattern.len() as u64).product();
        let levels = self.levels[..=usize::from(self.deepest)].to_vec();
        let (filled, possible) = match metric {
            // Every state but the goal has a neighbour one level down, so no level is empty.
            Metric::Single => (levels.iter().all(|&states| states != 0), true),
            Metric::Multi => (
                levels[0] != 0 && levels[levels.len() - 1] != 0,
                counts_slides(pattern) && self.cohorts <= 1 << MAX_SLIDE_CELLS,
            ),
        };
        let sum = levels.iter().try_fold(0u64, |sum, &states| sum.checked_add(states));
        if !filled || !possible || sum.is_none() || self.cohorts.checked_mul(orders) != sum {
            return Err(FormatError::Contradiction);
        }
        let (cohorts, payload_hash) = (self.cohorts, self.payload_hash);
        Ok(Header { metric, pattern, cohorts, orders, levels, payload_hash })
    }
}

/// A plausible header and its payload, for tests of files.
#[cfg(test)]
#[cfg(not(miri))]
pub(super) fn sample(fill: u8) -> (Header, Vec<u8>) {
    let grid = Grid::new(4, 3).expect("a small board");
    let pattern = Pattern::new(grid, 11, [1, 2, 5]).expect("three of its tiles");
    let payload = vec![fill; 32_784];
    let header = Header {
        metric: Metric::Single,
        pattern,
        cohorts: 43_690,
        orders: 6,
        levels: vec![1, 2, 262_137],
        payload_hash: payload_hash(&payload),
    };
    (header, payload)
}

// Nothing here is unsafe, and Miri takes minutes for the hashes.
#[cfg(test)]
#[cfg(not(miri))]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::pdb::index::Index;
    use crate::pdb::table::Table;

    /// The byte map: name, width, and the value of the field's first eight bytes in the sample.
    /// Another implementation (python-xxhash, over struct.pack) gives the same hashes.
    const MAP: [(&str, usize, u64); 19] = [
        ("magic", 8, 0x0A1A_0A0D_4450_5489),
        ("version", 4, 1),
        ("width", 1, 4),
        ("height", 1, 3),
        ("blank", 1, 11),
        ("encoding", 1, 1),
        ("layout", 1, 1),
        ("deepest", 1, 2),
        ("metric", 1, 0),
        ("reserved", 5, 0),
        ("tiles", 8, 0b10_0110),
        ("cohorts", 8, 43_690),
        ("orders", 8, 6),
        ("states", 8, 262_140),
        ("payload_bytes", 8, 32_784),
        ("payload_hash", 8, 0x11CC_F8DC_2DDA_65AB),
        ("levels", 2048, 1),
        ("padding", 1968, 0),
        ("header_hash", 8, 0xBA46_2BC6_BC7E_9B84),
    ];

    fn page() -> [u8; HEADER_BYTES] {
        sample(0x5A).0.encode()
    }

    fn offset(field: &str) -> usize {
        MAP.iter().take_while(|(name, ..)| *name != field).map(|(_, width, _)| width).sum()
    }

    /// Decodes a page with the first bytes of a field, as many as 8, overwritten and the hash corrected.
    fn forged(
        mut page: [u8; HEADER_BYTES],
        field: &str,
        value: u64,
    ) -> Result<Header, FormatError> {
        let width = MAP.iter().find(|(name, ..)| *name == field).unwrap().1.min(8);
        page[offset(field)..][..width].copy_from_slice(&value.to_le_bytes()[..width]);
        reseal(&mut page);
        Header::decode(&page)
    }

    /// Asserts that the header does not accept these fields with these values.
    fn refuses(header: &Header, wrong: &str, is_expected: fn(&FormatError) -> bool) {
        for (field, value) in wrong.split(", ").map(|change| change.split_once(' ').unwrap()) {
            let error = forged(header.encode(), field, value.parse().unwrap()).unwrap_err();
            assert!(is_expected(&error), "{field} {value}: {error}");
        }
    }

    fn reseal(page: &mut [u8; HEADER_BYTES]) {
        let hash = xxh3_64(&page[..HASHED_BYTES]);
        page[HASHED_BYTES..].copy_from_slice(&hash.to_le_bytes());
    }

    #[test]
    fn the_bytes_are_fixed() {
        let page = page();
        let mut at = 0;
        for (name, width, value) in MAP {
            let mut first = [0; 8];
            let shown = width.min(8);
            first[..shown].copy_from_slice(&page[at..][..shown]);
            assert_eq!(u64::from_le_bytes(first), value, "{name} at {at}");
            at += width;
        }
        assert_eq!(at, HEADER_BYTES);
        let levels = offset("levels");
        assert_eq!(page[levels + 8..][..8], 2u64.to_le_bytes());
        assert_eq!(page[levels + 16..][..8], 262_137u64.to_le_bytes());
        assert!(page[levels + 24..HASHED_BYTES].iter().all(|&byte| byte == 0));
        assert_eq!(xxh3_64(&page), 0x096C_0CA5_1D09_ACBB);
    }

    #[test]
    fn the_document_has_the_same_byte_map() {
        let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        if !documents.exists() {
            // The packed crate is without its neighbours.
            return;
        }
        let document = fs::read_to_string(documents.join("FORMAT.md")).unwrap();
        for (name, width, _) in MAP {
            let row = format!("| {} | {width} | {name} |", offset(name));
            assert!(document.contains(&row), "docs/FORMAT.md lacks {row}");
        }
    }

    #[test]
    fn written_headers_are_read() {
        let (header, payload) = sample(0x5A);
        assert_eq!(Header::decode(&header.encode()), Ok(header.clone()));
        let followed = [&header.encode()[..], &payload].concat();
        assert_eq!(Header::decode(&followed).as_ref(), Ok(&header));
        assert_eq!(header.states(), 262_140);
        assert_eq!(header.payload_bytes(), 32_784);
        assert_eq!(header.file_bytes(), 36_880);
        assert!(header.matches(&payload));
        assert!(!header.matches(&payload[1..]));
        assert!(!header.matches(&sample(0x5B).1));
        let shorter = Header { payload_hash: payload_hash(&payload[8..]), ..header.clone() };
        assert!(!shorter.matches(&payload[8..]));
        // Every level can be filled.
        let levels = [vec![1; 255], vec![header.states() - 255]].concat();
        let deep = Header { levels, ..header };
        assert_eq!(Header::decode(&deep.encode()), Ok(deep));
    }

    #[test]
    fn the_payload_is_as_long_as_the_table() {
        for (width, height, tiles) in [(2, 2, 1), (3, 2, 2), (3, 3, 4), (4, 3, 3), (4, 4, 5)] {
            let grid = Grid::new(width, height).unwrap();
            let index = Index::new(grid, tiles);
            let header = Header {
                metric: Metric::Single,
                pattern: Pattern::new(grid, 0, 1..=tiles).unwrap(),
                cohorts: index.cohorts() as u64,
                orders: index.orders().len() as u64,
                levels: vec![index.states()],
                payload_hash: 0,
            };
            assert_eq!(header.states(), index.states());
            assert_eq!(header.payload_bytes(), Table::length(&index) as u64);
            assert_eq!(Header::decode(&header.encode()), Ok(header));
        }
    }

    #[test]
    fn headers_of_tables_that_count_slides() {
        let grid = Grid::new(4, 3).unwrap();
        let header = Header {
            metric: Metric::Multi,
            pattern: Pattern::new(grid, 11, [1, 2, 5]).unwrap(),
            cohorts: 220,
            orders: 6,
            // No placement has 1 as its least value: the blank's row has no tile of the pattern.
            levels: vec![1, 0, 1319],
            payload_hash: 0,
        };
        assert_eq!(Header::decode(&header.encode()).as_ref(), Ok(&header));
        assert_eq!((header.states(), header.payload_bytes()), (1320, 2640));
        assert_eq!(header.file_name(), "4x3-11-1.2.5-multi.pdb");
        refuses(&header, "metric 0, encoding 1, layout 1", |error| *error == FormatError::Layout);
        // Eleven cells without a tile have no room in a record.
        let wrong = "tiles 2, width 6, cohorts 1152921504606846976, levels 0";
        refuses(&header, wrong, |error| *error == FormatError::Contradiction);
    }

    #[test]
    fn every_flipped_bit_is_refused() {
        let mut page = page();
        for bit in 0..HEADER_BYTES * 8 {
            page[bit / 8] ^= 1 << (bit % 8);
            let error = Header::decode(&page).expect_err("a flipped bit");
            let expected = match bit / 8 {
                1..4 => FormatError::Magic,
                0 | 4..8 => FormatError::TextMode,
                8..12 => FormatError::Version { found: 1 ^ 1 << (bit - 64) },
                _ => FormatError::Damaged,
            };
            assert_eq!(error, expected, "bit {bit}");
            page[bit / 8] ^= 1 << (bit % 8);
        }
        assert!(Header::decode(&page).is_ok());
    }

    /// Even with a correct hash, every page that is accepted is the one written for its header.
    #[test]
    fn accepted_pages_are_those_that_are_written() {
        let mut accepted = 0;
        for bit in 0..HASHED_BYTES * 8 {
            let mut page = page();
            page[bit / 8] ^= 1 << (bit % 8);
            reseal(&mut page);
            if let Ok(header) = Header::decode(&page) {
                assert_eq!(header.encode(), page, "bit {bit}");
                accepted += 1;
            }
        }
        // Other boards of up to 64 cells, other cells for the blank, and other hashes.
        assert_eq!(accepted, 3 + 4 + 2 + 64);
    }

    #[test]
    fn every_truncation_is_refused() {
        let page = page();
        for length in 0..HEADER_BYTES {
            let expected = match length {
                0..8 => FormatError::Magic,
                found => FormatError::Truncated { found },
            };
            assert_eq!(Header::decode(&page[..length]), Err(expected));
        }
    }

    #[test]
    fn text_mode_damage_is_named() {
        let replaced = |from: &[u8], to: &[u8]| {
            let page = page();
            let at = page.windows(from.len()).position(|window| window == from).unwrap();
            let damaged = [&page[..at], to, &page[at + from.len()..]].concat();
            Header::decode(&damaged).unwrap_err()
        };
        for (from, to) in
            [("\r\n", "\n"), ("\n", "\r\n"), ("\r\n", "\r"), ("\r", "\n"), ("\x1a\n", "\x1a\r\n")]
        {
            assert_eq!(replaced(from.as_bytes(), to.as_bytes()), FormatError::TextMode);
        }
        assert_eq!(replaced(&[0x89], &[0x09]), FormatError::TextMode);
        assert_eq!(replaced(&[0x89], "\u{89}".as_bytes()), FormatError::TextMode);
        assert_eq!(replaced(&[0x89], "\u{fffd}".as_bytes()), FormatError::TextMode);
        assert_eq!(Header::decode(b"\x89PNG\r\n\x1a\n"), Err(FormatError::Magic));
        assert_eq!(Header::decode(&[0; HEADER_BYTES]), Err(FormatError::Magic));
    }

    #[test]
    fn other_versions_are_named_however_long_their_header() {
        assert_eq!(forged(page(), "version", 2), Err(FormatError::Version { found: 2 }));
        let mut page = page();
        page[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = Header::decode(&page[..12]).unwrap_err();
        assert_eq!(error, FormatError::Version { found: u32::MAX });
        assert!(error.to_string().contains("4294967295"));
        assert!(error.to_string().contains("the only version supported is 1"));
    }

    #[test]
    fn each_field_is_checked() {
        let (header, _) = sample(0x5A);
        // Six times that many cohorts are 262,140 modulo 2^64.
        let layouts = "metric 2, metric 1, encoding 0, encoding 2, layout 2";
        refuses(&header, layouts, |error| *error == FormatError::Layout);
        let wrong = "deepest 1, deepest 3, deepest 255, \
            levels 0, levels 2, reserved 4294967296, padding 1, orders 24, tiles 6, cohorts 0, \
            cohorts 9223372036854819498, states 262141, payload_bytes 32760, payload_bytes 18446744073709551615";
        refuses(&header, wrong, |error| *error == FormatError::Contradiction);
        let mut page = header.encode();
        for (level, states) in [1 << 63, 1 << 63, 262_140_u64].iter().enumerate() {
            page[offset("levels") + 8 * level..][..8].copy_from_slice(&states.to_le_bytes());
        }
        reseal(&mut page);
        assert_eq!(Header::decode(&page), Err(FormatError::Contradiction));
        let patterns =
            "width 1, width 255, height 17, blank 12, blank 5, tiles 0, tiles 9223372036854775814";
        refuses(&header, patterns, |error| matches!(error, FormatError::Pattern(_)));
    }

    #[test]
    #[should_panic(expected = "contradicts itself")]
    fn a_header_that_could_not_be_read_is_not_written() {
        let (header, _) = sample(0);
        Header { levels: vec![1, 2, 3], ..header }.encode();
    }
}
