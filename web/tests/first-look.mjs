// The first minutes of a person with the page, in Chromium: `node --test web/tests/first-look.mjs`, with the
// variables of chromium.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { FIRST, altered, changing, opened, quiet, reads, seen, tables, tiles } from './chromium.mjs';

const SIZES = [[360, 640], [390, 844], [844, 390], [1280, 800], [1366, 768], [1920, 1080]];
const UNSOLVABLE = '#b=1_5_7_3-9_2_11_4-13_6_15_8-0_10_14_12';

// ---- What the page says

test('a text about a board goes with the board', async (t) => {
  const page = await opened(t, { building: false, fragment: '#b=1_2_3-4_5_6-7_8_0' });
  await page.click('#solve');
  await reads(page, '#proof', /^The board is solved\.$/);
  await reads(page, '#verdict', /^The board is solved\.$/);
  await page.click('#shuffle-quick');
  await reads(page, '#proof', /^Press Solve/);
  await page.selectOption('#width', '6');
  await page.selectOption('#height', '6');
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
  quiet(page);
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
  await reads(page, '#togo', /^\d+(–\d+)?$/);
  quiet(page);
});

test('a replay keeps its times over a reload', async (t) => {
  const value = encodeURIComponent(deflateSync(JSON.stringify(['UL', 12345, '1 2 3/4 0 6/7 5 8', [100, 2500]])).toString('base64'));
  const page = await opened(t, { building: false, fragment: `?r=${value}` });
  await reads(page, '#mode', /A replay/);
  await page.click('#forth');
  // The address is written a moment later.
  await page.waitForFunction(() => /&p=1(&|$)/.test(location.hash));
  await page.reload();
  await reads(page, '#mode', /A replay/);
  assert.equal(await page.inputValue('#speed'), 'recorded');
  await reads(page, '#time', /^0:00\.1$/);
  await page.click('#forth');
  await reads(page, '#time', /^0:02\.5$/);
  quiet(page);
});

test('an unsolvable board has its reason and a way out', async (t) => {
  const page = await opened(t, { building: false, fragment: UNSOLVABLE });
  await reads(page, '#verdict', /^Cannot be solved$/);
  for (const id of ['#solve', '#hint', '#compare']) {
    await page.click(id);
    await reads(page, '#message', /cannot be solved: 1\d transpositions \(even\) and a blank distance of 3 \(odd\)/);
    await page.click('#message .quiet');
  }
  assert.equal(await page.locator('#bars .bar').count(), 0);
  await page.click('#hint');
  await page.click('#message-actions button:has-text("Choose the goal")');
  await reads(page, '#verdict', /^Solvable$/);
  await page.selectOption('#goal', 'blank-last');
  await reads(page, '#verdict', /^Cannot be solved$/);
  await page.click('#solve');
  await page.click('#message-actions button:has-text("Shuffle")');
  await reads(page, '#verdict', /^Solvable$/);
  quiet(page);
});

test('a screen reader hears the moves to go after each move', async (t) => {
  const page = await opened(t, { building: false });
  await reads(page, '#togo', /^15$/);
  await page.locator('[role=gridcell] button').nth(8).click();
  await reads(page, '#live', /^13 down\. 14 to go\.$/);
  await page.locator('[role=gridcell] button').nth(12).click();
  await reads(page, '#live', /^13 up\. 15 to go\.$/);
  await page.locator('[role=gridcell] button').nth(13).click();
  await reads(page, '#live', /^10 left\. 1[46] to go\.$/);
  quiet(page);
});

