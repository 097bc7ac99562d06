//! Replacing a file, whole or not at all.
//!
//! One rule decides which file that is, for every output of every program ([`Target`]):
//!
//! - Links are followed and stay. A link to a file that is not there yet has it made.
//! - A file keeps its permissions, and one that may not be written to is not replaced.
//! - Folders are refused, and so are pipes and devices: a rename would put a file in their place.
//!
//! The new file is written under a temporary name in the same folder, synced, and renamed. A killed process
//! does not remove its temporary file; the next call for the same file does. A lock shows whether a temporary
//! is stale: the system lifts it when its holder dies, whereas age and process number can mislead.
//!
//! 1. A temporary is created under a random name and locked.
//! 2. Only the holder of the lock renames or removes it.
//!
//! One gap remains, between creation and lock: there a temporary looks stale, and another process
//! may remove it. So its owner checks that it still exists once it has the lock, and makes another
//! if not. From then on it is safe.
//!
//! Where the file system has no locks, no temporary is ever taken for stale.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{self, Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use tempfile::{Builder, NamedTempFile};

use crate::memo::lock;

/// Writes a file as a whole or not at all, and replaces an old one.
///
/// `write` gets a temporary file in the same folder, open for writing. When it returns, the file is synced to
/// the disk and renamed to `path`, or to the file that `path` links to. Whatever happens before that, be it
/// an error, a panic, a full disk or the death of the process, that file is as it was before. Any number of
/// processes may replace the same file at once; the file of the last one stays.
///
/// The temporary is removed in case of an error or a panic. The temporaries of killed processes for this file
/// are removed first.
///
/// # Errors
/// Errors of `write` and of the file system; the path leads to a folder, a pipe or a device.
pub fn replace(path: &Path, write: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
    let replacement = Replacement::new(path)?;
    write(replacement.file())?;
    replacement.finish()
}

/// The end of a path's links.
#[derive(Debug)]
pub enum Target {
    /// A file, or the place of one that can be made.
    File(PathBuf),
    /// A pipe or a device.
    Stream,
}

impl Target {
    /// Follows a path.
    ///
    /// # Errors
    /// It leads to a folder, or cannot be followed.
    pub fn of(path: &Path) -> io::Result<Target> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => Ok(Target::Stream),
            Ok(_) if path.is_symlink() => fs::canonicalize(path).map(Target::File),
            Ok(_) => Ok(Target::File(path.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // No file can be made under such a name.
                if path.as_os_str().as_encoded_bytes().last().is_some_and(is_separator) {
                    return Err(io::ErrorKind::IsADirectory.into());
                }
                let mut path = path.to_owned();
                while let Ok(next) = fs::read_link(&path) {
                    path = folder(&path).join(next);
                }
                Ok(Target::File(path))
            }
            Err(error) => Err(error),
        }
    }

    /// The file.
    ///
    /// # Errors
    /// It is a pipe or a device.
    pub fn file(self) -> io::Result<PathBuf> {
        match self {
            Target::File(path) => Ok(path),
            Target::Stream => Err(io::Error::other("not a regular file")),
        }
    }
}

/// The temporaries of this process. Held while one is created, renamed or removed.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    lock(&TEMPORARIES)
}

