// Averages of times as speed-solvers count them.

/** The mean of the last `count` times without the best and the worst twentieth; null if there are fewer. */
export function average(times, count) {
  if (times.length < count) return null;
  const cut = Math.ceil(count / 20);
  const last = times.slice(-count).sort((a, b) => a - b).slice(cut, -cut);
  return mean(last);
}

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Records as lines of values that commas separate; the first line has their names. */
export function csv(records, fields) {
  const cell = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ''));
  return [fields, ...records.map((record) => fields.map((field) => record[field]))]
    .map((row) => `${row.map(cell).join(',')}\n`).join('');
}
