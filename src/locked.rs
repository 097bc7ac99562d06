//! Files that one user at a time may have: checkpoints.
//!
//! The lock is the system's, on the file itself, and ends with the process that holds it. A new
//! file is locked before it takes the place of the old one, so that the name is never free between.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::memo::process;
use crate::pdb::{Replacement, Target};

/// A file that is locked until this is dropped.
#[derive(Debug)]
pub struct Locked {
    path: PathBuf,
    file: File,
    /// Nobody has written to it yet, and it was not there before.
    new: bool,
    /// The process that holds the lock. A child that is forked from it inherits the open file.
    home: u32,
}

impl Locked {
    /// Opens or makes a file, where the links of a path lead to.
    ///
    /// # Errors
    /// The file cannot be opened for reading and writing. The kind is
    /// [`ResourceBusy`](io::ErrorKind::ResourceBusy) if somebody else has locked it.
    pub fn open(path: &Path) -> io::Result<Locked> {
        let path = Target::of(path)?.file()?;
        loop {
            // If another one makes it just now, it is not empty by the time that this one has it.
            let new = !fs::exists(&path)?;
            let mut options = OpenOptions::new();
            let file = options.read(true).write(true).create(true).truncate(false).open(&path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::ResourceBusy.into()),
                // Some file systems have no locks.
                Err(TryLockError::Error(_)) | Ok(()) => {}
            }
            // Its last holder may have replaced or removed it just before.
            if is_at(&file, &path) {
                return Ok(Locked { path, file, new, home: process() });
            }
        }
    }

    /// The file, open for reading and writing.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Returns whether it holds nothing.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn is_empty(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() == 0)
    }

    /// Replaces the file, whole or not at all. The new one is locked.
    ///
    /// # Errors
    /// Errors of `write` and of the file system.
    pub fn replace(&mut self, write: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
        let replacement = Replacement::new(&self.path)?;
        write(replacement.file())?;
        let file = replacement.file().try_clone()?;
        replacement.finish()?;
        (self.file, self.new) = (file, false);
        Ok(())
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        if self.home != process() {
            return;
        }
        // Made for nothing. A destructor cannot return an error.
        if self.new && self.is_empty().unwrap_or(false) {
            let _ = fs::remove_file(&self.path);
        }
        // To close the file would keep the lock as long as a child has it open.
        let _ = self.file.unlock();
    }
}

/// Returns whether a path names an open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let [open, named] = [file.metadata(), fs::metadata(path)];
    let place = |file: fs::Metadata| (file.dev(), file.ino());
    open.ok().map(place) == named.ok().map(place)
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
#[cfg(not(miri))]
mod tests {
    use std::io::Write;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;

    fn remove(mut locked: Locked) {
        locked.new = false;
        fs::remove_file(&locked.path).unwrap();
    }

    #[test]
    fn one_user_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let is_busy = || {
            let error = Locked::open(&path).err().map(|error| error.kind());
            error == Some(io::ErrorKind::ResourceBusy)
        };
        let mut locked = Locked::open(&path).unwrap();
        assert!(is_busy());
        // The lock passes to the file that replaces the old one.
        for text in ["one", "two"] {
            locked.replace(|mut file| file.write_all(text.as_bytes())).unwrap();
            assert!(is_busy());
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        drop(locked);
        assert!(!is_busy());
        // A file that nobody wrote to is removed, unless it was there before.
        let other = folder.path().join("other");
        drop(Locked::open(&other).unwrap());
        assert!(!other.exists());
        fs::write(&other, "").unwrap();
        drop(Locked::open(&other).unwrap());
        assert!(other.exists());
        remove(Locked::open(&path).unwrap());
        assert!(!path.exists());
    }

    #[test]
    fn an_inherited_file_is_not_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let locked = Locked::open(&path).unwrap();
        let inherited = locked.file().try_clone().unwrap();
        drop(locked);
        assert!(Locked::open(&path).is_ok());
        drop(inherited);
    }

    /// Threads that replace a file as often as they get it, and remove it now and then.
    #[test]
    fn nobody_holds_what_another_has() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let (holders, held) = (AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while held.load(Ordering::Relaxed) < 300 {
                        let Ok(mut locked) = Locked::open(&path) else { continue };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        let round = held.fetch_add(1, Ordering::Relaxed);
                        locked.replace(|mut file| file.write_all(b"text")).unwrap();
                        assert_eq!(holders.fetch_sub(1, Ordering::SeqCst), 1);
                        if round % 3 == 0 {
                            remove(locked);
                        }
                    }
                });
            }
        });
    }
}
