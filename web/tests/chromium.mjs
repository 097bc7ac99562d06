// Opens the built page in Chromium, for tests. The variables of launch.mjs name the site and the
// browser.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { folder, options } from './launch.mjs';
import { site } from './site.mjs';

const WIDE = { width: 1280, height: 900 };
/** The board of the page without a fragment. */
export const FIRST = [5, 1, 7, 3, 9, 2, 11, 4, 13, 6, 15, 8, 0, 10, 14, 12];
/** A board of two moves, as a fragment. */
export const SMALL = '#b=1_2_3-4_0_6-7_5_8';
const axe = await readFile(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

let browser;
let pages;
/** The site with a builder that builds nothing. */
let small;

before(async () => {
  browser = await chromium.launch(options());
  pages = await site(folder);
  small = await site(folder, { 'worker.js': await workerWith("addEventListener('message', (event) => { if (event.data.type === 'build') event.stopImmediatePropagation(); });") });
});

after(async () => {
  await browser?.close();
  pages?.close();
  small?.close();
});

/** The text of the Worker with other lines before it. */
const workerWith = async (lines) => `${lines}\n${await readFile(join(folder, 'worker.js'), 'utf8')}`;

/** Milliseconds: on a loaded machine, tables take long. */
const PATIENCE = 180_000;

/** The words for a board that can be solved. */
export const SOLVABLE = /^(Solvable|\d+ moves? to go)$/;

/** Opens the tab of what a person is about to use. */
export async function uncover(page, selector) {
  const tab = await page.evaluate((name) => document.querySelector(name)?.closest('[role=tabpanel][hidden]')?.getAttribute('aria-labelledby'), selector.split(':has')[0]);
  if (tab) await page.locator(`#${tab}`).click();
}

/**
 * Opens the page in a browser that has never seen it. Errors on the console fail the test unless it expects `errors`.
 * The large tables are built unless `building` says otherwise: they take seconds, and most tests do not need them.
 * A page that is `bare` is another one.
 */
export async function opened(t, { building = true, url = (building ? pages : small).url, fragment = '', errors = false, bare = false, ...options } = {}) {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  t.after(() => context.close());
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.errors = [];
  t.after(() => errors || assert.deepEqual(page.errors, []));
  for (const act of ['check', 'click', 'fill', 'focus', 'selectOption', 'uncheck']) {
    const plain = page[act].bind(page);
    page[act] = async (selector, ...more) => {
      await uncover(page, selector);
      return plain(selector, ...more);
    };
  }
  page.on('pageerror', (error) => page.errors.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') page.errors.push(message.text()); });
  await page.goto(url + fragment);
  if (!bare) await page.locator('[role=gridcell]').first().waitFor();
  return page;
}

/** Waits until an element's text matches. */
export async function reads(page, selector, pattern, timeout = PATIENCE) {
  const end = Date.now() + timeout;
  for (;;) {
    const text = (await page.locator(selector).textContent()).replaceAll(/\s+/g, ' ').trim();
    if (pattern.test(text)) return text;
    if (Date.now() > end) assert.fail(`${selector} reads “${text}”, not ${pattern}`);
    await page.waitForTimeout(20);
  }
}

/** Fails unless elements are seen whole, without scrolling. */
export async function seen(page, ...selectors) {
  for (const selector of selectors) {
    const box = await page.locator(selector).boundingBox();
    const { width, height } = page.viewportSize();
    const inside = box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5;
    assert.ok(inside, `${selector} at ${JSON.stringify(box)} in ${width}×${height}`);
  }
}

export const tables = (page) => page.locator('#engine[data-source]').waitFor();

/** The button of a cell. */
export const cell = (page, i) => page.locator('[role=gridcell] button').nth(i);

/** Presses cells, one after the other. */
export async function press(page, ...cells) {
  for (const i of cells) await cell(page, i).click();
}

/** Pulls the mouse from a cell over others. */
export async function drag(page, ...cells) {
  for (const [at, i] of cells.entries()) {
    const { x, y, width, height } = await cell(page, i).boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 8 });
    if (at === 0) await page.mouse.down();
  }
  await page.mouse.up();
}

/** Opens another address in the tab. */
export const visit = (page, hash) => page.evaluate((to) => { location.hash = to; }, hash);

/** The tiles as a screen reader meets them. */
export const tiles = (page) => page.locator('[role=gridcell] button').evaluateAll((buttons) =>
  buttons.map((button) => Number.parseInt(button.getAttribute('aria-label'), 10) || 0));

export async function sized(page, width, height) {
  await page.selectOption('#width', `${width}`);
  await page.selectOption('#height', `${height}`);
}

export async function pasted(page, text) {
  await page.fill('#paste', text);
  await page.click('#paste-form button[type=submit]');
}

/** Solves the board, or one that is picked before, and waits for what the text about its proof says. */
export async function solves(page, proof, pick) {
  if (pick) await page.selectOption('#pick', pick);
  await page.click('#solve');
  await reads(page, '#proof', proof);
}

/** Shows moves as a line. */
export async function lined(page, moves) {
  await page.fill('#moves-text', moves);
  await page.click('#moves-line');
}

/** Opens a board as if Shuffle had drawn it. */
export async function draw(page, fragment) {
  await page.evaluate((hash) => {
    // Another address than the last one.
    history.replaceState({ drawn: true, byHand: true }, '', `${hash}&t=${1 + Math.floor(performance.now() % 1000)}`);
    dispatchEvent(new Event('hashchange'));
  }, fragment);
  await reads(page, '#moves', /^0$/);
}

/** The link in the address, which is written a moment after a change, once it matches. */
export async function link(page, pattern) {
  await page.waitForFunction(({ source }) => new RegExp(source).test(location.hash), pattern);
  return new URL(page.url()).hash;
}

/** Fails where axe finds a violation of its rules, or of those with a tag. Names of buttons contain their texts. */
export async function accessible(page, tag) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((only) => globalThis.axe.run(only ? { runOnly: [only] } : { rules: { 'label-content-name-mismatch': { enabled: true } } }), tag);
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
}

/** The site on an origin of its own, with the texts of other files by name, which may change while it is served. */
export async function served(t, other = {}) {
  const { url, close } = await site(folder, other);
  t.after(close);
  return url;
}

/** Takes a picture of the page, where PICTURES names a folder. */
export async function picture(page, name, fullPage) {
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`), fullPage });
}

/** A site whose Worker begins with other lines. */
export const altered = async (t, lines) => served(t, { 'worker.js': await workerWith(lines) });
