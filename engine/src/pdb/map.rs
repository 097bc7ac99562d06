//! Mapping a database file into memory, the one place where a file becomes a slice.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use memmap2::{Mmap, MmapOptions};

use super::file::{Checked, size_in_memory};
use super::{HEADER_BYTES, Header, OpenError};

/// The payload of a database file, mapped read-only.
#[derive(Debug)]
pub struct Map {
    map: Mmap,
    metadata: Metadata,
}

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        &self.map
    }
}

impl Map {
    /// The system's data about the file, as of when it was opened.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }
}

/// Maps a database file into memory, in constant time.
///
/// The header and the file's length are checked before the payload is mapped. The payload is not
/// read; [`Header::matches`] compares it with the header's hash. [`read`](super::read) is the safe
/// alternative.
///
/// # Safety
/// For as long as the [`Map`] lives,
///
/// - nobody writes to the file: a write changes bytes behind a shared reference;
/// - nobody truncates the file: the next access to the part that is gone kills the process
///   (SIGBUS).
///
/// Removing the file, or renaming another one over it as [`publish`](super::publish) does, is
/// harmless: the map keeps the old file.
///
/// # Errors
/// Those of [`read_header`](super::read_header), and [`Map`](OpenError::Map) when the system
/// refuses to map the file, as do systems without memory maps.
pub unsafe fn open(path: &Path) -> Result<(Header, Map), OpenError> {
    let Checked { file, metadata, header } = Checked::open(path)?;
    // SAFETY:
    // - The payload lies within the file, whose length was just checked.
    // - The caller promises that nobody writes to the file or truncates it.
    let map = unsafe { map_payload(&file, header.payload_bytes()) };
    let map = map.map_err(|reason| OpenError::Map { path: path.to_path_buf(), reason })?;
    Ok((header, Map { map, metadata }))
}

/// # Safety
/// For as long as the map lives,
///
/// - the file has at least `bytes` bytes after the header;
/// - nobody writes to it.
unsafe fn map_payload(file: &File, bytes: u64) -> io::Result<Mmap> {
    let mut options = MmapOptions::new();
    options.offset(HEADER_BYTES as u64).len(size_in_memory(bytes)?);
    // SAFETY: the caller promises what a map requires.
    let map = unsafe { options.map(file) }?;
    // Advice only, for what has to be read from the disk; see `publish` for what has not.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

// Miri cannot map files.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::super::file::tests::published;
    use super::super::format::sample;
    use super::super::publish;
    use super::*;

    /// [`open`], for files of these tests.
    fn opened(path: &Path) -> Result<(Header, Map), OpenError> {
        // SAFETY: the file is in the temporary folder of one test. While a map lives, that test
        // replaces or removes the file, but neither writes to it nor truncates it.
        unsafe { open(path) }
    }

    #[test]
    fn published_files_are_opened() {
        let (_folder, path) = published(7);
        let (expected, payload) = sample(7);
        let (header, map) = opened(&path).unwrap();
        assert_eq!(header, expected);
        assert_eq!(map.as_ref(), payload);
        assert!(header.matches(map.as_ref()));
        assert_eq!(map.as_ref().as_ptr().align_offset(8), 0);
        assert_eq!(map.metadata().len(), header.file_bytes());
    }

    #[cfg(unix)]
    #[test]
    fn a_map_outlives_the_replacement_of_its_file() {
        let (_folder, path) = published(1);
        let (_, old) = opened(&path).unwrap();
        let (header, payload) = sample(2);
        publish(&path, &header, &payload).unwrap();
        assert_eq!(old.as_ref(), sample(1).1);
        assert_eq!(opened(&path).unwrap().1.as_ref(), payload);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(old.as_ref(), sample(1).1);
    }

    #[test]
    fn files_that_cannot_be_read_are_not_mapped() {
        let (folder, path) = published(1);
        assert!(matches!(opened(folder.path()), Err(OpenError::NotAFile { .. })));
        assert!(matches!(opened(&folder.path().join("no")), Err(OpenError::Missing { .. })));
        let mut file = std::fs::read(&path).unwrap();
        file.push(0);
        std::fs::write(&path, &file).unwrap();
        assert!(matches!(opened(&path), Err(OpenError::Length { .. })));
        file[100] ^= 1;
        std::fs::write(&path, &file).unwrap();
        assert!(matches!(opened(&path), Err(OpenError::Format { .. })));
    }
}
