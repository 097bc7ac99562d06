//! The bodies of the fuzz targets. `tests/it/fuzz.rs` feeds them the corpora and random changes of
//! them, so that every change is tested without a nightly compiler.
//!
//! Each body panics if a promise is broken: whatever the bytes, there is an error or a value, and a
//! value that is accepted is consistent.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use taquin::read;
use taquin_classics::{Composed, MAX_PATTERNS, Spec, Term};
use taquin_engine::board::{
    Board, Canonical, Convention, Goal, Grid, LabelledBoard, Metric, Move, Moves, OpenGoal,
    Position, PositionError,
};
use taquin_engine::pdb::{self, Buffer, HEADER_BYTES, Header, Index, Partition, Pattern, Table};
use xxhash_rust::xxh3::xxh3_64;

/// The first two bytes as a grid, and the rest. Small sides are likelier than large ones.
fn grid(data: &[u8]) -> Option<(Grid, &[u8])> {
    let (&[width, height], rest) = data.split_first_chunk()?;
    let side = |byte: u8| if byte < 0xe0 { 2 + usize::from(byte) % 4 } else { byte.into() };
    Some((Grid::new(side(width), side(height)).ok()?, rest))
}

/// Boards and goals as text.
pub fn board(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let sizes = [None, Grid::new(3, 3).ok(), Grid::new(4, 2).ok()];
    for size in sizes {
        // Guesses change no text that is read without them.
        let plain = Board::parse(text, size);
        for reading in read::boards(text, size).into_iter().flatten() {
            written(reading.board.board());
        }
        if let Ok(reading) = read::board(text, size) {
            assert!(plain.is_err() || plain.as_ref() == Ok(reading.board.board()));
        }
        labels(text, size);
        let Ok(board) = Board::parse(text, size) else { continue };
        assert!(size.is_none_or(|size| size == board.grid()));
        // A board prints as it is read.
        for shown in [board.to_string(), format!("{board:#}")] {
            assert_eq!(Board::parse(&shown, None).as_ref(), Ok(&board), "{shown}");
        }
        let goal = Goal::named("spiral", board.grid()).expect("there is one of every size");
        let solvability = goal.solvability(&board);
        assert!(!solvability.to_string().is_empty());
        // Solvable boards are positions, and no others are.
        let canonical = Canonical::of(&goal);
        match canonical.position(&board) {
            Ok(position) => {
                assert!(solvability.is_solvable());
                let (grid, blank) = (position.grid(), position.goal_blank());
                assert_eq!(Position::new(grid, blank, position.labels()), Ok(position));
            }
            Err(error) => {
                assert_eq!(error, PositionError::Unsolvable(solvability));
                assert!(!solvability.is_solvable());
            }
        }
        // A move keeps a board solvable, or unsolvable.
        let mut moved = board.clone();
        let made = Move::ALL.into_iter().find(|&m| moved.apply(m)).expect("some move is possible");
        assert!(moved.apply(made.opposite()) && moved == board);
        moved.apply(made);
        assert_eq!(goal.solvability(&moved).is_solvable(), solvability.is_solvable());
    }
    let grid = Grid::new(3, 3).expect("a board");
    if let Ok(goal) = Goal::parse(text, grid) {
        let position = Canonical::of(&goal).position(goal.board());
        assert!(position.is_ok_and(|position| position.is_goal()));
    }
}

/// Each form in which a board is written is read back, without a guess.
fn written(board: &Board) {
    let rows = || board.tiles().chunks(board.grid().width());
    let joined = |row: &[u8], between: &str, blank: &str| {
        let word = |&tile: &u8| if tile == 0 { blank.to_owned() } else { tile.to_string() };
        row.iter().map(word).collect::<Vec<_>>().join(between)
    };
    let grid = |between: &str, blank: &str, end: &str| {
        rows().map(|row| joined(row, between, blank)).collect::<Vec<_>>().join(end)
    };
    for text in [
        board.to_string(),
        format!("{board:#}"),
        format!("[[{}]]", grid(", ", "0", "], [")),
        format!("{}: {}", board.grid(), grid(",", "0", ",")),
        grid(" ", "_", "\n"),
        format!("{{{{{}}}}};", grid(", ", "0", "},\n {")),
        format!("[['{}']]", grid("', '", "0", "'], ['")),
    ] {
        for size in [None, Some(board.grid())] {
            let reading = read::board(&text, size);
            let reading = reading.unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((reading.board.board(), &reading.notes[..]), (board, &[][..]), "{text}");
        }
    }
}

