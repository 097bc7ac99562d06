//! Asking the processor to fetch a cache line.

/// Starts to load the cache line at an address, which need not be valid.
///
/// Miri interprets neither the intrinsic nor the assembly. As a prefetch changes nothing that a
/// program can observe, there it does nothing.
#[inline(always)]
pub(crate) fn prefetch(address: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch is a hint: it accesses no memory in the sense of the language, and
    // never faults. SSE is part of x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    // SAFETY: as above; the instruction changes neither memory, nor flags, nor registers.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{0}]",
            in(reg) address,
            options(nostack, preserves_flags, readonly)
        );
    }
    #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
    let _ = address;
}

/// Starts to load the cache lines of a block.
#[inline(always)]
pub(crate) fn prefetch_all<T>(block: &[T]) {
    for line in block.chunks(64 / size_of::<T>()) {
        prefetch(line.as_ptr().cast());
    }
}
