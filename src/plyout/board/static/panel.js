// One search on the page: numbers, tree, history, table. There are two of them where presets are compared.

import { Course, percent, PROOFS, tell, valueText } from "./course.js";
import { changed, element, put } from "./elements.js";
import { TreeView } from "./tree.js";
import { drawChart, short } from "./chart.js";
import { miniBoard, squaresOf } from "./position.js";

const SIGNS = { lead: "▲", proof: "◆", refutation: "✗", collapse: "▼", trap: "⚠" };

export class Panel extends Course {
  constructor(side, host) {
    super();
    this.side = side;
    this.told = []; // events that the list has
    this.host = host; // send, page, arrow, arrows, preview, orientation, announce, complain
    const template = document.getElementById("panel").content.cloneNode(true);
    this.element = template.querySelector(".panel");
    this.find = (selector) => this.element.querySelector(selector);
    this.slider = this.find(".slider");
    this.tree = new TreeView(this.find(".tree"), {
      onHover: (node, x, y) => this.hover(node, x, y),
      onChoose: (node) => this.choose(node),
      onGo: (node) => this.searchFrom(node),
      onLook: (node) => this.look(node.line),
      onUp: () => this.look(this.tree.prefix.slice(0, -1)),
    });
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    this.find(".picture").addEventListener("click", () => this.picture());
    this.find(".keep").addEventListener("click", () => this.save());
    new ResizeObserver(() => this.chart()).observe(this.find(".curves"));
    this.reset();
    this.render();
  }

  reset() {
    super.reset();
    this.choice = null;
  }

  history(message) {
    super.history(message);
    if (message.number === this.number) this.marks();
  }

  ask(n) {
    this.host.send({ t: "frame", side: this.side, n });
  }

  step(way) {
    const now = this.at === null ? this.rows.length - 1 : this.at;
    this.goTo(Math.max(0, Math.min(this.rows.length - 1, now + way)));
  }

  render() {
    const row = this.at === null ? null : this.rows[this.at], last = this.last;
    const moves = this.moves();
    const best = row ? (row.leader >= 0 ? this.columns[row.leader][1] : "") : last ? last.best : "";
    put(this.find(".engine"), this.preset || "No search yet");
    put(this.find(".best"), best || "");
    put(this.find(".numbers"), last ? (row ? this.numbersAt(row) : this.numbers(last)) : "");
    this.wdl(row, last);
    put(this.find(".pv"), !row && last && last.moves.length ? last.moves[0][7] : "");
    put(this.find(".when"), this.rows.length ? (row ? `${short(row.n)} · ${row.seconds.toFixed(2)} s` : last && last.ended ? "the end" : "now") : "");
    this.slider.setAttribute("aria-valuetext", row ? `${row.n} iterations` : "now");
    this.table(moves);
    this.trail();
    const tree = this.find(".tree");
    tree.setAttribute("aria-label", last ? `Search tree of ${this.preset}: ${last.size} nodes, best move ${best}. Arrow keys choose nodes.` : "Search tree");
    if (this.side === 0) this.arrows(moves);
  }

  numbers(m) {
    const parts = [`${short(m.nodes)} iterations`, `${m.seconds.toFixed(1)} s`, `${short(m.nps)}/s`, `${short(m.size)} nodes`];
    parts.push(m.plies !== null ? `depth ${m.plies}` : `depth ${m.depth} (${m.deepest})`);
    if (m.shared) parts.push(`${short(m.shared)} shared`);
    if (m.tbhits) parts.push(`${short(m.tbhits)} table hits`);
    if (m.book) parts.push("from the book");
    return parts.join(" · ");
  }

  numbersAt(row) {
    return `${short(row.n)} iterations · ${row.seconds.toFixed(2)} s · as it was then`;
  }

  wdl(row, last) {
    const bar = this.find(".wdl");
    let parts = last ? last.wdl : [333, 334, 333];
    if (row && row.leader >= 0) {
      const value = row.values[row.leader];
      parts = [1000 * value, 0, 1000 * (1 - value)];
    }
    const total = parts[0] + parts[1] + parts[2] || 1;
    [".won", ".drawn", ".lost"].forEach((name, i) => {
      const part = bar.querySelector(name), share = (100 * parts[i]) / total;
      part.style.flexBasis = `${share.toFixed(1)}%`;
      put(part, share > 7 ? `${Math.round(share)} %` : "");
    });
    const [won, drawn, lost] = parts.map((p) => Math.round((100 * p) / total));
    bar.setAttribute("aria-label", `won ${won} %, drawn ${drawn} %, lost ${lost} % for the side to move`);
    bar.title = bar.getAttribute("aria-label");
  }

