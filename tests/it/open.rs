//! Open goals: equal tiles, and cells that do not matter.

use std::collections::{HashMap, HashSet};

use taquin::{Error, LabelledBoard, Limits, Move, Moves, Solver, Stop};
use taquin_engine::board::{Grid, OpenGoal, OpenPosition};
use taquin_engine::search::{OpenSearch, TableSizes};

use crate::common::{Cases, Random, grid, in_memory, moved};

/// Labels in reading order: 0 for the blank.
type Cells = Vec<u8>;

/// A cell of a goal that does not matter.
const ANY: u8 = b'*';

fn text(grid: Grid, cells: &[u8]) -> String {
    let word =
        |&label: &u8| if label == 0 { "_".to_owned() } else { char::from(label).to_string() };
    let rows = cells.chunks(grid.width());
    let rows: Vec<String> =
        rows.map(|row| row.iter().map(word).collect::<Vec<_>>().join(" ")).collect();
    rows.join(" / ")
}

fn is_goal(goal: &[u8], cells: &[u8]) -> bool {
    goal.iter().zip(cells).all(|(&wish, &label)| wish == ANY || wish == label)
}

/// The distance to the goal and the number of shortest ways there, by breadth-first search from
/// all arrangements of some labels that are the goal.
fn distances(grid: Grid, goal: &[u8], labels: &[u8]) -> HashMap<Cells, (u32, u128)> {
    let mut goals = HashSet::from([Vec::new()]);
    for &wish in goal {
        let mut longer = HashSet::new();
        for cells in goals {
            for &label in labels {
                let used = cells.iter().filter(|&&known| known == label).count();
                let there = labels.iter().filter(|&&known| known == label).count();
                if used < there && (wish == ANY || wish == label) {
                    longer.insert([&cells[..], &[label]].concat());
                }
            }
        }
        goals = longer;
    }
    let mut found: HashMap<Cells, (u32, u128)> =
        goals.iter().map(|cells| (cells.clone(), (0, 1))).collect();
    let mut layer: Vec<Cells> = goals.into_iter().collect();
    for distance in 1.. {
        let mut next: HashMap<Cells, u128> = HashMap::new();
        for cells in &layer {
            let ways = found[cells].1;
            for child in Move::ALL.into_iter().filter_map(|m| moved(grid, 0, cells, m)) {
                if !found.contains_key(&child) {
                    *next.entry(child).or_default() += ways;
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next.keys().cloned().collect();
        found.extend(next.into_iter().map(|(cells, ways)| (cells, (distance, ways))));
    }
    found
}

/// A goal drawn at random, and the labels of its boards.
fn drawn(grid: Grid, random: &mut Random) -> (Cells, Cells) {
    let kinds = 1 + random.below(4);
    let cells = grid.cells();
    let mut labels: Cells = (1..cells).map(|_| b'A' + random.below(kinds) as u8).collect();
    labels.push(0);
    let mut goal = labels.clone();
    random.shuffle(&mut goal);
    let open = random.below(4);
    for wish in &mut goal {
        let keep_blank = *wish == 0 && (open == 0 || random.below(2) == 0);
        if !keep_blank && random.below(6) < open {
            *wish = ANY;
        }
    }
    (goal, labels)
}

fn solver(goal: &str) -> Solver {
    in_memory().goal(goal).build().unwrap()
}

/// Checks the answers for a board whose distance and number of ways are known.
#[track_caller]
fn check(solver: &Solver, goal: &[u8], start: &[u8], size: Grid, known: (u32, u128)) {
    let name = format!("{} to {}", text(size, start), text(size, goal));
    let board: LabelledBoard = text(size, start).parse().unwrap();
    let bracket = solver.solve_with(&board, &Limits::default()).unwrap();
    assert!(bracket.is_optimal() && bracket.stopped.is_none(), "{name}");
    assert_eq!(bracket.lower_bound, known.0, "{name}");
    let replayed = |path: &Moves| {
        let end = path.iter().fold(start.to_vec(), |cells, m| moved(size, 0, &cells, m).unwrap());
        assert!(is_goal(goal, &end), "{name}: {path}");
        assert_eq!(path.len(), known.0 as usize, "{name}");
    };
    replayed(bracket.solution.unwrap().moves());
    let all = solver.solutions(&board, &Limits::default(), 500).unwrap();
    assert_eq!(all.count, Ok(known.1), "{name}");
    all.paths.iter().for_each(replayed);
    let distinct: HashSet<String> = all.paths.iter().map(Moves::to_string).collect();
    assert_eq!(distinct.len(), all.paths.len(), "{name}");
    assert_eq!(all.paths.len() as u128, known.1.min(500), "{name}");
}

#[test]
fn whole_spaces_of_many_patterns() {
    let mut random = Random(41);
    for (width, height, patterns, boards) in
        [(2, 2, 20, 24), (3, 2, 30, 40), (2, 3, 30, 40), (4, 2, 20, 40), (3, 3, 25, 25)]
    {
        let size = grid(width, height);
        for _ in 0..patterns {
            let (goal, mut start) = drawn(size, &mut random);
            if OpenGoal::parse(&text(size, &goal), None).is_ok_and(|goal| !goal.is_open()) {
                continue;
            }
            let distances = distances(size, &goal, &start);
            let solver = solver(&text(size, &goal));
            for _ in 0..boards {
                random.shuffle(&mut start);
                match distances.get(&start) {
                    Some(&known) => check(&solver, &goal, &start, size, known),
                    None => {
                        let board: LabelledBoard = text(size, &start).parse().unwrap();
                        let answer = solver.solve_with(&board, &Limits::default());
                        assert!(matches!(answer, Err(Error::Unsolvable { .. })), "{board}");
                    }
                }
            }
        }
    }
}

/// The sums of small tables are never above the distance, and the search is right with them.
#[test]
fn small_tables_on_whole_spaces() {
    let mut random = Random(42);
    let size = grid(3, 3);
    for number in 0..12 {
        let (goal, mut start) = drawn(size, &mut random);
        let distances = distances(size, &goal, &start);
        let goal = OpenGoal::parse(&text(size, &goal), None).unwrap();
        let position =
            |cells: &[u8]| OpenPosition::new(&goal, &text(size, cells).parse().unwrap()).unwrap();
        let sizes = TableSizes { whole: 0, part: [100, 800, 6000][number % 3] };
        let none = Limits::default();
        let partial = OpenSearch::new(&position(&start), [sizes; 2], &none).unwrap();
        let whole = OpenSearch::new(&position(&start), OpenSearch::SIZES, &none).unwrap();
        for (cells, &(distance, _)) in distances.iter().step_by(5) {
            let [less, more] = [&partial, &whole].map(|search| search.value(&position(cells)));
            assert!(less <= more && more <= distance, "{cells:?} to {goal}");
        }
        for _ in 0..20 {
            random.shuffle(&mut start);
            let Some(&(distance, ways)) = distances.get(&start) else { continue };
            let start = position(&start);
            for search in [&partial, &whole] {
                let (outcome, solutions) = search.solve(&start, &none);
                assert_eq!(outcome.lower_bound(), distance, "{start:?}");
                assert_eq!(outcome.value, Some(search.value(&start)), "{start:?}");
                let solutions = solutions.unwrap();
                assert_eq!(solutions.count(), ways, "{start:?}");
                let paths = solutions.list(1000);
                assert!(paths.is_sorted_by_key(|path| path.0.clone()), "{start:?}");
            }
            // The distances of the whole table lead a beam straight to the goal.
            assert_eq!(whole.beam(&start, 100, &none).unwrap().len(), distance as usize);
            if let Some(path) = partial.beam(&start, 100, &none) {
                assert!(path.len() >= distance as usize, "{start:?}");
                assert!(start.is_reached(&start.board().after(&path).unwrap()), "{start:?}");
            }
        }
    }
}

/// The distance of a board near its goal, and the number of shortest ways, by breadth-first search.
fn forward(size: Grid, goal: &[u8], start: &[u8]) -> (u32, u128) {
    let mut before: HashSet<Cells> = HashSet::new();
    let mut layer: HashMap<Cells, u128> = HashMap::from([(start.to_vec(), 1)]);
    for distance in 0.. {
        let reached = layer.iter().filter(|(cells, _)| is_goal(goal, cells));
        let ways: u128 = reached.map(|(_, ways)| ways).sum();
        if ways > 0 {
            return (distance, ways);
        }
        let mut next: HashMap<Cells, u128> = HashMap::new();
        for (cells, ways) in &layer {
            for child in Move::ALL.into_iter().filter_map(|m| moved(size, 0, cells, m)) {
                if !before.contains(&child) {
                    *next.entry(child).or_default() += ways;
                }
            }
        }
        before = layer.into_keys().collect();
        layer = next;
    }
    unreachable!("the goal can be reached")
}

/// A board some random moves away from a goal in which nothing is open but labels.
fn walked(size: Grid, goal: &[u8], moves: usize, random: &mut Random) -> Cells {
    let mut cells = goal.to_vec();
    for _ in 0..moves {
        if let Some(next) = moved(size, 0, &cells, Move::ALL[random.below(4)]) {
            cells = next;
        }
    }
    cells
}

#[test]
fn assignments_and_states_near_the_goal() {
    near_the_goal(2, 5);
}

#[test]
#[ignore = "takes a minute: run it with --ignored"]
fn assignments_and_states_in_full() {
    near_the_goal(6, 0);
}

/// Compares boards with a breadth-first search forward from each: `boards` of each kind, by walks that are
/// `shorter` moves shorter than the longest.
fn near_the_goal(boards: usize, shorter: usize) {
    let mut random = Random(43);
    // The end that walks begin with, and the cells of the goal that do not matter.
    for (width, height, end, open, moves) in [
        // Assignments: two, three, and pairs of equal tiles; cells that do not matter, with any blank.
        (4, 3, "AABCDEFGHIJ_", "", 24),
        (4, 3, "AAABBCDEFGH_", "", 24),
        (4, 3, "ABCDEFGHIJK_", "10,11", 24),
        (4, 3, "ABCDEFGHIJK_", "5,6,11", 24),
        (3, 4, "AABBCDEFGHI_", "1,11", 24),
        // States: four kinds, rows, and both.
        (4, 4, "AAAABBBBCCCCDDD_", "", 32),
        (4, 4, "ABCDEFGHIJKLMNO_", "4,5,6,7,8,9,10,11,12,13,14,15", 200),
        (4, 4, "AABBCCDDEEFFGGH_", "", 28),
    ] {
        let size = grid(width, height);
        let end: Cells = end.bytes().map(|label| if label == b'_' { 0 } else { label }).collect();
        let mut goal = end.clone();
        for cell in open.split(',').filter_map(|cell| cell.parse::<usize>().ok()) {
            goal[cell] = ANY;
        }
        let solver = solver(&text(size, &goal));
        for _ in 0..boards {
            let start = walked(size, &end, moves - shorter, &mut random);
            let known = forward(size, &goal, &start);
            check(&solver, &goal, &start, size, known);
        }
    }
}

#[test]
fn boards_of_two_equal_tiles_are_ordinary_ones() {
    let cases = Cases::hunted();
    let hard = &cases.cases[cases.cases.len() - 1];
    // The two last tiles are equal, and this board can reach one of both goals.
    let goal = "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 14 _";
    let words = hard.board.to_string();
    let words = words.split(' ').map(|word| if word == "15" { "14" } else { word });
    let board: LabelledBoard = words.collect::<Vec<_>>().join(" ").parse().unwrap();
    let bracket = solver(goal).solve_with(&board, &Limits::default()).unwrap();
    let plain = in_memory().build().unwrap();
    let ordinary = plain.solve(&hard.board).unwrap();
    let solution = bracket.solution.unwrap();
    assert_eq!((solution.len(), solution.moves()), (hard.length, ordinary.moves()));
    assert_eq!(bracket.effort.generated, ordinary.effort().generated);
}

/// Each board has its own names for them, and the tables of one would not be those of the next.
#[test]
fn lists_of_tiles_do_not_name_equal_tiles() {
    let goal = in_memory().goal("1 1 2 / 3 4 5 / 6 7 0");
    let solver = goal.heuristic("1,2,3,4/5,6,7,8".parse().unwrap()).build().unwrap();
    let board: LabelledBoard = "1 2 1 / 0 3 5 / 6 4 7".parse().unwrap();
    let refused = solver.solve_with(&board, &Limits::default());
    assert!(matches!(refused, Err(Error::Without { option: "heuristic", .. })));
}

#[test]
fn limits_leave_a_bracket() {
    let goal = "A A A A / B B B B / C C C C / D D D _";
    let board: LabelledBoard = "D D D C / C C C B / B B B A / A A A _".parse().unwrap();
    let four = solver(goal);
    for (limits, stop) in [
        (Limits::default().nodes(20_000), Stop::Nodes),
        (Limits::default().memory(1 << 20), Stop::Memory),
    ] {
        let bracket = four.solve_with(&board, &limits).unwrap();
        assert_eq!(bracket.stopped, Some(stop));
        let solution = bracket.solution.as_ref().expect("a beam finds one");
        assert!(bracket.lower_bound > 10 && solution.len() > bracket.lower_bound as usize);
        assert!(bracket.falls_short());
    }
    let none = Limits::default().time(std::time::Duration::ZERO);
    let bracket = solver(goal).solve_with(&board, &none).unwrap();
    assert_eq!(bracket.stopped, Some(Stop::Time));
    assert!(bracket.solution.is_some_and(|solution| solution.len() > bracket.lower_bound as usize));
    assert!(bracket.lower_bound > 0);
    assignments_leave_a_bracket(
        "1 1 1 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 _",
        "15 14 8 12 / 10 11 9 13 / 1 6 5 1 / 1 7 4 _",
        1000,
    );
}

#[test]
#[ignore = "builds the databases of 5×5: run it with --ignored"]
fn limits_leave_a_bracket_in_full() {
    assignments_leave_a_bracket(
        "1 1 1 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 17 18 19 20 / 21 22 23 24 _",
        "24 1 22 7 20 / 19 18 17 16 15 / 14 13 12 11 10 / 9 8 1 6 5 / 4 1 21 23 _",
        100_000,
    );
}

/// Some assignments of tiles to cells, whose searches are stopped.
#[track_caller]
fn assignments_leave_a_bracket(goal: &str, board: &str, nodes: u64) {
    let (board, limits) = (board.parse::<LabelledBoard>().unwrap(), Limits::default().nodes(nodes));
    let bracket = solver(goal).solve_with(&board, &limits).unwrap();
    assert_eq!(bracket.stopped, Some(Stop::Nodes));
    assert!(bracket.solution.unwrap().len() > bracket.lower_bound as usize);
}

#[test]
fn large_boards_get_a_solution_and_a_bound() {
    let row = "A A A B B B";
    let goal = [row, row, row, row, row, "A A A B B _"].join(" / ");
    let row = "B A B A B A";
    let board = [row, row, row, row, row, "B A B A A _"].join(" / ");
    let limits = Limits::default().nodes(200_000);
    let bracket =
        solver(&goal).solve_with(board.parse::<LabelledBoard>().unwrap(), &limits).unwrap();
    let solution = bracket.solution.unwrap();
    assert!(bracket.lower_bound > 0 && solution.len() >= bracket.lower_bound as usize);
    assert_eq!(solution.lower_bound(), bracket.lower_bound);
}

#[test]
fn solvers_of_open_goals_have_no_ordinary_goal() {
    let solver = solver("A A / B _ / C C");
    assert!(solver.goal(grid(2, 3)).is_err() && solver.prepare(grid(2, 3)).is_err());
    // Boards without labels, alone and in a stream.
    let solver = self::solver("1 2 3 / * * *");
    let board: taquin::Board = "3 2 1 / 0 4 5".parse().unwrap();
    let length = solver.solve(&board).unwrap().len();
    let all: Vec<_> = solver.solve_all([board.clone(), board]).map(Result::unwrap).collect();
    assert!(all.iter().all(|bracket| bracket.lower_bound as usize == length));
    assert_eq!(all.len(), 2);
}
