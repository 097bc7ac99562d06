// Boards that the engine draws.

import { app } from './app.js';
import { on } from './dom.js';
import { fail, say } from './message.js';
import { request } from './start.js';
import { phrase, reason } from './text.js';

export function init() {
  for (const id of ['shuffle-quick', 'next']) on(id, 'click', shuffleAnew);
  on('day', 'click', boardOfTheDay);
}

/** Another board of the size and goal that are shown. */
export function shuffleAnew() {
  const { width, height, goal, labels } = app.state;
  shuffle({ width, height, goal, labels });
}

/** A board of a size, for a goal, each as likely as the others. */
export function shuffle(view) {
  const [seed] = crypto.getRandomValues(new BigUint64Array(1));
  draw({ ...view, drawn: true }, String(seed), 'shuffled');
}

/** The same board for everybody on this day: the one that `taquin shuffle` draws first by the seed of its date. */
function boardOfTheDay() {
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
  draw({ width: 4, height: 4, goal: { text: 'blank-last' }, day, own: false }, day.replaceAll('-', ''), 'shuffledBy');
}

async function draw(view, seed, words) {
  const { width, height, goal, labels } = view;
  // An open goal is one of many boards.
  const isOpen = labels || goal.text.includes('*');
  try {
    const { board } = await request('shuffle', { width, height, goal: isOpen ? 'blank-last' : goal.text, seed });
    app.dispatch({ type: 'open', board, ...view });
    say(phrase(words, { seed }));
  } catch (error) {
    fail(phrase('notDrawn', { reason: reason(error) }));
    // A size that was chosen is not the one that is shown.
    app.render();
  }
}
