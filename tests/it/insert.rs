//! Tables that a store is given, as hosts without files do.

use taquin::store::{PartError, PartErrorKind, Set, Store, StoreError};
use taquin::{Solver, store};
use taquin_engine::Cancel;
use taquin_engine::board::{Board, Grid};
use taquin_engine::pdb::{self, Buffer, Header, OpenErrorKind};

/// The 5-6 set of 4x3: too large to be built without a word.
fn set() -> Set {
    Set::standard(Grid::new(4, 3).unwrap(), 0).unwrap()
}

fn built() -> Vec<(Header, Buffer)> {
    let parts = Store::memory().parts(&set()).unwrap();
    parts.iter().map(|part| part.build(&Cancel::new(), &|_| ()).unwrap()).collect()
}

#[test]
fn inserted_tables_are_not_built() {
    // A limit that no build of these keeps to.
    let store = Store::memory().memory_limit(Some(300_000));
    assert!(matches!(store.load(&set(), &|_| ()), Err(StoreError::TooLarge(_))));
    for (header, payload) in built() {
        store.insert(&header, payload).unwrap();
    }
    let events = |event: &store::Event<'_>| panic!("{event:?}");
    let loaded = store.load(&set(), &events).unwrap();
    for (table, (_, payload)) in loaded.tables.iter().zip(built()) {
        assert_eq!(table.bytes().as_slice(), Some(payload.as_ref()));
    }
    let solver = Solver::builder().store(store).build().unwrap();
    let board: Board = "10 11 9 8 / 7 6 5 4 / 3 2 1 0".parse().unwrap();
    let expected = Solver::builder().store(Store::memory()).build().unwrap().solve(&board);
    let (solution, expected) = (solver.solve(&board).unwrap(), expected.unwrap());
    assert_eq!((solution.moves(), solution.len()), (expected.moves(), expected.len()));
}

fn is_damaged(error: &PartError) -> bool {
    matches!(error.kind, PartErrorKind::Open(OpenErrorKind::Payload))
}

#[test]
fn other_tables_are_refused() {
    let store = Store::memory();
    for flipped in [0, 1, 12_345] {
        let (header, mut payload) = built().remove(0);
        payload.as_bytes_mut()[flipped] ^= 4;
        let refused = store.insert(&header, payload).unwrap_err();
        assert!(is_damaged(&refused), "{refused}");
    }
    let [(first, payload), (second, _)] = <[_; 2]>::try_from(built()).unwrap();
    assert!(is_damaged(&store.insert(&second, payload).unwrap_err()));
    // A header that agrees with itself and not with the pattern.
    let mut header = first;
    header.cohorts += 1;
    header.levels[1] += header.orders;
    let payload = Buffer::zeroed(header.payload_bytes() as usize).unwrap();
    header.payload_hash = pdb::payload_hash(payload.as_ref());
    Header::decode(&header.encode()).unwrap();
    let refused = store.insert(&header, payload).unwrap_err();
    assert!(refused.to_string().contains(" cohorts, where its pattern has "), "{refused}");
    // None of them was kept.
    let folder = tempfile::tempdir().unwrap();
    let part = &store.parts(&set()).unwrap()[0];
    let header = part.provide(folder.path(), false, &|_| ()).unwrap().header;
    let loaded = store.load(&set(), &|_| ()).unwrap();
    assert_eq!(loaded.tables[0].bytes().hash(), header.payload_hash);
}
