// The state of the engine, at the top of the page. Details are in its tooltip.

import { $ } from './dom.js';
import { duration, phrase } from './text.js';

function show(words) {
  if ($('engine-text').textContent !== words) $('engine-text').textContent = words;
}

const percent = (done) => Math.floor(done * 10) * 10;

/** The text while tables of a size are built. */
export const tablesOf = (size, done) => phrase('buildingSize', { size, done: percent(done) });

/** Gives the text of the line while nothing is built. */
let idle = () => phrase('starting');
/** Whether the line says how far tables are, and whether those are the large ones. */
let building = false;
let large = false;
/** Gives the details. */
let more = () => '';
/** The seconds after which an engine that does not answer is told. */
const PATIENCE = 10;
let waiting = 0;

/** Whether the tables for a board will not be better soon. */
export const isSettled = ({ width, height }) => width !== 4 || height !== 4 || $('engine').dataset.source !== undefined;

function rest(words, details = () => '') {
  clearTimeout(waiting);
  idle = words;
  more = details;
  building = false;
  show(idle());
  $('engine').title = more();
}

/** Waits for the engine; after some time the page says what is wrong. */
export function wait() {
  waiting = setTimeout(() => rest(() => phrase('engineSlow')), PATIENCE * 1000);
}

export function translate() {
  if (!building) show(idle());
  $('engine').title = more();
}

export function listeners({ ready, tables, died }) {
  return {
    onready() {
      delete $('engine').dataset.source;
      rest(() => phrase('ready'));
      ready();
    },
    onpreparing({ size, done }) {
      const bar = $('engine-bar');
      // The large tables have the bar while they are built.
      if (large) return;
      bar.hidden = done === 1;
      bar.value = done;
      building = done < 1;
      show(building ? tablesOf(size, done) : idle());
    },
    onprogress({ tables: name, done }) {
      const bar = $('engine-bar');
      bar.hidden = false;
      bar.value = done;
      building = large = true;
      show(phrase('building', { name, done: percent(done) }));
    },
    ontables({ tables: name, source, seconds, reason }) {
      $('engine-bar').hidden = true;
      large = false;
      $('engine').dataset.source = source;
      const key = { built: reason ? 'tablesNotStored' : 'tablesBuilt', stored: 'tablesLoaded' }[source] ?? 'smallOnly';
      const details = () => phrase(key, { name, time: duration(seconds) });
      rest(() => phrase('ready'), () => (reason ? `${details()}: ${reason}` : details()));
      tables();
    },
    ondied(error) {
      $('engine-bar').hidden = true;
      large = false;
      rest(() => phrase(error?.kind === 'unloaded' ? 'engineUnloaded' : 'engineStopped'), () => String(error?.message ?? error ?? ''));
      died();
    },
  };
}
