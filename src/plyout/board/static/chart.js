// The value of every root move over the visits of the search, whose scale is logarithmic. Where the result of a move is
// proven its curve ends, with a sign: what was counted says nothing any more.

import { colours } from "./looks.js";

const LINES = ["#1b74c4", "#d9541e", "#3a9d5d", "#9b59b6", "#c9a227", "#4fb3bf"];

const SIGNS = ["", "✓", "=", "✗"], CERTAIN = [0.5, 1, 0.5, 0];

export function drawChart(canvas, columns, rows, at) {
  const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();
  if (!box.width) return;
  canvas.width = Math.round(box.width * ratio);
  canvas.height = Math.round(box.height * ratio);
  const c = canvas.getContext("2d"), palette = colours(canvas);
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  const left = 34, right = box.width - 46, top = 6, bottom = box.height - 18;
  c.font = "11px system-ui, sans-serif";
  if (!rows.length) return;
  const last = rows[rows.length - 1], order = columns.map((_, m) => m).sort((a, b) => (last.visits[b] || 0) - (last.visits[a] || 0));
  const leading = order.slice(0, LINES.length).filter((m) => last.visits[m] > 0);
  let low = 1, high = 0;
  for (const m of leading)
    for (const row of rows) if ((row.visits[m] || 0) >= 4 && !row.proofs[m]) (low = Math.min(low, row.values[m])), (high = Math.max(high, row.values[m]));
  if (low > high) (low = 0), (high = 1);
  const pad = Math.max(0.02, (high - low) * 0.12);
  low = Math.max(0, low - pad);
  high = Math.min(1, high + pad);
  const end = Math.log2(Math.max(2, last.n));
  const x = (n) => left + ((right - left) * Math.log2(Math.max(1, n))) / end, y = (v) => bottom - ((bottom - top) * (v - low)) / (high - low);
  c.strokeStyle = palette.line;
  c.fillStyle = palette.soft;
  c.lineWidth = 1;
  for (let i = 0; i <= 4; i++) {
    const v = low + ((high - low) * i) / 4;
    c.beginPath();
    c.moveTo(left, y(v));
    c.lineTo(right, y(v));
    c.stroke();
    c.textAlign = "right";
    c.fillText(`${Math.round(100 * v)} %`, left - 4, y(v) + 4);
  }
  c.textAlign = "center";
  for (let n = 1; n <= last.n; n *= last.n > 5000 ? 100 : 10) c.fillText(short(n), x(n), box.height - 4);
  const inside = (at) => Math.max(top, Math.min(bottom, at));
  const curve = (m, colour, width, alpha) => {
    c.beginPath();
    let end = null;
    for (const row of rows) {
      if (!(row.visits[m] > 0)) continue;
      if (row.proofs[m]) break;
      const at = [x(row.n), inside(y(row.values[m]))];
      if (end) c.lineTo(...at);
      else c.moveTo(...at);
      end = at;
    }
    if (end && last.proofs[m]) {
      c.fillStyle = colour;
      c.fillText(SIGNS[last.proofs[m]], end[0] + 2, end[1] + 4);
    }
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.globalAlpha = alpha;
    c.stroke();
    c.globalAlpha = 1;
  };
  c.textAlign = "left";
  for (const m of order.slice(LINES.length)) curve(m, palette.soft, 0.7, 0.3);
  leading.forEach((m, i) => curve(m, LINES[i], i ? 1.5 : 2.4, 1));
  const name = (m, i) => {
    const proof = last.proofs[m], text = columns[m][1] + (proof ? ` ${SIGNS[proof]}` : "");
    return { text, colour: LINES[i], at: inside(y(proof ? CERTAIN[proof] : last.values[m])) + 4 };
  };
  const names = leading.map(name).sort((a, b) => a.at - b.at);
  let below = top + 8; // names keep out of each other's way, and inside
  for (const each of names) below = (each.at = Math.max(each.at, below)) + 11;
  let above = bottom + 4;
  for (const each of [...names].reverse()) above = (each.at = Math.min(each.at, above)) - 11;
  for (const each of names) {
    c.fillStyle = each.colour;
    c.fillText(each.text, right + 4, each.at);
  }
  if (at !== null && rows[at]) {
    c.beginPath();
    c.moveTo(x(rows[at].n), top);
    c.lineTo(x(rows[at].n), bottom);
    c.strokeStyle = palette.accent;
    c.lineWidth = 1.5;
    c.stroke();
  }
}

export function short(n) {
  if (n >= 1e9) return `${+(n / 1e9).toPrecision(3)}G`;
  if (n >= 1e6) return `${+(n / 1e6).toPrecision(3)}M`;
  return n >= 1e4 ? `${+(n / 1e3).toPrecision(3)}k` : String(Math.round(n));
}
