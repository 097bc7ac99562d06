//! Opening a database file, and the errors of one that cannot be used.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::map::Map;
use super::{Buffer, Bytes, FormatError, HEADER_BYTES, Header, Pattern};

/// The reason why a database file cannot be used. Each message names the file and what is wrong.
///
/// [`WrongPattern`](OpenError::WrongPattern), [`IndexMismatch`](OpenError::IndexMismatch) and
/// [`Payload`](OpenError::Payload) are for callers that know which table they expect. Nothing in
/// this module returns them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no such file.
    #[error("{}: not found", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The path names a folder, a device or the like.
    #[error("{}: not a regular file", path.display())]
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// The system refused to open or read the file.
    #[error("{}: cannot be read: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: io::Error,
    },
    /// The system refused to map the file.
    #[error("{}: cannot be mapped into memory: {reason}", path.display())]
    Map {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: io::Error,
    },
    /// There is not enough memory for a copy of the table.
    #[error("{}: not enough memory for a copy of its {bytes} bytes: {reason}", path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// The size of the table.
        bytes: u64,
        /// The system's error.
        reason: io::Error,
    },
    /// The header is refused.
    #[error("{}: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The fault in the header.
        reason: FormatError,
    },
    /// The file is shorter or longer than its header says.
    #[error("{}: {found} bytes long, where its header says {expected}", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// The length that follows from the header.
        expected: u64,
        /// The length of the file.
        found: u64,
    },
    /// Somebody wrote to the file.
    #[error("{}: changed while it was in use", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The file is sound, but holds the table of another pattern than the caller expects.
    #[error(
        "{}: holds tiles {found} of a {} board with the blank in cell {}, not the expected pattern",
        path.display(), found.grid(), found.blank()
    )]
    WrongPattern {
        /// The file.
        path: PathBuf,
        /// The pattern in its header.
        found: Pattern,
    },
    /// The header's number of cohorts is not the pattern's.
    #[error("{}: has {found} cohorts, where its pattern has {expected}", path.display())]
    IndexMismatch {
        /// The file.
        path: PathBuf,
        /// The pattern's number of cohorts.
        expected: u64,
        /// The header's number of cohorts.
        found: u64,
    },
    /// The payload is not the one that the header describes.
    #[error("{}: damaged: the table does not match its checksum", path.display())]
    Payload {
        /// The file.
        path: PathBuf,
    },
}

impl OpenError {
    /// The file that cannot be used.
    pub fn path(&self) -> &Path {
        match self {
            OpenError::Missing { path }
            | OpenError::NotAFile { path }
            | OpenError::Read { path, .. }
            | OpenError::Map { path, .. }
            | OpenError::Memory { path, .. }
            | OpenError::Format { path, .. }
            | OpenError::Length { path, .. }
            | OpenError::Changed { path }
            | OpenError::WrongPattern { path, .. }
            | OpenError::IndexMismatch { path, .. }
            | OpenError::Payload { path } => path,
        }
    }

    /// The error for a file that the system refused to open or read.
    fn read(path: &Path, reason: io::Error) -> OpenError {
        let path = path.to_path_buf();
        match reason.kind() {
            io::ErrorKind::NotFound => OpenError::Missing { path },
            _ => OpenError::Read { path, reason },
        }
    }
}

/// An open database file whose header is sound and whose length is the one that the header says.
#[derive(Debug)]
pub struct TableFile {
    /// The path that it was opened by.
    pub path: PathBuf,
    /// Its header.
    pub header: Header,
    file: File,
    metadata: Metadata,
}

