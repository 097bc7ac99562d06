// Another board: size, goal, shuffle, well-known boards, editing, and text.

import * as address from './address.js';
import { analyse } from './analysis.js';
import { app } from './app.js';
import { checkTiles } from './checks.js';
import { $, element, on, options } from './dom.js';
import { GOALS, SIDES, STAGES, labelsOf, rowText, stageText } from './grid.js';
import { begin } from './list.js';
import { say } from './message.js';
import { shuffle } from './shuffle.js';
import { request } from './start.js';
import { place } from './state.js';
import { current, phrase, reason } from './text.js';

const CONTEST = [
  '5 1 7 3 9 2 11 4 13 6 15 8 0 10 14 12',
  '2 5 13 12 1 0 3 15 9 7 14 6 10 11 8 4',
  '5 2 4 8 10 0 3 14 13 6 11 12 1 15 9 7',
  '11 4 12 2 5 10 3 15 14 1 6 7 0 9 8 13',
  '5 8 7 11 1 6 12 2 9 0 13 10 14 3 4 15',
];
const SETS = [
  { name: 'antipodes', board: 'antipode', file: 'antipodes80.txt', goal: 'blank-last' },
  { name: 'korf', board: 'korfBoard', file: 'korf100.txt', goal: 'blank-first' },
];

/** The boards of the picker, by the value of its options: {tiles, goal}. */
const boards = new Map();
/** The groups of the picker: {name, board, entries}, phrases and [value, number, length] of each board. */
const groups = [];

export function init() {
  const sides = [];
  for (let side = SIDES.least; side <= SIDES.most; side++) sides.push([side, side]);
  options($('width'), sides);
  options($('height'), sides);
  on('width', 'change', resize);
  on('height', 'change', resize);
  on('goal', 'change', chooseGoal);
  on('pick', 'change', pick);
  on('edit-board', 'click', () => app.dispatch({ type: 'edit', editing: app.state.mode !== 'edit' }));
  on('enter', 'click', () => { app.dispatch({ type: 'enter' }); say(phrase('enterNext', { tile: 1 })); });
  on('edit-done', 'click', () => app.dispatch({ type: 'edit', editing: false }));
  on('paste-form', 'submit', (event) => { event.preventDefault(); paste(); });
  on('paste-goal', 'click', pasteGoal);
  on('moves-form', 'submit', (event) => { event.preventDefault(); makeMoves(); });
  on('moves-line', 'click', showLine);
  CONTEST.forEach((text, i) => boards.set(`contest-${i}`, { tiles: text.split(' ').map(Number), goal: 'blank-last' }));
  groups.push({ name: 'contest', board: 'contestBoard', entries: CONTEST.map((_, i) => [`contest-${i}`, i + 1]) });
  translate();
  loadSets();
}

export function render(state) {
  $('width').value = state.width;
  $('height').value = state.height;
  const name = nameOf(state);
  $('goal').lastElementChild.hidden = name !== '';
  $('goal').value = name;
  $('edit-board').setAttribute('aria-pressed', state.mode === 'edit');
  const picked = boards.get($('pick').value);
  if (picked && String(picked.tiles) !== String(state.start)) $('pick').value = '';
}

/** The name of the goal in the picker; '' where it has none. */
export function nameOf({ goal, width, height }) {
  return GOALS.includes(goal.text) ? goal.text : Object.keys(STAGES).find((name) => stageText(name, width, height) === goal.text) ?? '';
}

/** The goal of a name of the picker, as text. */
const textOf = (name, { width, height }) => (name in STAGES ? stageText(name, width, height) : name);

// ---- Well-known boards

export function translate() {
  const { value } = $('pick');
  options($('pick'), [['', phrase('chooseBoard')]]);
  for (const { name, board, entries } of groups) {
    $('pick').append(element('optgroup', { label: phrase(name) }, ...entries.map(([key, id, length]) =>
      new Option(phrase(board, { id, moves: length && phrase('countMoves', { count: length }) }), key))));
  }
  $('pick').value = value;
}

