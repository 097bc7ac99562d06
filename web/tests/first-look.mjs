// The first minutes of a person with the page, in Chromium: `node --test web/tests/first-look.mjs`, with the
// variables of chromium.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST, SOLVABLE, altered, opened, pasted, press, reads, seen, served, sized, solves, tables, tiles, visit } from './chromium.mjs';
import { packed } from './tables.mjs';

const SIZES = [[360, 640], [390, 844], [844, 390], [1280, 800], [1366, 768], [1920, 1080]];
const UNSOLVABLE = '#b=1_5_7_3-9_2_11_4-13_6_15_8-0_10_14_12';

// ---- What the page says

test('a text about a board goes with the board', async (t) => {
  const page = await opened(t, { building: false, fragment: '#b=1_2_3-4_5_6-7_8_0' });
  await solves(page, /^The board is solved\.$/);
  await reads(page, '#verdict', /^The board is solved\.$/);
  await page.click('#shuffle-quick');
  await reads(page, '#proof', /^Press Solve/);
  await sized(page, 6, 6);
  await reads(page, '#live', /Shuffled/);
  await page.click('#solve');
  await reads(page, '#busy-far', /^At most \d+ moves; [\d,]+ nodes so far\.$/);
  await page.click('#cancel');
  await reads(page, '#proof', /^The search was cancelled\. At most \d+ moves; [\d,]+ nodes so far\.$/);
  await reads(page, '#verdict', /^The search was cancelled\.$/);
  await page.click('#shuffle-quick');
  await reads(page, '#proof', /^Press Solve/);
  // A search that ends because its board is gone says nothing.
  await page.click('#solve');
  await page.locator('#cancel').waitFor({ state: 'visible' });
  await page.click('#shuffle-quick');
  await reads(page, '#proof', /^Press Solve/);
});

test('a board of another size does not wait for the tables of the one before', async (t) => {
  // Tables of boards with five columns are never ready.
  const url = await altered(t, `addEventListener('message', (event) => {
    const { type, width } = event.data;
    if (type === 'prepare' && width === 5) console.info('asked');
    if (type === 'build' || (type === 'prepare' && width === 5)) event.stopImmediatePropagation();
  });`);
  const page = await opened(t, { url });
  await reads(page, '#togo', /^15$/);
  const asked = page.waitForEvent('console', (message) => message.text() === 'asked');
  await page.selectOption('#width', '5');
  await asked;
  await page.selectOption('#width', '6');
  await reads(page, '#togo', /^\d+(–\d+( …)?)?$/);
});

test('a replay keeps its times over a reload', async (t) => {
  const page = await opened(t, { building: false, fragment: `?r=${packed(['UL', 12345, '1 2 3/4 0 6/7 5 8', [100, 2500]])}` });
  await reads(page, '#mode', /A replay/);
  await reads(page, '#proof', /2 moves .* optimal/);
  await page.click('#forth');
  // The address is written a moment later.
  await page.waitForFunction(() => /&p=1(&|$)/.test(location.hash));
  await page.reload();
  await reads(page, '#mode', /A replay/);
  assert.equal(await page.inputValue('#speed'), 'recorded');
  await reads(page, '#time', /^0:00\.1$/);
  await page.click('#forth');
  await reads(page, '#time', /^0:02\.5$/);
  await pasted(page, 'https://example.org/replay?r=AAAA');
  await reads(page, '#paste-error', /damaged/);
});

test('an unsolvable board has its reason and a way out', async (t) => {
  const page = await opened(t, { building: false, fragment: UNSOLVABLE });
  await reads(page, '#verdict', /^Cannot be solved$/);
  for (const id of ['#solve', '#hint']) {
    await page.click(id);
    await reads(page, '#message', /cannot be solved: 1\d transpositions \(even\) and a blank distance of 3 \(odd\)/);
    await page.click('#message .icon');
  }
  // What cannot be done is not offered first.
  assert.equal(await page.locator('#solve.primary').count(), 0);
  await page.click('#hint');
  await page.click('#message-actions button:has-text("Choose the goal")');
  await reads(page, '#verdict', SOLVABLE);
  await page.selectOption('#goal', 'blank-last');
  await reads(page, '#verdict', /^Cannot be solved$/);
  await page.click('#solve');
  await page.click('#message-actions button:has-text("Shuffle")');
  await reads(page, '#verdict', SOLVABLE);
});

