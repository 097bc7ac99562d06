// The optimal solution with its proof, and all of them.

import { $, element, on } from './dom.js';
import { learn, proved as provedFrom, refused } from './distance.js';
import { multiTile, same } from './grid.js';
import { endsBefore, isSolved, place, played } from './state.js';
import { drop, foreground, isBusy } from './task.js';
import { duration, number, phrase, sentences } from './text.js';

/** The most solutions that are listed. */
const MOST = 1000;

/** The most cells of a board whose tables of slides are built without asking. */
const FEW = 12;

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
/** Gives the text in the language of the page: its head, and the rest. */
let words = () => [phrase('pressSolve')];
/** The solution from elsewhere that the text is about, and the bounds of the optimum: {lower, upper}. */
let judged = '';
let optimum = null;

export const result = () => last;

const heuristicName = (name) => (name.endsWith(':mirror') ? phrase('withMirror', { name: name.replace(':mirror', '') }) : name);

export function init(the, render) {
  app = the;
  redraw = render;
  app.note = (key, more) => {
    tell(() => [phrase(key), more && sentences(['', more()])]);
    redraw();
  };
  on('solve', 'click', () => solve());
  on('all', 'click', all);
  on('all-back', 'click', () => another(-1));
  on('all-forth', 'click', () => another(1));
}

export function translate() {
  write();
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
  if (solution && solution.moves !== judged && !['solve', 'all'].includes(solution.source)) judge(state);
  $('all').hidden = Boolean(list) || !(last?.result.optimal && last.result.metric === 'single' && solution);
  $('all-steps').hidden = !list;
  if (list) {
    const shown = list.paths.length;
    const count = BigInt(list.count);
    $('all-text').textContent = phrase(count > BigInt(shown) ? 'solutionOfMany' : 'solutionOf', { at: list.at + 1, count: number(count), shown });
    $('all-back').disabled = list.at === 0;
    $('all-forth').disabled = list.at === shown - 1;
  }
}

/**
 * Solves the board. `failed` receives the error of a search without an answer, also of a cancelled one.
 * @param {(error: any) => void} [failed]
 */
export function solve(failed = () => {}) {
  const { state } = app;
  if (refused()) return;
  if (isSolved(state)) {
    app.note('isSolved');
    app.say(phrase('isSolved'));
    return;
  }
  const slides = $('metric').value === 'multi';
  if (slides && state.board.length > FEW && state.board.length <= 16 && !allowed) {
    app.fail(phrase('largeSlides'), [[phrase('buildThem'), () => {
      allowed = true;
      solve();
    }]]);
    return;
  }
  const limit = $('limit').value;
  /** @type {any} */
  const request = { ...place(state), metric: $('metric').value };
  foreground('solving', async () => {
    // Large tables that a person has asked for do not take the time of the search.
    try {
      if (slides) await app.request('prepare', request);
      if (limit) request.deadline = performance.now() + Number(limit);
      return await app.request('solve', request);
    } catch (error) {
      failed(error);
      throw error;
    }
  }, (found) => {
    last = { board: state.board, width: state.width, result: found };
    list = null;
    if (!slides) learn(state, found);
    proof(found);
    if (found.solved) app.dispatch({ type: 'solution', moves: found.moves, source: 'solve' });
    else redraw();
    app.say($('proof').textContent);
  }, slides ? 'countSlides' : 'countMoves');
}

/** Shows a text about the board of the game until there is another. Its head also stands at the board. */
function tell(says) {
  about = played(app.state);
  words = says;
  write();
}

function write() {
  const [head, rest] = words();
  app.headline = about ? head : '';
  $('proof').replaceChildren(element(about ? 'b' : 'span', {}, head), rest ?? '');
}

function proof(found) {
  judged = '';
  tell(() => proved(found));
}

/** The head and the rest of the text about an answer. */
function proved(found) {
  const slides = found.metric === 'multi';
  const unit = slides ? 'countSlides' : 'countMoves';
  const length = slides ? found.slides : found.length;
  const bound = found.lower_bound;
  const rest = [];
  let head;
  if (!found.solved) {
    head = phrase('noSolutionYet', { bound: phrase(unit, { count: bound }) });
  } else if (found.optimal) {
    head = phrase('optimal', { length: phrase(unit, { count: length }) });
    const other = slides ? phrase('countMoves', { count: found.length }) : phrase('countSlides', { count: found.slides });
    rest.push(phrase('optimalProof', { other, bound }));
  } else {
    head = phrase('bestFound', { length: phrase(unit, { count: length }) });
    rest.push(phrase('bestProof', { bound, gap: length - bound }));
  }
  const ended = { time: 'endedByTime', memory: 'endedByMemory' }[found.stopped];
  if (ended) rest.push(phrase(ended));
  rest.push(phrase('effort', {
    nodes: phrase('countNodes', { count: found.generated }), time: duration(found.seconds), heuristic: heuristicName(found.heuristic),
  }));
  return [head, found.solved ? sentences(rest) : sentences(['', ...rest])];
}

function idle() {
  last = null;
  about = null;
  judged = '';
  words = () => [phrase('pressSolve')];
  write();
}

/** Compares a solution from elsewhere with the optimum. */
function judge(state) {
  const { moves: mine, source } = state.solution;
  judged = mine;
  const from = played(state);
  const short = endsBefore(state);
  const known = provedFrom(from, state.width)?.length;
  optimum = known === undefined ? null : { lower: known, upper: known };
  tell(() => [
    phrase(short ? 'thisLine' : 'thisSolution', { moves: phrase('countMoves', { count: mine.length }), slides: phrase('countSlides', { count: multiTile(mine) }) }),
    optimum && sentences(['', comparison(mine.length, short)]),
  ]);
  // An analysis compares the lines that it shows itself.
  if (['line', 'variation'].includes(source)) return;
  const search = () => app.request('solve', { ...place(state, from), timeLimit: 5000 });
  foreground('comparingOptimum', search, (found) => {
    if (app.state.solution?.moves !== mine) return;
    last = { board: from, width: state.width, result: found };
    learn({ ...state, board: from }, found);
    compared(from, { lower: found.lower_bound, upper: found.length });
    redraw();
  });
}

/** Takes bounds of the optimum from a board, if the solution that is judged begins there. */
export function compared(board, bounds) {
  const { state } = app;
  if (state.solution?.moves !== judged || !same(played(state), board)) return;
  optimum = bounds;
  write();
}

/** A solution of so many moves next to the optimum; `short` where it ends before the goal. */
function comparison(length, short) {
  const { lower, upper } = optimum;
  if (lower !== upper) return phrase('optimalNeeds', { length: phrase('countMoves', { count: lower }) });
  return length === lower && !short ? phrase('thisIsOptimal') : phrase('optimalHas', { length: phrase('countMoves', { count: lower }) });
}

// ---- All optimal solutions

function all() {
  const { state } = app;
  if (!last) return;
  const request = { ...place(state, last.board), most: MOST };
  foreground('countingSolutions', () => app.request('solutions', request), ({ count, paths }) => {
    last = { ...last, solutions: String(count), all: paths };
    // The text may be about a longer solution until now.
    proof(last.result);
    const at = paths.indexOf(app.state.solution?.moves);
    list = { paths, count: String(count), at: Math.max(at, 0) };
    app.say(phrase('countOptimal', { count: BigInt(count) }));
    another(0);
  });
}

function another(step) {
  list.at = Math.max(0, Math.min(list.paths.length - 1, list.at + step));
  app.dispatch({ type: 'solution', moves: list.paths[list.at], source: 'all', at: app.state.solution?.at ?? 0 });
  redraw();
}
