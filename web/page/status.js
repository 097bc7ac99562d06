// The state of the engine, at the top of the page. Details are in its tooltip.

import { $ } from './dom.js';
import { duration, phrase } from './text.js';

const percent = (done) => Math.floor(done * 10) * 10;

/** The text while tables of a size are built. */
export const tablesOf = (size, done) => phrase('buildingSize', { size, done: percent(done) });

/** Gives the text of the line while nothing is built, and while something is; null where nothing is. */
let idle = () => phrase('starting');
let building = null;
/** Whether the large tables are built. */
let large = false;
/** Gives the details. */
let more = () => '';
/** The seconds after which an engine that does not answer is told. */
const PATIENCE = 10;
let waiting = 0;

/** Whether the tables for a board will not be better soon. */
export const isSettled = ({ width, height }) => width !== 4 || height !== 4 || $('engine').dataset.source !== undefined;

function show() {
  const words = (building ?? idle)();
  if ($('engine-text').textContent !== words) $('engine-text').textContent = words;
  $('engine').title = more();
}

export const translate = show;

/** Shows how far tables are; without words they are there. */
function build(words, done) {
  building = words;
  $('engine-bar').hidden = !words;
  $('engine-bar').value = done;
  show();
}

function rest(words, details = () => '') {
  clearTimeout(waiting);
  idle = words;
  more = details;
  large = false;
  build(null, 1);
}

/** Waits for the engine; after some time the page says what is wrong. */
export function wait() {
  waiting = setTimeout(() => rest(() => phrase('engineSlow')), PATIENCE * 1000);
}

export function listeners({ ready, tables, died }) {
  return {
    onready() {
      delete $('engine').dataset.source;
      rest(() => phrase('ready'));
      ready();
    },
    onpreparing({ size, done }) {
      // The large tables have the bar while they are built.
      if (!large) build(done < 1 ? () => tablesOf(size, done) : null, done);
    },
    onprogress({ tables: name, done }) {
      large = true;
      build(() => phrase('building', { name, done: percent(done) }), done);
    },
    ontables({ tables: name, source, seconds, reason }) {
      $('engine').dataset.source = source;
      const key = { built: reason ? 'tablesNotStored' : 'tablesBuilt', stored: 'tablesLoaded' }[source] ?? 'smallOnly';
      const details = () => phrase(key, { name, time: duration(seconds) });
      rest(() => phrase('ready'), () => (reason ? `${details()}: ${reason}` : details()));
      tables();
    },
    ondied(error) {
      rest(() => phrase(error?.kind === 'unloaded' ? 'engineUnloaded' : 'engineStopped'), () => String(error?.message ?? error ?? ''));
      died();
    },
  };
}
