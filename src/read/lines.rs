//! Text from files and streams.

use std::io::{self, BufRead};

use super::Lines;

/// The longest line of boards that is read. The largest board needs about a kilobyte.
pub const MAX_LINE: usize = 64 << 10;

/// A longer line ends the reading: a device such as `/dev/zero` has no line ends.
const MAX_SKIPPED: u64 = 1 << 30;

/// Why a line, or a whole text, cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineFault {
    /// A line is too long.
    #[error("the line is longer than {} KiB: write each board on a line of its own", .0 >> 10)]
    TooLong(usize),
    /// No line ends.
    #[error("no line ends for {} MiB: the rest is not read", MAX_SKIPPED >> 20)]
    Endless,
    /// The text is UTF-16.
    #[error("the text is UTF-16: save it as UTF-8")]
    Utf16,
    /// The text is not UTF-8 from this byte on, counted from 1.
    #[error("the text is not UTF-8 from byte {0} on: save it as UTF-8")]
    NotUtf8(usize),
    /// The operating system reports an error.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
}

/// Reads a text from bytes.
///
/// # Errors
/// [`LineFault`] if it is not UTF-8.
pub fn text(bytes: Vec<u8>) -> Result<String, LineFault> {
    if [&[0xff, 0xfe][..], &[0xfe, 0xff]].iter().any(|mark| bytes.starts_with(mark)) {
        return Err(LineFault::Utf16);
    }
    let text = String::from_utf8(bytes);
    text.map_err(|error| LineFault::NotUtf8(error.utf8_error().valid_up_to() + 1))
}

/// The lines of a reader. Only the beginning of a line that is too long is held in memory.
pub struct LinesOf<R> {
    reader: R,
    longest: usize,
    /// A line has been read.
    has_begun: bool,
    /// The reader has ended or failed.
    is_done: bool,
}

impl<R: BufRead> LinesOf<R> {
    /// The lines of this reader, of which the longest may have this many bytes.
    pub fn new(reader: R, longest: usize) -> LinesOf<R> {
        LinesOf { reader, longest, has_begun: false, is_done: false }
    }

    fn line(&mut self) -> Result<Option<String>, LineFault> {
        let mut bytes = Vec::new();
        let most = self.longest as u64 + 1;
        if io::Read::take(&mut self.reader, most).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        if bytes.len() > self.longest && !bytes.ends_with(b"\n") {
            let rest = io::Read::take(&mut self.reader, MAX_SKIPPED).skip_until(b'\n')?;
            return Err(match rest as u64 {
                MAX_SKIPPED => LineFault::Endless,
                _ => LineFault::TooLong(self.longest),
            });
        }
        let end = bytes.len() - usize::from(bytes.ends_with(b"\n"));
        bytes.truncate(end - usize::from(bytes[..end].ends_with(b"\r")));
        // The rest of a binary file would be nonsense.
        let is_binary = bytes.contains(&0);
        let text = match text(bytes) {
            Err(LineFault::Utf16) if self.has_begun => Err(LineFault::NotUtf8(1)),
            text => text,
        };
        self.is_done = is_binary && text.is_err();
        text.map(Some)
    }
}

impl<R: BufRead> Lines for LinesOf<R> {
    fn next_line(&mut self) -> Option<Result<String, LineFault>> {
        if self.is_done {
            return None;
        }
        let line = self.line().transpose();
        // A reader that failed fails again.
        let goes_on =
            matches!(line, Some(Ok(_) | Err(LineFault::TooLong(_) | LineFault::NotUtf8(_))));
        self.is_done |= !goes_on;
        self.has_begun = true;
        line
    }
}
