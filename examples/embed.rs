//! Taquin in a program of one's own, by the crate `taquin` alone: a search that is observed, limited and
//! cancelled, and a search with a heuristic of one's own.
//!
//! ```console
//! $ cargo run --release --example embed --features lab
//! ```

use std::thread;
use std::time::Duration;

use taquin::lab::{Entry, Search, Settings, Suite};
use taquin::solver::SearchEvent;
use taquin::{Board, Cancel, Event, Goal, Limits, Method, Metric, Solver, Store, Ties};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A search without databases, observed.
    let observe = |event: &Event<'_>| {
        if let Event::Search(SearchEvent::Threshold(threshold)) = event {
            println!("no solution has fewer than {} moves", threshold.bound);
        }
    };
    let builder = Solver::builder().heuristic("linear-conflict".parse()?);
    let solver = builder.store(Store::memory()).progress(observe).build()?;

    // It ends after a second, after ten million nodes, or when it is cancelled: it then has a bound.
    let hard: Board = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1".parse()?;
    let cancel = Cancel::new();
    let limits = Limits::default().time(Duration::from_secs(1)).nodes(10_000_000).cancel(&cancel);
    let bracket = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            cancel.cancel();
        });
        solver.solve_with(&hard, &limits)
    })?;
    println!("stopped: {:?}, at least {} moves", bracket.stopped, bracket.lower_bound);

    // A heuristic of one's own: the tiles that are neither in their row nor in their column. A* asks for the
    // values of many boards at a time.
    let goal = Goal::named("blank-last", "3x3".parse()?)?;
    let lines = |board: &Board| {
        let tiles = board.tiles().iter().enumerate().filter(|&(_, &tile)| tile != 0);
        let away = tiles.filter(|&(cell, &tile)| {
            let home = usize::from(tile) - 1;
            home / 3 != cell / 3 && home % 3 != cell % 3
        });
        away.count() as f64
    };
    let suite = Suite::random(goal, Metric::Single, 3, 1);
    let settings = Settings { batch: 1, ..Settings::default() };
    let search = Search::By(Method::AStar(Ties::Lifo));
    let own = Entry::of_function("lines", search, &suite, &settings, move |boards| {
        Ok(boards.iter().map(lines).collect())
    })?;
    for case in &suite.cases {
        let (trial, moves) = own.search(&case.board, &Limits::default())?;
        let moves = moves.ok_or("a board of 3x3 is solved within the memory")?;
        println!("{}: {} moves, {} nodes: {moves}", case.board, moves.len(), trial.generated);
        assert_eq!(Some(moves.len() as u32), trial.length);
    }
    Ok(())
}
