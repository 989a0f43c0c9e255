// The drawing as an SVG text: the same picture, for papers and pages.

import { colourOf, markOf } from "./looks.js";

const escape = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const n = (x) => Math.round(x * 10) / 10;

export function svgOf(view, palette) {
  const parts = [], most = Math.max(1, view.nodes.length ? view.nodes[0].visits : 1);
  for (const node of [...view.nodes].reverse()) {
    if (!node.above) continue;
    const a = node.above.to, b = node.to, middle = n((a.x + b.x) / 2), width = n(0.5 + 11 * Math.sqrt(node.visits / most));
    const opacity = n(0.16 + 0.42 * node.likely);
    parts.push(`<path d="M${n(a.x)} ${n(a.y)}C${middle} ${n(a.y)} ${middle} ${n(b.y)} ${n(b.x)} ${n(b.y)}" fill="none" stroke="${colourOf(node.forRoot, palette)}" stroke-opacity="${opacity}" stroke-width="${width}"/>`);
  }
  for (const node of view.nodes) {
    if (!node.shown) continue;
    const a = node.to, b = node.shown.to;
    parts.push(`<path d="M${n(a.x)} ${n(a.y)}Q${n(Math.max(a.x, b.x) + 18)} ${n((a.y + b.y) / 2)} ${n(b.x)} ${n(b.y)}" fill="none" stroke="${palette.soft}" stroke-opacity=".35" stroke-dasharray="3 4" stroke-width=".8"/>`);
  }
  for (const node of [...view.nodes].reverse()) {
    const { x, y, r } = node.to, fill = colourOf(node.forRoot, palette);
    const told = `${node.line.join(" ") || "root"}: ${Math.round(node.visits)} visits, ${(100 * node.forRoot).toFixed(1)} %`;
    const shape = node.shown
      ? `<path d="M${n(x - r - 1)} ${n(y)}L${n(x)} ${n(y - r - 1)}L${n(x + r + 1)} ${n(y)}L${n(x)} ${n(y + r + 1)}Z" fill="${fill}">`
      : `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}">`;
    parts.push(`${shape}<title>${escape(told)}</title>${node.shown ? "</path>" : "</circle>"}`);
    const mark = markOf(node);
    if (mark) parts.push(`<text x="${n(r > 7 ? x : x + 8)}" y="${n(y + 4)}" text-anchor="middle" font-weight="bold" fill="${r > 7 ? palette.paper : palette.ink}">${mark}</text>`);
  }
  for (const node of view.named)
    parts.push(`<text x="${n(node.to.x)}" y="${n(node.to.y - node.to.r - 3)}" text-anchor="middle" fill="${palette.ink}" stroke="${palette.paper}" stroke-width="3" paint-order="stroke">${escape(view.labelOf(node))}</text>`);
  const w = Math.round(view.width), h = Math.round(view.height);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="sans-serif" font-size="12"><rect width="${w}" height="${h}" fill="${palette.paper}"/>${parts.join("")}</svg>\n`;
}
