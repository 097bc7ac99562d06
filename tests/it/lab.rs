//! The laboratory: contenders from the library and from outside, records, intervals, and what is said of a
//! heuristic.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use taquin::lab::{
    self, Case, Contender, Contest, Entry, Error, Record, Search, Settings, Suite, Tried,
};
use taquin::{Board, Cancel, Goal, Method, Metric, Store};

fn goal(name: &str, size: &str) -> Goal {
    Goal::named(name, size.parse().unwrap()).unwrap()
}

fn random(size: &str, count: usize) -> Suite {
    Suite::random(goal("blank-last", size), Metric::Single, count, 7)
}

fn entries(list: &str, suite: &Suite, settings: &Settings) -> Result<Vec<Entry>, Error> {
    let contenders = Contender::parse_list(list).unwrap();
    let load = |contender| Entry::load(contender, suite, &Store::memory(), settings, |_| ());
    contenders.iter().map(load).collect()
}

/// Finds the optimal length of each board.
fn solve(suite: &mut Suite) {
    let solver = taquin::Solver::builder().store(Store::memory()).build().unwrap();
    for case in &mut suite.cases {
        case.known = Some(solver.solve(&case.board).unwrap().len() as u32);
    }
}

/// The boards tried, and how the run ended.
fn run(entries: &[Entry], suite: &Suite, settings: Settings) -> (Vec<Tried>, Result<(), Error>) {
    let cancel = &Cancel::new();
    Contest { entries, suite, settings, cancel, distances: None, record: None }.run(&|_| ())
}

/// All boards tried by all contenders.
#[track_caller]
fn tried(list: &str, suite: &Suite, settings: Settings) -> (Vec<Entry>, Vec<Tried>) {
    let entries = entries(list, suite, &settings).unwrap();
    let (tried, ended) = run(&entries, suite, settings);
    ended.unwrap();
    (entries, tried)
}

/// Korf's node counts for Manhattan distance, exactly: see `korf1985` in docs/LAB.md.
#[test]
fn korfs_node_counts_of_1985() {
    korfs_node_counts(6_000_000, 18);
}

/// All hundred: 36,302,808,031 nodes.
#[test]
#[ignore = "takes eight minutes"]
fn korfs_node_counts_of_1985_in_full() {
    korfs_node_counts(u64::MAX, 100);
}

