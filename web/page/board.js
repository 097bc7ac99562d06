// The board: tiles that slide, under a grid of buttons that are pressed, focused and read aloud.
// The tiles are for the eye only; the buttons stay where they are, so the focus does too.

import { nameOf } from './checks.js';
import { element } from './dom.js';
import { slide } from './grid.js';
import { current, phrase } from './text.js';

const SWIPE = 18;

export class BoardView {
  /**
   * `on.cell(cell)` is called for a press, `on.drag(cell)` for a tile that is drawn into the blank's cell,
   * `on.swipe(letter, cell)` for a swipe in the direction in which the tile is to go, beginning at a cell, and
   * `on.drop(from, to)` for a tile that is dropped on another cell, where that means something.
   */
  constructor(root, on) {
    this.root = root;
    this.on = on;
    this.focused = 0;
    this.tiles = new Map();
    root.addEventListener('pointerdown', (event) => this.pressed(event));
    root.addEventListener('pointermove', (event) => this.dragged(event));
    root.addEventListener('pointerup', (event) => this.released(event));
    root.addEventListener('pointercancel', () => { this.press = null; });
    root.addEventListener('click', (event) => {
      const cell = this.cellOf(event.target);
      if (cell >= 0 && !this.swiped) this.on.cell(cell);
      this.swiped = false;
    });
    root.addEventListener('focusin', (event) => {
      const cell = this.cellOf(event.target);
      if (cell >= 0) this.rove(cell);
    });
  }

  cellOf(target) {
    const button = target.closest?.('.cells button');
    return button ? this.buttons.indexOf(button) : -1;
  }

  pressed(event) {
    this.swiped = false;
    this.press = { x: event.clientX, y: event.clientY, cell: this.cellOf(event.target), id: event.pointerId };
  }

  /** A tile that is drawn into the blank's cell goes there, and further with the pointer. */
  dragged(event) {
    const { press } = this;
    if (!press || press.id !== event.pointerId || press.cell < 0) return;
    const at = document.elementFromPoint(event.clientX, event.clientY);
    const cell = at ? this.cellOf(at) : -1;
    if (cell < 0 || cell === press.cell || cell !== this.blank) return;
    this.on.drag(press.cell);
    if (this.blank === cell) return;
    press.cell = cell;
    press.dragged = true;
  }

  released(event) {
    const press = this.press;
    this.press = null;
    if (!press || press.id !== event.pointerId) return;
    if (press.dragged) {
      this.ignoreClick();
      return;
    }
    const end = document.elementFromPoint(event.clientX, event.clientY);
    if (end && press.cell >= 0 && this.cellOf(end) >= 0 && this.cellOf(end) !== press.cell && this.on.drop(press.cell, this.cellOf(end))) {
      this.ignoreClick();
      return;
    }
    const x = event.clientX - press.x;
    const y = event.clientY - press.y;
    if (Math.max(Math.abs(x), Math.abs(y)) < SWIPE) return;
    this.ignoreClick();
    const letter = Math.abs(x) > Math.abs(y) ? (x > 0 ? 'R' : 'L') : (y > 0 ? 'D' : 'U');
    this.on.swipe(letter, press.cell);
  }

  /** A click may follow, on the cell where a swipe ends. */
  ignoreClick() {
    this.swiped = true;
    setTimeout(() => { this.swiped = false; }, 50);
  }

  build(width, height) {
    this.width = width;
    this.height = height;
    this.frame = [];
    this.keys = [];
    this.tiles.clear();
    const field = element('div', { class: 'field' });
    field.style.setProperty('--w', width);
    field.style.setProperty('--h', height);
    // The column of the board has its width.
    document.documentElement.style.setProperty('--ratio', (width / height).toFixed(4));
    const layer = element('div', { 'aria-hidden': true });
    for (let tile = 1; tile < width * height; tile++) {
      const box = element('div', { class: 'tile' }, element('span', {}, tile));
      box.picture = null;
      layer.append(box);
      this.tiles.set(tile, box);
    }
    const scale = width * height > 100 ? 0.4 : 0.44;
    field.style.setProperty('--scale', scale);
    const cells = element('div', { class: 'cells', role: 'grid', 'aria-describedby': 'board-help' });
    this.buttons = [];
    for (let row = 0; row < height; row++) {
      const line = element('div', { role: 'row' });
      for (let column = 0; column < width; column++) {
        const button = element('button', { type: 'button' });
        this.buttons.push(button);
        line.append(element('div', { role: 'gridcell' }, button));
      }
      cells.append(line);
    }
    this.grid = cells;
    field.append(layer, cells);
    this.root.replaceChildren(field);
    this.rove(Math.min(this.focused, width * height - 1));
  }

