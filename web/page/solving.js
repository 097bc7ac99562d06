// The optimal solution with its proof, and all of them.

import { $, duration, grouped, on, plural } from './dom.js';
import { learn, refused } from './distance.js';
import { same } from './grid.js';
import { multiTile, turned } from './notation.js';
import { isSolved, place, played } from './state.js';
import { drop, foreground, isBusy } from './task.js';

/** The most solutions that are listed. */
const MOST = 1000;

/** The most cells of a board whose tables of slides are built without asking. */
const SMALL = 12;
const LARGE = 'The fewest slides on boards of this size need other tables, on 4×4 of 346 MB. They are built in this tab, which may take minutes, and are gone with it.';

let app;
let redraw;
/** The solutions listed: {paths, count, at}. */
let list = null;
/** The last answer: {board, width, result}, with {solutions, all} where all were counted. */
let last = null;
/** The board that the text is about; null where it is about none. */
let about = null;
/** Whether large tables of slides may be built. */
let allowed = false;
/** The solution from elsewhere that the text is about. */
let judged = '';

export const result = () => last;

export function init(the, render) {
  app = the;
  redraw = render;
  app.note = (text) => {
    tell(text);
    redraw();
  };
  on('solve', 'click', solve);
  on('all', 'click', all);
  on('all-back', 'click', () => another(-1));
  on('all-forth', 'click', () => another(1));
}

/** Ends a search for a board that is no longer there. */
export function outdated(state, before) {
  const gone = before.start !== state.start || before.goal.text !== state.goal.text;
  if (gone && isBusy()) drop();
  return gone;
}

export function render(state, before) {
  const { solution } = state;
  const gone = before && outdated(state, before);
  if (gone || !solution) list = null;
  if (about && (gone || (state.mode === 'play' && !same(state.board, about)))) idle();
  if (solution && solution.moves !== judged && !['solve', 'all', 'variation'].includes(solution.source)) judge(state);
  moves(solution);
  $('all-row').hidden = !(last?.result.optimal && last.result.metric === 'single' && solution);
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

export function solve() {
  const { state } = app;
  if (refused()) return;
  if (isSolved(state)) {
    app.note('The board is solved.');
    app.say('The board is solved.');
    return;
  }
  const slides = $('metric').value === 'multi';
  if (slides && state.board.length > SMALL && state.board.length <= 16 && !allowed) {
    app.fail(LARGE, [['Build them', () => {
      allowed = true;
      solve();
    }]]);
    return;
  }
  const limit = $('limit').value;
  const request = { ...place(state), metric: $('metric').value };
  foreground('Solving', async () => {
    // Large tables that a person has asked for do not take the time of the search.
    if (slides) await app.request('prepare', request);
    if (limit) request.deadline = performance.now() + Number(limit);
    return app.request('solve', request);
  }, (found) => {
    last = { board: state.board, width: state.width, result: found };
    list = null;
    if (!slides) learn(state, found);
    proof(found);
    if (found.solved) app.dispatch({ type: 'solution', moves: found.moves, source: 'solve' });
    else redraw();
    app.say($('proof').textContent);
  }, slides ? 'slide' : 'move');
}

/** Shows a text about the board of the game, until there is another board. Its head stands at the board, too. */
function tell(head, ...rest) {
  about = played(app.state);
  app.headline = head;
  const strong = document.createElement('b');
  strong.textContent = head;
  $('proof').replaceChildren(strong, ...rest);
}

function proof(found) {
  const effort = `${plural(found.generated, 'node')} in ${duration(found.seconds)} with ${found.heuristic.replace(':mirror', ' and its mirror')}.`;
  const slides = found.metric === 'multi';
  const unit = slides ? 'slide' : 'move';
  const length = slides ? found.slides : found.length;
  const other = slides ? plural(found.length, 'move') : `${found.slides} multi-tile`;
  const lines = [];
  if (!found.solved) {
    lines.push(`No solution yet: at least ${plural(found.lower_bound, unit)} are needed.`);
  } else if (found.optimal) {
    lines.push(`${plural(length, unit)}, optimal`, ` (${other}). `,
      `Proved: no solution has fewer than ${found.lower_bound}.`);
  } else {
    lines.push(`${plural(length, unit)}, the best found`,
      `. At least ${found.lower_bound} are needed: a gap of ${length - found.lower_bound}.`);
  }
  if (found.stopped) lines.push(` The search was ended by the limit of ${found.stopped}.`);
  tell(...lines, ` ${effort}`);
}

function idle() {
  last = null;
  about = null;
  judged = '';
  app.headline = '';
  const strong = document.createElement('b');
  strong.textContent = 'Solve';
  $('proof').replaceChildren('Press ', strong, ' for a solution with the fewest moves, proved.');
}

/** Compares a solution from elsewhere with the optimum. */
function judge(state) {
  judged = state.solution.moves;
  const { length } = judged;
  const from = played(state);
  const what = `This solution has ${plural(length, 'move')} (${multiTile(state.solution.moves)} multi-tile)`;
  tell(`${what}.`);
  const end = state.solution.moves;
  const search = () => app.request('solve', { ...place(state, from), timeLimit: 5000 });
  foreground('Comparing with the optimum', search, (found) => {
    if (app.state.solution?.moves !== end) return;
    last = { board: from, width: state.width, result: found };
    learn({ ...state, board: from }, found);
    if (found.optimal && found.length === length) tell(`${what}.`, ' It is optimal: no solution is shorter.');
    else if (found.optimal) tell(`${what}.`, ` An optimal solution has ${found.length}.`);
    else tell(`${what}.`, ` At least ${found.lower_bound} are needed.`);
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
