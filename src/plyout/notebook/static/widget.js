// A search in a notebook: board, tree, history, the best moves. It shows what the kernel says.

import { Chessground } from "board/vendor/chessground/chessground.min.js";
import { Course, percent, PROOFS, tell, valueText } from "board/course.js";
import { changed } from "board/elements.js";
import { TreeView } from "board/tree.js";
import { drawChart, short } from "board/chart.js";
import { miniBoard, shapeOf, squaresOf } from "board/position.js";

const ROWS = 5;
const views = new WeakMap(); // how many views a model has

const PAGE = `
<div class="head"><b class="title"></b><span class="numbers"></span><button class="go" type="button">Start</button></div>
<div class="left"><div class="board"></div><table><tbody></tbody></table></div>
<div class="right">
  <div class="drawing"><canvas class="tree" tabindex="0" role="img" aria-label="Search tree"></canvas><div class="trail"></div></div>
  <div class="time"><input class="slider" type="range" min="0" max="0" value="0" aria-label="The history of the search"><output class="when"></output></div>
  <canvas class="curves" role="img" aria-label="Values of the root moves over the iterations"></canvas>
  <div class="event" aria-live="polite"></div>
</div>
<div class="hover" hidden></div>
<div class="wrong" role="alert"></div>`;

class View extends Course {
  constructor(model, el) {
    super();
    this.model = model;
    this.el = document.createElement("div");
    this.el.className = "plyout-live";
    this.el.dataset.lmSuppressShortcuts = "true"; // keys are the drawing's here, not the notebook's
    this.el.innerHTML = PAGE; // a text of ours
    this.el.plyout = this; // for those who look in from outside
    el.append(this.el);
    this.find = (selector) => this.el.querySelector(selector);
    this.root = { fen: model.get("fen"), turn: model.get("fen").split(" ")[1] === "b" ? "black" : "white" };
    this.ground = Chessground(this.find(".board"), { viewOnly: true, coordinates: true, fen: this.plain(), animation: { enabled: false }, drawable: { enabled: false, visible: true } });
    this.tree = new TreeView(this.find(".tree"), {
      onHover: (node, x, y) => this.hover(node, x, y),
      onChoose: (node) => this.choose(node),
      onGo: () => {},
      onLook: (node) => this.look(node.line),
      onUp: () => this.look(this.tree.prefix.slice(0, -1)),
    });
    this.observer = new ResizeObserver(() => {
      this.ground.redrawAll();
      this.chart();
    });
    this.observer.observe(this.find(".board"));
    this.observer.observe(this.find(".curves"));
    this.themes = new MutationObserver(() => {
      this.tree.draw();
      this.chart();
    });
    this.themes.observe(document.body, { attributeFilter: ["data-jp-theme-light", "class"] });
    this.find(".go").addEventListener("click", () => this.send({ t: this.running ? "stop" : "start" }));
    this.slider = this.find(".slider");
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    this.receive = (message) => this.hear(message);
    model.on("msg:custom", this.receive);
    this.reset();
    this.render();
    this.send({ t: "ready" });
  }

  plain() {
    return this.root.fen.replace(/\[.*?\]/, "").replace(/~/g, "");
  }

  send(message) {
    this.model.send(message);
  }

  close() {
    this.model.off("msg:custom", this.receive);
    this.observer.disconnect();
    this.themes.disconnect();
    this.ground.destroy();
    this.el.remove();
  }

  reset() {
    super.reset();
    this.chosen = null;
  }

  ask(n) {
    this.send({ t: "frame", n });
  }

  hear(message) {
    if (message.t === "running") this.run(message.on);
    else if (message.t === "begin") this.begin(message);
    else if (message.t === "status") this.find(".numbers").textContent = message.text;
    else if (message.t === "error") this.find(".wrong").textContent = message.text;
    else if (message.t === "history") this.history(message);
    else if (message.t === "search") this.search(message);
    else if (message.t === "frame") this.frame(message);
  }

  run(on) {
    this.running = on;
    this.find(".go").textContent = on ? "Stop" : "Start";
    this.find(".go").setAttribute("aria-pressed", String(on));
    if (on) this.find(".wrong").textContent = "";
  }

  search(message) {
    this.send({ t: "seen" });
    super.search(message);
  }

