// The search that a person waits for: a line that says so, and Cancel.

import { $, grouped, on } from './dom.js';
import { TABLES_OF } from './status.js';

let app;
let task = null;
let idle = () => {};

/** `whenIdle` is called when a search has ended, however it has. */
export function init(the, whenIdle) {
  app = the;
  idle = whenIdle;
  on('cancel', 'click', () => cancel());
}

export const isBusy = () => task !== null;

/**
 * Starts a search, whose bounds are in a unit, and hands its answer to `then`. What `then` returns; undefined where the search
 * has failed or was cancelled.
 */
export async function foreground(text, start, then, unit = 'move') {
  if (task) drop();
  const mine = { begun: performance.now(), unit };
  task = mine;
  $('busy-far').textContent = '';
  const show = () => {
    $('busy-text').textContent = `${text}… ${((performance.now() - mine.begun) / 1000).toFixed(1)} s`;
  };
  show();
  mine.clock = setInterval(show, 100);
  // A search that ends at once does not make the page flicker.
  mine.late = setTimeout(() => { $('busy').hidden = false; }, 150);
  try {
    const answer = await start();
    if (task !== mine) return undefined;
    end(mine);
    return then(answer);
  } catch (error) {
    if (task === mine) end(mine);
    if (error.kind !== 'cancelled') app.fail(`${text} has failed: ${error.message}`);
    return undefined;
  } finally {
    if (!task) idle();
  }
}

/** Shows how far the search is. */
export function progress({ bound, nodes, best }) {
  if (!task) return;
  const lower = bound && `At least ${bound} ${task.unit}s`;
  const upper = best && `${bound ? 'at' : 'At'} most ${best}${bound ? '' : ` ${task.unit}s`}`;
  const moves = [lower, upper].filter(Boolean).join(', ');
  $('busy-far').textContent = `${moves}${moves && '; '}${grouped(nodes)} nodes so far.`;
}

/** Shows how far the tables are that the search waits for. */
export function preparing({ size, done }) {
  if (task) $('busy-far').textContent = done < 1 ? `${TABLES_OF(size, done)}.` : '';
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
  end(task);
  app.engine.cancel();
  return true;
}

/** Ends the search, and says so. Whether there was one. */
export function cancel() {
  if (!drop()) return false;
  app.note('The search was cancelled.');
  app.say('Cancelled.');
  return true;
}
