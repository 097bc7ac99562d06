use std::cell::RefCell;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::*;
use crate::classics::{ComposeError, Composed, PartitionTables, Spec, Term};
use crate::pdb::{HEADER_BYTES, OpenErrorKind, publish};

fn grid(width: usize, height: usize) -> Grid {
    Grid::new(width, height).unwrap()
}

/// The 5-6 set of 4x3, just too large for [`super::SMALL`].
fn large() -> Set {
    Set::standard(grid(4, 3), 0).unwrap()
}

fn small() -> Set {
    Set::standard(grid(3, 3), 0).unwrap()
}

/// A folder with the files of [`large`].
fn filled() -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::folder(folder.path());
    store.load(&large(), &|_| ()).unwrap();
    let parts = store.parts(&large()).unwrap();
    let paths = parts.iter().map(|part| part.path(folder.path())).collect();
    (folder, paths)
}

/// Loads a set, and records the events in short.
fn recorded(store: &Store, set: &Set) -> (Result<Loaded, StoreError>, Vec<String>) {
    let events = RefCell::new(Vec::new());
    let loaded = store.load(set, &|event| {
        let text = match event {
            Event::Building { set, grid, folder, bytes } => {
                let place = if folder.is_some() { "in a folder" } else { "in memory" };
                format!("building {set} of {grid} {place}, {bytes} bytes")
            }
            Event::Level { progress, .. } if progress.reached < progress.states => return,
            Event::Level { pattern, .. } => format!("last level of {pattern}"),
            Event::Built { pattern } => format!("built {pattern}"),
            Event::NotWritten { before, .. } => format!("not written, {before}"),
            Event::Proving { .. } => unreachable!("nothing is proved"),
        };
        events.borrow_mut().push(text);
    });
    (loaded, events.into_inner())
}

const BUILDING: [&str; 4] = [
    "last level of 1,2,3,4,5",
    "built 1,2,3,4,5",
    "last level of 6,7,8,9,10,11",
    "built 6,7,8,9,10,11",
];

fn are_from_files(loaded: &Loaded) -> bool {
    loaded.check.files().count() == loaded.tables.len()
}

fn address(table: &Table) -> usize {
    table.bytes().as_ptr().addr()
}

/// The reason why the files of a check cannot be used.
fn fault(check: &Check) -> (PathBuf, OpenErrorKind) {
    let OpenError { path, kind } = check.wait().unwrap_err();
    (path, kind)
}

/// Overwrites the last byte of a file in place, as no program should.
fn damage(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_store_in_memory_builds_everything_without_files() {
    // Not even where it may not build.
    let store = Store::memory().build_missing(false);
    assert_eq!(store.path(), None);
    let (loaded, events) = recorded(&store, &large());
    let loaded = loaded.unwrap();
    assert_eq!(events[0], "building 5-6 of 4x3 in memory, 228032 bytes");
    assert_eq!(events[1..], BUILDING);
    assert!(
        loaded.tables.iter().map(|table| table.pattern()).eq(large().patterns().iter().copied())
    );
    assert_eq!(loaded.check.files().count(), 0);
    assert_eq!(loaded.check.origin(), "tables built in memory");
    loaded.check.wait().unwrap();
    // They are kept for clones.
    let (again, events) = recorded(&store.clone(), &large());
    assert_eq!(address(&again.unwrap().tables[0]), address(&loaded.tables[0]));
    assert_eq!(events, [""; 0]);
}

#[test]
fn missing_files_are_built_and_opened_from_then_on() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("below");
    let store = Store::folder(&below);
    let (refused, events) = recorded(&store.clone().build_missing(false), &large());
    let refused = refused.unwrap_err();
    assert!(matches!(&refused, StoreError::Missing { set, .. } if *set == large()));
    assert_eq!(refused.to_string(), format!("the 5-6 databases are not in {}", below.display()));
    assert!(events.is_empty() && !below.exists());

    let (built, events) = recorded(&store, &large());
    assert_eq!(events[0], "building 5-6 of 4x3 in a folder, 228032 bytes");
    assert_eq!(events[1..], BUILDING);
    let store = Store::folder(&below).build_missing(false);
    let (opened, events) = recorded(&store, &large());
    let (built, opened) = (built.unwrap(), opened.unwrap());
    assert!(events.is_empty() && are_from_files(&opened) && !are_from_files(&built));
    for (built, opened) in built.tables.iter().zip(&opened.tables) {
        assert_eq!(built.bytes().hash(), opened.bytes().hash());
    }
    opened.check.wait().unwrap();
    let part = &store.parts(&large()).unwrap()[1];
    assert!(opened.check.origin().ends_with(&format!(" or {}", part.path(&below).display())));
    assert_eq!(part.file_bytes(), fs::metadata(part.path(&below)).unwrap().len());

    // One file alone.
    fs::remove_file(part.path(&below)).unwrap();
    assert!(matches!(
        Store::folder(&below).build_missing(false).load(&large(), &|_| ()),
        Err(StoreError::Missing { .. })
    ));
    let (mixed, events) = recorded(&Store::folder(&below), &large());
    assert_eq!(events[1..], BUILDING[2..]);
    assert_eq!(mixed.unwrap().check.files().count(), 1);
}

