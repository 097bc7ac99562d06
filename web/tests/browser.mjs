// The page in Chromium: `node --test web/tests/browser.mjs`, after `npm ci` in this folder. Besides
// the variables of chromium.mjs, PICTURES names a folder for screenshots.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST, SMALL, SOLVABLE, accessible, altered, drag, draw, link, opened, pasted, picture, press, reads, sized, solves, tables, tiles, visit } from './chromium.mjs';

// ---- The engine

test('the first answer is there at once, and 7-8 follows', async (t) => {
  const page = await opened(t);
  await reads(page, '#togo', /^15$/);
  await reads(page, '#verdict', /^15 moves to go$/);
  await page.locator('#engine-bar').waitFor({ state: 'visible' });
  await reads(page, '#engine-text', /^Building 7-8 tables: \d+%$/);
  await tables(page);
  assert.equal(await page.locator('#engine').getAttribute('data-source'), 'built');
  assert.equal(await page.locator('#engine-bar').isVisible(), false);
  await reads(page, '#engine-text', /^Ready$/);
  assert.match(await page.locator('#engine').getAttribute('title'), /^7-8 tables built in /);
  const exported = async (pattern) => (await page.waitForFunction(({ source }) => {
    const { value } = document.getElementById('exported');
    return new RegExp(source).test(value) && value;
  }, pattern)).jsonValue();
  assert.deepEqual(await tiles(page), FIRST);

  await t.test('an 80-move board is solved and scrubbed', async () => {
    await solves(page, /^80 moves, optimal \(\d+ slides\)\. Proved: no solution has fewer than 80\. [\d,]+ nodes in .* with .+\.$/, 'antipodes80.txt-17');
    await page.locator('#scrubber').fill('79');
    await reads(page, '#togo', /^1$/);
    await page.click('#forth');
    assert.deepEqual(await tiles(page), [...Array(15).keys()].map((i) => i + 1).concat(0));
    await page.locator('#scrubber').fill('40');
    await page.click('#playing');
    await page.waitForFunction(() => Number(document.getElementById('scrubber').value) >= 42);
    await page.click('#playing');
    const at = Number(await page.inputValue('#scrubber'));
    await page.waitForTimeout(600);
    assert.equal(Number(await page.inputValue('#scrubber')), at);
    await page.focus('#game h2 ~ .board [role=gridcell] button[tabindex="0"]');
    await page.keyboard.press('ArrowLeft');
    assert.equal(Number(await page.inputValue('#scrubber')), at - 1);
  });

  await t.test('the solution is exported as JSON and as text', async () => {
    await page.selectOption('#format', 'json');
    const object = JSON.parse(await exported(/^{/));
    assert.deepEqual(Object.keys(object).sort(), [
      'board', 'expanded', 'generated', 'goal', 'h', 'height', 'heuristic', 'index', 'length', 'line', 'lower_bound', 'metric', 'moves', 'optimal',
      'schema', 'seconds', 'slides', 'solved', 'width',
    ]);
    assert.equal(object.length, 80);
    await page.selectOption('#format', 'counts');
    await exported(/^([UDLR]\d?)+$/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')]);
    assert.equal(download.suggestedFilename(), 'taquin.txt');
  });

  await t.test('what Solve has proved is known at the board', async () => {
    // More than the short search behind every move proves.
    await solves(page, /^80 moves, optimal/, 'antipodes80.txt-17');
    await page.locator('#scrubber').fill('40');
    await page.click('#leave');
    assert.equal(await page.locator('#togo').textContent(), '80');
    await reads(page, '#verdict', /^80 moves, optimal$/);
    await solves(page, /^80 moves, optimal/);
    await page.locator('#scrubber').fill('30');
    await page.click('#continue');
    assert.equal(await page.locator('#togo').textContent(), '50');
    await page.click('#undo');
    assert.equal(await page.locator('#togo').textContent(), '51');
  });

  await t.test('all optimal solutions are counted and stepped through', async () => {
    await solves(page, /^48 moves, optimal/, 'contest-1');
    const before = await page.locator('#solution-moves').textContent();
    await page.click('#all');
    const text = await reads(page, '#all-text', /^\d+ of \d+$/);
    const [, at, count] = /(\d+) of (\d+)/.exec(text).map(Number);
    assert.ok(count > 1 && at >= 1, text);
    await page.click(at < count ? '#all-forth' : '#all-back');
    assert.notEqual(await page.locator('#solution-moves').textContent(), before);
    assert.equal((await page.locator('#solution-moves').textContent()).length, 48);
    await page.selectOption('#format', 'json');
    assert.equal(JSON.parse(await exported(/"all"/)).all.length, count);
  });

  await t.test('a search is cancelled, and another one starts', async () => {
    await sized(page, 5, 5);
    await reads(page, '#engine-text', /^Building tables for 5×5: \d+%$/);
    await pasted(page, '14 5 9 2 18 / 8 23 19 12 17 / 15 0 10 20 4 / 6 11 21 1 7 / 24 3 16 22 13');
    await page.selectOption('#goal', 'blank-first');
    await page.selectOption('#limit', '');
    await page.click('#solve');
    await page.locator('#cancel').waitFor({ state: 'visible' });
    await reads(page, '#busy-far', /^At least \d+ moves(, at most \d+)?; [\d,]+ nodes so far\.$/);
    await page.click('#cancel');
    await reads(page, '#proof', /cancelled/);
    await solves(page, /^15 moves, optimal/, 'contest-0');
  });
});

test('where storage is refused, the tables are built', async (t) => {
  const url = await altered(t, "StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException('refused', 'SecurityError'));");
  const page = await opened(t, { url });
  await tables(page);
  assert.equal(await page.locator('#engine').getAttribute('data-source'), 'built');
  assert.match(await page.locator('#engine').getAttribute('title'), /not stored: SecurityError|not stored: refused/);
  await solves(page, /^15 moves, optimal/);
});

test('where the engine cannot start, the board is still played', async (t) => {
  const url = await altered(t, "throw new Error('no engine');");
  const page = await opened(t, { url, errors: true });
  await press(page, 8);
  await reads(page, '#moves', /^1$/);
  await reads(page, '#engine-text', /^The engine has stopped; you can still play$/);
  await page.click('#solve');
  await reads(page, '#message', /^Solving has failed: the engine/);
});

// ---- Play

test('tiles and rows slide; undo and redo', async (t) => {
  const page = await opened(t, { building: false });
  await press(page, 0);
  assert.deepEqual(await tiles(page), [0, 1, 7, 3, 5, 2, 11, 4, 9, 6, 15, 8, 13, 10, 14, 12]);
  await reads(page, '#moves', /^3$/);
  await reads(page, '#multi', /^1$/);
  await press(page, 5);
  await reads(page, '#moves', /^3$/);
  await page.click('#undo');
  await reads(page, '#moves', /^2$/);
  await page.click('#redo');
  await reads(page, '#moves', /^3$/);
  await reads(page, '#togo', /^12$/);
  await page.click('#hint');
  await page.locator('.tile.hinted').waitFor();
  await page.click('#restart');
  assert.deepEqual(await tiles(page), FIRST);
});

test('the keyboard alone plays, solves and edits', async (t) => {
  const page = await opened(t, { building: false });
  const strike = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  const focused = (id) => page.waitForFunction((name) => document.activeElement.id === name, id);
  const label = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  for (let i = 0; i < 4 && await label() !== '5, row 1, column 1, slides'; i++) await strike('Tab');
  assert.equal(await label(), '5, row 1, column 1, slides');
  await strike('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowLeft');
  await reads(page, '#moves', /^4$/);
  await reads(page, '#togo', /^11$/);
  await strike('Control+z');
  await reads(page, '#moves', /^3$/);
  await strike('Control+y', 'Shift+ArrowRight', 'Enter');
  await reads(page, '#moves', /^4$/);
  await strike('Shift+ArrowRight', 'Shift+ArrowRight', 'Enter');
  await reads(page, '#moves', /^6$/);
  await reads(page, '#live', /left/);
  // From the board to Solve.
  for (let i = 0; i < 8 && (await page.evaluate(() => document.activeElement.id)) !== 'solve'; i++) await strike('Tab');
  await strike('Enter');
  await focused('playing');
  await strike('ArrowRight', 'ArrowRight', 'ArrowLeft');
  assert.equal(await page.inputValue('#scrubber'), '1');
  await strike('End');
  await reads(page, '#live', /Solved/);
  await strike('Escape');
  await focused('solve');
  await reads(page, '#moves', /^6$/);
  // Edit: exchange the first two tiles.
  await page.focus('#edit-board');
  await strike('Enter');
  await page.focus('[role=gridcell] button[tabindex="0"]');
  await strike('Shift+Home', 'Enter', 'ArrowRight', 'Enter');
  const [a, b] = await tiles(page);
  await strike('Enter', 'ArrowLeft', 'Enter');
  assert.deepEqual((await tiles(page)).slice(0, 2), [b, a]);
  await strike('Escape');
  assert.equal(await page.locator('#edit-board').getAttribute('aria-pressed'), 'false');
  // The tabs and the list of keys.
  await page.focus('#tab-edit');
  await strike('ArrowRight');
  await focused('tab-settings');
  assert.equal(await page.isVisible('#panel-settings'), true);
  await strike('Home');
  await focused('tab-play');
  await strike('?');
  assert.equal(await page.isVisible('#keys'), true);
  await strike('Escape');
  assert.equal(await page.isVisible('#keys'), false);
  // The switch that inverts the arrows.
  await page.selectOption('#arrows', 'blank');
  await page.selectOption('#pick', 'contest-0');
  await page.focus('[role=gridcell] button[tabindex="0"]');
  await strike('ArrowUp');
  assert.deepEqual((await tiles(page)).slice(8), [0, 6, 15, 8, 13, 10, 14, 12]);
});

test('touch: taps and swipes', async (t) => {
  const page = await opened(t, { building: false, viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.locator('[role=gridcell] button').nth(8).tap();
  await reads(page, '#moves', /^1$/);
  const box = await page.locator('.field').boundingBox();
  const session = await page.context().newCDPSession(page);
  const swipe = async (from, to) => {
    const at = ([x, y]) => [{ x: box.x + x * box.width, y: box.y + y * box.height }];
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) });
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(to) });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await swipe([0.5, 0.5], [0.5, 0.8]);
  await reads(page, '#moves', /^2$/);
  // From the edge of the row of the blank, the row slides.
  await swipe([0.9, 0.35], [0.5, 0.35]);
  await reads(page, '#moves', /^5$/);
  await reads(page, '#multi', /^2$/);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 360));
});

