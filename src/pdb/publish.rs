//! Putting a database file in its place, whole or not at all.
//!
//! The file is written under a temporary name in the same folder, synced, and renamed. A process
//! that is killed leaves its temporary behind, for the next one to remove. What is stale is told
//! by a lock, which the system lifts when its holder dies, and not by age or process number, which
//! can deceive:
//!
//! 1. A temporary is created under a name that is never used twice, and locked.
//! 2. Only who holds the lock renames or removes it.
//!
//! One gap is left, between creation and lock: there a temporary looks stale, and may be removed
//! by another process. So its owner looks for it once it has the lock, and makes another if it
//! is gone. From then on it is safe.
//!
//! Where the file system has no locks, nothing is ever taken for stale.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Header;
use super::format::HEADER_BYTES;

/// Writes a database file, in place of an old one where there is one.
///
/// Whatever happens meanwhile, the path names the old file or the new one, whole. Any number of
/// processes may do this at once: the last one's file stays.
///
/// # Errors
/// Those of the file system; the path is as it was then, and there is no temporary left.
///
/// # Panics
/// Where `payload` is not the one that `header` describes, or the header contradicts itself.
pub fn publish(path: &Path, header: &Header, payload: &[u8]) -> io::Result<()> {
    assert!(header.matches(payload), "the payload is not the header's");
    replace(path, |file| write_file(file, header, payload))
}

/// The file's bytes, to the file or to a test's faulty writer.
fn write_file(mut out: impl Write, header: &Header, payload: &[u8]) -> io::Result<()> {
    out.write_all(&header.encode())?;
    // Linux keeps what is written at once in one piece of memory as far as it can, and where a
    // piece is just a huge page, so is its mapping. Larger pieces than that are mapped page by
    // page, and a search spends a fifth of its time on finding pages.
    let (first, rest) = payload.split_at(payload.len().min(HUGE_PAGE - HEADER_BYTES));
    out.write_all(first)?;
    rest.chunks(HUGE_PAGE).try_for_each(|chunk| out.write_all(chunk))
}

/// The bytes of a huge page, on most machines.
const HUGE_PAGE: usize = 2 << 20;

