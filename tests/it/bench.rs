//! `taquin bench` as users and scripts meet it. What it refuses is in the transcripts.

use std::fs;

use serde_json::Value;

use crate::process::Run;

fn bench(args: &[&str]) -> Run {
    Run::of_taquin(&[&["bench"], args].concat(), "")
}

/// The objects of a bench that went well.
#[track_caller]
fn objects(args: &[&str]) -> Vec<Value> {
    let run = bench(&[&["--json"], args].concat());
    assert_eq!((run.code, &*run.err), (0, ""), "{run:#?}");
    run.objects()
}

#[test]
fn a_bench_has_a_row_a_heuristic() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, svg) = (folder.path().join("trials.csv"), folder.path().join("curves.svg"));
    let set = ["--size", "3x3", "--set", "random:40:7", "--threads", "2"];
    let list = "manhattan,linear-conflict,4-4:plain,4-4,4-4:mirror,standard";
    let files = ["--csv", csv.to_str().unwrap(), "--svg", svg.to_str().unwrap()];
    let rows = objects(&[&set[..], &["--heuristics", list], &files].concat());
    let names: Vec<&str> = rows.iter().map(|row| row["heuristic"].as_str().unwrap()).collect();
    assert_eq!(names, list.split(',').collect::<Vec<_>>());
    let ran: Vec<&str> = rows.iter().map(|row| row["ran"].as_str().unwrap()).collect();
    assert_eq!((&ran[..5], ran[5]), (&names[..5], "4-4:mirror"));
    let number = |row: usize, field: &str| rows[row][field].as_f64().unwrap();
    for (row, object) in rows.iter().enumerate() {
        assert_eq!((&object["schema"], &object["set"]), (&4.into(), &"random:40:7".into()));
        assert_eq!((&object["boards"], &object["solved"]), (&40.into(), &40.into()));
        assert_eq!(object["unsolved"], 0);
        assert!((number(row, "nodes") / 40.0 - number(row, "average_nodes")).abs() < 1e-9);
        assert!(number(row, "average_gap") >= 0.0);
        // h and the gap add up to the same optimal lengths in every row.
        let optimal = |row| number(row, "average_h") + number(row, "average_gap");
        assert!((optimal(row) - optimal(0)).abs() < 1e-9);
    }
    assert_eq!((number(0, "nodes_ratio"), number(0, "time_ratio")), (1.0, 1.0));
    for row in 1..rows.len() {
        assert!(number(row, "average_h") >= number(row - 1, "average_h") - f64::from(row == 2));
        let ratio = number(row, "nodes") / number(0, "nodes");
        assert!((number(row, "nodes_ratio") - ratio).abs() < 1e-9);
    }
    assert!(number(4, "nodes") < number(3, "nodes") && number(3, "nodes") < number(2, "nodes"));
    // The same tables; the search of `solve` leaves out more.
    assert_eq!(number(5, "average_h"), number(4, "average_h"));
    assert!(number(5, "nodes") <= number(4, "nodes"));

    let csv = fs::read_to_string(csv).unwrap();
    assert!(
        csv.starts_with("set,number,board,optimal,heuristic,h,solved,pair,generated,expanded,")
    );
    assert_eq!(csv.lines().count(), 1 + 40 * rows.len());
    let total = |name: &str| -> f64 {
        let of = csv.lines().filter(|line| line.split(',').nth(4) == Some(name));
        of.map(|line| line.split(',').nth(8).unwrap().parse::<f64>().unwrap()).sum()
    };
    assert_eq!(total("4-4:mirror"), number(4, "nodes"));
    let svg = fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
    assert_eq!(svg.matches("<path ").count(), rows.len());

    // Nodes do not depend on threads, and the table has the same rows.
    let again = objects(&["--size", "3x3", "--set", "random:40:7", "--heuristics", list]);
    let nodes = |rows: &[Value]| rows.iter().map(|row| row["nodes"].clone()).collect::<Vec<_>>();
    assert_eq!(nodes(&again), nodes(&rows));
    let table = bench(&["--size", "3x3", "--set", "random:40:7", "--heuristics", list]).out;
    for name in names {
        assert!(table.lines().any(|line| line.starts_with(&format!("{name} "))), "{table}");
    }
}

