use std::fs;

use super::*;
use crate::store::Store;

fn plan(boards: u64) -> Plan {
    let goal = Goal::named("spiral", Grid::new(3, 3).unwrap()).unwrap();
    Plan::new(goal, boards, 5).heuristics(vec!["manhattan".parse().unwrap()])
}

fn solver() -> Solver {
    let builder = Solver::builder().goal("spiral").store(Store::memory());
    builder.threads(2).build().unwrap()
}

/// Makes the data set, interrupted after each of some numbers of boards.
fn make(folder: &Path, plan: &Plan, interrupts: &[u64]) -> Vec<u8> {
    let (work, path) = (folder.join("set.partial"), folder.join("set.npz"));
    let solver = solver();
    for &after in interrupts {
        let cancel = Cancel::new();
        let mut set = Dataset::open(&work, plan.clone()).unwrap();
        let mut seen = 0;
        let stopped = set.label(&solver, std::slice::from_ref(&solver), &cancel, &mut |done| {
            seen = done;
            if done >= after {
                cancel.cancel();
            }
        });
        let stopped_early = matches!(stopped, Err(DatasetError::Solver(Error::Stopped(_))));
        assert!(stopped_early && seen < plan.boards && seen == set.done());
        drop(set);
        assert_eq!(work.exists(), after > 0);
        if after == 0 {
            continue;
        }
        // A killed process leaves half a block.
        let mut bytes = fs::read(&work).unwrap();
        bytes.extend([1, 0, 0, 0, 2, 0, 0, 0, 7]);
        fs::write(&work, bytes).unwrap();
    }
    let mut set = Dataset::open(&work, plan.clone()).unwrap();
    assert_eq!(set.done() > 0, interrupts.iter().any(|&after| after > 0));
    set.label(&solver, std::slice::from_ref(&solver), &Cancel::new(), &mut |_| ()).unwrap();
    set.finish(&path).unwrap();
    assert!(!work.exists());
    fs::read(path).unwrap()
}

#[test]
fn an_interrupt_does_not_show() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(40_000);
    let whole = make(folder.path(), &plan, &[]);
    let parts = make(folder.path(), &plan, &[0, 1, 9000]);
    assert!(whole == parts);
    assert!(whole.len() > 40_000);
}

/// A search that is cut short may find another optimal solution than a whole one.
#[test]
fn no_answer_comes_from_a_search_that_was_cut_short() {
    let folder = tempfile::tempdir().unwrap();
    let goal = Goal::named("blank-first", Grid::new(5, 4).unwrap()).unwrap();
    let plan = Plan::new(goal, 400, 1).walk(46);
    let lists = "1,2,3,4,5/6,7,8,9,10/11,12,13,14,15/16,17,18,19".parse().unwrap();
    let builder = Solver::builder().goal("blank-first").store(Store::memory()).threads(2);
    let solver = builder.heuristic(lists).build().unwrap();
    let make = |name: &str, interrupted: bool| {
        let path = folder.path().join(name);
        // Longer and longer, so that every board is solved at some time.
        for milliseconds in (3..).step_by(3) {
            let mut set = Dataset::open(&folder.path().join("work"), plan.clone()).unwrap();
            let cancel = Cancel::new();
            let labelled = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(milliseconds));
                    interrupted.then(|| cancel.cancel());
                });
                set.label(&solver, &[], &cancel, &mut |_| ())
            });
            if labelled.is_ok() {
                set.finish(&path).unwrap();
                return fs::read(path).unwrap();
            }
        }
        unreachable!("the loop has no end")
    };
    assert!(make("whole.npz", false) == make("parts.npz", true));
}

#[test]
fn a_work_file_belongs_to_its_plan() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("work");
    let (mut set, solver) = (Dataset::open(&work, plan(10)).unwrap(), solver());
    set.label(&solver, std::slice::from_ref(&solver), &Cancel::new(), &mut |_| ()).unwrap();
    drop(set);
    let other = |plan| matches!(Dataset::open(&work, plan), Err(DatasetError::Other(_)));
    assert!(!other(plan(10)));
    assert!(other(plan(11)));
    assert!(other(plan(10).walk(3)));
    assert!(other(plan(10).heuristics(Vec::new())));
    let [manhattan, twice] = ["manhattan"; 2].map(|name| name.parse().unwrap());
    let twice =
        Dataset::open(&folder.path().join("twice"), plan(10).heuristics(vec![manhattan, twice]));
    assert!(matches!(twice, Err(DatasetError::Twice(_))) && !folder.path().join("twice").exists());
    let open = Dataset::open(&work, plan(10)).unwrap();
    assert!(matches!(Dataset::open(&work, plan(10)), Err(DatasetError::InUse(_))));
    drop(open);
    fs::write(&work, "something else\n").unwrap();
    assert!(other(plan(10)));
    assert_eq!(fs::read_to_string(&work).unwrap(), "something else\n");
    let missing = Dataset::open(&folder.path().join("a/b"), plan(10));
    assert!(matches!(missing, Err(DatasetError::File { .. })));
}

