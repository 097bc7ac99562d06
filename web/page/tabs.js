// The tabs of the column.

import { $ } from './dom.js';

const NAMES = ['play', 'analyse', 'edit', 'settings'];
const tab = (name) => $(`tab-${name}`);

/** Shows the panel of a tab. */
export function open(name) {
  for (const other of NAMES) {
    const chosen = other === name;
    tab(other).setAttribute('aria-selected', chosen);
    tab(other).tabIndex = chosen ? 0 : -1;
    $(`panel-${other}`).hidden = !chosen;
  }
  dispatchEvent(new CustomEvent('taquin-tab'));
}

export const isOpen = (name) => !$(`panel-${name}`).hidden;

export function init() {
  NAMES.forEach((name, i) => {
    tab(name).addEventListener('click', () => open(name));
    tab(name).addEventListener('keydown', (event) => {
      const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: -1 }[event.key];
      if (to === undefined) return;
      // No tile slides.
      event.stopPropagation();
      const next = NAMES.at(to % NAMES.length);
      open(next);
      tab(next).focus();
    });
  });
}
