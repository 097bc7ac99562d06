//! One name, one search: the heuristic that an answer names can be asked for by that name, and the
//! search is the same.

use taquin::{Board, Error, Limits, Method, Metric, Random, Solver, Spec};

use crate::common::{grid, in_memory, methods, with};

/// The limits of searches that are compared.
const NODES: u64 = 20_000;

/// The name, the path and the numbers of nodes of an answer, if the solver has such a search.
fn answer(
    board: &Board,
    metric: Metric,
    method: Option<Method>,
    heuristic: &Spec,
) -> Option<(String, Option<String>, u32, [u64; 2])> {
    let builder = in_memory().metric(metric).heuristic(heuristic.clone());
    let builder = method.into_iter().fold(builder, |builder, method| builder.method(method));
    let answer = builder
        .build()
        .and_then(|solver| solver.solve_with(board, &Limits::default().nodes(NODES)));
    match answer {
        Ok(bracket) => {
            let path = bracket.solution.map(|solution| solution.moves().to_string());
            let effort = bracket.effort;
            let nodes = [effort.generated, effort.expanded];
            Some((effort.heuristic.to_string(), path, bracket.lower_bound, nodes))
        }
        Err(Error::Unavailable { .. } | Error::NotForSlides { .. } | Error::Heuristic(_)) => None,
        Err(error) => panic!("{heuristic}: {error}"),
    }
}

/// Checks the answers with some heuristics by every method. Answers name some heuristics, among them `named`.
fn check(sizes: &[(usize, usize)], metrics: &[Metric], heuristics: &str, named: &str) {
    let methods: Vec<_> = [None].into_iter().chain(methods().map(Some)).collect();
    let mut names = Vec::new();
    for &(width, height) in sizes {
        let goal = Solver::builder().build().unwrap().goal(grid(width, height)).unwrap();
        let boards = [goal.board().clone(), goal.random_board(&mut Random::new(7))];
        let methods =
            || methods.iter().flat_map(|method| heuristics.split(' ').map(move |h| (method, h)));
        let all = metrics.iter().flat_map(|&metric| methods().map(move |(m, h)| (metric, *m, h)));
        for (metric, method, heuristic) in all {
            for board in &boards {
                let spec: Spec = heuristic.parse().unwrap();
                let Some(first) = answer(board, metric, method, &spec) else { continue };
                let name: Spec =
                    first.0.parse().unwrap_or_else(|error| panic!("{first:?}: {error}"));
                let what = format!("{heuristic} by {method:?}, {metric}, {width}x{height}");
                if board == goal.board() {
                    assert_eq!(first.0, "none", "{what}");
                    continue;
                }
                let again = answer(board, metric, method, &name);
                assert_eq!(again.as_ref(), Some(&first), "{what}");
                names.push(first.0);
            }
        }
    }
    for name in named.split(' ') {
        assert!(names.iter().any(|found| found == name), "{name}: {names:?}");
    }
}

#[test]
fn small_boards() {
    let sizes = [(2, 2), (3, 2), (2, 3), (3, 3), (5, 2), (4, 3)];
    let heuristics = "standard portfolio combined small none learned learned+manhattan learned+4-4:mirror \
        learned+max(manhattan,1,2/3) manhattan last-move+corner-tiles walking-distance 4-4 4-4:mirror \
        1.2.4.5/3.6.7.8:mirror 1,2:plain max(walking-distance,linear-conflict)";
    let named = "4-4:mirror 5-6 learned learned+4-4:mirror none standard";
    check(&sizes, &Metric::ALL, heuristics, named);
}

/// A list names the tiles that are printed on the board, whatever the goal.
#[test]
fn lists_name_the_tiles_of_the_goal() {
    for (goal, board, values) in [
        ("blank-last", "1 2 3 4 5 6 0 7 8", [("7,8", 2), ("1,2", 0), ("8,1", 1)]),
        ("blank-first", "1 2 0 3 4 5 6 7 8", [("7,8", 0), ("1,2", 2), ("8,1", 1)]),
        ("spiral", "0 2 3 1 8 4 7 6 5", [("1,8", 2), ("4,5", 0), ("7,8:plain", 1)]),
    ] {
        for (heuristic, value) in values {
            let solver = with(heuristic).goal(goal).build().unwrap();
            let board: Board = board.parse().unwrap();
            assert_eq!(solver.value(&board).unwrap(), value, "{heuristic}, {goal}");
            assert_eq!(&*solver.heuristic(board.grid()).unwrap(), heuristic);
        }
    }
}

/// Also those of the fast search, which sorts them, and of a size whose canonical form is another one.
#[test]
fn lists_in_answers_come_back() {
    for (goal, name) in [
        ("blank-first", "1,2,3,4/5,6,7,8:mirror"),
        ("blank-last", "1,2,3,4/5,6,7,8:mirror"),
        ("spiral", "1,2,3,8/4,5,6,7:mirror"),
    ] {
        let solver = with(name).goal(goal).build().unwrap();
        assert_eq!(&*solver.heuristic(grid(3, 3)).unwrap(), name, "{goal}");
    }
    // One solver, two sizes with one canonical form.
    let solver = with("4,5").build().unwrap();
    for (board, value) in [("1 2 3 / 0 4 5", 2), ("1 2 / 3 4 / 0 5", 1)] {
        assert_eq!(solver.value(&board.parse().unwrap()).unwrap(), value, "{board}");
    }
}

#[test]
fn four_by_four() {
    let heuristics = "standard portfolio combined 7-8 7-8b:mirror learned+portfolio";
    let named = "7-8:mirror portfolio combined learned+7-8:mirror learned+portfolio";
    check(&[(4, 4)], &[Metric::Single], heuristics, named);
}

/// Boards that are larger than those with databases.
#[test]
fn large_boards() {
    check(&[(6, 5), (9, 3)], &Metric::ALL, "standard learned manhattan", "learned");
}

#[test]
#[ignore = "builds the databases of 5x5"]
fn five_by_five_in_full() {
    let heuristics = "standard small 6-6-6-6:mirror learned learned+small";
    let named = "small learned+small 6-6-6-6:mirror learned";
    check(&[(5, 5)], &[Metric::Single], heuristics, named);
}
