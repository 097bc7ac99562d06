// The distances along a line of moves, as far as they are known, and its lost moves. A move changes the
// distance by one, so each proof bounds the whole line. No DOM, no engine: the caller searches.

import { after } from './grid.js';

/** A key, equal for boards that a line meets again. */
const keyOf = (board) => board.join();

export class Line {
  #boards = [];
  /** Of each board, shared where it is met again: {lower, upper, moves, searched}; `moves` is an optimal solution. */
  #known = [];
  #byBoard = new Map();

  /** `goal` has its tiles; `proved` gives the moves of an optimal solution from a board, if it knows one. */
  constructor({ board, width, goal, moves }, proved = () => undefined) {
    this.moves = moves;
    this.width = width;
    const colour = (tiles) => Math.floor(tiles.indexOf(0) / width) + (tiles.indexOf(0) % width);
    let now = board;
    for (let at = 0; ; at++) {
      const key = keyOf(now);
      if (!this.#byBoard.has(key)) {
        // A distance is as odd as that of the blank.
        const lower = 2 - ((colour(now) + colour(goal)) % 2);
        this.#byBoard.set(key, { lower, upper: null, moves: null, searched: false });
      }
      this.#boards.push(now);
      this.#known.push(this.#byBoard.get(key));
      if (at === moves.length) break;
      now = after(now, width, moves[at]);
    }
    this.#prove(goal, '');
    for (const tiles of this.#boards) {
      const solution = proved(tiles);
      if (solution !== undefined && this.#byBoard.get(keyOf(tiles)).moves === null) this.#prove(tiles, solution);
    }
    this.#spread();
  }

  board(at) {
    return this.#boards[at];
  }

  /** Takes the answer to a search of the board after `at` moves. */
  take(at, { moves, length, lower_bound: lower }) {
    const known = this.#known[at];
    known.searched = true;
    known.lower = Math.max(known.lower, lower);
    if (length !== null) known.upper = Math.min(known.upper ?? length, length);
    if (length === lower) this.#prove(this.#boards[at], moves);
    this.#spread();
  }

  /**
   * The board whose search tells the most; -1 where there is nothing more to tell. These are the ends, then the
   * middle of the stretch where the most moves may be lost, then the boards before lost moves, for a better one.
   */
  next() {
    const last = this.moves.length;
    for (const end of [0, last]) if (this.#isOpen(end)) return end;
    const fixed = [...this.#known.keys()].filter((at) => at === 0 || at === last || this.#known[at].searched);
    let most = -Infinity;
    let found = -1;
    for (let i = 0; i + 1 < fixed.length; i++) {
      const [from, to] = [fixed[i], fixed[i + 1]];
      const end = this.#known[to];
      const loss = (end.upper ?? end.lower) - this.#known[from].lower + to - from;
      if (loss <= most) continue;
      const middle = Math.floor((from + to) / 2);
      let near = -1;
      for (let at = from; at < to; at++) {
        if (this.#isOpen(at) && (near < 0 || Math.abs(at - middle) < Math.abs(near - middle))) near = at;
      }
      if (near >= 0) [most, found] = [loss, near];
    }
    if (found >= 0) return found;
    return this.losses().find(({ at }) => !this.#known[at].searched)?.at ?? -1;
  }

  distances() {
    return this.#known.map(({ lower, upper }) => ({ lower, upper }));
  }

  /** Whether each distance is proved, so that all lost moves are known. */
  get proved() {
    return this.#known.every(({ lower, upper }) => lower === upper);
  }

  /** The lost moves that are known. Those of one slide that follow each other are one loss. */
  losses() {
    const losses = [];
    for (let at = 0; at < this.moves.length; at++) {
      if (this.#change(at) !== 1) continue;
      const before = losses.at(-1);
      if (before && before.at + before.moves === at && this.moves[at - 1] === this.moves[at]) {
        before.moves++;
        before.lost += 2;
      } else {
        losses.push({ at, moves: 1, lost: 2, better: this.#known[at].moves });
      }
    }
    return losses;
  }

  /** The longest stretch of moves that are known to be optimal: its first move and the one behind it. */
  stretch() {
    let longest = [0, 0];
    let from = 0;
    for (let at = 0; at < this.moves.length; at++) {
      if (this.#change(at) !== -1) from = at + 1;
      else if (at + 1 - from > longest[1] - longest[0]) longest = [from, at + 1];
    }
    return longest;
  }

  #isOpen(at) {
    const { lower, upper, searched } = this.#known[at];
    return !searched && lower !== upper;
  }

  /** The change of the distance by a move; undefined where it is not known. */
  #change(at) {
    const [before, then] = [this.#known[at], this.#known[at + 1]];
    return before.lower === before.upper && then.lower === then.upper ? then.lower - before.lower : undefined;
  }

  /** Takes an optimal solution, which proves each board on it. */
  #prove(board, moves) {
    let now = board;
    for (let made = 0; ; made++) {
      const known = this.#byBoard.get(keyOf(now));
      const left = moves.length - made;
      if (known) Object.assign(known, { lower: left, upper: left, moves: moves.slice(made), searched: true });
      if (left === 0) break;
      now = after(now, this.width, moves[made]);
    }
  }

  /** Bounds each board by its neighbours. */
  #spread() {
    let changed;
    const bound = (near, far) => {
      const lower = Math.max(far.lower, near.lower - 1);
      const upper = near.upper === null ? far.upper : Math.min(far.upper ?? Infinity, near.upper + 1);
      changed ||= lower !== far.lower || upper !== far.upper;
      Object.assign(far, { lower, upper });
    };
    do {
      changed = false;
      for (let at = 0; at < this.moves.length; at++) bound(this.#known[at], this.#known[at + 1]);
      for (let at = this.moves.length; at > 0; at--) bound(this.#known[at], this.#known[at - 1]);
    } while (changed);
  }
}