  table(moves) {
    const body = this.find("tbody"), most = Math.max(1, ...moves.map((m) => m[2])), sum = Math.max(1, moves.reduce((a, m) => a + m[2], 0));
    while (body.rows.length > moves.length) body.deleteRow(-1);
    moves.forEach(([uci, san, visits, value, prior, proof, mate, line], i) => {
      const row = body.rows[i] || this.newRow(body);
      row.dataset.uci = uci;
      const cells = row.cells;
      put(cells[0], san);
      cells[1].firstChild.style.width = `${((100 * visits) / most).toFixed(1)}%`;
      put(cells[1].lastChild, `${short(visits)} · ${percent(visits / sum, 0)}`);
      put(cells[2], valueText(value, proof, mate));
      cells[2].className = proof ? `proof ${PROOFS[proof]}` : "";
      put(cells[3], prior ? (prior <= 1 && prior >= 0 ? percent(prior) : short(prior)) : "");
      put(cells[4], line);
      if (cells[4].title !== line) cells[4].title = line;
    });
  }

  newRow(body) {
    const row = body.insertRow();
    row.tabIndex = 0;
    for (let i = 0; i < 5; i++) row.insertCell();
    row.cells[1].className = "bar";
    row.cells[1].append(document.createElement("i"), document.createElement("span"));
    const show = () => this.host.arrow(row.dataset.uci, this.root.fen);
    const hide = () => this.render();
    row.addEventListener("pointerenter", show);
    row.addEventListener("focus", show);
    row.addEventListener("pointerleave", hide);
    row.addEventListener("blur", hide);
    const choose = () => {
      const node = this.tree.nodes.find((n) => n.line.length === 1 && n.line[0] === row.dataset.uci);
      if (node) this.tree.choose(node);
    };
    row.addEventListener("click", choose);
    row.addEventListener("keydown", (event) => event.key === "Enter" && choose());
    return row;
  }

  arrows(moves) {
    const visited = moves.filter((m) => m[2] > 0).slice(0, 3), most = visited.length ? visited[0][2] : 1;
    this.host.arrows(visited.map(([uci, , visits], i) => ({ uci, width: Math.round(4 + 9 * (visits / most)), best: !i })), this.root && this.root.fen);
  }

  marks() {
    const place = this.find(".marks"), list = this.find(".events"), end = Math.max(1, this.rows.length - 1);
    const stuck = list.scrollTop + list.clientHeight >= list.scrollHeight - 6;
    const texts = this.events.map((event) => [short(event.n), `${SIGNS[event.kind]} ${tell(event)}`]);
    let known = 0;
    while (known < this.told.length && String(this.told[known]) === String(texts[known])) known++;
    for (const made of [place, list]) while (made.children.length > known) made.lastChild.remove();
    for (let i = known; i < texts.length; i++) this.event(i, texts[i], place, list);
    this.told = texts;
    const stacked = new Map(); // events of one snapshot stand beside each other
    this.events.forEach(({ snapshot }, i) => {
      const before = stacked.get(snapshot) || 0;
      stacked.set(snapshot, before + 1);
      place.children[i].style.left = `calc(${((100 * snapshot) / end).toFixed(2)}% + ${8 * before}px)`;
    });
    if (stuck) list.scrollTop = list.scrollHeight;
  }

  // An event as a mark above the slider and as a line of the list.
  event(i, [n, text], place, list) {
    const { kind } = this.events[i], go = () => this.goTo(this.events[i].snapshot);
    const mark = element("button", kind, SIGNS[kind]), item = element("li"), button = element("button");
    mark.title = `${n}: ${text.slice(2)}`;
    mark.setAttribute("aria-label", mark.title);
    mark.tabIndex = -1; // the list has the same, in order
    button.append(element("span", "at", `${n} `), text);
    item.append(button);
    for (const made of [mark, button]) made.addEventListener("click", go);
    place.append(mark);
    list.append(item);
  }

  chart() {
    drawChart(this.find(".curves canvas"), this.columns, this.rows, this.at);
  }

