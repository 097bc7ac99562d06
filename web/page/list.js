// A list of boards: solved one after the other, and taken away as lines or as CSV.

import { app } from './app.js';
import { csv } from './averages.js';
import { $, button, element, on, remembered, store } from './dom.js';
import * as facts from './facts.js';
import { GOALS, labelsOf, rowText } from './grid.js';
import { copied, say } from './message.js';
import { request } from './start.js';
import * as tabs from './tabs.js';
import { occupy } from './task.js';
import { decimals, number, phrase, reason } from './text.js';
import { inDigits } from './togo.js';

const FIELDS = ['number', 'width', 'height', 'board', 'lower', 'upper', 'slides', 'seconds', 'moves', 'error'];

/** The rows: {board, width, height, labels}, then {found} or {error}; and the row in the table. */
let rows = [];
/** Ends the search of the row that is solved now. */
let stop = null;

export function init() {
  remembered('list-limit', () => {});
  on('list-solve', 'click', () => begin($('paste').value));
  on('list-stop', 'click', () => (stop ? halt() : run()));
  on('list-copy', 'click', () => copied(records().map(({ board, moves, error }) => `${board}\t${error || moves}\n`).join(''), 'list-copy'));
  on('list-csv', 'click', () => store('taquin-list.csv', 'text/csv', csv(records(), FIELDS)));
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', dropped);
}

export const translate = draw;

/** A file or a text that is dropped on the page is a list. */
async function dropped(event) {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  const text = file ? await file.text() : event.dataTransfer.getData('text');
  if (!text.trim()) return;
  tabs.open('edit');
  $('paste').value = text;
  begin(text);
}

/** Reads the boards of a text, and solves them. */
export async function begin(text) {
  halt();
  $('paste-error').textContent = '';
  try {
    rows = (await request('list', { text, goal: app.state.goal.text })).boards;
  } catch (error) {
    $('paste-error').textContent = reason(error);
    return;
  }
  if (!rows.length) $('paste-error').textContent = phrase('noBoards');
  else run();
}

function halt() {
  stop?.abort();
  stop = null;
}

async function run() {
  const mine = new AbortController();
  stop = mine;
  occupy(true);
  // Boards of one size share their tables.
  const left = rows.filter((row) => !row.error && !row.found).sort((a, b) => a.width * a.height - b.width * b.height || a.width - b.width);
  draw();
  $('list').scrollIntoView({ block: 'nearest' });
  for (const row of left) {
    show(row, '…');
    try {
      const { board, width, height, labels } = row;
      const limit = { timeLimit: Number($('list-limit').value) };
      await request('prepare', { board, width, height, labels, goal: goalOf(row) }, mine);
      row.found = await request('solve', { board, width, height, labels, goal: goalOf(row), ...limit }, mine);
    } catch (error) {
      if (mine.signal.aborted) break;
      row.error = reason(error);
    }
    show(row);
    progress();
  }
  if (stop === mine) stop = null;
  occupy(Boolean(stop));
  draw();
  if (!stop) say($('list-far').textContent);
}

/** A goal of one board is for boards of its size. */
function goalOf({ width, height }) {
  const { state } = app;
  return GOALS.includes(state.goal.text) || (width === state.width && height === state.height) ? state.goal.text : 'blank-last';
}

function progress() {
  const done = rows.filter((row) => row.found || row.error).length;
  $('list-bar').max = rows.length;
  $('list-bar').value = done;
  $('list-far').textContent = phrase('listFar', { done, count: rows.length });
  $('list-stop').hidden = done === rows.length;
  $('list-stop').textContent = phrase(stop ? 'stop' : 'goOn');
}

function draw() {
  $('list').hidden = !rows.length;
  if (!rows.length) return;
  $('list-rows').replaceChildren(...rows.map((row, i) => {
    row.line = element('tr', {});
    row.number = i + 1;
    show(row);
    return row.line;
  }));
  progress();
}

/** The cells of a row; `state` stands where there is no answer yet. */
function show(row, state = '') {
  const { found, error, width, height } = row;
  const name = width ? `${row.number}: ${width}×${height}` : `${row.number}`;
  const cells = [width ? button(name, () => open(row), { class: 'quiet' }) : name];
  if (error) cells.push(element('span', { class: 'error' }, error));
  else if (!found) cells.push(state, '', '', '');
  else cells.push(inDigits({ lower: found.lower_bound, upper: found.length }), found.slides === null ? '–' : number(found.slides), decimals(found.seconds, 2), found.moves ?? '');
  row.line.replaceChildren(...cells.map((cell, i) => element('td', error && i ? { colspan: 4 } : {}, cell)));
}

function open({ board, width, height, labels, found }) {
  const goal = { text: goalOf({ width, height }) };
  if (!app.dispatch({ type: 'open', board, width, height, labels: labelsOf(board, labels), goal }) || !found) return;
  facts.aim(app.state);
  facts.answered(app.state, board, found);
  if (found.moves) app.dispatch({ type: 'solution', moves: found.moves, source: 'list' });
}

const records = () => rows.map(({ number: at, width, height, board, found, error = '' }) => ({
  number: at, width, height, board: board ? rowText(board, width) : '', error,
  lower: found?.lower_bound, upper: found?.length, slides: found?.slides, seconds: found?.seconds.toFixed(3), moves: found?.moves,
}));
