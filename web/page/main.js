// Joins the state, the board, the engine and the panels.

import * as address from './address.js';
import * as analysis from './analysis.js';
import { app } from './app.js';
import { BoardView } from './board.js';
import { inWords, label, tileName } from './checks.js';
import { $, on, remembered } from './dom.js';
import * as embed from './embed.js';
import * as exporting from './exporting.js';
import * as facts from './facts.js';
import { OPPOSITE, multiTile, slide, source } from './grid.js';
import * as hints from './hints.js';
import * as list from './list.js';
import { fail, say } from './message.js';
import * as offline from './offline.js';
import * as picture from './picture.js';
import * as player from './player.js';
import * as setup from './setup.js';
import * as shuffle from './shuffle.js';
import * as solves from './solves.js';
import * as solving from './solving.js';
import { engine, spoken, wanted } from './start.js';
import { elapsed, endsBefore, isSolved, line, matters, reduce } from './state.js';
import * as status from './status.js';
import * as steps from './steps.js';
import * as strip from './strip.js';
import * as tabs from './tabs.js';
import * as task from './task.js';
import { clock, number, phrase, translate, use } from './text.js';
import * as togo from './togo.js';
import * as verdict from './verdict.js';
import * as worth from './worth.js';

/** @type {any[]} */
const PANELS = [togo, solving, worth, verdict, hints, player, analysis, steps, strip, list, setup, shuffle, solves, exporting, picture, embed];