test('letters play, unless they are turned off', async (t) => {
  const page = await opened(t, { building: false });
  await page.keyboard.press('s');
  await reads(page, '#moves', /^1$/);
  await page.keyboard.press('w');
  await page.keyboard.press('a');
  await reads(page, '#moves', /^3$/);
  await page.keyboard.press('n');
  await reads(page, '#live', /^Shuffled\.$/);
  await page.uncheck('#letters');
  const board = await tiles(page);
  await page.keyboard.press('n');
  for (const key of 'wasd') await page.keyboard.press(key);
  assert.deepEqual(await tiles(page), board);
  // In a field they are text.
  await page.check('#letters');
  await page.focus('#paste');
  await page.keyboard.type('wasdn');
  assert.deepEqual(await tiles(page), board);
});

test('a tile is drawn into the gap, and further', async (t) => {
  const page = await opened(t, { building: false });
  // There and back again in one pull.
  await drag(page, 8, 12, 8);
  await reads(page, '#moves', /^2$/);
  assert.deepEqual(await tiles(page), FIRST);
  // From the end of the row, the row goes along.
  await drag(page, 15, 12);
  await reads(page, '#moves', /^5$/);
});

test('solves of drawn boards are listed, kept, opened, deleted and exported', async (t) => {
  const page = await opened(t, { building: false, fragment: SMALL });
  const play = async () => {
    await press(page, 7, 8);
    await reads(page, '#verdict', /^Solved in 2 moves!$/);
    await link(page, /&m=../);
  };
  // Anybody can open a board of one move.
  await play();
  await reads(page, '#solves-text', /^0 solves of 3×3/);
  // A game that goes on after a reload is still made by hand.
  await draw(page, SMALL);
  await press(page, 7);
  await link(page, /&m=U/);
  await page.reload();
  await reads(page, '#moves', /^1$/);
  await press(page, 8);
  await reads(page, '#solves-text', /^1 solve of 3×3/);
  for (let game = 2; game <= 5; game++) {
    await draw(page, SMALL);
    await play();
  }
  await reads(page, '#solves-text', /^5 solves of 3×3\.$/);
  await reads(page, '#statistics', /^Best0:\d\d\.\d{3}Average of 50:\d\d\.\d\dAverage of 12–Average of 100–Moves, mean2\.0Moves per second[\d.]+$/);
  assert.equal(await page.locator('#solves tr').count(), 5);
  await reads(page, '#solves tr >> nth=0', /^.+ 2 ?2 ?0:\d\d\.\d{3}$|^.+220:\d\d\.\d{3}$/);
  await reads(page, '#after-average', /^0:\d\d\.\d\d$/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#solves-csv')]);
  assert.equal(download.suggestedFilename(), 'taquin-solves.csv');
  // The same game counts once, after a reload and a restart, too.
  await page.click('#undo');
  await link(page, /&c=1/);
  await page.reload();
  await reads(page, '#moves', /^1$/);
  await press(page, 8);
  await reads(page, '#verdict', /^Solved in 2 moves!$/);
  await page.click('#restart');
  await play();
  await reads(page, '#solves-text', /^5 solves of 3×3/);
  // Moves of a text or a link are not made by hand.
  await draw(page, SMALL);
  await page.fill('#moves-text', 'UL');
  await page.click('#moves-form button');
  await reads(page, '#verdict', /^Solved in 2 moves!$/);
  await link(page, /&m=../);
  // One with help is none.
  await draw(page, SMALL);
  await page.click('#solve');
  await reads(page, '#verdict', /^2 moves, optimal$/);
  await page.click('#leave');
  await press(page, 7, 8);
  await reads(page, '#verdict', /^Solved in 2 moves, with help!$/);
  await reads(page, '#solves-text', /^5 solves of 3×3/);
  // One is opened, and one deleted.
  await page.click('#tab-play');
  await page.locator('#solves button').first().click();
  await reads(page, '#mode', /^A replay$/);
  await page.click('#leave');
  await page.click('#tab-play');
  await page.locator('#solves .icon').first().click();
  await reads(page, '#solves-text', /^4 solves of 3×3/);
  await page.click('#solves-clear');
  await page.click('#solves-clear');
  await reads(page, '#solves-text', /^0 solves of 3×3/);
});

test('the time of a game that runs is kept over a reload', async (t) => {
  const page = await opened(t, { building: false });
  await press(page, 8);
  await link(page, /&m=D/);
  await reads(page, '#time', /^0:0[2-9]/);
  await page.reload();
  await reads(page, '#moves', /^1$/);
  await reads(page, '#time', /^0:0[2-9]/);
  // A move that the address does not tell yet is kept, too.
  const loaded = page.waitForEvent('load');
  await page.evaluate(() => {
    document.querySelectorAll('[role=gridcell] button')[12].click();
    location.reload();
  });
  await loaded;
  await reads(page, '#moves', /^2$/);
  // Another address is not where the tab was left.
  await page.goto(`${page.url().split('#')[0]}#b=1_2_3-4_0_6-7_5_8`);
  await page.reload();
  await reads(page, '#moves', /^0$/);
  await reads(page, '#time', /^0:00\.0$/);
  // Nor is one that is left before its event has come.
  const left = await page.evaluate(() => {
    location.hash = '#b=1_2_3-4_5_6-0_7_8';
    dispatchEvent(new Event('pagehide'));
    return sessionStorage.getItem('taquin.left');
  });
  assert.equal(left, null);
});

test('solves of two tabs are all kept', async (t) => {
  const page = await opened(t, { building: false, fragment: SMALL });
  const other = await page.context().newPage();
  await other.goto(page.url());
  await reads(other, '#togo', /^2$/);
  const solve = async (tab) => {
    await draw(tab, SMALL);
    await press(tab, 7, 8);
    await reads(tab, '#verdict', /^Solved in 2 moves!$/);
  };
  await solve(page);
  await solve(other);
  await reads(other, '#solves-text', /^2 solves of 3×3/);
  // The other tab's list follows.
  await reads(page, '#solves-text', /^2 solves of 3×3/);
  await page.reload();
  await reads(page, '#solves-text', /^2 solves of 3×3/);
});

test('the theme is chosen, and remembered', async (t) => {
  const page = await opened(t, { building: false, colorScheme: 'light' });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.selectOption('#theme', 'dark');
  const dark = await background();
  assert.notEqual(dark, light);
  await page.reload();
  await page.waitForFunction((colour) => getComputedStyle(document.body).backgroundColor === colour, dark);
});

test('a picture is on the tiles, is kept, and is never sent', async (t) => {
  const page = await opened(t, { building: false, fragment: '#b=2_1_3-4_0_5-7_8_6&g=blank-first' });
  const sent = [];
  page.on('request', (request) => { if (request.method() !== 'GET' || request.postData()) sent.push(request.url()); });
  // Each ninth has a colour of its own, wider than the board.
  const drawn = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 500, height: 300 });
    const context = canvas.getContext('2d');
    for (let cell = 0; cell < 9; cell++) {
      context.fillStyle = `rgb(${40 + 20 * cell} 30 90)`;
      context.fillRect(100 + (cell % 3) * 100, Math.floor(cell / 3) * 100, 100, 100);
    }
    return canvas.toDataURL('image/png').split(',')[1];
  });
  const file = { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from(drawn, 'base64') };
  await page.setInputFiles('#picture', { name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await reads(page, '#message', /not a picture that the browser can show/);
  assert.equal(await page.locator('.tile canvas').count(), 0);
  await page.setInputFiles('#picture', file);
  await page.locator('#picture[data-kept=true]').waitFor({ state: 'attached' });
  // The part of the cell of the goal: with the blank first, that of its own number.
  const parts = (expected) => page.waitForFunction((wanted) => [...document.querySelectorAll('.tile')].every((tile, i) => {
    const canvas = tile.querySelector('canvas');
    const [red] = canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data;
    return Math.round((red - 40) / 20) === wanted[i];
  }), expected);
  await parts([1, 2, 3, 4, 5, 6, 7, 8]);
  const colour = () => page.locator('.tile > span').first().evaluate((tile) => getComputedStyle(tile).color);
  assert.equal(await colour(), 'rgb(255, 255, 255)');
  await page.uncheck('#show-numbers');
  assert.equal(await colour(), 'rgba(0, 0, 0, 0)');
  await page.selectOption('#goal', 'blank-last');
  await parts([0, 1, 2, 3, 4, 5, 6, 7]);
  await page.reload();
  await page.locator('.tile canvas').first().waitFor({ state: 'attached' });
  assert.equal(await colour(), 'rgba(0, 0, 0, 0)');
  await sized(page, 16, 16);
  await page.waitForFunction(() => document.querySelectorAll('.tile canvas').length === 255);
  await page.click('#picture-remove');
  assert.equal(await page.locator('.tile canvas').count(), 0);
  await page.locator('#picture[data-kept=false]').waitFor({ state: 'attached' });
  await page.reload();
  await reads(page, '#engine-text', /^Ready/);
  assert.equal(await page.locator('.tile canvas').count(), 0);
  assert.deepEqual(sent, []);
});

