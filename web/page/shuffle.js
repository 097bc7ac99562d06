// Boards drawn at random. They need no engine.

import { blankLast, drawn } from './grid.js';
import { say } from './message.js';
import { isOneBoard } from './state.js';
import { phrase } from './text.js';

let app;

export function init(the) {
  app = the;
}

export function render() {}

/** A number below another one, each as likely. */
function below(most) {
  const range = 2 ** 32 - (2 ** 32 % most);
  for (;;) {
    const [value] = crypto.getRandomValues(new Uint32Array(1));
    if (value < range) return value % most;
  }
}

/** Another board of the size and goal that are shown. */
export function shuffleAnew() {
  const { width, height, goal, labels } = app.state;
  shuffle(width, height, goal, labels);
}

export function shuffle(width, height, wanted, labels = null) {
  // Without the engine, a goal with a name may not be known; an open goal is one of many boards.
  const goal = wanted.board ? wanted : { text: 'blank-last', board: blankLast(width * height) };
  const end = isOneBoard({ goal, labels }) ? goal.board : blankLast(width * height);
  app.dispatch({ type: 'open', width, height, board: drawn(end, width, below), labels, goal, drawn: true });
  say(phrase('shuffled'));
}
