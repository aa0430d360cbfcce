/** The names of the towns, for display, and the towns with a name that begins with a text. */

import type { Header, Offsets, ReadBytes } from './format.ts';
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

function decodeName(encoded: Buffer): string {
  return encoded.toString('utf8', 1);
}

/** The alternates that a text finds which does not find the main name, in all their spellings. */
export function otherNames(main: string, alternates: readonly string[]): readonly Buffer[] {
  const foldedMain = fold(main);
  const names = new Map<string, string>();
  for (const name of alternates) {
    const folded = fold(name);
    if (folded !== '' && !foldedMain.startsWith(folded)) names.set(name.toLowerCase(), name);
  }
  return [...names.values()].map(encodeName);
}

export interface NamedTown {
  /** Encoded. */
  readonly name: Buffer;
  /** Encoded. */
  readonly otherNames: readonly Buffer[];
}

/** What the header says about the names. */
export function countNames(towns: readonly NamedTown[]) {
  const bytes = (names: readonly Buffer[]) => names.reduce((sum, { length }) => sum + length, 0);
  return {
    nameBytes: bytes(towns.map(({ name }) => name)),
    otherNameCount: towns.reduce((sum, town) => sum + town.otherNames.length, 0),
    otherNameBytes: towns.reduce((sum, town) => sum + bytes(town.otherNames), 0),
  };
}

/** @param towns in the order of their numbers */
export function writeNames(bytes: Buffer, offsets: Offsets, towns: readonly NamedTown[]): void {
  const names = towns.map(({ name }) => name);
  writeList(bytes, offsets.names, offsets.nameSamples, names);
  inFoldedOrder(names).forEach((town, index) => bytes.writeUInt32LE(town, offsets.townsByName + index * 4));
  const others = towns.flatMap(({ otherNames: own }, town) => own.map((name) => ({ name, town })));
  const sorted = Array.from(
    inFoldedOrder(others.map(({ name }) => name)),
    (index) => others[index] as (typeof others)[number],
  );
  writeList(
    bytes,
    offsets.otherNames,
    offsets.otherNameSamples,
    sorted.map(({ name }) => name),
  );
  sorted.forEach(({ town }, index) => bytes.writeUInt32LE(town, offsets.townsOfOtherNames + index * 4));
}

function writeList(bytes: Buffer, start: number, samples: number, names: readonly Buffer[]): void {
  let at = 0;
  for (const [index, name] of names.entries()) {
    if (index % NAMES_PER_SAMPLE === 0) {
      bytes.writeUInt32LE(at, samples + (index / NAMES_PER_SAMPLE) * 4);
    }
    name.copy(bytes, start + at);
    at += name.length;
  }
}

function inFoldedOrder(names: readonly Buffer[]): Uint32Array {
  const keys = names.map((name) => fold(decodeName(name)));
  return Uint32Array.from(keys.keys()).sort((a, b) => compare(keys[a] ?? '', keys[b] ?? '') || a - b);
}

/** By UTF-16 units. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Names that are stored one after the other. */
class NameList {
  readonly #read: ReadBytes;
  readonly #start: number;
  readonly #samples: number;
  readonly #bytes: number;

  constructor(read: ReadBytes, start: number, samples: number, bytes: number) {
    this.#read = read;
    this.#start = start;
    this.#samples = samples;
    this.#bytes = bytes;
  }

  at(index: number): string {
    const sample = Math.floor(index / NAMES_PER_SAMPLE);
    const start = this.#read(this.#samples + sample * 4, 4).readUInt32LE(0);
    const length = Math.min(this.#bytes - start, ((index % NAMES_PER_SAMPLE) + 1) * MAX_NAME_BYTES);
    const bytes = this.#read(this.#start + start, length);
    let at = 0;
    for (let skipped = index % NAMES_PER_SAMPLE; skipped > 0; skipped -= 1) at += 1 + bytes.readUInt8(at);
    return bytes.toString('utf8', at + 1, at + 1 + bytes.readUInt8(at));
  }
}

export interface TownMatch {
  readonly town: number;
  /** Other names that are the whole text, in different spellings. */
  readonly wholeNames: readonly string[];
}

export interface TownMatches {
  /** Towns whose main name begins with the text, or that have another name which is the text; largest first. */
  readonly likely: readonly TownMatch[];
  /** Further towns, with another name that begins with the text; largest first. */
  readonly others: readonly TownMatch[];
}

export class TownNames {
  readonly #read: ReadBytes;
  readonly #offsets: Offsets;
  readonly #header: Header;
  readonly #names: NameList;
  readonly #otherNames: NameList;

  constructor(read: ReadBytes, offsets: Offsets, header: Header) {
    this.#read = read;
    this.#offsets = offsets;
    this.#header = header;
    const { names, nameSamples, otherNames: others, otherNameSamples } = offsets;
    this.#names = new NameList(read, names, nameSamples, header.nameBytes);
    this.#otherNames = new NameList(read, others, otherNameSamples, header.otherNameBytes);
  }

  nameOf(town: number): string {
    return this.#names.at(town);
  }

  /** The towns with a name whose folded form begins with a folded text. */
  startingWith(prefix: string): TownMatches {
    const { townsByName } = this.#offsets;
    const byName = (index: number) => this.#names.at(this.#numbers(townsByName, index, index + 1)[0] ?? 0);
    const [first, end] = rangeOf(prefix, this.#header.townCount, byName);
    const likely = new Map<number, string[]>();
    for (const town of this.#numbers(townsByName, first, end)) likely.set(town, []);
    const others = new Map<number, []>();
    for (const { town, wholeName } of this.#otherNamesWith(prefix)) {
      // Whole names come before longer ones.
      if (wholeName !== null) likely.set(town, [...(likely.get(town) ?? []), wholeName]);
      else if (!likely.has(town)) others.set(town, []);
    }
    return { likely: largestFirst(likely), others: largestFirst(others) };
  }

  /** In the order of the folded names, whose first ones are the whole text. */
  *#otherNamesWith(prefix: string): Iterable<{ readonly town: number; readonly wholeName: string | null }> {
    const nameAt = (index: number) => this.#otherNames.at(index);
    const [first, end] = rangeOf(prefix, this.#header.otherNameCount, nameAt);
    let isWhole = true;
    for (const [index, town] of this.#numbers(this.#offsets.townsOfOtherNames, first, end).entries()) {
      const name: string = isWhole ? nameAt(first + index) : '';
      isWhole &&= fold(name) === prefix;
      yield { town, wholeName: isWhole ? name : null };
    }
  }

  #numbers(offset: number, first: number, end: number): readonly number[] {
    if (first >= end) return [];
    const bytes = this.#read(offset + first * 4, (end - first) * 4);
    return Array.from({ length: end - first }, (_, index) => bytes.readUInt32LE(index * 4));
  }
}

function largestFirst(wholeNames: ReadonlyMap<number, readonly string[]>): readonly TownMatch[] {
  return [...wholeNames].map(([town, own]) => ({ town, wholeNames: own })).sort((a, b) => a.town - b.town);
}

/** The positions of the names that begin with a folded prefix, in a list in the order of folded names. */
function rangeOf(
  prefix: string,
  count: number,
  nameAt: (index: number) => string,
): readonly [first: number, end: number] {
  const search = (holds: (name: string) => boolean): number => {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (holds(fold(nameAt(middle)))) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const isAfter = (name: string) => compare(name, prefix) >= 0;
  return [search(isAfter), search((name) => isAfter(name) && !name.startsWith(prefix))];
}