// ---- Boards and links

test('a board is edited to an unsolvable one and back', async (t) => {
  const page = await opened(t, { building: false });
  await page.click('#edit-board');
  await press(page, 0, 1);
  await reads(page, '#verdict', /^Cannot be solved$/);
  await page.click('#edit-done');
  await page.click('#solve');
  await reads(page, '#message', /cannot be solved: 1\d transpositions \(even\) and a blank distance of 3 \(odd\)/);
  await page.click('#message .icon');
  await page.click('#other-goal');
  await reads(page, '#verdict', SOLVABLE);
  assert.equal(await page.isVisible('#other-goal'), false);
  await page.selectOption('#goal', 'blank-last');
  await reads(page, '#verdict', /^Cannot be solved/);
  await page.click('#edit-board');
  await page.click('#mend');
  await reads(page, '#verdict', SOLVABLE);
  await page.click('#edit-done');
  await solves(page, /moves, optimal/);
  await page.click('#leave');
  await page.fill('#paste', '1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15');
  await page.click('#paste-goal');
  await reads(page, '#live', /^The goal is set/);
  assert.equal(await page.inputValue('#goal'), '');
  await link(page, /&g=1_2_3_4-5_6_7_8-9_10_11_12-13_14_0_15/);
});

test('a link opens what was shown', async (t) => {
  const page = await opened(t, { building: false });
  await page.selectOption('#goal', 'spiral');
  await press(page, 8);
  await solves(page, /moves, optimal/);
  await page.click('#forth');
  const text = await link(page, /&p=1(&|$)/);
  const other = await opened(t, { building: false, fragment: text });
  await reads(other, '#mode', /A solution from a link/);
  await reads(other, '#proof', /It is optimal/);
  assert.equal(await link(other, /&p=1(&|$)/), text);
  assert.deepEqual(await tiles(other), await tiles(page));
  assert.equal(await other.inputValue('#goal'), 'spiral');
});

