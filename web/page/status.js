// The state of the engine, at the top of the page.

import { $ } from './dom.js';
import { duration, phrase } from './text.js';

function show(words) {
  if ($('engine-text').textContent !== words) $('engine-text').textContent = words;
}

const percent = (done) => Math.floor(done * 10) * 10;

/** The text while tables of a size are built. */
export const tablesOf = (size, done) => phrase('buildingSize', { size, done: percent(done) });

/** Gives what the line says while nothing is built. */
let idle = () => phrase('starting');
/** Whether the line says how far tables are. */
let building = false;

function rest(words) {
  idle = words;
  building = false;
  show(idle());
}

export function translate() {
  if (!building) show(idle());
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
      if ($('engine').dataset.source === undefined) return;
      bar.hidden = done === 1;
      bar.value = done;
      building = done < 1;
      show(building ? tablesOf(size, done) : idle());
    },
    onprogress({ tables: name, done }) {
      const bar = $('engine-bar');
      bar.hidden = false;
      bar.value = done;
      building = true;
      show(phrase('building', { name, done: percent(done) }));
    },
    ontables({ tables: name, source, seconds, reason }) {
      $('engine-bar').hidden = true;
      $('engine').dataset.source = source;
      $('engine').title = reason ?? '';
      rest(() => {
        const key = { built: reason ? 'tablesNotStored' : 'tablesBuilt', stored: 'tablesLoaded' }[source] ?? (reason ? 'smallOnly' : 'ready');
        return phrase(key, { name, time: duration(seconds) });
      });
      tables();
    },
    ondied(error) {
      $('engine-bar').hidden = true;
      rest(() => phrase('engineStopped'));
      $('engine').title = String(error?.message ?? error ?? '');
      died();
    },
  };
}
