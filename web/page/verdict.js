// Whether the board can be solved, why, and what helps where it cannot.

import { app } from './app.js';
import { $, on } from './dom.js';
import * as facts from './facts.js';
import { fail, say } from './message.js';
import { shuffleAnew } from './shuffle.js';
import { request } from './start.js';
import { aimOf, isSolved, place } from './state.js';
import { phrase, reason } from './text.js';

/** The engine's verdict on a board; `answer` is null until it has come. */
let verdict = { key: '', answer: null, solvable: true, reachable: [] };
/** The goal that the engine is reading. */
let reading = '';

export const isSolvable = () => verdict.solvable;

/** Whether the board cannot be solved. Then it says why, and offers what helps. */
export function refused() {
  if (verdict.solvable) return false;
  const [other] = verdict.reachable;
  const actions = [[phrase('shuffle'), shuffleAnew]];
  if (other) actions.push([goalInWords(other), () => chooseGoal(other)]);
  fail(verdict.answer.transpositions === undefined ? phrase('unsolvable') : phrase('unsolvableWhy', { reason: parity() }), actions);
  return true;
}

/** The reason why the board can be solved, or cannot. */
function parity() {
  const { transpositions, blank_distance: distance, permutation_parity: permutation, blank_parity: blank } = verdict.answer;
  if (transpositions === undefined) return '';
  return phrase('parity', {
    transpositions: phrase('transpositions', { count: transpositions }), permutation: phrase(permutation), distance, blank: phrase(blank),
  });
}

const goalInWords = (name) => phrase('chooseGoal', { goal: phrase(`goal-${name}`) });
const chooseGoal = (text) => app.dispatch({ type: 'goal', goal: { text, board: null } });

export function init() {
  on('mend', 'click', mend);
  on('other-goal', 'click', () => chooseGoal(verdict.reachable[0]));
  on('why', 'click', () => explain($('reason').hidden));
  document.addEventListener('click', ({ target }) => { if (!(/** @type {any} */ (target)).closest('.line')) explain(false); });
}

function explain(open) {
  $('reason').hidden = !open;
  $('why').setAttribute('aria-expanded', open);
}

export async function render(state) {
  if (!state.goal.board) readGoal(state);
  const key = `${facts.keyOf(state.start, state.width)}:${aimOf(state)}`;
  if (key === verdict.key) return show(state);
  verdict = { key, answer: null, solvable: true, reachable: [] };
  show(state);
  try {
    const answer = await request('check', place(state, state.start));
    if (verdict.key !== key) return;
    verdict = { key, solvable: answer.solvable, reachable: answer.reachable, answer };
    if (!answer.solvable) say(phrase('unsolvable'));
  } catch (error) {
    // A goal whose labels are not those of the board.
    if (error.kind === 'input') fail(phrase('goalUnusable', { reason: reason(error) }));
    else if (verdict.key === key) verdict.key = '';
    return;
  }
  app.learned();
}

export const learned = show;

async function readGoal(state) {
  const { text } = state.goal;
  const key = `${text}:${state.width}:${state.height}`;
  if (key === reading) return;
  reading = key;
  try {
    const { board } = await request('goal', { goal: text, width: state.width, height: state.height });
    app.dispatch({ type: 'goal-read', text, board });
  } catch (error) {
    if (error.kind === 'input') fail(phrase('goalUnusable', { reason: reason(error) }));
  } finally {
    reading = '';
  }
}

function show(state) {
  const line = $('verdict');
  const done = isSolved(state) && state.mode === 'play' && state.cursor > 0;
  const told = done || (state.mode !== 'edit' && (app.aim || (app.waits && state.mode === 'play' ? phrase('worthWaits') : app.headline)));
  if (done) line.textContent = phrase(state.helped ? 'solvedWithHelp' : 'solvedIn', { count: state.cursor });
  else if (told) line.textContent = told;
  else line.textContent = verdict.answer ? inWords(state) : '';
  line.classList.toggle('won', done);
  line.classList.toggle('told', Boolean(told) && !done);
  line.classList.toggle('bad', !verdict.solvable && !told && state.entered === null);
  $('reason').textContent = verdict.answer ? parity() : '';
  $('why').hidden = Boolean(told) || !$('reason').textContent || (verdict.solvable && state.mode !== 'edit') || state.entered !== null;
  // Solving is not offered first where it is impossible.
  $('solve').classList.toggle('primary', verdict.solvable);
  $('shuffle-quick').classList.toggle('primary', !verdict.solvable);
  if ($('why').hidden) explain(false);
  const [other] = verdict.reachable;
  $('other-goal').hidden = !other || state.mode === 'solution' || state.entered !== null;
  $('other-goal').textContent = other ? goalInWords(other) : '';
  $('mend').hidden = verdict.solvable || state.mode !== 'edit' || state.entered !== null;
}

/** The verdict in words: the distance, where it is known and may be shown. */
function inWords(state) {
  if (state.entered !== null) return phrase('enterNext', { tile: state.entered + 1 });
  if (!verdict.solvable) return phrase('unsolvable');
  const exact = state.mode === 'play' && $('show-togo').checked ? facts.distance(state.board, state.width) : undefined;
  return exact === undefined ? phrase('solvable') : phrase('countToGo', { count: exact });
}

/** Exchanges two tiles, which changes the parity of the permutation. */
function mend() {
  const { board } = app.state;
  const [a, b] = board.map((tile, cell) => [tile, cell]).filter(([tile]) => tile).slice(-2);
  app.dispatch({ type: 'exchange', a: a[1], b: b[1] });
}
