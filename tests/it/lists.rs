//! Lists in other languages that repeat a list of the program: the page, the npm package and the Python package.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use clap::ValueEnum;
use taquin::format::Format;
use taquin::solver::{Posed, Summary, Target};
use taquin::{Board, Convention, Limits, Method, Metric, Solver, Store};

fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The quoted words of a text between two marks.
#[track_caller]
fn words(text: &str, from: &str, to: &str) -> Vec<String> {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("there is no {from}"));
    let (list, _) = rest.split_once(to).expect("the list ends");
    let quoted = list.split(['\'', '"']).skip(1).step_by(2);
    quoted.map(str::to_owned).collect()
}

/// The keys of an object in a script.
#[track_caller]
fn keys(script: &str, object: &str) -> Vec<String> {
    let (_, rest) = script.split_once(&format!("{object} = {{")).expect("there is the object");
    let (pairs, _) = rest.split_once('}').expect("the object ends");
    let keys = pairs.split(',').filter_map(|pair| pair.split_once(':'));
    keys.map(|(key, _)| key.trim().trim_matches('\'').to_owned()).collect()
}

/// The values of a menu of the page that name something.
#[track_caller]
fn menu(id: &str) -> Vec<String> {
    let page = text("web/page/index.html");
    let (_, rest) = page.split_once(&format!("<select id=\"{id}\"")).expect("there is the menu");
    let (options, _) = rest.split_once("</select>").expect("the menu ends");
    let values = options.split("value=\"").skip(1).filter_map(|option| option.split('"').next());
    values.filter(|value| !value.is_empty()).map(str::to_owned).collect()
}

/// The names of the program's formats, in the order of its help.
fn formats() -> Vec<String> {
    let names = Format::value_variants().iter().filter_map(Format::to_possible_value);
    names.map(|value| value.get_name().to_owned()).collect()
}

/// A list without some of its items.
#[track_caller]
fn without(mut list: Vec<String>, items: &[&str]) -> Vec<String> {
    let length = list.len();
    list.retain(|item| !items.contains(&item.as_str()));
    assert_eq!(list.len() + items.len(), length, "{list:?} without {items:?}");
    list
}

fn methods() -> Vec<String> {
    Method::names().map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn quoted_words_are_found() {
    assert_eq!(words("x = ['a', \"b\"] + ['c']", "x = [", "]"), ["a", "b"]);
}

#[test]
fn the_page_names_formats_of_the_program() {
    let shown = menu("format");
    // The program has links of the replay site elsewhere.
    let listed = without(shown.clone(), &["replay"]);
    assert_eq!(listed, without(formats(), &["columns", "numbered", "runs", "arrows"]));
    let shown = BTreeSet::from_iter(shown);
    for language in keys(&text("web/page/text.js"), "LANGUAGES") {
        let phrases = text(&format!("web/page/{language}.json"));
        let phrases: serde_json::Value = serde_json::from_str(&phrases).unwrap();
        let keys = phrases.as_object().unwrap().keys();
        let named: BTreeSet<String> =
            keys.filter_map(|key| Some(key.strip_prefix("format-")?.to_owned())).collect();
        assert_eq!(named, shown, "{language}");
    }
}

#[test]
fn the_menus_of_the_page_list_metrics_languages_and_goals() {
    assert_eq!(menu("metric"), Metric::ALL.map(Metric::name));
    assert_eq!(menu("language"), keys(&text("web/page/text.js"), "LANGUAGES"));
    let grid = text("web/page/grid.js");
    let goals = [words(&grid, "GOALS = [", "]"), keys(&grid, "STAGES")].concat();
    assert_eq!(menu("goal"), goals);
}

#[test]
fn the_python_stubs_name_methods_metrics_and_notations() {
    let stubs = text("python/taquin/_taquin.pyi");
    let list = |name: &str| words(&stubs, &format!("{name}: TypeAlias = Literal["), "]");
    assert_eq!(list("_Method"), methods());
    assert_eq!(list("_Metric"), Metric::ALL.map(Metric::name));
    let conventions = [Convention::Tile, Convention::Blank].map(|whose| whose.to_string());
    assert_eq!(list("_Directions"), conventions);
    // Those that are one line of text. Letters are the default.
    let mut notations = without(formats(), &["columns", "numbered", "boards", "json"]);
    notations.sort_by_key(|name| name != "letters");
    assert_eq!(list("_Notation"), notations);
}

#[test]
fn the_manuals_list_the_methods() {
    assert_eq!(words(&text("docs/PYTHON.md"), "method=None,", "\n"), methods());
    let manual = text("docs/MANUAL.md");
    let (_, section) = manual.split_once("| method | search |").expect("there is the table");
    let rows = section.split("\n\n").next().unwrap_or_default().split("\n| `").skip(1);
    let listed: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    assert_eq!(listed, without(methods(), &["astar:fifo"]));
}

/// The page asks its own instance what needs no tables and no solver.
#[test]
fn the_page_answers_the_requests_that_need_no_solver() {
    let module = text("web/wasm/src/lib.rs");
    let arms =
        module.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once("\" => "));
    let own = arms.filter(|(_, answer)| !answer.starts_with("self.")).map(|(name, _)| name);
    let own: Vec<&str> = own.collect();
    assert_eq!(words(&text("web/page/engine.js"), "const OWN = [", "]"), own);
}

/// The fields of an answer, and the version of the objects that the page writes itself.
#[test]
fn the_types_of_the_npm_package_have_the_fields_of_answers() {
    let types = text("web/npm/taquin.d.ts");
    let (_, solution) = types.split_once("export interface Solution {").unwrap();
    let (solution, _) = solution.split_once("\n}").unwrap();
    let fields = solution.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
    let fields = fields.filter_map(|line| line.trim().split_once(':'));
    let fields: BTreeSet<(String, bool)> = fields
        .map(|(name, _)| (name.trim_end_matches('?').to_owned(), name.ends_with('?')))
        .collect();
    let solver = Solver::builder().heuristic("manhattan".parse().unwrap()).store(Store::memory());
    let solver = solver.build().unwrap();
    let board: Board = "8 6 7 / 2 5 4 / 3 0 1".parse().unwrap();
    let keys = |limits: &Limits| -> BTreeSet<String> {
        let bracket = solver.solve_with(&board, limits).unwrap();
        let goal = Target::Board(solver.goal(board.grid()).unwrap());
        let labelled = board.clone().into();
        let summary = Summary::new(Posed::new(&labelled, &goal), &bracket, Convention::Tile);
        let value = serde_json::to_value(summary).unwrap();
        value.as_object().unwrap().keys().cloned().collect()
    };
    let (always, limited) = (keys(&Limits::default()), keys(&Limits::default().nodes(10)));
    let all: BTreeSet<(String, bool)> = always
        .union(&limited)
        .map(|key| (key.clone(), !(always.contains(key) && limited.contains(key))))
        .collect();
    assert_eq!(fields, all);
    let metrics = words(&types, "metric: ", ";");
    assert_eq!(metrics, Metric::ALL.map(Metric::name));
    let mut program = Command::new(env!("CARGO_BIN_EXE_taquin"));
    let checked = program.args(["check", "--json", "1 2 / 3 0"]).output().unwrap();
    let checked: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
    let page = text("web/page/exporting.js");
    assert!(page.contains(&format!("schema: {},", checked["schema"])), "{checked}");
}
