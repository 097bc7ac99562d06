// The moves still needed: a short search for every board, and a longer one for a board that stays.

import { app } from './app.js';
import { $, element, on, remembered } from './dom.js';
import * as facts from './facts.js';
import { say } from './message.js';
import { request } from './start.js';
import { aimOf, endsBefore, isOneBoard, isSolved, place, played } from './state.js';
import { isSettled } from './status.js';
import { isBusy } from './task.js';
import { number, phrase } from './text.js';
import { isSolvable } from './verdict.js';

/** Milliseconds: to wait for the next move, and for the search; and the same of the longer search. */
const [PAUSE, BRIEF] = [120, 800];
const [IDLE, LONG] = [1500, 3000];
/** The most cells of a board whose optimum a longer search may find. */
const FEW = 25;

/** The search that runs, with the size of its board. */
const search = { size: null, stop: null, again: false, timer: 0 };
/** The milliseconds for which boards were searched without finding the optimum. */
const tried = new Map();
const keyOf = (state) => `${aimOf(state)}:${facts.keyOf(state.board, state.width)}`;

export function init() {
  remembered('show-togo', () => { learned(); refresh(); });
  on('show-togo', 'change', () => app.learned());
}

export function render(state, before) {
  // Boards of another size do not wait for tables that take seconds to build.
  if (search.stop && search.size !== sizeOf(state)) {
    search.again = true;
    search.stop.abort();
  }
  facts.aim(state);
  follow(state, before);
  learned(state);
  queue();
}

/** Boards of a line need what the line says. */
function follow(state, before) {
  const { width, solution } = state;
  if (solution && solution.moves !== before?.solution?.moves && state.goal.board && !endsBefore(state)) {
    facts.learn(played(state), width, { upper: solution.moves.length, moves: solution.moves });
  }
  if (isSolved(state) && state.mode === 'play') {
    const moves = state.moves.slice(0, state.cursor);
    facts.learn(state.start, width, { upper: moves.length, moves });
  }
  if (before?.start !== state.start || before.mode !== state.mode) return;
  const [from, moves] = solution ? [before.solution.at, solution.moves.slice(0, solution.at)] : [before.cursor, state.moves.slice(0, state.cursor)];
  if (solution?.moves === before.solution?.moves && state.moves.startsWith(before.moves.slice(0, before.cursor))) {
    facts.follow(before.board, width, moves.slice(from));
  }
}

const sizeOf = ({ width, height }) => `${width}×${height}`;

/** Repeats the questions that better tables may answer better. */
export function refresh() {
  tried.clear();
  find();
}

export function queue(wait = PAUSE) {
  clearTimeout(search.timer);
  search.timer = setTimeout(find, wait);
}

/** The milliseconds for which the board is searched next; 0 where there is nothing to find out. */
function next(state) {
  const { board, width, mode, goal } = state;
  const key = keyOf(state);
  if (!$('show-togo').checked || mode !== 'play' || !goal.board || !isSolvable() || facts.distance(board, width) !== undefined) return 0;
  if (!tried.has(key)) return BRIEF;
  return tried.get(key) < LONG && board.length <= FEW ? LONG : 0;
}

async function find() {
  const { state } = app;
  const limit = next(state);
  if (!limit || isBusy() || (limit === LONG && !isSettled(state) && isOneBoard(state))) return;
  if (search.stop) {
    search.again = true;
    return;
  }
  const stop = new AbortController();
  Object.assign(search, { size: sizeOf(state), stop, again: false });
  try {
    // Tables that are built meanwhile do not take the time of the search.
    await request('prepare', place(state), { signal: stop.signal });
    await facts.search(state, state.board, limit);
    if (tried.size > 1000) tried.clear();
    tried.set(keyOf(state), limit);
  } catch { /* Without an answer the number stays away; the next move asks again. */ }
  search.stop = null;
  if (search.again) queue();
  else if (next(app.state) === LONG) queue(IDLE);
  learned(app.state);
}

/** Shows what is known. */
export function learned(state = app.state) {
  const box = $('togo');
  if (state.mode === 'edit' || (state.mode === 'play' && !$('show-togo').checked)) box.textContent = '–';
  else if (isSolved(state)) box.textContent = '0';
  else if (!isSolvable()) box.textContent = '∞';
  else bounds(box, facts.of(state.board, state.width), next(state) > 0);
  if (app.moved && !isSolved(state)) say(spoken(app.moved));
}

/** A single number means an exact distance; an ellipsis that a search may tell more. */
function bounds(box, known, waits) {
  const text = inDigits(known);
  if (facts.exact(known) !== undefined) box.textContent = text;
  else box.replaceChildren(element('small', {}, waits && text !== '…' ? `${text} …` : text));
}

/** Bounds in digits. */
export function inDigits(known) {
  const { lower, upper } = known;
  if (lower === upper) return number(lower);
  if (upper === null) return lower ? `≥ ${number(lower)}` : '…';
  return lower ? `${number(lower)}–${number(upper)}` : `≤ ${number(upper)}`;
}

/** A move in words, with the moves still needed once they are known, or were searched for. */
export function spoken(moved) {
  const { board, width } = app.state;
  const { lower, upper } = facts.of(board, width);
  const isKnown = lower === upper || (tried.has(keyOf(app.state)) && (lower || upper));
  if (!isKnown || !$('show-togo').checked) return phrase('movedOnly', { moved });
  app.moved = null;
  let needed = phrase('range', { lower, upper });
  if (lower === upper) needed = number(lower);
  else if (upper === null) needed = phrase('atLeast', { lower });
  return phrase('movedToGo', { moved, needed });
}