#[test]
fn what_is_not_solved_in_time_is_counted() {
    let list = "walking-distance,linear-conflict";
    let rows = objects(&["--heuristics", list, "--node-limit", "20000", "--threads", "2"]);
    for row in &rows {
        let count = |field: &str| row[field].as_u64().unwrap();
        assert_eq!(count("boards"), 100);
        assert_eq!(count("solved") + count("unsolved"), 100);
        assert!(count("unsolved") > 90 && count("nodes") >= 20_000 * count("unsolved"));
        // The lengths of the set are known, so the gap is that of all boards.
        let mean = row["average_h"].as_f64().unwrap() + row["average_gap"].as_f64().unwrap();
        assert!((mean - 53.05).abs() < 1e-9);
    }
    let table = bench(&["--heuristics", list, "--node-limit", "1000"]).out;
    assert!(table.contains(">=") && table.contains("searches that a limit ended"), "{table}");
    let timed = objects(&["--heuristics", "manhattan", "--set", "hard15", "--time-limit", "1ms"]);
    assert_eq!(timed[0]["unsolved"], 7);
}

/// Boards of more than 16 cells have a search of their own under the name of the standard one.
#[test]
fn larger_boards_have_a_standard_search() {
    let heuristics = "--heuristics=standard,manhattan";
    let run = bench(&["--json", "--set=random:2", "--size=6x3", "--node-limit=100000", heuristics]);
    let rows = run.objects();
    let value = |row: usize| rows[row]["average_h"].as_f64().unwrap();
    assert!(run.code == 0 && value(0) > value(1), "{run:#?}");
    assert!(rows[0]["nodes"].as_u64().unwrap() > 1000, "{run:#?}");
}

#[test]
fn values_are_averages_with_their_errors() {
    let args = ["--size", "3x3", "--set", "random:3", "--values", "3000"];
    let rows = objects(&[&args[..], &["--heuristics", "manhattan,4-4:mirror"]].concat());
    for (row, expected) in rows.iter().zip([14.0, 19.0]) {
        let values = &row["values"];
        let number = |field: &str| values[field].as_f64().unwrap();
        assert!((number("average_h") - expected).abs() < 3.0, "{values}");
        let bars = values["histogram"].as_array().unwrap();
        assert_eq!(bars.iter().map(|bar| bar[1].as_u64().unwrap()).sum::<u64>(), 3000);
        assert!(number("quality") > 0.0 && number("quality_error") < number("quality"));
    }
    // +- of the table is the 95 % interval, and a contender without searches has no speed.
    let alone = [&args[..], &["--heuristics", "values:manhattan"]].concat();
    let table = bench(&alone).out;
    let of = &objects(&alone)[0]["values"];
    let side = 1.96 * of["error"].as_f64().unwrap();
    let average = of["average_h"].as_f64().unwrap();
    assert!(table.contains(&format!("  {average:.3} +- {side:.3}  ")), "{table}");
    let line = table.lines().find(|line| line.starts_with("values:manhattan")).unwrap();
    assert_eq!(line.split_whitespace().nth(9), Some("-"), "{line}");
    // Over all positions the Manhattan distance averages 14, by the symmetry of the space.
    let manhattan = &rows[0]["values"];
    let off = (manhattan["average_h"].as_f64().unwrap() - 14.0).abs();
    assert!(off < 4.0 * manhattan["error"].as_f64().unwrap(), "{manhattan}");
    let quality = |row: usize| rows[row]["values"]["quality"].as_f64().unwrap();
    assert!(quality(1) < quality(0));
}

/// The time before the searches is not theirs.
#[test]
fn the_time_of_the_searches_is_in_the_record() {
    let rows = objects(&["--heuristics=values:manhattan"]);
    let budget = rows[0]["provenance"]["budget"].as_f64().unwrap();
    assert!((2.0..10.0).contains(&budget), "{budget}");
}

/// The same counts are found again, and others are named.
#[test]
fn a_record_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let record = path("r.json");
    let rows = objects(&[
        "--size=3x3",
        "--set=random:10:3",
        "--heuristics=manhattan,astar:manhattan",
        "--heuristics=search:4-4:mirror,values:4-4",
        "--values=500",
        "--against=distances",
        "--record",
        &record,
    ]);
    let origin = &rows[0]["provenance"];
    assert_eq!(
        (&origin["metric"], &origin["goal"]),
        (&"single".into(), &"1 2 3 / 4 5 6 / 7 8 0".into())
    );
    assert!(rows.iter().all(|row| row["truth"]["violations"] == 0));
    assert_eq!(rows[2]["tables"].as_array().unwrap().len(), 2);
    let text = |file: &str| fs::read_to_string(file).unwrap();

    let replay = || bench(&["--replay", &record]);
    let out = replay().fine();
    assert!(out.ends_with("40 searches compared with the record: all are the same\n"), "{out}");
    let mut value: Value = serde_json::from_str(&text(&record)).unwrap();
    value["boards"][3]["trials"][1]["generated"] = 7.into();
    value["summary"][2]["tables"][0]["checksum"] = "0".into();
    fs::write(&record, value.to_string()).unwrap();
    let out = replay().expect(1, "").out;
    assert!(out.contains("\nboard 4, astar:manhattan: h "), "{out}");
    assert!(out.contains("\nsearch:4-4:mirror: the tables differ\n"), "{out}");
    assert!(out.ends_with("40 searches compared with the record: 2 differences\n"), "{out}");
    fs::write(&record, "{}").unwrap();
    replay().expect(2, "this is not a record of a bench").expect(2, "give a file of --record");
}