test('what cannot be read is answered in the page', async (t) => {
  const page = await opened(t, { building: false, fragment: '#b=1_2-3_3' });
  await reads(page, '#message', /^The link cannot be opened: the board of the link: tile 3 appears twice, and the blank is missing\./);
  assert.deepEqual(await tiles(page), FIRST);
  await visit(page, '#b=1_2-3_0&m=DDD');
  await reads(page, '#message', /move 2, down, is not possible/);
  await visit(page, '#b=1_2-3_0&m=D');
  await reads(page, '#moves', /^1$/);
  await pasted(page, '1 2 3 / 4 5 6 / 7 7 0');
  await reads(page, '#paste-error', /tile 7 appears twice/);
  await pasted(page, 'eagcibkdmfoh0jnl');
  await reads(page, '#paste-error', /^$/);
  assert.deepEqual(await tiles(page), [5, 1, 7, 3, 9, 2, 11, 4, 13, 6, 15, 8, 0, 10, 14, 12]);
  await page.fill('#paste', 'helix');
  await page.click('#paste-goal');
  await reads(page, '#paste-error', /helix/);
  await page.fill('#moves-text', 'D2, X');
  await page.click('#moves-form button');
  await reads(page, '#moves-error', /X/);
  await page.fill('#moves-text', '13 9');
  await page.click('#moves-form button');
  await reads(page, '#moves', /^2$/);
});