/// Opens a database file, in constant time. The payload is not read: [`TableFile::read`] and
/// [`TableFile::map`] provide it, and [`Header::payload_hash`] tells whether it is the right one.
///
/// # Errors
/// [`Missing`](OpenError::Missing), [`NotAFile`](OpenError::NotAFile), [`Read`](OpenError::Read),
/// [`Format`](OpenError::Format) or [`Length`](OpenError::Length).
pub fn open(path: &Path) -> Result<TableFile, OpenError> {
    let owned = || path.to_path_buf();
    let refused = |reason| OpenError::read(path, reason);
    // Before opening: to open a pipe is to wait for a writer, and devices may act on it.
    if !fs::metadata(path).map_err(refused)?.is_file() {
        return Err(OpenError::NotAFile { path: owned() });
    }
    let file = File::open(path).map_err(refused)?;
    let mut page = Vec::with_capacity(HEADER_BYTES);
    (&file).take(HEADER_BYTES as u64).read_to_end(&mut page).map_err(refused)?;
    let header =
        Header::decode(&page).map_err(|reason| OpenError::Format { path: owned(), reason })?;

    // Of the open file, not of the path, which may name another one by now.
    let metadata = file.metadata().map_err(refused)?;
    let (expected, found) = (header.file_bytes(), metadata.len());
    if found != expected {
        return Err(OpenError::Length { path: owned(), expected, found });
    }
    Ok(TableFile { path: owned(), header, file, metadata })
}

/// Reads a database file into memory of its own: [`open`], then [`TableFile::read`].
///
/// # Errors
/// Theirs.
pub fn read(path: &Path) -> Result<(Header, Buffer), OpenError> {
    let file = open(path)?;
    let payload = file.read()?;
    Ok((file.header, payload))
}

impl TableFile {
    /// The system's data about the file, as of when it was opened.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Returns whether nobody has written to the file since it was opened, by its length and the
    /// time of the last change. To remove the file, or to rename another one over it, does not
    /// count.
    pub fn is_unchanged(&self) -> bool {
        let state = |metadata: &Metadata| (metadata.len(), metadata.modified().ok());
        self.file.metadata().is_ok_and(|now| state(&now) == state(&self.metadata))
    }

    /// Reads the payload into memory of its own.
    ///
    /// # Errors
    /// [`Memory`](OpenError::Memory), [`Read`](OpenError::Read), or
    /// [`Changed`](OpenError::Changed) if somebody wrote to the file after it was opened.
    pub fn read(&self) -> Result<Buffer, OpenError> {
        let (path, bytes) = (&self.path, self.header.payload_bytes());
        let payload = size_in_memory(bytes)
            .and_then(Buffer::zeroed)
            .map_err(|reason| OpenError::Memory { path: path.clone(), bytes, reason })?;
        let mut file = &self.file;
        let payload = file
            .seek(SeekFrom::Start(HEADER_BYTES as u64))
            .and_then(|_| fill(payload, file))
            .map_err(|reason| OpenError::read(path, reason))?;
        let payload = payload.filter(|_| self.is_unchanged());
        payload.ok_or_else(|| OpenError::Changed { path: path.clone() })
    }

    /// Maps the payload, in constant time.
    ///
    /// Somebody who writes to the file changes the bytes, and [`TableFile::is_unchanged`] shows it.
    /// Where the file was cut short, there are no bytes to read, and the system ends the process
    /// (SIGBUS): see [`mapped_file`](super::mapped_file). To remove the file, or to rename another
    /// one over it as [`publish`](super::publish) does, is harmless: the map keeps the old one.
    ///
    /// # Errors
    /// [`Map`](OpenError::Map) if the system refuses to map the file, as do systems without memory
    /// maps.
    pub fn map(&self) -> Result<Bytes, OpenError> {
        size_in_memory(self.header.payload_bytes())
            .and_then(|bytes| Map::new(&self.path, &self.file, bytes))
            .map(Bytes::from)
            .map_err(|reason| OpenError::Map { path: self.path.clone(), reason })
    }
}

/// A number of bytes as a size in memory. Only where addresses have 32 bits can it be too large.
fn size_in_memory(bytes: u64) -> io::Result<usize> {
    usize::try_from(bytes).map_err(|_| io::ErrorKind::OutOfMemory.into())
}

/// Fills a buffer from a reader; `None` unless the reader ends exactly where the buffer does.
fn fill(mut buffer: Buffer, mut reader: impl Read) -> io::Result<Option<Buffer>> {
    let mut reads = |bytes: &mut [u8]| match reader.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    };
    let whole = reads(buffer.as_bytes_mut())? && !reads(&mut [0])?;
    Ok(whole.then_some(buffer))
}

