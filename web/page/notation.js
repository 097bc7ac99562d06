// Moves as people write them: the formats that `taquin` writes, read and written.

import { WORDS, after, afterAll, source } from './grid.js';

export const FORMATS = {
  columns: 'Words, ten a line',
  numbered: 'Numbered list',
  words: 'Words in a line',
  letters: 'Letters',
  lowercase: 'Lower case letters',
  runs: 'Runs: 2d r',
  counts: 'Counts: D2R',
  tiles: 'Tiles moved',
  coordinates: 'Coordinates',
  boards: 'Every board',
};

const MOST = 1_000_000;

/** The runs of equal moves: [letter, length]. */
export function runs(moves) {
  return (moves.match(/(.)\1*/g) ?? []).map((run) => [run[0], run.length]);
}

/** How many moves these are where a slide of several tiles counts as one. */
export const multiTile = (moves) => runs(moves).length;

export function format(name, board, width, moves) {
  const words = [...moves].map((m) => WORDS[m]);
  switch (name) {
    case 'columns': {
      const digits = String(words.length).length;
      const lines = [];
      for (let i = 0; i < words.length; i += 10) {
        const row = words.slice(i, i + 10).map((word) => ` ${word.padEnd(5)}`).join('');
        lines.push(`${String(i + 1).padStart(digits)}:${row.trimEnd()}`);
      }
      return lines.join('\n');
    }
    case 'numbered': return words.map((word, i) => `${i + 1}: ${word}`).join('\n');
    case 'words': return words.join(', ');
    case 'letters': return moves;
    case 'lowercase': return moves.toLowerCase();
    case 'runs':
      return runs(moves).map(([m, n]) => (n > 1 ? n : '') + m.toLowerCase()).join(' ');
    case 'counts': return runs(moves).map(([m, n]) => m + (n > 1 ? n : '')).join('');
    case 'tiles': return moved(board, width, moves, (b, cell) => b[cell]).join(' ');
    case 'coordinates':
      return moved(board, width, moves, (_, cell) => place(cell, width)).join(' ');
    case 'boards': {
      const boards = [grid(board, width)];
      let now = board;
      for (const m of moves) boards.push(grid((now = after(now, width, m)), width));
      return `${moves.length}\n${boards.join('\n----------\n')}`;
    }
    default: throw new Error(`there is no format ${name}`);
  }
}

const place = (cell, width) => `(${Math.floor(cell / width) + 1},${(cell % width) + 1})`;

function moved(board, width, moves, name) {
  let now = board;
  return [...moves].map((m) => {
    const text = name(now, source(now, width, m));
    now = after(now, width, m);
    return text;
  });
}

/** A board as rows of right-aligned numbers, with a dot for the blank. */
export function grid(board, width) {
  const digits = String(board.length - 1).length;
  const rows = [];
  for (let i = 0; i < board.length; i += width) {
    rows.push(board.slice(i, i + width).map((t) => String(t || '.').padStart(digits)).join(' '));
  }
  return rows.join('\n');
}

/** A board on one line: `1 2 / 3 0`. */
export function rowText(board, width) {
  const rows = [];
  for (let i = 0; i < board.length; i += width) rows.push(board.slice(i, i + width).join(' '));
  return rows.join(' / ');
}

/** Reads moves of a board in any of the formats but boards, and throws with the reason. */
export function parseMoves(text, board, width) {
  const clean = text.replace(/^\uFEFF/, '').trim();
  let moves;
  if (/\d/.test(clean) && /^[\d\s,;]*$/.test(clean)) {
    const tiles = clean.match(/\d+/g).map(Number);
    moves = follow(tiles, board, width, (b, cell) => b[cell], (tile) => `tile ${tile}`);
  } else if (clean.includes('(') && /^[\d\s,;()]*$/.test(clean)) {
    const numbers = clean.match(/\d+/g) ?? [];
    if (numbers.length % 2) {
      throw new Error('write a row and a column for each move, as in (3,1), (2,1)');
    }
    const places = [];
    for (let i = 0; i < numbers.length; i += 2) {
      places.push(`(${Number(numbers[i])},${Number(numbers[i + 1])})`);
    }
    moves = follow(places, board, width, (_, cell) => place(cell, width), (p) => `the tile at ${p}`);
  } else {
    moves = letters(clean);
  }
  afterAll(board, width, moves);
  return moves;
}

function follow(things, board, width, at, name) {
  let now = board;
  let moves = '';
  things.forEach((thing, i) => {
    const m = [...'UDLR'].find((letter) => {
      const cell = source(now, width, letter);
      return cell >= 0 && at(now, cell) === thing;
    });
    if (!m) throw new Error(`move ${i + 1} is of ${name(thing)}, which is not beside the blank`);
    now = after(now, width, m);
    moves += m;
  });
  return moves;
}

/** Letters, words, numbered lists, runs and counts, mixed as you like. */
function letters(text) {
  const parts = [];
  let total = 0;
  for (let word of text.split(/[\s,;]+/)) {
    word = word.replace(/^\d+[:.]/, '');
    const countsFollow = !/^\d/.test(word);
    while (word) {
      const found = /^(\d*)(up|down|left|right|[udlr])/i.exec(word);
      if (!found) {
        throw new Error(`“${[...word.replace(/^\d+/, '') || word][0]}” where move ${total + 1} should be is no move: `
          + 'write U, D, L or R, or Up, Down, Left or Right, the way the tile goes, or runs as in 2d 3r or D2R3');
      }
      word = word.slice(found[0].length);
      let count = found[1];
      const behind = countsFollow ? /^\d*/.exec(word)[0] : '';
      word = word.slice(behind.length);
      count = Number(count || behind || 1);
      if (!(total + count <= MOST)) throw new Error(`more than ${MOST} moves`);
      total += count;
      parts.push(found[2][0].toUpperCase().repeat(count));
    }
  }
  return parts.join('');
}
