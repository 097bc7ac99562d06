// The optimal solution with its proof, and all of them.

import { app } from './app.js';
import { $, element, on } from './dom.js';
import * as facts from './facts.js';
import { multiTile, same } from './grid.js';
import { question, say } from './message.js';
import { request } from './start.js';
import { endsBefore, isSolved, place, played } from './state.js';
import { drop, foreground, isBusy } from './task.js';
import { duration, number, phrase, sentences } from './text.js';
import { refused } from './verdict.js';

/** The most solutions that are listed. */
const MOST = 1000;

/** The most cells of a board whose tables of slides are built without asking. */
const FEW = 12;

/** The solutions listed: {paths, count, at}. */
let list = null;
/** The last answer: {board, width, result}, with {solutions, all} where all were counted. */
let last = null;
/** The text about a board: {board, words}, of which `words()` gives the head and the rest. Null where there is none. */
let text = null;
/** Whether large tables of slides may be built. */
let allowed = false;

export const result = () => last;

const heuristicName = (name) => (name.endsWith(':mirror') ? phrase('withMirror', { name: name.replace(':mirror', '') }) : name);

export function init() {
  on('solve', 'click', () => solve());
  on('all', 'click', all);
  on('all-back', 'click', () => another(-1));
  on('all-forth', 'click', () => another(1));
}

/** Says something about the board, with more that is not said at the board itself. */
export function note(key, more) {
  tell(() => [phrase(key), more && sentences(['', more()])]);
  app.render();
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
  if (text && (gone || (state.mode === 'play' && !same(state.board, text.board)))) {
    last = null;
    text = null;
  }
  if (solution && solution.moves !== before?.solution?.moves && !['solve', 'all'].includes(solution.source)) judge(state);
  write();
  const isKnown = solution && facts.distance(played(state), state.width) !== undefined;
  $('all').hidden = Boolean(list) || !isKnown || last?.result.metric === 'multi';
  $('all-steps').hidden = !list;
  if (list) {
    const shown = list.paths.length;
    const count = BigInt(list.count);
    $('all-text').textContent = phrase(count > BigInt(shown) ? 'solutionOfMany' : 'solutionOf', { at: list.at + 1, count: number(count), shown });
    $('all-back').disabled = list.at === 0;
    $('all-forth').disabled = list.at === shown - 1;
  }
}

export const translate = write;
export const learned = write;

/**
 * Solves the board. `failed` receives the error of a search without an answer, also of a cancelled one.
 * @param {(error: any) => void} [failed]
 */
export function solve(failed = () => {}) {
  const { state } = app;
  if (refused()) return;
  if (isSolved(state)) {
    note('isSolved');
    say(phrase('isSolved'));
    return;
  }
  const slides = $('metric').value === 'multi';
  if (slides && state.board.length > FEW && state.board.length <= 16 && !allowed) {
    question(phrase('largeSlides'), [[phrase('buildThem'), () => {
      allowed = true;
      solve();
    }]]);
    return;
  }
  const limit = $('limit').value;
  /** @type {any} */
  const asked = { ...place(state), metric: $('metric').value };
  foreground('solving', async (signal) => {
    // Large tables that a person has asked for do not take the time of the search.
    try {
      if (slides) await request('prepare', asked, { signal });
      if (limit) asked.deadline = performance.now() + Number(limit);
      return await request('solve', asked, { signal });
    } catch (error) {
      failed(error);
      throw error;
    }
  }, (found) => {
    last = { board: state.board, width: state.width, result: found };
    list = null;
    if (!slides) facts.answered(state, state.board, found);
    tell(() => answer(found, state));
    if (found.solved) app.dispatch({ type: 'solution', moves: found.moves, source: 'solve' });
    else app.render();
    say($('proof').textContent);
  }, slides ? 'countSlides' : 'countMoves');
}

/** Shows a text about the board of the game until there is another. Its head also stands at the board. */
function tell(words) {
  text = { board: played(app.state), words };
  write();
}

function write() {
  const [head, rest] = text?.words() ?? [phrase('pressSolve')];
  app.headline = text ? head : '';
  $('proof').replaceChildren(element(text ? 'b' : 'span', {}, head), rest ?? '');
}

/** The head and the rest of the text about an answer for a board, with what is known of the board now. */
function answer(found, { board, width }) {
  const slides = found.metric === 'multi';
  const unit = slides ? 'countSlides' : 'countMoves';
  const length = slides ? found.slides : found.length;
  const known = slides ? { lower: 0, upper: null } : facts.of(board, width);
  const bound = Math.max(found.lower_bound, known.lower);
  const rest = [];
  let head;
  if (!found.solved) {
    head = phrase('noSolutionYet', { bound: phrase(unit, { count: bound }) });
  } else if (length === bound) {
    head = phrase('optimal', { length: phrase(unit, { count: length }) });
    const other = slides ? phrase('countMoves', { count: found.length }) : phrase('countSlides', { count: found.slides });
    rest.push(phrase('optimalProof', { other, bound }));
  } else if (known.upper !== null && known.upper < length) {
    return [phrase('thisSolution', { moves: phrase(unit, { count: length }), slides: phrase('countSlides', { count: found.slides }) }), sentences(['', comparison(length, known)])];
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

/** Compares a solution from elsewhere with the optimum. */
function judge(state) {
  const { moves: mine, source } = state.solution;
  const { width } = state;
  const from = played(state);
  const short = endsBefore(state);
  tell(() => [
    phrase(short ? 'thisLine' : 'thisSolution', { moves: phrase('countMoves', { count: mine.length }), slides: phrase('countSlides', { count: multiTile(mine) }) }),
    facts.of(from, width).lower ? sentences(['', comparison(mine.length, facts.of(from, width), short)]) : '',
  ]);
  // An analysis compares the lines that it shows itself, and a list has searched its boards.
  if (['line', 'list', 'variation'].includes(source) || facts.distance(from, width) !== undefined) return;
  foreground('comparingOptimum', (signal) => facts.search(state, from, 5000, { signal }), (found) => {
    if (app.state.solution?.moves !== mine) return;
    last = { board: from, width, result: found };
    app.render();
  });
}

/** A solution of so many moves next to what is known of the optimum; `short` where it ends before the goal. */
function comparison(length, { lower, upper }, short = false) {
  const count = phrase('countMoves', { count: lower });
  if (lower !== upper) return phrase('optimalNeeds', { length: count });
  return length === lower && !short ? phrase('thisIsOptimal') : phrase('optimalHas', { length: count });
}

// ---- All optimal solutions

function all() {
  const { state } = app;
  const asked = { ...place(state, played(state)), most: MOST };
  foreground('countingSolutions', async (signal) => {
    last ??= { board: asked.board, width: state.width, result: await request('solve', asked, { signal }) };
    return request('solutions', asked, { signal });
  }, ({ count, paths }) => {
    last = { ...last, solutions: String(count), all: paths };
    // The text may be about a longer solution until now.
    const { result: found, board, width } = last;
    tell(() => answer(found, { board, width }));
    const at = paths.indexOf(app.state.solution?.moves);
    list = { paths, count: String(count), at: Math.max(at, 0) };
    say(phrase('countOptimal', { count: BigInt(count) }));
    another(0);
  });
}

function another(step) {
  list.at = Math.max(0, Math.min(list.paths.length - 1, list.at + step));
  app.dispatch({ type: 'solution', moves: list.paths[list.at], source: 'all', at: app.state.solution?.at ?? 0 });
  app.render();
}
