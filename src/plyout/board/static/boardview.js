// The board that one plays on: chessground, promotion, pockets.

import { Chessground } from "./vendor/chessground/chessground.min.js";
import { inWords } from "./position.js";

const DROPS = { pawn: "P", knight: "N", bishop: "B", rook: "R", queen: "Q" };

export class BoardView {
  constructor(onMove) {
    this.onMove = onMove;
    this.orientation = "white";
    this.legal = [];
    this.dropping = null;
    this.ground = Chessground(document.getElementById("board"), {
      premovable: { enabled: false },
      animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 160 },
      movable: { free: false, events: { after: (from, to) => this.moved(from, to) }, rookCastle: true },
      drawable: { enabled: true },
      events: { select: (square) => this.selected(square) },
    });
  }

  show(state, mayMove) {
    this.state = state;
    this.legal = state.legal;
    const dests = new Map();
    for (const uci of state.legal) {
      if (uci[1] === "@") continue;
      const from = uci.slice(0, 2), to = uci.slice(2, 4);
      if (!dests.has(from)) dests.set(from, []);
      if (!dests.get(from).includes(to)) dests.get(from).push(to);
    }
    this.ground.set({
      fen: state.fen.replace(/\[.*?\]/, "").replace(/~/g, ""),
      orientation: this.orientation,
      turnColor: state.turn,
      check: state.check ? state.turn : false,
      lastMove: state.last,
      selected: undefined,
      movable: { color: mayMove ? state.turn : undefined, dests },
    });
    document.getElementById("pieces").textContent = inWords(state.fen);
    this.pockets(state, mayMove);
  }

  flip() {
    this.orientation = this.orientation === "white" ? "black" : "white";
    this.ground.set({ orientation: this.orientation });
    if (this.state) this.pockets(this.state, true);
  }

  arrows(shapes) {
    this.ground.setAutoShapes(shapes);
  }

  moved(from, to) {
    const choices = this.legal.filter((uci) => uci.startsWith(from + to));
    if (choices.length > 1) this.promote(choices);
    else this.onMove(choices[0] || from + to);
  }

  promote(choices) {
    const dialog = document.getElementById("promotion");
    dialog.replaceChildren();
    const roles = { q: "queen", n: "knight", r: "rook", b: "bishop" };
    const done = (uci) => {
      dialog.hidden = true;
      if (uci) this.onMove(uci);
      else this.show(this.state, true);
    };
    for (const letter of "qnrb") {
      const uci = choices.find((c) => c[4] === letter);
      if (!uci) continue;
      const button = document.createElement("button");
      button.setAttribute("aria-label", roles[letter]);
      const piece = document.createElement("piece");
      piece.className = `${this.state.turn} ${roles[letter]}`;
      const frame = document.createElement("span");
      frame.className = "cg-wrap";
      frame.append(piece);
      button.append(frame);
      button.addEventListener("click", () => done(uci));
      dialog.append(button);
    }
    dialog.onkeydown = (event) => event.key === "Escape" && done(null);
    dialog.onclick = (event) => event.target === dialog && done(null);
    dialog.hidden = false;
    dialog.querySelector("button").focus();
  }

  pockets(state, mayMove) {
    for (const [id, colour] of [["player-bottom", this.orientation], ["player-top", this.orientation === "white" ? "black" : "white"]]) {
      const pocket = document.querySelector(`#${id} .pocket`);
      pocket.replaceChildren();
      pocket.hidden = !state.pockets;
      if (!state.pockets) continue;
      pocket.classList.add("cg-wrap");
      for (const [role, count] of Object.entries(state.pockets[colour])) {
        const button = document.createElement("button");
        button.dataset.count = count;
        button.setAttribute("aria-label", `${count} ${role} of ${colour}`);
        button.disabled = !count || !mayMove || colour !== state.turn;
        const piece = document.createElement("piece");
        piece.className = `${colour} ${role}`;
        button.append(piece);
        button.addEventListener("click", () => this.chooseDrop(role, button));
        pocket.append(button);
      }
    }
  }

  chooseDrop(role, button) {
    const again = this.dropping === role;
    document.querySelectorAll(".pocket [aria-pressed]").forEach((b) => b.removeAttribute("aria-pressed"));
    this.dropping = again ? null : role;
    if (again) return this.ground.setAutoShapes([]);
    button.setAttribute("aria-pressed", "true");
    const squares = this.legal.filter((uci) => uci.startsWith(DROPS[role] + "@")).map((uci) => uci.slice(2, 4));
    this.ground.setAutoShapes(squares.map((orig) => ({ orig, brush: "green" })));
    return undefined;
  }

  selected(square) {
    if (!this.dropping) return;
    const uci = `${DROPS[this.dropping]}@${square}`;
    this.dropping = null;
    this.ground.setAutoShapes([]);
    if (this.legal.includes(uci)) this.onMove(uci);
    else this.show(this.state, true);
  }
}