#[test]
fn small_sets_need_no_files() {
    let store = Store::folder("there is no such folder").build_missing(false);
    let (loaded, events) = recorded(&store, &small());
    assert!(events.is_empty());
    assert_eq!(loaded.unwrap().check.files().count(), 0);
}

/// An unwritable folder is done without, or is an error if it is required.
#[test]
fn a_folder_may_take_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let [in_folder, in_memory] =
        ["a folder", "memory"].map(|place| format!("building 5-6 of 4x3 in {place}, 228032 bytes"));
    // Whether the folder can be made shows before a table is built, whether it takes files after that.
    let mut unusable = vec![(file.clone(), true), (file.join("below"), true)];
    if cfg!(target_os = "linux") {
        unusable.push(("/proc".into(), false));
    }
    for (path, before) in unusable {
        let (loaded, mut events) = recorded(&Store::folder(&path), &large());
        let (first, place) = if before { (0, &in_memory) } else { (3, &in_folder) };
        assert_eq!(events.remove(first), format!("not written, {before}"));
        assert_eq!((&events[0], &events[1..]), (place, &BUILDING.map(String::from)[..]));
        assert_eq!(loaded.unwrap().check.files().count(), 0);
        let (refused, events) = recorded(&Store::folder(&path).required(), &large());
        let refused = refused.unwrap_err();
        assert!(matches!(&refused, StoreError::Folder { folder, .. } if *folder == path));
        assert!(events.is_empty(), "nothing is built");
    }
    let store = Store::folder(folder.path().join("new")).required();
    let (loaded, events) = recorded(&store, &large());
    assert_eq!((&events[0], loaded.is_ok()), (&in_folder, true));
    assert_eq!(fs::read_dir(folder.path().join("new")).unwrap().count(), 2);
}

#[test]
fn a_damaged_file_is_found_and_can_be_replaced() {
    let (folder, paths) = filled();
    damage(&paths[1]);
    let store = Store::folder(folder.path());
    let load = || store.load(&large(), &|_| ()).unwrap();
    let damaged = load();
    // Clones of the check, and checks of other loads, find the same.
    for check in [&damaged.check, &damaged.check.clone(), &load().check] {
        let (path, kind) = fault(check);
        assert!(path == paths[1] && matches!(kind, OpenErrorKind::Payload), "{kind}");
    }
    let part = &store.parts(&large()).unwrap()[1];
    part.provide(folder.path(), true, &|_| ()).unwrap();
    assert_ne!(address(&damaged.tables[1]), address(&load().tables[1]));
    assert_eq!(address(&damaged.tables[0]), address(&load().tables[0]));
    load().check.wait().unwrap();
}

/// Safe code can do this to a file that is mapped.
#[test]
fn a_file_written_to_in_use_is_noticed_and_opened_again() {
    let (folder, paths) = filled();
    let store = Store::folder(folder.path());
    let load = || store.load(&large(), &|_| ()).unwrap();
    let used = load();
    used.check.wait().unwrap();
    let start = Instant::now();
    // The clock of the file system ticks every few milliseconds.
    let error = loop {
        let mut file = fs::File::options().write(true).open(&paths[1]).unwrap();
        file.seek(SeekFrom::End(-1)).unwrap();
        file.write_all(&[0xff]).unwrap();
        if let Err(error) = used.check.wait() {
            break error;
        }
        assert!(start.elapsed() < Duration::from_secs(10));
    };
    assert!(error.path == paths[1] && matches!(error.kind, OpenErrorKind::Changed));
    let (path, kind) = fault(&load().check);
    assert!(path == paths[1] && matches!(kind, OpenErrorKind::Payload), "{kind}");
    store.parts(&large()).unwrap()[1].provide(folder.path(), true, &|_| ()).unwrap();
    load().check.wait().unwrap();
}

