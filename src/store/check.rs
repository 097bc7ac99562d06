//! Checks that the payload of a file is the one its header describes.
//!
//! A search reads only a thousandth of a table, so a damaged one can give a wrong answer without any sign. No
//! answer that rests on a file may therefore be given before the whole file was hashed. A separate thread
//! computes the hash while the search runs. Hashing 196 MB takes 10 to 40 ms, longer than most searches, so a
//! [stamp](super::stamp) records a file that was found sound.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use super::stamp::Stamp;
use crate::memo::Once;
use crate::pdb::{Bytes, OpenError, OpenErrorKind, TableFile};

/// A file whose payload is in use.
#[derive(Debug)]
pub(super) struct File {
    pub table: TableFile,
    /// The bytes that look-ups read: the map of the file, or a copy of it.
    pub bytes: Bytes,
    pub sound: Once<bool>,
}

impl File {
    /// Returns whether a check has shown that the file is damaged.
    pub fn is_damaged(&self) -> bool {
        self.sound.get() == Some(false)
    }

    /// Returns whether somebody has written to the file, so that look-ups may read other bytes than the
    /// hashed ones.
    pub fn is_changed(&self) -> bool {
        self.bytes.as_slice().is_none() && !self.table.is_unchanged()
    }

    fn stamp(&self) -> Option<Stamp> {
        Stamp::of(self.table.metadata(), self.table.header.payload_hash)
    }

    /// Returns whether a thread has yet to hash it.
    fn is_new(&self) -> bool {
        if self.sound.get().is_none() && self.stamp().is_some_and(|stamp| stamp.holds()) {
            self.sound.keep(true);
        }
        self.sound.get().is_none()
    }

    /// Returns whether the payload has its hash. The first caller takes it, the others wait.
    fn is_sound(&self) -> bool {
        let Ok(sound) = self.sound.get_or_make::<Infallible>(
            || Ok(true),
            || {
                let sound = self.bytes.hash() == self.table.header.payload_hash;
                if sound && let Some(stamp) = self.stamp() {
                    stamp.write(&self.table.path);
                }
                Ok(sound)
            },
        );
        sound
    }
}

/// The check of the files that some tables come from. Clones are of the same check.
///
/// A file is hashed once for all checks of a [`Store`](super::Store), in the background.
#[derive(Clone, Debug, Default)]
pub struct Check {
    files: Vec<Arc<File>>,
}

impl Check {
    /// Begins to check files, in a separate thread where one can be started.
    pub(super) fn begin(files: Vec<Arc<File>>) -> Check {
        let new: Vec<_> = files.iter().filter(|file| file.is_new()).cloned().collect();
        if !new.is_empty() {
            let work = move || new.iter().all(|file| file.is_sound());
            // Without a thread, the first caller that waits does the work.
            let _ = thread::Builder::new().spawn(work);
        }
        Check { files }
    }

    /// Waits until all files are hashed. An answer that rests on the tables may be given only if this
    /// succeeds after its last look-up.
    ///
    /// # Errors
    /// [`OpenError`] with the first file that is damaged, or that is mapped and that somebody has written to.
    pub fn wait(&self) -> Result<(), OpenError> {
        for file in &self.files {
            if !file.is_sound() {
                return Err(OpenErrorKind::Payload.of(&file.table.path));
            }
            if file.is_changed() {
                return Err(OpenErrorKind::Changed.of(&file.table.path));
            }
        }
        Ok(())
    }

    /// Returns whether a file is known to be damaged by now.
    pub(crate) fn failed(&self) -> bool {
        self.files.iter().any(|file| file.is_damaged())
    }

    /// The files; none where all tables were built in memory.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|file| &*file.table.path)
    }

    /// The origin of the tables, for messages: the files, separated by "or".
    pub fn origin(&self) -> String {
        let files: Vec<_> = self.files().map(|file| file.display().to_string()).collect();
        if files.is_empty() { "tables built in memory".to_owned() } else { files.join(" or ") }
    }

    /// Adds the files of another check.
    pub(crate) fn join(&mut self, other: &Check) {
        for file in &other.files {
            if !self.files.iter().any(|known| Arc::ptr_eq(known, file)) {
                self.files.push(file.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Metric;
    use crate::pdb::{Header, Pattern, open, publish};

    #[test]
    fn without_a_thread_the_first_who_waits_hashes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.pdb");
        let pattern = Pattern::new(crate::board::Grid::new(3, 2).unwrap(), 0, [1]).unwrap();
        for damage in [0, 1] {
            let payload_hash = crate::pdb::payload_hash(&[0; 8]);
            let metric = Metric::Single;
            let header =
                Header { metric, pattern, cohorts: 6, orders: 1, levels: vec![6], payload_hash };
            publish(&path, &header, &[0; 8]).unwrap();
            let mut bytes = std::fs::read(&path).unwrap();
            *bytes.last_mut().unwrap() = damage;
            std::fs::write(&path, bytes).unwrap();
            let opened = open(&path).unwrap();
            let bytes = opened.map().unwrap();
            let file = Arc::new(File { table: opened, bytes, sound: Once::default() });
            let check = Check { files: vec![file.clone()] };
            assert_eq!(check.wait().is_ok(), damage == 0);
            assert_eq!(file.is_damaged(), damage == 1);
        }
    }
}