const ARROWS = { ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R' };
const LETTERS = { w: 'ArrowUp', a: 'ArrowLeft', s: 'ArrowDown', d: 'ArrowRight' };
const DEEDS = { h: hints.hint, g: worth.toggle, n: shuffle.shuffleAnew };
/** Whether the page has one column: as in style.css. */
const narrow = matchMedia('(max-width: 819px), (max-height: 520px)');
let view;

function dispatch(action) {
  const before = app.state;
  try {
    app.state = reduce(before, { now: performance.now(), ...action });
  } catch (error) {
    fail(phrase('cannot', { reason: error.message }));
    return false;
  }
  const { state } = app;
  if (state === before) return true;
  const begins = action.type === 'open' || action.type === 'enter' || (action.type === 'edit' && action.editing) || (before.moves && !state.moves);
  if (begins && matters(before) && !action.opened && !embed.isFramed()) address.keep(before);
  app.hint = null;
  app.aim = '';
  app.picked = null;
  if (!['step', 'goal-read', 'helped'].includes(action.type)) {
    fail('');
    app.moved = null;
  }
  render(before);
  if (action.type === 'move' && isSolved(state) && !before.finished) solves.add(state);
  if (['open', 'edit', 'enter', 'solution'].includes(action.type)) reveal();
  if (action.type === 'solution') tabs.open('analyse');
  else if (!before.finished && state.finished && action.type === 'move') tabs.open('play');
  return true;
}

function render(before = app.state) {
  const { state } = app;
  const editing = state.mode === 'edit';
  queueMicrotask(loadLarge);
  show();
  const { solution } = state;
  const { moves, at: far } = line(state);
  const made = moves.slice(0, far);
  $('moves').textContent = editing ? '–' : number(made.length);
  $('multi').textContent = editing ? '–' : number(multiTile(made));
  const [at, count] = editing ? [state.edits.at, state.edits.boards.length - 1] : [state.cursor, state.moves.length];
  $('undo').disabled = state.mode === 'solution' || at === 0;
  $('redo').disabled = state.mode === 'solution' || at === count;
  $('restart').disabled = state.mode !== 'play' || state.moves === '';
  $('play-buttons').hidden = state.mode === 'solution';
  $('game-buttons').hidden = $('restart').hidden = editing;
  $('player').hidden = state.mode !== 'solution';
  $('edit-buttons').hidden = !editing;
  $('edit-done').textContent = phrase(state.entered === null ? 'done' : 'cancel');
  $('edit-done').classList.toggle('primary', state.entered === null);
  const what = {
    play: '',
    edit: state.entered === null ? 'editingBoard' : '',
    solution: { replay: 'aReplay', link: solution && endsBefore(state) ? 'aLine' : 'aSolution', line: 'aLine', variation: 'aBetterWay' }[solution?.source] ?? '',
  }[state.mode];
  $('mode').hidden = !what;
  $('mode').textContent = what && phrase(what);
  for (const panel of PANELS) panel.render?.(state, before);
  showTime();
  keepFocus(state.mode);
  $('last-game').hidden = !app.follows || state.mode !== 'play' || state.moves !== '';
  address.schedule();
}

/** Draws the board. */
function show() {
  const { state } = app;
  label(state.labels);
  view.show({
    board: state.board,
    width: state.width,
    goal: state.goal.board,
    labels: state.labels,
    edits: state.mode === 'edit',
    entered: state.entered,
    name: phrase('boardSize', { width: state.width, height: state.height }),
    hinted: app.hint ?? steps.marked(state),
    picked: app.picked,
    marks: new Map([...hints.marks(state), ...worth.marks(state)]),
    colours: $('colours').value,
    picture: picture.shown(),
    numbers: $('show-numbers').checked,
    done: isSolved(state),
  });
}

/** Shows what has become known. */
function learned() {
  for (const panel of PANELS) panel.learned?.(app.state);
  show();
}

/** The large tables are for those who have a board of 4×4. */
let isLarge = false;
function loadLarge() {
  if (isLarge || app.state.width !== 4 || app.state.height !== 4) return;
  isLarge = true;
  try {
    engine.loadLarge();
  } catch { /* The state of the engine is told at the top. */ }
}

/** The focus moves to the replacement of a control that has gone. */
function keepFocus(mode) {
  if (!document.activeElement?.closest('[hidden]')) return;
  $({ play: 'solve', solution: 'playing', edit: 'edit-done' }[mode]).focus();
}

function themed() {
  document.documentElement.style.colorScheme = $('theme').value;
}

/** Brings the board back into view, where the page has one column. */
function reveal() {
  if (narrow.matches && $('board').getBoundingClientRect().top < 0) $('game').scrollIntoView();
}

function showTime() {
  const { solution } = app.state;
  const recorded = solution?.times && (solution.at ? solution.times[solution.at - 1] : 0);
  $('time').textContent = clock(recorded ?? elapsed(app.state, performance.now()));
}

/** Makes moves on the board, and says so. */
function make(moves) {
  if (!moves) return;
  const { board, width } = app.state;
  const hinted = app.hint !== null && slide(board, width, app.hint) === moves;
  if (!dispatch({ type: 'move', moves, hinted })) return;
  const { state } = app;
  app.moved = inWords(board, width, moves);
  if (isSolved(state)) say(`${phrase('movedOnly', { moved: app.moved })} ${phrase('solvedIn', { count: state.cursor })}`);
  else say(togo.spoken(app.moved));
}

function pressed(cell) {
  const { state } = app;
  if (state.mode !== 'edit') {
    make(slide(state.board, state.width, cell));
    return;
  }
  if (state.entered !== null) {
    enter(cell);
    return;
  }
  const name = (at) => tileName(state.board[at]);
  if (app.picked === null) {
    app.picked = cell;
    say(phrase('picked', { what: name(cell) }));
    show();
  } else if (app.picked === cell) {
    app.picked = null;
    show();
  } else {
    exchange(app.picked, cell);
  }
}

function exchange(a, b) {
  const { state } = app;
  if (state.mode !== 'edit') return false;
  const [one, other] = [a, b].map((cell) => tileName(state.board[cell]));
  dispatch({ type: 'exchange', a, b });
  say(phrase('exchanged', { a: one, b: other }));
  return true;
}

/** Puts the next tile into a cell, and names the one after it. */
function enter(cell) {
  const { state } = app;
  dispatch({ type: 'place', cell });
  if (app.state === state) return;
  const { entered } = app.state;
  say(entered === null ? phrase('boardSet') : phrase('enterNext', { tile: entered + 1 }));
}

function dragged(cell) {
  if (app.state.mode !== 'edit') make(slide(app.state.board, app.state.width, cell));
}

function swiped(letter, cell) {
  const { state } = app;
  if (state.mode === 'edit') return;
  const row = cell >= 0 ? slide(state.board, state.width, cell) : '';
  if (row[0] === letter) make(row);
  else if (source(state.board, state.width, letter) >= 0) make(letter);
}

/** Whether a key is for the field that has the focus. */
const writes = (target) => target.matches?.('textarea, select, input:not([type=checkbox])');

function keyed(event) {
  const { state } = app;
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey || event.isComposing || writes(event.target) || $('keys').open) return;
  const plays = state.mode === 'play' && (view.cellOf(event.target) >= 0 || $('letters').checked);
  let key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (plays && !control && !event.shiftKey) key = LETTERS[key] ?? key;
  if (control) {
    const undo = key === 'z' && !event.shiftKey;
    if (!undo && key !== 'y' && key !== 'z') return;
    dispatch({ type: undo ? 'undo' : 'redo' });
    say(phrase(undo ? 'undone' : 'redone'));
  } else if (key === 'Escape') {
    if (!task.cancel()) {
      if (state.mode === 'solution') dispatch({ type: 'leave' });
      else if (state.mode === 'edit') dispatch({ type: 'edit', editing: false });
      else return;
    }
  } else if (key in ARROWS || key === 'Home' || key === 'End') {
    const onBoard = view.cellOf(event.target) >= 0;
    const focuses = event.shiftKey || state.mode === 'edit' || ($('arrows').value === 'focus' && onBoard);
    if (focuses) {
      if (!onBoard && !event.shiftKey && state.mode !== 'edit') return;
      view.travel(key, event.shiftKey);
    } else if (state.mode === 'solution') {
      if (!player.key(key)) return;
    } else if (key in ARROWS) {
      const tile = ARROWS[key];
      const letter = $('arrows').value === 'blank' ? OPPOSITE[tile] : tile;
      if (source(state.board, state.width, letter) >= 0) make(letter);
    } else {
      return;
    }
  } else if (key === ' ' && state.mode === 'solution' && !event.target.matches('button, input')) {
    player.toggle();
  } else if (plays && key in DEEDS) {
    DEEDS[key]();
  } else if (key === '?') {
    $('keys').showModal();
  } else {
    return;
  }
  event.preventDefault();
}