#[test]
fn a_file_that_cannot_be_used_is_an_error() {
    let (folder, paths) = filled();
    let sound = [&paths[0], &paths[1]].map(|path| fs::read(path).unwrap());
    let short = sound[0][..sound[0].len() - 1].to_vec();
    // A header that agrees with itself and not with the pattern.
    let mut header = Header::decode(&sound[0]).unwrap();
    header.cohorts += 1;
    header.levels[1] += header.orders;
    let payload = vec![0; header.payload_bytes() as usize];
    header.payload_hash = pdb::payload_hash(&payload);
    publish(&paths[0], &header, &payload).unwrap();
    let other_cohorts = fs::read(&paths[0]).unwrap();
    let error = Store::folder(folder.path()).verify(&paths[0], false, &|_| ()).unwrap_err();
    assert!(matches!(error.kind, PartErrorKind::Open(OpenErrorKind::Cohorts { .. })), "{error}");
    // Even if another file is missing.
    fs::remove_file(&paths[1]).unwrap();
    for (bytes, fault) in [
        (Some(&short), "bytes long"),
        (Some(&sound[1]), "not the expected pattern"),
        (Some(&other_cohorts), "cohorts"),
        (None, "not a regular file"),
    ] {
        match bytes {
            Some(bytes) => fs::write(&paths[0], bytes).unwrap(),
            None => fs::remove_file(&paths[0]).and_then(|()| fs::create_dir(&paths[0])).unwrap(),
        }
        match Store::folder(folder.path()).load(&large(), &|_| ()) {
            Err(StoreError::Unusable(reason)) => {
                assert_eq!(reason.path, paths[0]);
                assert!(reason.kind.to_string().contains(fault), "{reason}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn threads_get_the_same_tables() {
    let (folder, _) = filled();
    for store in [Store::memory(), Store::folder(folder.path())] {
        let addresses = std::thread::scope(|scope| {
            let load = || {
                let loaded = store.load(&large(), &|_| ()).unwrap();
                loaded.check.wait().unwrap();
                loaded.tables.iter().map(address).collect::<Vec<_>>()
            };
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(load)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(addresses.iter().all(|found| *found == addresses[0]), "{store:?}");
    }
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<Store>();
    is_shared::<Loaded>();
    is_shared::<StoreError>();
}

#[test]
fn larger_boards_have_their_tables_in_memory_if_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let set = Set::parse(Some("1,2,3,4,5,6/7,8,9,10,11,12"), grid(6, 3), 0).unwrap();
    Store::folder(folder.path()).load(&set, &|_| ()).unwrap();
    for (limit, copied) in [(1 << 30, true), (4 << 20, false)] {
        let store = Store::folder(folder.path()).memory_limit(Some(limit));
        let loaded = store.load(&set, &|_| ()).unwrap();
        assert!(are_from_files(&loaded));
        for (table, path) in loaded.tables.iter().zip(loaded.check.files()) {
            let payload = &fs::read(path).unwrap()[HEADER_BYTES..];
            assert_eq!(table.bytes().hash(), pdb::payload_hash(payload));
            assert_eq!(table.bytes().as_slice().is_some(), copied);
        }
        loaded.check.wait().unwrap();
    }
}

#[test]
fn memory_is_limited_for_each_store() {
    let (folder, paths) = filled();
    let limited = |limit| Store::memory().memory_limit(Some(limit));
    match limited(100_000).load(&large(), &|_| ()) {
        Err(StoreError::TooLarge(refused)) => {
            assert_eq!((refused.allowed, refused.tiles), (100_000, 6))
        }
        other => panic!("{other:?}"),
    }
    assert!(limited(100_000).parts(&large()).is_err());
    assert!(limited(1 << 30).load(&large(), &|_| ()).is_ok());
    // The limit is for tables that are built: files are opened whatever it is.
    Store::folder(folder.path()).memory_limit(Some(1)).load(&large(), &|_| ()).unwrap();
    let store = Store::folder(folder.path()).memory_limit(Some(300_000));
    store.load(&large(), &|_| ()).unwrap();
    // The numberings are there now, and the limit still holds.
    assert!(store.parts(&large()).is_err());
    assert!(store.clone().memory_limit(None).parts(&large()).is_ok());
    assert!(store.verify(&paths[0], false, &|_| ()).is_ok());
    let error = store.verify(&paths[0], true, &|_| ()).unwrap_err();
    assert!(error.to_string().contains(": cannot be checked: the table of 5 tiles"), "{error}");
}

/// Under a limit of the system, in a separate process.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_the_system_refuses_is_an_error() {
    use std::{env, process::Command};
    const CHILD: &str = "TAQUIN_TEST_LIMITED";
    if env::var_os(CHILD).is_none() {
        let script = "ulimit -v 300000 && exec \"$0\" \"$@\"";
        let name = "store::tests::memory_that_the_system_refuses_is_an_error";
        let program = env::current_exe().unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).arg(program).args(["--exact", name]).env(CHILD, "");
        let output = shell.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{output:?}");
        return;
    }
    let set = Set::parse(Some("8,9,10,11,12,13,14,15"), grid(4, 4), 0).unwrap();
    let store = Store::memory().memory_limit(Some(u64::MAX));
    let error = store.load(&set, &|_| ()).unwrap_err();
    assert!(matches!(error, StoreError::Memory(_)), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let part = &store.parts(&set).unwrap()[0];
    let error = part.provide(folder.path(), false, &|_| ()).unwrap_err();
    assert!(matches!(error.kind, PartErrorKind::Memory(_)), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn files_are_provided_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::folder(folder.path());
    let parts = store.parts(&large()).unwrap();
    let built = Mutex::new(Vec::new());
    let provide = |part: &Part, force| {
        part.provide(&folder.path().join("below"), force, &|event| {
            if let Event::Built { pattern } = event {
                built.lock().unwrap().push(*pattern);
            }
        })
    };
    let first = provide(&parts[0], false).unwrap();
    assert!(first.work.is_some_and(|[built, written]| built + written > Duration::ZERO));
    assert_eq!(first.header.states(), parts[0].numbering.states());
    let second = provide(&parts[0], false).unwrap();
    assert_eq!(second, Provided { work: None, ..first.clone() });
    assert!(provide(&parts[0], true).unwrap().work.is_some());
    assert_eq!(built.into_inner().unwrap(), [parts[0].pattern; 2]);

    let most = Mutex::new(0);
    let header = store.verify(&first.path, true, &|event| {
        let Event::Proving { done, steps, .. } = *event else { panic!("{event:?}") };
        assert_eq!(steps, 2 * first.header.cohorts);
        let mut most = most.lock().unwrap();
        *most = done.max(*most);
    });
    assert_eq!(header.unwrap(), first.header);
    assert!(most.into_inner().unwrap() + 1 >= 2 * first.header.cohorts);
}

#[test]
fn files_that_are_wrong_are_refused() {
    let (folder, paths) = filled();
    let store = Store::folder(folder.path());
    let part = &store.parts(&large()).unwrap()[0];
    damage(&paths[0]);
    let is_damaged =
        |error: PartError| matches!(error.kind, PartErrorKind::Open(OpenErrorKind::Payload));
    assert!(is_damaged(store.verify(&paths[0], false, &|_| ()).unwrap_err()));
    assert!(is_damaged(part.provide(folder.path(), false, &|_| ()).unwrap_err()));
    // A wrong bit under the right hash.
    let bytes = fs::read(&paths[0]).unwrap();
    let (mut header, mut payload) =
        (Header::decode(&bytes).unwrap(), bytes[HEADER_BYTES..].to_vec());
    payload[0] ^= 1;
    header.payload_hash = pdb::payload_hash(&payload);
    publish(&paths[0], &header, &payload).unwrap();
    assert!(store.verify(&paths[0], false, &|_| ()).is_ok());
    let error = store.verify(&paths[0], true, &|_| ()).unwrap_err();
    assert!(matches!(error.kind, PartErrorKind::Wrong(_)), "{error}");
    // A folder that cannot be made.
    let error = part.provide(&paths[1].join("below"), true, &|_| ()).unwrap_err();
    assert!(matches!(error.kind, PartErrorKind::Write(_)), "{error}");
    for path in [&paths[0], &folder.path().join("none")] {
        fs::remove_file(path).unwrap_or_default();
        let error = store.verify(path, true, &|_| ()).unwrap_err();
        assert!(matches!(error.kind, PartErrorKind::Open(OpenErrorKind::Missing)), "{error}");
    }
}

fn bounds(text: &str) -> Vec<Term> {
    let Ok(Spec::Bound(bounds)) = text.parse() else { panic!("{text}") };
    bounds
}

#[test]
fn heuristics_share_tables() {
    let store = Store::memory();
    let mut check = Check::default();
    let mut get = |partition: &str, plain| {
        store.tables(partition, plain, (grid(3, 3), 0), &mut check, &|event| panic!("{event:?}"))
    };
    let [once, lists] = ["4-4", "3,6,7,8/1,2"].map(|partition| {
        let found = get(partition, false).unwrap();
        let PartitionTables::ZoneAware(found) = found else { panic!("{partition}") };
        found
    });
    assert_eq!(address(&once[1]), address(&lists[0]));
    assert!(Arc::ptr_eq(once[0].index(), once[1].index()));
    let [plain, other] = ["4-4", "1,2,4,5/3,6,7,8"].map(|partition| {
        let PartitionTables::Plain(found) = get(partition, true).unwrap() else { panic!() };
        found
    });
    assert!(Arc::ptr_eq(&plain, &other));
    assert!(Arc::ptr_eq(plain[0].index(), once[0].index()));
    let composed = Composed::new(&bounds("4-4:mirror"), grid(3, 3), 0, get).unwrap();
    assert_eq!(composed.value(&[8, 7, 6, 5, 4, 3, 2, 1, 0]).unwrap() % 2, 0);
    assert_eq!(check.origin(), "tables built in memory");
}

#[test]
fn tables_name_their_files_and_their_errors() {
    let (folder, _) = filled();
    let filled = Store::folder(folder.path()).build_missing(false).memory_limit(Some(1 << 20));
    let none = Store::folder("there is no such folder").build_missing(false);
    let mut check = Check::default();
    for _ in 0..2 {
        filled.tables("5-6", false, (grid(4, 3), 0), &mut check, &|_| ()).unwrap();
        assert_eq!(check.files().count(), 2);
    }
    check.wait().unwrap();
    let refused = |store: &Store, grid, blank, text: &str| {
        let get = |name: &str, plain| {
            store.tables(name, plain, (grid, blank), &mut Check::default(), &|_| ())
        };
        let Err(ComposeError::Tables(error)) = Composed::new(&bounds(text), grid, blank, get)
        else {
            panic!("{text}")
        };
        error
    };
    let error = refused(&filled, grid(4, 3), 0, "5-7");
    assert!(matches!(error, StoreError::Set(SetError::Pattern(_))), "{error}");
    let error = refused(&filled, grid(4, 3), 0, "5-6:plain");
    assert!(matches!(error, StoreError::TooLarge(_)), "{error}");
    let error = refused(&none, grid(4, 4), 1, "5-5-5");
    assert!(matches!(error, StoreError::Missing { .. }), "{error}");
}

/// Tables that count slides lie in the same folder, and are checked in the same way.
#[test]
fn tables_that_count_slides_are_kept_in_files() {
    let (folder, singles) = filled();
    let set = Set::slides(grid(3, 4), 0).unwrap();
    assert_eq!((set.grid(), set.goal_blank(), set.metric()), (grid(4, 3), 0, Metric::Multi));
    assert!(Set::slides(grid(5, 4), 0).is_err() && Set::slides(grid(4, 3), 12).is_err());
    let store = Store::folder(folder.path());
    let parts = store.parts(&set).unwrap();
    let paths: Vec<_> = parts.iter().map(|part| part.path(folder.path())).collect();
    assert!(paths.iter().all(|path| !singles.contains(path)));
    let missing = Store::folder(folder.path()).build_missing(false).load(&set, &|_| ());
    assert!(matches!(missing, Err(StoreError::Missing { .. })));

    let built = store.load(&set, &|_| ()).unwrap();
    assert!(built.tables.is_empty() && built.check.files().next().is_none());
    let mapped = Store::folder(folder.path()).load(&set, &|_| ()).unwrap();
    mapped.check.wait().unwrap();
    assert_eq!(mapped.check.files().count(), set.patterns().len());
    let patterns = mapped.slide_tables.iter().map(|table| table.pattern());
    assert!(patterns.eq(set.patterns().iter().copied()));
    let bytes = |loaded: &Loaded| -> Vec<u64> {
        loaded.slide_tables.iter().map(|table| table.bytes().hash()).collect()
    };
    assert_eq!(bytes(&built), bytes(&mapped));
    for (part, path) in parts.iter().zip(&paths) {
        assert_eq!(fs::metadata(path).unwrap().len(), part.file_bytes());
        assert_eq!(store.verify(path, true, &|_| ()).unwrap().metric, Metric::Multi);
    }
    // The table of the same tiles that counts single tiles is another one.
    let (header, payload) = parts[0].build(&Cancel::new(), &|_| ()).unwrap();
    let single = Header { metric: Metric::Single, ..header.clone() };
    assert!(matches!(
        Store::memory().insert(&single, Buffer::copy_of(payload.as_ref()).unwrap()),
        Err(PartError { kind: PartErrorKind::Open(OpenErrorKind::Payload), .. })
    ));
    let memory = Store::memory();
    memory.insert(&header, payload).unwrap();
    assert_eq!(bytes(&memory.load(&set, &|_| ()).unwrap()), bytes(&built));

    damage(&paths[1]);
    let loaded = Store::folder(folder.path()).load(&set, &|_| ()).unwrap();
    assert!(loaded.check.wait().is_err());
}
