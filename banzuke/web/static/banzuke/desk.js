// Keys of the desk. In the inbox (table[data-desk]): j and k go from report to report, x chooses one, a goes to
// Accept and h to the reason, with the report chosen. On a report's page j and k go from player to player.
// The key ? shows them (details[data-keys]). No key decides by itself.
(() => {
  "use strict";

  const isTyping = (at) => at.closest("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]") !== null;
  const table = document.querySelector("[data-desk]");
  const stops = () => table ? [...table.querySelectorAll("tbody th a")] : [...document.querySelectorAll(".who input:not([type=hidden])")].filter((it, n, all) => it.closest(".who") !== all[n - 1]?.closest(".who") && it.checkVisibility());
  const part = (it) => it.closest(table ? "tr" : ".who");
  const here = () => stops().findIndex((it) => part(it).contains(document.activeElement));

  const go = (step) => {
    const all = stops(), at = here();
    all[at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
  };
  const box = () => table?.querySelectorAll("tbody tr")[here()]?.querySelector("[name=chosen]");
  const choose = () => {
    if (table && !table.querySelector("[name=chosen]:checked") && box()) box().checked = true;
  };
  const acts = {
    j: () => go(1),
    k: () => go(-1),
    x: () => { if (box()) box().checked = !box().checked; },
    a: () => { choose(); document.querySelector("[data-key=a]")?.focus(); },
    h: () => { choose(); document.querySelector(".decision textarea")?.focus(); },
    "?": () => {
      const keys = document.querySelector("[data-keys]");
      keys.open = !keys.open;
      keys.querySelector("summary").focus();
    },
  };

  const keys = document.querySelector("[data-keys]");
  if (!keys) return;
  keys.hidden = false;
  document.addEventListener("keydown", (event) => {
    const act = acts[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    event.preventDefault();
    act();
  });
})();