test('what Solve has proved is known at the board', async (t) => {
  const page = await opened(t);
  await tables(page);
  // More than the short search behind every move proves.
  await page.selectOption('#pick', 'antipodes80.txt-17');
  await page.click('#solve');
  await reads(page, '#proof', /^80 moves, optimal/);
  await page.locator('#scrubber').fill('40');
  await page.click('#leave');
  assert.equal(await page.locator('#togo').textContent(), '80');
  await reads(page, '#verdict', /^80 moves, optimal$/);
  await page.click('#solve');
  await reads(page, '#proof', /^80 moves, optimal/);
  await page.locator('#scrubber').fill('30');
  await page.click('#continue');
  assert.equal(await page.locator('#togo').textContent(), '50');
  await page.click('#undo');
  assert.equal(await page.locator('#togo').textContent(), '51');
  quiet(page);
});

test('what Compare has proved is known at the board', async (t) => {
  const page = await opened(t, { building: false, fragment: '#b=1_2_3-4_5_6-7_8_0' });
  await reads(page, '#engine-text', /^Ready/);
  await page.evaluate(async () => {
    const { engine } = await import('./start.js');
    const solve = engine.solve.bind(engine);
    // The searches that a move starts prove nothing.
    engine.solve = async (question) => (question.timeLimit
      ? { result: { moves: 'UL', length: 2, lower_bound: 1 } } : solve(question));
    location.hash = '#b=1_2_3-4_0_6-7_5_8';
  });
  await reads(page, '#togo', /^1–2$/);
  await page.click('#compare');
  await reads(page, '#togo', /^2$/);
  quiet(page);
});

