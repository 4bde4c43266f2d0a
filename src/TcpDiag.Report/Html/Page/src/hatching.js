/** Hatchings: lines of the background's colour on that of a limit state, so that states differ in print and to every eye. */

const TILE = 8;

// Each draws lines on a tile whose edges meet those of its neighbours.
const LINES = {
  plain: [],
  rising: [[0, TILE, TILE, 0], [-1, 1, 1, -1], [TILE - 1, TILE + 1, TILE + 1, TILE - 1]],
  falling: [[0, 0, TILE, TILE], [TILE - 1, -1, TILE + 1, 1], [-1, TILE - 1, 1, TILE + 1]],
  crossed: [[0, TILE, TILE, 0], [0, 0, TILE, TILE]],
  rows: [[0, 2, TILE, 2], [0, 6, TILE, 6]],
  columns: [[2, 0, 2, TILE], [6, 0, 6, TILE]],
  grid: [[0, 4, TILE, 4], [4, 0, 4, TILE]],
  dashes: [[0, 2, 4, 2], [4, 6, TILE, 6]],
};

const SQUARES = {
  dots: [[1, 1, 2, 2], [5, 5, 2, 2]],
  checks: [[0, 0, 4, 4], [4, 4, 4, 4]],
};

/**
 * Makes what a canvas fills with.
 * @param {string} hatch a name of the above
 * @param {string} colour of the state
 * @param {string} background of the graph
 * @returns {CanvasPattern}
 */
export function hatching(hatch, colour, background) {
  const ratio = devicePixelRatio;
  const tile = document.createElement("canvas");
  tile.width = tile.height = Math.round(TILE * ratio);
  const context = tile.getContext("2d");
  context.scale(tile.width / TILE, tile.height / TILE);
  context.fillStyle = colour;
  context.fillRect(0, 0, TILE, TILE);
  context.fillStyle = context.strokeStyle = background;
  context.lineWidth = 1.2;
  context.beginPath();
  for (const [fromX, fromY, toX, toY] of LINES[hatch] ?? []) {
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
  }
  context.stroke();
  (SQUARES[hatch] ?? []).forEach((square) => context.fillRect(...square));
  return context.createPattern(tile, "repeat");
}
