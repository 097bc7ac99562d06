//! Files of learned numbers.
//!
//! A file begins with lines of text, which say how the numbers were made. After an empty line come the
//! numbers, as little-endian 16-bit ones, and their xxh3 checksum in eight bytes.

use xxhash_rust::xxh3::xxh3_64;

/// The lines of a file about its numbers, after the first one; the numbers, of which there are `count`; and the bytes
/// after the file. `None` if the file is of another kind, or damaged.
pub(super) fn read<'f>(
    first: &str,
    count: usize,
    file: &'f [u8],
) -> Option<(&'f str, impl Iterator<Item = i16> + use<'f>, &'f [u8])> {
    let end = file.windows(2).position(|pair| pair == b"\n\n")? + 1;
    let about = str::from_utf8(&file[..end]).ok()?.strip_prefix(first)?;
    let (numbers, rest) = file[end + 1..].split_at_checked(2 * count)?;
    let (checksum, rest) = rest.split_first_chunk()?;
    if xxh3_64(numbers) != u64::from_le_bytes(*checksum) {
        return None;
    }
    let (numbers, []) = numbers.as_chunks() else { return None };
    Some((about, numbers.iter().map(|&bytes| i16::from_le_bytes(bytes)), rest))
}

/// A file of numbers with these lines about them, none of which is empty.
pub(super) fn write(first: &str, about: &str, numbers: &[i16]) -> Vec<u8> {
    let numbers: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let checksum = xxh3_64(&numbers).to_le_bytes();
    [first.as_bytes(), about.as_bytes(), b"\n", &numbers, &checksum].concat()
}
