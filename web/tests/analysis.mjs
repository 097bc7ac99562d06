// The analysis of lines, in Chromium: `node --test web/tests/analysis.mjs`, with the variables of
// chromium.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SMALL, SOLVABLE, accessible, lined, opened, pasted, press, reads, seen, solves, tables, tiles, visit } from './chromium.mjs';
import { packed } from './tables.mjs';

test('a finished game is analysed, and a better move is played', async (t) => {
  const page = await opened(t, { building: false, fragment: `${SMALL}&m=DUU`, bypassCSP: true });
  await press(page, 8);
  await reads(page, '#verdict', /^Solved in 4 moves!$/);
  await page.click('#analyse-game');
  await reads(page, '#analysis-text', /^4 moves \(\d slides\); the board needs 2\. 2 moves lost in 1 place\. The longest optimal stretch has 3 moves, from move 2 on\./);
  assert.equal(await page.locator('#losses li').count(), 1);
  await reads(page, '#losses li', /^Move 1 2 down loses 2 ?Better: 5 up$/);
  assert.equal(await page.locator('#graph .loss').count(), 1);
  await accessible(page);
  await page.click('#losses li button:has-text("Better")');
  await reads(page, '#mode', /^A better way$/);
  await page.click('#last');
  assert.deepEqual(await tiles(page), [1, 2, 3, 4, 5, 6, 7, 8, 0]);
  await page.click('#line-back');
  assert.deepEqual(await tiles(page), [1, 2, 3, 4, 0, 6, 7, 5, 8]);
  await reads(page, '#moves', /^0$/);
  // A click on the graph shows that board.
  const box = await page.locator('#graph').boundingBox();
  await page.mouse.click(box.x + box.width * 0.98, box.y + 20);
  await reads(page, '#moves', /^4$/);
  await page.click('#shuffle-quick');
  await reads(page, '#verdict', SOLVABLE);
  assert.equal(await page.isVisible('#analysis'), false);
});

test('a pasted solution is analysed, in either convention, and its result is in view', async (t) => {
  const page = await opened(t, { building: false, fragment: SMALL, viewport: { width: 1280, height: 800 } });
  await reads(page, '#togo', /^2$/);
  // As directions of the blank: DUUL of the tiles.
  await lined(page, 'Up, Down, Down, Right');
  await reads(page, '#mode', /^A line of moves$/);
  await reads(page, '#live', /2 moves lost in 1 place/);
  await seen(page, '#graph', '#analysis-text', '#losses');
  await page.click('#losses li button:has-text("Better")');
  await reads(page, '#mode', /^A better way$/);
  await page.click('#line-back');
  await reads(page, '#mode', /^A line of moves$/);
  await page.click('#leave');
  await reads(page, '#moves', /^0$/);
  await lined(page, 'U X');
  await reads(page, '#moves-error', /X/);
});

test('the text is about the line or the variation that is shown', async (t) => {
  const page = await opened(t, { building: false });
  await lined(page, 'DUDDDLUUULDDDLUUU');
  await reads(page, '#proof', /^This solution has 17 moves/);
  await page.click('#losses li button:has-text("Better: 9 down")');
  await reads(page, '#mode', /^A better way$/);
  await reads(page, '#proof', /^This solution has 15 moves .* It is optimal/);
  await reads(page, '#verdict', /^This solution has 15 moves/);
  await page.click('#line-back');
  await reads(page, '#proof', /^This solution has 17 moves .* An optimal solution has 15 moves\.$/);
  // One of all optimal solutions is none of 17 moves.
  await page.click('#leave');
  await visit(page, '#b=5_1_7_3-9_2_11_4-13_6_15_8-0_10_14_12&s=DUDDDLUUULDDDLUUU');
  await reads(page, '#proof', /^This solution has 17 moves .* An optimal solution has 15 moves\.$/);
  await page.click('#all');
  await reads(page, '#verdict', /^15 moves, optimal$/);
});

