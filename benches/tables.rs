//! Numbering states, reading tables, building them. Every bench checks its answers.

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};

use common::{Cases, Random, STANDARD, grid, tables};
use taquin_engine::Cancel;
use taquin_engine::board::Grid;
use taquin_engine::pdb::{Index, MAX_PATTERN, Orders, Pattern, generate, verify};

/// All orders of the tiles of a pattern.
fn rank(c: &mut Criterion) {
    let mut group = c.benchmark_group("rank");
    group.sample_size(20).measurement_time(Duration::from_secs(1));
    group.warm_up_time(Duration::from_millis(500));
    for tiles in [6, 7, 8] {
        let orders = Orders::new(tiles, 4);
        let all: Vec<[u8; MAX_PATTERN]> = (0..orders.len()).map(|r| orders.unrank(r)).collect();
        // The ranks are 0, 1, 2, …; each order's tiles sum up to the same.
        let ranks = orders.len() * (orders.len() - 1) / 2;
        let sum = tiles * (tiles - 1) / 2 * orders.len();
        group.throughput(Throughput::Elements(orders.len() as u64));
        group.bench_function(format!("rank, {tiles} tiles"), |b| {
            b.iter(|| {
                let found: usize = all.iter().map(|order| orders.rank(&order[..tiles])).sum();
                assert_eq!(found, ranks);
            });
        });
        group.bench_function(format!("unrank, {tiles} tiles"), |b| {
            b.iter(|| {
                let tiles_of = |rank| {
                    orders.unrank(rank)[..tiles]
                        .iter()
                        .map(|&tile| usize::from(tile))
                        .sum::<usize>()
                };
                assert_eq!((0..orders.len()).map(tiles_of).sum::<usize>(), sum);
            });
        });
        // The longest vertical move. It permutes the ranks.
        let row = orders.row(0, 3);
        group.bench_function(format!("after, {tiles} tiles"), |b| {
            b.iter(|| {
                let row = black_box(row);
                let found: usize = (0..orders.len()).map(|rank| orders.after(row, rank)).sum();
                assert_eq!(found, ranks);
            });
        });
    }
    group.finish();
}

fn probe(c: &mut Criterion) {
    let tables = tables(STANDARD, grid(4, 4), 0);
    let mut group = c.benchmark_group("probe");
    group.sample_size(20).measurement_time(Duration::from_secs(2));
    group.warm_up_time(Duration::from_millis(500));

    // Bits all over the larger table: most are in no cache, but none waits for another.
    let table = &tables[1];
    let (cohorts, orders) = (table.index().cohorts(), table.index().orders().len());
    let mut random = Random(7);
    let places: Vec<_> =
        (0..100_000).map(|_| (random.below(cohorts), random.below(orders))).collect();
    let ones = |places: &[(usize, usize)]| {
        places.iter().filter(|&&(cohort, rank)| table.bit(cohort, rank)).count()
    };
    let expected = ones(&places);
    // Nearly as many states have an h of 2 or 3 modulo 4 as of 0 or 1.
    assert!((40_000..60_000).contains(&expected));
    group.throughput(Throughput::Elements(places.len() as u64));
    group.bench_function("bit", |b| b.iter(|| assert_eq!(ones(&places), expected)));

    // Korf's boards, both tables: a walk to the goal each.
    let korf = Cases::korf();
    let values = || {
        let all = korf.cases.iter().flat_map(|case| tables.iter().map(|t| (t, &case.position)));
        all.map(|(t, p)| t.value(t.state(p.labels())).expect("the table is whole")).sum::<u32>()
    };
    let expected = values();
    let optimal: usize = korf.cases.iter().map(|case| case.length).sum();
    assert!((4_000..=optimal as u32).contains(&expected));
    group.throughput(Throughput::Elements(200));
    group.bench_function("value", |b| b.iter(|| assert_eq!(values(), expected)));
    group.finish();
}

/// The tables that are built, with the greatest value of each.
fn subjects() -> [(Grid, &'static [usize], usize); 4] {
    [
        (grid(4, 4), &[1, 2, 4, 5, 8, 9], 28),
        (grid(4, 4), &[1, 2, 3, 4, 5, 6, 7], 34),
        (grid(4, 4), &[8, 9, 10, 11, 12, 13, 14, 15], 38),
        (grid(5, 5), &[1, 5, 6, 10, 11, 12], 35),
    ]
}

/// Runs on all threads.
fn building(c: &mut Criterion) {
    let mut group = c.benchmark_group("generate");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_secs(1));
    for (grid, tiles, deepest) in subjects() {
        let pattern = Pattern::new(grid, 0, tiles.iter().copied()).unwrap();
        let index = Index::new(grid, pattern.len());
        group.throughput(Throughput::Elements(index.states()));
        group.bench_function(format!("{grid}, {} tiles", pattern.len()), |b| {
            // Giving the memory back is not part of it.
            b.iter_batched(
                || (),
                |()| {
                    let built = generate(&index, &pattern, &Cancel::new(), &mut |_| ())
                        .expect("enough memory");
                    assert_eq!(built.levels.len() - 1, deepest);
                    assert_eq!(built.levels.iter().sum::<u64>(), index.states());
                    built
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn verifying(c: &mut Criterion) {
    let mut group = c.benchmark_group("verify");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_secs(1));
    let (grid, tiles, _) = subjects()[1];
    let pattern = Pattern::new(grid, 0, tiles.iter().copied()).unwrap();
    let (table, built) = (common::table(pattern), common::generated(pattern));
    group.throughput(Throughput::Elements(table.index().states()));
    group.bench_function(format!("{grid}, {} tiles", pattern.len()), |b| {
        b.iter(|| assert_eq!(verify(&table, &built.levels, &|_| ()), Ok(())));
    });
    group.finish();
}

criterion_group!(benches, rank, probe, building, verifying);
criterion_main!(benches);
