//! Options and bounds that no solver can work with: each is refused with an error that names it.

use crate::common::grid;
use taquin::{Board, Error, Method, Solver, Spec, Store};
use taquin_classics::{ComposeError, Term};

fn solve(heuristic: Spec, method: Method) -> Result<usize, Error> {
    let board: Board = "1 2 3 4 / 5 6 7 8 / 9 10 0 12 / 13 14 11 15".parse().unwrap();
    let solver = Solver::builder().store(Store::memory()).heuristic(heuristic).method(method);
    solver.build().unwrap().solve(&board).map(|solution| solution.len())
}

/// The message of a solver that refuses a heuristic.
fn refused(heuristic: Spec, method: Method) -> String {
    let error = solve(heuristic, method).unwrap_err();
    let Error::Heuristic(reason) = &error else { panic!("{error:?}") };
    assert!(matches!(**reason, ComposeError::Refused(_)), "{error:?}");
    error.to_string()
}

#[test]
fn more_patterns_than_can_be_added_up() {
    let most = "1/2/3/4/5/6/7/8";
    for modifiers in ["", ":plain", ":mirror", ":plain:mirror"] {
        for method in [Method::Ida, Method::Plain, Method::Bfs] {
            let tables: Spec = format!("{most}{modifiers}").parse().unwrap();
            assert_eq!(solve(tables, method).unwrap(), 2);
            let text = format!("{most}/9{modifiers}");
            for text in [text.clone(), format!("max(manhattan,{text})")] {
                let text = refused(text.parse().unwrap(), method);
                assert!(
                    text.starts_with(&format!("{most}/9")) && text.contains("at most 8"),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn no_bound_at_all() {
    for method in [Method::Ida, Method::Plain, Method::Bfs] {
        let text = refused(Spec::Bound(Vec::new()), method);
        assert!(text.contains("at least one bound"), "{text}");
    }
}

/// Partitions that no parser has read.
#[test]
fn partitions_that_are_none() {
    for partition in ["", "/", "1,,2", "1/2/3/4/5/6/7/8/", "7-8/9", "max(7-8)"] {
        for (plain, mirror) in [(false, false), (true, false), (false, true)] {
            let term = Term::Tables { partition: partition.to_owned(), plain, mirror };
            for method in [Method::Ida, Method::Plain] {
                assert!(solve(Spec::Bound(vec![term.clone()]), method).is_err(), "{partition}");
            }
        }
    }
}

#[test]
fn goals_that_fit_no_size() {
    let build = |goal: &str| Solver::builder().store(Store::memory()).goal(goal).build();
    for (goal, width, height) in
        [("1 2 3 0", 2, 2), ("1 2 3 4 5 0", 3, 2), ("1 2 3 4 5 0", 2, 3), ("5 4 3 2 1 6 7 0", 4, 2)]
    {
        assert!(build(goal).unwrap().goal(grid(width, height)).is_ok(), "{goal}");
    }
    let long: Vec<String> = (0..240).map(|tile| tile.to_string()).collect();
    assert!(build(&long.join(" ")).unwrap().goal(grid(16, 15)).is_ok());
}
