//! Opening a database file: the one place where a file becomes memory.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use memmap2::{Mmap, MmapOptions};

use super::{FormatError, HEADER_BYTES, Header, Pattern};

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
    /// What the system knew of the file when it was opened.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }
}

const REBUILD: &str = "rebuild it with `pdb-gen build --force`";

/// Why a database file cannot be used. Each message names the file and the way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no such file.
    #[error("{}: not found: build it with `pdb-gen build`", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// A folder, a device or the like.
    #[error("{}: not a regular file: remove it, then build it with `pdb-gen build`", path.display())]
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// The system refused to open or read it.
    #[error("{}: cannot be read: {reason}: check its permissions, or {REBUILD}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The system refused to map it.
    #[error("{}: cannot be mapped: {reason}: raise the limit on address space, or move it to a file system that can map files", path.display())]
    Map {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The header is refused.
    #[error("{}: {reason}: {REBUILD}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with the header.
        reason: FormatError,
    },
    /// Cut short, or bytes too many.
    #[error("{}: {found} bytes long, where its header says {expected}: {REBUILD}", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// The length that follows from the header.
        expected: u64,
        /// The length that it has.
        found: u64,
    },
    /// A sound file, but of another pattern than the caller was to get.
    #[error(
        "{}: holds tiles {found} of a {} board with the blank in cell {}, which is not what its name says: {REBUILD}",
        path.display(), found.grid(), found.blank()
    )]
    WrongPattern {
        /// The file.
        path: PathBuf,
        /// The pattern in its header.
        found: Pattern,
    },
    /// The header's number of cohorts is not the pattern's.
    #[error("{}: has {found} cohorts, where its pattern has {expected}: {REBUILD}", path.display())]
    IndexMismatch {
        /// The file.
        path: PathBuf,
        /// The pattern's number of cohorts.
        expected: u64,
        /// The header's.
        found: u64,
    },
    /// The payload is not the one that the header describes.
    #[error("{}: damaged: the table does not match its checksum: {REBUILD}", path.display())]
    Payload {
        /// The file.
        path: PathBuf,
    },
}

/// Opens a database file in constant time: its header is read and checked, and its length, before
/// the payload is mapped. The payload is not read; [`Header::matches`] checks it.
///
/// # The contract with the file system
/// A file under a final name is never written to, and only ever replaced by renaming another
/// over it, as [`publish`](super::publish) does: a map then keeps the old file for as long as it
/// lives. Whoever truncates a mapped file kills the process at its next look (SIGBUS); whoever
/// writes into one changes bytes under a shared reference.
///
/// # Errors
/// [`OpenError`] of any kind but [`WrongPattern`](OpenError::WrongPattern),
/// [`IndexMismatch`](OpenError::IndexMismatch) and [`Payload`](OpenError::Payload), which are for
/// callers that know what they expect.
pub fn open(path: &Path) -> Result<(Header, Map), OpenError> {
    let owned = || path.to_path_buf();
    let read = |reason: io::Error| match reason.kind() {
        io::ErrorKind::NotFound => OpenError::Missing { path: owned() },
        _ => OpenError::Read { path: owned(), reason },
    };
    // Before opening: to open a pipe is to wait for a writer, and devices may act on it.
    if !fs::metadata(path).map_err(read)?.is_file() {
        return Err(OpenError::NotAFile { path: owned() });
    }
    let file = File::open(path).map_err(read)?;
    let mut page = Vec::with_capacity(HEADER_BYTES);
    (&file).take(HEADER_BYTES as u64).read_to_end(&mut page).map_err(read)?;
    let header =
        Header::decode(&page).map_err(|reason| OpenError::Format { path: owned(), reason })?;

    // Of the open file, not of the path, which may name another one by now.
    let metadata = file.metadata().map_err(read)?;
    let found = metadata.len();
    let expected = header.file_bytes();
    if found != expected {
        return Err(OpenError::Length { path: owned(), expected, found });
    }
    let map = map_payload(&file, header.payload_bytes())
        .map_err(|reason| OpenError::Map { path: owned(), reason })?;
    Ok((header, Map { map, metadata }))
}

