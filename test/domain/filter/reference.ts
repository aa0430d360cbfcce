/**
 * A second implementation of filters, by brute force, to be compared with capabilities §10 line by line. It shares no
 * code with src/. Numbers are compared as exact fractions.
 */

/** The numerator of a double over 2^1074: every finite double is a multiple of 2^-1074. */
function exact(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const all = bits.getBigUint64(0);
  const exponent = Number((all >> 52n) & 0x7ffn);
  const fraction = all & 0xfffffffffffffn;
  const magnitude = exponent === 0 ? fraction : (fraction | 0x10000000000000n) << BigInt(exponent - 1);
  return all >> 63n === 1n ? -magnitude : magnitude;
}

type Position = readonly [number, number];

/** Even-odd over all rings; points on an edge are inside. */
export function isInPolygon(rings: readonly (readonly Position[])[], [x, y]: Position): boolean {
  const [px, py] = [exact(x), exact(y)];
  let crossings = 0;
  for (const ring of rings) {
    for (let index = 0; index + 1 < ring.length; index += 1) {
      const [ax, ay] = (ring[index] as Position).map(exact) as [bigint, bigint];
      const [bx, by] = (ring[index + 1] as Position).map(exact) as [bigint, bigint];
      const cross = (bx - ax) * (py - ay) - (by - ay) * (px - ax);
      const isBeside = (a: bigint, b: bigint, p: bigint) => (p - a) * (p - b) <= 0n;
      if (cross === 0n && isBeside(ax, bx, px) && isBeside(ay, by, py)) return true;
      // The ray to the east crosses the edge, whose lower end counts and upper end does not.
      const [lowX, lowY, highX, highY] = ay < by ? [ax, ay, bx, by] : [bx, by, ax, ay];
      if (!(lowY <= py && py < highY)) continue;
      // East of the point: (py - lowY) / (highY - lowY) * (highX - lowX) + lowX > px
      if ((py - lowY) * (highX - lowX) > (px - lowX) * (highY - lowY)) crossings += 1;
    }
  }
  return crossings % 2 === 1;
}

const FOLDS: readonly (readonly [string, string])[] = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['ı', 'i'],
  ['ħ', 'h'],
  ['ς', 'σ'],
];

export function normalized(text: string): string {
  const withoutMarks = [...text.normalize('NFKD')]
    .filter((character) => !/^\p{M}$/u.test(character) || '\u3099\u309a'.includes(character))
    .join('');
  return FOLDS.reduce(
    (folded, [from, to]) => folded.split(from).join(to),
    withoutMarks.normalize('NFC').toLowerCase(),
  );
}

const APOSTROPHES = ["'", '\u2019', '\u02bc'];
const isOfRun = (character: string) => /^[\p{L}\p{N}]$/u.test(character);
/** Unicode counts the third apostrophe as a letter; it does not count as one next to another apostrophe. */
const isLetter = (character: string | undefined) =>
  character !== undefined && /^\p{L}$/u.test(character) && !APOSTROPHES.includes(character);
const beginsAnywhere = (character: string) =>
  ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'].some((script) =>
    new RegExp(`^\\p{Script=${script}}$`, 'u').test(character),
  );

interface Character {
  readonly text: string;
  /** "the beginning of a run, or any character of Han, …"; "the letter behind it still begins a word" */
  readonly isBeginning: boolean;
}

/** The runs of a text, as code points. "an apostrophe between letters is removed" */
function runsOf(text: string): Character[][] {
  const runs: Character[][] = [];
  const characters = [...text];
  let isOpen = false;
  let isBehindApostrophe = false;
  for (const [at, character] of characters.entries()) {
    if (APOSTROPHES.includes(character) && isLetter(characters[at - 1]) && isLetter(characters[at + 1])) {
      isBehindApostrophe = true;
      continue;
    }
    if (isOfRun(character)) {
      if (!isOpen) runs.push([]);
      const isBeginning = !isOpen || isBehindApostrophe || beginsAnywhere(character);
      runs.at(-1)!.push({ text: character, isBeginning });
    }
    isOpen = isOfRun(character);
    isBehindApostrophe = false;
  }
  return runs;
}

const textOf = (run: readonly Character[]) => run.map(({ text }) => text).join('');

/** Whether every run of the query occurs in some text at the beginning of a word. */
export function isFound(query: string, texts: readonly string[]): boolean {
  return runsOf(normalized(query)).every((wanted) =>
    texts.some((text) =>
      runsOf(normalized([...text].slice(0, 2000).join(''))).some((run) =>
        run.some(
          ({ isBeginning }, at) =>
            isBeginning && textOf(run.slice(at, at + wanted.length)) === textOf(wanted),
        ),
      ),
    ),
  );
}
