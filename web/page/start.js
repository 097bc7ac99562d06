// Starts the engine, and loads the table of texts. The page loads this script first, so that both are
// there soon.

import { Engine } from './engine.js';
import { chosen, use } from './text.js';

export const engine = new Engine({ large: false });

/** An answer of the engine; for `solve` only the result. */
export async function request(type, question, options) {
  const answer = await engine.ask(type, question, options);
  return answer.result ?? answer;
}

/** The language that a person has chosen, or the browser's language. */
export function wanted() {
  let kept = null;
  try {
    kept = localStorage.getItem('taquin.language');
  } catch { /* Nothing is kept where storage is refused. */ }
  return chosen([kept || navigator.language, ...navigator.languages]);
}

// Texts of another language than the one in the file are not shown at all.
document.documentElement.hidden = wanted() !== 'en';

export const spoken = use(wanted());
