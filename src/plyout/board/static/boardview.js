// The board that one plays on: chessground, promotion, pockets.

import { Chessground } from "./vendor/chessground/chessground.min.js";
import { inWords, piecesOf } from "./position.js";

const PROMOTIONS = { q: "queen", n: "knight", r: "rook", b: "bishop" };
const DROPS = { pawn: "P", knight: "N", bishop: "B", rook: "R", queen: "Q" };

export class BoardView {
  constructor(onMove) {
    this.onMove = onMove;
    this.orientation = "white";
    this.legal = [];
    this.dropping = null;
    this.promoting = null; // the moves among which somebody is to choose
    this.castles = new Map();
    this.mayMove = false;
    this.ground = Chessground(document.getElementById("board"), {
      premovable: { enabled: false },
      animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 160 },
      movable: { free: false, events: { after: (from, to) => this.moved(from, to) }, rookCastle: true },
      drawable: { enabled: true },
      events: { select: (square) => this.selected(square) },
    });
  }

  show(state, mayMove) {
    if (!this.state || this.state.fen !== state.fen) {
      this.dropping = null;
      this.closePromotion();
    }
    this.state = state;
    this.legal = state.legal;
    this.mayMove = mayMove;
    this.castles = new Map();
    const dests = new Map(), pieces = piecesOf(state.fen);
    const reach = (from, to) => {
      if (!dests.has(from)) dests.set(from, []);
      if (!dests.get(from).includes(to)) dests.get(from).push(to);
    };
    for (const uci of state.legal) {
      if (uci[1] === "@") continue;
      const from = uci.slice(0, 2), to = uci.slice(2, 4), step = to.charCodeAt(0) - from.charCodeAt(0);
      reach(from, to);
      // In chess castling may be shown by the rook, too; in Chess960 it always is.
      if (pieces.get(from)?.role === "king" && Math.abs(step) === 2 && state.variant !== "chess960") {
        const rook = (step > 0 ? "h" : "a") + from[1];
        this.castles.set(from + rook, uci);
        reach(from, rook);
      }
    }
    // What is on the board already stays: somebody may hold a piece, or have drawn arrows.
    const fen = state.fen.split(" ")[0].replace(/\[.*?\]/, "").replace(/~/g, "");
    this.ground.set({
      ...(this.ground.getFen() === fen ? {} : { fen, selected: undefined }),
      orientation: this.orientation,
      turnColor: state.turn,
      check: state.check ? state.turn : false,
      lastMove: state.last,
      movable: { color: mayMove ? state.turn : undefined, dests },
    });
    document.getElementById("pieces").textContent = inWords(state.fen);
    this.pockets(state, mayMove);
  }

  flip() {
    this.orientation = this.orientation === "white" ? "black" : "white";
    this.ground.set({ orientation: this.orientation });
    if (this.state) this.pockets(this.state, this.mayMove);
  }

  arrows(shapes) {
    const shown = JSON.stringify(shapes);
    if (shown === this.shown) return;
    this.shown = shown;
    this.ground.setAutoShapes(shapes);
  }

  moved(from, to) {
    const choices = this.legal.filter((uci) => uci.startsWith(from + to));
    if (choices.length > 1) this.promote(choices);
    else this.onMove(choices[0] || this.castles.get(from + to) || from + to);
  }

  promote(choices) {
    const dialog = document.getElementById("promotion");
    this.promoting = choices;
    dialog.replaceChildren();
    for (const letter of "qnrb") {
      if (!choices.some((uci) => uci[4] === letter)) continue;
      const button = document.createElement("button");
      button.setAttribute("aria-label", PROMOTIONS[letter]);
      const piece = document.createElement("piece");
      piece.className = `${this.state.turn} ${PROMOTIONS[letter]}`;
      const frame = document.createElement("span");
      frame.className = "cg-wrap";
      frame.append(piece);
      button.append(frame);
      button.addEventListener("click", () => this.promotionKey(letter));
      dialog.append(button);
    }
    dialog.onclick = (event) => event.target === dialog && this.promotionKey("Escape");
    dialog.hidden = false;
    dialog.querySelector("button").focus();
  }

  // Choose what a pawn becomes, or not to move it; whether the key meant something.
  promotionKey(key) {
    const uci = this.promoting.find((choice) => choice[4] === key.toLowerCase());
    if (!uci && key !== "Escape") return false;
    this.closePromotion();
    if (uci) this.onMove(uci);
    else this.show(this.state, this.mayMove);
    return true;
  }

  closePromotion() {
    this.promoting = null;
    document.getElementById("promotion").hidden = true;
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
        if (role === this.dropping && colour === state.turn) button.setAttribute("aria-pressed", "true");
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
    if (again) return this.arrows([]);
    button.setAttribute("aria-pressed", "true");
    const squares = this.legal.filter((uci) => uci.startsWith(DROPS[role] + "@")).map((uci) => uci.slice(2, 4));
    this.arrows(squares.map((orig) => ({ orig, brush: "green" })));
    return undefined;
  }

  selected(square) {
    if (!this.dropping) return;
    const uci = `${DROPS[this.dropping]}@${square}`;
    this.dropping = null;
    this.arrows([]);
    if (this.legal.includes(uci)) this.onMove(uci);
    else this.show(this.state, this.mayMove);
  }
}
