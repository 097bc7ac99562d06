// Averages of times as speed-solvers count them.

/** The mean without the best and the worst of the last `count` times; null where there are fewer. */
export function average(times, count) {
  if (times.length < count) return null;
  const last = times.slice(-count).sort((a, b) => a - b).slice(1, -1);
  return last.reduce((sum, time) => sum + time) / last.length;
}

/** Records as lines of values that commas separate; the first line has their names. */
export function csv(records, fields) {
  const cell = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
  return [fields, ...records.map((record) => fields.map((field) => record[field]))]
    .map((row) => `${row.map(cell).join(',')}\n`).join('');
}
