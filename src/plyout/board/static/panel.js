// One search on the page: numbers, tree, history, table. There are two of them where presets are compared.

import { TreeView } from "./tree.js";
import { drawChart, short } from "./chart.js";
import { miniBoard } from "./position.js";

const SIGNS = { lead: "▲", proof: "◆", refutation: "✗", collapse: "▼", trap: "⚠" };
const PROOFS = ["", "won", "drawn", "lost"];
const percent = (value, digits = 1) => `${(100 * value).toFixed(digits)} %`;

export class Panel {
  constructor(side, host) {
    this.side = side;
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
    this.number = -1;
    this.columns = [];
    this.rows = [];
    this.events = [];
    this.at = null; // the snapshot that is shown; null: now
    this.last = null;
    this.focus = [];
    this.choice = null;
  }

  begin(message) {
    this.reset();
    this.number = message.number;
    this.root = { fen: message.fen, turn: message.turn };
    this.preset = message.preset;
    this.tree.clear();
    this.render();
  }

  history(message) {
    if (message.number !== this.number) return;
    this.columns = message.columns;
    this.rows = [...this.rows.slice(0, message.since), ...message.rows];
    this.events = message.events;
    this.slider.max = Math.max(0, this.rows.length - 1);
    if (this.at === null) this.slider.value = this.slider.max;
    this.marks();
    this.chart();
  }

  search(message) {
    if (message.number !== this.number) return;
    this.last = message;
    this.focus = message.tree.focus;
    if (this.at !== null) return;
    this.tree.update(message.tree, this.root);
    this.render();
  }

  frame(message) {
    if (message.number !== this.number || this.at === null || this.rows[this.at].n !== message.n) return;
    this.tree.update(message.tree ? { ...message.tree, focus: [] } : this.rootsAt(this.rows[this.at]), this.root);
  }

  // Show the search as it was at a snapshot; the last one is the present.
  goTo(k) {
    if (k >= this.rows.length - 1) {
      this.at = null;
      if (this.last) this.tree.update(this.last.tree, this.root);
    } else {
      this.at = k;
      clearTimeout(this.asking);
      this.asking = setTimeout(() => this.host.send({ t: "frame", side: this.side, n: this.rows[k].n }), 60);
    }
    this.slider.value = k;
    this.render();
    this.chart();
  }

  step(way) {
    const now = this.at === null ? this.rows.length - 1 : this.at;
    this.goTo(Math.max(0, Math.min(this.rows.length - 1, now + way)));
  }

