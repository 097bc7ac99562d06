//! Work in parts, on the current rayon pool.
//!
//! Searches of many types work in parts. These functions keep rayon's code out of them: with a copy
//! for each type, it would be an eighth of the code of the web page's module. Where there are no threads,
//! nothing of rayon is needed.

use std::cmp::Reverse;
use std::sync::Mutex;

use rayon::prelude::*;

use crate::memo::lock;

/// Whether the target has threads: WebAssembly has none without atomics.
pub const THREADS: bool = cfg!(any(not(target_family = "wasm"), target_feature = "atomics"));

/// The number of threads of the pool.
pub fn threads() -> usize {
    if THREADS { rayon::current_num_threads() } else { 1 }
}

/// Does some work on each thread of the pool.
pub(crate) fn broadcast(work: &(dyn Fn() + Sync)) {
    if THREADS {
        rayon::broadcast(|_| work());
    } else {
        work();
    }
}

/// The results of `work` for chunks of `size` items, in their order. It gets the place of the
/// chunk's first item, too. A single chunk needs no thread pool.
pub fn map_chunks<N: Sync, T: Send>(
    items: &[N],
    size: usize,
    work: impl Fn(usize, &[N]) -> T + Sync,
) -> Vec<T> {
    let chunk = |i: usize| work(i * size, &items[i * size..items.len().min((i + 1) * size)]);
    if items.len() <= size {
        return (0..items.len().min(1)).map(chunk).collect();
    }
    let results: Vec<_> = (0..items.len().div_ceil(size)).map(|_| Mutex::new(None)).collect();
    all(results.len(), &|i| *lock(&results[i]) = Some(chunk(i)));
    let results = results.into_iter().map(|result| lock(&result).take());
    results.map(|result| result.expect("every chunk was worked on")).collect()
}

fn all(parts: usize, work: &(dyn Fn(usize) + Sync)) {
    if THREADS {
        (0..parts).into_par_iter().with_max_len(1).for_each(work);
    } else {
        (0..parts).for_each(work);
    }
}

/// The sum of what `work` returns for items and their places. Each thread makes its `scratch` space for
/// many of them.
pub(crate) fn sum<T: Send, S>(
    items: impl Iterator<Item = T>,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize, T) -> u64 + Sync,
) -> u64 {
    if THREADS {
        let items = items.collect::<Vec<_>>().into_par_iter().enumerate();
        return items.map_init(&scratch, |scratch, (place, item)| work(scratch, place, item)).sum();
    }
    let mut scratch = scratch();
    items.enumerate().map(|(place, item)| work(&mut scratch, place, item)).sum()
}

/// Calls `work` with items and their places.
pub(crate) fn for_each<T: Send>(items: impl Iterator<Item = T>, work: impl Fn(usize, T) + Sync) {
    let none = || ();
    sum(items, none, |(), place, item| {
        work(place, item);
        0
    });
}

/// Sorts numbers.
pub(crate) fn sort(numbers: &mut [u128]) {
    if THREADS {
        numbers.par_sort_unstable();
    } else {
        numbers.sort_unstable();
    }
}

/// The places of the keys, the largest key first. Equal ones stay in their order.
pub(crate) fn descending(keys: &[u32]) -> Vec<u32> {
    let mut places: Vec<u32> = (0..keys.len() as u32).collect();
    let key = |&place: &u32| Reverse(keys[place as usize]);
    if THREADS {
        places.par_sort_by_key(key);
    } else {
        places.sort_by_key(key);
    }
    places
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

    #[test]
    fn keys_descend() {
        assert_eq!(descending(&[3, 1, 3, 7, 0]), [3, 0, 2, 1, 4]);
        assert!(descending(&[]).is_empty());
    }
}