test('the fewest slides', async (t) => {
  const page = await opened(t, { building: false, fragment: '#b=8_6_7-2_5_4-3_0_1' });
  await page.selectOption('#metric', 'multi');
  await page.click('#solve');
  await reads(page, '#proof', /^\d+ slides, optimal \(\d+ moves\)\. Proved: no solution has fewer than \d+\./);
  const [, slides, moves] = /^(\d+) slides, optimal \((\d+)/.exec(await page.locator('#proof').textContent()).map(Number);
  await page.click('#last');
  assert.equal(Number(await page.locator('#multi').textContent()), slides);
  assert.equal(Number(await page.locator('#moves').textContent()), moves);
  assert.equal(await page.isVisible('#all'), false);
  // Large tables are built only when a person wants them.
  await page.selectOption('#pick', 'contest-0');
  await page.click('#solve');
  await reads(page, '#message', /346 MB.*Build them/);
  await page.click('#message .quiet');
  await page.selectOption('#metric', 'single');
  await page.click('#solve');
  await reads(page, '#proof', /^15 moves, optimal \(7 multi-tile\)/);
  quiet(page);
});

test('bars of a hard board have one limit, and Solve is among them', async (t) => {
  const page = await opened(t);
  await tables(page);
  await page.selectOption('#pick', 'antipodes80.txt-1');
  const begun = Date.now();
  await page.click('#compare');
  await page.waitForFunction(() => document.querySelectorAll('#bars .bar').length === 5);
  console.log(`compared in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  const rows = await page.locator('#bars .bar').evaluateAll((bars) => bars.map((bar) => ({
    name: bar.children[0].textContent,
    nodes: Number(bar.children[1].textContent.replaceAll(/[^\d]/g, '')),
    open: bar.children[1].textContent.startsWith('≥'),
    share: Number(bar.querySelector('b').style.getPropertyValue('--share')),
  })));
  assert.match(rows.at(-1).name, /^Solve, with 7-8 and its mirror$/);
  const open = rows.filter((row) => row.open);
  assert.ok(open.length >= 3, JSON.stringify(rows));
  // Those that were ended were ended at the same number.
  for (const row of open) assert.ok(row.nodes >= 20_000_000 && row.nodes < 20_200_000 && row.share > 0.99, JSON.stringify(rows));
  quiet(page);
});

// ---- Time

test('tables of another size are told, and belong to the time of a search', async (t) => {
  const page = await opened(t);
  await tables(page);
  await page.selectOption('#width', '5');
  await page.selectOption('#height', '5');
  await reads(page, '#engine-text', /^Building tables for 5×5: \d+%$/);
  await page.selectOption('#limit', '10000');
  await page.fill('#paste', '14 5 9 2 18 / 8 23 19 12 17 / 15 0 10 20 4 / 6 11 21 1 7 / 24 3 16 22 13');
  await page.click('#paste-form button[type=submit]');
  await page.selectOption('#goal', 'blank-first');
  // In the page, where a loaded machine delays neither the click nor the look at the answer.
  const { answer, built } = await page.evaluate(() => new Promise((done) => {
    const begun = performance.now();
    const seconds = () => (performance.now() - begun) / 1000;
    const [proof, line] = ['proof', 'engine-text'].map((id) => document.getElementById(id));
    let ready = 0;
    const observer = new MutationObserver(() => {
      if (line.textContent.startsWith('Building')) ready = seconds();
      if (proof.textContent.includes('ended at the time limit')) done({ answer: seconds(), built: ready });
    });
    for (const element of [proof, line]) observer.observe(element, { childList: true });
    document.getElementById('solve').click();
  }));
  // The tables are built to their end, which takes longer than the limit where the machine is slow.
  assert.ok(answer < Math.max(12, built + 5), `${answer} s, ${built} s of them for tables`);
  await reads(page, '#engine-text', /^Ready/);
  quiet(page);
});

test('the page opens without a network', async (t) => {
  const page = await opened(t);
  await tables(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => {
    const [name] = await caches.keys();
    return name && (await (await caches.open(name)).keys()).length > 20;
  });
  await page.context().setOffline(true);
  await page.reload();
  await reads(page, '#togo', /^15$/);
  assert.deepEqual(await tiles(page), FIRST);
  await tables(page);
  assert.ok(await page.locator('#pick option').count() > 100);
  const manifest = await page.evaluate(async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json());
  assert.equal(new URL(manifest.start_url, page.url()).pathname, new URL(page.url()).pathname);
  quiet(page);
});

test('what needs a part of the page that is not there says so', async (t) => {
  const page = await opened(t, { building: false, serviceWorkers: 'block' });
  await reads(page, '#togo', /^15$/);
  await page.route('**/taquin-full.wasm', (route) => route.abort('internetdisconnected'));
  await page.selectOption('#width', '5');
  await reads(page, '#message', /^Boards of this size cannot be solved now: a part of the page that is needed here cannot be loaded without a network/);
  await page.click('#message .quiet');
  await page.click('#solve');
  await reads(page, '#message', /^Solving has failed: a part of the page/);
  // With a network again, nothing has to be loaded anew.
  await page.unroute('**/taquin-full.wasm');
  await page.click('#shuffle-quick');
  await reads(page, '#togo', /\d/);
});

test('a new build takes over when a person asks for it', async (t) => {
  const { url, other } = await changing(t);
  const page = await opened(t, { url });
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
    await page.evaluate(() => { location.hash = '#b=14_5_9_2_18-8_23_19_12_17-15_0_10_20_4-6_11_21_1_7-24_3_16_22_13&g=blank-first'; });
    await page.waitForFunction(() => document.querySelectorAll('[role=gridcell]').length === 25);
    await page.click('#solve');
    await page.locator('#cancel').waitFor({ state: 'visible' });
    await seen(page, '#busy-text', '#cancel');
    await page.click('#cancel');
    await seen(page, '#verdict');
    // What is wrong is said where a person looks.
    await page.evaluate((hash) => { location.hash = hash; }, UNSOLVABLE);
    await reads(page, '#verdict', /^Cannot be solved$/);
    await page.evaluate(() => scrollTo(0, 0));
    await seen(page, '#board', '#other-goal', '#shuffle-quick', '#solve');
    await page.evaluate(() => scrollTo(0, 300));
    await page.evaluate(() => document.getElementById('solve').click());
    await seen(page, '#message');
    await page.click('#message .quiet');
    // Editing begins with the board.
    await page.evaluate(() => { for (const part of document.querySelectorAll('details')) part.open = true; });
    await page.click('#edit-board');
    await seen(page, '#board', '#edit-done');
    quiet(page);
  });
}
