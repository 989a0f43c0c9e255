// How things look that are drawn: colours of the page's theme, shades of values, signs of proofs.

const SHADES = 20; // between an even value and a good or a bad one

export function colours(element = document.documentElement) {
  const style = getComputedStyle(element), value = (name) => style.getPropertyValue(name).trim();
  return { good: rgb(value("--good")), even: rgb(value("--even")), bad: rgb(value("--bad")), ink: value("--ink"),
    soft: value("--soft"), accent: value("--accent"), card: value("--card"), paper: value("--paper"), line: value("--line"),
    shades: new Map() };
}

function rgb(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

// The colour of a value (0 to 1) of the side to move at the root. A drawing has hundreds, most of them alike: each shade is
// made once.
export function colourOf(value, palette, alpha = 1) {
  const t = Math.round(SHADES * Math.max(-1, Math.min(1, (value - 0.5) * 2.6))), opacity = alpha.toFixed(1), name = `${t} ${opacity}`;
  if (!palette.shades.has(name)) {
    const end = t > 0 ? palette.good : palette.bad, part = Math.abs(t / SHADES) ** 0.7;
    const mixed = palette.even.map((c, i) => Math.round(c + (end[i] - c) * part));
    palette.shades.set(name, `rgba(${mixed.join(",")},${opacity})`);
  }
  return palette.shades.get(name);
}

// Everything of one look is drawn at once: most of a drawing is hundreds of thin lines and small nodes.
export function pathOf(looks, colour, width = 0) {
  const name = `${colour} ${width}`;
  if (!looks.has(name)) looks.set(name, { path: new Path2D(), colour, width });
  return looks.get(name).path;
}

// A sign for what is proven of a node, for the side to move at the root, or that it is a trap.
export function markOf(node) {
  if (node.trap) return "⚠";
  if (!node.proof) return "";
  if (node.proof === 2) return "=";
  const moverWins = node.proof === 1, moverIsRoot = node.line.length % 2 === 1;
  return moverWins === moverIsRoot ? "✓" : "✗";
}
