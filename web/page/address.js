// The address: it holds the state, and the history of the tab keeps the boards that others replace.

import { app } from './app.js';
import { fail } from './message.js';
import { decode, encode } from './link.js';
import { readReplay, replayIn } from './replay.js';
import { apart, elapsed } from './state.js';
import { phrase } from './text.js';

/** The fragment of the address that was written or opened last. */
let fragment = '';
let timer = 0;

export function init() {
  addEventListener('hashchange', () => {
    if (location.hash !== fragment) openAddress();
  });
  addEventListener('pagehide', leave);
  // A hidden tab may end without another word.
  document.addEventListener('visibilitychange', () => { if (document.hidden) refresh(); });
}

/** The board of a link of the replay site's solver, whose cells are all separated by `_`; null where there is none. */
export function scrambleIn(query) {
  const found = /[?&]scramble=([\d_]+)/.exec(query);
  const board = found?.[1].split('_').map(Number);
  const side = Math.sqrt(board?.length ?? 0);
  return Number.isInteger(side) && side ? { board, width: side, height: side } : null;
}

export const isLink = (text) => Boolean(replayIn(text)) || /^(https?:|file:)|#b=|^b=/.test(text);

export function schedule() {
  clearTimeout(timer);
  timer = setTimeout(refresh, 200);
}

function refresh() {
  // An address that has changed since is about to be opened.
  if (location.hash === fragment) write();
}

/** The state that a link does not tell; the entry of this tab does. */
const entry = (state) => ({ ...apart(state), follows: app.follows });

/** Writes the address, and returns it. */
export function write() {
  clearTimeout(timer);
  fragment = `#${encode(app.state, elapsed(app.state, performance.now()))}`;
  if (location.hash !== fragment) history.replaceState(entry(app.state), '', fragment);
  return location.href;
}

/** Keeps a board whose place another one takes: it is one step back. */
export function keep(game) {
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
  write();
  try {
    sessionStorage.setItem(LEFT, JSON.stringify({ from, fragment, entry: entry(app.state) }));
  } catch { /* Where storage is refused, the time is as of the last move. */ }
}

/** Goes on where this tab was left at this address, or opens it. */
export function begin() {
  try {
    const left = JSON.parse(sessionStorage.getItem(LEFT));
    sessionStorage.removeItem(LEFT);
    if (left?.from === location.hash) history.replaceState(left.entry, '', left.fragment);
  } catch { /* As above. */ }
  openAddress();
}

/**
 * Opens what a fragment, or a link of the replay site, asks for; `more` is known of the game. Throws with the
 * reason.
 */
export async function open(text, more = {}) {
  const replay = replayIn(text);
  if (replay) {
    const { open: board, solution } = await readReplay(replay);
    if (app.dispatch({ ...board, ...more })) app.dispatch(solution);
    return;
  }
  const hash = text.includes('#') ? text.slice(text.indexOf('#')) : text;
  const action = decode(hash);
  if (!action) throw new Error(phrase('linkNoBoard'));
  app.dispatch({ ...action, ...more });
}

async function openAddress() {
  fragment = location.hash;
  app.follows = Boolean(history.state?.follows);
  const replay = replayIn(location.search) ?? replayIn(location.hash);
  try {
    if (replay) {
      // The query would come back with every reload.
      await open(`?r=${replay}`, { opened: true });
      history.replaceState(null, '', location.pathname);
    } else if (scrambleIn(location.search) && location.hash.length < 2) {
      app.dispatch({ type: 'open', opened: true, ...scrambleIn(location.search) });
    } else if (location.hash.length > 1) {
      await open(location.hash, { ...history.state, opened: true });
    }
  } catch (error) {
    app.render();
    fail(phrase('linkNotOpened', { reason: error.message }));
    return;
  }
  write();
}
