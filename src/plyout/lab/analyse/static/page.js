// The page of an analysis: a board to step through, the graph, the moves, and what is said of the one on the board.

const data = JSON.parse(document.getElementById("data").textContent);
const MARKS = { "??": "blunder", "?": "mistake", "?!": "dubious", "!": "good" };
const KINDS = ["certain", "method", "search"];
const SVG = "http://www.w3.org/2000/svg";
const by = (id) => document.getElementById(id);
const view = { game: 0, ply: 0, line: null, steps: 0, orientation: "white" };

// An element; text is always text, whatever a file has put into it.
function make(tag, attributes, ...children) {
  const drawn = ["svg", "g", "rect", "path", "line", "circle", "text"].includes(tag);
  const element = drawn ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "click") element.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const game = () => data[view.game];
const fenAt = (ply) => (ply ? game().moves[ply - 1].fen : game().start.fen);
const turnOf = (fen) => (fen.split(" ")[1] === "b" ? "black" : "white");
const whole = (value) => `${Math.round(100 * value)} %`;
const short = (text) => (text && text !== "?" ? text : "—");

// The number that stands before the move after so many plies, for both sides or for White alone.
function numberOf(ply, always) {
  const words = game().start.fen.split(" "), black = words[1] === "b" ? 1 : 0, n = ply + black;
  const number = Number(words[5] || 1) + Math.floor(n / 2);
  return n % 2 ? (always ? `${number}…` : "") : `${number}.`;
}

function scoreText(score) {
  if ("mate" in score) return score.mate ? `#${score.mate}`.replace("#-", "−#") : "mate";
  const pawns = (score.cp / 100).toFixed(2);
  return score.cp > 0 ? `+${pawns}` : pawns.replace("-", "−");
}

// -- the board --------------------------------------------------------------------------------------------------------

function position() {
  const fen = fenAt(view.ply), pieces = piecesOf(fen);
  let turn = turnOf(fen), last = view.ply ? game().moves[view.ply - 1] : null, uci = last && last.uci, san = last && last.san;
  for (const [move, name] of view.line ? view.line.slice(0, view.steps) : []) {
    play(pieces, move, turn);
    [uci, san, turn] = [move, name, turn === "white" ? "black" : "white"];
  }
  return { pieces, turn, uci, san, fen };
}

function centre(square) {
  const x = "abcdefgh".indexOf(square[0]), y = 8 - Number(square[1]);
  return view.orientation === "white" ? [x + 0.5, y + 0.5] : [7.5 - x, 7.5 - y];
}

function arrow(uci) {
  const [from, to] = squaresOf(uci).map(centre);
  if (!to) return [make("circle", { class: "arrow", cx: from[0], cy: from[1], r: 0.42 })];
  const long = Math.hypot(to[0] - from[0], to[1] - from[1]), [x, y] = [(to[0] - from[0]) / long, (to[1] - from[1]) / long];
  const end = [to[0] - 0.42 * x, to[1] - 0.42 * y], start = [from[0] + 0.2 * x, from[1] + 0.2 * y];
  const head = `M${to[0] - 0.05 * x} ${to[1] - 0.05 * y}L${end[0] - 0.2 * y} ${end[1] + 0.2 * x}L${end[0] + 0.2 * y} ${end[1] - 0.2 * x}Z`;
  return [make("line", { class: "arrow", x1: start[0], y1: start[1], x2: end[0], y2: end[1] }), make("path", { class: "head", d: head })];
}

function coordinates() {
  const white = view.orientation === "white", signs = [];
  for (let i = 0; i < 8; i++) {
    signs.push(make("text", { x: i + 0.82, y: 7.95 }, "abcdefgh"[white ? i : 7 - i]), make("text", { x: 0.05, y: i + 0.24 }, String(white ? 8 - i : i + 1)));
  }
  return signs;
}

