// The nodes that the search generates for a board, by heuristic: bars on a logarithmic scale.

import { $, grouped, on } from './dom.js';
import { same } from './grid.js';
import { isSolved, place, played } from './state.js';
import { foreground } from './task.js';

const NAMES = {
  manhattan: 'Manhattan distance',
  'walking-distance': 'Walking distance',
  '6-6-3': 'Tables 6-6-3',
  '7-8': 'Tables 7-8',
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
        rows.push({ heuristic, missing: missing(error, request) });
      }
      if (about !== request) break;
      draw(rows);
    }
    return {};
  }, () => app.say(rows.map(words).join('; ')));
}

const words = ({ heuristic, found, missing: lack }) => `${NAMES[heuristic]}: ${
  found ? `${found.optimal ? '' : 'more than '}${grouped(found.generated)}` : lack.brief}`;

/** Why a heuristic has no figure, in brief and in full. */
function missing(error, { width, height }) {
  if (error.kind !== 'database') return { brief: 'not for this board', full: error.message };
  if (width !== 4 || height !== 4) return { brief: 'not for this board', full: 'Too large to be built in a browser.' };
  const { source } = $('engine').dataset;
  if (!source) return { brief: 'still being built', full: 'Compare again when the line at the top says that these tables are there.' };
  if (source === 'none') return { brief: 'not available', full: 'These tables could not be built in this browser.' };
  return { brief: 'not for this goal', full: 'These tables are for goals with the blank in a corner.' };
}

function draw(rows) {
  const nodes = rows.map(({ found }) => found?.generated ?? 0);
  const most = Math.log10(Math.max(...nodes, 10) + 1);
  const first = rows[0].found?.optimal && rows[0].found.generated;
  $('bars').replaceChildren(...rows.map((row) => {
    const { heuristic, found, missing: lack } = row;
    const line = document.createElement('div');
    line.className = found && !found.optimal ? 'bar open' : 'bar';
    const name = document.createElement('span');
    name.textContent = NAMES[heuristic];
    const value = document.createElement('span');
    const fewer = first && found?.optimal && found.generated * 2 < first
      ? ` (${grouped(Math.round(first / found.generated))}× fewer)` : '';
    value.textContent = found ? `${found.optimal ? '' : '> '}${grouped(found.generated)}${fewer}` : lack.brief;
    if (lack) value.title = lack.full;
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