test('a screen reader hears the moves to go after each move', async (t) => {
  const page = await opened(t, { building: false });
  await reads(page, '#togo', /^15$/);
  await press(page, 8);
  await reads(page, '#live', /^13 down\. 14 to go\.$/);
  await press(page, 12);
  await reads(page, '#live', /^13 up\. 15 to go\.$/);
  await press(page, 13);
  await reads(page, '#live', /^10 left\. 1[46] to go\.$/);
});

test('the fewest slides', async (t) => {
  const page = await opened(t, { building: false, fragment: '#b=8_6_7-2_5_4-3_0_1' });
  await page.selectOption('#metric', 'multi');
  await solves(page, /^\d+ slides, optimal \(\d+ moves\)\. Proved: no solution has fewer than \d+\./);
  const [, slides, moves] = /^(\d+) slides, optimal \((\d+)/.exec(await page.locator('#proof').textContent()).map(Number);
  await page.click('#last');
  assert.equal(Number(await page.locator('#multi').textContent()), slides);
  assert.equal(Number(await page.locator('#moves').textContent()), moves);
  assert.equal(await page.locator('#all[hidden]').count(), 1);
  // Large tables are built only when a person wants them.
  await page.selectOption('#pick', 'contest-0');
  await page.click('#solve');
  await reads(page, '#message', /346 MB.*Build them/);
  await page.click('#message .icon');
  await page.selectOption('#metric', 'single');
  await solves(page, /^15 moves, optimal \(7 slides\)/);
});

// ---- Games

test('a game that another board replaces is one step back', async (t) => {
  const page = await opened(t, { building: false });
  for (const replace of [() => page.click('#shuffle-quick'), () => page.keyboard.press('n'), () => page.selectOption('#width', '3'), () => page.click('#restart'), () => page.click('#edit-board')]) {
    await press(page, 8, 4);
    await reads(page, '#moves', /^2$/);
    await replace();
    await page.waitForFunction(() => document.getElementById('moves').textContent !== '2');
    await page.goBack();
    await reads(page, '#moves', /^2$/);
    await page.click('#undo');
    await page.click('#undo');
    assert.deepEqual(await tiles(page), FIRST);
  }
  // It is offered, too, and its time is kept.
  await press(page, 8);
  await reads(page, '#time', /^(?!0:00)/);
  await page.click('#shuffle-quick');
  await reads(page, '#time', /^0:00\.0$/);
  await page.click('#last-game');
  await reads(page, '#moves', /^1$/);
  await reads(page, '#time', /^(?!0:00)/);
  assert.equal(await page.isVisible('#last-game'), false);
});

test('without WebAssembly, the board is still played', async (t) => {
  const page = await opened(t, { building: false, errors: true });
  await page.context().addInitScript(() => { delete globalThis.WebAssembly; });
  await page.reload();
  await reads(page, '#engine-text', /^The engine cannot be loaded; you can still play$/);
  await press(page, 8);
  await reads(page, '#moves', /^1$/);
  await page.click('#shuffle-quick');
  await reads(page, '#message', /^No board could be drawn: the engine cannot be loaded/);
  await pasted(page, '1 2 3');
  await reads(page, '#paste-error', /^the engine cannot be loaded without a network, or in a browser without WebAssembly$/);
});

test('an engine that does not answer is told', async (t) => {
  const url = await altered(t, "addEventListener('message', (event) => event.stopImmediatePropagation());");
  const page = await opened(t, { url, errors: true });
  await reads(page, '#engine-text', /^The engine does not answer; you can still play$/);
});

test('a board of the day is the same for all, and its result can be shared', async (t) => {
  const page = await opened(t, { building: false, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.click('#day');
  await reads(page, '#live', /^Shuffled by seed 20\d{6}\.$/);
  const board = await tiles(page);
  assert.notDeepEqual(board, FIRST);
  await reads(page, '#togo', /^\d+$/);
  const other = await opened(t, { building: false });
  await other.click('#day');
  await reads(other, '#togo', /^\d+$/);
  assert.deepEqual(await tiles(other), board);
  // A short way to the end.
  await page.evaluate(() => {
    history.replaceState({ day: '2026-01-02', byHand: true }, '', '#b=1_2_3-4_0_6-7_5_8');
    dispatchEvent(new Event('hashchange'));
  });
  await press(page, 7, 8);
  await reads(page, '#after-optimum', /^2$/);
  await page.click('#share-day');
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^Taquin 2026-01-02: 2 moves \(optimum 2\), 0:\d\d\.\d http.*#b=1_2_3-4_0_6-7_5_8$/);
});

test('two tabs at a first visit build the tables once', async (t) => {
  const page = await opened(t);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await Promise.all([tables(page), tables(other)]);
  for (const tab of [page, other]) {
    assert.doesNotMatch(await tab.locator('#engine').getAttribute('title'), /not stored|not available/);
  }
  await other.reload();
  await tables(other);
  assert.equal(await other.locator('#engine').getAttribute('data-source'), 'stored');
});

// ---- Visits

test('the page opens without a network', async (t) => {
  const page = await opened(t);
  await tables(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => {
    const [name] = await caches.keys();
    return name && (await (await caches.open(name)).keys()).length > 12;
  });
  await page.context().setOffline(true);
  await page.reload();
  await reads(page, '#togo', /^15$/);
  assert.deepEqual(await tiles(page), FIRST);
  await tables(page);
  assert.ok(await page.locator('#pick option').count() > 100);
  // Boards of every size, slides and every notation, although none was used before.
  await pasted(page, 'eagcibkdmfoh0jnl');
  await reads(page, '#paste-error', /^$/);
  await page.selectOption('#width', '6');
  await reads(page, '#togo', /^\d+(–\d+( …)?)?$/);
  await visit(page, '#b=8_6_7-2_5_4-3_0_1');
  await page.selectOption('#metric', 'multi');
  await solves(page, /^\d+ slides, optimal/);
  const manifest = await page.evaluate(async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json());
  assert.equal(new URL(manifest.start_url, page.url()).pathname, new URL(page.url()).pathname);
});

test('a new build takes over when a person asks for it', async (t) => {
  const other = {};
  const url = await served(t, other);
  const page = await opened(t, { url, errors: true });
  await tables(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  assert.equal(await page.isVisible('#update'), false);
  // Another build: its worker has another version.
  other['sw.js'] = (await (await fetch(`${url}sw.js`)).text()).replace("VERSION = '", "VERSION = 'x");
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  await page.locator('#update').waitFor({ state: 'visible' });
  await Promise.all([page.waitForEvent('load'), page.click('#update')]);
  await tables(page);
  const names = await page.evaluate(() => caches.keys());
  assert.equal(names.length, 1);
  assert.match(names[0], / x/);
});

// ---- Layout

for (const [width, height] of SIZES) {
  test(`the game and the answer are seen whole at ${width}×${height}`, async (t) => {
    const phone = width < 760 || height < 760;
    const page = await opened(t, { building: false, viewport: { width, height }, hasTouch: phone, isMobile: phone });
    await reads(page, '#togo', /^15$/);
    await seen(page, '#board', '#verdict', '#solve', '#undo', '#shuffle-quick');
    const before = await page.locator('#board').boundingBox();
    await page.click('#solve');
    await reads(page, '#verdict', /^15 moves, optimal$/);
    await seen(page, '#board', '#verdict', '#playing', '#scrubber', '#leave');
    assert.deepEqual(await page.locator('#board').boundingBox(), before);
    await page.click('#leave');
    // A search says how far it is where it was started.
    await visit(page, '#b=14_5_9_2_18-8_23_19_12_17-15_0_10_20_4-6_11_21_1_7-24_3_16_22_13&g=blank-first');
    await page.waitForFunction(() => document.querySelectorAll('[role=gridcell]').length === 25);
    await page.click('#solve');
    await page.locator('#cancel').waitFor({ state: 'visible' });
    await seen(page, '#busy-text', '#cancel');
    await page.click('#cancel');
    await seen(page, '#verdict');
    // What is wrong is said where a person looks.
    await visit(page, UNSOLVABLE);
    await reads(page, '#verdict', /^Cannot be solved$/);
    await page.evaluate(() => scrollTo(0, 0));
    await seen(page, '#board', '#other-goal', '#shuffle-quick', '#solve');
    await page.evaluate(() => scrollTo(0, 300));
    await page.evaluate(() => document.getElementById('solve').click());
    await seen(page, '#message');
    await page.click('#message .icon');
    // Editing begins with the board.
    await page.click('#edit-board');
    await seen(page, '#board', '#edit-done');
  });
}
