// The texts of the page: the tables of the languages, and what is outside them.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import test from 'node:test';
import { english, table as tableOf } from './tables.mjs';
import { LANGUAGES, chosen, clock, duration, number, phrase, reason, sentences, use } from '../page/text.js';

const folder = new URL('../page/', import.meta.url);
const read = (name) => readFile(new URL(name, folder), 'utf8');

const forms = (entry) => (typeof entry === 'string' ? { '': entry } : entry);
const placeholders = (words) => [...new Set(words.match(/\{\w+\}/g))].sort().join();

/** The faults of a table next to the English one. */
function faults(table, language) {
  const found = [];
  for (const key of new Set([...Object.keys(english), ...Object.keys(table)])) {
    if (!(key in table && key in english)) {
      found.push(`${key}: only in one table`);
      continue;
    }
    if (typeof table[key] !== typeof english[key]) found.push(`${key}: forms of a number in one table only`);
    const wanted = placeholders(forms(english[key])['']  ?? english[key].other);
    for (const [form, words] of Object.entries(forms(table[key]))) {
      if (!words.trim()) found.push(`${key}: empty`);
      if (placeholders(words) !== wanted) found.push(`${key}: ${placeholders(words)} for ${wanted}`);
      if (form && !new Intl.PluralRules(language).resolvedOptions().pluralCategories.includes(form)) found.push(`${key}: no form ${form}`);
    }
    if (typeof table[key] === 'string') continue;
    // Each whole number has its own form.
    const rules = new Intl.PluralRules(language);
    for (let count = 0; count < 200; count++) {
      if (!(rules.select(count) in table[key])) found.push(`${key}: no form for ${count}`);
    }
  }
  return [...new Set(found)];
}

for (const language of Object.keys(LANGUAGES)) {
  test(`the table of ${language} has the keys, placeholders and forms`, async () => {
    const table = await tableOf(language);
    assert.deepEqual(faults(table, language), []);
    // Each of these trips a check.
    const { undo, ...less } = table;
    for (const bad of [
      less, { ...table, more: undo }, { ...table, undo: '' }, { ...table, undo: '{count}' }, { ...table, countMoves: { other: undo } },
      { ...table, undo: { other: undo } }, { ...table, countMoves: { ...table.countMoves, two: '{count}' } },
    ]) assert.notDeepEqual(faults(bad, language), []);
  });
}

test('reasons stand in the middle of a sentence, and two buttons have two labels', async () => {
  const reasons = /^(fault-|link[A-Z]|replay[A-Z]|frameNoOrigin)/;
  for (const language of Object.keys(LANGUAGES)) {
    const table = await tableOf(language);
    for (const [key, words] of Object.entries(table)) {
      if (!reasons.test(key) || ['linkNotOpened', 'linkCopied'].includes(key)) continue;
      assert.doesNotMatch(words, /[.?!。？！]$|か$/u, `${language}: ${key}`);
    }
    assert.notEqual(table.shuffle, table.fromSeed, language);
  }
});

// ---- Texts outside the tables

/** Texts that are the same in every language: names, and words that are read and written as they are. */
const NAMES = [
  'Taquin', 'CSV', 'JSON',
  // Of the browser.
  'Home', 'End', 'Escape', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight',
  ...Object.values(LANGUAGES),
];

/** Literals that nobody sees: classes and selectors, messages of programs, and reasons that another text replaces. */
const HIDDEN = [
  'textarea, select, input:not([type=checkbox])', 'button, input', 'take over',
  'no action 0', 'too large', 'no boards of 16 cells',
  // Of the package, and to the page around a frame.
  'a board is text, a list of tiles or of rows, or an object { board, width, height }',
  'a size is a width and a height, as 4x3, not 0', 'there is no message 0',
];

/** The English texts of a document that its attributes do not name, or name wrongly. Keys have their names everywhere. */
function outsideDocument(html) {
  const found = [];
  const body = html.slice(html.indexOf('<body>')).replace(/<noscript>.*?<\/noscript>|<kbd>.*?<\/kbd>/gs, '');
  const named = (attributes, name) => {
    const key = new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1];
    const count = / data-count="(\d+)"/.exec(attributes)?.[1];
    return key && key in english ? phrase(key, { count: Number(count) }) : undefined;
  };
  for (const [, tag, attributes, words] of body.matchAll(/<(\/?\w+)([^>]*)>([^<]*)/g)) {
    const shown = words.trim();
    if (/\p{L}/u.test(shown) && !NAMES.includes(shown) && named(attributes, 'data-text') !== shown) found.push(`${tag}: ${shown}`);
    for (const [attribute, name] of [['aria-label', 'data-label'], ['title', 'data-title'], ['placeholder', 'data-placeholder'], ['alt', 'none']]) {
      const value = new RegExp(` ${attribute}="([^"]+)"`).exec(attributes)?.[1];
      if (value !== undefined && named(attributes, name) !== value) found.push(`${tag}: ${attribute}: ${value}`);
    }
  }
  return found;
}

const TOKENS = new RegExp([
  String.raw`//[^\n]*|/\*.*?\*/`,
  String.raw`(?<=[(,=:!&|?{};]\s*)/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/`,
  String.raw`'(?<single>(?:\\.|[^'\\\n])*)'`,
  String.raw`"(?<double>(?:\\.|[^"\\\n])*)"`,
  '`(?<template>(?:\\\\.|[^`\\\\])*)`',
].join('|'), 'gs');

