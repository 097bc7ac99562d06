// The words of the page: messages over it, and words for screen readers.

import { $, button } from './dom.js';
import { phrase } from './text.js';

/** Shows a message, with buttons that help: [text, action]. A question is no alert. */
function show(text, actions, role) {
  const box = $('message');
  box.setAttribute('role', role);
  box.firstElementChild.textContent = text;
  $('message-actions').replaceChildren(...actions.map(([name, act]) => button(name, () => {
    fail('');
    act();
  })));
  box.hidden = !text;
}

export const fail = (text, actions = []) => show(text, actions, 'alert');
export const question = (text, actions) => show(text, actions, 'status');

export function say(text) {
  $('live').textContent = text;
}

/** Copies a text, and says so at the button with this id. */
export async function copied(text, id, refused = phrase('noCopyText')) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    $('exported').select();
    fail(refused);
    return;
  }
  say(phrase('copied'));
  const pressed = $(id);
  pressed.classList.add('primary');
  if (pressed.dataset.text) pressed.textContent = phrase('copied');
  setTimeout(() => {
    pressed.classList.remove('primary');
    if (pressed.dataset.text) pressed.textContent = phrase(pressed.dataset.text);
  }, 1500);
}
