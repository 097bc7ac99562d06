//! The searches of a run as CSV. Each line names its origin in its last columns, so that lines of several
//! files can be put together.

use serde_json::{Value, json, to_value};

use super::record::Record;
use crate::text::quoted;

/// The columns.
const COLUMNS: &str = "set,number,board,optimal,heuristic,h,solved,pair,generated,expanded,seconds,ran,contender,\
                       length,bound,stopped,tables,goal,metric,program,commit,date,system,processor,cores,threads,\
                       time_limit,node_limit,seeds,command";

/// The searches of a record as CSV: a line for each, after a line with the names of the columns. A column is a
/// field of the record, of the board, of the row of its entry, or of the trial.
///
/// # Errors
/// None that a caller can cause.
pub fn searches(record: &Record) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS.split(','))?;
    let mut origin = to_value(&record.provenance)?;
    origin["set"] = json!(record.set);
    origin["seeds"] = json!(record.provenance.seeds.map(|seed| seed.to_string()).join(" "));
    let command = record.provenance.command.iter().map(|word| quoted(word));
    origin["command"] = json!(command.collect::<Vec<_>>().join(" "));
    let rows = record.summary.iter().map(|row| {
        let mut about = to_value(&row.about)?;
        let tables = row.about.tables.iter().map(|t| format!("{}={}", t.table, t.checksum));
        about["tables"] = json!(tables.collect::<Vec<_>>().join(" "));
        Ok(about)
    });
    let rows = rows.collect::<Result<Vec<Value>, serde_json::Error>>()?;
    for board in &record.boards {
        let of_board =
            json!({ "number": board.number, "board": board.board, "optimal": board.optimal });
        for (row, trial) in rows.iter().zip(&board.trials) {
            let is_solved = [trial, &board.trials[0]].map(|trial| trial.length.is_some());
            let mut of_trial = to_value(trial)?;
            of_trial["solved"] = json!(is_solved[0]);
            // One of the `pairs` of the ratios.
            of_trial["pair"] = json!(is_solved == [true; 2]);
            let sources = [&of_board, &of_trial, row, &origin];
            let field = |name: &str| sources.iter().find_map(|source| source.get(name));
            writer.serialize(COLUMNS.split(',').map(field).collect::<Vec<Option<&Value>>>())?;
        }
    }
    Ok(writer.into_inner().map_err(csv::IntoInnerError::into_error)?)
}
