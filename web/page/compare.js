// The nodes that the search generates for a board, by heuristic: bars on a logarithmic scale.

import { refused } from './distance.js';
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
/** What Solve uses. */
const BEST = 'best';
/** The same for all, so that the bars can be compared. */
const MOST = 20_000_000;

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
  if (refused()) return;
  if (isSolved({ ...state, board })) {
    app.say('The board is solved.');
    return;
  }
  const request = { ...place(state, board), nodeLimit: MOST };
  about = request;
  const rows = [];
  const four = state.width === 4 && state.height === 4;
  const heuristics = Object.keys(NAMES).filter((name) => four || !/\d/.test(name)).concat(BEST);
  foreground('Comparing', async () => {
    for (const heuristic of heuristics) {
      try {
        rows.push({ heuristic, found: await app.request('solve', { ...request, heuristic }) });
      } catch (error) {
        if (error.kind === 'cancelled') throw error;
        rows.push({ heuristic, missing: missing(error) });
      }
      if (about !== request) break;
      draw(rows);
    }
    return {};
  }, () => app.say(rows.map((row) => `${title(row)}: ${count(row)}`).join('; ')));
}

/** The heuristic of a row; of the search that Solve makes, the one that it has chosen. */
function title({ heuristic, found }) {
  if (heuristic !== BEST) return NAMES[heuristic];
  return `Solve${found ? `, with ${found.heuristic.replace(':mirror', ' and its mirror')}` : ''}`;
}

const count = ({ found, missing: lack }) => (found ? `${found.optimal ? '' : '≥ '}${grouped(found.generated)}` : lack.brief);

/** Why a heuristic has no figure, in brief and in full. */
function missing(error) {
  if (error.kind !== 'database') return { brief: 'not for this board', full: error.message };
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
    const { found, missing: lack } = row;
    const line = document.createElement('div');
    line.className = found && !found.optimal ? 'bar open' : 'bar';
    const name = document.createElement('span');
    name.textContent = title(row);
    const value = document.createElement('span');
    const fewer = first && found?.optimal && found.generated * 2 < first
      ? ` (${grouped(Math.round(first / found.generated))}× fewer)` : '';
    value.textContent = `${count(row)}${fewer}`;
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