/** The literals of a module that look like sentences or labels. */
function outsideModule(source) {
  const found = [];
  for (const { groups } of source.matchAll(TOKENS)) {
    let words = groups.single ?? groups.double;
    if (groups.template !== undefined) {
      words = groups.template.replace(/\$\{([^}]*)\}/g, (_, inner) => {
        found.push(...outsideModule(inner));
        return '0';
      });
    }
    if (words === undefined || NAMES.includes(words.trim())) continue;
    // Markup and selectors.
    if (/^<|[#.[(>]\w[^ ]* |^\(|^\[/.test(words)) continue;
    if (/\p{L}{2,}[,.:;]? \p{L}{2,}/u.test(words) || /^\p{Lu}\p{Ll}{2,}/u.test(words)) found.push(words);
  }
  return found;
}

test('no text is outside the tables', async () => {
  const html = await read('index.html');
  assert.deepEqual(outsideDocument(html), []);
  for (const bad of ['<p>New words</p>', '<p data-text="undo">New</p>', '<p data-text="undo">Undo</p> more', '<p title="New"></p>', '<p data-label="undo" aria-label="New"></p>']) {
    assert.equal(outsideDocument(`<body>${bad}`).length, 1, bad);
  }
  // What the engine says is English; other languages tell its kind.
  const engine = ['engine.js', 'worker.js', 'wasm.js', 'tables.js', 'sw.js'];
  const found = [];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.js') && !engine.includes(file))) {
    found.push(...outsideModule(await read(name)).filter((words) => !HIDDEN.includes(words)));
  }
  assert.deepEqual(found, []);
  for (const bad of ["say('Two words')", 'say("Word")', 'say(`at most ${most}`)', "say(`${few ? 'two words' : ''}`)", "x = /'/; say('New words')"]) {
    assert.equal(outsideModule(bad).length, 1, bad);
  }
});

test('each key of a phrase is in the table', async () => {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.js'))) {
    for (const [, key] of (await read(name)).matchAll(/phrase\('([^']+)'/g)) assert.ok(key in english, `${name}: ${key}`);
  }
});

test('each key of the table is used', async () => {
  const files = (await readdir(folder)).filter((file) => /\.(js|html)$/.test(file));
  const all = (await Promise.all(files.map(read))).join('\n');
  const unused = Object.keys(english).filter((key) => !/^(format|fault|goal)-|Help$/.test(key) && !all.includes(`'${key}'`) && !all.includes(`"${key}"`));
  // Up and down, even and odd are among the answers of the engine and the directions.
  assert.deepEqual(unused.filter((key) => !['even', 'odd'].includes(key)), []);
});

// ---- Numbers and the choice

test('the language of the browser is chosen where the page has it', () => {
  assert.equal(chosen(['pt-BR', 'fr-CA', 'de']), 'fr');
  assert.equal(chosen(['ja-JP']), 'ja');
  assert.equal(chosen(['pt', 'toString']), 'en');
  assert.equal(chosen([]), 'en');
});

test('numbers, times and forms are those of the language', async () => {
  const all = async (language) => {
    await use(language);
    return [
      phrase('countNodes', { count: 1 }), phrase('countNodes', { count: 1234567 }), phrase('countMoves', { count: 22 }),
      clock(75_320), duration(0.0123), number(2n ** 64n), sentences([phrase('undone'), phrase('redone')]),
    ].map((words) => words.replaceAll(/[\u00A0\u202F]/g, ' '));
  };
  assert.deepEqual(await all('de'), ['1 Knoten', '1.234.567 Knoten', '22 Züge', '1:15,3', '12,3 ms', '18.446.744.073.709.551.616', 'Rückgängig gemacht. Wiederholt.']);
  assert.deepEqual(await all('ru'), ['1 узел', '1 234 567 узлов', '22 хода', '1:15,3', '12,3 мс', '18 446 744 073 709 551 616', 'Отменено. Повторено.']);
  assert.deepEqual(await all('fr'), ['1 nœud', '1 234 567 nœuds', '22 coups', '1:15,3', '12,3 ms', '18 446 744 073 709 551 616', 'Annulé. Rétabli.']);
  assert.deepEqual(await all('ja'), ['1 ノード', '1,234,567 ノード', '22 手', '1:15.3', '12.3 ミリ秒', '18,446,744,073,709,551,616', '元に戻しました。やり直しました。']);
  assert.equal(reason({ kind: 'input', message: 'no board' }), phrase('fault-input'));
  assert.equal(reason({ message: '盤面' }), '盤面');
  // Where a table cannot be loaded, the one before stays.
  await use('xx');
  assert.equal(phrase('undo'), '元に戻す');
  await use('en');
  assert.deepEqual(await all('en'), ['1 node', '1,234,567 nodes', '22 moves', '1:15.3', '12.3 ms', '18,446,744,073,709,551,616', 'Undone. Redone.']);
  assert.equal(reason({ kind: 'input', message: 'no board' }), 'no board');
  assert.equal(reason({ kind: 'unloaded', message: 'Failed to fetch' }), phrase('fault-unloaded'));
});
