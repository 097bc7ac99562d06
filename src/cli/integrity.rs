//! Whether the payload of a file is the one its header describes.
//!
//! A search reads a thousandth of a table, so a damaged one can give a wrong answer without a
//! sign. Therefore no answer that rests on a file is given before all of that file was hashed, but
//! the hash is taken in a thread of its own, while the search runs. To hash 196 MB takes some 10 to
//! 40 ms, more than most searches; so a file found sound is remembered by a *stamp*:
//!
//! 1. The stamp is a small file in the user's cache folder. Nobody else can write it, it is not
//!    copied along with a table, and folders that are read-only need none.
//! 2. It holds for one file as the system knows it: device, inode, length, and the times of its
//!    last change, of which users can set one (mtime), but not the other (ctime). So a copy, a
//!    replacement and a changed bit each make it void.
//! 3. It holds for a day. A disk that loses a bit changes no time.
//! 4. It is not written for a file that was changed seconds ago: clocks tick coarsely, and a file
//!    changed again within the tick would look the same.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use super::{folder, threads};
use crate::pdb::{Header, Map, OpenError};

/// A file whose payload is to be checked.
pub(super) struct File {
    pub path: PathBuf,
    pub header: Header,
    pub map: Arc<Map>,
}

/// The check of some files, which is made once.
pub(super) struct Check {
    files: Vec<File>,
    /// The first file that is damaged.
    damaged: OnceLock<Option<PathBuf>>,
}

impl Check {
    /// Begins to check files, in a thread of its own if there can be one.
    pub fn begin(files: Vec<File>) -> Arc<Check> {
        let check = Arc::new(Check { files, damaged: OnceLock::new() });
        if !check.files.iter().all(|file| stamp(file).is_some_and(|stamp| stamp.holds())) {
            // Else whoever waits first does it.
            let _ = threads::hand(check.clone(), |check| drop(check.wait()));
        } else {
            let _ = check.damaged.set(None);
        }
        check
    }

    /// Waits for the end of the check.
    ///
    /// # Errors
    /// [`OpenError::Payload`] where a file is damaged.
    pub fn wait(&self) -> Result<(), OpenError> {
        let damaged = self.damaged.get_or_init(|| {
            self.files.iter().find(|file| !is_sound(file)).map(|file| file.path.clone())
        });
        damaged.as_ref().map_or(Ok(()), |path| Err(OpenError::Payload { path: path.clone() }))
    }
}

fn is_sound(file: &File) -> bool {
    let stamp = stamp(file);
    if stamp.as_ref().is_some_and(Stamp::holds) {
        return true;
    }
    let sound = file.header.matches(file.map.as_ref().as_ref());
    if sound && let Some(stamp) = stamp {
        stamp.write(&file.path);
    }
    sound
}

/// What a file is remembered by.
#[derive(Debug)]
struct Stamp {
    /// The stamp's own place.
    path: PathBuf,
    text: String,
    /// The last change of the file.
    changed: SystemTime,
}

/// As long as this a file is taken for sound.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// The clock of a file system ticks more often than this.
const TICK: Duration = Duration::from_secs(2);

/// The stamp that a file would have; `None` where there is no place for stamps.
fn stamp(file: &File) -> Option<Stamp> {
    let folder = folder::cache()?.join("sound");
    Stamp::new(&folder, file.map.metadata(), file.header.payload_hash)
}