fn korfs_node_counts(below: u64, boards: usize) {
    let published: Vec<u64> = include_str!("../data/korf100_nodes.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap())
        .collect();
    assert_eq!(published.iter().sum::<u64>(), 36_302_808_031);
    let all = Suite::named("korf100", Metric::Single).unwrap();
    let feasible = all.cases.iter().zip(&published).filter(|(_, nodes)| **nodes < below);
    let (cases, nodes): (Vec<Case>, Vec<u64>) = feasible.map(|(c, n)| (c.clone(), *n)).unzip();
    let suite = Suite::new("korf", all.goal.clone(), Metric::Single, cases);
    let settings = Settings { threads: 2, ..Settings::default() };
    let (_, tried) = tried("korf1985", &suite, settings);
    let counted: Vec<u64> = tried.iter().map(|board| board.trials[0].generated).collect();
    assert_eq!((counted.len(), counted), (boards, nodes));
}

#[test]
fn a_name_means_one_search() {
    let suite = random("3x3", 20);
    let list =
        "standard,ida:4-4:mirror,plain:4-4:mirror,4-4:mirror:plain,astar:manhattan,values:4-4";
    let (entries, tried) = tried(list, &suite, Settings::default());
    let rows = lab::rows(&entries, &tried);
    let names: Vec<_> = rows.iter().map(|row| row.about.contender.as_str()).collect();
    let whole = "ida:standard,ida:4-4:mirror,plain:4-4:mirror,plain:4-4:plain:mirror,astar:manhattan,values:4-4";
    assert_eq!(names.join(","), whole);
    assert_eq!((rows[0].nodes, rows[0].about.ran.as_str()), (rows[1].nodes, "4-4:mirror"));
    assert!(rows[1].nodes < rows[2].nodes && rows[2].nodes < rows[3].nodes);
    assert_eq!((rows[5].solved, rows[5].unsolved, rows[5].nodes), (0, 0, None));
    // Tables are named by their checksums, as in pdb/CHECKSUMS.
    let checksums = include_str!("../../pdb/CHECKSUMS");
    for row in &rows[..3] {
        assert_eq!((row.about.tables.len(), row.about.tables == rows[0].about.tables), (2, true));
        let known =
            |t: &lab::TableRecord| checksums.contains(&format!("{}  {}", t.checksum, t.table));
        assert!(row.about.tables.iter().all(known), "{:?}", row.about.tables);
    }
    assert!(rows[3].about.tables.iter().all(|t| t.table.ends_with(":plain") && t.bytes > 0));
}

#[test]
fn a_run_ends_when_the_interval_is_narrow() {
    let suite = random("3x3", 5000);
    let settings = Settings { until: Some(0.1), threads: 2, ..Settings::default() };
    let (entries, boards) = tried("manhattan,4-4:mirror", &suite, settings);
    assert!((30..2000).contains(&boards.len()), "{}", boards.len());
    let row = &lab::rows(&entries, &boards)[1];
    let (ratio, (low, high)) = (row.nodes_ratio.unwrap(), row.nodes_ratio_interval.unwrap());
    assert!(ratio - low <= 0.1 * ratio && high - ratio <= 0.1 * ratio, "{low} {ratio} {high}");
    // The same boards with any number of threads.
    let settings = Settings { until: Some(0.1), ..Settings::default() };
    assert_eq!(tried("manhattan,4-4:mirror", &suite, settings).1.len(), boards.len());
    // The ratio over many more boards is in the interval.
    let settings = Settings { threads: 2, ..Settings::default() };
    let (entries, all) = tried("manhattan,4-4:mirror", &random("3x3", 3000), settings);
    let whole = lab::rows(&entries, &all)[1].nodes_ratio.unwrap();
    assert!((0.9 * low..1.1 * high).contains(&whole), "{low} {whole} {high}");
}

#[test]
fn no_board_is_tried_after_a_fault() {
    let (suite, settings) = (random("3x3", 9), Settings::default());
    let calls = Arc::new(AtomicUsize::new(0));
    let seen = calls.clone();
    let call = move |boards: &[Board]| match seen.fetch_add(1, Ordering::Relaxed) {
        3 => Err("the fourth batch".to_owned()),
        _ => Ok(vec![0.0; boards.len()]),
    };
    let entry = Entry::of_function("f", Search::Values, &suite, &settings, call).unwrap();
    let (boards, ended) = run(&[entry], &suite, settings);
    assert!(ended.unwrap_err().to_string().contains("the fourth batch"));
    // Batches of 1, 1 and 2 boards.
    assert_eq!((boards.len(), calls.load(Ordering::Relaxed)), (4, 4));
}

/// Without a search, a function values many boards at once.
#[test]
fn values_alone_are_asked_in_batches() {
    let (suite, settings) = (random("3x3", 100), Settings { batch: 20, ..Settings::default() });
    let sizes = Arc::new(Mutex::new(Vec::new()));
    let seen = sizes.clone();
    let call = move |boards: &[Board]| {
        seen.lock().unwrap().push(boards.len());
        Ok(boards.iter().map(|board| f64::from(board.tiles()[0])).collect())
    };
    let function = || Entry::of_function("f", Search::Values, &suite, &settings, call.clone());
    let (boards, ended) = run(&[function().unwrap()], &suite, settings.clone());
    ended.unwrap();
    assert_eq!(*sizes.lock().unwrap(), [1, 1, 2, 4, 8, 16, 20, 20, 20, 8]);
    assert!(boards.iter().map(|board| board.number).eq(1..=100));
    for (board, case) in boards.iter().zip(&suite.cases) {
        assert_eq!(board.trials[0].h, f64::from(case.board.tiles()[0]));
    }
    // Beside a search, boards are tried one after the other.
    sizes.lock().unwrap().clear();
    let mut both = entries("manhattan", &suite, &settings).unwrap();
    both.push(function().unwrap());
    run(&both, &suite, settings.clone()).1.unwrap();
    assert_eq!(*sizes.lock().unwrap(), [1; 100]);
}

#[test]
fn nothing_is_measured_without_contenders() {
    let (suite, settings) = (random("3x3", 3), Settings::default());
    let (boards, ended) = run(&[], &suite, settings.clone());
    ended.unwrap();
    assert!(lab::rows(&[], &boards).is_empty());
    let provenance = lab::Provenance::now(&suite, &settings, Vec::new());
    let record = Record::new(&suite, &[], &boards, Vec::new(), Vec::new(), provenance);
    assert!(lab::table(&suite, &record).starts_with("random:3:7: 3 3x3 boards\n"));
}

/// Searches with values from outside count single moves.
#[test]
fn functions_do_not_search_slides() {
    let suite = Suite::random(goal("blank-last", "3x3"), Metric::Multi, 1, 7);
    let of = |search| {
        let zeros = |boards: &[Board]| Ok(vec![0.0; boards.len()]);
        Entry::of_function("f", search, &suite, &Settings::default(), zeros)
    };
    assert!(of(Search::Values).is_ok());
    assert!(matches!(of(Search::By(Method::Plain)), Err(Error::Refused(_))));
}

#[test]
fn true_distances_show_what_a_heuristic_is() {
    let mut suite = random("3x3", 200);
    solve(&mut suite);
    let list = "values:manhattan,values:4-4:mirror,values:4-4:plain";
    let (entries, boards) = tried(list, &suite, Settings::default());
    let truth = lab::compare(&entries, &suite, &boards, &Cancel::new()).unwrap();
    for (of, consistent) in truth.iter().zip([true, true, false]) {
        assert_eq!((of.boards, of.violations, of.worst.is_none()), (200, 0, true));
        assert_eq!((of.inconsistent == 0, of.worst_edge.is_none()), (consistent, consistent));
        assert!(
            of.edges == 5000 && of.correlation.unwrap() > 0.2 && of.average_gap >= Some(0.0),
            "{of:?}"
        );
        assert_eq!(of.by_distance.iter().map(|(_, boards, _)| boards).sum::<usize>(), 200);
    }
    assert!(truth[1].h_over_distance > truth[0].h_over_distance);
}

/// A solved board has no h divided by distance, and a record of it is read back.
#[test]
fn a_comparison_without_numbers_is_recorded() {
    let goal = goal("blank-last", "3x3");
    let case = Case { board: goal.board().clone(), known: Some(0) };
    let suite = Suite::new("goal", goal, Metric::Single, vec![case]);
    let settings = Settings { batch: 10, weight: 0.5, ..Settings::default() };
    let (entries, boards) = tried("values:manhattan", &suite, settings.clone());
    let truth = lab::compare(&entries, &suite, &boards, &Cancel::new()).unwrap();
    assert_eq!((truth[0].h_over_distance, truth[0].average_error), (None, Some(0.0)));
    let provenance = lab::Provenance::now(&suite, &settings, Vec::new());
    let record = Record::new(&suite, &entries, &boards, Vec::new(), truth, provenance);
    let table = lab::table(&suite, &record);
    assert!(table.contains("  -  ") && !table.contains("NaN"), "{table}");
    let text = serde_json::to_string(&record).unwrap();
    let read = Record::read(text.as_bytes()).unwrap();
    assert_eq!(read.truth, record.truth);
    let (_, _, again) = read.again().unwrap();
    assert_eq!((again.batch, again.weight), (10, 0.5));
    for (from, to) in
        [("\"schema\":4", "\"schema\":3"), ("\"size\":\"3x3\"", "\"size\":\"4x4\""), ("{", "[")]
    {
        let read = Record::read(text.replacen(from, to, 1).as_bytes());
        assert!(read.and_then(|record| record.again().map(drop)).is_err(), "{from}");
    }
    // An older record has neither.
    let older = text.replace("\"batch\":10,\"weight\":0.5,", "");
    assert!(older.len() < text.len(), "{text}");
    let (_, _, again) = Record::read(older.as_bytes()).unwrap().again().unwrap();
    assert_eq!((again.batch, again.weight), (1000, 1.0));
}

/// Korf, Reid & Edelkamp's prediction is what iterations expand that do not stop at the goal.
#[test]
fn predictions_are_near_the_measured_nodes() {
    let suite = random("4x3", 1);
    let entries = entries("values:manhattan", &suite, &Settings::default()).unwrap();
    let chains = AtomicUsize::new(0);
    let watch = |step: lab::Step<'_>| {
        chains.fetch_add(usize::from(matches!(step, lab::Step::Ends)), Ordering::Relaxed);
    };
    let values = lab::measure(&entries, &suite, 20_000, &Cancel::new(), &watch).unwrap();
    assert_eq!(chains.into_inner(), lab::CHAINS);
    let values = values[0].as_ref().unwrap();
    let shares: f64 = values.equilibrium.iter().map(|(_, share)| share).sum();
    assert!((shares - 1.0).abs() < 0.02, "{shares}");
    let last = values.predictions.last().unwrap();
    assert!(last.measured_error < 0.2 * last.measured, "{last:?}");
    let error = last.measured_error.hypot(last.error);
    assert!((last.predicted - last.measured).abs() < 3.0 * error, "{last:?}");
}

