// The crosstable of a Swiss event: a cell that is left fills the opponent's, arrows and Enter move.
// Without it every cell is a plain input, and one of the two cells of a game is enough.
"use strict";
(() => {
  const grid = document.querySelector("[data-swiss]");
  if (!grid) return;
  const game = /^(?:(\d{1,3}) ?([wb白黒]) ?([10=+-]?)|(\d{1,3}) ?([10=+-]))$/;
  const others = { w: "b", b: "w", "白": "黒", "黒": "白", "": "" };
  const mirrored = { "1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "": "" };
  const fitting = new Set(["10", "01", "==", "+-", "-+", "--"]);
  const moves = { ArrowUp: -1, ArrowDown: 1 };

  const at = (row, column) => grid.querySelector(`[data-row="${row}"][data-column="${column}"]`);
  const place = (cell) => [Number(cell.dataset.row), Number(cell.dataset.column)];
  const go = (cell) => { if (cell) { cell.focus(); cell.select(); } return Boolean(cell); };

  // What people type, as the server reads it: any width, dash and half; 5 after the colour is a half.
  function read(text) {
    const plain = text.normalize("NFKC").trim().toLowerCase().replace(/[‐‑‒–—−ー]/g, "-");
    const halved = plain.replace(/1⁄2$|1\/2$|0[.,]5$/, "=").replace(/^(\d{1,3} ?[wb白黒] ?|\d{1,3} ?)5$/, "$1=");
    const found = game.exec(halved);
    if (!found) return null;
    return { opponent: Number(found[1] ?? found[4]), colour: found[2] ?? "", result: found[3] ?? found[5] };
  }

  function fits(mine, theirs) {
    const isTold = mine.result === "" || fitting.has(mine.result + theirs.result);
    return isTold && others[mine.colour] === theirs.colour;
  }

  // The cell was left as it now stands: an opponent named before is let go, the one named now is told.
  function tell(cell) {
    const [row, column] = place(cell);
    const was = read(cell.dataset.was ?? ""), mine = read(cell.value);
    const answers = (other) => other && read(other.value)?.opponent === row;
    if (was && was.opponent !== mine?.opponent) {
      const left = at(was.opponent, column);
      if (answers(left)) left.value = "";
    }
    const other = mine && mine.opponent !== row ? at(mine.opponent, column) : null;
    if (other && (other.value.trim() === "" || (answers(other) && !fits(mine, read(other.value))))) {
      other.value = `${row}${others[mine.colour]}${mirrored[mine.result]}`;
    }
  }

  // The next empty cell: down the round, then in the next ones.
  function following(cell) {
    const cells = [...grid.querySelectorAll("input")];
    cells.sort((one, two) => place(one)[1] - place(two)[1] || place(one)[0] - place(two)[0]);
    const from = cells.indexOf(cell) + 1;
    return cells.slice(from).find((each) => each.value.trim() === "") ?? cells[from];
  }

  // Left and right leave a cell at its ends only, or while all of it is selected.
  function beside(cell, key) {
    const [row, column] = place(cell), { selectionStart: start, selectionEnd: end, value } = cell;
    const whole = start === 0 && end === value.length;
    if (key === "ArrowLeft" && (whole || end === 0)) return at(row, column - 1);
    if (key === "ArrowRight" && (whole || start === value.length)) return at(row, column + 1);
    return null;
  }

  grid.addEventListener("focusin", (event) => { event.target.dataset.was = event.target.value; });
  grid.addEventListener("change", (event) => {
    tell(event.target);
    event.target.dataset.was = event.target.value;
  });
  grid.addEventListener("keydown", (event) => {
    const cell = event.target;
    if (!cell.dataset.row || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const [row, column] = place(cell);
    if (event.key === "Enter") {
      event.preventDefault();
      cell.dispatchEvent(new Event("change", { bubbles: true }));
      go(following(cell)) || document.querySelector("button[value=send]")?.focus();
    } else if (event.key in moves) {
      if (go(at(row + moves[event.key], column))) event.preventDefault();
    } else if (go(beside(cell, event.key))) {
      event.preventDefault();
    }
  });
})();
