// Joins the state, the board, the engine and the panels.

import * as analysis from './analysis.js';
import { BoardView } from './board.js';
import { direction, tileName } from './checks.js';
import * as distance from './distance.js';
import { $, button, on, remembered } from './dom.js';
import * as embed from './embed.js';
import * as exporting from './exporting.js';
import { OPPOSITE, after, multiTile, slide, source } from './grid.js';
import { decode, encode } from './link.js';
import * as offline from './offline.js';
import * as picture from './picture.js';
import * as player from './player.js';
import { readReplay, replayIn } from './replay.js';
import * as setup from './setup.js';
import * as solves from './solves.js';
import * as solving from './solving.js';
import { engine, spoken, wanted } from './start.js';
import { apart, elapsed, endsBefore, initial, isSolved, reduce, runs } from './state.js';
import * as status from './status.js';
import * as tabs from './tabs.js';
import * as task from './task.js';
import { LANGUAGES, clock, number, phrase, translate, use } from './text.js';

/** @type {any[]} */
const PANELS = [solving, distance, player, analysis, setup, solves, exporting, picture, embed];

const app = {
  state: initial(),
  dispatch,
  fail,
  say,
  openLink,
  link: writeLink,
  ask,
  request,
  /** Called when more is known about the distance. */
  learned: () => analysis.render(app.state, app.state),
  open: tabs.open,
  engine,
  /** The cells of the tile to move and of the tile to exchange, or null; and the purpose of the move. */
  hint: null,
  aim: '',
  picked: null,
  /** The last move in words, until its consequence is known. */
  moved: null,
  /** The result for the board, in brief. */
  headline: '',
  /** Whether this board took the place of a game, which is one step back in the history. */
  follows: false,
};

