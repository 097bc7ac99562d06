// The next step of a solution in words, for somebody who makes it elsewhere: on wood, or by ear.

import { direction, nameOf } from './checks.js';
import { $, on, remembered } from './dom.js';
import { after, source } from './grid.js';
import { say } from './message.js';
import { current, phrase } from './text.js';

let app;

export function init(the) {
  app = the;
  remembered('aloud', () => {});
  on('step', 'click', make);
}

/** The next slide: {moves, tiles, cell}, with the cell of its first tile; null where there is none. */
function next({ board, width, solution }) {
  const moves = /^(.)\1*/.exec(solution?.moves.slice(solution.at) ?? '')?.[0];
  if (!moves) return null;
  const tiles = [];
  let now = board;
  for (const move of moves) {
    tiles.push(nameOf(now[source(now, width, move)]));
    now = after(now, width, move);
  }
  return { moves, tiles, cell: source(board, width, moves[0]) };
}

/** The cell of the tile that goes next, or null. */
export const marked = (state) => next(state)?.cell ?? null;

const inWords = ({ moves, tiles }) => phrase('moved', { tiles: tiles.join(', '), direction: direction(moves[0]) });

export function render(state) {
  const step = next(state);
  $('step').disabled = !step;
  if (state.solution) $('step-text').textContent = step ? inWords(step) : phrase('atTheEnd');
}

/** Makes the step that is shown, and says the one after it. */
function make() {
  const { at } = app.state.solution;
  app.dispatch({ type: 'step', to: at + next(app.state).moves.length });
  const step = next(app.state);
  const words = step ? inWords(step) : phrase('atTheEnd');
  say(words);
  if (!$('aloud').checked || !globalThis.speechSynthesis) return;
  speechSynthesis.cancel();
  speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(words), { lang: current() }));
}
