// The key / leads to the search. What is suggested under the field goes with Escape, and when one goes away.
(() => {
  "use strict";

  const field = () => document.querySelector("[data-search] input[type=search]");
  const isTyping = (at) => at.closest("input, select, textarea, [contenteditable]") !== null;
  const forget = (form) => form.querySelector(".suggested")?.replaceChildren();

  document.addEventListener("keydown", (event) => {
    const form = event.target.closest("[data-search]");
    if (event.key === "Escape" && form) {
      forget(form);
      field()?.focus();
    }
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target) || !field()) return;
    event.preventDefault();
    field().focus();
    field().select();
  });
  document.addEventListener("focusout", (event) => {
    const form = event.target.closest("[data-search]");
    if (form && event.relatedTarget && !form.contains(event.relatedTarget)) forget(form);
  });
  document.addEventListener("click", (event) => {
    const form = document.querySelector("[data-search]");
    if (form && !form.contains(event.target)) forget(form);
  });
})();
