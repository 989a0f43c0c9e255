// The drawing of a search tree: a river from left to right that divides by visits. Nodes keep their place among their
// siblings in the order in which they first appeared, so that the drawing grows and does not jump.

import { label, piecesOf, play } from "./position.js";
import { colourOf, colours, markOf, pathOf } from "./looks.js";
import { svgOf } from "./picture.js";

// Drawing takes processors from the search, most of all where there is no graphics card.
const WAYS = 2, FRAME = 80; // so many drawings from one picture to the next, and milliseconds between them
const FAR = 8; // pixels: where nothing that has a name moves so far, one drawing is enough
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class TreeView {
  constructor(canvas, handlers) {
    this.canvas = canvas;
    this.handlers = handlers;
    this.nodes = [];
    this.named = []; // those that have a label
    this.known = new Map(); // nodes by their path, from picture to picture
    this.seen = 0;
    this.chosen = null;
    this.prefix = []; // the moves that lead to the first node
    this.frames = []; // how long the last drawings took, in milliseconds
    new ResizeObserver(() => this.resize()).observe(canvas);
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    canvas.addEventListener("pointerleave", () => handlers.onHover(null));
    canvas.addEventListener("click", (event) => this.click(event));
    canvas.addEventListener("dblclick", (event) => this.deeper(event));
    canvas.addEventListener("keydown", (event) => this.key(event));
    this.resize();
  }

  clear() {
    this.nodes = [];
    this.named = [];
    this.known.clear();
    this.chosen = null;
    this.prefix = [];
    this.draw();
  }

  resize() {
    const ratio = window.devicePixelRatio || 1, box = this.canvas.getBoundingClientRect();
    if (!box.width) return;
    this.width = box.width;
    this.height = box.height;
    this.canvas.width = Math.round(box.width * ratio);
    this.canvas.height = Math.round(box.height * ratio);
    this.context = this.canvas.getContext("2d");
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.layOut();
    for (const node of this.nodes) node.now = { ...node.to };
    this.draw();
  }

  // tree: columns as the server sends them; root: the FEN and the side to move of the position that is searched.
  update(tree, root) {
    const prefix = tree.focus || [];
    this.root = root;
    this.prefix = prefix;
    const nodes = tree.move.map((move, i) => {
      const parent = i ? tree.parent[i] : -1;
      return { i, parent, move, visits: tree.visits[i], value: tree.value[i] / 1000, prior: tree.prior[i] / 1000,
        proof: tree.proof[i], plies: tree.plies[i], children: [] };
    });
    const traps = new Set(tree.traps);
    for (const node of nodes) {
      const above = node.i ? nodes[node.parent] : null;
      node.line = above ? [...above.line, node.move] : [...prefix];
      node.depth = above ? above.depth + 1 : 0;
      node.path = node.line.join(" ");
      const known = [node.value, 1, 0.5, 0][node.proof]; // what is proven goes before what was counted
      node.forRoot = node.line.length % 2 ? known : 1 - known;
      node.trap = traps.has(node.i);
      node.above = above;
      if (above) above.children.push(node);
    }
    for (const [i, other] of Object.entries(tree.shared)) nodes[i].shown = nodes[other];
    this.keep(nodes);
    this.layOut();
    this.animate();
  }

  // Give nodes the places that they had in the last picture.
  keep(nodes) {
    const known = new Map();
    for (const node of nodes) {
      const old = this.known.get(node.path), at = node.above || node;
      node.seq = old ? old.seq : this.seen++;
      node.label = old ? old.label : undefined;
      node.from = old ? { ...old.now } : { x: at.from ? at.from.x : 0, y: at.from ? at.from.y : this.height / 2, r: 0 };
      node.fresh = !old;
      node.now = { ...node.from };
      known.set(node.path, node);
    }
    this.known = known;
    this.nodes = nodes;
    if (this.chosen) this.chosen = known.get(this.chosen.path) || null;
  }

  layOut() {
    const nodes = this.nodes;
    if (!nodes.length || !this.width) return;
    const most = Math.max(1, nodes[0].visits), deepest = Math.max(1, ...nodes.map((n) => n.depth));
    const big = Math.min(24, this.height / 16, this.width / 22), left = big + 10, beyond = 1.2 * big; // clear of the root
    const step = Math.min(110, (this.width - left - beyond - 26) / deepest);
    const top = 34, height = this.height - top - 24;
    nodes[0].span = [0, 1];
    for (const node of nodes) {
      node.to = {
        x: left + (node.depth ? beyond : 0) + node.depth * step,
        y: top + height * (node.span[0] + node.span[1]) / 2,
        r: Math.max(1.4, big * Math.sqrt(node.visits / most)),
      };
      const order = [];
      node.children.sort((a, b) => a.seq - b.seq);
      node.children.forEach((child, i) => (i % 2 ? order.unshift(child) : order.push(child)));
      const weights = order.map((child) => Math.max(child.visits, 0.5) ** 0.72), sum = weights.reduce((a, b) => a + b, 0);
      const priors = order.map((child) => child.prior), low = Math.min(...priors), high = Math.max(...priors);
      let at = node.span[0];
      order.forEach((child, i) => {
        const part = ((node.span[1] - node.span[0]) * weights[i]) / sum;
        child.span = [at, at + part];
        child.likely = high > low ? (child.prior - low) / (high - low) : 0.5;
        at += part;
      });
    }
    this.nameSome();
  }

  // Choose the nodes that get a name: the most visited first, as long as there is room for it.
  nameSome() {
    const taken = [];
    this.named = [];
    for (const node of this.nodes) {
      if (!node.i || node.to.r < 3.2 || this.named.length >= 90) continue;
      const half = 3.6 * this.labelOf(node).length + 2, y = node.to.y - node.to.r - 3;
      const box = [node.to.x - half, node.to.x + half, y - 12, y + 2];
      if (taken.some((b) => box[0] < b[1] && box[1] > b[0] && box[2] < b[3] && box[3] > b[2])) continue;
      taken.push(box);
      this.named.push(node);
    }
  }

  animate() {
    clearTimeout(this.waiting);
    cancelAnimationFrame(this.pending);
    if (!this.width) return; // nobody sees it
    let way = still.matches || !this.moves() ? WAYS : 1;
    const tick = () => {
      const ease = 1 - (1 - way / WAYS) ** 3;
      for (const node of this.nodes)
        for (const k of ["x", "y", "r"]) node.now[k] = node.from[k] + (node.to[k] - node.from[k]) * ease;
      const start = performance.now();
      this.draw();
      this.frames.push(performance.now() - start);
      if (this.frames.length > 240) this.frames.shift();
      if (way++ < WAYS) this.waiting = setTimeout(() => (this.pending = requestAnimationFrame(tick)), FRAME);
    };
    this.pending = requestAnimationFrame(tick);
  }

  // Whether something moves so far that one should see where it went.
  moves() {
    return this.named.some((n) => !n.fresh && Math.hypot(n.to.x - n.from.x, n.to.y - n.from.y) > FAR);
  }

  draw() {
    const c = this.context;
    if (!c) return;
    const palette = colours(this.canvas);
    c.clearRect(0, 0, this.width, this.height);
    if (!this.nodes.length) {
      c.fillStyle = palette.soft;
      c.font = "14px system-ui, sans-serif";
      c.textAlign = "center";
      c.fillText("The tree appears here while a search is running.", this.width / 2, this.height / 2);
      return;
    }
    const most = Math.max(1, this.nodes[0].visits);
    this.edges(c, most, palette);
    for (const node of this.nodes) if (node.shown) this.link(c, node, palette);
    this.dots(c, palette);
    for (let i = this.nodes.length - 1; i >= 0; i--) if (!isDot(this.nodes[i])) this.circle(c, this.nodes[i], palette);
    c.font = "12px system-ui, sans-serif";
    c.textAlign = "center";
    for (const node of this.named) this.name(c, node, palette);
    if (this.chosen) this.ring(c, this.chosen, palette);
  }

  edges(c, most, palette) {
    const looks = new Map();
    for (let i = this.nodes.length - 1; i > 0; i--) {
      const node = this.nodes[i], a = node.above.now, b = node.now, middle = (a.x + b.x) / 2;
      const width = 0.5 + Math.round(22 * Math.sqrt(node.visits / most)) / 2;
      const path = pathOf(looks, colourOf(node.forRoot, palette, 0.16 + 0.42 * node.likely), width);
      path.moveTo(a.x, a.y);
      path.bezierCurveTo(middle, a.y, middle, b.y, b.x, b.y);
    }
    for (const { path, colour, width } of looks.values()) {
      c.lineWidth = width;
      c.strokeStyle = colour;
      c.stroke(path);
    }
  }

  // Nodes that are so small that they have neither a border nor a sign.
  dots(c, palette) {
    const looks = new Map();
    for (const node of this.nodes) {
      if (!isDot(node)) continue;
      const { x, y, r } = node.now, path = pathOf(looks, colourOf(node.forRoot, palette));
      path.moveTo(x + r, y);
      path.arc(x, y, r, 0, 7);
    }
    for (const { path, colour } of looks.values()) {
      c.fillStyle = colour;
      c.fill(path);
    }
  }

  link(c, node, palette) {
    const a = node.now, b = node.shown.now;
    c.beginPath();
    c.setLineDash([3, 4]);
    c.moveTo(a.x, a.y);
    c.quadraticCurveTo(Math.max(a.x, b.x) + 18, (a.y + b.y) / 2, b.x, b.y);
    c.lineWidth = 0.8;
    c.strokeStyle = palette.soft;
    c.globalAlpha = 0.35;
    c.stroke();
    c.globalAlpha = 1;
    c.setLineDash([]);
  }

  circle(c, node, palette) {
    const { x, y, r } = node.now;
    c.beginPath();
    if (node.shown) {
      const d = r + 1.2;
      c.moveTo(x - d, y);
      c.lineTo(x, y - d);
      c.lineTo(x + d, y);
      c.lineTo(x, y + d);
      c.closePath();
    } else c.arc(x, y, r, 0, 7);
    c.fillStyle = colourOf(node.forRoot, palette);
    c.fill();
    if (r > 4) {
      c.lineWidth = 1;
      c.strokeStyle = palette.paper;
      c.stroke();
    }
    const mark = markOf(node);
    if (mark) {
      c.font = `bold ${Math.max(11, r)}px system-ui, sans-serif`;
      c.textAlign = "center";
      c.textBaseline = "middle";
      c.fillStyle = r > 7 ? palette.paper : palette.ink;
      c.fillText(mark, r > 7 ? x : x + 8, r > 7 ? y : y);
      c.textBaseline = "alphabetic";
    }
  }

  name(c, node, palette) {
    const text = this.labelOf(node), y = node.now.y - node.now.r - 3;
    c.lineWidth = 3;
    c.strokeStyle = palette.paper;
    c.strokeText(text, node.now.x, y);
    c.fillStyle = palette.ink;
    c.fillText(text, node.now.x, y);
  }

  ring(c, node, palette) {
    c.beginPath();
    c.arc(node.now.x, node.now.y, node.now.r + 4, 0, 7);
    c.lineWidth = 2.5;
    c.strokeStyle = palette.accent;
    c.stroke();
  }

  // The position of a node, and the last move's squares.
  positionOf(node, without = 0) {
    const pieces = piecesOf(this.root.fen), line = node.line.slice(0, node.line.length - without);
    let turn = this.root.turn;
    for (const uci of line) {
      play(pieces, uci, turn);
      turn = turn === "white" ? "black" : "white";
    }
    return { pieces, turn };
  }

  // The moves of a line by name.
  names(line) {
    const pieces = piecesOf(this.root.fen);
    return line.map((uci, i) => {
      const name = label(pieces, uci), white = (this.root.turn === "white") === (i % 2 === 0);
      play(pieces, uci, white ? "white" : "black");
      return name;
    });
  }

  labelOf(node) {
    if (node.label === undefined) node.label = label(this.positionOf(node, 1).pieces, node.move);
    return node.label;
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    let best = null, nearest = 1e9;
    for (const node of this.nodes) {
      const away = Math.hypot(node.now.x - x, node.now.y - y) - node.now.r;
      if (away < Math.min(nearest, 9)) (best = node), (nearest = away);
    }
    return best;
  }

  hover(event) {
    this.handlers.onHover(event.pointerType === "touch" ? null : this.at(event), event.clientX, event.clientY);
  }

  click(event) {
    const node = this.at(event);
    if (node) this.choose(node);
  }

  deeper(event) {
    const node = this.at(event);
    if (node && node.i) this.handlers.onLook(node);
  }

  choose(node) {
    this.chosen = node;
    this.draw();
    this.handlers.onChoose(node);
  }

  key(event) {
    const now = this.chosen || this.nodes[0];
    if (!now) return;
    const bySize = (list) => [...list].sort((a, b) => b.visits - a.visits);
    const across = (way) => {
      if (!now.above) return null;
      const all = [...now.above.children].sort((a, b) => a.to.y - b.to.y);
      return all[all.indexOf(now) + way];
    };
    const ways = { ArrowLeft: () => now.above, ArrowRight: () => bySize(now.children)[0], ArrowUp: () => across(-1), ArrowDown: () => across(1) };
    if (ways[event.key]) {
      const node = ways[event.key]();
      if (node) this.choose(node);
    } else if (event.key === "Enter") this.handlers.onGo(now);
    else if (event.key === "l") this.handlers.onLook(now);
    else if (event.key === "Backspace") this.handlers.onUp();
    else if (event.key === "Escape") {
      this.chosen = null;
      this.draw();
      this.handlers.onChoose(null);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  svg() {
    return svgOf(this, colours(this.canvas));
  }
}

const isDot = (node) => node.now.r <= 4 && !node.shown && !markOf(node);
