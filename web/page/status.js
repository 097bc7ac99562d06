// The state of the engine, at the top of the page.

import { $, duration } from './dom.js';

const text = (words) => { $('engine-text').textContent = words; };

export function listeners({ ready, tables, died }) {
  return {
    onready() {
      delete $('engine').dataset.source;
      text('Ready with small tables');
      ready();
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
      text({
        built: `Ready: tables ${name} built${time}${reason ? ', not stored' : ''}`,
        stored: `Ready: tables ${name} loaded${time}`,
      }[source] ?? `Ready with small tables${reason ? `; ${name} are not available` : ''}`);
      tables();
    },
    ondied(error) {
      $('engine-bar').hidden = true;
      text('The engine has stopped; you can still play');
      $('engine').title = String(error?.message ?? error ?? '');
      died();
    },
  };
}
