// Plays a solution: scrubber, speed, steps.

import { app } from './app.js';
import { $, on, remembered } from './dom.js';
import { say } from './message.js';
import { isSolved } from './state.js';
import { phrase } from './text.js';

let timer = 0;
let moves = '';
/** The last step and when it was due: a step that is late does not make the next one late. */
let due = { at: 0, time: 0 };

export function init() {
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
  say(phrase(isSolved(app.state) ? 'positionSolved' : 'positionOf', { at, count: line.length }));
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
  due = { at: app.state.solution.at, time: performance.now() };
  next();
  translate();
}

/** The milliseconds before the move after so many. */
function pauseAt(at) {
  const { times, tps } = app.state.solution;
  const speed = $('speed').value;
  let wait = 1000 / Number(speed);
  if (speed === 'recorded') wait = times ? times[at] - (at ? times[at - 1] : 0) : 1000 / tps;
  return Math.min(wait, 5000);
}

function next() {
  due.time += pauseAt(due.at);
  const wait = Math.max(due.time - performance.now(), 0);
  // Tiles arrive before the next ones leave.
  $('board').style.setProperty('--slide', `${Math.min(110, Math.round(wait * 0.8))}ms`);
  timer = setTimeout(() => {
    const { length } = app.state.solution.moves;
    due.at += 1;
    // Steps that are due by now are made at once.
    while (due.at < length && due.time + pauseAt(due.at) <= performance.now()) {
      due.time += pauseAt(due.at);
      due.at += 1;
    }
    step(due.at);
    if (due.at < length) {
      next();
      return;
    }
    pause();
    say(phrase('atTheEnd'));
  }, wait);
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  translate();
  $('board').style.removeProperty('--slide');
}