/// Removes the temporary files of this process, for a program that is about to be ended by a
/// signal.
///
/// From then on [`replace`] and [`publish`](super::publish) wait forever.
pub fn abandon() {
    let temporaries = temporaries();
    for path in temporaries.iter() {
        // The program ends anyway; the next call for this file tries again.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(temporaries);
}

/// A temporary file that [`replace`] writes, for a program that writes it bit by bit.
///
/// It is locked, and removed when it is dropped, unless it was renamed.
#[derive(Debug)]
pub struct Replacement {
    /// The file to be replaced.
    target: PathBuf,
    temporary: NamedTempFile,
}

impl Replacement {
    /// Creates a temporary file in the folder of the one that `path` leads to.
    ///
    /// # Errors
    /// As [`replace`].
    pub fn new(path: &Path) -> io::Result<Replacement> {
        let target = Target::of(path)?.file()?;
        // Opened without truncation: a file that may not be written to is not replaced either.
        let old = match OpenOptions::new().write(true).open(&target) {
            Ok(old) => Some(old.metadata()?.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        remove_stale(folder(&target), name);
        let prefix = prefix(name);
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(12);
        // The permissions of any new file; a temporary of the crate `tempfile` is for its owner alone.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        loop {
            let mut temporaries = temporaries();
            let temporary = builder.tempfile_in(folder(&target)).map_err(|error| {
                // `tempfile` adds the path of the temporary, which says nothing to a user.
                let message = error.to_string();
                io::Error::new(error.kind(), message.split(" at path ").next().unwrap_or_default())
            })?;
            temporaries.push(temporary.path().to_owned());
            drop(temporaries);
            let replacement = Replacement { target: target.clone(), temporary };
            // Where locks fail, they fail for every process: none takes this for stale.
            let _ = replacement.file().lock();
            if fs::exists(replacement.temporary.path())? {
                old.map_or(Ok(()), |old| replacement.file().set_permissions(old))?;
                return Ok(replacement);
            }
        }
    }

    /// The temporary file, open for reading and writing.
    pub fn file(&self) -> &File {
        self.temporary.as_file()
    }

    /// Syncs the file to the disk and puts it in its place.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn finish(self) -> io::Result<()> {
        self.file().sync_all()?;
        let Replacement { target, temporary } = self;
        let mut temporaries = temporaries();
        temporaries.retain(|path| path != temporary.path());
        temporary.persist(&target)?;
        drop(temporaries);
        // Without this a power failure may bring the old file back. Some file systems cannot sync
        // a folder. As the new file is in its place already, that is not an error.
        #[cfg(unix)]
        let _ = File::open(folder(&target)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

fn is_separator(byte: &u8) -> bool {
    path::is_separator(char::from(*byte))
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// The end of the name of a temporary.
const SUFFIX: &str = ".tmp";

/// The beginning of the name of a temporary of the file `name`. A random word follows.
fn prefix(name: &OsStr) -> OsString {
    [OsStr::new("."), name, OsStr::new(".")].into_iter().collect()
}

/// Returns whether `file` is a temporary name of the file `name`.
fn is_temporary_of(name: &OsStr, file: &OsStr) -> bool {
    let file = file.as_encoded_bytes();
    let word = file.strip_prefix(prefix(name).as_encoded_bytes());
    let word = word.and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
    word.is_some_and(|word| !word.is_empty() && word.iter().all(u8::is_ascii_alphanumeric))
}

/// Removes the temporaries of the file `name` that killed processes did not remove. One that cannot be
/// listed, opened or removed stays: it only takes space on the disk.
pub(super) fn remove_stale(folder: &Path, name: &OsStr) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        // Neither links nor pipes: opening a pipe would block.
        let regular = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !regular || !is_temporary_of(name, &entry.file_name()) {
            continue;
        }
        // Open for writing, as some network file systems lock only such files exclusively.
        let Ok(file) = OpenOptions::new().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            // If its owner has renamed it since it was listed, this removes nothing, as no other file
            // gets the same random name.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
#[cfg(not(miri))]
pub(super) mod tests {
    use std::io::Write;
    use std::thread;

    use super::*;

    pub const NAME: &str = "table.pdb";

    /// The files of a folder.
    pub fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn write(path: &Path, text: &str) -> io::Result<()> {
        replace(path, |mut file| file.write_all(text.as_bytes()))
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        for text in ["the first", "a longer one", ""] {
            write(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        write(&path, "the last").unwrap();
        let failed = replace(&path, |mut file| {
            file.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read_to_string(&path).unwrap(), "the last");
        assert_eq!(names(folder.path()), [NAME]);
    }

    #[test]
    fn a_panic_leaves_no_temporary() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let panic = thread::scope(|scope| {
            scope.spawn(|| replace(&path, |_| panic!("within the writer"))).join()
        });
        assert!(panic.is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn only_stale_temporaries_of_the_same_file_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str| File::create(folder.path().join(name)).unwrap();
        for stale in [".table.pdb.1.tmp", ".table.pdb.4xYz0123abcd.tmp"] {
            make(stale);
        }
        let live = make(".table.pdb.2b.tmp");
        live.lock().unwrap();
        let mut kept = vec![
            ".other.pdb.1.tmp",
            ".table.pdb..tmp",
            ".table.pdb.1.x.tmp",
            ".table.pdb.1.tmp.old",
            "table.pdb.1.tmp",
        ];
        for name in &kept {
            make(name);
        }
        fs::create_dir(folder.path().join(".table.pdb.3c.tmp")).unwrap();
        kept.extend([".table.pdb.2b.tmp", ".table.pdb.3c.tmp", NAME]);
        #[cfg(unix)]
        {
            let link = ".table.pdb.4d.tmp";
            let target = folder.path().join(kept[0]);
            std::os::unix::fs::symlink(target, folder.path().join(link)).unwrap();
            kept.push(link);
        }
        kept.sort();

        let path = folder.path().join(NAME);
        write(&path, "new").unwrap();
        assert_eq!(names(folder.path()), kept);

        drop(live);
        write(&path, "new").unwrap();
        kept.retain(|name| *name != ".table.pdb.2b.tmp");
        assert_eq!(names(folder.path()), kept);
    }

    #[test]
    fn own_temporaries_are_recognised() {
        let folder = tempfile::tempdir().unwrap();
        for name in [NAME, "4x4-0-1.2.3.pdb", "1.2", "tmp"] {
            let replacement = Replacement::new(&folder.path().join(name)).unwrap();
            let own = names(folder.path()).remove(0);
            assert!(is_temporary_of(OsStr::new(name), OsStr::new(&own)), "{own}");
            assert!(!is_temporary_of(OsStr::new("1"), OsStr::new(&own)), "{own}");
            drop(replacement);
            assert!(names(folder.path()).is_empty());
        }
    }
}