/** Waits until a board of this many cells is drawn. */
const shuffled = (page, cells) => page.waitForFunction(
  (count) => document.querySelectorAll('[role=gridcell]').length === count && document.getElementById('live').textContent === 'Shuffled.', cells);

test('sizes from 2×2 to 16×16', async (t) => {
  const page = await opened(t);
  for (const [width, height] of [[2, 2], [16, 2], [3, 5], [10, 10], [16, 16]]) {
    await sized(page, width, height);
    await shuffled(page, width * height);
    assert.equal((await tiles(page)).length, width * height);
  }
  await sized(page, 6, 6);
  await page.selectOption('#limit', '10000');
  await shuffled(page, 36);
  await solves(page, /^\d+ moves, the best found\. At least \d+ are needed: a gap of \d+/);
  // One number would be exact.
  await reads(page, '#togo', /^\d+–\d+( …)?$/);
  await page.click('#forth');
  await reads(page, '#togo', /^\d+–\d+( …)?$/);
  await page.click('#last');
  await reads(page, '#togo', /^0$/);
});

// ---- For everybody

test('axe finds nothing, light and dark, narrow and wide; motion is reduced where that is wished', async (t) => {
  // axe is evaluated in the page, which its policy forbids.
  // Without motion, nothing has to come to rest.
  const page = await opened(t, { bypassCSP: true, reducedMotion: 'reduce' });
  assert.equal(await page.locator('.tile').first().evaluate((tile) => getComputedStyle(tile).transitionDuration), '0s');
  await tables(page);
  const everywhere = async (name) => {
    for (const width of [360, 800, 1440]) {
      for (const colorScheme of ['light', 'dark']) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.evaluate(() => scrollTo(0, 0));
        await picture(page, `${width}-${colorScheme}-${name}`, true);
        // A theme changes colours only.
        await accessible(page, colorScheme === 'dark' && 'cat.color');
        assert.ok(await page.evaluate((most) => document.documentElement.scrollWidth <= most, width), `${name} at ${width}`);
      }
    }
  };
  await everywhere('play');
  await page.click('#tab-settings');
  await everywhere('settings');
  await page.click('#keys-open');
  await everywhere('keys');
  await page.keyboard.press('Escape');
  await page.click('#edit-board');
  await press(page, 0);
  await everywhere('edit');
  await page.click('#edit-done');
  await solves(page, /^38 moves, optimal/, 'contest-2');
  await page.click('#all');
  await reads(page, '#all-text', /of/);
  await everywhere('solution');
  await visit(page, '#b=1');
  await reads(page, '#message', /cannot be opened/);
  await everywhere('message');
});