async function loadSets() {
  for (const { name, board, file, goal } of SETS) {
    try {
      const answer = await fetch(new URL(`sets/${file}`, import.meta.url));
      if (!answer.ok) throw new Error(String(answer.status));
      const entries = [];
      for (const row of (await answer.text()).split('\n')) {
        if (!row.trim() || row.startsWith('#')) continue;
        const [id, length, ...tiles] = row.trim().split(/\s+/).map(Number);
        if (tiles.length !== 16) throw new Error('no boards of 16 cells');
        boards.set(`${file}-${id}`, { tiles, goal });
        entries.push([`${file}-${id}`, id, length]);
      }
      groups.push({ name, board, entries });
      translate();
    } catch {
      /* Without the file the picker has fewer boards. */
    }
  }
}

function pick() {
  const found = boards.get($('pick').value);
  if (!found) return;
  app.dispatch({ type: 'open', width: 4, height: 4, board: found.tiles, goal: { text: found.goal } });
}

// ---- Sizes and goals

function resize() {
  const size = { width: Number($('width').value), height: Number($('height').value) };
  shuffle({ ...size, goal: { text: textOf(nameOf(app.state) || 'blank-last', size) } });
}

function chooseGoal() {
  const name = $('goal').value;
  if (name) app.dispatch({ type: 'goal', goal: { text: textOf(name, app.state), board: null } });
}

// ---- Editing and text

const complain = (id, error) => { $(id).textContent = error ? reason(error) : ''; };

async function paste() {
  complain('paste-error');
  $('paste-notes').textContent = '';
  const text = $('paste').value.trim();
  try {
    if (address.isLink(text)) {
      await address.open(text);
    } else {
      const { board, width, height, labels, notes } = await parsed(text);
      const same = width === app.state.width && height === app.state.height;
      app.dispatch({
        type: 'open', width, height, board, labels: labelsOf(board, labels),
        goal: same ? app.state.goal : { text: GOALS.includes(app.state.goal.text) ? app.state.goal.text : 'blank-last' },
      });
      $('paste-notes').textContent = notes ? phrase('readAs', { notes: notes.join('; ') }) : '';
    }
    say(phrase('boardSet'));
  } catch (error) {
    // Several boards are a list.
    if (error.kind === 'input' && text.trim().includes('\n')) {
      const { boards } = await request('list', { text, goal: app.state.goal.text }).catch(() => ({ boards: [] }));
      if (boards.length > 1 && boards.some(({ board }) => board)) {
        begin(text);
        return;
      }
    }
    complain('paste-error', error);
  }
}

/** A row of tiles without slashes may have the size that is shown. */
async function parsed(text) {
  const { width, height, goal } = app.state;
  try {
    return await request('parse', { text, goal: goal.text });
  } catch (error) {
    try {
      return await request('parse', { text, goal: goal.text, size: `${width}x${height}` });
    } catch {
      if (current() !== 'en') checkRows(text);
      throw error;
    }
  }
}

/** Throws what is wrong with the tiles of a text that may be a board. */
function checkRows(text) {
  const rows = text.trim().split(/[/\n]/).map((row) => row.match(/\d+/g)?.map(Number) ?? []);
  const { length } = rows[0];
  if (rows.length > 1 && rows.every((row) => row.length === length)) checkTiles(rows.flat(), length, rows.length);
}

async function pasteGoal() {
  complain('paste-error');
  const text = $('paste').value.trim();
  try {
    const { width, height } = app.state;
    const { board } = await request('goal', { goal: text, width, height });
    const name = GOALS.includes(text) ? text : rowText(board, width);
    app.dispatch({ type: 'goal', goal: { text: name, board } });
    say(phrase('goalSet'));
  } catch (error) {
    complain('paste-error', error);
  }
}

function makeMoves() {
  readMoves({}, (moves) => {
    app.dispatch({ type: 'move', moves, pasted: true });
    $('moves-text').value = '';
    say(phrase('areMade', { count: moves.length }));
  });
}

/** Shows moves in addition to the game, and analyses them. */
function showLine() {
  if (app.state.mode === 'solution') app.dispatch({ type: 'leave' });
  readMoves({ either: true }, (moves) => {
    if (app.dispatch({ type: 'solution', moves, source: 'line' })) analyse();
  });
}

async function readMoves(more, then) {
  complain('moves-error');
  const { state } = app;
  try {
    if (state.mode === 'edit') throw new Error(phrase('endEditingFirst'));
    const asked = { ...place(state), text: $('moves-text').value, directions: $('directions').value, ...more };
    const { moves } = await request('read', asked);
    if (!moves) throw new Error(phrase('noMoves'));
    then(moves);
  } catch (error) {
    complain('moves-error', error);
  }
}
