// Beside each slider (input type=range) stands its number (output for=ID), also while it is moved.
(() => {
  "use strict";

  document.addEventListener("input", (event) => {
    const slider = event.target;
    if (slider.type !== "range") return;
    const shown = document.querySelector(`output[for="${CSS.escape(slider.id)}"]`);
    if (shown) shown.value = slider.value;
  });
})();
