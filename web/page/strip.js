// The values of heuristics for the board next to its true distance, for a class that watches.

import { app } from './app.js';
import { $, on, remembered } from './dom.js';
import * as facts from './facts.js';
import { manhattan } from './grid.js';
import { request } from './start.js';
import { isSolved, place } from './state.js';
import { number } from './text.js';
import { inDigits } from './togo.js';

const HEURISTICS = ['manhattan', 'linear-conflict'];
const PLACES = ['strip-tables', 'strip-manhattan', 'strip-conflict'];

/** The board that was asked about last, and whether its answer is still to come. */
let asked = '';
let waits = false;

export function init() {
  remembered('show-strip', app.render);
  on('full', 'click', () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {}));
  $('full').hidden = !document.fullscreenEnabled;
}

export function render(state) {
  $('strip').hidden = !$('show-strip').checked;
  $('graph').toggleAttribute('hidden', $('show-strip').checked);
  learned(state);
  if ($('show-strip').checked) ask(state);
}

export function learned(state) {
  $('strip-distance').textContent = isSolved(state) ? '0' : inDigits(facts.of(state.board, state.width));
}

async function ask(state) {
  const key = `${facts.keyOf(state.board, state.width)}:${state.goal.text}`;
  if (waits || key === asked || !state.goal.board || state.mode === 'edit') return;
  asked = key;
  waits = true;
  const { heuristic = '', values = [] } = await request('values', { ...place(state), heuristics: HEURISTICS }).catch(() => ({}));
  waits = false;
  // Of an open goal, whose tiles may be anywhere, the tiles that it names are counted.
  if (!values.length && !state.labels) values[1] = manhattan(state.board, state.goal.board, state.width);
  PLACES.forEach((id, i) => { $(id).textContent = values[i] === undefined ? '–' : number(values[i]); });
  $('strip-name').textContent = heuristic;
  ask(app.state);
}
