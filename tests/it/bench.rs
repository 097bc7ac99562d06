//! `taquin bench` and `taquin solve --heuristic` as users and scripts meet them.

use std::ffi::OsStr;
use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

/// A path below a file: nobody can make a folder there, not even the superuser.
const NO_FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml/none");

/// The code, the output and the messages of `taquin` where there are no databases.
fn taquin<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_taquin"))
        .env("TAQUIN_PDB_DIR", NO_FOLDER)
        .stdin(Stdio::null())
        .args(args)
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
    (output.status.code().expect("not killed"), text(output.stdout), text(output.stderr))
}

/// The objects of a bench that went well.
#[track_caller]
fn objects(args: &[&str]) -> Vec<Value> {
    let (code, out, err) = taquin(["bench", "--json"].iter().chain(args));
    assert_eq!((code, &*err), (0, ""), "{args:?}");
    out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn boards_are_solved_with_any_heuristic() {
    let board = "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12";
    for heuristic in [
        "manhattan",
        "linear-conflict",
        "corner-tiles",
        "last-move",
        "manhattan+linear-conflict+corner-tiles+last-move",
        "walking-distance",
        "max(walking-distance,linear-conflict)",
        "4-4-4-3",
        "4-4-4-3:mirror",
        "5-5-5:plain:mirror",
        "1,2,3/4,5,6/7,8,9:plain",
        "max(4-4-4-3:plain,walking-distance,last-move)",
    ] {
        let (code, out, err) =
            taquin(["solve", "--no-build", "--json", "--heuristic", heuristic, board]);
        assert_eq!((code, &*err), (0, ""), "{heuristic}");
        let answer: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((&answer["length"], &answer["optimal"]), (&15.into(), &true.into()));
        assert_eq!(answer["heuristic"], heuristic);
    }
    // A small goal without a mirror, in a stream.
    let solve = ["solve", "--json", "--goal", "1 0 2/3 4 5/6 7 8", "--heuristic", "2,3/4,5:plain"];
    let (code, out, _) = taquin(solve.iter().chain(&["0 1 2/3 4 5/6 7 8", "1 4 2/3 0 5/6 7 8"]));
    assert_eq!(
        (code, out.matches("\"optimal\":true,\"metric\":\"single\",\"length\":1,").count()),
        (0, 2)
    );
}

#[test]
fn nonsense_of_heuristics_is_refused_with_what_there_is() {
    let board = "5 2 4 8 / 10 0 3 14 / 13 6 11 12 / 1 15 9 7";
    for (heuristic, code, message) in [
        ("manhatten", 2, "did you mean manhattan?"),
        ("walking-distance+linear-conflict", 2, "would not be admissible"),
        ("7-8+manhattan", 2, "would not be admissible"),
        ("7-9", 2, "7-8, 7-8b, 7-8c, 6-6-3, 5-5-5, 4-4-4-3"),
        ("1,2/2,3", 2, "tile 2 appears twice"),
        ("1,99", 2, "no tile 99"),
        ("manhattan:mirror", 2, "only tables"),
        ("max(manhattan", 2, "')' is missing"),
        ("5-5-5", 3, "pdb-gen build --size 4x4 --partition 5-5-5"),
    ] {
        let (found, out, err) = taquin(["solve", "--no-build", "--heuristic", heuristic, board]);
        assert_eq!((found, &*out), (code, ""), "{heuristic}: {err}");
        // Messages of the arguments are wrapped.
        let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(err.contains(message), "{heuristic}: {err}");
        let (found, out, _) = taquin(["bench", "--no-build", "--heuristics", heuristic]);
        assert_eq!((found, &*out), (code, ""), "{heuristic}");
    }
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
    let (_, table, _) =
        taquin(["bench", "--size", "3x3", "--set", "random:40:7", "--heuristics", list]);
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
    let (_, table, _) = taquin(["bench", "--heuristics", list, "--node-limit", "1000"]);
    assert!(table.contains(">=") && table.contains("searches that a limit ended"), "{table}");
    let timed = objects(&["--heuristics", "manhattan", "--set", "hard15", "--time-limit", "1ms"]);
    assert_eq!(timed[0]["unsolved"], 7);
}

/// Boards of more than 16 cells have a search of their own under the name of the standard one.
#[test]
fn larger_boards_have_a_standard_search() {
    let list = ["--heuristics", "standard,manhattan"];
    let args = ["bench", "--json", "--set", "random:2", "--size", "6x3", "--node-limit", "100000"];
    let (code, out, err) = taquin(args.iter().chain(&list));
    assert_eq!(code, 0, "{err}");
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let value = |row: usize| rows[row]["average_h"].as_f64().unwrap();
    assert!(value(0) > value(1), "{out}");
    assert!(rows[0]["nodes"].as_u64().unwrap() > 1000, "{out}");
}

#[test]
fn values_are_averages_with_their_errors() {
    let args = ["--size", "3x3", "--set", "random:3", "--values", "3000"];
    let rows = objects(&[&args[..], &["--heuristics", "manhattan,4-4:mirror"]].concat());
    for (row, expected) in rows.iter().zip([14.0, 19.0]) {
        let values = &row["values"];
        let number = |field: &str| values[field].as_f64().unwrap();
        assert!((number("average_h") - expected).abs() < 3.0, "{values}");
        let counted: u64 = values["histogram"]
            .as_array()
            .unwrap()
            .iter()
            .map(|bar| bar[1].as_u64().unwrap())
            .sum();
        assert_eq!(counted, 3000);
        assert!(number("quality") > 0.0 && number("quality_error") < number("quality"));
    }
    // +- of the table is the 95 % interval, and a contender without searches has no speed.
    let list = ["--heuristics", "values:manhattan"];
    let (_, table, _) = taquin(["bench"].iter().chain(&args).chain(&list));
    let of = &objects(&[&args[..], &list].concat())[0]["values"];
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

#[test]
fn nonsense_of_a_bench_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    let file = file.to_str().unwrap();
    for (text, message) in [
        ("1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 7 0\n", "line 2: the set is refused: "),
        ("2 1 3 4 5 6 7 8 0\n", "line 1: left out, it cannot reach the goal"),
        ("1 2 3 4 5 6 7 8 0\n1 2 3 0\n", "a 2x2 board among 3x3 boards"),
        ("# nothing\n", "there is no board in"),
    ] {
        fs::write(file, text).unwrap();
        let (code, out, err) = taquin(["bench", "--set", file, "--heuristics", "manhattan"]);
        assert_eq!((code, &*out), (2, ""), "{text}");
        assert!(err.contains(message), "{text}: {err}");
    }
    let (code, _, err) = taquin(["bench", "--set", folder.path().to_str().unwrap()]);
    assert_eq!((code, err.matches("(os error").count()), (2, 1), "{err}");
    for (args, code, message) in [
        (
            &["--set", "korf99"][..],
            2,
            "write korf100, antipodes80, hard15, multi43, korf24, random:N",
        ),
        (&["--set", "random:0"], 2, "N from 1 to"),
        (&["--set", "korf100", "--goal", "spiral"], 2, "a goal and a size of its own"),
        (&["--heuristics", "manhattan,manhattan"], 2, "manhattan appears twice"),
        (&["--heuristics", ""], 2, "missing altogether"),
        (&["--until", "2%", "--heuristics", "manhattan"], 2, "--until is for the ratio of two"),
        (&["--until", "2%", "--heuristics", "values:manhattan,4-4-4-3"], 2, "the first with a"),
        (&["--json", "--record", "-", "--heuristics", "manhattan"], 2, "give --record a file"),
        (&["--values", "1"], 2, "--values"),
        (&["--threads", "0"], 2, "--threads"),
        (&["--time-limit", "soon"], 2, "--time-limit"),
        (&["--csv", "/no/such/folder/x.csv", "--heuristics", "manhattan"], 2, "cannot write"),
        (
            &["--size", "5x5", "--set", "random:1", "--heuristics", "walking-distance"],
            2,
            "too large",
        ),
        (&["--size", "4x3", "--set", "random:1", "--heuristics", "portfolio"], 2, "is for 4x4"),
        (&["--size", "2x2", "--set", "random:1"], 2, "25 cells: give --heuristics manhattan"),
        (&["--size", "6x6", "--set", "random:1"], 2, "standard is for boards of 6 to 25 cells"),
        (&["--set", "korf24", "--no-build"], 3, "5x5"),
        // Another heuristic does not take part under the name of the standard one.
        (
            &[
                "--goal",
                "1 0 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15",
                "--set",
                "random:1",
                "--no-build",
            ],
            3,
            "--blank 1",
        ),
    ] {
        let (found, out, err) = taquin(["bench"].iter().chain(args));
        assert_eq!((found, &*out), (code, ""), "{args:?}: {err}");
        assert!(err.contains(message), "{args:?}: {err}");
    }
}

/// The time before the searches is not theirs.
#[test]
fn the_time_of_the_searches_is_in_the_record() {
    let rows = objects(&["--heuristics=values:manhattan"]);
    let budget = rows[0]["provenance"]["budget"].as_f64().unwrap();
    assert!((2.0..10.0).contains(&budget), "{budget}");
}

/// A set that is too small for the interval asked for is a note, not a failure.
#[test]
fn an_interval_that_is_not_reached_is_noted() {
    let heuristics = "--heuristics=manhattan,4-4:mirror";
    let args = ["bench", "--size=3x3", "--set=random:40", "--until=7%", heuristics];
    let (code, _, err) = taquin(args);
    assert_eq!(code, 0, "{err}");
    assert!(
        err.starts_with("taquin: --until 7% is not reached after 40 boards: the widest"),
        "{err}"
    );
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

    let (code, out, err) = taquin(["bench", "--replay", &record]);
    assert_eq!((code, &*err), (0, ""));
    assert!(out.ends_with("40 searches compared with the record: all are the same\n"), "{out}");
    let mut value: Value = serde_json::from_str(&text(&record)).unwrap();
    value["boards"][3]["trials"][1]["generated"] = 7.into();
    value["summary"][2]["tables"][0]["checksum"] = "0".into();
    fs::write(&record, value.to_string()).unwrap();
    let (code, out, _) = taquin(["bench", "--replay", &record]);
    assert_eq!(code, 1);
    assert!(out.contains("\nboard 4, astar:manhattan: h "), "{out}");
    assert!(out.contains("\nsearch:4-4:mirror: the tables differ\n"), "{out}");
    assert!(out.ends_with("40 searches compared with the record: 2 differences\n"), "{out}");
    fs::write(&record, "{}").unwrap();
    let (code, _, err) = taquin(["bench", "--replay", &record]);
    assert!(code == 2 && err.contains("this is not a record of a bench"), "{err}");
    assert!(err.contains("give a file of --record"), "{err}");
    let (code, _, err) = taquin(["bench", "--replay", &record, "--set", "korf100"]);
    assert!(code == 2 && err.contains("cannot be used with"), "{err}");
}

/// A search that a limit of time ended is not repeated, but counts as in its record.
#[test]
fn a_replay_keeps_what_it_does_not_repeat() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (old, new) = (path("old.json"), path("new.json"));
    let list = "--heuristics=manhattan,values:linear-conflict";
    let rows = objects(&["--set=hard15", list, "--time-limit=1ms", "--record", &old]);
    let (code, out, err) = taquin(["bench", "--replay", &old, "--json", "--record", &new]);
    assert_eq!((code, &*err), (0, "7 searches compared with the record: all are the same\n"));
    let again: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
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
    let (code, out, _) = taquin(["bench", "--replay", &old]);
    assert!(code == 1 && out.contains("\nboard 3, manhattan: h 7 in the record, h "), "{out}");
}

