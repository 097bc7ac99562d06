// Small helpers around the document.

/**
 * The element with an id, of whatever kind.
 * @type {(id: string) => any}
 */
export const $ = (id) => document.getElementById(id);

export const on = (id, event, listener) => $(id).addEventListener(event, listener);

function filled(made, attributes, content) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

/**
 * An element with attributes and content.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {any[]} content
 * @returns {any}
 */
export const element = (name, attributes = {}, ...content) => filled(document.createElement(name), attributes, content);

/** An element of a picture. */
export const shape = (name, attributes, ...content) => filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, content);

export function button(text, act, attributes = {}) {
  const made = element('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', act);
  return made;
}

export function options(select, entries) {
  select.replaceChildren(...entries.map(([value, text]) => new Option(text, value)));
}

/** Hands a text to the browser as a file to be stored. */
export function store(name, type, text) {
  const link = element('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A select, or a check box, that is remembered. */
export function remembered(id, changed) {
  const control = $(id);
  const key = `taquin.${id}`;
  const property = control.type === 'checkbox' ? 'checked' : 'value';
  try {
    const kept = localStorage.getItem(key);
    if (kept !== null) control[property] = property === 'checked' ? kept === 'true' : kept;
  } catch { /* Nothing is kept where storage is refused. */ }
  if (control.type !== 'checkbox' && control.selectedIndex < 0) control.selectedIndex = 0;
  control.addEventListener('change', () => {
    try {
      localStorage.setItem(key, control[property]);
    } catch { /* As above. */ }
    changed();
  });
}
