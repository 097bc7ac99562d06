// The nodes that the search generates for a board, by heuristic: bars on a logarithmic scale.

import { $, grouped, on } from './dom.js';
import { same } from './grid.js';
import { isSolved, place, played } from './state.js';
import { foreground } from './task.js';

const NAMES = {
  manhattan: 'Manhattan distance',
  'walking-distance': 'Walking distance',
  '6-6-3': 'Databases 6-6-3',
  '7-8': 'Databases 7-8',
};
const LIMITS = { timeLimit: 5000, nodeLimit: 100_000_000 };

let app;
/** The question that the bars answer. */
let about = null;

export function init(the) {
  app = the;
  on('compare', 'click', compare);
}

export function render(state) {
  if (state.mode !== 'solution' && about && (about.goal !== state.goal.text || !same(about.board, state.board))) {
    about = null;
    $('bars').replaceChildren();
  }
}

function compare() {
  const { state } = app;
  const board = state.mode === 'solution' ? played(state) : state.board;
  if (isSolved({ ...state, board })) {
    app.say('The board is solved.');
    return;
  }
  const request = { ...place(state, board), ...LIMITS };
  about = request;
  const rows = [];
  foreground('Comparing', async () => {
    for (const heuristic of Object.keys(NAMES)) {
      try {
        rows.push({ heuristic, found: await app.request('solve', { ...request, heuristic }) });
      } catch (error) {
        if (error.kind === 'cancelled') throw error;
        rows.push({ heuristic, reason: error.message });
      }
      if (about !== request) break;
      draw(rows);
    }
    return {};
  }, () => app.say(rows.map(words).join('; ')));
}

const words = ({ heuristic, found }) => `${NAMES[heuristic]}: ${
  found ? `${found.optimal ? '' : 'more than '}${grouped(found.generated)}` : missing()}`;

/** Tables that are being built are not waited for. */
const missing = () => ($('engine').dataset.source ? 'not for this board' : 'not ready yet');

function draw(rows) {
  const nodes = rows.map(({ found }) => found?.generated ?? 0);
  const most = Math.log10(Math.max(...nodes, 10) + 1);
  const first = rows[0].found?.optimal && rows[0].found.generated;
  $('bars').replaceChildren(...rows.map((row) => {
    const { heuristic, found, reason } = row;
    const line = document.createElement('div');
    line.className = found && !found.optimal ? 'bar open' : 'bar';
    const name = document.createElement('span');
    name.textContent = NAMES[heuristic];
    const value = document.createElement('span');
    const fewer = first && found?.optimal && found.generated * 2 < first
      ? ` (${grouped(Math.round(first / found.generated))}× fewer)` : '';
    value.textContent = found ? `${found.optimal ? '' : '> '}${grouped(found.generated)}${fewer}` : missing();
    if (reason) value.title = reason;
    line.append(name, value);
    if (found) {
      const bar = document.createElement('i');
      bar.setAttribute('aria-hidden', 'true');
      const fill = document.createElement('b');
      fill.style.setProperty('--share', (Math.log10(found.generated + 1) / most).toFixed(4));
      bar.append(fill);
      line.append(bar);
    }
    return line;
  }));
}
