// Plays a solution: scrubber, speed, steps.

import { $, on, remembered } from './dom.js';
import { isSolved } from './state.js';
import { phrase } from './text.js';

let app;
let timer = 0;
let moves = '';

export function init(the) {
  app = the;
  remembered('speed', () => {});
  on('scrubber', 'input', () => { pause(); step(Number($('scrubber').value)); });
  on('first', 'click', () => key('Home'));
  on('last', 'click', () => key('End'));
  on('back', 'click', () => key('ArrowLeft'));
  on('forth', 'click', () => key('ArrowRight'));
  on('playing', 'click', toggle);
  on('leave', 'click', () => app.dispatch({ type: 'leave' }));
  on('continue', 'click', () => app.dispatch({ type: 'continue' }));
}

export function translate() {
  const name = timer ? 'pause' : 'play';
  $('playing').setAttribute('aria-label', phrase(name));
  $('playing').querySelector('use').setAttribute('href', `#i-${name}`);
}

export function render(state) {
  const { solution } = state;
  if (!solution) {
    pause();
    moves = '';
    return;
  }
  const recorded = Boolean(solution.times || solution.tps);
  const choice = $('speed').options[0];
  choice.hidden = !recorded;
  choice.disabled = !recorded;
  if (moves !== solution.moves) {
    moves = solution.moves;
    if (recorded) $('speed').value = 'recorded';
  }
  if (!recorded && $('speed').value === 'recorded') $('speed').value = '4';
  const scrubber = $('scrubber');
  scrubber.max = solution.moves.length;
  scrubber.value = solution.at;
  scrubber.setAttribute('aria-valuetext', phrase('positionOf', { at: solution.at, count: solution.moves.length }));
  $('back').disabled = $('first').disabled = solution.at === 0;
  $('forth').disabled = $('last').disabled = solution.at === solution.moves.length;
}

const step = (to) => app.dispatch({ type: 'step', to });

/** Steps by a key. Whether it was one. */
export function key(name) {
  const { solution } = app.state;
  const to = {
    ArrowLeft: solution.at - 1, ArrowRight: solution.at + 1, Home: 0, End: solution.moves.length,
  }[name];
  if (to === undefined) return false;
  pause();
  step(to);
  const { at, moves: line } = app.state.solution;
  app.say(phrase(isSolved(app.state) ? 'positionSolved' : 'positionOf', { at, count: line.length }));
  return true;
}

export function toggle() {
  if (timer) {
    pause();
    return;
  }
  const { solution } = app.state;
  if (!solution) return;
  if (solution.at === solution.moves.length) step(0);
  next();
  translate();
}

function next() {
  const { at, times, tps } = app.state.solution;
  const speed = $('speed').value;
  let wait = 1000 / Number(speed);
  if (speed === 'recorded') wait = times ? times[at] - (at ? times[at - 1] : 0) : 1000 / tps;
  wait = Math.min(Math.max(wait, 8), 5000);
  // Tiles arrive before the next ones leave.
  $('board').style.setProperty('--slide', `${Math.min(110, Math.round(wait * 0.8))}ms`);
  timer = setTimeout(() => {
    const { solution } = app.state;
    step(solution.at + 1);
    if (app.state.solution.at < app.state.solution.moves.length) {
      next();
      return;
    }
    pause();
    app.say(phrase('atTheEnd'));
  }, wait);
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  translate();
  $('board').style.removeProperty('--slide');
}
