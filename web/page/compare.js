// The nodes that the search generates for a board, by heuristic: bars on a logarithmic scale.

import { $, grouped, on } from './dom.js';
import { foreground } from './solving.js';
import { isSolved, played } from './state.js';

const NAMES = {
  manhattan: 'Manhattan distance',
  'walking-distance': 'Walking distance',
  '6-6-3': 'Pattern databases 6-6-3',
  '7-8': 'Pattern databases 7-8',
};
const LIMITS = { timeLimit: 5000, nodeLimit: 100_000_000 };

let app;

export function init(the) {
  app = the;
  on('compare', 'click', compare);
}

export function render(state, before) {
  if (before && (before.board !== state.board || before.goal.text !== state.goal.text) && state.mode === 'play') {
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
  const request = { board, width: state.width, height: state.height, goal: state.goal.text, ...LIMITS };
  const rows = [];
  foreground('Comparing', async () => {
    for (const heuristic of Object.keys(NAMES)) {
      try {
        const answer = await app.engine.solve({ ...request, heuristic });
        if (answer?.ok === false) throw Object.assign(new Error(answer.error), { kind: answer.kind });
        rows.push({ heuristic, found: answer.result ?? answer });
      } catch (error) {
        if (error.kind === 'cancelled') throw error;
        rows.push({ heuristic, reason: error.message });
      }
      draw(rows);
    }
    return {};
  }, () => app.say(rows.map(words).join('; ')));
}

const words = ({ heuristic, found, reason }) => `${NAMES[heuristic]}: ${
  found ? `${found.optimal ? '' : 'more than '}${grouped(found.generated)}` : `not available (${reason})`}`;

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
    value.textContent = found ? `${found.optimal ? '' : '> '}${grouped(found.generated)}${fewer}` : 'not here';
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
