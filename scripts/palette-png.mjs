/** Encodes PNGs of at most 256 colours, a third of the size of a browser's screenshots. */
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const INDEXED = 3;
/** Squared distance in the cube of red, green and blue. */
const SAME_COLOUR = 30;

/**
 * @param {Uint8Array} pixels red, green, blue and alpha, a byte each, row by row; alpha is ignored
 * @returns {Buffer} the file
 */
export function encodePalettePng(pixels, width, height) {
  const { palette, indexOf } = quantize(pixels);
  // Each row begins with its filter type: none, since neighbouring palette indices are unrelated.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + 1 + x] = indexOf.get(colourAt(pixels, (y * width + x) * 4));

  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = INDEXED;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Keeps the most frequent colours; every other colour becomes the nearest of them. */
function quantize(pixels) {
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = colourAt(pixels, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const colours = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  const palette = [];
  // Near-identical colours share an entry, which leaves entries for rare ones, such as those of pins.
  for (const colour of colours) {
    if (palette.length === 256) break;
    if (palette.every((other) => distance(other, colour) > SAME_COLOUR)) palette.push(colour);
  }
  const indexOf = new Map(colours.map((colour) => [colour, nearest(palette, colour)]));
  return { palette, indexOf };
}

function nearest(palette, colour) {
  let best = 0;
  for (let index = 1; index < palette.length; index++)
    if (distance(palette[index], colour) < distance(palette[best], colour)) best = index;
  return best;
}

function colourAt(pixels, at) {
  return (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
}

function channelsOf(colour) {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function distance(a, b) {
  const [red, green, blue] = channelsOf(a).map((channel, index) => channel - channelsOf(b)[index]);
  return red * red + green * green + blue * blue;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
