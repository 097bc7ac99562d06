// Uses of the page by speed-solvers, teachers and people with a wooden puzzle: `node --test web/tests/uses.mjs`, with
// the variables of chromium.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { site } from './site.mjs';
import { FIRST, SMALL, accessible, cell, drag, draw, opened, pasted, press, reads, served, sized, tables, tiles, visit } from './chromium.mjs';

// ---- Lists

test('a list of boards is solved, opened and taken away', async (t) => {
  const page = await opened(t, { building: false, bypassCSP: true });
  const list = ['1 2 3 / 4 0 6 / 7 5 8', '', FIRST.join(' '), 'no board', '2 1 3 / 4 5 6 / 7 8 0', '1 2 / 3 0', '8 6 7 2 5 4 3 0 1'];
  await page.fill('#paste', list.join('\n'));
  await page.click('#list-solve');
  await reads(page, '#list-far', /^6 of 6 boards$/);
  const rows = (await page.locator('#list-rows tr').allTextContents()).map((row) => row.replaceAll(/\s+/g, ' '));
  assert.match(rows[0], /^1: 3×320?20\.\d\dUL$/);
  assert.match(rows[1], /^2: 4×4157\d\.\d\d[UDLR]{15}$/);
  assert.match(rows[2], /^3.*no board/);
  assert.match(rows[3], /^4: 3×3this board cannot be solved/);
  assert.match(rows[4], /^5: 2×200/);
  assert.match(rows[5], /^6: 3×331/);
  await accessible(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#list-csv')]);
  assert.equal(download.suggestedFilename(), 'taquin-list.csv');
  await page.locator('#list-rows tr >> nth=5 >> button').click();
  await reads(page, '#togo', /^31$/);
  await reads(page, '#line-optimum', /^31$/);
  // Several lines that are used as a board are a list, too.
  await pasted(page, '1 2 3 / 4 0 6 / 7 5 8\n1 2 / 0 3');
  await reads(page, '#list-far', /^2 of 2 boards$/);
});

test('a hundred scrambles of all sizes are solved without a reload, stopped and continued', async (t) => {
  const page = await opened(t);
  await tables(page);
  const list = await page.evaluate(async () => {
    const lines = [];
    for (let i = 0; i < 100; i++) {
      const side = 4 + (i % 7);
      const { board, width } = await globalThis.taquin.engine.ask('shuffle', { width: side, height: side, goal: 'blank-last', seed: String(i) });
      lines.push(board.map((tile, at) => (at && at % width === 0 ? `/ ${tile}` : tile)).join(' '));
    }
    return lines.join('\n');
  });
  await page.selectOption('#list-limit', '2000');
  await page.fill('#paste', list);
  await page.click('#list-solve');
  await reads(page, '#list-far', /^[1-9]\d? of 100 boards$/);
  await page.click('#list-stop');
  await reads(page, '#list-stop', /^Continue$/);
  await page.click('#list-stop');
  await reads(page, '#list-far', /^100 of 100 boards$/, 900_000);
  assert.equal(await page.locator('#list-rows .error').count(), 0);
  // A row that is opened, of 5×5 here, has been searched.
  await page.locator('#list-rows button').nth(1).click();
  await reads(page, '#proof', /^This solution has/);
  await page.waitForTimeout(300);
  assert.equal(await page.isVisible('#busy'), false);
  // Of its board the optimum is not known.
  await page.click('#leave');
  await page.click('#worth');
  await reads(page, '#verdict', /^Good moves wait for the exact number/);
});

// ---- The replay site

test('the page stands in for the solver of the replay site', async (t) => {
  const url = await served(t);
  const around = await site('.', { 'index.html': '<!DOCTYPE html><title>Replays</title>' }, "default-src 'self'; frame-src http:");
  t.after(() => around.close());
  const page = await opened(t, { url: around.url, bare: true, errors: true });
  const ask = (board, wait) => page.evaluate(({ from, milliseconds }) => new Promise((done) => {
    const frame = document.createElement('iframe');
    frame.hidden = true;
    frame.src = from;
    const heard = [];
    addEventListener('message', ({ data, source }) => { if (source === frame.contentWindow) heard.push(data); });
    document.body.append(frame);
    const again = () => {
      const last = heard.at(-1);
      if (last && last[0][0] !== '\n') done({ answer: last, others: heard.filter((one) => !Array.isArray(one)).length });
      else frame.contentWindow.postMessage('getSolution', '*');
      if (!last || last[0][0] === '\n') setTimeout(again, milliseconds);
    };
    frame.addEventListener('load', again);
  }), { from: `${url}?scramble=${board.join('_')}`, milliseconds: wait });
  const { answer, others } = await ask(FIRST, 200);
  assert.ok(answer.length >= 1 && answer.every((moves) => /^[UDLR]{15}$/.test(moves)), answer);
  assert.equal(others, 0);
  const far = await ask([0, 12, 9, 13, 15, 11, 10, 14, 3, 7, 2, 5, 4, 8, 6, 1], 500);
  assert.ok(far.answer.every((moves) => moves.length === 80), far.answer[0]);
  assert.deepEqual((await ask([5, 7, 1, ...FIRST.slice(3)], 200)).answer, ['-1']);
  // In a window of its own, the same address opens the board.
  const own = await opened(t, { building: false, fragment: `?scramble=${FIRST.toReversed().join('_')}` });
  assert.deepEqual(await tiles(own), FIRST.toReversed());
});

test('a game leaves as a replay with its times, and has splits', async (t) => {
  const page = await opened(t, { building: false, permissions: ['clipboard-read', 'clipboard-write'] });
  await draw(page, SMALL);
  for (const i of [3, 4, 7, 8]) {
    await press(page, i);
    await page.waitForTimeout(60);
  }
  await reads(page, '#verdict', /^Solved in 4 moves!$/);
  await page.click('#share-replay');
  await reads(page, '#share-replay', /^Copied$/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const [moves, tps, scramble, times] = JSON.parse(inflateSync(Buffer.from(decodeURIComponent(/r=(.*)/.exec(link)[1]), 'base64')).toString());
  assert.deepEqual([moves, scramble, times.length], ['RLUL', '1 2 3/4 0 6/7 5 8', 4]);
  assert.ok(times[3] >= times[0] + 150 && Math.abs(tps - 4e6 / times[3]) < 1, `${times} ${tps}`);
  await page.click('#analyse-game');
  const splits = await page.locator('#splits-rows tr').allTextContents();
  assert.equal(splits.length, 4);
  assert.match(splits[3], /^40\.\d\d\d+\.\d\d0$/);
  await pasted(page, link);
  await reads(page, '#mode', /^A replay$/);
  assert.equal(await page.inputValue('#speed'), 'recorded');
});

// ---- Moves and goals

test('good moves are told from those that lose', async (t) => {
  const page = await opened(t, { building: false, bypassCSP: true });
  await reads(page, '#togo', /^15$/);
  await page.click('#worth');
  await page.waitForFunction(() => document.querySelectorAll('.cells .good').length + document.querySelectorAll('.cells .bad').length === 2);
  const marks = await page.locator('.cells button:is(.good, .bad)').evaluateAll((all) => all.map(({ className, dataset, ariaLabel }) => [className, dataset.mark, ariaLabel]));
  assert.deepEqual(marks, [['good', '0', '13, row 3, column 1, slides, optimal'], ['bad', '−2', '10, row 4, column 2, slides, loses 2']]);
  await accessible(page);
  await page.click('#worth');
  assert.equal(await page.locator('.cells button:is(.good, .bad)').count(), 0);
  await page.click('#worth');
  await sized(page, 8, 8);
  await reads(page, '#verdict', /^Good moves wait for the exact number/);
});

test('the first rows are goals, and goals with equal tiles are read', async (t) => {
  const page = await opened(t, { building: false, fragment: '#b=2_5_13_12-1_0_3_15-9_7_14_6-10_11_8_4' });
  await page.selectOption('#goal', 'first-row');
  await reads(page, '#togo', /^23$/);
  await reads(page, '#solves-text', /^0 solves of 4×4, First row\.$/);
  await page.click('#solve');
  await reads(page, '#verdict', /^23 moves, optimal$/);
  await page.click('#last');
  assert.deepEqual((await tiles(page)).slice(0, 4), [1, 2, 3, 4]);
  await reads(page, '#togo', /^0$/);
  await page.click('#leave');
  await page.selectOption('#goal', 'two-rows');
  await reads(page, '#togo', /^33$/);
  await page.waitForFunction(() => location.hash.includes('&g=1_2_3_4-5_6_7_8-*_*_*_*-*_*_*_*'));
  await page.reload();
  await reads(page, '#togo', /^33$/);
  assert.equal(await page.inputValue('#goal'), 'two-rows');
  await page.selectOption('#width', '3');
  assert.equal(await page.inputValue('#goal'), 'two-rows');
  // Equal tiles: the goal first, then a board with its labels.
  await visit(page, '#b=1_2_3-4_5_6-7_8_0');
  await reads(page, '#togo', /^0$/);
  await page.fill('#paste', 'A A A / B * B / C C _');
  await page.click('#paste-goal');
  await pasted(page, 'C A B / A C _ / D B A');
  await reads(page, '#togo', /^\d+$/);
  const needed = Number(await page.locator('#togo').textContent());
  assert.equal(await cell(page, 0).getAttribute('aria-label'), 'C, row 1, column 1');
  await page.click('#solve');
  await reads(page, '#verdict', new RegExp(`^${needed} moves, optimal$`));
  await page.click('#last');
  await reads(page, '#togo', /^0$/);
  await page.waitForFunction(() => /#b=C_A_B-A_C_0-D_B_A&g=A_A_A-B_\*_B-C_C_0/.test(location.hash));
  await page.reload();
  await reads(page, '#proof', /It is optimal/);
});

// ---- Wood and class

test('a board is entered in sixteen taps, and its solution told step by step', async (t) => {
  const page = await opened(t, { building: false, bypassCSP: true });
  const wanted = [2, 5, 13, 12, 1, 0, 3, 15, 9, 7, 14, 6, 10, 11, 8, 4];
  await page.click('#enter');
  await accessible(page);
  assert.equal(await cell(page, 0).getAttribute('aria-label'), 'empty, row 1, column 1');
  for (let tile = 1; tile < 16; tile++) {
    await reads(page, '#verdict', new RegExp(`^Tap the cell of tile ${tile}$`));
    assert.equal(await page.locator('#verdict.bad').count(), 0);
    assert.equal(await page.locator('.cells .empty').count(), 17 - tile);
    await press(page, wanted.indexOf(tile));
  }
  assert.deepEqual(await tiles(page), wanted);
  await reads(page, '#verdict', /^48 moves to go$/);
  await page.click('#solve');
  await reads(page, '#step-text', /^\d+(, \d+)* (up|down|left|right)$/);
  const first = await page.locator('#step-text').textContent();
  assert.equal(await page.locator('.tile.hinted').textContent(), /^\d+/.exec(first)[0]);
  await page.click('#step');
  await reads(page, '#live', /^\d+(, \d+)* (up|down|left|right)$/);
  assert.equal(await page.locator('#live').textContent(), await page.locator('#step-text').textContent());
  // A tile that is dropped on another one in the editor is exchanged with it.
  await page.click('#edit-board');
  const before = await tiles(page);
  await drag(page, 0, 10);
  assert.deepEqual([(await tiles(page))[0], (await tiles(page))[10]], [before[10], before[0]]);
});

test('lessons lead to the end, and mark the aim, its place and the trick of the pair', async (t) => {
  const page = await opened(t, { building: false, fragment: '#b=2_3_4_8-1_6_7_12-5_10_11_15-9_13_14_0' });
  await page.selectOption('#hints', 'shortest');
  await page.click('#hint');
  await reads(page, '#verdict', /^Hint: slide \d+ (up|down|left|right)\.$/);
  await page.selectOption('#hints', 'steps');
  await page.click('#tab-play');
  const aims = new Set();
  for (let i = 0; i < 200; i++) {
    await page.click('#hint');
    const aim = await reads(page, '#verdict', /^Hint: slide \d+/);
    aims.add(/The aim: .*$/.exec(aim)[0]);
    if (/together/.test(aim)) assert.equal(await page.isVisible('#lesson-picture'), true);
    if (!/last 3 tiles/.test(aim)) assert.ok(await page.locator('.cells .aim').count() >= 1);
    await page.locator('.tile.hinted').waitFor();
    await page.evaluate(() => {
      const tile = document.querySelector('.tile.hinted').textContent;
      [...document.querySelectorAll('[role=gridcell] button')].find((one) => one.getAttribute('aria-label').startsWith(`${tile},`)).click();
    });
    if ((await page.locator('#togo').textContent()) === '0') break;
  }
  await reads(page, '#verdict', /^Solved in \d+ moves, with help!$/);
  assert.ok([...aims].some((aim) => /last 3 tiles/.test(aim)), [...aims].join('\n'));
  // Nothing that a hint named is called lost.
  await page.click('#analyse-game');
  await page.waitForFunction(() => document.getElementById('busy').hidden && document.getElementById('analysis-text').textContent);
  assert.equal(await page.locator('#losses li').count(), 0);
  assert.equal(await page.locator('#solution-moves .lost').count(), 0);
});

test('a class sees the heuristics next to the distance', async (t) => {
  const page = await opened(t, { building: false });
  await page.check('#show-strip');
  await reads(page, '#strip-distance', /^15$/);
  await reads(page, '#strip-manhattan', /^15$/);
  await reads(page, '#strip-conflict', /^15$/);
  await reads(page, '#strip-tables', /^15$/);
  await press(page, 13);
  await reads(page, '#strip-distance', /^16$/);
  await reads(page, '#strip-manhattan', /^1[46]$/);
  // Of an open goal, the tiles that it names are counted.
  await page.selectOption('#goal', 'first-row');
  await reads(page, '#strip-manhattan', /^4$/);
  await reads(page, '#strip-tables', /^–$/);
});