  render() {
    const row = this.at === null ? null : this.rows[this.at], last = this.last;
    const moves = this.moves();
    this.find(".title").textContent = `${this.model.get("preset")}${moves.length && moves[0][2] > 0 ? ` · ${moves[0][1]}` : ""}`;
    if (row) this.find(".numbers").textContent = `${short(row.n)} iterations · ${row.seconds.toFixed(2)} s · as it was then`;
    else if (last) this.find(".numbers").textContent = `${short(last.nodes)} iterations · ${last.seconds.toFixed(1)} s · ${short(last.size)} nodes · ${percent(last.value)}`;
    this.find(".when").textContent = row ? short(row.n) : !last ? "" : last.ended ? "the end" : "now";
    const until = row ? row.n : Infinity, seen = this.events.filter((e) => e.n <= until), event = seen[seen.length - 1];
    this.find(".event").textContent = event ? `${short(event.n)}: ${tell(event)}` : "";
    this.table(moves);
    this.trail();
    if (!this.chosen) this.position(moves);
  }

  table(moves) {
    const sum = Math.max(1, moves.reduce((a, m) => a + m[2], 0)), most = Math.max(1, ...moves.map((m) => m[2]));
    const cell = (text, name) => {
      const made = document.createElement("td");
      made.textContent = text;
      if (name) made.className = name;
      return made;
    };
    this.find("tbody").replaceChildren(...moves.slice(0, ROWS).map(([, san, visits, value, , proof, mate]) => {
      const line = document.createElement("tr"), share = cell(`${short(visits)} · ${Math.round((100 * visits) / sum)} %`, "share");
      share.style.setProperty("--share", `${(100 * visits) / most}%`);
      line.append(cell(san), share, cell(valueText(value, proof, mate), PROOFS[proof]));
      return line;
    }));
  }

  position(moves) {
    this.ground.set({ fen: this.plain(), turnColor: this.root.turn, lastMove: undefined });
    const visited = moves.filter((m) => m[2] > 0).slice(0, 3), most = visited.length ? visited[0][2] : 1;
    this.ground.setAutoShapes(visited.map(([uci, , visits], i) => shapeOf(uci, 4 + 9 * (visits / most), i ? "paleBlue" : "green")));
  }

  chart() {
    drawChart(this.find(".curves"), this.columns, this.rows, this.at);
  }

  hover(node, x, y) {
    const box = this.find(".hover");
    box.hidden = !node;
    if (!node) return;
    if (node !== this.hovered || !box.firstChild) {
      const words = document.createElement("div"), squares = squaresOf(node.line[node.line.length - 1]);
      words.textContent = `${this.nameLine(node) || "the root"}: ${short(node.visits)} visits, ${percent(node.forRoot)}`;
      box.replaceChildren(miniBoard(this.tree.positionOf(node).pieces, "white", squares), words);
      this.hovered = node;
    }
    const frame = this.el.getBoundingClientRect();
    box.style.left = `${Math.max(0, Math.min(frame.width - 176, x - frame.left + 14))}px`;
    box.style.top = `${Math.max(0, y - frame.top + (y - frame.top > 230 ? -220 : 14))}px`;
  }

  // The position of a node on the board; none: the root again.
  choose(node) {
    this.find(".hover").hidden = true;
    this.chosen = node && node.line.length ? node : null;
    if (this.chosen) {
      const { pieces, turn } = this.tree.positionOf(node);
      this.ground.set({ fen: "8/8/8/8/8/8/8/8", turnColor: turn, lastMove: squaresOf(node.line[node.line.length - 1]) });
      this.ground.setPieces(pieces);
      this.ground.setAutoShapes([]);
    }
    this.render();
  }

  look(line) {
    this.tree.chosen = null;
    this.chosen = null;
    this.send({ t: "look", line });
  }

  trail() {
    const parts = [], prefix = this.tree.prefix;
    if (!changed(this.find(".trail"), [prefix, this.chosen && this.chosen.line])) return;
    const button = (text, action) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = text;
      made.addEventListener("click", action);
      parts.push(made);
    };
    if (prefix.length) {
      button("root", () => this.look([]));
      this.tree.names(prefix).forEach((name, i) => button(name, () => this.look(prefix.slice(0, i + 1))));
    }
    if (this.chosen) {
      const node = this.chosen;
      parts.push(this.nameLine(node));
      button("look deeper", () => this.look(node.line));
      button("×", () => {
        this.tree.chosen = null;
        this.tree.draw();
        this.choose(null);
      });
    }
    this.find(".trail").replaceChildren(...parts);
  }
}

export function render({ model, el }) {
  const view = new View(model, el);
  views.set(model, (views.get(model) || 0) + 1);
  return () => {
    view.close();
    views.set(model, views.get(model) - 1);
    if (!views.get(model)) model.send({ t: "gone" }); // nobody looks on: the search ends
  };
}
