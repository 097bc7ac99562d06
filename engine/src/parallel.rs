//! Work on the threads of the current rayon pool.
//!
//! Searches of many types share their work this way. These functions keep rayon's code out of them: with a copy
//! for each type, it would be an eighth of the code of the web page's module. Where there are no threads,
//! nothing of rayon is needed.

use std::iter;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::memo::lock;

/// Whether the target has threads: WebAssembly has none without atomics.
pub const THREADS: bool = cfg!(any(not(target_family = "wasm"), target_feature = "atomics"));

/// The number of threads of the pool.
pub fn threads() -> usize {
    if THREADS { rayon::current_num_threads() } else { 1 }
}

/// Does work that ends when nothing is left to do, on at most `most` idle threads. One of them may do it
/// more than once.
pub(crate) fn on_threads(most: usize, work: &(dyn Fn() + Sync)) {
    if !THREADS || most <= 1 {
        return work();
    }
    rayon::scope(|scope| {
        (1..threads().min(most)).for_each(|_| scope.spawn(|_| work()));
        work();
    });
}

/// The sum of what `work` returns for items and their places. Each thread makes `scratch` space.
pub(crate) fn sum<T, S>(
    items: impl Iterator<Item = T> + Send,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize, T) -> u64 + Sync,
) -> u64 {
    // They know their number.
    let most = items.size_hint().0;
    let (items, sum) = (Mutex::new(items.enumerate()), AtomicU64::new(0));
    on_threads(most, &|| {
        let (mut space, next) = (None, || lock(&items).next());
        while let Some((place, item)) = next() {
            let space = space.get_or_insert_with(&scratch);
            sum.fetch_add(work(space, place, item), Ordering::Relaxed);
        }
    });
    sum.into_inner()
}

/// Calls `work` with items and their places.
pub(crate) fn for_each<T>(items: impl Iterator<Item = T> + Send, work: impl Fn(usize, T) + Sync) {
    let none = || ();
    sum(items, none, |_, place, item| {
        work(place, item);
        0
    });
}

/// Calls `work` with each number below `count`, on the threads that are idle.
fn for_each_number(count: usize, work: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    on_threads(count, &|| {
        let each = iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        each.take_while(|&number| number < count).for_each(work);
    });
}

/// The results of `work` for chunks of `size` items, at least one, in their order. It gets the place of the
/// chunk's first item, too. A single chunk needs no other thread.
pub fn map_chunks<N: Sync, T: Send>(
    items: &[N],
    size: usize,
    work: impl Fn(usize, &[N]) -> T + Sync,
) -> Vec<T> {
    let count = items.len().div_ceil(size);
    let results: Mutex<Vec<_>> = Mutex::new((0..count).map(|_| None).collect());
    for_each_number(count, &|number| {
        let begin = number * size;
        let result = work(begin, &items[begin..items.len().min(begin + size)]);
        lock(&results)[number] = Some(result);
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map(|result| result.expect("every chunk was worked on")).collect()
}

/// Sorts numbers.
pub(crate) fn sort(numbers: &mut [u128]) {
    if THREADS {
        numbers.par_sort_unstable();
    } else {
        numbers.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_keep_their_order() {
        for (items, chunks) in [(0, 0), (1, 1), (10, 1), (11, 2), (95, 10)] {
            let items: Vec<usize> = (0..items).collect();
            let mapped = map_chunks(&items, 10, |first, chunk| {
                assert_eq!(chunk[0], first);
                chunk.to_vec()
            });
            assert_eq!(mapped.len(), chunks);
            assert_eq!(mapped.concat(), items);
        }
    }
}
