// The solves of this browser, with their averages. Those with help, and those of moves that were not made by
// hand, are not counted.

import { average, csv } from './averages.js';
import { $, on, store } from './dom.js';
import { GOALS } from './grid.js';
import { multiTile, rowText } from './notation.js';
import { elapsed } from './state.js';
import { clock, decimals, phrase, sentences } from './text.js';

const KEY = 'taquin.solves';
/** The most that are kept, and shown. */
const MOST = 5000;
const SHOWN = 100;
const FIELDS = ['when', 'width', 'height', 'goal', 'seconds', 'moves', 'slides', 'board', 'line'];

/** Whether the list could be written last; otherwise the stored one lacks solves of this tab. */
let kept = true;
let all = read() ?? [];
let kind = '';
let app;

export function init(the) {
  app = the;
  on('solves-csv', 'click', () => store('taquin-solves.csv', 'text/csv', csv(all, FIELDS)));
  on('solves-json', 'click', () => store('taquin-solves.json', 'application/json', `${JSON.stringify(all)}\n`));
  on('solves-clear', 'click', clear);
  // Another tab has added solves, or cleared the list.
  addEventListener('storage', ({ key }) => {
    if (key !== KEY && key !== null) return;
    all = read() ?? all;
    draw(app.state);
  });
}

export function render(state) {
  const now = `${state.width}×${state.height} ${state.goal.text}`;
  if (now === kind) return;
  kind = now;
  draw(state);
}

export function translate() {
  draw(app.state);
}

/** Keeps the game that has just been solved. */
export function add(state) {
  if (state.helped || !state.byHand) return;
  const { width, height, goal, start, moves } = state;
  // Another tab may have added solves since.
  all = [...read() ?? all, {
    when: new Date().toISOString(),
    width,
    height,
    goal: goal.text,
    seconds: Math.round(elapsed(state, 0)) / 1000,
    moves: moves.length,
    slides: multiTile(moves),
    board: rowText(start, width),
    line: moves,
  }].slice(-MOST);
  write();
  draw(state);
}

let asked = 0;
function clear() {
  // A second press within some seconds is meant.
  if (Date.now() - asked > 5000) {
    asked = Date.now();
    $('solves-clear').textContent = phrase('reallyClear');
    setTimeout(() => { $('solves-clear').textContent = phrase('clear'); }, 5000);
    return;
  }
  asked = 0;
  all = [];
  write();
  $('solves').replaceChildren();
  $('solves').hidden = true;
  $('solves-text').textContent = phrase('noSolves');
  $('solves-clear').textContent = phrase('clear');
}

function draw({ width, height, goal }) {
  const these = all.filter((solve) => solve.width === width && solve.height === height && solve.goal === goal.text);
  const times = these.map(({ seconds }) => seconds);
  const what = [`${width}×${height}`];
  if (goal.text !== 'blank-last') what.push(GOALS.includes(goal.text) ? phrase(`goal-${goal.text}`) : phrase('aGoalOfYourOwn'));
  const parts = [phrase('countSolves', { count: these.length, kind: what.join(', ') })];
  if (times.length) parts.push(phrase('best', { time: clock(1000 * Math.min(...times)) }));
  for (const count of [5, 12]) {
    const mean = average(times, count);
    if (mean !== null) parts.push(phrase('averageOf', { count, time: clock(1000 * mean) }));
  }
  $('solves-text').textContent = sentences(parts);
  $('solves').hidden = !these.length;
  $('solves').replaceChildren(...these.slice(-SHOWN).reverse().map(({ seconds, moves }) => {
    const item = document.createElement('li');
    const values = { time: clock(1000 * seconds), moves: phrase('countMoves', { count: moves }) };
    item.textContent = seconds
      ? phrase('solveAtSpeed', { ...values, speed: decimals(moves / seconds, 2) }) : phrase('solveOf', values);
    return item;
  }));
}

/** The stored list; null where there is none to rely on. */
function read() {
  if (!kept) return null;
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((solve) => FIELDS.every((field) => field in Object(solve))) : [];
  } catch {
    return null;
  }
}

function write() {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
    kept = true;
  } catch {
    // The list lasts as long as the page where storage is refused.
    kept = false;
  }
}
