/** The names of the towns, for display, and the towns whose names begin with a text. */

import type { Offsets, ReadBytes } from './format.ts';
import { NAMES_PER_SAMPLE } from './format.ts';
import { fold } from './normalise.ts';

/** Bytes of the longest name, and its length. */
const MAX_NAME_BYTES = 1 + 0xff;

/** Whole characters that fit into a byte's length. */
export function encodeName(name: string): Buffer {
  let text = name;
  while (Buffer.byteLength(text) > 0xff) text = Array.from(text).slice(0, -1).join('');
  return Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)]);
}

/**
 * Writes the names, their samples and the towns by name.
 *
 * @param names encoded, in the order of the towns
 */
export function writeNames(bytes: Buffer, offsets: Offsets, names: readonly Buffer[]): void {
  let at = 0;
  for (const [town, name] of names.entries()) {
    if (town % NAMES_PER_SAMPLE === 0) {
      bytes.writeUInt32LE(at, offsets.nameSamples + (town / NAMES_PER_SAMPLE) * 4);
    }
    name.copy(bytes, offsets.names + at);
    at += name.length;
  }
  const keys = names.map((name) => fold(name.toString('utf8', 1)));
  const sorted = Uint32Array.from(keys.keys()).sort((a, b) => compare(keys[a] ?? '', keys[b] ?? '') || a - b);
  sorted.forEach((town, index) => bytes.writeUInt32LE(town, offsets.townsByName + index * 4));
}

/** By UTF-16 units. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

export class TownNames {
  readonly #read: ReadBytes;
  readonly #offsets: Offsets;
  readonly #count: number;
  readonly #nameBytes: number;

  constructor(
    read: ReadBytes,
    offsets: Offsets,
    { townCount, nameBytes }: { townCount: number; nameBytes: number },
  ) {
    this.#read = read;
    this.#offsets = offsets;
    this.#count = townCount;
    this.#nameBytes = nameBytes;
  }

  nameOf(town: number): string {
    const sample = Math.floor(town / NAMES_PER_SAMPLE);
    const start = this.#read(this.#offsets.nameSamples + sample * 4, 4).readUInt32LE(0);
    const length = Math.min(this.#nameBytes - start, ((town % NAMES_PER_SAMPLE) + 1) * MAX_NAME_BYTES);
    const bytes = this.#read(this.#offsets.names + start, length);
    let at = 0;
    for (let skipped = town % NAMES_PER_SAMPLE; skipped > 0; skipped -= 1) at += 1 + bytes.readUInt8(at);
    return bytes.toString('utf8', at + 1, at + 1 + bytes.readUInt8(at));
  }

  /** The towns whose folded names begin with a folded text, the largest first. */
  startingWith(prefix: string): readonly number[] {
    const first = this.#search((name) => compare(name, prefix) >= 0);
    const end = this.#search((name) => compare(name, prefix) >= 0 && !name.startsWith(prefix));
    if (first >= end) return [];
    const bytes = this.#read(this.#offsets.townsByName + first * 4, (end - first) * 4);
    const towns = Array.from({ length: end - first }, (_, index) => bytes.readUInt32LE(index * 4));
    return towns.sort((a, b) => a - b);
  }

  /** The first position by name at which the condition holds, as it does at all after it. */
  #search(holds: (name: string) => boolean): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const town = this.#read(this.#offsets.townsByName + middle * 4, 4).readUInt32LE(0);
      if (holds(fold(this.nameOf(town)))) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
