// The course of one search as messages tell it: what it says now, its snapshots, and which of them is shown. Whoever
// shows a search has a `tree`, a `slider` and a `root`, and says how to `render`, draw the `chart` and `ask` for a frame.

export const PROOFS = ["", "won", "drawn", "lost"];
export const percent = (value, digits = 1) => `${(100 * value).toFixed(digits)} %`;

export class Course {
  reset() {
    this.number = -1;
    this.columns = [];
    this.rows = [];
    this.events = [];
    this.at = null; // the snapshot that is shown; null: now
    this.last = null;
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
    this.chart();
  }

  search(message) {
    if (message.number !== this.number) return;
    this.last = message;
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
      this.asking = setTimeout(() => this.ask(this.rows[k].n), 60);
    }
    this.slider.value = k;
    this.render();
    this.chart();
  }

  // The root's moves as they are shown, the most visited first.
  moves() {
    if (this.at !== null) return this.movesAt(this.rows[this.at]);
    return this.last ? this.last.moves : [];
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

  nameLine(node) {
    return this.tree.names(node.line).join(" ");
  }
}

// A result in words: what is proven, or what was counted.
export function valueText(value, proof, mate) {
  if (!proof) return percent(value);
  return mate ? `mate in ${Math.abs(mate)}` : PROOFS[proof];
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