fn map_payload(file: &File, bytes: u64) -> io::Result<Mmap> {
    // Only where addresses have 32 bits.
    let bytes = usize::try_from(bytes).map_err(|_| io::ErrorKind::FileTooLarge)?;
    let mut options = MmapOptions::new();
    options.offset(HEADER_BYTES as u64).len(bytes);
    // SAFETY:
    // - The range lies within the file, whose length the caller has checked.
    // - By the contract of `open`, nobody writes to the file or truncates it while it is mapped.
    //   This crate keeps it: `publish` writes temporary files only and renames them.
    let map = unsafe { options.map(file) }?;
    // Advice only, for what has to be read from the disk; see `publish` for what has not.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::super::format::sample;
    use super::super::publish;
    use super::*;

    fn published(fill: u8) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.pdb");
        let (header, payload) = sample(fill);
        publish(&path, &header, &payload).unwrap();
        (folder, path)
    }

    #[test]
    fn what_is_published_is_opened() {
        let (_folder, path) = published(7);
        let (expected, payload) = sample(7);
        let (header, map) = open(&path).unwrap();
        assert_eq!(header, expected);
        assert_eq!(map.as_ref(), payload);
        assert!(header.matches(map.as_ref()));
        assert_eq!(map.as_ref().as_ptr().align_offset(8), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_map_outlives_the_replacement_of_its_file() {
        let (_folder, path) = published(1);
        let (_, old) = open(&path).unwrap();
        let (header, payload) = sample(2);
        publish(&path, &header, &payload).unwrap();
        assert_eq!(old.as_ref(), sample(1).1);
        assert_eq!(open(&path).unwrap().1.as_ref(), payload);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(old.as_ref(), sample(1).1);
    }

    #[test]
    fn every_other_length_is_refused() {
        let (_folder, path) = published(7);
        let whole = std::fs::metadata(&path).unwrap().len();
        let file = File::options().write(true).open(&path).unwrap();
        let around = [whole + 1, whole + 4096, u64::from(u32::MAX) + 1, whole - 1];
        let payload = (1..100).map(|part| whole - part * (whole - HEADER_BYTES as u64) / 100);
        for length in around.into_iter().chain(payload).chain([HEADER_BYTES as u64]) {
            file.set_len(length).unwrap();
            match open(&path) {
                Err(OpenError::Length { expected, found, .. }) => {
                    assert_eq!((expected, found), (whole, length));
                }
                other => panic!("{length}: {other:?}"),
            }
        }
        for length in (0..HEADER_BYTES as u64).rev() {
            file.set_len(length).unwrap();
            assert!(matches!(open(&path), Err(OpenError::Format { .. })), "{length}");
        }
    }

    #[test]
    fn a_claim_of_terabytes_takes_nothing() {
        let (_folder, path) = published(7);
        let (mut header, _) = sample(7);
        header.cohorts = 1 << 60;
        header.levels = vec![1, header.states() - 1];
        std::fs::write(&path, header.encode()).unwrap();
        let error = open(&path).unwrap_err();
        assert!(matches!(error, OpenError::Length { found: 4096, .. }), "{error}");
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no.pdb");
        assert!(matches!(open(&missing), Err(OpenError::Missing { .. })));
        assert!(matches!(open(&missing.join("at.pdb")), Err(OpenError::Missing { .. })));
        assert!(matches!(open(folder.path()), Err(OpenError::NotAFile { .. })));
        #[cfg(unix)]
        {
            let socket = folder.path().join("socket.pdb");
            let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
            assert!(matches!(open(&socket), Err(OpenError::NotAFile { .. })));
            assert!(matches!(open(Path::new("/dev/null")), Err(OpenError::NotAFile { .. })));
            let (_kept, path) = published(7);
            assert!(matches!(open(&path.join("below")), Err(OpenError::Read { .. })));
        }
    }

    #[test]
    fn messages_name_the_file_and_the_way_out() {
        let path = || PathBuf::from("/there/table.pdb");
        let reason = || io::Error::other("no luck");
        let errors = [
            OpenError::Missing { path: path() },
            OpenError::NotAFile { path: path() },
            OpenError::Read { path: path(), reason: reason() },
            OpenError::Format { path: path(), reason: FormatError::Damaged },
            OpenError::Length { path: path(), expected: 2, found: 1 },
            OpenError::WrongPattern { path: path(), found: sample(0).0.pattern },
            OpenError::IndexMismatch { path: path(), expected: 2, found: 1 },
            OpenError::Payload { path: path() },
        ];
        for error in errors {
            let text = error.to_string();
            assert!(text.starts_with("/there/table.pdb: "), "{text}");
            assert!(text.contains("`pdb-gen build"), "{text}");
        }
        let text = OpenError::Map { path: path(), reason: reason() }.to_string();
        assert!(text.starts_with("/there/table.pdb: cannot be mapped: no luck: raise"), "{text}");
    }
}
