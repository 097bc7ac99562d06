//! Writing a database file.

use std::io::{self, Write};
use std::path::Path;

use super::format::{HEADER_BYTES, Header};
use super::replace::replace;

/// Writes a database file as a whole or not at all, and replaces an old one.
///
/// Until the new file is complete the path names the old one: see [`replace`]. Any number of
/// processes may publish the same file at once; the last one's file stays.
///
/// # Errors
/// Errors of the file system. The path is as it was before, and no temporary file remains.
///
/// # Panics
/// When `payload` is not the one that `header` describes, or when the header contradicts itself.
pub fn publish(path: &Path, header: &Header, payload: &[u8]) -> io::Result<()> {
    assert!(header.matches(payload), "the payload is not the header's");
    replace(path, |file| write_file(file, header, payload))
}

/// Writes the bytes of the file, to the file itself or to the faulty writer of a test.
fn write_file(mut out: impl Write, header: &Header, payload: &[u8]) -> io::Result<()> {
    out.write_all(&header.encode())?;
    // Linux keeps bytes that are written at once in one piece of memory as far as it can. Where a piece is
    // just a huge page, so is its mapping. Larger pieces than that are mapped page by page, and a search
    // spends a fifth of its time on finding pages.
    let (first, rest) = payload.split_at(payload.len().min(HUGE_PAGE - HEADER_BYTES));
    out.write_all(first)?;
    rest.chunks(HUGE_PAGE).try_for_each(|chunk| out.write_all(chunk))
}

/// The bytes of a huge page, on most machines.
const HUGE_PAGE: usize = 2 << 20;

#[cfg(test)]
#[cfg(not(miri))]
mod tests {
    use std::ffi::OsStr;
    use std::fs;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::super::format::sample;
    use super::super::replace::remove_stale;
    use super::super::replace::tests::{NAME, names};
    use super::*;
    use crate::pdb::file::read;

    /// replace.rs tests that the old file stays then.
    #[test]
    fn a_full_disk_is_an_error_wherever_it_is_full() {
        let (header, payload) = sample(2);
        let whole = header.file_bytes() as usize;
        for room in [0, 1, 100, 4095, 4096, 4097, whole / 2, whole - 1, whole] {
            let mut disk = vec![0; room];
            let written = write_file(&mut disk[..], &header, &payload);
            assert_eq!(written.is_ok(), room == whole, "{room}");
            assert!(room < whole || disk == [&header.encode()[..], &payload].concat());
        }
    }

    #[test]
    #[should_panic(expected = "not the header's")]
    fn another_payload_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let _ = publish(&folder.path().join(NAME), &sample(1).0, &sample(2).1);
    }

    #[test]
    fn a_place_that_is_taken_leaves_no_temporary() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        fs::create_dir(&path).unwrap();
        let (header, payload) = sample(1);
        assert!(publish(&path, &header, &payload).is_err());
        assert_eq!(names(folder.path()), [NAME]);

        assert!(publish(&folder.path().join("no/table.pdb"), &header, &payload).is_err());
        assert!(publish(Path::new(".."), &header, &payload).is_err());
    }

    /// Eight writers, which look for stale temporaries at every start, two more threads that only
    /// remove them, and a reader.
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
                    let (header, payload) = read(&path).unwrap();
                    assert!(header.matches(payload.as_ref()));
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
        let (header, payload) = read(&path).unwrap();
        assert!(header.matches(payload.as_ref()));
        assert!(samples.iter().any(|(sample, _)| *sample == header));
    }
}
