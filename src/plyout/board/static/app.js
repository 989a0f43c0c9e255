// The page: it shows what the server says, and tells the server what one does.

import { Link } from "./link.js";
import { BoardView } from "./boardview.js";
import { put } from "./elements.js";
import { MoveList } from "./movelist.js";
import { Panel } from "./panel.js";
import { shapeOf, squaresOf } from "./position.js";

const $ = (id) => document.getElementById(id);
let state = null, hello = null, previewing = false, clockAt = 0, setting = false;

const link = new Link(receive, (connected, text) => {
  $("status").classList.toggle("gone", !connected);
  $("status").textContent = text;
});
const board = new BoardView((uci) => link.send({ t: "move", uci }));
const moves = new MoveList($("moves"), (id) => link.send({ t: "goto", id }));
const host = {
  send: (message) => link.send(message),
  page: () => link.page,
  orientation: () => board.orientation,
  complain,
  announce,
  arrow: (uci, fen) => {
    if (state && fen === state.fen && !previewing && !board.dropping) board.arrows([shapeOf(uci, 10, "blue")]);
  },
  arrows: (list, fen) => {
    const here = state && fen === state.fen && !previewing && !board.dropping;
    if (!board.dropping) board.arrows(here && showsThoughts() ? list.map((a) => shapeOf(a.uci, a.width, a.best ? "green" : "paleBlue")) : []);
  },
  preview,
};
const panels = [new Panel(0, host), new Panel(1, host)];
$("panels").append(panels[0].element);
window.plyout = { link, board, panels, moves, get state() { return state; } };

function receive(message) {
  const panel = panels[message.side || 0];
  if (message.t === "hello") greet(message);
  else if (message.t === "state") show(message);
  else if (message.t === "begin") panel.begin(message);
  else if (message.t === "history") panel.history(message);
  else if (message.t === "search") panel.search(message);
  else if (message.t === "frame") panel.frame(message);
  else if (message.t === "status") $("status").textContent = message.text;
  else if (message.t === "error") complain(message.text);
  else if (message.t === "pgn") {
    $("pgn").value = message.text;
    $("fen").value = message.fen;
  }
}

function greet(message) {
  hello = message;
  for (const id of ["preset", "other"]) {
    $(id).replaceChildren(...message.presets.map(([name]) => new Option(name, name)));
  }
  Object.assign($("level"), { min: message.levels.lowest, max: message.levels.highest });
  $("threads").max = message.threads;
  // The process of this page has ended meanwhile: the game goes on in another one.
  const kept = JSON.parse(sessionStorage.getItem("plyout-game") || "null");
  if (!message.resumed && kept) {
    link.send({ t: "settings", values: kept.settings });
    link.send({ t: "pgn", text: kept.pgn });
  }
}

function show(message) {
  const before = state;
  state = { ...message, moves: undefined };
  if (message.moves) moves.set(message.moves, firstPly(message));
  if (message.moves)
    sessionStorage.setItem("plyout-game", JSON.stringify({ pgn: message.pgn, settings: { ...state.settings, mode: "analyse" } }));
  moves.here(state.here);
  const playing = state.settings.mode === "play", was = before && before.settings;
  if (was && playing && (was.mode !== "play" || was.colour !== state.settings.colour) && board.orientation !== state.settings.colour) board.flip();
  if (before && before.fen !== state.fen) {
    const last = moves.moves.get(state.here);
    if (last && last.san) announce(`${last.san}${state.check ? ", check" : ""}`);
  }
  if (!before || before.fen !== state.fen) previewing = false;
  if (!previewing) board.show(state, mayMove());
  if (setting) $("position-dialog").close(); // what was wrong with it would have been told before
  setting = false;
  $("opening").textContent = state.opening || "";
  outcome();
  modes(playing);
  players(playing);
  clockAt = performance.now();
  ticking();
  if (panels[0].root && panels[0].root.fen !== state.fen && !state.searching[0]) board.arrows([]);
}

function firstPly(message) {
  const chain = new Map(message.moves.map((row) => [row[0], row[1]]));
  let depth = 0;
  for (let id = message.here; id !== 0 && chain.has(id); id = chain.get(id)) depth++;
  return message.ply - depth;
}

function outcome() {
  const over = state.over || state.result, winner = { "1-0": "White wins", "0-1": "Black wins", "1/2-1/2": "Drawn" };
  $("outcome").textContent = over ? `${winner[over[0]]}: ${over[1]}` : "";
}

