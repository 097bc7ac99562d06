//! The bytes of a table, in memory or in a mapped file.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicUsize, Ordering::Relaxed};

use memmap2::MmapRaw;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::buffer::Buffer;

/// The hash of a payload, as its header has it.
pub fn payload_hash(payload: &[u8]) -> u64 {
    xxh3_64(payload)
}

/// The bytes of a table, in a [`Buffer`] or in a mapped file. Clones share them.
///
/// Other programs, and safe code of this one, can write to a mapped file at any time. So mapped bytes are
/// never a slice, whose bytes must not change. Relaxed atomic loads read them; these are the same
/// instructions as other loads. The values are then old or new, and a table's hash tells which.
#[derive(Clone)]
pub struct Bytes {
    /// The first byte, at a multiple of 8. The memory extends to such a multiple.
    start: *const u8,
    len: usize,
    owner: Owner,
}

#[derive(Clone)]
enum Owner {
    Memory(Arc<Buffer>),
    File(#[expect(dead_code, reason = "keeps the map")] Arc<MmapRaw>),
}

// SAFETY: the bytes are only read. The bytes of a file may change meanwhile, so atomic loads read them.
unsafe impl Send for Bytes {}
// SAFETY: as above.
unsafe impl Sync for Bytes {}

impl From<Buffer> for Bytes {
    fn from(mut buffer: Buffer) -> Bytes {
        // References to atomics derive from this pointer, so it comes from one that could write.
        let bytes = buffer.as_bytes_mut();
        let (start, len) = (bytes.as_mut_ptr().cast_const(), bytes.len());
        Bytes { start, len, owner: Owner::Memory(Arc::new(buffer)) }
    }
}

impl From<MmapRaw> for Bytes {
    fn from(map: MmapRaw) -> Bytes {
        let (start, len) = (map.as_ptr(), map.len());
        assert!(start.align_offset(8) == 0, "a page begins there");
        Bytes { start, len, owner: Owner::File(Arc::new(map)) }
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({})", self.len)
    }
}

impl Bytes {
    /// The number of bytes.
    #[allow(clippy::len_without_is_empty, reason = "no table is empty")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The bytes, if they are in memory.
    pub fn as_slice(&self) -> Option<&[u8]> {
        match &self.owner {
            Owner::Memory(buffer) => Some((**buffer).as_ref()),
            Owner::File(_) => None,
        }
    }

    /// The first byte. Bytes of a file may change: only [`Bytes::byte`] may read them.
    pub fn as_ptr(&self) -> *const u8 {
        self.start
    }

    /// The byte in a place.
    ///
    /// # Panics
    /// If there are not that many bytes.
    #[inline(always)]
    pub fn byte(&self, place: usize) -> u8 {
        assert!(place < self.len);
        // SAFETY: the byte is one of these.
        unsafe { read(self.start.add(place)) }
    }

    /// The integer of 16 bits in a place, the lower byte first.
    #[inline(always)]
    pub(super) fn short(&self, place: usize) -> u16 {
        assert!(place < self.len / 2);
        // SAFETY: its two bytes are of these, and their number is even; loads of native integers
        // do not write.
        u16::from_le(unsafe { &*self.start.cast::<AtomicU16>().add(place) }.load(Relaxed))
    }

    /// The [`payload_hash`] of the bytes.
    pub fn hash(&self) -> u64 {
        if let Some(bytes) = self.as_slice() {
            return payload_hash(bytes);
        }
        let mut hash = Xxh3Default::new();
        // A copy of a piece at a time.
        let mut words = [0usize; (32 << 10) / size_of::<usize>()];
        for first in (0..self.len).step_by(size_of_val(&words)) {
            let bytes = (self.len - first).min(size_of_val(&words));
            for (i, word) in words.iter_mut().enumerate().take(bytes.div_ceil(size_of::<usize>())) {
                let place = first / size_of::<usize>() + i;
                // SAFETY: the word begins within the bytes, and the memory goes on to the next
                // multiple of 8; loads of native integers do not write.
                *word = unsafe { &*self.start.cast::<AtomicUsize>().add(place) }.load(Relaxed);
            }
            hash.update(&bytemuck::cast_slice(&words)[..bytes]);
        }
        hash.digest()
    }
}

/// Reads a byte of a table.
///
/// # Safety
/// - The byte is one of [`Bytes`] that live.
#[inline(always)]
pub(crate) unsafe fn read(byte: *const u8) -> u8 {
    // SAFETY: the caller's. A mapped file cannot be written through its map, and a load of a byte
    // does not write.
    unsafe { &*byte.cast::<AtomicU8>() }.load(Relaxed)
}
