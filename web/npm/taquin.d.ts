/** An optimal solver of sliding-tile puzzles. It searches in a Worker. */
export class Taquin {
  /**
   * Starts the engine, with small tables that are built in a moment.
   *
   * In a browser, the files of the package come from the same origin as the page.
   */
  static load(options?: LoadOptions): Promise<Taquin>;

  /**
   * Loads the 7-8 tables of 4×4 boards, 196 MB: from the browser's private file system or `folder`, where
   * they were stored before, otherwise they are built in some seconds and stored there. Searches of 4×4
   * boards use them from then on. Only the first call's `progress` is called.
   *
   * Rejects with the kind `database` if memory is refused; small tables go on answering. Rejects with the kind
   * `died` if a Worker fails meanwhile, or the engine is closed. After an error the next call tries again.
   */
  loadTables(options?: { progress?: (event: { tables: string; done: number }) => void }): Promise<Tables>;

  /** Reads a board, whose blank has the text `blank` if it is given. Rejects with the kind `input`. */
  parse(board: BoardText, options?: { size?: string; goal?: string; blank?: string }): Promise<Board>;

  /** Tells if a board can reach a goal, and why. */
  check(board: BoardText, options?: Pose): Promise<Verdict>;

  /** Draws a board at random, of the given number of moves from the goal if there is one. */
  shuffle(options?: { size?: string; goal?: string; seed?: string | number | bigint; moves?: number }): Promise<Board>;

  /**
   * Solves a board. Up to 25 cells the solution is optimal unless a limit ends the search; larger boards
   * get a short solution with a lower bound.
   */
  solve(board: BoardText, options?: SolveOptions): Promise<Solution>;

  /** Counts the optimal solutions, and lists the first of them. */
  solutions(board: BoardText, options?: SearchOptions & { most?: number }): Promise<{ count: bigint; paths: string[] }>;

  /** The next move of a solution that is found within three seconds, or another limit. */
  hint(board: BoardText, options?: SearchOptions): Promise<Hint>;

  /** Ends the Workers. Node does not exit before. Requests reject with the kind `died`. */
  close(): void;
}

export interface LoadOptions {
  /** Node only: the folder that keeps the 7-8 tables. Without one they are built for each process. */
  folder?: string;
}

/** A board in any form that `taquin` reads, or its tiles in reading order or as rows. 0 is the blank. */
export type BoardText = string | readonly number[] | readonly (readonly number[])[] | Board;

export interface Board {
  board: number[];
  width: number;
  height: number;
  /** The board in rows of labels, where it has letters or equal tiles; `board` then numbers its tiles. */
  labels?: string;
  /** The guesses that the reading of a text rests on; left out where there are none. */
  notes?: string[];
}

export interface Pose {
  /**
   * A name such as `blank-last` (the default), `blank-first`, `spiral` or `snake`, or a board in rows, which may have
   * equal tiles and `*` for cells that do not matter.
   */
  goal?: string;
  /** Width and height, as `3x2`, for tiles without rows that are not a square. One number is a square. */
  size?: string;
}

export interface SearchOptions extends Pose {
  /** The search ends with what it knows. Milliseconds include the wait for other searches and tables. */
  limit?: { milliseconds?: number; nodes?: number };
  /** Ends the search; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  progress?: (event: Progress) => void;
}

export interface SolveOptions extends SearchOptions {
  /**
   * `multi` counts a slide of several tiles once. On 4×4 that builds tables of 346 MB, which are not kept.
   */
  metric?: 'single' | 'multi';
  /** A heuristic as `taquin --heuristic` takes it; by default the best of the tables that are there. */
  heuristic?: string;
}

export type Progress =
  /** The bound proved so far, the nodes, and the length of the best solution of a large board or 0. */
  | { type: 'search'; bound: number; nodes: number; best: number }
  /** The part of the tables that is there, from 0 to 1. */
  | { type: 'tables'; size: string; done: number };

/** The fields that docs/MANUAL.md of Taquin describes. */
export interface Solution {
  width: number;
  height: number;
  board: (number | string)[];
  goal: (number | string)[];
  solved: boolean;
  optimal: boolean;
  metric: 'single' | 'multi';
  /** The number of moves. */
  length: number | null;
  /** The number of slides. */
  slides: number | null;
  /** The ways that the tiles go: U, D, L, R. */
  moves: string | null;
  lower_bound: number;
  /** The difference of the length and the bound, where that is not proved to be the least. */
  gap?: number;
  /** The limit that ended the search. */
  stopped?: string;
  generated: number;
  expanded: number;
  seconds: number;
  heuristic: string;
  /** The heuristic's value of the board; null for one that is solved already. */
  h: number | null;
}

export interface Hint {
  /** The way that the tile goes; null for a solved board, or if no solution was found. */
  move: 'U' | 'D' | 'L' | 'R' | null;
  tile: number | null;
  /** The moves of the solution; optimal if `lower` is the same. */
  distance: number | null;
  lower: number;
}

export interface Verdict {
  solvable: boolean;
  /** This and the next four are for goals of one board. */
  reason?: string;
  transpositions?: number;
  blank_distance?: number;
  permutation_parity?: 'even' | 'odd';
  blank_parity?: 'even' | 'odd';
  /** The named goals that an unsolvable board can reach. */
  reachable: string[];
}

export interface Tables {
  tables: string;
  source: 'built' | 'stored';
  seconds: number;
}

/** The errors of all promises have a kind. */
export interface TaquinError extends Error {
  kind: 'input' | 'unsolvable' | 'database' | 'limit' | 'internal' | 'unloaded' | 'died';
}
