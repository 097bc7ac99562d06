// The next step of a solution in words, for somebody who makes it elsewhere: on wood, or by ear.

import { app } from './app.js';
import { inWords } from './checks.js';
import { $, on, remembered } from './dom.js';
import { source } from './grid.js';
import { say } from './message.js';
import { current, phrase } from './text.js';

export function init() {
  remembered('aloud', () => {});
  on('step', 'click', make);
}

/** The moves of the next slide; '' where there is none. */
const next = ({ solution }) => /^((.)\2*)?/.exec(solution?.moves.slice(solution.at) ?? '')[0];

/** The cell of the tile that goes next, or null. */
export const marked = (state) => (next(state) ? source(state.board, state.width, next(state)[0]) : null);

function words(state) {
  const moves = next(state);
  return moves ? inWords(state.board, state.width, moves) : phrase('atTheEnd');
}

export function render(state) {
  $('step').disabled = !next(state);
  if (state.solution) $('step-text').textContent = words(state);
}

/** Makes the step that is shown, and says the one after it. */
function make() {
  const { at } = app.state.solution;
  app.dispatch({ type: 'step', to: at + next(app.state).length });
  const step = words(app.state);
  say(step);
  if (!$('aloud').checked || !globalThis.speechSynthesis) return;
  speechSynthesis.cancel();
  speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(step), { lang: current() }));
}
