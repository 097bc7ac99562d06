// The known facts about the board that is shown: whether it can be solved, the moves still needed, and the
// next move.

import { direction } from './checks.js';
import { $, element, on, remembered } from './dom.js';
import { after, same, source } from './grid.js';
import { shuffleAnew } from './setup.js';
import { endsBefore, place, played, isSolved } from './state.js';
import { foreground, isBusy } from './task.js';
import { number, phrase, reason, sentences } from './text.js';

/** Milliseconds: to wait for the next move, and for the search for the moves still needed. */
const PAUSE = 120;
const BRIEF = 800;

let app;
let redraw;
/** The board of the game with its distance: {board, width, goal, moves, length, lower}. */
let known = null;
export const about = () => known;
/** Whether better tables may know more. */
let stale = false;
/** The remaining moves of optimal solutions from the boards on them, for one goal. */
const exact = { goal: '', left: new Map() };
const MOST = 20_000;
const brief = { size: null, stop: null, again: false, timer: 0 };
/** The engine's verdict on the board; `answer` is null until it has come. The board tells a distance, too. */
let verdict = { key: '', answer: null, solvable: true, reachable: [] };
/** The goal that the engine is reading. */
let reading = '';

/** Whether the board cannot be solved. Then it says why, and offers what helps. */
export function refused() {
  if (verdict.solvable) return false;
  const [other] = verdict.reachable;
  const actions = [[phrase('shuffle'), shuffleAnew]];
  if (other) actions.push([goalInWords(other), () => chooseGoal(other)]);
  app.fail(phrase('unsolvableWhy', { reason: parity() }), actions);
  return true;
}

/** The reason why the board can be solved, or cannot. */
function parity() {
  const { transpositions, blank_distance: distance, permutation_parity: permutation, blank_parity: blank } = verdict.answer;
  return phrase('parity', {
    transpositions: phrase('transpositions', { count: transpositions }), permutation: phrase(permutation), distance, blank: phrase(blank),
  });
}

const goalInWords = (name) => phrase('chooseGoal', { goal: phrase(`goal-${name}`) });
const chooseGoal = (text) => app.dispatch({ type: 'goal', goal: { text, board: null } });

export function init(the, render) {
  app = the;
  redraw = render;
  on('hint', 'click', hint);
  on('mend', 'click', mend);
  on('other-goal', 'click', () => chooseGoal(verdict.reachable[0]));
  on('why', 'click', () => {
    $('reason').hidden = !$('reason').hidden;
    $('why').setAttribute('aria-expanded', !$('reason').hidden);
  });
  remembered('show-togo', () => { togo(); refresh(); });
}

export function render(state) {
  // Boards of another size do not wait for tables that take seconds to build.
  if (brief.stop && brief.size !== sizeOf(state)) {
    brief.again = true;
    brief.stop.abort();
  }
  follow(state);
  check(state);
  togo();
  queue();
}

/** Repeats the questions that better tables may answer better. */
export function refresh() {
  stale = Boolean(known) && known.length !== known.lower;
  check(app.state);
  search();
}

// ---- Solvability

async function readGoal(state) {
  const { text } = state.goal;
  const key = `${text}:${state.width}:${state.height}`;
  if (key === reading) return;
  reading = key;
  try {
    const { board } = await app.ask('goal', { goal: text, width: state.width, height: state.height });
    app.dispatch({ type: 'goal-read', text, board });
  } catch (error) {
    if (error.kind === 'input') app.fail(phrase('goalUnusable', { reason: reason(error) }));
  } finally {
    reading = '';
  }
}

async function check(state) {
  if (!state.goal.board) readGoal(state);
  const start = state.mode === 'edit' && state.editing === 'goal' ? played(state) : state.start;
  const request = place(state, start);
  const key = `${placed(start, state.width)}:${state.goal.text}`;
  if (key === verdict.key) return showVerdict(state);
  verdict = { key, answer: null, solvable: true, reachable: [] };
  showVerdict(state);
  try {
    const answer = await app.ask('check', request);
    if (verdict.key !== key) return;
    verdict = { key, solvable: answer.solvable, reachable: answer.reachable, answer };
    if (!answer.solvable) app.say(phrase('unsolvable'));
  } catch {
    if (verdict.key === key) verdict.key = '';
    return;
  }
  showVerdict(app.state);
  togo();
}