/// Programs as the shell runs them.
#[cfg(unix)]
mod programs {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// The Manhattan distance on 3×3 for the goal with the blank last.
    const TEN_LINES: &str = r#"#!/bin/sh
while read -r line; do
    h=0 cell=0
    for tile in $line; do
        row=$(((tile - 1) / 3 - cell / 3)) column=$(((tile - 1) % 3 - cell % 3))
        [ "$tile" = 0 ] || h=$((h + ${row#-} + ${column#-}))
        cell=$((cell + 1))
    done
    [ -z "$line" ] || echo "$h"
done
"#;

    fn program(text: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("h");
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        let name = format!("program:{}", file.display());
        (folder, name)
    }

    #[test]
    fn ten_lines_are_a_heuristic() {
        assert_eq!(TEN_LINES.lines().count(), 10);
        let (_folder, name) = program(TEN_LINES);
        let mut suite = random("3x3", 6);
        solve(&mut suite);
        suite.cases.retain_mut(|case| case.known.take() <= Some(22));
        let settings = Settings { batch: 200, ..Settings::default() };
        let mut all = entries("manhattan,astar:manhattan", &suite, &settings).unwrap();
        for search in ["values:", "plain:", "astar:"] {
            all.extend(entries(&format!("{search}{name}"), &suite, &settings).unwrap());
        }
        let (boards, ended) = run(&all, &suite, settings);
        ended.unwrap();
        assert!(boards.len() > 2);
        for board in &boards {
            let [ida, astar, values, their_ida, their_astar] = &board.trials[..] else { panic!() };
            assert!([values, their_ida, their_astar].iter().all(|trial| trial.h == ida.h));
            assert_eq!((their_ida.length, their_astar.length), (ida.length, astar.length));
            // Values from outside prove nothing.
            assert_eq!((their_ida.bound, values.length), (None, None));
        }
        let rows = lab::rows(&all, &boards);
        assert_eq!((rows[3].average_excess, rows[0].average_excess), (Some(0.0), None));
        let truth = lab::compare(&all, &suite, &boards, &Cancel::new()).unwrap();
        assert_eq!((truth[2].violations, truth[2].inconsistent), (0, 0));
        assert!(truth[2].edges > 0);
    }

    /// Processes that a program has started end with it.
    #[test]
    fn the_children_of_a_program_end_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let number = folder.path().join("number");
        // The child would outlive a program that is killed, and one that ends.
        for end in ["wait", "exit 3"] {
            let (_folder, name) =
                program(&format!("#!/bin/sh\nsleep 60 & echo $! >{}\n{end}\n", number.display()));
            let suite = random("3x3", 1);
            let answer_time = Duration::from_millis(300);
            let settings = Settings { answer_time, ..Settings::default() };
            let entries = entries(&name, &suite, &settings).unwrap();
            run(&entries, &suite, settings).1.unwrap_err();
            let number: i32 = std::fs::read_to_string(&number).unwrap().trim().parse().unwrap();
            let status = || std::fs::read_to_string(format!("/proc/{number}/stat"));
            let ends = Instant::now() + Duration::from_secs(10);
            // Without a parent that waits for it, it may stay as a zombie.
            while status().is_ok_and(|text| !text.contains(") Z ")) {
                assert!(Instant::now() < ends, "{end}: {:?}", status());
                thread::sleep(Duration::from_millis(10));
            }
        }
    }

    /// One clear error, and the boards before the fault are not lost.
    #[test]
    fn a_wrong_program_is_named() {
        let suite = random("3x3", 6);
        let begin = Instant::now();
        let answers =
            |text: &str| format!("while read -r b; do [ -z \"$b\" ] || echo {text}; done");
        let cases = [
            ("read -r b; echo out of luck >&2; exit 3", "after 0 of 1 values: out of luck"),
            (&answers("five"), "answers \"five\", which is not a finite number"),
            (&answers("nan"), "answers \"nan\""),
            (&answers("-1"), "answers \"-1\""),
            (&answers("1e300"), "\"1e300\", which is above"),
            ("while read -r b; do echo 0; done", "writes more lines than it reads boards"),
            ("exec sleep 60", "wrote 0 of 1 values within "),
            ("exec sleep 60 >&-", "closed its output after 0 of 1 values"),
            ("tr -d '\\n' </dev/zero", "answers a line of 200 bytes or more"),
            // Its first piece is a number.
            ("yes 5 | tr -d '\\n'", "answers a line of 200 bytes or more"),
        ];
        // All are written before one starts: a file that is being written cannot be executed.
        let cases = cases.map(|case| (case, program(&format!("#!/bin/sh\n{}\n", case.0))));
        let check = |(text, message): (&str, &str), name: &str| {
            let answer_time = Duration::from_secs(1);
            let settings = Settings { answer_time, ..Settings::default() };
            let entries = entries(&format!("manhattan,{name}"), &suite, &settings).unwrap();
            let (boards, ended) = run(&entries, &suite, settings);
            let error = ended.expect_err(text).to_string();
            let is_named = error.starts_with("the program \"/") && error.contains(message);
            assert!(is_named, "{text}: {error}");
            // Too many lines are noticed soon, but perhaps after some boards.
            assert!(boards.is_empty() || message.contains("more lines"), "{text}");
        };
        // Most of them wait.
        thread::scope(|scope| {
            for (case, (_folder, name)) in &cases {
                scope.spawn(move || check(*case, name));
            }
        });
        assert!(begin.elapsed() < Duration::from_secs(20));
        let missing = entries("program:/no/such/program", &suite, &Settings::default());
        assert!(missing.err().unwrap().to_string().contains("cannot be started"));
    }
}
