/** JSON values that were read as lines of one text, and lists of some of them. A view of each line would take longer. */

const LINE_BREAK = 0x0a;
const [BEGIN, COMMA, END] = Buffer.from('[,]') as unknown as readonly [number, number, number];

/** One line. */
export interface JsonLine {
  /** UTF-8, of all lines. */
  readonly text: Uint8Array;
  readonly start: number;
  /** Where the line break stands, or the end. */
  readonly end: number;
}

export function linesOf(text: Uint8Array): readonly JsonLine[] {
  // A Buffer's search takes a seventh of the time.
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
  const lines: JsonLine[] = [];
  for (let start = 0; start <= text.length;) {
    const found = bytes.indexOf(LINE_BREAK, start);
    const end = found === -1 ? text.length : found;
    lines.push({ text, start, end });
    start = end + 1;
  }
  return lines;
}

/** @returns a list in JSON, UTF-8. Its memory is its own, so that it can be sent to another thread */
export function listOf(lines: readonly JsonLine[]): Uint8Array {
  const size = lines.reduce((sum, { start, end }) => sum + end - start + 1, 1);
  const list = new Uint8Array(Math.max(size, 2));
  list[0] = BEGIN;
  let at = 1;
  for (const { text, start, end, ends } of runsOf(lines)) {
    list.set(text.subarray(start, end), at);
    // In the place of the line breaks.
    for (const each of ends) list[at + each - start] = COMMA;
    at += end - start + 1;
  }
  list[list.length - 1] = END;
  return list;
}

/** Lines that follow one another, with the line breaks between them. */
interface Run extends JsonLine {
  /** Of its lines. */
  readonly ends: readonly number[];
}

function runsOf(lines: readonly JsonLine[]): readonly Run[] {
  const runs: { text: Uint8Array; start: number; end: number; ends: number[] }[] = [];
  for (const { text, start, end } of lines) {
    const run = runs.at(-1);
    if (run?.text === text && run.end + 1 === start) {
      run.end = end;
      run.ends.push(end);
    } else runs.push({ text, start, end, ends: [end] });
  }
  return runs;
}
