// What is typed into a form[data-keeps] is kept in this tab until it has arrived: over a session that ends, a wrong
// value, a page that is left. It is each user's own, and gone when one signs out. Passwords and files are never kept.
// A page that answers a form with the same form says by form[data-arrived] that it has taken what was typed.
// <template id="draft" data-user> has the notice that something was filled in again, with a button to discard it.
(() => {
  "use strict";

  const PREFIX = "banzuke-draft:", SIGNED_OUT = "banzuke-signed-out", ANSWER = 2000, SOON = 200;
  const template = document.getElementById("draft");
  const user = template?.dataset.user;
  const mine = (key) => user !== undefined && key.startsWith(`${PREFIX}${user}:`);
  const keys = () => Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
  const read = (key) => JSON.parse(sessionStorage.getItem(key));
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  let isGoing = false;

  function write(key, draft) {
    try {
      sessionStorage.setItem(key, JSON.stringify(draft));
    } catch {
      sessionStorage.removeItem(key); // no room: better none than half of it
    }
  }

  const isKept = (field) => field.name && field.name !== "csrfmiddlewaretoken" && !field.disabled
    && !["password", "file", "hidden", "submit", "button", "reset"].includes(field.type);
  const isTicked = (field) => field.type === "checkbox" || field.type === "radio";

  // The values of a field as it is, or as the page came with it: none of a box that is not ticked.
  function valuesOf(field, came) {
    if (isTicked(field)) return (came ? field.defaultChecked : field.checked) ? [field.value] : [];
    if (field.tagName !== "SELECT") return [came ? field.defaultValue : field.value];
    const chosen = [...field.options].filter((one) => (came ? one.defaultSelected : one.selected));
    return (chosen.length || field.multiple ? chosen : [...field.options].slice(0, 1)).map((one) => one.value);
  }

  function formValues(form, came) {
    const found = {};
    for (const field of [...form.elements].filter(isKept)) {
      found[field.name] = (found[field.name] ?? []).concat(valuesOf(field, came));
    }
    return found;
  }

  function fill(form, name, values) {
    const left = [...values];
    for (const field of [...form.elements].filter((one) => isKept(one) && one.name === name)) {
      if (isTicked(field)) field.checked = values.includes(field.value);
      else if (field.tagName === "SELECT") for (const one of field.options) one.selected = values.includes(one.value);
      else field.value = left.shift() ?? "";
      field.closest("details")?.setAttribute("open", "");
    }
  }

  // Whether the page is what the office answered to a draft that was sent; `timeOrigin` is when it was asked for.
  const isAnswer = (draft) => Math.abs(performance.timeOrigin - draft.sent) < ANSWER;
  const isRefused = () => document.querySelector("[data-error]") !== null;
  const isDone = () => document.querySelector(".messages .success") !== null;

  function settle() {
    for (const key of keys()) {
      if (user !== undefined && !mine(key)) sessionStorage.removeItem(key);
      else if (read(key).sent) {
        const draft = read(key), form = formOf(key), came = form ? formValues(form, true) : {};
        const isBack = Object.entries(draft.values).some(([name, values]) => same(values, came[name]) && values.join(""));
        const isArrived = !isBack || isDone() || form?.dataset.arrived !== undefined;
        if (user !== undefined && isAnswer(draft) && !isRefused() && isArrived) sessionStorage.removeItem(key);
        else write(key, { ...draft, sent: 0 });
      }
    }
  }

  const forms = [...document.querySelectorAll("form[data-keeps]")];
  const keyOf = (form) => `${PREFIX}${user}:${location.pathname}${location.search}#${forms.indexOf(form)}`;
  const formOf = (key) => forms.find((form) => keyOf(form) === key);

  function keep(form) {
    const kept = sessionStorage.getItem(keyOf(form)) ? read(keyOf(form)).values : {};
    const came = formValues(form, true), now = formValues(form, false);
    const values = { ...kept };
    for (const [name, each] of Object.entries(now)) if (name in kept || !same(each, came[name])) values[name] = each;
    if (Object.keys(values).length) write(keyOf(form), { values, sent: 0 });
  }

  // A script may fill in cells without an event of theirs: after any key or click a form is looked at, in a while.
  const touched = new Map();
  function forgetAll() {
    touched.clear(); // else what was typed a moment ago would be kept after all
    keys().forEach((key) => sessionStorage.removeItem(key));
  }
  function keepSoon(form) {
    if (!touched.has(form)) touched.set(form, setTimeout(() => keepTouched(form), SOON));
  }
  function keepTouched(form) {
    clearTimeout(touched.get(form));
    if (touched.delete(form)) keep(form);
  }

  function restore(form) {
    const kept = sessionStorage.getItem(keyOf(form));
    if (!kept) return;
    const now = formValues(form, false);
    const filled = Object.entries(read(keyOf(form)).values).filter(([name, values]) => name in now && !same(values, now[name]));
    filled.forEach(([name, values]) => fill(form, name, values));
    if (filled.length) tell(form);
  }

  function tell(form) {
    const notice = template.content.firstElementChild.cloneNode(true);
    notice.querySelector("button").addEventListener("click", () => {
      touched.delete(form);
      sessionStorage.removeItem(keyOf(form));
      form.reset();
      notice.remove();
    });
    form.prepend(notice);
  }

  settle();
  if (user !== undefined) forms.forEach(restore);

  for (const form of user === undefined ? [] : forms) {
    for (const name of ["input", "change", "keyup", "click"]) form.addEventListener(name, () => keepSoon(form));
    form.addEventListener("submit", (event) => {
      if (event.defaultPrevented) return;
      isGoing = true;
      touched.set(form, touched.get(form));
      keepTouched(form);
      if (!sessionStorage.getItem(keyOf(form))) return;
      write(keyOf(form), { ...read(keyOf(form)), sent: Date.now() });
    });
  }
  document.addEventListener("submit", (event) => {
    if (new URL(event.target.getAttribute("action") ?? "", location.href).pathname !== "/accounts/logout/") return;
    isGoing = true;
    forgetAll();
    localStorage.setItem(SIGNED_OUT, String(Date.now()));
  });
  // A form that was interrupted by signing in is sent from a page of its own.
  document.addEventListener("submit", (event) => {
    const page = event.target.dataset.sends;
    for (const key of page ? keys().filter((each) => each.startsWith(`${PREFIX}${user}:${page}#`)) : []) {
      write(key, { ...read(key), sent: Date.now() });
    }
  });
  window.addEventListener("storage", (event) => { if (event.key === SIGNED_OUT) forgetAll(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) { isGoing = false; settle(); } });
  window.addEventListener("pagehide", () => [...touched.keys()].forEach(keepTouched));
  window.addEventListener("beforeunload", (event) => {
    [...touched.keys()].forEach(keepTouched);
    if (!isGoing && user !== undefined && forms.some((form) => sessionStorage.getItem(keyOf(form)))) event.preventDefault();
  });
})();
