//! Arrays of numbers from a file that numpy's `savez` or `savez_compressed` wrote.
//!
//! The format is that of NEP 1, as in [`npz`](super::npz). Arrays of the types `bool`, `int8` to `int64`, `uint8` to
//! `uint64`, `float32` and `float64` are read, little-endian, in rows that follow each other (C order). `float16`
//! and big-endian numbers are refused.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

/// An archive of arrays.
pub struct Arrays(ZipArchive<BufReader<File>>);

/// An array: its sides, and its numbers row by row.
#[derive(Debug, PartialEq)]
pub struct Array {
    pub shape: Vec<usize>,
    pub numbers: Vec<f64>,
}

/// The most bytes of a description.
const DESCRIPTION: usize = 1 << 16;

/// The numbers that are read at once.
const PART: usize = 1 << 16;

impl Arrays {
    /// Opens an archive.
    ///
    /// # Errors
    /// A file that cannot be read, or is no archive.
    pub fn open(path: &Path) -> io::Result<Arrays> {
        Ok(Arrays(ZipArchive::new(BufReader::new(File::open(path)?))?))
    }

    /// Reads an array.
    ///
    /// # Errors
    /// There is no such array, it is cut short, or its numbers are of another kind.
    pub fn get(&mut self, name: &str) -> io::Result<Array> {
        let names = self.0.file_names().filter_map(Result::ok);
        let names: Vec<_> = names.map(|name| name.trim_end_matches(".npy").to_owned()).collect();
        let names = names.join(", ");
        let mut file = self.0.by_name(&format!("{name}.npy")).map_err(|error| match error {
            ZipError::FileNotFound => invalid(format!("no array {name:?} among {names}")),
            error => error.into(),
        })?;
        read(&mut file).map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))
    }
}

fn invalid(reason: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason.into())
}