  render() {
    const row = this.at === null ? null : this.rows[this.at], last = this.last;
    const moves = row ? this.movesAt(row) : last ? last.moves : [];
    const best = row ? (row.leader >= 0 ? this.columns[row.leader][1] : "") : last ? last.best : "";
    const title = this.find("h2");
    title.textContent = this.preset ? `${this.preset} ` : "No search yet";
    if (best) title.append(element("span", "best", best));
    this.find(".numbers").textContent = last ? (row ? this.numbersAt(row) : this.numbers(last)) : "";
    this.wdl(row, last);
    this.find(".pv").textContent = !row && last && last.moves.length ? last.moves[0][7] : "";
    this.find(".when").textContent = this.rows.length ? (row ? `${short(row.n)} · ${row.seconds.toFixed(2)} s` : last && last.ended ? "the end" : "now") : "";
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

  movesAt(row) {
    const moves = this.columns.map(([uci, san], m) => [uci, san, row.visits[m] || 0, row.values[m] ?? 0.5, this.priorOf(uci), row.proofs[m] || 0, null, ""]);
    return moves.sort((a, b) => b[2] - a[2]);
  }

  // The root and its moves as a tree: where a search has none (alpha-beta), or kept none of that moment.
  rootsAt(row) {
    const moves = this.movesAt(row).filter((m) => m[2] > 0), thousandths = (x) => Math.round(1000 * x), all = (x, of) => [x, ...moves.map(of)];
    return { focus: [], move: all("", (m) => m[0]), parent: all(0, () => 0), visits: all(moves.reduce((a, m) => a + m[2], 0), (m) => m[2]),
      value: all(thousandths(moves.length ? 1 - moves[0][3] : 0.5), (m) => thousandths(m[3])), prior: all(0, (m) => thousandths(m[4])),
      proof: all(0, (m) => m[5]), plies: all(0, () => 0), shared: {}, traps: [] };
  }

  priorOf(uci) {
    const found = this.last && this.last.moves.find((m) => m[0] === uci);
    return found ? found[4] : 0;
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
      part.style.flexBasis = `${share}%`;
      part.textContent = share > 7 ? `${Math.round(share)} %` : "";
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
      cells[0].textContent = san;
      const bar = cells[1].firstChild;
      bar.style.width = `${(100 * visits) / most}%`;
      cells[1].lastChild.textContent = `${short(visits)} · ${percent(visits / sum, 0)}`;
      const sure = proof ? (mate ? `mate in ${Math.abs(mate)}` : PROOFS[proof]) : "";
      cells[2].textContent = sure || percent(value);
      cells[2].className = proof ? `proof ${PROOFS[proof]}` : "";
      cells[3].textContent = prior ? (prior <= 1 && prior >= 0 ? percent(prior) : short(prior)) : "";
      cells[4].textContent = line;
      cells[4].title = line;
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
    this.host.arrows(visited.map(([uci, , visits], i) => ({ uci, width: 4 + 9 * (visits / most), best: !i })), this.root && this.root.fen);
  }

  marks() {
    const place = this.find(".marks"), list = this.find(".events"), end = Math.max(1, this.rows.length - 1);
    const stuck = list.scrollTop + list.clientHeight >= list.scrollHeight - 6;
    place.replaceChildren();
    list.replaceChildren();
    const stacked = new Map(); // events of one snapshot stand beside each other
    this.events.forEach((event) => {
      const text = tell(event), before = stacked.get(event.snapshot) || 0;
      stacked.set(event.snapshot, before + 1);
      const mark = element("button", event.kind, SIGNS[event.kind]);
      mark.style.left = `calc(${(100 * event.snapshot) / end}% + ${8 * before}px)`;
      mark.title = `${short(event.n)}: ${text}`;
      mark.setAttribute("aria-label", mark.title);
      mark.tabIndex = -1; // the list has the same, in order
      mark.addEventListener("click", () => this.goTo(event.snapshot));
      place.append(mark);
      const item = document.createElement("li"), button = element("button", "", "");
      button.append(element("span", "at", `${short(event.n)} `), `${SIGNS[event.kind]} ${text}`);
      button.addEventListener("click", () => this.goTo(event.snapshot));
      item.append(button);
      list.append(item);
    });
    if (stuck) list.scrollTop = list.scrollHeight;
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
      const { pieces } = this.tree.positionOf(node), last = node.line[node.line.length - 1];
      const squares = last ? (last[1] === "@" ? [last.slice(2, 4)] : [last.slice(0, 2), last.slice(2, 4)]) : [];
      box.replaceChildren(miniBoard(pieces, this.host.orientation(), squares));
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

  nameLine(node) {
    const names = [];
    for (let at = node; at && at.i; at = at.above) names.unshift(this.tree.labelOf(at));
    return [...this.focus.map((uci) => uci), ...names].join(" ");
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
    this.choice = null;
    this.host.preview(null);
    this.host.send({ t: "look", side: this.side, line });
  }

  searchFrom(node) {
    if (!node.line.length) return;
    this.host.preview(null);
    this.choice = null;
    this.host.send({ t: "line", side: this.side, moves: node.line });
    this.host.send({ t: "analyse", on: true });
  }

  trail() {
    const nav = this.find(".trail");
    nav.replaceChildren();
    const button = (text, action, title) => {
      const made = element("button", "", text);
      made.title = title || "";
      made.addEventListener("click", action);
      nav.append(made);
    };
    if (this.focus.length) {
      button("root", () => this.look([]), "Draw the whole tree");
      this.focus.forEach((uci, i) => button(uci, () => this.look(this.focus.slice(0, i + 1))));
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

function element(kind, name, text) {
  const made = document.createElement(kind);
  if (name) made.className = name;
  made.textContent = text;
  return made;
}

// What an event says, in words that are true of the search only.
export function tell(e) {
  const fell = e.before !== null && e.after !== null ? ` (${percent(e.before, 0)} → ${percent(e.after, 0)})` : "";
  if (e.kind === "lead") return `${e.move} leads, before it ${e.other}`;
  if (e.kind === "trap") return `${e.move} is left out as a trap`;
  if (e.kind === "collapse") return `${e.move} falls${fell}`;
  if (e.kind === "refutation" && e.proof === 3) return `${e.move} is proven lost${e.mate ? `, mated in ${-e.mate}` : ""}${e.other ? `: ${e.other}` : ""}`;
  if (e.kind === "refutation") return `${e.move} falls${fell} to ${e.other}`;
  const sure = e.proof === 2 ? "drawn" : e.proof === 1 ? "won" : "lost";
  return `${e.move} is proven ${sure}${e.mate ? `, mate in ${Math.abs(e.mate)}` : ""}`;
}