/// Writes a file, in place of an old one where there is one; as [`publish`] does.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    remove_stale(folder, name);
    let temporary = Temporary::create(folder, name)?;
    write(&temporary.file)?;
    temporary.file.sync_all()?;
    temporary.rename(path)?;
    // Without this the new name may not outlive a power failure; the old one does then. Some
    // file systems cannot sync a folder, and the new file is in its place already, so that this
    // is no failure.
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// The temporaries of this process. Held while one is created, renamed or removed.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of this process, for a program that is about to be ended by a
/// signal. From then on [`publish`] waits for ever.
pub fn abandon() {
    let temporaries = temporaries();
    for path in temporaries.iter() {
        // There is nobody to tell; the next `publish` tries again.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(temporaries);
}

/// A locked file that is removed when it is dropped, unless it was renamed.
struct Temporary {
    path: PathBuf,
    file: File,
    renamed: bool,
}

impl Temporary {
    fn create(folder: &Path, name: &OsStr) -> io::Result<Temporary> {
        loop {
            let path = folder.join(temporary_name(name));
            let mut temporaries = temporaries();
            let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
            temporaries.push(path.clone());
            drop(temporaries);
            let temporary = Temporary { path, file, renamed: false };
            // Without a lock all goes on: nobody else can have one either.
            let _ = temporary.file.lock();
            if fs::exists(&temporary.path)? {
                return Ok(temporary);
            }
        }
    }

    fn rename(mut self, to: &Path) -> io::Result<()> {
        let temporaries = temporaries();
        fs::rename(&self.path, to)?;
        self.renamed = true;
        drop(temporaries);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut temporaries = temporaries();
        temporaries.retain(|path| *path != self.path);
        if !self.renamed {
            // There is nobody to tell; the next `publish` tries again.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// `.NAME.PID.RANDOM.tmp`. The process number is for people to read; the random number makes the
/// name unique, also among containers and machines that share the folder.
fn temporary_name(name: &OsStr) -> OsString {
    let mut temporary = OsString::from(".");
    temporary.push(name);
    let random = RandomState::new().build_hasher().finish();
    temporary.push(format!(".{}.{random}.tmp", std::process::id()));
    temporary
}

fn is_temporary_of(name: &OsStr, file: &OsStr) -> bool {
    let number = |bytes: &[u8]| !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit);
    let numbers = file
        .as_encoded_bytes()
        .strip_prefix(b".")
        .and_then(|rest| rest.strip_prefix(name.as_encoded_bytes()))
        .and_then(|rest| rest.strip_prefix(b"."))
        .and_then(|rest| rest.strip_suffix(b".tmp"));
    numbers.is_some_and(|numbers| {
        let mut numbers = numbers.split(|&byte| byte == b'.');
        numbers.next().is_some_and(number)
            && numbers.next().is_some_and(number)
            && numbers.next().is_none()
    })
}

/// Removes what killed processes left of the file `name`. Whatever cannot be listed, opened or
/// removed stays: it is in nobody's way but the disk's.
fn remove_stale(folder: &Path, name: &OsStr) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        // No links, nor pipes, which would block when opened.
        let regular = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !regular || !is_temporary_of(name, &entry.file_name()) {
            continue;
        }
        // For writing, as some network file systems lock only such files exclusively.
        let Ok(file) = OpenOptions::new().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            // Its owner may have renamed it since it was listed. Then this removes nothing, for
            // the name is never used again.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::super::format::sample;
    use super::super::open;
    use super::*;

    const NAME: &str = "table.pdb";

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Writes `left` bytes, then fails as a full disk does.
    struct FullDisk<W> {
        out: W,
        left: usize,
    }

    impl<W: Write> Write for FullDisk<W> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.left == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let written = self.out.write(&bytes[..bytes.len().min(self.left)])?;
            self.left -= written;
            Ok(written)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.out.flush()
        }
    }

    #[test]
    fn the_file_is_header_and_payload() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let (header, payload) = sample(7);
        publish(&path, &header, &payload).unwrap();
        assert_eq!(fs::read(&path).unwrap(), [&header.encode()[..], &payload].concat());
        assert_eq!(names(folder.path()), [NAME]);
    }

    #[test]
    fn a_full_disk_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let (header, payload) = sample(2);
        let whole = header.file_bytes() as usize;
        for old in [false, true] {
            if old {
                publish(&path, &sample(1).0, &sample(1).1).unwrap();
            }
            for left in [0, 1, 100, 4095, 4096, 4097, whole / 2, whole - 1] {
                let error = replace(&path, |file| {
                    write_file(FullDisk { out: file, left }, &header, &payload)
                });
                assert_eq!(error.unwrap_err().kind(), io::ErrorKind::StorageFull);
                if old {
                    assert_eq!(open(&path).unwrap().0, sample(1).0);
                    assert_eq!(names(folder.path()), [NAME]);
                } else {
                    assert!(names(folder.path()).is_empty());
                }
            }
        }
        replace(&path, |file| write_file(FullDisk { out: file, left: whole }, &header, &payload))
            .unwrap();
        assert_eq!(open(&path).unwrap().0, header);
    }

    #[test]
    fn a_panic_or_a_place_taken_leaves_no_temporary() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let panic = thread::scope(|scope| {
            scope.spawn(|| replace(&path, |_| panic!("within the writer"))).join()
        });
        assert!(panic.is_err());
        assert!(names(folder.path()).is_empty());

        fs::create_dir(&path).unwrap();
        let (header, payload) = sample(1);
        assert!(publish(&path, &header, &payload).is_err());
        assert_eq!(names(folder.path()), [NAME]);

        assert!(publish(&folder.path().join("no/table.pdb"), &header, &payload).is_err());
        assert!(publish(Path::new(".."), &header, &payload).is_err());
    }

    #[test]
    #[should_panic(expected = "not the header's")]
    fn another_payload_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let _ = publish(&folder.path().join(NAME), &sample(1).0, &sample(2).1);
    }

    #[test]
    fn only_stale_temporaries_of_the_same_file_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str| File::create(folder.path().join(name)).unwrap();
        for stale in [".table.pdb.1.0.tmp", ".table.pdb.4294967295.18446744073709551615.tmp"] {
            make(stale);
        }
        let live = make(".table.pdb.2.2.tmp");
        live.lock().unwrap();
        let mut kept = vec![
            ".other.pdb.1.0.tmp",
            ".table.pdb.1.tmp",
            ".table.pdb..0.tmp",
            ".table.pdb.1.x.tmp",
            ".table.pdb.1.1.1.tmp",
            ".table.pdb.1.1.tmp.old",
            "table.pdb.1.1.tmp",
        ];
        for name in &kept {
            make(name);
        }
        fs::create_dir(folder.path().join(".table.pdb.3.3.tmp")).unwrap();
        kept.extend([".table.pdb.2.2.tmp", ".table.pdb.3.3.tmp", NAME]);
        #[cfg(unix)]
        {
            let link = ".table.pdb.4.4.tmp";
            let target = folder.path().join(kept[0]);
            std::os::unix::fs::symlink(target, folder.path().join(link)).unwrap();
            kept.push(link);
        }
        kept.sort();

        let path = folder.path().join(NAME);
        publish(&path, &sample(1).0, &sample(1).1).unwrap();
        assert_eq!(names(folder.path()), kept);

        drop(live);
        publish(&path, &sample(1).0, &sample(1).1).unwrap();
        kept.retain(|name| *name != ".table.pdb.2.2.tmp");
        assert_eq!(names(folder.path()), kept);
    }

    #[test]
    fn own_temporaries_are_recognised() {
        for name in [NAME, "4x4-0-1.2.3.pdb", "1.2", "tmp"].map(OsStr::new) {
            assert!(is_temporary_of(name, &temporary_name(name)));
            assert_ne!(temporary_name(name), temporary_name(name));
        }
        assert!(!is_temporary_of(OsStr::new("a"), &temporary_name(OsStr::new("a.1"))));
    }

    /// Eight writers, whose every start looks for stale temporaries, two more threads that do
    /// nothing but remove them, and a reader.
    #[test]
    fn many_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let samples: Vec<_> = (0..8).map(sample).collect();
        publish(&path, &samples[0].0, &samples[0].1).unwrap();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        remove_stale(folder.path(), OsStr::new(NAME));
                    }
                });
            }
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let (header, map) = open(&path).unwrap();
                    assert!(header.matches(map.as_ref()));
                }
            });
            let writers: Vec<_> = samples
                .iter()
                .map(|(header, payload)| {
                    scope.spawn(|| (0..20).try_for_each(|_| publish(&path, header, payload)))
                })
                .collect();
            let results: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
            done.store(true, Ordering::Relaxed);
            for result in results {
                result.unwrap().unwrap();
            }
        });
        assert_eq!(names(folder.path()), [NAME]);
        let (header, map) = open(&path).unwrap();
        assert!(header.matches(map.as_ref()));
        assert!(samples.iter().any(|(sample, _)| *sample == header));
    }
}
