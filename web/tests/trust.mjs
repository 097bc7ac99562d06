// The page says the same of a board everywhere, and loses nothing: `node --test web/tests/trust.mjs`, with
// the variables of chromium.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST, SMALL, altered, draw, lined, link, opened, pasted, press, reads, seen, tiles } from './chromium.mjs';
import { blankLast, rowText } from '../page/grid.js';

test('a restart does not take help back', async (t) => {
  const page = await opened(t, { building: false, fragment: SMALL });
  await draw(page, SMALL);
  await page.click('#solve');
  await page.click('#leave');
  await press(page, 7);
  await page.click('#restart');
  await press(page, 7, 8);
  await reads(page, '#verdict', /^Solved in 2 moves, with help!$/);
  await reads(page, '#solves-text', /^0 solves/);
});

test('a board that came from elsewhere is one step back', async (t) => {
  const page = await opened(t, { building: false });
  for (const replace of [() => page.click('#shuffle-quick'), () => page.click('#day'), () => page.selectOption('#width', '4'), () => page.click('#enter')]) {
    await pasted(page, '1 2 3 / 4 0 6 / 7 5 8');
    await reads(page, '#togo', /^2$/);
    await replace();
    await link(page, /^(?!#b=1_2_3-4_0_6-7_5_8$)/);
    await page.goBack();
    await page.waitForFunction(() => document.querySelectorAll('[role=gridcell]').length === 9);
    assert.deepEqual(await tiles(page), [1, 2, 3, 4, 0, 6, 7, 5, 8]);
  }
  // A board that was solved and not played, too; one that was only drawn is not.
  await page.click('#shuffle-quick');
  await reads(page, '#live', /^Shuffled\.$/);
  const drawn = await tiles(page);
  await page.click('#solve');
  await page.locator('#leave').click();
  await page.click('#shuffle-quick');
  await page.goBack();
  await page.waitForFunction((board) => [...document.querySelectorAll('[role=gridcell] button')].every((button, i) => (Number.parseInt(button.getAttribute('aria-label'), 10) || 0) === board[i]), drawn);
});

test('one board has one number, wherever it stands', async (t) => {
  // Searches end at once, so that no optimum is found.
  const url = await altered(t, `addEventListener('message', ({ data }) => { if (data.type === 'solve') data.timeLimit = 30; });`);
  const page = await opened(t, { url, fragment: '#b=14_5_9_2_18-8_23_19_12_17-15_0_10_20_4-6_11_21_1_7-24_3_16_22_13&g=blank-first' });
  await reads(page, '#togo', /^\d+–\d+ …$/);
  const range = async () => /(\d+)–(\d+)/.exec(await page.locator('#togo').textContent()).slice(1).map(Number);
  // The longer search has ended.
  await reads(page, '#togo', /^\d+–\d+$/);
  await page.click('#solve');
  await reads(page, '#proof', /the best found/);
  const [lower, upper] = await range();
  await reads(page, '#proof', new RegExp(`^${upper} moves, the best found\\. At least ${lower} are needed: a gap of ${upper - lower}\\.`));
  assert.equal(await page.locator('#line-optimum').textContent(), `${lower}–${upper}`);
  await page.click('#leave');
  assert.deepEqual(await range(), [lower, upper]);
});

test('the reason covers nothing that was seen, and moves nothing', async (t) => {
  for (const viewport of [{ width: 1024, height: 768 }, { width: 1280, height: 800 }, { width: 1920, height: 1080 }]) {
    const page = await opened(t, { building: false, viewport, fragment: '#b=1_5_7_3-9_2_11_4-13_6_15_8-0_10_14_12' });
    await reads(page, '#verdict', /^Cannot be solved$/);
    const before = await page.locator('#verdict').boundingBox();
    await page.click('#why');
    assert.deepEqual(await page.locator('#verdict').boundingBox(), before);
    await seen(page, '#reason', '#board', '#verdict');
    await page.click('h1');
    assert.equal(await page.isVisible('#reason'), false);
  }
});

test('nothing jumps while a phone loads the page', async (t) => {
  const page = await opened(t, { building: false, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await page.context().addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) globalThis.shift += value; }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.reload();
  await reads(page, '#togo', /^15$/);
  await page.waitForTimeout(300);
  const shift = await page.evaluate(() => globalThis.shift);
  console.log(`the layout shifts by ${shift.toFixed(3)}`);
  assert.ok(shift <= 0.05, `${shift}`);
});

test('the player keeps the clock on the largest board', async (t) => {
  const page = await opened(t, { building: false, fragment: `#b=${rowText(blankLast(256), 16, '_', '-')}&m=DD` });
  await lined(page, 'RL'.repeat(60));
  await page.locator('#playing').waitFor({ state: 'visible' });
  await page.selectOption('#speed', '40');
  const seconds = await page.evaluate(() => new Promise((done) => {
    const begun = performance.now();
    const look = () => (Number(document.getElementById('scrubber').value) === 120 ? done((performance.now() - begun) / 1000) : requestAnimationFrame(look));
    document.getElementById('playing').click();
    look();
  }));
  console.log(`120 moves at 40 a second in ${seconds.toFixed(2)} s`);
  assert.ok(seconds > 2.9 && seconds < 3.6, `${seconds} s`);
});

test('only boards of 4×4 have the large tables', async (t) => {
  const page = await opened(t, { fragment: SMALL });
  await reads(page, '#togo', /^2$/);
  await page.waitForTimeout(500);
  assert.equal(page.workers().length, 1);
  await pasted(page, FIRST.join(' '));
  await page.locator('#engine-bar').waitFor({ state: 'visible' });
});

test('a board of a game is exported as JSON without Solve, and the editor has undo', async (t) => {
  const page = await opened(t, { building: false });
  await page.selectOption('#format', 'json');
  await page.waitForFunction(() => document.getElementById('exported').value.startsWith('{'));
  assert.equal(JSON.parse(await page.inputValue('#exported')).length, 15);
  await page.click('#edit-board');
  await press(page, 0, 1);
  assert.deepEqual((await tiles(page)).slice(0, 2), [1, 5]);
  await page.click('#undo');
  assert.deepEqual(await tiles(page), FIRST);
  await page.keyboard.press('Control+y');
  assert.deepEqual((await tiles(page)).slice(0, 2), [1, 5]);
  await link(page, /e=1/);
});