  /**
   * `what`: board, width, goal, whether it is edited and how many tiles are entered (or null), name, hinted and picked
   * cells, marks, which are {kind, text, words} by cell, colours, picture or null, numbers, and whether it is done.
   */
  show(what) {
    const { board, width, goal } = what;
    const height = board.length / width;
    if (this.width !== width || this.height !== height) this.build(width, height);
    this.blank = board.indexOf(0);
    this.grid.setAttribute('aria-label', what.name);
    this.root.classList.toggle('done', what.done);
    this.root.classList.toggle('pictured', Boolean(what.picture));
    this.root.classList.toggle('bare', Boolean(what.picture) && !what.numbers);
    // A cell that looks as before is left alone, unless something has changed for all of them.
    const frame = [current(), goal, what.labels, what.edits, what.entered === null, what.colours, what.picture];
    const all = frame.some((part, i) => part !== this.frame[i]);
    if (what.labels !== this.frame[2]) this.tiles.forEach((box, tile) => { box.firstElementChild.firstChild.data = nameOf(tile); });
    this.frame = frame;
    const homes = all ? new Map((goal ?? []).map((tile, cell) => [tile, cell])) : this.homes;
    this.homes = homes;
    board.forEach((tile, cell) => {
      const slides = !what.edits && slide(board, width, cell) !== '';
      const hidden = what.entered !== null && (!tile || tile > what.entered);
      const mark = what.marks.get(cell);
      const key = [tile, slides, hidden, what.hinted === cell, what.picked === cell, mark?.kind, mark?.text].join();
      if (!all && key === this.keys[cell]) return;
      this.keys[cell] = key;
      const button = this.buttons[cell];
      button.setAttribute('aria-label', this.label(what, tile, cell, { slides, hidden, mark }));
      button.className = mark?.kind ?? (hidden ? 'empty' : '');
      button.dataset.mark = mark?.text ?? '';
      if (what.picked === cell) button.setAttribute('aria-pressed', 'true');
      else button.removeAttribute('aria-pressed');
      if (!tile) return;
      const box = this.tiles.get(tile);
      box.style.setProperty('--x', cell % width);
      box.style.setProperty('--y', Math.floor(cell / width));
      const home = homes.get(nameOf(tile));
      box.classList.toggle('home', goal?.[cell] === nameOf(tile) && width <= 8 && !what.edits);
      box.classList.toggle('hinted', what.hinted === cell);
      box.classList.toggle('picked', what.picked === cell);
      box.classList.toggle('gone', hidden);
      paint(box, home ?? tile - 1, width, height, what.colours);
      this.cover(box, what.picture, home ?? tile - 1);
    });
  }

  /** Puts the part of a picture on a tile that belongs to its place in the goal. */
  cover(box, picture, home) {
    if (box.picture === picture && (!picture || box.part === home)) return;
    box.picture = picture;
    box.part = home;
    box.querySelector('canvas')?.remove();
    if (!picture) return;
    const canvas = element('canvas');
    drawPart(canvas, picture, home, this.width, this.height);
    box.firstElementChild.append(canvas);
  }

  label({ width, goal, edits }, tile, cell, { slides, hidden, mark }) {
    const at = { tile: nameOf(tile), row: Math.floor(cell / width) + 1, column: (cell % width) + 1 };
    if (hidden) return phrase('cellEmpty', at);
    if (!tile) return phrase('cellBlank', at);
    const parts = [phrase('cell', at)];
    if (slides) parts.push(phrase('cellSlides'));
    if (!edits && goal?.[cell] === nameOf(tile)) parts.push(phrase('cellHome'));
    if (mark?.words) parts.push(mark.words);
    return parts.join(', ');
  }

  rove(cell) {
    this.focused = cell;
    this.buttons.forEach((button, i) => { button.tabIndex = i === cell ? 0 : -1; });
  }

  /** Moves the focus by the keys of a grid. Whether it was such a key. */
  travel(key, whole) {
    const { width, height } = this;
    const row = Math.floor(this.focused / width);
    const column = this.focused % width;
    const to = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      Home: [whole ? 0 : row, 0], End: [whole ? height - 1 : row, width - 1],
    }[key];
    if (!to) return false;
    const [r, c] = to;
    if (r >= 0 && c >= 0 && r < height && c < width) this.focus(r * width + c);
    return true;
  }

  focus(cell = this.focused) {
    this.rove(cell);
    this.buttons[cell].focus();
  }
}

/** Draws the part of a picture that belongs to a cell of a board; the picture covers the board. */
function drawPart(canvas, source, cell, width, height) {
  const side = Math.min(source.width / width, source.height / height);
  const [left, top] = [(source.width - side * width) / 2, (source.height - side * height) / 2];
  canvas.width = canvas.height = Math.max(1, Math.round(side));
  canvas.getContext('2d').drawImage(
    source, left + (cell % width) * side, top + Math.floor(cell / width) * side, side, side, 0, 0, canvas.width, canvas.height,
  );
}

/** A tile has the colour of its place in the goal. */
function paint(box, home, width, height, colours) {
  const row = Math.floor(home / width);
  const ring = colours === 'rows' ? row : Math.min(row, home % width);
  const steps = colours === 'rows' ? height : Math.min(width, height);
  const hue = colours === 'plain' ? 80 : (75 + (ring * 290) / Math.max(steps, 4)) % 360;
  box.style.setProperty('--hue', hue.toFixed(0));
  box.style.setProperty('--chroma', colours === 'plain' ? 0.06 : 0.11);
}
