//! Large blocks of zeroed memory.

use std::io;

/// The memory of a [`Buffer`]: an anonymous memory map where the system has them.
#[cfg(all(any(unix, windows), not(miri)))]
type Memory = memmap2::MmapMut;

/// The memory of a [`Buffer`]: WebAssembly and Miri have no memory maps.
#[cfg(not(all(any(unix, windows), not(miri))))]
type Memory = Vec<u64>;

/// A block of memory for a table, seen as words or as bytes. It is zeroed when it is made.
///
/// On Linux it asks for huge pages. Filling a table goes through hundreds of megabytes in no
/// particular order, and with pages of 4 KiB more than half of the time would go into page
/// faults and address translation.
pub struct Buffer {
    memory: Memory,
    bytes: usize,
}

impl Buffer {
    /// Allocates `bytes` bytes of zeroed memory.
    ///
    /// # Errors
    /// When the system cannot provide that much memory.
    pub fn zeroed(bytes: usize) -> io::Result<Buffer> {
        // Whole words, at least one: a memory map cannot be empty.
        let words = bytes.div_ceil(8).max(1);
        // No object is larger than `isize::MAX` bytes.
        let whole = words.checked_mul(8).filter(|&whole| isize::try_from(whole).is_ok());
        let memory = allocate(whole.ok_or(io::ErrorKind::OutOfMemory)?)?;
        Ok(Buffer { memory, bytes })
    }

    /// Allocates a buffer that holds a copy of `bytes`.
    ///
    /// # Errors
    /// When the system cannot provide that much memory.
    pub fn copy_of(bytes: &[u8]) -> io::Result<Buffer> {
        let mut buffer = Buffer::zeroed(bytes.len())?;
        buffer.as_bytes_mut().copy_from_slice(bytes);
        Ok(buffer)
    }

    /// Shortens the buffer. Its memory stays.
    pub(crate) fn truncate(&mut self, bytes: usize) {
        self.bytes = self.bytes.min(bytes);
    }

    /// The bytes, for writing. [`AsRef`] gives them for reading.
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.memory[..])[..self.bytes]
    }
}

#[cfg(all(any(unix, windows), not(miri)))]
fn allocate(bytes: usize) -> io::Result<Memory> {
    let memory = Memory::map_anon(bytes)?;
    // Advice only: without huge pages, the search and the generator are slower.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Ok(memory)
}

#[cfg(not(all(any(unix, windows), not(miri))))]
fn allocate(bytes: usize) -> io::Result<Memory> {
    let words = bytes / 8;
    let mut memory = Vec::new();
    memory.try_reserve_exact(words)?;
    memory.resize(words, 0);
    Ok(memory)
}

impl AsRef<[u8]> for Buffer {
    fn as_ref(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.memory[..])[..self.bytes]
    }
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer({} bytes)", self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zeroed_and_of_the_requested_size() {
        for bytes in [0, 1, 8, 4097] {
            let mut buffer = Buffer::zeroed(bytes).unwrap();
            assert_eq!(buffer.as_ref(), vec![0; bytes]);
            buffer.as_bytes_mut().fill(0xff);
            assert_eq!(buffer.as_ref(), vec![0xff; bytes]);
        }
    }

    #[test]
    fn impossible_sizes_are_errors() {
        for bytes in [usize::MAX, usize::MAX - 7, usize::MAX / 2 + 1, usize::MAX / 2] {
            let error = Buffer::zeroed(bytes).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::OutOfMemory, "{bytes}: {error}");
        }
    }
}
