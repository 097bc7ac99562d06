//! Stamps: records of files whose payload was found sound.
//!
//! 1. A stamp is a small file in the user's cache folder. Only that user can write it, it is not
//!    copied along with a table, and read-only folders of databases need none.
//! 2. It holds for one file as the system knows it: device, inode, length, and the times of its
//!    last change. Users can set one of these times (mtime), but not the other (ctime). So a copy,
//!    a replacement and a changed bit each make it void.
//! 3. It holds for a day. A disk that loses a bit changes no time.
//! 4. It is not written for a file that was changed seconds ago: clocks tick coarsely, and a file
//!    changed again within the tick would look the same.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::locate;

/// The stamp that a sound file has, or would have.
#[derive(Debug)]
pub(super) struct Stamp {
    /// The path of the stamp.
    path: PathBuf,
    text: String,
    /// The last change of the file.
    changed: SystemTime,
}

/// The time for which a stamp holds.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// The clock of a file system ticks more often than this.
const TICK: Duration = Duration::from_secs(2);

impl Stamp {
    /// The stamp of a file whose payload has this hash; `None` where there is no place for stamps.
    pub(super) fn of(file: &Metadata, hash: u64) -> Option<Stamp> {
        Stamp::new(&locate::cache()?.join("sound"), file, hash)
    }

    #[cfg(unix)]
    fn new(folder: &Path, file: &Metadata, hash: u64) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt;
        let at = |seconds: i64, nanoseconds: i64| format!("{seconds}.{nanoseconds:09}");
        let (device, inode, size) = (file.dev(), file.ino(), file.len());
        let written = at(file.mtime(), file.mtime_nsec());
        let moved = at(file.ctime(), file.ctime_nsec());
        let changed = Duration::new(
            file.ctime().max(file.mtime()).try_into().ok()?,
            file.ctime_nsec().max(file.mtime_nsec()).try_into().ok()?,
        );
        Some(Stamp {
            path: folder.join(format!("{device:x}-{inode:x}")),
            text: format!(
                "taquin 1: device {device}, inode {inode}, {size} bytes, modified {written}, changed {moved}, checksum {hash:016x}\n"
            ),
            changed: SystemTime::UNIX_EPOCH + changed,
        })
    }

    /// Other systems do not say enough about a file.
    #[cfg(not(unix))]
    fn new(_: &Path, _: &Metadata, _: u64) -> Option<Stamp> {
        None
    }

    /// Returns whether the file was found sound within the last day.
    pub(super) fn holds(&self) -> bool {
        let age = |path| fs::metadata(path).and_then(|stamp| stamp.modified()).map(|m| m.elapsed());
        // A stamp from the future does not count.
        matches!(age(&self.path), Ok(Ok(age)) if age < KEPT)
            && fs::read(&self.path).is_ok_and(|text| text == self.text.as_bytes())
    }

    /// Remembers that the file was found sound, unless it changed in the last seconds. A failure to write the
    /// stamp is ignored.
    pub(super) fn write(&self, file: &Path) {
        let same = || {
            // The path may name another file by now than the one that was opened.
            let now = fs::metadata(file).ok()?;
            Stamp::new(self.path.parent()?, &now, 0).map(|stamp| stamp.changed == self.changed)
        };
        let old = self.changed.elapsed().is_ok_and(|age| age > TICK);
        if old && same() == Some(true) {
            let Some(folder) = self.path.parent() else { return };
            let _ = fs::create_dir_all(folder);
            remove_old(folder);
            // One that is half written does not hold.
            let _ = fs::write(&self.path, &self.text);
        }
    }
}

/// Removes the stamps that no longer hold.
fn remove_old(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|stamp| stamp.modified());
        if modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age >= KEPT)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn sound(folder: &Path, path: &Path) -> Stamp {
        Stamp::new(folder, &fs::metadata(path).unwrap(), 7).unwrap()
    }

    /// A stamp as if nobody had touched the file for a while.
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
        // Another checksum belongs to another header.
        let stamp = written(&folder, &path);
        assert!(stamp.holds());
        let other = Stamp::new(&folder, &fs::metadata(&path).unwrap(), 8).unwrap();
        assert!(!other.holds());
        // Damaged, from the future, or old.
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
    fn a_file_that_was_just_changed_gets_no_stamp() {
        let place = tempfile::tempdir().unwrap();
        let (path, folder) = (place.path().join("table"), place.path().join("cache"));
        fs::write(&path, b"sound").unwrap();
        let stamp = sound(&folder, &path);
        stamp.write(&path);
        assert!(!folder.exists());
        // Stamps that no longer hold are removed, others stay.
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
        // Nor does a file that has been replaced.
        let stamp = Stamp { changed: SystemTime::UNIX_EPOCH, ..stamp };
        stamp.write(&path);
        assert!(!folder.exists());
    }
}
