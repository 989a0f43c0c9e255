// Pieces on squares, as far as a picture needs them: no rules, only what a move does.

const ROLES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const FILES = "abcdefgh";

export function piecesOf(fen) {
  const pieces = new Map();
  const rows = fen.split(" ")[0].replace(/\[.*\]/, "").split("/").slice(0, 8);
  rows.forEach((row, i) => {
    let file = 0;
    for (const c of row) {
      if (c === "~") continue;
      if (/\d/.test(c)) file += Number(c);
      else pieces.set(FILES[file++] + (8 - i), { role: ROLES[c.toLowerCase()], color: c === c.toLowerCase() ? "black" : "white" });
    }
  });
  return pieces;
}

// Play a move given in UCI; castling may be the king's step or the king onto its rook.
export function play(pieces, uci, turn) {
  if (uci[1] === "@") {
    pieces.set(uci.slice(2, 4), { role: ROLES[uci[0].toLowerCase()], color: turn });
    return;
  }
  const from = uci.slice(0, 2), to = uci.slice(2, 4), piece = pieces.get(from), target = pieces.get(to);
  if (!piece) return;
  pieces.delete(from);
  const rank = from[1], step = FILES.indexOf(to[0]) - FILES.indexOf(from[0]);
  if (piece.role === "king" && target && target.color === piece.color) {
    pieces.delete(to);
    pieces.set((step > 0 ? "g" : "c") + rank, piece);
    pieces.set((step > 0 ? "f" : "d") + rank, target);
    return;
  }
  if (piece.role === "king" && Math.abs(step) === 2) {
    const rook = pieces.get((step > 0 ? "h" : "a") + rank);
    pieces.delete((step > 0 ? "h" : "a") + rank);
    if (rook) pieces.set((step > 0 ? "f" : "d") + rank, rook);
  }
  if (piece.role === "pawn" && step && !target) pieces.delete(to[0] + rank); // en passant
  pieces.set(to, uci[4] ? { role: ROLES[uci[4]], color: piece.color } : piece);
}

// A short name for a move: the piece and where it goes.
const LETTERS = { knight: "N", bishop: "B", rook: "R", queen: "Q", king: "K", pawn: "" };
export function label(pieces, uci) {
  if (uci[1] === "@") return uci.replace("P@", "@");
  const from = uci.slice(0, 2), to = uci.slice(2, 4), piece = pieces.get(from), target = pieces.get(to);
  if (!piece) return uci;
  const step = FILES.indexOf(to[0]) - FILES.indexOf(from[0]);
  if (piece.role === "king" && (Math.abs(step) === 2 || (target && target.color === piece.color))) return step > 0 ? "O-O" : "O-O-O";
  const takes = target || (piece.role === "pawn" && step) ? "x" : "";
  const name = piece.role === "pawn" && takes ? from[0] : LETTERS[piece.role];
  return name + takes + to + (uci[4] ? "=" + uci[4].toUpperCase() : "");
}

// A small board as elements, without anything to click.
export function miniBoard(pieces, orientation, last) {
  const frame = document.createElement("div");
  frame.className = "mini cg-wrap";
  const board = document.createElement("cg-board");
  const place = (element, square) => {
    let x = FILES.indexOf(square[0]), y = 8 - Number(square[1]);
    if (orientation === "black") (x = 7 - x), (y = 7 - y);
    element.style.cssText = `position:absolute;left:${x * 12.5}%;top:${y * 12.5}%;width:12.5%;height:12.5%`;
    board.append(element);
  };
  for (const square of last || []) {
    const mark = document.createElement("square");
    mark.className = "last-move";
    place(mark, square);
  }
  for (const [square, piece] of pieces) {
    const element = document.createElement("piece");
    element.className = `${piece.color} ${piece.role}`;
    place(element, square);
  }
  frame.append(board);
  return frame;
}

export function inWords(fen) {
  const by = { white: [], black: [] };
  for (const [square, piece] of piecesOf(fen)) by[piece.color].push(`${piece.role} ${square}`);
  return `White: ${by.white.join(", ")}. Black: ${by.black.join(", ")}.`;
}

// The squares of a move, or of a piece that is put down.
export function squaresOf(uci) {
  if (!uci) return [];
  return uci[1] === "@" ? [uci.slice(2, 4)] : [uci.slice(0, 2), uci.slice(2, 4)];
}

// A move as an arrow on the board; a piece that is put down as a ring.
export function shapeOf(uci, width, brush) {
  const [orig, dest] = squaresOf(uci);
  return dest ? { orig, dest, brush, modifiers: { lineWidth: width } } : { orig, brush };
}
