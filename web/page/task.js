// The search that a person waits for: a line that says so, and Cancel.

import { $, on } from './dom.js';
import { fail } from './message.js';
import { tablesOf } from './status.js';
import { decimals, number, phrase, reason } from './text.js';

let task = null;
let idle = () => {};
/** @param {any} far */
let cancelled = (far) => far;

/** `whenIdle` is called when a search has ended, in whatever way; `whenCancelled` with what was found until then. */
export function init(whenIdle, whenCancelled) {
  idle = whenIdle;
  cancelled = whenCancelled;
  on('cancel', 'click', () => cancel());
}

/** Whether a list is solved meanwhile, so that nothing else is searched that nobody has asked for. */
let occupied = false;
export const occupy = (on) => { occupied = on; };

export const isBusy = () => task !== null || occupied;

/**
 * Starts a search, named by the key of a phrase, with a signal that ends it, and hands its answer to `then`.
 * `unit` is the phrase of its bounds. Returns what `then` returns; undefined where the search has failed or was
 * cancelled.
 */
export async function foreground(what, start, then = (answer) => answer, unit = 'countMoves') {
  if (task) drop();
  const mine = { begun: performance.now(), unit, stop: new AbortController() };
  task = mine;
  $('busy-far').textContent = '';
  const show = () => {
    $('busy-text').textContent = phrase('busy', { what: phrase(what), seconds: decimals((performance.now() - mine.begun) / 1000, 1) });
  };
  show();
  mine.clock = setInterval(show, 100);
  // A search that ends at once does not make the page flicker.
  mine.late = setTimeout(() => { $('busy').hidden = false; }, 150);
  try {
    const answer = await start(mine.stop.signal);
    if (task !== mine) return undefined;
    end(mine);
    return then(answer);
  } catch (error) {
    if (task === mine) end(mine);
    if (error.kind !== 'cancelled') fail(phrase('hasFailed', { what: phrase(what), reason: reason(error) }));
    return undefined;
  } finally {
    if (!task) idle();
  }
}

/** Shows how far the search is. */
export function progress({ bound, nodes, best }) {
  if (!task) return;
  const { unit } = task;
  const far = () => {
    const [lower, upper] = [bound, best].map((count) => count && phrase(unit, { count }));
    const which = lower ? (upper ? 'farBoth' : 'farLower') : 'farUpper';
    const bounds = (lower || upper) && phrase(which, { lower, best: best && number(best), upper });
    const searched = phrase('countNodes', { count: nodes });
    return bounds ? phrase('farAll', { bounds, nodes: searched }) : phrase('farNodes', { nodes: searched });
  };
  if (bound || best) task.far = far;
  $('busy-far').textContent = far();
}

/** Shows how far the tables are that the search waits for. */
export function preparing({ size, done }) {
  if (task) $('busy-far').textContent = done < 1 ? tablesOf(size, done) : '';
}

function end(mine) {
  clearInterval(mine.clock);
  clearTimeout(mine.late);
  task = null;
  $('busy').hidden = true;
}

/** Ends the search, whose answer nobody waits for any more. Whether there was one. */
export function drop() {
  if (!task) return false;
  const { stop } = task;
  end(task);
  stop.abort();
  return true;
}

/** Ends the search, and says so, with the bounds that it had. Whether there was one. */
export function cancel() {
  const far = task?.far;
  if (!drop()) return false;
  cancelled(far);
  return true;
}