const ARROWS = { ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R' };
const LETTERS = { w: 'ArrowUp', a: 'ArrowLeft', s: 'ArrowDown', d: 'ArrowRight' };
/** Whether the page has one column: as in style.css. */
const narrow = matchMedia('(max-width: 819px), (max-height: 520px)');
let view;
/** The fragment of the address that was written or opened last. */
let fragment = '';

function dispatch(action) {
  const before = app.state;
  try {
    app.state = reduce(before, { now: performance.now(), ...action });
  } catch (error) {
    fail(phrase('cannot', { reason: error.message }));
    return false;
  }
  if (app.state === before) return true;
  if (runs(before) && !app.state.moves && !action.opened) keep(before);
  app.hint = null;
  app.aim = '';
  if (app.state.mode !== 'edit' || app.state.editing !== before.editing) app.picked = null;
  if (!['step', 'goal-read', 'helped'].includes(action.type)) fail('');
  render(before);
  if (action.type === 'move' && isSolved(app.state) && !before.finished) solves.add(app.state);
  if (['open', 'edit', 'solution'].includes(action.type)) reveal();
  if (action.type === 'solution') tabs.open('analyse');
  else if (!before.finished && app.state.finished && action.type === 'move') tabs.open('play');
  return true;
}

function render(before) {
  const { state } = app;
  const editing = state.mode === 'edit';
  const done = isSolved(state);
  view.show({
    board: state.board,
    width: state.width,
    goal: state.goal.board,
    mode: state.mode,
    name: phrase(editing && state.editing === 'goal' ? 'goalSize' : 'boardSize', { width: state.width, height: state.height }),
    hinted: app.hint,
    picked: app.picked,
    colours: $('colours').value,
    picture: picture.shown(),
    numbers: $('show-numbers').checked,
    done,
  });
  const { solution } = state;
  const made = solution ? solution.moves.slice(0, solution.at) : state.moves.slice(0, state.cursor);
  $('moves').textContent = editing ? '–' : number(made.length);
  $('multi').textContent = editing ? '–' : number(multiTile(made));
  $('undo').disabled = state.mode !== 'play' || state.cursor === 0;
  $('redo').disabled = state.mode !== 'play' || state.cursor === state.moves.length;
  $('restart').disabled = state.mode !== 'play' || state.moves === '';
  $('play-buttons').hidden = state.mode !== 'play';
  $('player').hidden = state.mode !== 'solution';
  $('edit-buttons').hidden = !editing;
  const what = {
    play: '',
    edit: state.editing === 'goal' ? 'editingGoal' : 'editingBoard',
    solution: { replay: 'aReplay', link: solution && endsBefore(state) ? 'aLine' : 'aSolution', line: 'aLine', variation: 'aBetterWay' }[solution?.source] ?? '',
  }[state.mode];
  $('mode').hidden = !what;
  $('mode').textContent = what && phrase(what);
  for (const panel of PANELS) panel.render(state, before);
  showTime();
  keepFocus(state.mode);
  $('last-game').hidden = !app.follows || state.mode !== 'play' || state.moves !== '';
  scheduleLink();
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

let linkTimer = 0;
function scheduleLink() {
  clearTimeout(linkTimer);
  linkTimer = setTimeout(refreshLink, 200);
}

function refreshLink() {
  // An address that has changed since is about to be opened.
  if (location.hash === fragment) writeLink();
}

/** The state that a link does not tell; the entry of this tab does. */
const entry = (state) => ({ ...apart(state), follows: app.follows });

function writeLink() {
  clearTimeout(linkTimer);
  fragment = `#${encode(app.state, elapsed(app.state, performance.now()))}`;
  if (location.hash !== fragment) history.replaceState(entry(app.state), '', fragment);
  return location.href;
}

/** Keeps a game whose place another board takes: it is one step back. */
function keep(game) {
  if (embed.isFramed()) return;
  history.replaceState(entry(game), '', `#${encode(game, elapsed(game, performance.now()))}`);
  app.follows = true;
  fragment = `#${encode(app.state)}`;
  history.pushState(entry(app.state), '', fragment);
}

/** The key under which a tab that is left keeps the state that the address of its game does not tell. */
const LEFT = 'taquin.left';

/** Keeps the time of a game that runs: a reload opens the address as it was, of the last move. */
function leave() {
  const from = location.hash;
  // The address has changed and its event is still to come: a reload opens that address.
  if (from !== fragment) return;
  writeLink();
  try {
    sessionStorage.setItem(LEFT, JSON.stringify({ from, fragment, entry: entry(app.state) }));
  } catch { /* Where storage is refused, the time is as of the last move. */ }
}

/** Goes on where this tab was left at this address. */
function comeBack() {
  try {
    const left = JSON.parse(sessionStorage.getItem(LEFT));
    sessionStorage.removeItem(LEFT);
    if (left?.from === location.hash) history.replaceState(left.entry, '', left.fragment);
  } catch { /* As above. */ }
}

/** Shows a message, with buttons that help: [text, action]. */
function fail(text, actions = []) {
  const box = $('message');
  box.firstElementChild.textContent = text;
  $('message-actions').replaceChildren(...actions.map(([name, act]) => button(name, () => {
    fail('');
    act();
  })));
  box.hidden = !text;
}

function say(text) {
  $('live').textContent = text;
}

/** An answer of the engine; for `solve` only the result. */
async function request(type, question, options) {
  const answer = await app.engine.ask(type, question, options);
  return answer.result ?? answer;
}

/** An answer of the engine. Asks again if a cancelled search took the request along. */
async function ask(type, question) {
  try {
    return await request(type, question);
  } catch (error) {
    if (error.kind === 'cancelled') return request(type, question);
    throw error;
  }
}

/** Makes moves on the board, and says so. */
function make(moves) {
  if (!moves) return;
  const { board, width } = app.state;
  const tiles = [];
  let now = board;
  for (const m of moves) {
    tiles.push(now[source(now, width, m)]);
    now = after(now, width, m);
  }
  if (!dispatch({ type: 'move', moves })) return;
  const { state } = app;
  app.moved = phrase('moved', { tiles: tiles.join(', '), direction: direction(moves[0]) });
  if (isSolved(state)) say(`${phrase('movedOnly', { moved: app.moved })} ${phrase('solvedIn', { count: state.cursor })}`);
  else say(distance.spoken(app.moved));
}

function pressed(cell) {
  const { state } = app;
  if (state.mode !== 'edit') {
    make(slide(state.board, state.width, cell));
    return;
  }
  const name = (at) => tileName(state.board[at]);
  if (app.picked === null) {
    app.picked = cell;
    say(phrase('picked', { what: name(cell) }));
    render(state);
  } else if (app.picked === cell) {
    app.picked = null;
    render(state);
  } else {
    const other = app.picked;
    app.picked = null;
    dispatch({ type: 'exchange', a: other, b: cell });
    say(phrase('exchanged', { a: name(other), b: name(cell) }));
  }
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
      else if (state.mode === 'edit') dispatch({ type: 'edit', editing: null });
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
  } else if (key === 'h' && plays) {
    distance.hint();
  } else if (key === 'n' && plays) {
    setup.shuffleAnew();
  } else if (key === '?') {
    $('keys').showModal();
  } else {
    return;
  }
  event.preventDefault();
}

/**
 * Opens what a fragment, or a link of the replay site, asks for; `more` is known of the game. Throws with the
 * reason.
 */
async function openLink(text, more = {}) {
  const replay = replayIn(text);
  if (replay) {
    const { open, solution } = await readReplay(replay);
    if (dispatch({ ...open, ...more })) dispatch(solution);
    return;
  }
  const hash = text.includes('#') ? text.slice(text.indexOf('#')) : text;
  const action = decode(hash);
  if (!action) throw new Error(phrase('linkNoBoard'));
  app.state = { ...app.state, mode: 'play', solution: null };
  dispatch({ ...action, ...more });
}

async function openAddress() {
  fragment = location.hash;
  app.follows = Boolean(history.state?.follows);
  const replay = replayIn(location.search) ?? replayIn(location.hash);
  try {
    if (replay) {
      // The query would come back with every reload.
      await openLink(`?r=${replay}`, { opened: true });
      history.replaceState(null, '', location.pathname);
    } else if (location.hash.length > 1) {
      await openLink(location.hash, { ...history.state, opened: true });
    }
  } catch (error) {
    render();
    fail(phrase('linkNotOpened', { reason: error.message }));
    return;
  }
  writeLink();
}

/** Uses the language that is chosen. */
async function relabel() {
  await use(wanted());
  translate();
  for (const panel of [status, ...PANELS]) panel.translate?.();
  render(app.state);
}

for (const [tag, name] of Object.entries(LANGUAGES)) {
  const option = new Option(name, tag);
  option.lang = tag;
  $('language').append(option);
}
remembered('theme', themed);
themed();
await spoken;
translate();
document.documentElement.hidden = false;
status.wait();

view = new BoardView($('board'), { cell: pressed, drag: dragged, swipe: swiped });
for (const id of ['colours', 'directions', 'arrows', 'letters']) remembered(id, () => render(app.state));
remembered('language', relabel);
for (const panel of PANELS) panel.init(app, () => render(app.state));
task.init(app, distance.queue);
tabs.init();

let registered = null;
// For users of the console, and for the tests.
globalThis.taquin = { engine };
const listeners = status.listeners({
  ready: () => {
    distance.refresh();
    registered ??= offline.register();
  },
  tables: () => distance.refresh(),
  died: () => distance.refresh(),
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
window.addEventListener('hashchange', () => {
  if (location.hash !== fragment) openAddress();
});
addEventListener('pagehide', leave);
// A hidden tab may end without another word.
document.addEventListener('visibilitychange', () => { if (document.hidden) refreshLink(); });
setInterval(() => {
  if (app.state.timer.since !== null) showTime();
}, 100);

render();
comeBack();
openAddress();