function showVerdict(state) {
  const line = $('verdict');
  const done = isSolved(state) && state.mode === 'play' && state.cursor > 0;
  const told = done || (state.mode !== 'edit' && (app.aim || app.headline));
  if (done) line.textContent = phrase(state.helped ? 'solvedWithHelp' : 'solvedIn', { count: state.cursor });
  else if (told) line.textContent = told;
  else line.textContent = verdict.answer ? verdictOf(state) : '';
  line.classList.toggle('won', done);
  line.classList.toggle('told', Boolean(told) && !done);
  line.classList.toggle('bad', !verdict.solvable && !told);
  $('why').hidden = Boolean(told) || !verdict.answer || (verdict.solvable && state.mode !== 'edit');
  // Solving is not offered first where it is impossible.
  $('solve').classList.toggle('primary', verdict.solvable);
  $('shuffle-quick').classList.toggle('primary', !verdict.solvable);
  $('reason').textContent = verdict.answer ? parity() : '';
  if ($('why').hidden) {
    $('reason').hidden = true;
    $('why').setAttribute('aria-expanded', 'false');
  }
  const [other] = verdict.reachable;
  $('other-goal').hidden = !other || state.mode === 'solution' || (state.mode === 'edit' && state.editing === 'goal');
  $('other-goal').textContent = other ? goalInWords(other) : '';
  $('mend').hidden = verdict.solvable || state.mode !== 'edit';
}

/** The verdict in words: the distance, where it is known and may be shown. */
function verdictOf(state) {
  if (!verdict.solvable) return phrase('unsolvable');
  const exact = state.mode === 'play' && $('show-togo').checked && isKnown(state) && known.length === known.lower;
  return exact ? phrase('countToGo', { count: known.length }) : phrase('solvable');
}

/** Exchanges two tiles, which changes the parity of the permutation. */
function mend() {
  const { board } = app.state;
  const [a, b] = board.map((tile, cell) => [tile, cell]).filter(([tile]) => tile).slice(-2);
  app.dispatch({ type: 'exchange', a: a[1], b: b[1] });
}

// ---- The moves still needed

const placed = (board, width) => `${width}:${board}`;
const sizeOf = ({ width, height }) => `${width}×${height}`;

/** The board that `known` is about: before the solution, where one is shown. */
const base = (state) => (state.mode === 'solution' ? played(state) : state.board);

/** Whether a board is the one that something is known of. */
const isKnown = ({ board, width }) => known?.width === width && same(known.board, board);

/** Boards on a known solution need no search. */
function follow(state) {
  if (exact.goal !== state.goal.text || exact.left.size > MOST) {
    exact.goal = state.goal.text;
    exact.left.clear();
  }
  // The game goes on from the board before the solution.
  if (state.mode === 'solution') return;
  const { board, width, goal: { text: goal } } = state;
  const moves = proved(board, width);
  // A result found while a solution was shown may be a proof for the board before it.
  if (known?.goal === goal && isKnown(state) && (moves === undefined || known.length === known.lower)) return;
  stale = false;
  known = moves === undefined ? null : { board, width, goal, moves, length: moves.length, lower: moves.length };
}

/** An optimal solution from a board for the goal that is shown; undefined where none is known. */
export const proved = (board, width) => exact.left.get(placed(board, width));

/** Remembers the boards on an optimal solution. */
function remember({ board, width }, moves) {
  let now = board;
  for (let i = 0; now; i++) {
    exact.left.set(placed(now, width), moves.slice(i));
    now = i < moves.length ? after(now, width, moves[i]) : null;
  }
}

export function queue() {
  clearTimeout(brief.timer);
  brief.timer = setTimeout(search, PAUSE);
}

async function search() {
  const { state } = app;
  if (!$('show-togo').checked || state.mode !== 'play' || (known && !stale) || isBusy() || !state.goal.board) return;
  if (brief.stop) {
    brief.again = true;
    return;
  }
  if (!verdict.solvable) return;
  const size = sizeOf(state);
  const stop = new AbortController();
  Object.assign(brief, { size, stop, again: false });
  try {
    // Tables that are built meanwhile do not take the time of the search.
    await app.request('prepare', place(state), { signal: stop.signal });
    learn(state, await app.request('solve', { ...place(state), timeLimit: BRIEF }));
  } catch { /* Without an answer the number stays away; the next move asks again. */ }
  brief.stop = null;
  if (brief.again) queue();
}

