// A button data-copy="ID" copies the table with that id, tab by tab, as a spreadsheet takes it.
// The button is in the page hidden, and shown here; data-copied is what it says when done.
(() => {
  "use strict";

  const NUMBER = /^[+-]?\d+(\.\d+)?$/;

  function cellText(cell) {
    if ("value" in cell.dataset) return cell.dataset.value;
    const bare = cell.cloneNode(true);
    for (const unseen of bare.querySelectorAll(".sr, .beside, .scale, button, script")) unseen.remove();
    const text = bare.textContent.replace(/\s+/g, " ").trim().replaceAll("−", "-");
    // What a spreadsheet would run as a formula gets an apostrophe, as in the office's own CSV files.
    return /^[=+\-@＝＋－＠]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  }

  const lines = (table) => [...table.rows].map((row) => [...row.cells].map(cellText).join("\t")).join("\n");

  async function copy(button) {
    const table = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(lines(table));
    if (button.dataset.copied) button.textContent = button.dataset.copied;
  }

  function show(root) {
    if (!navigator.clipboard) return;
    for (const button of root.querySelectorAll("button[data-copy]")) button.hidden = false;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-copy]");
    if (button) copy(button);
  });
  document.addEventListener("htmx:load", (event) => show(event.target));
  show(document);
})();
