// The texts of the page in the language that is chosen, from a table that is loaded alone. `{name}` in a text
// is a value; a text with several forms uses the form of its number `count`, by the names of
// `Intl.PluralRules`.

/** The languages, each by its native name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', ru: 'Русский', ja: '日本語' };

/** The attributes of an element that name its texts, and where each text goes. */
const PLACES = {
  'data-text': (element, words) => { element.textContent = words; },
  'data-label': (element, words) => element.setAttribute('aria-label', words),
  'data-title': (element, words) => { element.title = words; },
  'data-placeholder': (element, words) => { element.placeholder = words; },
};

let language = 'en';
let table = {};
let plurals = new Intl.PluralRules(language);
const formats = new Map();

/** The first language of a list that the page has. */
export const chosen = (wanted) => wanted.map((tag) => tag.toLowerCase().split('-')[0]).find((tag) => tag in LANGUAGES) ?? 'en';

/** Loads the table of a language and uses it from now on; if it cannot be loaded, the old one stays. */
export async function use(name) {
  try {
    const response = await fetch(new URL(`./${name}.json`, import.meta.url));
    table = await response.json();
  } catch {
    return;
  }
  language = name;
  plurals = new Intl.PluralRules(language);
  formats.clear();
}

/** The language in use. */
export const current = () => language;

/**
 * A text of the table, with values in the place of `{name}`. A text with several forms uses the form of the
 * number `count`.
 */
export function phrase(key, values = {}) {
  const entry = table[key] ?? key;
  const words = typeof entry === 'string' ? entry : entry[plurals.select(Number(values.count))] ?? entry.other;
  return words.replace(/\{(\w+)\}/g, (_, name) => shown(values[name]));
}

const shown = (value) => (typeof value === 'number' || typeof value === 'bigint' ? number(value) : value);

/** A number as the language writes it. */
export function number(value, options) {
  const key = JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(language, options));
  return formats.get(key).format(value);
}

export const decimals = (value, digits) => number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** 1:02.3, or with more digits. */
export function clock(milliseconds, digits = 1) {
  const unit = 10 ** (3 - digits);
  // Seconds times a thousand may be a little less than the milliseconds were.
  const whole = Math.floor(milliseconds / unit + 1e-6) * unit;
  const seconds = number((whole % 60_000) / 1000, { minimumIntegerDigits: 2, minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${Math.floor(whole / 60_000)}:${seconds}`;
}

export function duration(seconds) {
  if (seconds < 1e-3) return phrase('microseconds', { time: number(Math.round(seconds * 1e6)) });
  if (seconds < 1) return phrase('milliseconds', { time: number(seconds * 1e3, { minimumSignificantDigits: 3, maximumSignificantDigits: 3 }) });
  return phrase('secondsShort', { time: decimals(seconds, 2) });
}

/** Sentences, one after the other. */
export const sentences = (all) => all.join(language === 'ja' ? '' : ' ');

/**
 * The reason of an error. The sentences of the engine are English; other languages tell its kind. Of an
 * engine that cannot be loaded, browsers have no sentence that helps.
 */
export function reason({ kind, message }) {
  return kind === 'unloaded' || (kind && language !== 'en') ? phrase(`fault-${kind}`) : message;
}

/** Puts the texts into the document. */
export function translate() {
  document.documentElement.lang = language;
  for (const [attribute, put] of Object.entries(PLACES)) {
    for (const element of document.querySelectorAll(`[${attribute}]`)) {
      const count = Number(element.getAttribute('data-count'));
      put(element, phrase(element.getAttribute(attribute), { count }));
    }
  }
}