fn read(from: &mut impl Read) -> io::Result<Array> {
    let mut start = [0; 8];
    from.read_exact(&mut start)?;
    // Later versions have longer descriptions.
    let length = match start {
        [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _] => {
            let mut length = [0; 2];
            from.read_exact(&mut length)?;
            usize::from(u16::from_le_bytes(length))
        }
        [0x93, b'N', b'U', b'M', b'P', b'Y', 2 | 3, _] => {
            let mut length = [0; 4];
            from.read_exact(&mut length)?;
            u32::from_le_bytes(length) as usize
        }
        _ => return Err(invalid("not in numpy's format")),
    };
    if length > DESCRIPTION {
        return Err(invalid("a description of that length is no array's"));
    }
    let mut text = vec![0; length];
    from.read_exact(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let unclear = || invalid(format!("the description {:?} is not understood", text.trim()));
    let field = |name: &str| text.split_once(&format!("'{name}':")).map(|(_, rest)| rest.trim());
    let element = field("descr").and_then(|rest| rest.strip_prefix('\'')?.split_once('\''));
    let (element, _) = element.ok_or_else(unclear)?;
    let number = number_of(element)
        .ok_or_else(|| invalid(format!("numbers of the type {element:?} are not read")))?;
    let size = element[2..].parse().map_err(|_| unclear())?;
    let sides = field("shape").and_then(|rest| rest.strip_prefix('(')?.split_once(')'));
    let sides = sides.ok_or_else(unclear)?.0.split(',').map(str::trim).filter(|s| !s.is_empty());
    let shape: Vec<usize> =
        sides.map(str::parse).collect::<Result<_, _>>().map_err(|_| unclear())?;
    let in_rows = field("fortran_order").is_some_and(|rest| rest.starts_with("False"));
    if !in_rows && shape.len() > 1 {
        return Err(invalid("the columns follow each other: save it in C order"));
    }
    let count = shape.iter().try_fold(1_usize, |count, side| count.checked_mul(*side));
    let mut left = count.ok_or_else(unclear)?;
    let mut numbers = Vec::new();
    // The memory grows with what is there, not with what the description claims.
    let mut part = vec![0; PART * size];
    while left > 0 {
        let some = left.min(PART);
        from.read_exact(&mut part[..some * size])?;
        numbers.extend(part[..some * size].chunks_exact(size).map(number));
        left -= some;
    }
    Ok(Array { shape, numbers })
}

/// Reads an element of a type. Whole numbers of more than 53 bits are rounded.
fn number_of(element: &str) -> Option<fn(&[u8]) -> f64> {
    macro_rules! number {
        ($type:ty, $from:ident) => {
            Some(|bytes| bytes.try_into().map_or(f64::NAN, |bytes| <$type>::$from(bytes) as f64))
        };
    }
    match element {
        "|u1" | "|b1" => number!(u8, from_le_bytes),
        "|i1" => number!(i8, from_le_bytes),
        "<u2" => number!(u16, from_le_bytes),
        "<i2" => number!(i16, from_le_bytes),
        "<u4" => number!(u32, from_le_bytes),
        "<i4" => number!(i32, from_le_bytes),
        "<u8" => number!(u64, from_le_bytes),
        "<i8" => number!(i64, from_le_bytes),
        "<f4" => number!(f32, from_le_bytes),
        "<f8" => number!(f64, from_le_bytes),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::npz::header;
    use super::*;

    fn npy(element: &str, shape: &[u64], bytes: &[u8]) -> Vec<u8> {
        [&header(element, shape)[..], bytes].concat()
    }

    #[test]
    fn numbers_of_all_types() {
        let numbers = |element, bytes: &[u8]| read(&mut &npy(element, &[2], bytes)[..]).unwrap();
        let two = |a, b| Array { shape: vec![2], numbers: vec![a, b] };
        assert_eq!(numbers("|u1", &[7, 255]), two(7.0, 255.0));
        assert_eq!(numbers("|i1", &[7, 255]), two(7.0, -1.0));
        let halves = [1.5_f32, -0.25].map(f32::to_le_bytes).concat();
        assert_eq!(numbers("<f4", &halves), two(1.5, -0.25));
        let large = [-3_i64, 1 << 40].map(i64::to_le_bytes).concat();
        assert_eq!(numbers("<i8", &large), two(-3.0, (1_u64 << 40) as f64));
        let one = read(&mut &npy("|u1", &[], &[9])[..]).unwrap();
        assert_eq!(one, Array { shape: Vec::new(), numbers: vec![9.0] });
        let none = read(&mut &npy("|u1", &[0, 16], &[])[..]).unwrap();
        assert_eq!(none, Array { shape: vec![0, 16], numbers: Vec::new() });
    }

    #[test]
    fn nonsense_is_named() {
        let error = |bytes: &[u8]| read(&mut &bytes[..]).unwrap_err().to_string();
        let array = npy("<i2", &[2, 1], &[1, 2, 3, 4]);
        assert!(error(b"PK\x03\x04 and more").contains("numpy's format"));
        assert!(error(&npy(">i2", &[1], &[0; 2])).contains("\">i2\" are not read"));
        assert!(error(&npy("<f2", &[1], &[0; 2])).contains("\"<f2\" are not read"));
        let text = String::from_utf8_lossy(&array).into_owned();
        let changed = |from: &[u8], to: &[u8]| {
            let at = array.windows(from.len()).position(|part| part == from).unwrap();
            [&array[..at], to, &array[at + from.len()..]].concat()
        };
        assert!(error(&changed(b"False", b"True ")).contains("C order"), "{text}");
        assert!(error(&changed(b"(2,1,)", b"(2,x,)")).contains("not understood"));
        let huge = changed(b"(2,1,), }         ", b"(9999999999,1,), }");
        assert!(error(&huge).contains("fill"), "{}", error(&huge));
        for end in 0..array.len() {
            read(&mut &array[..end]).unwrap_err();
        }
    }
}
