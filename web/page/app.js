// The page: its state, and what is shown besides. main.js says how it changes, and how it is shown.

import { initial } from './state.js';

/** @type {any} */
export const app = {
  state: initial(),
  /** The cells of the tile to move and of the tile to exchange, or null; and the purpose of the move. */
  hint: null,
  aim: '',
  picked: null,
  /** The last move in words, until its consequence is known. */
  moved: null,
  /** Whether marks of moves wait for the distance of the board. */
  waits: false,
  /** The result for the board, in brief. */
  headline: '',
  /** Whether this board took the place of another one, which is one step back in the history. */
  follows: false,
};
