// The sheet of a report: results by one key, the other side's cell filled in, arrows and Enter to move.
// Without it the cells are plain inputs and the other side's cell may stay blank.
"use strict";
(() => {
  const mirrored = { "1": "0", "0": "1", "½": "½", "+": "-", "-": "+" };
  const typed = { "1": "1", "0": "0", "5": "½", "=": "½", "½": "½", "+": "+", "-": "-", "−": "-" };
  const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  const grid = document.querySelector("[data-grid]");
  const at = (row, column) => grid.querySelector(`[data-row="${row}"][data-column="${column}"]`);
  const go = (row, column) => {
    const cell = at(row, column);
    if (cell) { cell.focus(); cell.select(); }
    return Boolean(cell);
  };
  const place = (cell) => [Number(cell.dataset.row), Number(cell.dataset.column)];

  function next(row, column) {
    const size = Number(grid.dataset.grid);
    let [r, c] = [row, column];
    do { c += 1; if (c > size) { r += 1; c = 1; } } while (r <= size && (!at(r, c) || c < r));
    if (r <= size) go(r, c);
  }

  function put(cell, sign) {
    const [row, column] = place(cell);
    cell.value = sign;
    const other = at(column, row);
    if (other) other.value = sign === "" ? "" : mirrored[sign];
  }

  if (grid) {
    grid.addEventListener("keydown", (event) => {
      const cell = event.target;
      if (!cell.dataset.row || event.ctrlKey || event.metaKey || event.altKey) return;
      const [row, column] = place(cell);
      if (event.key in moves) {
        let [r, c] = [row + moves[event.key][0], column + moves[event.key][1]];
        if (r === c) { r += moves[event.key][0]; c += moves[event.key][1]; }
        event.preventDefault();
        go(r, c);
      } else if (event.key === "Enter") {
        event.preventDefault();
        next(row, column);
      } else if (event.key in typed) {
        event.preventDefault();
        put(cell, typed[event.key]);
        next(row, column);
      } else if (event.key === "Backspace" || event.key === "Delete") {
        event.preventDefault();
        put(cell, "");
      } else if (event.key.length === 1) {
        event.preventDefault();
      }
    });
  }

  const rows = document.querySelector("[data-rows]");
  if (rows) {
    const count = document.querySelector("input[name=rows]");
    rows.addEventListener("keydown", (event) => {
      const cell = event.target;
      if (event.key !== "Enter" || cell.tagName !== "INPUT") return;
      event.preventDefault();
      const all = [...rows.querySelectorAll("tr")];
      const row = cell.closest("tr");
      if (row === all.at(-1)) rows.append(another(row, all.length + 1));
      row.nextElementSibling.querySelectorAll("input")[1].focus();
    });
    const another = (row, number) => {
      const made = row.cloneNode(true);
      made.querySelector("th").textContent = number;
      for (const cell of made.querySelectorAll("input")) {
        const name = cell.name.split("-")[0];
        cell.name = `${name}-${number}`;
        cell.setAttribute("aria-label", cell.getAttribute("aria-label").replace(/\d+$/, number));
        if (name !== "round" && name !== "played") cell.value = "";
      }
      count.value = number;
      return made;
    };
  }

  // Enter in a player's field goes to the next one, and from the last into the results.
  const players = [...document.querySelectorAll("input[data-player]")];
  players.forEach((field, place) => field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const following = players[place + 1];
    if (following && field.value) following.focus();
    else if (grid) next(1, 1);
    else document.querySelector("[data-rows] input, [data-swiss] input")?.focus();
  }));
})();