test('what ends before the goal is a line and no solution', async (t) => {
  // As long as an optimal solution, which it is not.
  const page = await opened(t, { building: false, fragment: `${SMALL}&s=UD` });
  await reads(page, '#mode', /^A line of moves$/);
  await reads(page, '#proof', /^This line has 2 moves \(2 slides\)\. An optimal solution has 2 moves\.$/);
  await page.click('#leave');
  await lined(page, 'U D U');
  await reads(page, '#proof', /^This line has 3 moves/);
});

test('a replay is analysed with its times', async (t) => {
  const page = await opened(t, { building: false, fragment: `?r=${packed(['DUUL', 2000, '1 2 3/4 0 6/7 5 8', [500, 1000, 1500, 2000]])}` });
  await reads(page, '#proof', /An optimal solution has 2/);
  await page.click('#analyse');
  await reads(page, '#analysis-text', /2 moves lost in 1 place.* 2\.00 s, 2\.00 moves per second\.$/);
  await page.click('#losses li button:has-text("Better")');
  await page.click('#line-back');
  await reads(page, '#mode', /^A replay$/);
  assert.equal(await page.inputValue('#speed'), 'recorded');
});

test('an analysis uses what Solve has proved, and says what is not proved', async (t) => {
  const page = await opened(t);
  await tables(page);
  await page.selectOption('#pick', 'antipodes80.txt-1');
  await page.selectOption('#limit', '');
  await solves(page, /^80 moves, optimal/);
  const solution = await page.locator('#solution-moves').textContent();
  await page.click('#leave');
  const detours = solution[0] === 'L' ? 'UD' : 'LR';
  await page.fill('#moves-text', detours.repeat(10) + solution);
  await page.evaluate(() => {
    const { engine } = globalThis.taquin;
    const plain = engine.ask.bind(engine);
    engine.ask = (type, question, ...more) => {
      if (type === 'analyse') globalThis.givenProof ??= question.solution;
      return plain(type, question, ...more);
    };
  });
  await page.click('#moves-line');
  await reads(page, '#analysis-text', /^100 moves \(\d+ slides\); the board needs 80\./);
  assert.equal((await page.evaluate(() => globalThis.givenProof)).length, 80);
  await reads(page, '#analysis-text', /20 moves lost in 10 places\./);

  await t.test('all boards of a line of a hundred moves and more within three seconds', async () => {
    await pasted(page, '0 2 3 15 / 13 6 9 4 / 10 8 1 11 / 14 12 5 7');
    await reads(page, '#line-moves', /^0$/);
    // Good stretches with detours between them.
    const moves = 'ULLULDDRUULDRDRULUURRDDDLURULLULDDRRRDLLLUURDRULURDDLLURRULLRRDLDRURULLDDLDRRUULLURDRDDLLURURRDLLUULDDRUUL';
    await page.fill('#moves-text', moves);
    const begun = Date.now();
    await page.click('#moves-line');
    // Every move is told.
    await reads(page, '#line-accuracy', /%/);
    const seconds = (Date.now() - begun) / 1000;
    console.log(`${moves.length} moves analysed in ${seconds.toFixed(2)} s`);
    assert.ok(seconds < 6, `${seconds} s`);
    await reads(page, '#analysis-text', /^106 moves .* moves lost in \d+ places/);
  });
});

test('where not every move is proved, so many are lost at least', async (t) => {
  const page = await opened(t, { building: false, fragment: SMALL });
  await reads(page, '#togo', /^2$/);
  await page.evaluate(() => {
    // The search of one board on the line is ended by a limit.
    const known = [[2, 2], [1, 3], [2, 2], [3, 3], [2, 2], [1, 1], [0, 0]];
    const { engine } = globalThis.taquin;
    const plain = engine.ask.bind(engine);
    const found = {
      done: true, distances: known.map(([lower, upper]) => ({ lower, upper })), losses: [{ at: 2, moves: 1, lost: 2, better: null }], lost: 2, stretch: { start: 3, end: 6 },
    };
    engine.ask = async (type, ...more) => (type === 'analyse' ? found : plain(type, ...more));
  });
  await lined(page, 'RLDUUL');
  await reads(page, '#live', /^6 moves .* the board needs 2\. At least 2 moves lost in 1 place: not every move is proved\./);
});
