// The optimal solution with its proof, and all of them.

import { $, duration, grouped, on, plural } from './dom.js';
import { unsolvable } from './distance.js';
import { same } from './grid.js';
import { multiTile, turned } from './notation.js';
import { isSolved, place, played } from './state.js';
import { cancel, foreground, isBusy } from './task.js';

/** The most solutions that are listed. */
const MOST = 1000;

let app;
let redraw;
/** The solutions listed: {paths, count, at}. */
let list = null;
/** The last answer: {board, width, result}, with {solutions, all} where all were counted. */
let last = null;

export const result = () => last;

export function init(the, render) {
  app = the;
  redraw = render;
  on('solve', 'click', solve);
  on('all', 'click', all);
  on('all-back', 'click', () => another(-1));
  on('all-forth', 'click', () => another(1));
}

/** Ends a search for a board that is no longer there. */
export function outdated(state, before) {
  const gone = before.start !== state.start || before.goal.text !== state.goal.text;
  if (gone && isBusy()) cancel();
  return gone;
}

export function render(state, before) {
  const { solution } = state;
  const gone = before && outdated(state, before);
  if (gone || !solution) list = null;
  if (last && (gone || (state.mode === 'play' && !same(state.board, last.board)))) {
    last = null;
    idle();
  }
  if (solution && before?.solution?.moves !== solution.moves && !['solve', 'all'].includes(solution.source)) judge(state);
  moves(solution);
  $('all-row').hidden = !(last?.result.optimal && solution);
  $('all').hidden = Boolean(list);
  $('all-steps').hidden = !list;
  if (list) {
    const shown = list.paths.length;
    $('all-text').textContent = `${list.at + 1} of ${grouped(list.count)}`
      + (BigInt(list.count) > BigInt(shown) ? ` (the first ${grouped(shown)} are listed)` : '');
    $('all-back').disabled = list.at === 0;
    $('all-forth').disabled = list.at === shown - 1;
  }
}

function solve() {
  const { state } = app;
  if (unsolvable()) {
    app.fail(`${unsolvable()}. Edit the board, or choose another goal.`);
    return;
  }
  if (isSolved(state)) {
    $('proof').textContent = 'The board is solved.';
    app.say('The board is solved.');
    return;
  }
  const limit = $('limit').value;
  const request = place(state);
  if (limit) request.timeLimit = Number(limit);
  foreground('Solving', () => app.request('solve', request), (found) => {
    last = { board: state.board, width: state.width, result: found };
    list = null;
    proof(found);
    if (!found.solved) {
      app.say($('proof').textContent);
      return;
    }
    app.dispatch({ type: 'solution', moves: found.moves, source: 'solve' });
    app.say($('proof').textContent);
  });
}

function proof(found) {
  const effort = `${plural(found.generated, 'node')} in ${duration(found.seconds)} with ${found.heuristic.replace(':mirror', ' and its mirror')}.`;
  const lines = [];
  if (!found.solved) {
    lines.push(`No solution yet: at least ${plural(found.lower_bound, 'move')} are needed.`);
  } else if (found.optimal) {
    lines.push(`${plural(found.length, 'move')}, optimal`, ` (${multiTile(found.moves)} multi-tile). `,
      `Proved: no solution has fewer than ${found.lower_bound}.`);
  } else {
    lines.push(`${plural(found.length, 'move')}, the best found`,
      `. At least ${found.lower_bound} are needed: a gap of ${found.length - found.lower_bound}.`);
  }
  if (found.stopped) lines.push(` The search was ended by the limit of ${found.stopped}.`);
  const [head, ...rest] = lines;
  const strong = document.createElement('b');
  strong.textContent = head;
  $('proof').replaceChildren(strong, ...rest, ` ${effort}`);
}

function idle() {
  const strong = document.createElement('b');
  strong.textContent = 'Solve';
  $('proof').replaceChildren('Press ', strong, ' for a solution with the fewest moves, proved.');
}

/** Compares a solution from elsewhere with the optimum. */
function judge(state) {
  const { length } = state.solution.moves;
  const from = played(state);
  const what = `This solution has ${plural(length, 'move')} (${multiTile(state.solution.moves)} multi-tile)`;
  $('proof').textContent = `${what}.`;
  const end = state.solution.moves;
  const search = () => app.request('solve', { ...place(state, from), timeLimit: 5000 });
  foreground('Comparing with the optimum', search, (found) => {
    if (app.state.solution?.moves !== end) return;
    last = { board: from, width: state.width, result: found };
    if (found.optimal && found.length === length) $('proof').textContent = `${what}. It is optimal: no solution is shorter.`;
    else if (found.optimal) $('proof').textContent = `${what}. An optimal solution has ${found.length}.`;
    else $('proof').textContent = `${what}. At least ${found.lower_bound} are needed.`;
    redraw();
  });
}

// ---- All optimal solutions

function all() {
  const { state } = app;
  if (!last) return;
  const request = { ...place(state, last.board), most: MOST };
  foreground('Counting all optimal solutions', () => app.request('solutions', request), ({ count, paths }) => {
    last = { ...last, solutions: String(count), all: paths };
    const at = paths.indexOf(app.state.solution?.moves);
    list = { paths, count: String(count), at: Math.max(at, 0) };
    app.say(`${plural(count, 'optimal solution')}.`);
    another(0);
  });
}

function another(step) {
  list.at = Math.max(0, Math.min(list.paths.length - 1, list.at + step));
  app.dispatch({ type: 'solution', moves: list.paths[list.at], source: 'all', at: app.state.solution?.at ?? 0 });
  redraw();
}

// ---- The moves as text

function moves(solution) {
  const box = $('solution-moves');
  box.hidden = !solution;
  if (!solution) return;
  const { at } = solution;
  const text = turned(solution.moves, $('directions').value);
  const made = document.createElement('span');
  made.className = 'made';
  made.textContent = text.slice(0, at);
  const next = document.createElement('mark');
  next.textContent = text.slice(at, at + 1);
  box.replaceChildren(made, next, text.slice(at + 1));
}
