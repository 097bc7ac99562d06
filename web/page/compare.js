// The nodes that the search generates for a board, by heuristic: bars on a logarithmic scale.

import { learn, refused } from './distance.js';
import { $, on } from './dom.js';
import { same } from './grid.js';
import { isSolved, place, played } from './state.js';
import { foreground } from './task.js';
import { number, phrase } from './text.js';

const HEURISTICS = ['manhattan', 'walking-distance', '6-6-3', '7-8'];
/** The names that are the same in every language. */
const NAMES = { manhattan: 'Manhattan distance', 'walking-distance': 'Walking distance' };
/** The search of Solve. */
const BEST = 'best';
/** One limit for all, so that the bars can be compared. */
const MOST = 20_000_000;

let app;
/** The question that the bars answer. */
let about = null;
let rows = [];

export function init(the) {
  app = the;
  on('compare', 'click', compare);
}

export function render(state) {
  if (state.mode !== 'solution' && about && (about.goal !== state.goal.text || !same(about.board, state.board))) {
    about = null;
    rows = [];
    draw();
  }
}

export function translate() {
  draw();
}

function compare() {
  const { state } = app;
  const board = state.mode === 'solution' ? played(state) : state.board;
  if (refused()) return;
  if (isSolved({ ...state, board })) {
    app.say(phrase('isSolved'));
    return;
  }
  const request = { ...place(state, board), nodeLimit: MOST };
  about = request;
  const mine = rows = [];
  const four = state.width === 4 && state.height === 4;
  const heuristics = HEURISTICS.filter((name) => four || !/\d/.test(name)).concat(BEST);
  foreground('comparing', async () => {
    for (const heuristic of heuristics) {
      try {
        const found = await app.request('solve', { ...request, heuristic });
        mine.push({ heuristic, found });
        learn({ ...state, board }, found);
      } catch (error) {
        if (error.kind === 'cancelled') throw error;
        mine.push({ heuristic, missing: missing(error) });
      }
      if (about !== request) break;
      draw();
    }
    return {};
  }, () => app.say(mine.map((row) => `${title(row)}: ${count(row)}`).join('; ')));
}

/** A heuristic by the name that the engine gives it. */
export const heuristicName = (name) => (name.endsWith(':mirror') ? phrase('withMirror', { name: name.replace(':mirror', '') }) : name);

/** The heuristic of a row; of the search that Solve makes, the one that it has chosen. */
function title({ heuristic, found }) {
  if (heuristic !== BEST) return NAMES[heuristic] ?? phrase('tables', { name: heuristic });
  return found ? phrase('solveWith', { heuristic: heuristicName(found.heuristic) }) : phrase('solve');
}

const count = ({ found, missing: lack }) => (found ? `${found.optimal ? '' : '≥ '}${number(found.generated)}` : phrase(lack));

/** The phrase for a heuristic that has no figure; the one that ends in `Help` says more. */
function missing(error) {
  if (error.kind !== 'database') return 'notThisBoard';
  const { source } = $('engine').dataset;
  if (!source) return 'stillBuilding';
  return source === 'none' ? 'notAvailable' : 'notThisGoal';
}

function draw() {
  const nodes = rows.map(({ found }) => found?.generated ?? 0);
  const most = Math.log10(Math.max(...nodes, 10) + 1);
  const first = rows[0]?.found?.optimal && rows[0].found.generated;
  $('bars').replaceChildren(...rows.map((row) => {
    const { found, missing: lack } = row;
    const line = document.createElement('div');
    line.className = found && !found.optimal ? 'bar open' : 'bar';
    const name = document.createElement('span');
    name.textContent = title(row);
    const value = document.createElement('span');
    const fewer = first && found?.optimal && found.generated * 2 < first;
    value.textContent = fewer
      ? phrase('timesFewer', { nodes: count(row), count: Math.round(first / found.generated) }) : count(row);
    if (lack) value.title = lack === 'notThisBoard' ? '' : phrase(`${lack}Help`);
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