/// A search that a limit of time ended is not repeated, but counts as in its record.
#[test]
fn a_replay_keeps_what_it_does_not_repeat() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (old, new) = (path("old.json"), path("new.json"));
    let list = "--heuristics=manhattan,values:linear-conflict";
    let rows = objects(&["--set=hard15", list, "--time-limit=1ms", "--record", &old]);
    let run = bench(&["--replay", &old, "--json", "--record", &new]);
    assert_eq!(run.err, "7 searches compared with the record: all are the same\n");
    assert_eq!(run.code, 0);
    let again = run.objects();
    for field in ["heuristic", "boards", "solved", "unsolved", "average_h", "average_gap", "nodes"]
    {
        assert_eq!((&again[0][field], &again[1][field]), (&rows[0][field], &rows[1][field]));
    }
    assert_eq!(
        (&again[0]["unsolved"], &again[0]["provenance"]["time_limit"]),
        (&7.into(), &0.001.into())
    );
    let read =
        |path: &str| -> Value { serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap() };
    assert_eq!(read(&old)["boards"], read(&new)["boards"]);
    // Its value is compared.
    let mut value = read(&old);
    value["boards"][2]["trials"][0]["h"] = 7.into();
    fs::write(&old, value.to_string()).unwrap();
    let out = bench(&["--replay", &old]).expect(1, "").out;
    assert!(out.contains("\nboard 3, manhattan: h 7 in the record, h "), "{out}");
}

/// A board that cannot reach the goal is left out and counted, and few boards have no interval.
#[test]
fn figures_say_over_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    fs::write(&file, "1 2 3 4 5 6 7 0 8\n2 1 3 4 5 6 7 8 0\n8 6 7 2 5 4 3 0 1\n").unwrap();
    let set = ["--node-limit=1000", "--heuristics=manhattan,linear-conflict", "--set"];
    let args = [&set[..], &[file.to_str().unwrap()]].concat();
    let Run { code, out: table, err } = bench(&args);
    assert_eq!((code, err.matches("line 2: left out, it cannot").count()), (0, 1), "{err}");
    assert!(table.contains(": 2 3x3 boards, without 1 that cannot reach the goal\n"), "{table}");
    assert!(table.contains("  pairs  ") && table.contains("over the pairs"), "{table}");
    assert!(table.contains("are the easy ones"), "{table}");
    let row = &bench(&[&args[..], &["--json", "--csv", "/dev/null"]].concat()).objects()[1];
    assert_eq!((&row["boards"], &row["pairs"], &row["optima"]), (&2.into(), &1.into(), &1.into()));
    assert!(row["nodes_ratio"].is_number() && row["nodes_ratio_interval"].is_null(), "{row}");
    // A limit cut the mean off.
    assert!(row["nodes_interval"].is_null() && row["effective_branching"].is_number(), "{row}");
    // Values alone are neither solved nor unsolved.
    let table = bench(&["--set=random:3", "--size=3x3", "--heuristics=values:manhattan"]).out;
    let line = table.lines().find(|line| line.starts_with("values:manhattan")).unwrap();
    assert!(line.split_whitespace().skip(1).take(2).eq(["-", "-"]), "{line}");
}

/// A fault of a program ends the bench with one message; the boards before it are there.
#[test]
#[cfg(unix)]
fn a_program_that_fails_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("f.csv");
    // It answers three boards.
    let program = "program:for i in 1 2 3; do read -r b; echo 1; read -r b; done; exit 7";
    let set = ["--size=3x3", "--set=random:9", "--heuristics=manhattan", "--heuristics", program];
    let run = bench(&[&set[..], &["--csv", csv.to_str().unwrap()]].concat());
    let Run { out, .. } = run.expect(2, "ended (exit status: 7) after 0 of 1 values");
    assert!(out.contains("9 3x3 boards, 3 of them tried") && out.contains(" 1.00 "), "{out}");
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 1 + 2 * 3);
}