function modes(playing) {
  document.querySelectorAll("[data-mode]").forEach((b) => b.setAttribute("aria-checked", String(b.dataset.mode === state.settings.mode)));
  const compared = state.settings.mode === "compare";
  $("panels").classList.toggle("two", compared);
  if (compared && !panels[1].element.isConnected) $("panels").append(panels[1].element);
  if (!compared) panels[1].element.remove();
  const running = state.searching.some(Boolean);
  $("analyse").textContent = state.analysing ? "Stop" : running ? "Thinking" : "Search";
  $("analyse").setAttribute("aria-pressed", String(state.analysing));
  $("analyse").disabled = playing && !state.over;
  $("resign").hidden = !playing || Boolean(state.over);
  document.querySelectorAll(".keep").forEach((button) => (button.disabled = running));
}

function players(playing) {
  for (const [id, colour] of [["player-bottom", board.orientation], ["player-top", board.orientation === "white" ? "black" : "white"]]) {
    const name = colour === "white" ? "White" : "Black";
    const who = playing ? (colour === state.settings.colour ? "You" : opponent()) : "";
    document.querySelector(`#${id} .who`).textContent = `${name}${who ? ` · ${who}` : ""}${state.turn === colour && !state.over ? " •" : ""}`;
  }
}

function opponent() {
  const { preset, level } = state.settings, limited = preset === hello.levels.preset && state.variant !== "crazyhouse" && level < hello.levels.highest;
  return limited ? `${preset}, level ${level}` : preset;
}

function ticking() {
  cancelAnimationFrame(ticking.frame);
  const clock = state.clock;
  for (const [id, colour] of [["player-bottom", board.orientation], ["player-top", board.orientation === "white" ? "black" : "white"]]) {
    const face = document.querySelector(`#${id} .clock`);
    face.hidden = !clock;
    if (!clock) continue;
    const spent = clock.running === colour ? (performance.now() - clockAt) / 1000 : 0, left = Math.max(0, clock[colour] - spent);
    const seconds = left < 20 ? left.toFixed(1).padStart(4, "0") : String(Math.floor(left % 60)).padStart(2, "0");
    put(face, `${Math.floor(left / 60)}:${seconds}`);
    face.classList.toggle("running", clock.running === colour);
    face.classList.toggle("low", left < 20);
  }
  if (clock && clock.running) ticking.frame = setTimeout(ticking, 100);
}

const mayMove = () => state.settings.mode !== "play" || (state.turn === state.settings.colour && !state.over);

// In a game, what the engine thinks of the position on the board is not shown as arrows.
const showsThoughts = () => state.settings.mode !== "play" || Boolean(state.over);

function preview(position) {
  previewing = Boolean(position);
  if (!position) return state && board.show(state, mayMove());
  const pieces = new Map(position.pieces);
  board.ground.set({ fen: "8/8/8/8/8/8/8/8", turnColor: position.turn, check: false, movable: { color: undefined, dests: new Map() },
    lastMove: squaresOf(position.last) });
  board.ground.setPieces(pieces);
  board.arrows([]);
  return undefined;
}

function announce(text) {
  $("live").textContent = text;
}

function complain(text) {
  setting = false;
  const dialog = document.querySelector("dialog[open] .wrong");
  if (dialog) dialog.textContent = text;
  $("toast").textContent = text;
  $("toast").hidden = Boolean(dialog);
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => ($("toast").hidden = true), 6000);
}

// -- what one does ----------------------------------------------------------------------------------------------------

const settings = (values) => link.send({ t: "settings", values });
const go = (way) => {
  const id = moves.neighbour(way);
  if (id !== null && id !== undefined) link.send({ t: "goto", id });
};
const actions = {
  first: () => go("first"),
  previous: () => go("previous"),
  next: () => go("next"),
  last: () => go("last"),
  flip: () => {
    board.flip();
    players(state.settings.mode === "play");
    ticking();
  },
  back: () => link.send({ t: "back" }),
  analyse: () => link.send({ t: "analyse", on: !state.analysing }),
  resign: () => {
    const button = $("resign"), sure = button.textContent !== "Resign";
    clearTimeout(actions.doubting);
    button.textContent = sure ? "Resign" : "Resign?";
    if (sure) return link.send({ t: "resign" });
    announce("Once more to resign");
    actions.doubting = setTimeout(() => (button.textContent = "Resign"), 3000);
    return undefined;
  },
  new: () => $("new-dialog").showModal(),
  position: () => {
    document.querySelector("#position-dialog .wrong").textContent = "";
    $("fen").value = $("pgn").value = ""; // those of the last time are not those of now
    link.send({ t: "export" });
    $("position-dialog").showModal();
  },
  settings: openSettings,
  help: () => $("help-dialog").showModal(),
  theme: () => {
    const dark = document.documentElement.dataset.theme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    setTheme(dark ? "light" : "dark");
  },
  load: () => $("file").click(),
};
for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", action);
document.querySelectorAll("[data-mode]").forEach((button) => button.addEventListener("click", () => settings({ mode: button.dataset.mode })));

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("plyout-theme", theme);
  for (const panel of panels) {
    panel.tree.draw();
    panel.chart();
  }
}
if (localStorage.getItem("plyout-theme")) setTheme(localStorage.getItem("plyout-theme"));

