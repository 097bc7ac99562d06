//! Opening a database file, and the errors of one that cannot be used.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use memmap2::{MmapOptions, MmapRaw};

use super::buffer::Buffer;
use super::bytes::Bytes;
use super::format::{FormatError, HEADER_BYTES, Header};
use super::pattern::Pattern;

/// The error of a database file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct OpenError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub kind: OpenErrorKind,
}

/// The reason why a database file cannot be used.
///
/// [`WrongPattern`](OpenErrorKind::WrongPattern), [`Cohorts`](OpenErrorKind::Cohorts) and
/// [`Payload`](OpenErrorKind::Payload) are for callers that know which table they expect. Nothing in
/// this module returns them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenErrorKind {
    /// There is no such file.
    #[error("not found")]
    Missing,
    /// The path names a folder, a device or the like.
    #[error("not a regular file")]
    NotAFile,
    /// The system refused to open or read the file.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// The system refused to map the file.
    #[error("cannot be mapped into memory: {0}")]
    Map(io::Error),
    /// There is not enough memory for a copy of the table.
    #[error("not enough memory for a copy of its {bytes} bytes: {reason}")]
    Memory {
        /// The size of the table.
        bytes: u64,
        /// The system's error.
        reason: io::Error,
    },
    /// The header is refused.
    #[error("{0}")]
    Format(FormatError),
    /// The file is shorter or longer than its header says.
    #[error("{found} bytes long, where its header says {expected}")]
    Length {
        /// The length that follows from the header.
        expected: u64,
        /// The length of the file.
        found: u64,
    },
    /// Somebody wrote to the file.
    #[error("changed while it was in use")]
    Changed,
    /// The file is sound, but holds the table of another pattern than the caller expects.
    #[error(
        "holds tiles {found} of a {} board with the blank in cell {}, not the expected pattern",
        found.grid(), found.blank()
    )]
    WrongPattern {
        /// The pattern in its header.
        found: Pattern,
    },
    /// The header's number of cohorts is not the pattern's.
    #[error("has {found} cohorts, where its pattern has {expected}")]
    Cohorts {
        /// The pattern's number of cohorts.
        expected: u64,
        /// The header's number of cohorts.
        found: u64,
    },
    /// The payload is not the one that the header describes.
    #[error("damaged: the table does not match its checksum")]
    Payload,
}

impl OpenErrorKind {
    /// The error of a file.
    pub fn of(self, path: &Path) -> OpenError {
        OpenError { path: path.to_owned(), kind: self }
    }

    /// The reason for a file that the system refused to open or read.
    fn refused(reason: io::Error) -> OpenErrorKind {
        match reason.kind() {
            io::ErrorKind::NotFound => OpenErrorKind::Missing,
            _ => OpenErrorKind::Read(reason),
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
/// [`OpenError`] with the reason `Missing`, `NotAFile`, `Read`, `Format` or `Length`.
pub fn open(path: &Path) -> Result<TableFile, OpenError> {
    let refused = |reason| OpenErrorKind::refused(reason).of(path);
    // Before opening: to open a pipe is to wait for a writer, and devices may act on it.
    if !fs::metadata(path).map_err(refused)?.is_file() {
        return Err(OpenErrorKind::NotAFile.of(path));
    }
    let file = File::open(path).map_err(refused)?;
    let mut page = Vec::with_capacity(HEADER_BYTES);
    (&file).take(HEADER_BYTES as u64).read_to_end(&mut page).map_err(refused)?;
    let header = Header::decode(&page).map_err(|fault| OpenErrorKind::Format(fault).of(path))?;

    // Of the open file, not of the path, which may name another one by now.
    let metadata = file.metadata().map_err(refused)?;
    let (expected, found) = (header.file_bytes(), metadata.len());
    if found != expected {
        return Err(OpenErrorKind::Length { expected, found }.of(path));
    }
    Ok(TableFile { path: path.to_owned(), header, file, metadata })
}

/// Reads a database file into new memory: [`open`], then [`TableFile::read`].
///
/// # Errors
/// The errors of these two.
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

    /// Reads the payload into new memory.
    ///
    /// # Errors
    /// [`OpenError`] with the reason `Memory`, `Read`, or `Changed` if somebody wrote to the file after
    /// it was opened.
    pub fn read(&self) -> Result<Buffer, OpenError> {
        let (path, bytes) = (&self.path, self.header.payload_bytes());
        let mut payload = Buffer::zeroed(self.size())
            .map_err(|reason| OpenErrorKind::Memory { bytes, reason }.of(path))?;
        let mut file = &self.file;
        let end = file
            .seek(SeekFrom::Start(HEADER_BYTES as u64))
            .and_then(|_| file.read_exact(payload.as_bytes_mut()));
        match end {
            Ok(()) if self.is_unchanged() => Ok(payload),
            Err(reason) if reason.kind() != io::ErrorKind::UnexpectedEof => {
                Err(OpenErrorKind::refused(reason).of(path))
            }
            // It was cut short, grew, or was written to.
            _ => Err(OpenErrorKind::Changed.of(path)),
        }
    }

    /// The bytes of the payload as a size in memory. Only where addresses have 32 bits can it be too large; no
    /// system provides as much as that.
    fn size(&self) -> usize {
        usize::try_from(self.header.payload_bytes()).unwrap_or(usize::MAX)
    }

    /// Maps the payload, in constant time.
    ///
    /// Somebody who writes to the file changes the bytes, and [`TableFile::is_unchanged`] shows it.
    /// Where the file was cut short, there are no bytes to read, and the system ends the process
    /// (SIGBUS). To remove the file, or to rename another
    /// one over it as [`publish`](super::publish) does, is harmless: the map keeps the old one.
    ///
    /// # Errors
    /// [`OpenError`] with the reason `Map` if the system refuses to map the file, as do systems without
    /// memory maps.
    pub fn map(&self) -> Result<Bytes, OpenError> {
        map(&self.file, self.size())
            .map(Bytes::from)
            .map_err(|reason| OpenErrorKind::Map(reason).of(&self.path))
    }
}

/// Maps the `bytes` bytes after the header, which lie within the file. Nothing here reads them: [`Bytes`]
/// does.
fn map(file: &File, bytes: usize) -> io::Result<MmapRaw> {
    let map = MmapOptions::new().offset(HEADER_BYTES as u64).len(bytes).map_raw_read_only(file)?;
    // Advice only, for pages that have to be read from the disk; see `publish` for the others.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

// Nothing here is unsafe, and Miri takes minutes for the hashes.
#[cfg(test)]
#[cfg(not(miri))]
mod tests {
    use super::super::format::sample;
    use super::*;
    use crate::pdb::publish::publish;

    /// The file of a sample.
    fn published(fill: u8) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.pdb");
        let (header, payload) = sample(fill);
        publish(&path, &header, &payload).unwrap();
        (folder, path)
    }

    /// The errors of `open` and `read`, which must be the same.
    fn refused(path: &Path) -> OpenErrorKind {
        let error = read(path).unwrap_err();
        assert_eq!(error.to_string(), open(path).unwrap_err().to_string());
        assert_eq!(error.path, path);
        error.kind
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
        // The position in the file is no longer the start of the payload.
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
        assert!(matches!(file.read().unwrap_err().kind, OpenErrorKind::Changed));
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
                OpenErrorKind::Length { expected, found } => {
                    assert_eq!((expected, found), (whole, length));
                }
                other => panic!("{length}: {other:?}"),
            }
        }
        for length in (0..HEADER_BYTES as u64).rev() {
            file.set_len(length).unwrap();
            assert!(matches!(refused(&path), OpenErrorKind::Format(_)), "{length}");
        }
    }

