import assert from 'node:assert/strict';
import test from 'node:test';
import { FORMATS, format, grid, movesTo, multiTile, parseMoves, runs, turned } from '../page/notation.js';

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
    arrows: '↑←',
    tiles: '5 8',
    coordinates: '(3,2) (3,3)',
    boards: '2\n1 2 3\n4 . 6\n7 5 8\n----------\n1 2 3\n4 5 6\n7 . 8\n----------\n1 2 3\n4 5 6\n7 8 .',
  };
  assert.deepEqual(FORMATS, Object.keys(expected));
  for (const [name, text] of Object.entries(expected)) {
    assert.equal(format(name, board, 3, 'UL'), text, name);
    if (name === 'boards') continue;
    assert.equal(parseMoves(text, board, 3), 'UL', name);
    const blank = format(name, board, 3, 'UL', 'blank');
    assert.equal(blank === text, ['tiles', 'coordinates'].includes(name), name);
    assert.equal(parseMoves(blank, board, 3, 'blank'), 'UL', name);
  }
  assert.equal(format('runs', board, 3, 'UDDRL'), 'u 2d r l');
  assert.equal(format('counts', board, 3, 'UDDRL'), 'UD2RL');
  assert.equal(format('columns', board, 3, 'UDUDUDUDUDL'),
    ' 1: Up    Down  Up    Down  Up    Down  Up    Down  Up    Down\n11: Left');
  for (const name of FORMATS) {
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
    '↓↓→↑←', 'vv>^<', 'V 1v > ^ <', '⬇️⬇️➡️⬆️⬅️', 'd-d-r-u-l', 'D – D — R − U - L', 'Down -> Down -> Right -> Up -> Left',
    '5\ndown\ndown\nright\nup\nleft\n', '5 ddrul', "['Down', 'Down', 'Right', 'Up', 'Left']", '["D", "D", "R", "U", "L"]',
    "moves = ['d','d','r','u','l']", 'Solution: DDRUL', '1) D 2) D 3) R 4) U 5) L',
    'Step 1: Down, Step 2: Down; Move 3: Right; 4. move up 5. slide left',
    "path_to_goal: ['Down', 'Down', 'Right', 'Up', 'Left']\ncost_of_path: 5\nmax_ram_usage: 0.05", 'DDRUL\nTime: 0.1 s',
  ]) assert.equal(parseMoves(text, wide, 4), 'DDRUL', text);
  for (const text of ['', ' ', ',', '0u']) assert.equal(parseMoves(text, wide, 4), '', text);
});

test('nonsense is named', () => {
  const error = (text, pattern) => assert.throws(() => parseMoves(text, board, 3), pattern, text);
  error('UX', /“X” where move 2 should be/);
  error('2l 3', /is not a move/);
  error('U>D', /“>” where move 2/);
  error('↑D', /“D” where move 2/);
  error('3\nleft left', /begins with 3, the number of its moves, but has 2/);
  error('Move 5 Up, Move 7 Left', /move 2 slides tile 7 left/);
  error('Move 1 Up', /move 1 slides tile 1 up/);
  error('up 7 left 3 2', /is not a move/);
  error('99999999999999999999999l', /more than/);
  error('UU', /move 2, up, is not possible/);
  error('5 8 1', /move 3 slides tile 1, which is not next to the blank/);
  error('(3,2,3)', /a row and a column/);
  error('(1,1)', /the tile at \(1,1\)/);
  error('(x)', /is not a move/);
});

test('tiles beside directions are checked', () => {
  for (const text of [
    'Move 5 Up\nMove 8 Left', '1. Move 5 Up 2. Move 8 Left', '5 up 8 left', 'Up 5, Left 8', "[(5, 'Up'), ('8', 'Left')]", '5 ↑ 8 ←',
    '[5, 8]', '[(3, 2), (3, 3)]',
  ]) assert.equal(parseMoves(text, board, 3), 'UL', text);
  assert.equal(parseMoves('1\nup', board, 3), 'U');
});

test('directions of the blank are asked for, never guessed', () => {
  const goal = [1, 2, 3, 4, 5, 6, 7, 8, 0];
  assert.equal(turned('DDRUL', 'blank'), 'UULDR');
  assert.equal(turned('DDRUL', 'tile'), 'DDRUL');
  assert.equal(movesTo(goal, 'DR', board, 3, 'blank'), 'UL');
  assert.equal(movesTo(goal, 'D', board, 3, 'tile'), 'D');
  for (const [text, whose, other] of [['DR', 'tile', 'blank'], ['UL', 'blank', 'tile'], ['Move 5 Down, Move 8 Right', 'tile', 'blank']]) {
    assert.throws(() => movesTo(goal, text, board, 3, whose), new RegExp(`directions of the ${other} these moves reach`));
  }
  assert.throws(() => movesTo(goal, 'X', board, 3, 'tile'), /is not a move/);
});

test('a slide of several tiles is one multi-tile move', () => {
  assert.deepEqual(runs('DDRUUU'), [['D', 2], ['R', 1], ['U', 3]]);
  assert.equal(multiTile('DDRUUU'), 3);
  assert.equal(multiTile(''), 0);
});

test('boards as rows', () => {
  assert.equal(grid([1, 2, 3, 0, 10, 9, 4, 5, 6, 7, 8, 11], 4), ' 1  2  3  .\n10  9  4  5\n 6  7  8 11');
});