/// Boards and goals of labels.
fn labels(text: &str, size: Option<Grid>) {
    if let Ok(goal) = OpenGoal::parse(text, size) {
        for shown in [goal.to_string(), format!("{goal:#}")] {
            let again = OpenGoal::parse(&shown, Some(goal.grid()));
            assert_eq!(again.as_ref(), Ok(&goal), "{shown}");
        }
    }
    if let Ok(board) = LabelledBoard::parse(text, size) {
        let shown = board.to_string();
        let again = LabelledBoard::parse(&shown, Some(board.board().grid()));
        assert_eq!(again.as_ref(), Ok(&board), "{shown}");
    }
}

/// A page whose checksum is right, so that the checks behind the checksum are reached.
pub fn sealed(data: &[u8]) -> [u8; HEADER_BYTES] {
    let mut page = [0; HEADER_BYTES];
    let given = data.len().min(HEADER_BYTES - 8);
    page[..given].copy_from_slice(&data[..given]);
    let hash = xxh3_64(&page[..HEADER_BYTES - 8]);
    page[HEADER_BYTES - 8..].copy_from_slice(&hash.to_le_bytes());
    page
}

/// The header page of a file.
pub fn header(data: &[u8]) {
    for page in [data, &sealed(data)] {
        let Ok(header) = Header::decode(page) else { continue };
        assert_eq!(header.encode(), page[..HEADER_BYTES]);
        assert_eq!(header.levels.iter().sum::<u64>(), header.states());
        assert_eq!(header.file_bytes(), header.payload_bytes() + HEADER_BYTES as u64);
        assert!(!header.matches(&[]));
    }
}

/// The numbering of a few tiles on a small board, kept from one call to the next.
fn index(grid: Grid, tiles: usize) -> Arc<Index> {
    type Indexes = HashMap<(Grid, usize), Arc<Index>>;
    thread_local!(static KNOWN: RefCell<Indexes> = RefCell::default());
    KNOWN.with_borrow_mut(|known| {
        known.entry((grid, tiles)).or_insert_with(|| Arc::new(Index::new(grid, tiles))).clone()
    })
}

/// A whole small file: the fields of a header without its levels, and a payload. Checksums,
/// lengths and histogram are made right, so that the table itself is read.
pub fn file(data: &[u8]) {
    let Some((grid, rest)) = grid(data) else { return };
    let Some((&[blank, tiles], bits)) = rest.split_first_chunk() else { return };
    let (cells, blank) = (grid.cells(), usize::from(blank) % grid.cells());
    let tiles = (0..cells.min(8)).filter(|&tile| tiles >> tile & 1 == 1 && tile != blank);
    let Ok(pattern) = Pattern::new(grid, blank, tiles.take(3)) else { return };
    if cells > 9 {
        return;
    }
    let index = index(grid, pattern.len());
    let mut payload = vec![0; Table::length(&index)];
    let given = bits.len().min(payload.len());
    payload[..given].copy_from_slice(&bits[..given]);
    let header = Header {
        metric: Metric::Single,
        pattern,
        cohorts: index.cohorts() as u64,
        orders: index.orders().len() as u64,
        levels: vec![1, index.states() - 1],
        payload_hash: pdb::payload_hash(&payload),
    };
    assert_eq!(Header::decode(&header.encode()), Ok(header.clone()));
    assert!(header.matches(&payload));
    let payload = Buffer::copy_of(&payload).expect("enough memory");
    let table = Table::new(pattern, index.clone(), payload);
    // Whatever the bits, each walk downhill ends.
    for rank in 0..index.orders().len() {
        let _ = table.value(pdb::State { rank, ..index.goal(&pattern) });
    }
    // No such table is right: its second level would hold all states.
    if index.states() > 5 {
        assert!(pdb::verify(&table, &header.levels, &|_| ()).is_err());
    }
}

