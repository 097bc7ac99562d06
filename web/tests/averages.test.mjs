import assert from 'node:assert/strict';
import test from 'node:test';
import { average, csv } from '../page/averages.js';

test('an average leaves out the best and the worst', () => {
  assert.equal(average([1, 2, 3, 4], 5), null);
  assert.equal(average([9, 10, 1, 30, 11, 12], 5), 11);
  assert.equal(average([100, 1, 1, 4, 4, 100], 5), 3);
  // Of a hundred, five at each end.
  assert.equal(average([...Array(90).fill(2), ...Array(5).fill(0), ...Array(5).fill(1000)], 100), 2);
});

test('records as CSV', () => {
  assert.equal(csv([{ a: 1, b: '1 2 / 3 0' }, { a: 'x,y', b: '"' }], ['a', 'b']), 'a,b\n1,1 2 / 3 0\n"x,y",""""\n');
  assert.equal(csv([{ a: null }], ['a', 'b']), 'a,b\n,\n');
});
