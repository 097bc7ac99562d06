//! Large blocks of zeroed memory.

use std::io;

use memmap2::MmapMut;

/// Zeroed memory for a table in the making, as words or as bytes.
///
/// On Linux it asks for huge pages: filling a table goes through hundreds of megabytes in no
/// particular order, and with pages of 4 KiB more than half of the time would go into page
/// faults and address translation.
#[derive(Debug)]
pub struct Buffer {
    memory: MmapMut,
    bytes: usize,
}

impl Buffer {
    /// Zeroed memory of this many bytes.
    ///
    /// # Errors
    /// Where the system has not that much to give.
    pub fn zeroed(bytes: usize) -> io::Result<Buffer> {
        // Whole words, and never none at all.
        let memory = MmapMut::map_anon(bytes.next_multiple_of(8).max(8))?;
        // Advice only: without huge pages, all that is lost is time.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Buffer { memory, bytes })
    }

    /// Zeroed memory of this many words.
    pub(crate) fn words(words: usize) -> io::Result<Buffer> {
        Buffer::zeroed(words.checked_mul(8).ok_or(io::ErrorKind::OutOfMemory)?)
    }

    pub(crate) fn as_words(&self) -> &[u64] {
        bytemuck::cast_slice(&self.memory)
    }

    pub(crate) fn as_words_mut(&mut self) -> &mut [u64] {
        bytemuck::cast_slice_mut(&mut self.memory)
    }

    pub(crate) fn as_bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[..self.bytes]
    }
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &self.memory[..self.bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zeroed_and_of_the_size_asked_for() {
        for bytes in [0, 1, 8, 4097] {
            let mut buffer = Buffer::zeroed(bytes).unwrap();
            assert_eq!(buffer.as_ref(), vec![0; bytes]);
            assert_eq!(buffer.as_words().len(), bytes.div_ceil(8).max(1));
            buffer.as_words_mut()[0] = u64::MAX;
            assert!(buffer.as_bytes_mut().iter().take(8).all(|&b| b == 0xff));
        }
        assert!(Buffer::words(usize::MAX).is_err());
        assert!(Buffer::zeroed(usize::MAX / 2).is_err());
    }
}