/// Partitions as text, alone and in heuristics.
pub fn partition(data: &[u8]) {
    let Some((grid, rest)) = grid(data) else { return };
    let Some((&blank, text)) = rest.split_first() else { return };
    let Ok(text) = str::from_utf8(text) else { return };
    if let Ok(spec) = text.parse::<Spec>() {
        assert_eq!(spec.to_string().parse().as_ref(), Ok(&spec));
        if let Spec::Bound(bounds) = spec
            && usize::from(blank) < grid.cells()
            && bounds.iter().all(|bound| matches!(bound, Term::Tables { .. }))
        {
            let none = |partition: &str, _| {
                assert!(partition.split('/').count() <= MAX_PATTERNS, "{partition}");
                Err(())
            };
            assert!(Composed::new(&bounds, grid, blank.into(), none).is_err());
        }
    }
    let Ok(partition) = Partition::parse(text, grid, blank.into()) else { return };
    let mut seen = 1_u64 << partition.blank();
    for pattern in partition.patterns() {
        assert_eq!(seen & pattern.mask(), 0);
        seen |= pattern.mask();
        assert!(pattern.tiles().all(|tile| tile < grid.cells()));
        assert!(pattern.file_name(Metric::Single).ends_with(".pdb"));
    }
    let shown = partition.to_string();
    // A list of one tile alone has no separator, and is taken for a name.
    if shown.contains([',', '/']) {
        assert_eq!(Partition::parse(&shown, grid, blank.into()), Ok(partition));
    }
}

/// Moves as text.
pub fn moves(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let eight: Board = "1 2 3 / 4 0 6 / 7 5 8".parse().expect("a board");
    // Any text is moves or an error.
    let _ = read::moves(&eight.into(), text, Convention::Tile);
    let Ok(path) = text.parse::<Moves>() else { return };
    // A few bytes can stand for a million moves.
    if path.len() > 10_000 {
        return;
    }
    assert_eq!(path.to_string().parse().as_ref(), Ok(&path));
    assert_eq!(path.to_runs().parse().as_ref(), Ok(&path));
    let arrows: String = path.iter().map(Move::arrow).collect();
    assert_eq!(arrows.parse().as_ref(), Ok(&path));
    assert_eq!(path.turned(Convention::Blank).turned(Convention::Blank), path);
    let goal = Goal::named("blank-last", Grid::new(4, 4).expect("a board")).expect("a goal");
    match goal.board().after(&path) {
        Ok(end) => assert!(goal.solvability(&end).is_solvable()),
        Err(blocked) => assert_eq!(path.0[blocked.place - 1], blocked.m),
    }
}

/// The numbering of states: a permutation as labels, and moves of its pattern's tiles.
pub fn rank(data: &[u8]) {
    let Some((grid, rest)) = grid(data) else { return };
    let Some((&[blank, tiles], rest)) = rest.split_first_chunk() else { return };
    let cells = grid.cells();
    if cells > 16 {
        return;
    }
    let blank = usize::from(blank) % cells;
    let tiles = (0..cells).filter(|&t| t != blank).skip(usize::from(tiles) / 8 % 8);
    let count = usize::from(data[3]) % 6 + 1;
    let Ok(pattern) = Pattern::new(grid, blank, tiles.take(count)) else { return };
    let index = index(grid, pattern.len());
    // Fisher and Yates, drawn from the bytes.
    let mut labels: Vec<u8> = (0..cells as u8).collect();
    for (last, &byte) in (1..cells).rev().zip(rest) {
        labels.swap(last, usize::from(byte) % (last + 1));
    }
    for &byte in rest.iter().skip(cells).take(64) {
        let state = index.state(&pattern, &labels);
        let set = index.set(state.mask);
        assert_eq!(index.mask(set), state.mask);
        assert!(set < index.sets() && index.cohort(set, state.blank) < index.cohorts());
        let order = index.orders().unrank(state.rank);
        assert_eq!(index.orders().rank(&order[..pattern.len()]), state.rank);
        // A move, and the transition that stands for it.
        let Some(from) = grid.source(state.blank, Move::ALL[usize::from(byte) % 4]) else {
            continue;
        };
        let moves_pattern = state.mask >> from & 1 == 1;
        labels.swap(from, state.blank);
        let next = index.state(&pattern, &labels);
        if moves_pattern {
            let row = index.row(state.mask, from, state.blank);
            assert_eq!(index.orders().after(row, state.rank), next.rank);
            assert_ne!(index.colour(state.mask), index.colour(next.mask));
        } else {
            assert_eq!((next.mask, next.rank), (state.mask, state.rank));
            assert_eq!(index.cohort(set, next.blank), index.cohort(set, state.blank));
        }
    }
}