/** Uses the language that is chosen. */
async function relabel() {
  await use(wanted());
  translate();
  for (const panel of [status, ...PANELS]) panel.translate?.();
  render();
}

remembered('theme', themed);
themed();
await spoken;
translate();
document.documentElement.hidden = false;
status.wait();

view = new BoardView($('board'), { cell: pressed, drag: dragged, drop: exchange, swipe: swiped });
for (const id of ['colours', 'directions', 'arrows', 'letters']) remembered(id, () => render());
remembered('language', relabel);
Object.assign(app, { dispatch, render, learned });
for (const panel of PANELS) panel.init();
task.init(togo.queue, (far) => solving.note('cancelled', far));
address.init();
tabs.init();
facts.watch(learned);

let registered = null;
// For users of the console, and for the tests.
globalThis.taquin = { engine };
const listeners = status.listeners({
  ready: () => {
    togo.refresh();
    registered ??= offline.register();
  },
  tables: () => togo.refresh(),
  died: () => togo.refresh(),
});
engine.listen({
  ...listeners,
  onpreparing(far) {
    listeners.onpreparing(far);
    task.preparing(far);
  },
  onsearch: task.progress,
});

on('keys-open', 'click', () => $('keys').showModal());
on('last-game', 'click', () => history.back());
for (const type of ['undo', 'redo', 'restart']) on(type, 'click', () => dispatch({ type }));
$('message').lastElementChild.addEventListener('click', () => fail(''));
document.addEventListener('keydown', keyed);
setInterval(() => {
  if (app.state.timer.since !== null) showTime();
}, 100);

render(null);
address.begin();
