// Links, and solutions as text, JSON and SVG.

import { $, copy, on, options, store } from './dom.js';
import { turned } from './grid.js';
import { result } from './solving.js';
import { line } from './state.js';
import { isOpen } from './tabs.js';
import { phrase, reason } from './text.js';

/** The formats of moves that the engine writes. */
const FORMATS = ['columns', 'numbered', 'words', 'letters', 'runs', 'counts', 'arrows', 'tiles', 'boards'];

let app;
/** The source of the text: a solution that plays does not change it. */
let shown = {};

export function init(the) {
  app = the;
  translate();
  $('format').value = 'letters';
  app.copied = copied;
  on('format', 'change', () => show(app.state));
  addEventListener('taquin-tab', () => show(app.state));
  on('copy-link', 'click', () => copied(app.link(), 'copy-link', phrase('noCopyLink')));
  on('copy-text', 'click', async () => copied(await whole(app.state), 'copy-text', phrase('noCopyText')));
  on('download', 'click', download);
}

export function translate() {
  const { value } = $('format');
  options($('format'), [...FORMATS, 'json', 'svg'].map((name) => [name, phrase(`format-${name}`)]));
  $('format').value = value;
  shown = {};
}

export const render = show;

/** Longer texts are shown in part only; they are copied and stored whole. */
const SHOWN = 20_000;

async function show(state) {
  if (!isOpen('analyse')) return;
  const { board, moves } = line(state);
  const key = [$('format').value, $('directions').value, state.width, board, moves].join(':');
  if (key === shown.key && result() === shown.of) return;
  const mine = { key, of: result() };
  shown = mine;
  const text = await whole(state);
  if (shown === mine) $('exported').value = text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text;
}

async function whole(state) {
  const name = $('format').value;
  const { board, moves } = line(state);
  if (name === 'json') return json() ?? phrase('pressFirst');
  const request = { board, width: state.width, height: state.height, line: moves };
  try {
    if (name === 'svg') return (await app.ask('draw', request)).text;
    return (await app.ask('write', { ...request, format: name, directions: $('directions').value })).text.trimEnd();
  } catch (error) {
    return phrase('cannot', { reason: reason(error) });
  }
}

/** The object of `taquin solve --json`; with `--all` where all solutions were counted. */
function json() {
  const last = result();
  if (!last) return null;
  const { solutions, all, result: found } = last;
  const whose = $('directions').value;
  const turn = (moves) => moves && turned(moves, whose);
  const text = JSON.stringify({
    schema: 1, line: 1, index: 1, ...found, moves: turn(found.moves),
    ...(whose === 'blank' ? { directions: whose } : {}), ...(all ? { solutions: 0, all: all.map(turn) } : {}),
  });
  // A count may be larger than the integers of JavaScript.
  return all ? text.replace('"solutions":0', `"solutions":${solutions}`) : text;
}

/** Copies a text, and says so at the button with this id. */
async function copied(text, id, refused = phrase('noCopyText')) {
  if (!await copy(text)) {
    $('exported').select();
    app.fail(refused);
    return;
  }
  app.say(phrase('copied'));
  const button = $(id);
  button.classList.add('primary');
  if (button.dataset.text) button.textContent = phrase('copied');
  setTimeout(() => {
    button.classList.remove('primary');
    if (button.dataset.text) button.textContent = phrase(button.dataset.text);
  }, 1500);
}

async function download() {
  const name = $('format').value;
  const text = await whole(app.state);
  const type = { json: 'application/json', svg: 'image/svg+xml' }[name];
  store(`taquin.${type ? name : 'txt'}`, type ?? 'text/plain', `${text}\n`);
}
