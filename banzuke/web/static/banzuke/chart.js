// Draws <figure class="chart" data-chart> from the table inside it, which stays as it is for whoever can't or
// won't see curves (in <details open>, closed once the curves are drawn).
//
// The first column is x: the th's data-x, else its text, a day (2025-03-01), a month (2025-03) or a number. Every
// other column is a curve named by its heading; an empty cell is no point; data-value goes before the text.
// On a heading: data-line="dashed" (a limit: thin, dashed, no points) or "stepped" (a limit that holds from its row
// on; two of them are the edges of a band), data-skip (not drawn).
// On the figure: data-draw="bars" (columns instead of curves), data-height (pixels; 280), data-x and data-y (what
// the axes count). Days stand where there are rows, the first and the last always; whole figures have whole marks.
// The curves can be read by mouse, finger and the arrow keys; the reading stands above them as text.
(() => {
  "use strict";

  const DAY = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/;
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function text(cell) {
    if ("value" in cell.dataset) return cell.dataset.value;
    const bare = cell.cloneNode(true);
    for (const unseen of bare.querySelectorAll(".sr")) unseen.remove();
    return bare.textContent.trim().replaceAll("−", "-");
  }

  const printed = (value) => String(value).replace("-", "−");

  function number(cell) {
    const found = text(cell);
    return found === "" || Number.isNaN(Number(found)) ? null : Number(found);
  }

  function place(cell) {
    const said = cell.dataset.x ?? text(cell);
    const day = DAY.exec(said);
    return day ? Date.UTC(day[1], day[2] - 1, day[3] ?? 1) / 1000 : Number(said);
  }

  function read(table) {
    const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    const wanted = heads.map((_, at) => at).filter((at) => at > 0 && !("skip" in heads[at].dataset));
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
    const points = rows.map((row) => ({ x: place(row.cells[0]), label: text(row.cells[0]), row }));
    const isTime = rows.some((row) => DAY.test(row.cells[0].dataset.x ?? text(row.cells[0])));
    points.sort((one, other) => one.x - other.x);
    return {
      isTime,
      labels: points.map((point) => point.label),
      series: wanted.map((at) => ({ label: text(heads[at]), isLimit: "line" in heads[at].dataset, isStepped: heads[at].dataset.line === "stepped" })),
      data: [points.map((point) => point.x)].concat(
        wanted.map((at) => points.map((point) => (point.row.cells[at] ? number(point.row.cells[at]) : null))),
      ),
    };
  }

  // Columns are large areas: they leave the first, loudest colour to curves.
  const series = (at, draw) => ((draw === "bars" ? at + 1 : at) % 4) + 1;

  function curve(one, at, draw) {
    const stroke = colour(`--series-${series(at, draw)}`);
    if (one.isLimit) return { label: one.label, stroke: colour("--edge"), width: 1, dash: [6, 4], spanGaps: !one.isStepped, points: { show: false }, ...(one.isStepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}) };
    if (draw === "bars") return { label: one.label, stroke, fill: stroke, width: 0, paths: uPlot.paths.bars({ size: [0.8, 60] }), points: { show: false } };
    return { label: one.label, stroke, width: 2, spanGaps: true, points: { size: 6, fill: stroke } };
  }

  // The band lies under everything; where its upper edge is missing it reaches to the top.
  function band(plot, table) {
    const edges = table.series.flatMap((one, at) => (one.isStepped ? [table.data[at + 1]] : []));
    if (edges.length !== 2) return;
    plot.ctx.fillStyle = colour("--band");
    for (const [at, x] of table.data[0].slice(0, -1).entries()) {
      if (edges[1][at] === null) continue;
      const [left, right] = [x, table.data[0][at + 1]].map((value) => plot.valToPos(value, "x", true));
      const top = edges[0][at] === null ? plot.bbox.top : plot.valToPos(edges[0][at], "y", true);
      plot.ctx.fillRect(left, top, right - left, plot.valToPos(edges[1][at], "y", true) - top);
    }
  }

  function axis(more) {
    const line = { stroke: colour("--rule"), width: 1 };
    return { stroke: colour("--soft"), font: `12px ${getComputedStyle(document.body).fontFamily}`, grid: line, ticks: line, ...more };
  }

  const figures = (_, splits) => splits.map(printed);

  // As pages write days (2026-11-22, in Japanese 2026年11月22日); the month alone where no two marks are of one month.
  function days(lang) {
    return (_, splits) => {
      const found = splits.map((at) => new Date(at * 1000).toISOString());
      const isOfMonths = new Set(found.map((day) => day.slice(0, 7))).size === found.length;
      const written = found.map((day) => day.slice(0, isOfMonths ? 7 : 10));
      return lang === "ja" ? written.map(japanese) : written;
    };
  }

  function japanese(day) {
    return day.split("-").map((part, at) => `${Number(part)}${"年月日"[at]}`).join("");
  }

  // So many rows, evenly, as have room for their day.
  function marked(values) {
    return (plot) => {
      const last = values.length - 1;
      const count = Math.max(1, Math.min(last, Math.floor((plot.width - 56) / ROOM) - 1));
      const found = Array.from({ length: count + 1 }, (_, at) => values[Math.round((at * last) / count)]);
      return [...new Set(found)];
    };
  }

  const ROOM = 92;
  const WHOLE = [1, 10, 100, 1e3, 1e4, 1e5, 1e6].flatMap((power) => [power, 2 * power, 5 * power]);

  // Half a step more at both ends, so that the outer columns are whole.
  function widened(values) {
    const steps = values.slice(1).map((value, at) => value - values[at]);
    const half = Math.min(...steps) / 2 || 1;
    return (_, low, high) => [low - half, high + half];
  }

  function options(figure, table, width) {
    const bars = figure.dataset.draw === "bars";
    return {
      width,
      height: Number(figure.dataset.height ?? 280),
      legend: { show: false },
      padding: [null, 32, null, null],
      cursor: { y: false, drag: { x: false, y: false } },
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), "UTC"),
      scales: { x: { time: table.isTime, ...(bars ? { range: widened(table.data[0]) } : {}) }, y: bars ? { range: (_, low, high) => [Math.min(0, low), high * 1.05 || 1] } : {} },
      axes: [
        axis({ grid: { show: false }, space: table.isTime ? 80 : 40, ...named(figure.dataset.x), ...(table.isTime ? { values: days(document.documentElement.lang), splits: marked(table.data[0]) } : { values: figures, ...(table.data[0].every(Number.isInteger) ? { incrs: WHOLE } : {}) }) }),
        axis({ size: 56, values: figures, ...named(figure.dataset.y), ...(isWhole(table) ? { incrs: WHOLE } : {}) }),
      ],
      hooks: { drawClear: [(plot) => band(plot, table)] },
      series: [{}, ...table.series.map((one, at) => curve(one, at, figure.dataset.draw))],
    };
  }

  const named = (label) => (label ? { label, labelSize: 20, labelFont: `12px ${getComputedStyle(document.body).fontFamily}` } : {});
  const isWhole = (table) => table.data.slice(1).flat().every((value) => value === null || Number.isInteger(value));

  function reading(table, at, draw) {
    const parts = table.series.map((one, number) => {
      const key = document.createElement("span");
      key.className = one.isLimit ? "key dashed" : `key key-${series(number, draw)}`;
      const value = at === null ? null : table.data[number + 1][at];
      key.textContent = value === null ? one.label : `${one.label} ${printed(value)}`;
      return key;
    });
    const when = document.createElement("b");
    when.textContent = at === null ? "" : table.labels[at];
    return at === null ? parts : [when, ...parts];
  }

  function stepped(key, at, count) {
    if (key === "Home") return 0;
    if (key === "End") return count - 1;
    if (key === "ArrowLeft") return at === null ? count - 1 : Math.max(0, at - 1);
    if (key === "ArrowRight") return at === null ? 0 : Math.min(count - 1, at + 1);
    return null;
  }

  function draw(figure) {
    const source = figure.querySelector("table");
    if (!source || !source.tHead || source.tBodies[0].rows.length < 2 || figure.querySelector(".plot")) return;
    const table = read(source);
    const plot = document.createElement("div");
    plot.className = "plot";
    plot.tabIndex = 0;
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", figure.querySelector("figcaption")?.textContent.trim() ?? source.caption?.textContent.trim() ?? "");
    const said = document.createElement("output");
    said.className = "reading";
    const details = figure.querySelector("details");
    [...figure.children].find((part) => part.contains(source)).before(said, plot);
    if (details) details.open = false;

    let chart = null;
    let at = null;
    const tell = (index) => {
      at = index;
      said.replaceChildren(...reading(table, index, figure.dataset.draw));
    };
    const make = () => {
      chart?.destroy();
      chart = new uPlot(options(figure, table, plot.clientWidth), table.data, plot);
      chart.over.addEventListener("mouseleave", () => tell(null));
      chart.over.addEventListener("mousemove", () => tell(chart.cursor.idx ?? null));
    };
    plot.addEventListener("keydown", (event) => {
      const next = stepped(event.key, at, table.labels.length);
      if (next === null) return;
      event.preventDefault();
      chart.setCursor({ left: chart.valToPos(table.data[0][next], "x"), top: 0 });
      tell(next);
    });
    make();
    tell(null);
    new ResizeObserver(() => chart.setSize({ width: plot.clientWidth, height: chart.height })).observe(plot);
    for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", make);
  }

  const all = (root) => root.querySelectorAll("figure[data-chart]").forEach(draw);
  document.addEventListener("htmx:load", (event) => all(event.target));
  all(document);
})();