function drawBoard() {
  const here = position(), board = miniBoard(here.pieces, view.orientation, here.uci ? squaresOf(here.uci) : []);
  if (here.san && /[+#]/.test(here.san)) {
    for (const [square, piece] of here.pieces) {
      if (piece.role !== "king" || piece.color !== here.turn) continue;
      const [x, y] = centre(square), mark = make("square", { class: "check" });
      mark.style.cssText = `left:${(x - 0.5) * 12.5}%;top:${(y - 0.5) * 12.5}%`;
      board.firstChild.prepend(mark);
    }
  }
  const over = make("svg", { viewBox: "0 0 8 8", "aria-hidden": "true" }, ...coordinates());
  const next = view.line ? view.line[view.steps] : bestLine(view.ply)[0];
  if (next) over.append(...arrow(next[0]));
  by("board").replaceChildren(board, over);
  by("board").setAttribute("aria-label", `${here.san ? `After ${here.san}. ` : ""}${saidOf(here.pieces)}`);
}

function saidOf(pieces) {
  const told = { white: [], black: [] };
  for (const [square, piece] of pieces) told[piece.color].push(`${piece.role} ${square}`);
  return `White: ${told.white.join(", ")}. Black: ${told.black.join(", ")}.`;
}

// What the search would play after so many plies.
function bestLine(ply) {
  const moves = game().moves;
  if (ply < moves.length) {
    const line = moves[ply].line;
    return line.length && line[0][0] === moves[ply].choice ? line : [];
  }
  return moves.length ? moves[moves.length - 1].reply : [];
}

function pocket(colour) {
  const held = /\[(.*)\]/.exec(fenAt(view.ply).split(" ")[0]), box = make("span", { class: "pocket cg-wrap" });
  const roles = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen" };
  for (const letter of held ? held[1] : "") {
    if ((letter === letter.toUpperCase()) === (colour === "white")) box.append(make("piece", { class: `${colour} ${roles[letter.toLowerCase()]}` }));
  }
  return box;
}

function drawPlayers() {
  const white = view.orientation === "white";
  for (const [id, colour] of [["top", white ? "black" : "white"], ["bottom", white ? "white" : "black"]]) {
    const tag = colour === "white" ? "White" : "Black", own = game()[colour], elo = game().headers[`${tag}Elo`];
    const accuracy = own.accuracy === null ? "" : `accuracy ${own.accuracy.toFixed(1)} %`;
    by(id).replaceChildren(make("b", {}, short(game().headers[tag])), elo && elo !== "?" ? ` ${elo}` : "", pocket(colour), make("span", {}, accuracy));
  }
}

function drawBar() {
  const worth = view.ply ? game().moves[view.ply - 1] : game().start, bar = by("bar");
  bar.classList.toggle("turned", view.orientation === "black");
  bar.firstElementChild.style.height = `${100 * worth.value}%`;
  bar.setAttribute("aria-label", `White ${whole(worth.value)}`);
  bar.lastElementChild.textContent = Math.round(100 * worth.value);
}

// -- the graph --------------------------------------------------------------------------------------------------------

function drawGraph() {
  const svg = by("graph").firstElementChild, width = svg.clientWidth || 600, height = svg.clientHeight || 150;
  const values = [game().start, ...game().moves].map((worth) => worth.value), last = Math.max(1, values.length - 1);
  const x = (ply) => 6 + ((width - 12) * ply) / last, y = (value) => 4 + (height - 8) * (1 - value);
  const points = values.map((value, ply) => `${x(ply).toFixed(1)} ${y(value).toFixed(1)}`);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren(
    make("rect", { class: "back", width, height }),
    make("path", { class: "area", d: `M0 ${height}L0 ${y(values[0])}L${points.join("L")}L${width} ${y(values[last] ?? values[0])}L${width} ${height}Z` }),
    make("line", { class: "half", x1: 0, x2: width, y1: y(0.5), y2: y(0.5) }),
    make("path", { class: "curve", d: `M${points.join("L")}` }),
    make("line", { class: "cursor", x1: x(view.ply), x2: x(view.ply), y1: 0, y2: height }),
    ...game().moves.flatMap((move, i) => (move.mark ? [make("circle", { class: MARKS[move.mark], cx: x(i + 1), cy: y(move.value), r: move.mark === "??" ? 5.5 : 4.5 })] : [])),
  );
  svg.onclick = (event) => {
    const box = svg.getBoundingClientRect();
    goTo(Math.round(((event.clientX - box.left - 6) / (box.width - 12)) * last));
  };
}

// -- the moves --------------------------------------------------------------------------------------------------------

function drawMoves() {
  const list = by("moves"), cells = [], black = turnOf(game().start.fen) === "black";
  game().moves.forEach((move, i) => {
    const number = numberOf(i, i === 0);
    if (number) cells.push(make("span", { class: "no" }, number.replace("…", ".")));
    if (i === 0 && black) cells.push(make("span", {}, "…"));
    const sign = move.mark ? make("b", { class: MARKS[move.mark] }, move.mark) : null;
    cells.push(make("button", { "data-ply": i + 1, click: () => goTo(i + 1) }, make("span", {}, move.san), sign, make("em", {}, scoreText(move.score))));
  });
  list.replaceChildren(...cells, make("span", { class: "result" }, game().headers.Result || "*"));
}

function markMove() {
  const list = by("moves");
  for (const button of list.querySelectorAll("button")) {
    const here = Number(button.dataset.ply) === view.ply;
    button.classList.toggle("here", here);
    if (here) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    const top = button.offsetTop, seen = top >= list.scrollTop && top + 28 <= list.scrollTop + list.clientHeight;
    if (here && !seen) list.scrollTop = top - list.clientHeight / 2;
  }
  if (!view.ply) list.scrollTop = 0;
}

// -- what is said -----------------------------------------------------------------------------------------------------

// A line from a position on, which can be stepped through.
function lineView(name, ply, line) {
  if (!line.length) return null;
  const same = view.line === line;
  const words = line.map(([, san], i) => make("button", { class: same && view.steps === i + 1 ? "here" : null, click: () => follow(ply, line, i + 1) }, numberOf(ply + i, i === 0) + san));
  return make("p", { class: "line" }, make("b", {}, name), ...words);
}

function explained(heading, moves) {
  const inOrder = (statements) => KINDS.flatMap((kind) => statements.filter((s) => s.kind === kind));
  return moves.filter((move) => move && move.statements.length).flatMap((move) => [
    make("h3", {}, `${heading} ${move.san}`),
    make("ul", {}, ...inOrder(move.statements).map((s) => make("li", {}, make("i", { class: `kind ${s.kind}` }, s.kind), make("span", {}, s.text)))),
  ]);
}

function drawNote() {
  const at = view.line ? view.line.ply : view.ply, note = by("note");
  if (!at) {
    const opening = game().opening, headers = game().headers;
    const where = [headers.Event, headers.Site, headers.Date, headers.Round].filter((text) => text && !/^[?.]+$/.test(text));
    note.replaceChildren(
      make("h2", {}, `${short(headers.White)} – ${short(headers.Black)}`, make("small", {}, headers.Result || "*")),
      make("p", { class: "soft" }, where.join(", ")),
      make("p", {}, opening ? `${opening.eco} ${opening.name}` : ""),
      lineView("The search would play", 0, bestLine(0)) || "",
    );
    return;
  }
  const move = game().moves[at - 1], mistake = move.mark && move.mark !== "!";
  const head = make("h2", { class: move.mark ? MARKS[move.mark] : null }, `${numberOf(at - 1, true)}${move.san}${move.mark || ""}`, make("small", {}, `White ${whole(move.value)}, ${scoreText(move.score)}`));
  const same = move.uci === move.choice;
  const parts = [head, ...move.notes.map((text) => make("p", {}, text))];
  if (move.forced) parts.push(make("p", { class: "soft" }, "The only legal move."));
  else if (same && move.mark !== "!") parts.push(make("p", { class: "soft" }, "The search would play it, too."));
  if (!same) parts.push(lineView(mistake ? "Better" : "The search's choice", at - 1, move.line));
  parts.push(lineView(mistake ? "The answer" : "Then", at, move.reply));
  for (const trap of move.traps) parts.push(lineView("The trap", at, trap.line));
  if (move.why) parts.push(...explained("Why not", move.why.why_not), ...explained("Why", [move.why.why]));
  note.replaceChildren(...parts.filter(Boolean));
}

function drawSides() {
  const { white, black, headers } = game(), one = (n) => (n === null ? "—" : n.toFixed(1));
  const row = (name, value, kind) => make("tr", { class: kind }, make("td", {}, value(white)), make("th", { scope: "row" }, name), make("td", {}, value(black)));
  const signs = [["Blunders", "??"], ["Mistakes", "?"], ["Dubious", "?!"], ["Good moves", "!"]];
  by("sides").replaceChildren(make("table", {},
    make("thead", {}, make("tr", {}, make("th", {}, short(headers.White)), make("th", {}), make("th", {}, short(headers.Black)))),
    make("tbody", {},
      row("Accuracy, %", (side) => one(side.accuracy), "big"),
      row("Lost a move, %", (side) => one(side.loss === null ? null : 100 * side.loss)),
      ...signs.map(([name, sign]) => row(`${name} ${sign}`, (side) => String(side.marks[sign]))),
      row("Mates missed", (side) => String(side.mates_missed)),
      row("Traps set", (side) => String(side.traps_set)),
      row("Traps fallen into", (side) => String(side.traps_fallen_into)))));
}

// -- where one is -----------------------------------------------------------------------------------------------------

function draw() {
  drawBoard();
  drawPlayers();
  drawBar();
  drawGraph();
  markMove();
  drawNote();
  const last = game().moves.length;
  for (const id of ["first", "previous"]) by(id).disabled = !view.ply && !view.line;
  for (const id of ["next", "last"]) by(id).disabled = view.line ? view.steps >= view.line.length : view.ply >= last;
  by("before").disabled = mistake(-1) === null;
  by("after").disabled = mistake(1) === null;
  history.replaceState(null, "", `#${view.game + 1}.${view.ply}`);
}

function goTo(ply) {
  view.ply = Math.min(Math.max(ply, 0), game().moves.length);
  view.line = null;
  draw();
}

// Along a line that begins after so many plies; what is said stays that of the move where it was found.
function follow(ply, line, steps) {
  line.ply = view.line ? view.line.ply : view.ply;
  Object.assign(view, { ply, line, steps });
  draw();
}

function step(by) {
  if (!view.line) return goTo(view.ply + by);
  if (by < 0 && view.steps <= 1) return goTo(view.line.ply);
  view.steps = Math.min(view.steps + by, view.line.length);
  return draw();
}

function mistake(direction) {
  const from = view.line ? view.line.ply : view.ply;
  for (let i = from + direction; i >= 1 && i <= game().moves.length; i += direction) {
    if (/\?/.test(game().moves[i - 1].mark || "")) return i;
  }
  return null;
}

function flip() {
  view.orientation = view.orientation === "white" ? "black" : "white";
  draw();
}

function choose(number, ply = 0) {
  Object.assign(view, { game: number, ply: 0, line: null });
  drawMoves();
  drawSides();
  by("games").querySelectorAll("tbody tr").forEach((row, i) => row.classList.toggle("here", i === number));
  goTo(ply);
}

function drawGames() {
  by("games").hidden = data.length < 2;
  by("games").querySelector("tbody").replaceChildren(...data.map((one, i) => {
    const both = (sign) => `${one.white.marks[sign]} : ${one.black.marks[sign]}`, headers = one.headers;
    const accuracies = ["white", "black"].map((side) => make("td", { class: "number" }, one[side].accuracy === null ? "—" : one[side].accuracy.toFixed(1)));
    return make("tr", { click: () => choose(i) },
      make("td", {}, make("button", { "aria-label": `Game ${one.number}` }, String(one.number))), make("td", { class: "name" }, short(headers.White)), make("td", { class: "name" }, short(headers.Black)), make("td", {}, headers.Result || "*"),
      ...accuracies, ...["??", "?", "?!"].map((sign) => make("td", { class: "number wide" }, both(sign))),
      make("td", { class: "wide opening" }, one.opening ? one.opening.name : ""));
  }));
}

const KEYS = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => goTo(0), End: () => goTo(game().moves.length), f: flip,
  n: () => mistake(1) !== null && goTo(mistake(1)), b: () => mistake(-1) !== null && goTo(mistake(-1)),
};
const BUTTONS = { first: KEYS.Home, previous: KEYS.ArrowLeft, next: KEYS.ArrowRight, last: KEYS.End, flip, before: KEYS.b, after: KEYS.n };
for (const [id, act] of Object.entries(BUTTONS)) by(id).addEventListener("click", act);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});
addEventListener("resize", drawGraph);

drawGames();
const [number, ply] = location.hash.slice(1).split(".").map(Number);
choose(number >= 1 && number <= data.length ? number - 1 : 0, ply || 0);