function openSettings() {
  for (const field of document.querySelectorAll("[data-setting]")) field.value = state.settings[field.dataset.setting] ?? "";
  about();
  $("settings-dialog").showModal();
}
function about() {
  const found = hello && hello.presets.find(([name]) => name === $("preset").value);
  $("about-preset").textContent = found ? `${found[1]}${found[2] ? ` (${found[2]})` : ""}` : "";
  const { highest, preset } = hello.levels, level = Number($("level").value);
  $("level").disabled = $("preset").value !== preset;
  $("level-said").textContent = $("level").disabled ? `${preset} has levels` : level < highest ? `${level} Elo` : "the whole engine";
}
$("preset").addEventListener("change", about);
$("level").addEventListener("input", about);
document.querySelectorAll("[data-close]").forEach((button) => button.addEventListener("click", () => button.closest("dialog").close("")));
$("settings-dialog").addEventListener("close", () => {
  if ($("settings-dialog").returnValue !== "ok") return;
  const values = {};
  for (const field of document.querySelectorAll("[data-setting]")) {
    const number = field.type === "number" || field.type === "range";
    const value = field.id === "seed" && field.value === "" ? null : number ? Number(field.value) : field.value;
    if (value !== state.settings[field.dataset.setting]) values[field.dataset.setting] = value;
  }
  if (Object.keys(values).length) settings(values);
  $("settings-dialog").returnValue = "";
});
$("new-dialog").addEventListener("close", () => {
  const variant = $("new-dialog").returnValue;
  if (variant) link.send({ t: "new", variant });
  $("new-dialog").returnValue = "";
});
$("fen-set").addEventListener("click", () => {
  document.querySelector("#position-dialog .wrong").textContent = "";
  setting = true;
  const text = $("fen").value.trim(), crazyhouse = /[[~]/.test(text) || text.split(" ")[0].split("/").length === 9; // it has a pocket
  link.send({ t: "fen", text, variant: crazyhouse ? "crazyhouse" : "chess" });
});
$("fen").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault(); // it would close the dialog
  $("fen-set").click();
});
$("pgn-set").addEventListener("click", () => {
  setting = true;
  document.querySelector("#position-dialog .wrong").textContent = "";
  link.send({ t: "pgn", text: $("pgn").value });
});
$("pgn-copy").addEventListener("click", () => {
  $("pgn").select();
  navigator.clipboard?.writeText($("pgn").value).catch(() => {});
});
$("type").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("typed").value.trim();
  if (text) link.send({ t: "move", uci: text });
  $("typed").value = "";
});

$("file").addEventListener("change", async () => {
  const file = $("file").files[0];
  $("file").value = "";
  if (!file) return;
  $("status").textContent = "loading …";
  try {
    const answer = await fetch(`load/${link.page}`, { method: "POST", body: file });
    if (!answer.ok) complain(await answer.text());
  } catch {
    complain("the search could not be loaded: the file changed, or the server does not answer");
  }
  $("status").textContent = "";
});

const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", f: "flip", t: "back", " ": "analyse",
  n: "new", p: "position", o: "load", ",": "settings", "?": "help", d: "theme", r: "resign" };
document.addEventListener("keydown", (event) => {
  const written = event.getModifierState("AltGraph"); // some keyboards have brackets only there
  if ((!written && (event.ctrlKey || event.metaKey || event.altKey)) || document.querySelector("dialog[open]") || !state) return;
  if (board.promoting) {
    if (board.promotionKey(event.key)) event.preventDefault();
    return;
  }
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === " " && event.target.tagName === "BUTTON") return;
  if (event.key === "ArrowUp" || event.key === "ArrowDown") go(event.key === "ArrowUp" ? "up" : "down");
  else if (event.key === "[" || event.key === "]") panels.forEach((panel) => panel.step(event.key === "[" ? -1 : 1));
  else if (event.key === "m") $("typed").focus();
  else if (event.key === "Escape") panels.forEach((panel) => panel.leave());
  else if ("123".includes(event.key)) settings({ mode: ["analyse", "play", "compare"][event.key - 1] });
  else if (event.key === "s") panels[0].save();
  else if (event.key === "x") panels[0].picture();
  else if (event.key === "v") link.send({ t: "promote" });
  else if (KEYS[event.key] && !$(KEYS[event.key]).disabled && !$(KEYS[event.key]).hidden) actions[KEYS[event.key]]();
  else return;
  event.preventDefault();
});
