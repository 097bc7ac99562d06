//! Mapping the payload of a database file into memory.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use memmap2::{MmapOptions, MmapRaw};

use super::HEADER_BYTES;

/// A mapped payload. Nothing here reads it: [`Bytes`](super::Bytes) does.
pub(super) struct Map {
    map: MmapRaw,
    /// `None` if there is no room in [`MAPPED`].
    entry: Option<&'static Entry>,
}

/// An entry of [`MAPPED`]: a path, and the addresses at which its file is mapped.
struct Entry {
    path: PathBuf,
    /// The first address; 0 if the file is not mapped.
    start: AtomicUsize,
    /// The address after the last one.
    end: AtomicUsize,
}

/// The mapped files. Entries are never removed, because a signal handler may read one at any time.
/// Each is used again for the same path.
static MAPPED: [OnceLock<Entry>; 256] = [const { OnceLock::new() }; 256];

/// The database file that is mapped at an address. It takes no lock and allocates nothing, so a
/// handler of SIGBUS may call it: the system sends that signal to a program that reads a mapped
/// file beyond its end, where the file was cut short.
pub fn mapped_file(address: usize) -> Option<&'static Path> {
    let mut entries = MAPPED.iter().map_while(OnceLock::get);
    let entry = entries.find(|e| (e.start.load(SeqCst)..e.end.load(SeqCst)).contains(&address))?;
    Some(&entry.path)
}

impl Map {
    /// Maps the `bytes` bytes after the header, which lie within the file.
    pub fn new(path: &Path, file: &File, bytes: usize) -> io::Result<Map> {
        let map =
            MmapOptions::new().offset(HEADER_BYTES as u64).len(bytes).map_raw_read_only(file)?;
        // Advice only, for what has to be read from the disk; see `publish` for what has not.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        let start = map.as_ptr().addr();
        let entry = MAPPED.iter().find_map(|entry| {
            let new = || Entry { path: path.to_owned(), start: 0.into(), end: 0.into() };
            let entry = entry.get_or_init(new);
            let claimed = entry.path == path
                && entry.start.compare_exchange(0, start, SeqCst, SeqCst).is_ok();
            claimed.then_some(entry)
        });
        if let Some(entry) = entry {
            entry.end.store(start + bytes, SeqCst);
        }
        Ok(Map { map, entry })
    }

    /// The first byte, and the number of bytes.
    pub fn range(&self) -> (*const u8, usize) {
        (self.map.as_ptr(), self.map.len())
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        if let Some(entry) = self.entry {
            entry.end.store(0, SeqCst);
            entry.start.store(0, SeqCst);
        }
    }
}
