// Moves as people write them: the formats that `taquin` writes, read and written.

import { afterAll, direction } from './checks.js';
import { OPPOSITE, WORDS, after, same, source } from './grid.js';
import { phrase } from './text.js';

export const FORMATS = [
  'columns', 'numbered', 'words', 'letters', 'lowercase', 'runs', 'counts', 'arrows', 'tiles', 'coordinates', 'boards',
];

const MOST = 1_000_000;

const ARROWS = { U: '↑', D: '↓', L: '←', R: '→' };

/** Moves as directions of the `tile` or of the `blank`, or back. */
export const turned = (moves, whose) => (whose === 'blank' ? moves.replace(/./g, (m) => OPPOSITE[m]) : moves);

/** The runs of equal moves: [letter, length]. */
export function runs(moves) {
  return (moves.match(/(.)\1*/g) ?? []).map((run) => [run[0], run.length]);
}

/** How many moves these are where a slide of several tiles counts as one. */
export const multiTile = (moves) => runs(moves).length;

/** Moves as text, with directions of the `tile` or of the `blank`. */
export function format(name, board, width, path, whose = 'tile') {
  const moves = turned(path, whose);
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
    case 'arrows': return [...moves].map((m) => ARROWS[m]).join('');
    case 'tiles': return moved(board, width, path, (b, cell) => b[cell]).join(' ');
    case 'coordinates':
      return moved(board, width, path, (_, cell) => place(cell, width)).join(' ');
    case 'boards': {
      const boards = [grid(board, width)];
      let now = board;
      for (const m of path) boards.push(grid((now = after(now, width, m)), width));
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

/** Reads moves that are to lead to a goal: an error says so where only the other convention does. */
export function movesTo(goal, text, board, width, whose) {
  const other = whose === 'tile' ? 'blank' : 'tile';
  const read = (of) => {
    try {
      const moves = parseMoves(text, board, width, of);
      return { moves, reaches: same(afterAll(board, width, moves), goal) };
    } catch (error) {
      return { error };
    }
  };
  const { moves, reaches, error } = read(whose);
  if (!reaches && read(other).reaches) {
    const fault = error?.message ?? phrase('goalNotReached');
    throw new Error(phrase(other === 'tile' ? 'otherIsTile' : 'otherIsBlank', { fault }));
  }
  if (error) throw error;
  return moves;
}

/** Reads moves as directions of the tile or of the blank, of those that lead to a goal the former. */
export function anyMovesTo(goal, text, board, width, whose) {
  try {
    return movesTo(goal, text, board, width, whose);
  } catch (error) {
    const other = whose === 'tile' ? 'blank' : 'tile';
    try {
      return movesTo(goal, text, board, width, other);
    } catch {
      throw error;
    }
  }
}

/** Returns whether a line is a name and its number, as in `cost_of_path: 6`, and names no move and no tile. */
function isFigure(line) {
  const name = /^\s*([a-z][a-z _]+)[:=]\s*[\d.]+(\s|$)/i.exec(line)?.[1];
  return Boolean(name) && !/move|step|tile|slide|up|down|left|right|^[udlr\s]+$/i.test(name);
}

/** Reads moves of a board in any of the formats but boards, and throws with the reason. */
export function parseMoves(text, board, width, whose = 'tile') {
  const lines = text.replace(/^\uFEFF/, '').trim().split(/\n+/);
  // Other programs write figures of their search around the moves.
  const clean = (lines.every(isFigure) ? lines : lines.filter((line) => !isFigure(line))).join('\n').trim();
  let moves;
  if (/\d/.test(clean) && /^[\d\s,;[\]]*$/.test(clean)) {
    const tiles = clean.match(/\d+/g).map(Number);
    moves = follow(tiles, board, width, (b, cell) => b[cell], (tile, number) => phrase('tileNotBeside', { number, tile }));
  } else if (clean.includes('(') && /^[\d\s,;()[\]]*$/.test(clean)) {
    const numbers = clean.match(/\d+/g) ?? [];
    if (numbers.length % 2) {
      throw new Error(phrase('rowAndColumn'));
    }
    const places = [];
    for (let i = 0; i < numbers.length; i += 2) {
      places.push(`(${Number(numbers[i])},${Number(numbers[i + 1])})`);
    }
    moves = follow(places, board, width, (_, cell) => place(cell, width), (at, number) => phrase('placeNotBeside', { number, place: at }));
  } else {
    moves = directions(clean, board, width, whose);
  }
  afterAll(board, width, moves);
  return moves;
}

/** The moves of things that are told apart by `at`; `fault` says that one of them cannot move. */
function follow(things, board, width, at, fault) {
  let now = board;
  let moves = '';
  things.forEach((thing, i) => {
    const m = [...'UDLR'].find((letter) => {
      const cell = source(now, width, letter);
      return cell >= 0 && at(now, cell) === thing;
    });
    if (!m) throw new Error(fault(thing, i + 1));
    now = after(now, width, m);
    moves += m;
  });
  return moves;
}

/** Directions, behind their number or each beside the number of its tile. */
function directions(text, board, width, whose) {
  const { path, numbers } = words(text);
  const moves = turned(path, whose);
  const [first] = numbers;
  const beside = (behind) => numbers.every(({ before }, i) => before === i + behind);
  const counted = numbers.length === 1 && first.before === 0;
  // One number before one move may be its count.
  const isCount = counted && first.number === path.length && (path.length > 1 || text.startsWith('1'));
  if (path && numbers.length === path.length && (beside(0) || beside(1)) && !isCount) {
    let now = board;
    numbers.forEach(({ number }, i) => {
      if (now[source(now, width, moves[i])] !== number) {
        throw new Error(phrase('tileCannotGo', { number: i + 1, direction: direction(path[i]), tile: number }));
      }
      now = after(now, width, moves[i]);
    });
  } else if (counted && path && !isCount) {
    throw new Error(phrase('countDiffers', { first: first.number, moves: path.length }));
  } else if (numbers.length && !isCount) {
    throw noMove(String(first.number), first.before);
  }
  return moves;
}

const noMove = (word, before) => new Error(phrase('noMove', { word: [...word][0], number: before + 1 }));

const POINTED = {
  U: '^↑⬆', D: 'vV↓⬇', L: '<←⬅', R: '>→➡',
};

/** Letters, words, arrows, numbered lists, runs and counts, and the numbers that stand alone. */
function words(text) {
  const parts = [];
  const numbers = [];
  let total = 0;
  let arrows = null;
  const between = text.includes('(') ? /[\s,;\-–—−'"‘’“”[\]()\uFE0F]+/ : /[\s,;\-–—−'"‘’“”[\]\uFE0F]+/;
  for (let word of text.replaceAll('->', ' ').split(between)) {
    if (/^(moves?|path(_to_goal)?|scramble|slide|solution|step|tile)?[:=]*$/i.test(word)) continue;
    word = word.replace(/^\d+[:.)]/, '');
    if (/^\d+$/.test(word)) {
      numbers.push({ before: total, number: Number(word) });
      continue;
    }
    const countsFollow = !/^\d/.test(word);
    while (word) {
      const found = /^(\d*)(up|down|left|right|[udlr^v<>↑↓←→⬆⬇⬅➡])/i.exec(word);
      const arrow = found && Object.keys(POINTED).find((m) => POINTED[m].includes(found[2]));
      arrows ??= Boolean(arrow);
      // Between letters, an arrow is as likely to be a separator as a move.
      if (!found || arrows !== Boolean(arrow)) throw noMove(word.replace(/^\d+/, '') || word, total);
      word = word.slice(found[0].length);
      let count = found[1];
      const behind = countsFollow ? /^\d*/.exec(word)[0] : '';
      word = word.slice(behind.length);
      count = Number(count || behind || 1);
      if (!(total + count <= MOST)) throw new Error(phrase('tooManyMoves', { most: MOST }));
      total += count;
      parts.push((arrow ?? found[2][0].toUpperCase()).repeat(count));
    }
  }
  return { path: parts.join(''), numbers };
}