// Nothing here is unsafe, and Miri takes minutes for the hashes.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::super::format::sample;
    use super::super::publish;
    use super::*;

    /// The file of a sample.
    fn published(fill: u8) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.pdb");
        let (header, payload) = sample(fill);
        publish(&path, &header, &payload).unwrap();
        (folder, path)
    }

    /// The errors of `open` and `read`, which must be the same.
    fn refused(path: &Path) -> OpenError {
        let error = read(path).unwrap_err();
        assert_eq!(error.to_string(), open(path).unwrap_err().to_string());
        assert_eq!(error.path(), path);
        error
    }

    #[test]
    fn published_files_are_read_and_mapped() {
        let (_folder, path) = published(7);
        let (expected, payload) = sample(7);
        let (header, buffer) = read(&path).unwrap();
        assert_eq!(header, expected);
        assert_eq!(buffer.as_ref(), payload);
        let file = open(&path).unwrap();
        assert_eq!((file.header.clone(), file.metadata().len()), (expected, header.file_bytes()));
        // The place in the file is not that of the payload any more.
        for _ in 0..2 {
            assert_eq!(file.read().unwrap().as_ref(), payload);
        }
        let (mapped, owned) = (file.map().unwrap(), Bytes::from(buffer));
        assert_eq!(all(&mapped), payload);
        for bytes in [&mapped, &mapped.clone(), &owned] {
            assert_eq!((bytes.len(), bytes.hash()), (payload.len(), header.payload_hash));
            assert_eq!(bytes.short(payload.len() / 2 - 1), 0x0707);
        }
        assert!(mapped.as_slice().is_none() && owned.as_slice() == Some(&payload));
        for place in [payload.len(), usize::MAX] {
            std::panic::catch_unwind(|| mapped.byte(place)).unwrap_err();
            std::panic::catch_unwind(|| mapped.short(place / 2)).unwrap_err();
        }
    }

    /// The bytes, each by itself.
    fn all(bytes: &Bytes) -> Vec<u8> {
        (0..bytes.len()).map(|place| bytes.byte(place)).collect()
    }

    #[cfg(unix)]
    #[test]
    fn a_map_outlives_the_replacement_of_its_file() {
        let (_folder, path) = published(1);
        let file = open(&path).unwrap();
        let old = file.map().unwrap();
        let (header, payload) = sample(2);
        publish(&path, &header, &payload).unwrap();
        assert_eq!(all(&old), sample(1).1);
        assert_eq!(all(&open(&path).unwrap().map().unwrap()), payload);
        fs::remove_file(&path).unwrap();
        assert!(all(&old) == sample(1).1 && file.is_unchanged());
    }

    /// Safe code can do this while the file is mapped.
    #[cfg(unix)]
    #[test]
    fn a_write_into_a_mapped_file_changes_the_bytes_and_is_noticed() {
        use std::os::unix::fs::FileExt;
        let (_folder, path) = published(1);
        let file = open(&path).unwrap();
        let mapped = file.map().unwrap();
        assert!(mapped.hash() == file.header.payload_hash && file.is_unchanged());
        // Until the clock of the file system ticks, a write leaves the times as they were.
        while file.is_unchanged() {
            let writer = File::options().write(true).open(&path).unwrap();
            writer.write_all_at(&[9], HEADER_BYTES as u64 + 3).unwrap();
        }
        assert_eq!(all(&mapped)[..5], [1, 1, 1, 9, 1]);
        assert_ne!(mapped.hash(), file.header.payload_hash);
        assert!(matches!(file.read(), Err(OpenError::Changed { .. })));
    }

    #[test]
    fn mapped_files_are_known_by_their_addresses() {
        let (_folder, path) = published(1);
        let file = open(&path).unwrap();
        let maps = [file.map().unwrap(), file.map().unwrap()];
        let ends = |bytes: &Bytes| [0, bytes.len() - 1].map(|place| bytes.as_ptr().addr() + place);
        for address in maps.iter().flat_map(ends) {
            assert_eq!(super::super::mapped_file(address), Some(&*path));
        }
        assert_eq!(super::super::mapped_file(0), None);
        let [first, _] = ends(&maps[0]);
        drop(maps);
        assert_ne!(super::super::mapped_file(first), Some(&*path));
    }

    #[test]
    fn every_other_length_is_refused() {
        let (_folder, path) = published(7);
        let whole = fs::metadata(&path).unwrap().len();
        let file = File::options().write(true).open(&path).unwrap();
        let around = [whole + 1, whole + 4096, u64::from(u32::MAX) + 1, whole - 1];
        let payload = (1..100).map(|part| whole - part * (whole - HEADER_BYTES as u64) / 100);
        for length in around.into_iter().chain(payload).chain([HEADER_BYTES as u64]) {
            file.set_len(length).unwrap();
            match refused(&path) {
                OpenError::Length { expected, found, .. } => {
                    assert_eq!((expected, found), (whole, length));
                }
                other => panic!("{length}: {other:?}"),
            }
        }
        for length in (0..HEADER_BYTES as u64).rev() {
            file.set_len(length).unwrap();
            assert!(matches!(refused(&path), OpenError::Format { .. }), "{length}");
        }
    }

    /// A reader that ends early is a file cut short meanwhile; one that goes on, a file that grew.
    #[test]
    fn a_length_that_changes_during_the_read_is_refused() {
        let fill = |bytes: &[u8]| fill(Buffer::zeroed(100).unwrap(), bytes).unwrap();
        for length in [0, 1, 99, 101, 200] {
            assert!(fill(&vec![7; length]).is_none(), "{length}");
        }
        assert_eq!(fill(&[7; 100]).unwrap().as_ref(), [7; 100]);

        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::IsADirectory.into())
            }
        }
        let error = super::fill(Buffer::zeroed(100).unwrap(), Failing).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
    }

    #[test]
    fn a_header_of_terabytes_allocates_nothing() {
        let (_folder, path) = published(7);
        let (mut header, _) = sample(7);
        header.cohorts = 1 << 60;
        header.levels = vec![1, header.states() - 1];
        fs::write(&path, header.encode()).unwrap();
        let error = refused(&path);
        assert!(matches!(error, OpenError::Length { found: 4096, .. }), "{error}");
    }

    #[test]
    fn other_things_than_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no.pdb");
        assert!(matches!(refused(&missing), OpenError::Missing { .. }));
        assert!(matches!(refused(&missing.join("at.pdb")), OpenError::Missing { .. }));
        assert!(matches!(refused(folder.path()), OpenError::NotAFile { .. }));
        #[cfg(unix)]
        {
            let socket = folder.path().join("socket.pdb");
            let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
            assert!(matches!(refused(&socket), OpenError::NotAFile { .. }));
            assert!(matches!(refused(Path::new("/dev/null")), OpenError::NotAFile { .. }));
            let (_kept, path) = published(7);
            assert!(matches!(refused(&path.join("below")), OpenError::Read { .. }));
        }
    }

    #[test]
    fn messages_name_the_file_and_the_fault_alone() {
        let path = || PathBuf::from("/there/table.pdb");
        let reason = || io::Error::other("no luck");
        let errors = [
            (OpenError::Missing { path: path() }, "not found"),
            (OpenError::NotAFile { path: path() }, "not a regular file"),
            (OpenError::Read { path: path(), reason: reason() }, "cannot be read: no luck"),
            (
                OpenError::Map { path: path(), reason: reason() },
                "cannot be mapped into memory: no luck",
            ),
            (
                OpenError::Memory { path: path(), bytes: 8, reason: reason() },
                "not enough memory for a copy of its 8 bytes: no luck",
            ),
            (
                OpenError::Format { path: path(), reason: FormatError::Damaged },
                "damaged: the header does not match its checksum",
            ),
            (
                OpenError::Length { path: path(), expected: 2, found: 1 },
                "1 bytes long, where its header says 2",
            ),
            (OpenError::Changed { path: path() }, "changed while it was in use"),
            (
                OpenError::WrongPattern { path: path(), found: sample(0).0.pattern },
                "holds tiles 1,2,5 of a 4x3 board with the blank in cell 11, not the expected pattern",
            ),
            (
                OpenError::IndexMismatch { path: path(), expected: 2, found: 1 },
                "has 1 cohorts, where its pattern has 2",
            ),
            (OpenError::Payload { path: path() }, "damaged: the table does not match its checksum"),
        ];
        for (error, fault) in errors {
            assert_eq!(error.to_string(), format!("/there/table.pdb: {fault}"));
            assert_eq!(error.path(), path());
        }
    }
}