  // -- the tree -------------------------------------------------------------------------------------------------------

  hover(node, x, y) {
    const box = document.getElementById("hover");
    if (!node) return (box.hidden = true);
    if (node !== this.hovered || box.hidden) {
      this.hovered = node;
      const { pieces } = this.tree.positionOf(node);
      box.replaceChildren(miniBoard(pieces, this.host.orientation(), squaresOf(node.line[node.line.length - 1])));
      const named = this.nameLine(node), facts = [`${short(node.visits)} visits`, `value ${percent(node.forRoot)}`];
      if (node.i && node.prior) facts.push(node.prior <= 1 && node.prior >= 0 ? `prior ${percent(node.prior)}` : `prior ${short(node.prior)}`);
      box.append(element("p", "", named || "the root"), element("p", "soft", facts.join(" · ")));
      const sure = this.sure(node);
      if (sure) box.append(element("p", "", sure));
    }
    box.hidden = false;
    const width = 230, height = box.offsetHeight || 280;
    box.style.left = `${Math.max(4, Math.min(innerWidth - width, x + 16))}px`;
    box.style.top = `${Math.max(4, y + height + 20 > innerHeight ? y - height - 12 : y + 16)}px`;
    return undefined;
  }

  sure(node) {
    const parts = [];
    if (node.trap) parts.push("a trap: it allows a mate that other moves do not");
    if (node.proof === 2) parts.push("proven: a draw");
    else if (node.proof) {
      const wins = (node.proof === 1) === (node.line.length % 2 === 1);
      parts.push(`proven ${wins ? "won" : "lost"} for the side to move at the root${node.plies ? `, ${node.plies} plies` : ""}`);
    }
    if (node.shown) parts.push("shared: drawn in full elsewhere");
    return parts.join("; ");
  }

  choose(node) {
    this.choice = node && node.line.length ? node : null;
    document.getElementById("hover").hidden = true;
    this.trail();
    if (!this.choice) return this.host.preview(null);
    const { pieces, turn } = this.tree.positionOf(node);
    this.host.preview({ pieces, turn, last: node.line[node.line.length - 1] });
    this.host.announce(`${this.nameLine(node)}: ${Math.round(node.visits)} visits, value ${percent(node.forRoot)}. ${this.sure(node)}`);
    return undefined;
  }

  look(line) {
    this.choice = this.tree.chosen = null;
    this.tree.draw();
    this.host.preview(null);
    this.host.send({ t: "look", side: this.side, line });
  }

  searchFrom(node) {
    if (!node.line.length) return;
    this.host.preview(null);
    this.choice = this.tree.chosen = null;
    this.host.send({ t: "line", side: this.side, moves: node.line });
    this.host.send({ t: "analyse", on: true });
  }

  trail() {
    const nav = this.find(".trail"), focus = this.tree.prefix;
    if (!changed(nav, [focus, this.choice && this.choice.line])) return;
    nav.replaceChildren();
    const button = (text, action, title) => {
      const made = element("button", "", text);
      made.title = title || "";
      made.addEventListener("click", action);
      nav.append(made);
    };
    if (focus.length) {
      button("root", () => this.look([]), "Draw the whole tree");
      this.tree.names(focus).forEach((name, i) => button(name, () => this.look(focus.slice(0, i + 1))));
    }
    const node = this.choice;
    if (!node) return;
    nav.append(element("b", "", this.nameLine(node)));
    button("Look deeper", () => this.look(node.line), "Draw what is below this position (l, or double click)");
    button("Search from here", () => this.searchFrom(node), "Go to this position and search it (Enter)");
    button("×", () => this.leave(), "Back to the game (Esc)");
  }

  // Back from a node to the game.
  leave() {
    if (!this.choice) return;
    this.tree.chosen = null;
    this.tree.draw();
    this.choose(null);
  }

  picture() {
    download(new Blob([this.tree.svg()], { type: "image/svg+xml" }), `plyout-${this.preset || "tree"}.svg`);
  }

  async save() {
    try {
      const answer = await fetch(`save/${this.host.page()}?side=${this.side}`);
      if (answer.ok) download(await answer.blob(), `${this.preset}.plyout`);
      else this.host.complain(await answer.text());
    } catch {
      this.host.complain("the search could not be saved: the server does not answer");
    }
  }
}

function download(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
}
