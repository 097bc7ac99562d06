// The state of the engine, at the top of the page.

import { $, duration } from './dom.js';

const text = (words) => { $('engine-text').textContent = words; };

/** What is said while tables of a size are built. */
export const TABLES_OF = (size, done) => `Building tables for ${size}: ${Math.floor(done * 10) * 10} %`;

/** What the line says while nothing is built. */
let idle = '';

function rest(words) {
  idle = words;
  text(words);
}

export function listeners({ ready, tables, died }) {
  return {
    onready() {
      delete $('engine').dataset.source;
      rest('Ready with small tables');
      ready();
    },
    onpreparing({ size, done }) {
      const bar = $('engine-bar');
      // The large tables have the bar while they are built.
      if ($('engine').dataset.source === undefined) return;
      bar.hidden = done === 1;
      bar.value = done;
      const words = done === 1 ? idle : TABLES_OF(size, done);
      if ($('engine-text').textContent !== words) text(words);
    },
    onprogress({ tables: name, done }) {
      const bar = $('engine-bar');
      bar.hidden = false;
      bar.value = done;
      const words = `Building tables ${name}: ${Math.floor(done * 10) * 10} %`;
      if ($('engine-text').textContent !== words) text(words);
    },
    ontables({ tables: name, source, seconds, reason }) {
      $('engine-bar').hidden = true;
      $('engine').dataset.source = source;
      $('engine').title = reason ?? '';
      const time = seconds === undefined ? '' : ` in ${duration(seconds)}`;
      rest({
        built: `Ready: tables ${name} built${time}${reason ? ', not stored' : ''}`,
        stored: `Ready: tables ${name} loaded${time}`,
      }[source] ?? `Ready with small tables${reason ? `; ${name} are not available` : ''}`);
      tables();
    },
    ondied(error) {
      $('engine-bar').hidden = true;
      rest('The engine has stopped; you can still play');
      $('engine').title = String(error?.message ?? error ?? '');
      died();
    },
  };
}