/// A board that cannot reach the goal is left out and counted, and few boards have no interval.
#[test]
fn figures_say_over_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    fs::write(&file, "1 2 3 4 5 6 7 0 8\n2 1 3 4 5 6 7 8 0\n8 6 7 2 5 4 3 0 1\n").unwrap();
    let args = ["bench", "--node-limit=1000", "--heuristics=manhattan,linear-conflict", "--set"];
    let args = args.iter().map(OsStr::new).chain([file.as_os_str()]);
    let (code, table, err) = taquin(args.clone());
    assert_eq!((code, err.matches("line 2: left out, it cannot").count()), (0, 1), "{err}");
    assert!(table.contains(": 2 3x3 boards, without 1 that cannot reach the goal\n"), "{table}");
    assert!(table.contains("  pairs  ") && table.contains("over the pairs"), "{table}");
    assert!(table.contains("are the easy ones"), "{table}");
    let (_, out, _) = taquin(args.chain(["--json", "--csv", "/dev/null"].map(OsStr::new)));
    let row: Value = serde_json::from_str(out.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&row["boards"], &row["pairs"], &row["optima"]), (&2.into(), &1.into(), &1.into()));
    assert!(row["nodes_ratio"].is_number() && row["nodes_ratio_interval"].is_null(), "{row}");
    // A limit cut the mean off.
    assert!(row["nodes_interval"].is_null() && row["effective_branching"].is_number(), "{row}");
    // Values alone are neither solved nor unsolved.
    let values = ["bench", "--set=random:3", "--size=3x3", "--heuristics=values:manhattan"];
    let (_, table, _) = taquin(values);
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
    let args = [
        "bench",
        "--size=3x3",
        "--set=random:9",
        "--heuristics=manhattan",
        "--heuristics",
        program,
    ];
    let (code, out, err) =
        taquin(args.iter().map(OsStr::new).chain([OsStr::new("--csv"), csv.as_os_str()]));
    assert_eq!(code, 2, "{err}");
    assert!(out.contains("9 3x3 boards, 3 of them tried") && out.contains(" 1.00 "), "{out}");
    assert!(err.contains("ended (exit status: 7) after 0 of 1 values"), "{err}");
    assert_eq!(fs::read_to_string(csv).unwrap().lines().count(), 1 + 2 * 3);
}