    #[test]
    fn a_length_that_changes_after_the_opening_is_refused() {
        let (_folder, path) = published(7);
        let whole = fs::metadata(&path).unwrap().len();
        let file = open(&path).unwrap();
        let writer = File::options().write(true).open(&path).unwrap();
        for length in [0, HEADER_BYTES as u64, whole - 1, whole + 1, 2 * whole] {
            writer.set_len(length).unwrap();
            assert!(matches!(file.read().unwrap_err().kind, OpenErrorKind::Changed), "{length}");
        }
    }

    #[test]
    fn a_header_of_terabytes_allocates_nothing() {
        let (_folder, path) = published(7);
        let (mut header, _) = sample(7);
        header.cohorts = 1 << 60;
        header.levels = vec![1, header.states() - 1];
        fs::write(&path, header.encode()).unwrap();
        let error = refused(&path);
        assert!(matches!(error, OpenErrorKind::Length { found: 4096, .. }), "{error}");
    }

    #[test]
    fn other_things_than_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no.pdb");
        assert!(matches!(refused(&missing), OpenErrorKind::Missing));
        assert!(matches!(refused(&missing.join("at.pdb")), OpenErrorKind::Missing));
        assert!(matches!(refused(folder.path()), OpenErrorKind::NotAFile));
        #[cfg(unix)]
        {
            let socket = folder.path().join("socket.pdb");
            let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
            assert!(matches!(refused(&socket), OpenErrorKind::NotAFile));
            assert!(matches!(refused(Path::new("/dev/null")), OpenErrorKind::NotAFile));
            let (_kept, path) = published(7);
            assert!(matches!(refused(&path.join("below")), OpenErrorKind::Read(_)));
        }
    }

    /// The others stand in `tests/prompt/databases.md`.
    #[test]
    fn messages_name_the_file_and_the_fault_alone() {
        use OpenErrorKind::*;
        let reason = || io::Error::other("no luck");
        for (kind, fault) in [
            (Missing, "not found"),
            (Map(reason()), "cannot be mapped into memory: no luck"),
            (
                Memory { bytes: 8, reason: reason() },
                "not enough memory for a copy of its 8 bytes: no luck",
            ),
            (Changed, "changed while it was in use"),
            (Cohorts { expected: 2, found: 1 }, "has 1 cohorts, where its pattern has 2"),
        ] {
            let error = kind.of(Path::new("/there/table.pdb"));
            assert_eq!(error.to_string(), format!("/there/table.pdb: {fault}"));
        }
    }
}
