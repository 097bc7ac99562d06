import assert from 'node:assert/strict';
import test from 'node:test';
import { FORMATS, format, grid, multiTile, parseMoves, runs } from '../page/notation.js';

const board = [1, 2, 3, 4, 0, 6, 7, 5, 8];

// The texts are those of the tests of the command line, src/cli/output/format.rs.
test('every format is written as `taquin` writes it, and read', () => {
  const expected = {
    columns: '1: Up    Left',
    numbered: '1: Up\n2: Left',
    words: 'Up, Left',
    letters: 'UL',
    lowercase: 'ul',
    runs: 'u l',
    counts: 'UL',
    tiles: '5 8',
    coordinates: '(3,2) (3,3)',
    boards: '2\n1 2 3\n4 . 6\n7 5 8\n----------\n1 2 3\n4 5 6\n7 . 8\n----------\n1 2 3\n4 5 6\n7 8 .',
  };
  assert.deepEqual(Object.keys(FORMATS), Object.keys(expected));
  for (const [name, text] of Object.entries(expected)) {
    assert.equal(format(name, board, 3, 'UL'), text, name);
    if (name !== 'boards') assert.equal(parseMoves(text, board, 3), 'UL', name);
  }
  assert.equal(format('runs', board, 3, 'UDDRL'), 'u 2d r l');
  assert.equal(format('counts', board, 3, 'UDDRL'), 'UD2RL');
  assert.equal(format('columns', board, 3, 'UDUDUDUDUDL'),
    ' 1: Up    Down  Up    Down  Up    Down  Up    Down  Up    Down\n11: Left');
  for (const name of Object.keys(FORMATS)) {
    assert.equal(format(name, board, 3, ''), name === 'boards' ? '0\n1 2 3\n4 . 6\n7 5 8' : '');
  }
  assert.throws(() => format('morse', board, 3, ''));
});

test('notations can be mixed', () => {
  const wide = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0];
  for (const text of [
    'DDRUL', 'ddrul', 'DdR, u L', 'Down, Down, Right, Up, Left', '1: Down\n2: Down\n3: Right\n4: Up\n5: Left\n',
    '1. down 2. down 3. right 4. up 5. left', '2d r u l', '2dRul', '2Down 1r1u1l', 'D2RUL', 'd2 r1u l',
    '1: Down2 2: Right, 1u1l', 'downdownrightupleft', '\uFEFFDDRUL',
  ]) assert.equal(parseMoves(text, wide, 4), 'DDRUL', text);
  for (const text of ['', ' ', ',', '0u']) assert.equal(parseMoves(text, wide, 4), '', text);
});

test('nonsense is named', () => {
  const error = (text, pattern) => assert.throws(() => parseMoves(text, board, 3), pattern, text);
  error('UX', /“X” where move 2 should be/);
  error('2l 3', /is no move/);
  error('U-D', /“-”/);
  error('99999999999999999999999l', /more than/);
  error('UU', /move 2, Up, is not possible/);
  error('5 8 1', /move 3 is of tile 1, which is not beside the blank/);
  error('(3,2,3)', /a row and a column/);
  error('(1,1)', /the tile at \(1,1\)/);
  error('(x)', /is no move/);
});

test('a slide of several tiles is one multi-tile move', () => {
  assert.deepEqual(runs('DDRUUU'), [['D', 2], ['R', 1], ['U', 3]]);
  assert.equal(multiTile('DDRUUU'), 3);
  assert.equal(multiTile(''), 0);
});

test('boards as rows', () => {
  assert.equal(grid([1, 2, 3, 0, 10, 9, 4, 5, 6, 7, 8, 11], 4), ' 1  2  3  .\n10  9  4  5\n 6  7  8 11');
});
