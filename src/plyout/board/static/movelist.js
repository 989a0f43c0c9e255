// The moves of a game, variations included.

export class MoveList {
  constructor(element, onGo) {
    this.element = element;
    this.onGo = onGo;
    this.moves = new Map();
  }

  // rows: number, that of the move before, SAN, UCI, comment
  set(rows, firstPly) {
    this.moves = new Map([[0, { id: 0, parent: null, children: [], ply: firstPly }]]);
    for (const [id, parent, san, uci, comment] of rows) {
      const before = this.moves.get(parent);
      const move = { id, parent, san, uci, comment, children: [], ply: before.ply + 1 };
      this.moves.set(id, move);
      before.children.push(move);
    }
    const root = document.createDocumentFragment();
    this.line(this.moves.get(0), root, true);
    this.element.replaceChildren(root);
  }

  line(move, into, first) {
    while (move.children.length) {
      const [main, ...others] = move.children;
      into.append(...this.entry(main, first));
      first = false;
      for (const other of others) {
        const box = document.createElement("div");
        box.className = "side";
        box.append(...this.entry(other, true));
        this.line(other, box, false);
        into.append(box);
        first = true;
      }
      move = main;
    }
  }

  entry(move, first) {
    const parts = [];
    if (move.ply % 2 === 1 || first) {
      const number = document.createElement("span");
      number.className = "number";
      number.textContent = `${Math.ceil(move.ply / 2)}${move.ply % 2 ? "." : "…"}`;
      parts.push(number);
    }
    const button = document.createElement("button");
    button.textContent = move.san;
    button.dataset.move = move.id;
    button.addEventListener("click", () => this.onGo(move.id));
    parts.push(button);
    if (move.comment) {
      const comment = document.createElement("span");
      comment.className = "comment";
      comment.textContent = ` ${move.comment} `;
      parts.push(comment);
    }
    return parts;
  }

  here(id) {
    this.at = id;
    this.element.querySelectorAll(".here").forEach((b) => {
      b.classList.remove("here");
      b.removeAttribute("aria-current");
    });
    const button = this.element.querySelector(`[data-move="${id}"]`);
    if (!button) return;
    button.classList.add("here");
    button.setAttribute("aria-current", "true");
    const box = this.element, top = button.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 30) box.scrollTop = top - box.clientHeight / 2;
  }

  // Where a key leads from here; null if nowhere.
  neighbour(way) {
    const move = this.moves.get(this.at);
    if (!move) return null;
    if (way === "previous") return move.parent;
    if (way === "next") return move.children.length ? move.children[0].id : null;
    if (way === "first") return 0;
    if (way === "last") {
      let last = move;
      while (last.children.length) last = last.children[0];
      return last.id;
    }
    if (move.parent === null) return null;
    const all = this.moves.get(move.parent).children, i = all.indexOf(move) + (way === "up" ? -1 : 1);
    return all[i] ? all[i].id : null;
  }
}