/** Takes the result of a search for a board of a state. */
export function learn(state, { moves, length, lower_bound: lower }) {
  if (app.state.goal.text !== state.goal.text) return;
  if (length === lower) remember(state, moves);
  const { board, width } = state;
  if (placed(base(app.state), app.state.width) !== placed(board, width)) return;
  const before = isKnown(state) ? known : null;
  known = { board, width, goal: state.goal.text, moves, length, lower };
  // Each search may know one of the bounds better.
  if (before) {
    known.lower = Math.max(lower, before.lower);
    if (before.moves && !(length <= before.length)) Object.assign(known, { moves: before.moves, length: before.length });
  }
  stale = false;
  togo();
  showVerdict(app.state);
  app.learned();
  if (app.moved && !isSolved(app.state)) app.say(spoken(app.moved));
}

/** A move in words, with the moves still needed where they are known. */
export function spoken(moved) {
  if (!known || !$('show-togo').checked) return phrase('movedOnly', { moved });
  app.moved = null;
  return phrase('movedToGo', { moved, needed: needed() });
}

function needed() {
  const { length, lower } = known;
  if (length === lower) return number(length);
  return length === null ? phrase('atLeast', { lower }) : phrase('range', { lower, upper: length });
}

/** The moves still needed from a board of the solution shown; the rest of the solution bounds them. */
function ahead(state) {
  const { board, width, solution: { moves, at } } = state;
  const from = base(state);
  const left = moves.length - at;
  const short = endsBefore(state);
  let exactly = proved(board, width)?.length;
  if (!short && proved(from, width)?.length === moves.length) exactly = left;
  if (exactly !== undefined) return { length: exactly, lower: exactly };
  const lower = isKnown({ board: from, width }) && known.goal === state.goal.text ? known.lower - at : 0;
  return { length: short ? null : left, lower: Math.max(lower, 0) };
}

function togo() {
  const { state } = app;
  const box = $('togo');
  if (state.mode === 'edit' || (state.mode === 'play' && !$('show-togo').checked)) box.textContent = '–';
  else if (isSolved(state)) box.textContent = '0';
  else if (!verdict.solvable) box.textContent = '∞';
  else bounds(box, state.mode === 'solution' ? ahead(state) : known);
}

/** A single number means an exact distance. */
function bounds(box, found) {
  const { length = null, lower = 0 } = found ?? {};
  if (length === lower) {
    box.textContent = length;
    return;
  }
  let range = lower ? `≥ ${lower}` : '…';
  if (length !== null) range = lower ? `${lower}–${length}` : `≤ ${length}`;
  box.replaceChildren(element('small', {}, range));
}

/** Shows the next move, of a shortest solution or of one line by line with what the move is for. */
export async function hint() {
  const { state } = app;
  if (refused()) return;
  if (isSolved(state)) return app.say(phrase('isSolved'));
  const found = $('hints').value === 'steps' ? await lesson(state) : await shortest(state);
  if (!found || !same(app.state.board, state.board)) return;
  if (!found.moves) return app.fail(phrase('noHint'));
  const [first] = found.moves;
  app.dispatch({ type: 'helped' });
  app.hint = source(state.board, state.width, first);
  const words = [phrase('hintIs', { tile: state.board[app.hint], direction: direction(first) })];
  if (found.tiles) words.push(aim(found, state));
  app.aim = sentences(words);
  redraw();
  app.say(app.aim);
}

async function shortest(state) {
  if (known?.moves) return known;
  return foreground('lookingForHint', () => app.request('solve', { ...place(state), timeLimit: 3000 }), (answer) => {
    learn(state, answer);
    return known;
  });
}

async function lesson(state) {
  try {
    return await app.ask('lesson', place(state));
  } catch (error) {
    app.fail(phrase('hasFailed', { what: phrase('lookingForHint'), reason: reason(error) }));
    return null;
  }
}

/** The purpose of a move: the next tile of a line, its last two, or the rest. */
function aim({ tiles, line }, { goal, width }) {
  const rows = new Set(line.map((tile) => Math.floor(goal.board.indexOf(tile) / width)));
  const [row] = rows;
  const column = goal.board.indexOf(line[0]) % width;
  const where = rows.size === 1 ? phrase('aimRow', { number: row + 1 }) : phrase('aimColumn', { number: column + 1 });
  if (tiles.length === 1) return phrase('aimTile', { tile: tiles[0], line: where });
  if (tiles.length === 2) return phrase('aimPair', { a: tiles[0], b: tiles[1], line: where });
  return phrase('aimRest', { count: tiles.length });
}
