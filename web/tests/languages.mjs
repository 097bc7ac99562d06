// The page in its languages, in Chromium: `node --test web/tests/languages.mjs`, with the variables of
// chromium.mjs. PICTURES names a folder for screenshots.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { english, table as tableOf } from './tables.mjs';
import { LANGUAGES } from '../page/text.js';
import { SMALL, accessible, lined, opened, pasted, picture, press, reads, seen, solves, visit } from './chromium.mjs';

const UNSOLVABLE = '#b=2_1_3-4_5_6-7_8_0';

const escaped = (words) => words.replaceAll(/[.*+?^$()[\]|\\/]/g, '\\$&').replaceAll(/\{\w+\}/g, '.+');

const letters = (words) => words.replaceAll(/\{\w+\}/g, '').match(/\p{L}+/gu) ?? [];

/**
 * Patterns of the English texts that a table translates, with their keys. Single words stand alone, others anywhere.
 * Texts whose words are in the table too, such as names, are left out.
 */
function patterns(table) {
  return Object.entries(english).flatMap(([key, entry]) => Object.values(typeof entry === 'string' ? [entry] : entry)
    .filter((words) => letters(words).some((word) => !letters(JSON.stringify(table[key])).includes(word)))
    .map((words) => {
      const whole = escaped(words.trim());
      return [key, new RegExp(/\p{L}{2,} \p{L}{2,}/u.test(words) ? whole : `^${whole}$`, 'u')];
    }));
}

/** All that is seen or read aloud. */
const words = (page) => page.evaluate(() => {
  const found = new Set();
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('noscript')) continue;
    for (const name of ['aria-label', 'title', 'placeholder', 'label', 'aria-valuetext']) found.add(element.getAttribute(name) ?? '');
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) found.add(node.data.trim());
  }
  return [...found].filter(Boolean);
});

/** The controls and labels whose text is cut, and what is wider than the window. */
const cut = (page) => page.evaluate(() => {
  const found = [];
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) {
    const wide = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > clientWidth);
    found.push(`the page is ${scrollWidth} wide, not ${clientWidth}: ${wide.slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 80))}`);
  }
  for (const element of document.querySelectorAll('button, .counters dt, .counters dd, h2, label, summary, .verdict, .mode, .engine')) {
    if (element.closest('.cells') || !element.checkVisibility() || element.closest('.hidden')) continue;
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth) found.push(`${element.id || element.className}: ${element.textContent}`);
  }
  return found;
});

for (const language of Object.keys(LANGUAGES)) {
  test(`the page in ${LANGUAGES[language]}`, async (t) => {
    const table = await tableOf(language);
    const foreign = patterns(table);
    /** The texts that are right although they look English. */
    const own = new Set(Object.values(table));
    const page = await opened(t, { building: false, locale: language, bypassCSP: true, fragment: `${SMALL}&m=DUU` });
    const says = (selector, key) => reads(page, selector, new RegExp(escaped(table[key].other ?? table[key]).replaceAll(/\s+/g, ' '), 'u'));
    const check = async (name, axe) => {
      assert.deepEqual((await words(page)).filter((shown) => !own.has(shown)).flatMap((shown) => foreign.filter(([, pattern]) => pattern.test(shown)).map(([key]) => `${key}: ${shown}`)), [], name);
      for (const [width, height] of [[1280, 800], [360, 640]]) {
        await page.setViewportSize({ width, height });
        await picture(page, `${language}-${width}-${name}`, width < 760);
        assert.deepEqual(await cut(page), [], `${name} at ${width}`);
      }
      if (axe) await accessible(page);
    };
    assert.equal(await page.getAttribute('html', 'lang'), language);
    await reads(page, '#togo', /^1$/);
    await check('play', true);
    await page.click('#hint');
    await page.locator('.tile.hinted').waitFor();
    await page.waitForFunction(() => document.getElementById('live').textContent === document.getElementById('verdict').textContent);
    await press(page, 4);
    await check('moved');
    await page.click('#solve');
    await says('#proof', 'optimalProof');
    await check('solution');
    for (const id of ['#scrubber', '#playing', '#continue', '#leave']) await seen(page, id);
    await page.click('#all');
    await reads(page, '#all-text', /1/);
    await page.fill('#moves-text', 'DUUL');
    await page.click('#leave');
    await page.click('#restart');
    await page.click('#moves-line');
    await says('#analysis-text', 'movesLost');
    await lined(page, 'U X');
    await page.waitForFunction(() => document.getElementById('moves-error').textContent);
    if (language !== 'en') await says('#moves-error', 'fault-input');
    await pasted(page, '1 2 3 / 4 5 6 / 7 7 0');
    await reads(page, '#paste-error', /7/);
    await check('analysis', true);
    await visit(page, UNSOLVABLE);
    await says('#verdict', 'unsolvable');
    for (const [width, height] of [[1280, 800], [1366, 768]]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => scrollTo(0, 0));
      await seen(page, '#board', '#other-goal', '#shuffle-quick', '#solve');
    }
    await page.click('#why');
    await page.click('#edit-board');
    await press(page, 0);
    await page.click('#solves-clear');
    await check('edit');
    await page.click('#edit-done');
    await page.click('#solve');
    await says('#message', 'shuffle');
    await page.fill('#paste', 'helix');
    await page.click('#paste-goal');
    await page.waitForFunction(() => document.getElementById('paste-error').textContent);
    await check('message');
  });
}

test('the language is changed at once, and remembered', async (t) => {
  const page = await opened(t, { building: false, locale: 'pt-BR', fragment: SMALL });
  assert.equal(await page.getAttribute('html', 'lang'), 'en');
  await reads(page, '#togo', /^2$/);
  await solves(page, /^2 moves, optimal/);
  await page.selectOption('#language', 'de');
  // What was found stays, in other words.
  await reads(page, '#proof', /^2 Züge, optimal \(\d Mehrfachz.*Bewiesen/);
  await reads(page, '#verdict', /^2 Züge, optimal$/);
  assert.equal(await page.getAttribute('#playing', 'aria-label'), 'Abspielen');
  assert.equal(await page.getAttribute('html', 'lang'), 'de');
  assert.equal(await page.locator('#pick optgroup').first().getAttribute('label'), 'Die fünf Bretter des Wettbewerbs');
  // The address is written a moment later.
  await page.waitForFunction(() => /[#&]s=/.test(location.hash));
  await page.reload();
  await reads(page, '#leave', /^Zum Spiel$/);
  assert.equal(await page.inputValue('#language'), 'de');
  await page.selectOption('#language', '');
  await reads(page, '#leave', /^Back to my game$/);
  // Tables are loaded only when they are chosen.
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1)));
  assert.deepEqual(['en.json', 'de.json', 'fr.json', 'ru.json', 'ja.json'].filter((name) => loaded.includes(name)), ['en.json', 'de.json']);
});
