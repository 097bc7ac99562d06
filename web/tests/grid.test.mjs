import assert from 'node:assert/strict';
import test from 'node:test';
import { afterAll, checkTiles } from '../page/checks.js';
import { after, asText, blankLast, multiTile, rowText, sides, slide, source, turned } from '../page/grid.js';
import './tables.mjs';

const board = [1, 2, 3, 4, 0, 6, 7, 5, 8];

test('a move is the way the tile goes', () => {
  assert.deepEqual(after(board, 3, 'U'), [1, 2, 3, 4, 5, 6, 7, 0, 8]);
  assert.deepEqual(after(board, 3, 'D'), [1, 0, 3, 4, 2, 6, 7, 5, 8]);
  assert.deepEqual(after(board, 3, 'L'), [1, 2, 3, 4, 6, 0, 7, 5, 8]);
  assert.deepEqual(after(board, 3, 'R'), [1, 2, 3, 0, 4, 6, 7, 5, 8]);
});

test('the border is no way out', () => {
  assert.equal(source(blankLast(6), 3, 'U'), -1);
  assert.equal(source(blankLast(6), 3, 'L'), -1);
  assert.equal(source([1, 0, 2, 3, 4, 5], 2, 'L'), -1);
  assert.throws(() => afterAll(board, 3, 'DD'), /move 2, down, is not possible/);
});

test('a tile of the row or column of the blank slides the row', () => {
  const last = blankLast(12);
  assert.equal(slide(last, 4, 8), 'RRR');
  assert.equal(slide(last, 4, 3), 'DD');
  assert.equal(slide(last, 4, 0), '');
  assert.equal(slide(last, 4, 11), '');
  assert.equal(slide([0, 1, 2, 3, 4, 5], 3, 2), 'LL');
  assert.equal(slide([0, 1, 2, 3, 4, 5], 3, 3), 'U');
  assert.deepEqual(afterAll(last, 4, slide(last, 4, 8)), [1, 2, 3, 4, 5, 6, 7, 8, 0, 9, 10, 11]);
});

test('moves in words: a slide of several tiles is one, and the blank goes the other way', () => {
  assert.equal(multiTile('DDRUUU'), 3);
  assert.equal(multiTile(''), 0);
  assert.equal(turned('DDRUL', 'blank'), 'UULDR');
  assert.equal(turned('DDRUL', 'tile'), 'DDRUL');
  assert.equal(rowText([1, 2, 3, 4, 5, 0], 3), '1 2 3 / 4 5 0');
});

test('a board is text in every form', () => {
  for (const form of ['1 2 / 3 0', [[1, 2], [3, 0]], { board: [1, 2, 3, 0], width: 2, height: 2 }]) {
    assert.equal(asText(form), '1 2 / 3 0');
  }
  assert.equal(asText([1, 2, 3, 0]), '1 2 3 0');
  // The engine refuses it.
  assert.equal(asText([[1, 2], null]), '1 2 / ');
});

test('what is neither a board nor a size is an error of the kind input', () => {
  const bad = [
    undefined, null, 4, {}, { board: 5, width: 2, height: 2 }, { board: [1, 2, 3, 0] }, { board: [1, 2, 3, 0], width: 2, height: 1e9 },
    { board: [1, 2, 3, 0], width: -2, height: -2 },
  ];
  for (const board of bad) assert.throws(() => asText(board), { kind: 'input' }, JSON.stringify(board));
  for (const size of [undefined, null, '', '4y4', '4x', 'x4', '4x4x4', '-4x4', '4.5']) assert.throws(() => sides(size), { kind: 'input' }, String(size));
  for (const size of ['4x4', '4X4', '4×4', ' 4 x 4 ', '4', 4]) assert.deepEqual(sides(size), { width: 4, height: 4 });
  assert.deepEqual(sides('3x2'), { width: 3, height: 2 });
});

test('what is no board is refused with its reason', () => {
  checkTiles(blankLast(256), 16, 16);
  checkTiles(blankLast(4), 2, 2);
  assert.throws(() => checkTiles([1, 1, 2, 0], 2, 2), /tile 1 appears twice, and tile 3 is missing/);
  assert.throws(() => checkTiles([1, 3, 2, 1], 2, 2), /tile 1 appears twice, and the blank is missing/);
  assert.throws(() => checkTiles([1, 0, 2, 0], 2, 2), /the blank appears twice, and tile 3 is missing/);
  assert.throws(() => checkTiles([1, 4, 2, 0], 2, 2), /there is no tile 4/);
  assert.throws(() => checkTiles([1, NaN, 2, 0], 2, 2), /there is no tile/);
  assert.throws(() => checkTiles(blankLast(34), 17, 2), /2 to 16 cells per side/);
  assert.throws(() => checkTiles([0, 1], 2, 1), /2 to 16 cells per side/);
});