impl Stamp {
    #[cfg(unix)]
    fn new(folder: &Path, file: &Metadata, hash: u64) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt;
        let (device, inode) = (file.dev(), file.ino());
        let changed = Duration::new(
            file.ctime().max(file.mtime()).try_into().ok()?,
            file.ctime_nsec().max(file.mtime_nsec()).try_into().ok()?,
        );
        Some(Stamp {
            path: folder.join(format!("{device:x}-{inode:x}")),
            text: format!(
                "taquin 1: device {device}, inode {inode}, {} bytes, modified {}.{:09}, changed {}.{:09}, checksum {hash:016x}\n",
                file.len(),
                file.mtime(),
                file.mtime_nsec(),
                file.ctime(),
                file.ctime_nsec(),
            ),
            changed: SystemTime::UNIX_EPOCH + changed,
        })
    }

    /// Elsewhere the system does not tell enough of a file.
    #[cfg(not(unix))]
    fn new(_: &Path, _: &Metadata, _: u64) -> Option<Stamp> {
        None
    }

    fn holds(&self) -> bool {
        let age = |path| fs::metadata(path).and_then(|stamp| stamp.modified()).map(|m| m.elapsed());
        // A stamp of the future is none.
        matches!(age(&self.path), Ok(Ok(age)) if age < KEPT)
            && fs::read(&self.path).is_ok_and(|text| text == self.text.as_bytes())
    }

    /// Remembers that the file was found sound, if it has not been changed of late. A stamp that
    /// cannot be written is none.
    fn write(&self, file: &Path) {
        let same = || {
            // What is at the path now, for the map knows only the file that was opened.
            let now = fs::metadata(file).ok()?;
            Stamp::new(self.path.parent()?, &now, 0).map(|stamp| stamp.changed == self.changed)
        };
        let old = self.changed.elapsed().is_ok_and(|age| age > TICK);
        if old && same() == Some(true) {
            let temporary = self.path.with_extension(std::process::id().to_string());
            let Some(folder) = self.path.parent() else { return };
            let _ = fs::create_dir_all(folder);
            remove_old(folder);
            let _ = fs::write(&temporary, &self.text)
                .and_then(|()| fs::rename(&temporary, &self.path))
                .inspect_err(|_| drop(fs::remove_file(&temporary)));
        }
    }
}

/// Removes the stamps that hold no more.
fn remove_old(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|stamp| stamp.modified());
        if modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age >= KEPT)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sound(folder: &Path, path: &Path) -> Stamp {
        Stamp::new(folder, &fs::metadata(path).unwrap(), 7).unwrap()
    }

    /// As if a file had been left alone for a while.
    fn written(folder: &Path, path: &Path) -> Stamp {
        let mut stamp = sound(folder, path);
        fs::create_dir_all(folder).unwrap();
        fs::write(&stamp.path, &stamp.text).unwrap();
        stamp.changed -= 2 * TICK;
        stamp
    }

    #[test]
    fn a_stamp_holds_for_one_state_of_one_file() {
        let place = tempfile::tempdir().unwrap();
        let (path, folder) = (place.path().join("table"), place.path().join("cache"));
        fs::write(&path, b"sound").unwrap();
        assert!(!sound(&folder, &path).holds());
        written(&folder, &path);
        assert!(sound(&folder, &path).holds());
        let copy = place.path().join("copy");
        fs::copy(&path, &copy).unwrap();
        assert!(!sound(&folder, &copy).holds());
        // The same bytes count at another time, and the times that users can set do not count.
        let times = fs::metadata(&path).unwrap().modified().unwrap();
        std::thread::sleep(Duration::from_millis(20));
        fs::write(&path, b"souna").unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(times).unwrap();
        assert!(!sound(&folder, &path).holds());
        // Another checksum is another header's.
        let stamp = written(&folder, &path);
        assert!(stamp.holds());
        let other = Stamp::new(&folder, &fs::metadata(&path).unwrap(), 8).unwrap();
        assert!(!other.holds());
        // Damaged, of the future, or old.
        fs::write(&stamp.path, &stamp.text[1..]).unwrap();
        assert!(!stamp.holds());
        fs::write(&stamp.path, &stamp.text).unwrap();
        let file = fs::File::options().write(true).open(&stamp.path).unwrap();
        for (time, holds) in [
            (SystemTime::now() + KEPT, false),
            (SystemTime::now() - KEPT, false),
            (SystemTime::now() - KEPT / 2, true),
        ] {
            file.set_modified(time).unwrap();
            assert_eq!(stamp.holds(), holds);
        }
    }

    #[test]
    fn what_was_just_changed_gets_no_stamp() {
        let place = tempfile::tempdir().unwrap();
        let (path, folder) = (place.path().join("table"), place.path().join("cache"));
        fs::write(&path, b"sound").unwrap();
        let stamp = sound(&folder, &path);
        stamp.write(&path);
        assert!(!folder.exists());
        // Those that hold no more are removed, others not.
        written(&folder, &path);
        let old = folder.join("old");
        fs::write(&old, "").unwrap();
        remove_old(&folder);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        let file = fs::File::options().write(true).open(&old).unwrap();
        file.set_modified(SystemTime::now() - KEPT).unwrap();
        remove_old(&folder);
        assert!(!old.exists() && sound(&folder, &path).holds());
        fs::remove_dir_all(&folder).unwrap();
        // Nor what is not the same file any more.
        let stamp = Stamp { changed: SystemTime::UNIX_EPOCH, ..stamp };
        stamp.write(&path);
        assert!(!folder.exists());
    }
}