#[test]
fn large_boards_have_no_optimal_labels() {
    let folder = tempfile::tempdir().unwrap();
    let goal = Goal::named("blank-last", Grid::new(6, 6).unwrap()).unwrap();
    let refused = Dataset::open(&folder.path().join("work"), Plan::new(goal, 1, 1));
    assert!(matches!(refused, Err(DatasetError::Size(_))));
}

/// A heuristic that turns out not to be there is no reason to refuse another plan.
#[test]
fn a_set_without_boards_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("set.partial");
    let none = Solver::builder().goal("spiral").heuristic("1,2,99".parse().unwrap());
    let mut set = Dataset::open(&work, plan(300)).unwrap();
    let labelled = set.label(&solver(), &[none.build().unwrap()], &Cancel::new(), &mut |_| ());
    assert!(matches!(labelled, Err(DatasetError::Solver(_))), "{labelled:?}");
    assert_eq!(set.done(), 0);
    drop(set);
    assert!(!work.exists());
    Dataset::open(&work, plan(20)).unwrap();
}

/// Labels from other programs make the same file; wrong ones are refused.
#[test]
fn labels_can_be_added() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(300);
    let whole = make(folder.path(), &plan, &[]);
    let (work, path) = (folder.path().join("set.partial"), folder.path().join("set.npz"));
    let (solver, limits) = (solver(), Limits::default());
    let mut set = Dataset::open(&work, plan.clone()).unwrap();
    let mut left = set.left();
    while set.done() < 300 {
        let boards: Vec<Board> = left.by_ref().take(70).collect();
        let solve = |board: &Board| solver.solve(board).unwrap().moves().clone();
        let solutions: Vec<Moves> = boards.iter().map(solve).collect();
        let values = [solver.values(&boards, &limits).unwrap()];
        let mut wrong = solutions.clone();
        wrong[7].0.pop();
        for (solutions, values) in
            [(&wrong, &values[..]), (&solutions, &[]), (&wrong[..1].to_vec(), &values[..])]
        {
            assert!(matches!(set.add(solutions, values), Err(DatasetError::Labels)));
        }
        // Two bytes do not hold the length, nor one the value.
        let mut long = solutions.clone();
        let first = long[0].0[0];
        long[0].0.splice(0..0, [first, first.opposite()].repeat(20_000));
        assert!(matches!(set.add(&long, &values), Err(DatasetError::Labels)));
        let large = [vec![256; boards.len()]];
        assert!(matches!(set.add(&solutions, &large), Err(DatasetError::Value(256))));
        // The next labels are for the same boards.
        set.add(&solutions, &values).unwrap();
        // A program that goes on finds them.
        drop(set);
        set = Dataset::open(&work, plan.clone()).unwrap();
    }
    assert!(matches!(set.add(&[Moves::default()], &[vec![0]]), Err(DatasetError::Labels)));
    set.finish(&path).unwrap();
    assert!(fs::read(path).unwrap() == whole);
}

/// Solutions without a proof, or that are optimal in slides, are no labels.
#[test]
fn only_what_is_proved_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("work");
    let goal = Goal::named("blank-last", Grid::new(4, 4).unwrap()).unwrap();
    let plan = Plan::new(goal, 200, 1).walk(40);
    let builder = || Solver::builder().store(Store::memory());
    let label = |builder: crate::Builder| {
        let mut set = Dataset::open(&work, plan.clone()).unwrap();
        let labelled = set.label(&builder.build().unwrap(), &[], &Cancel::new(), &mut |_| ());
        (labelled, set.done())
    };
    let (labelled, done) = label(builder().method("greedy".parse().unwrap()));
    assert!(matches!(labelled, Err(DatasetError::Unproved(_))) && done < 200, "{labelled:?}");
    // Some of these are proved, as shortening may search the whole path.
    for method in ["beam", "staged"] {
        let (labelled, done) = label(builder().method(method.parse().unwrap()));
        assert_eq!(labelled.is_ok(), done == 200, "{method}");
    }
    for other in [builder().metric(Metric::Multi), builder().goal("spiral")] {
        assert!(matches!(label(other).0, Err(DatasetError::OtherSolver)));
    }
    // What the others have written stays, and is right.
    let (labelled, done) = label(builder().heuristic("6-6-3:mirror".parse().unwrap()));
    assert!(labelled.is_ok() && done == 200);
    let (solver, mut boards) = (builder().build().unwrap(), plan.draw());
    let set = Dataset::open(&work, plan.clone()).unwrap();
    let check = |answers: work::Answers, _| {
        for moves in answers.moves {
            let board = boards.next().unwrap();
            assert_eq!(moves.len(), solver.solve(&board).unwrap().moves().len(), "{board}");
        }
        Ok(())
    };
    set.work.each(check).unwrap();
}
