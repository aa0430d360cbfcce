/** The text of an element with one `t`, or with formatted runs. */

import type { Attributes } from './xml.ts';
import { MAX_RUN, XmlDamage } from './xml.ts';

/** Maximum characters of a cell. */
export const MAX_TEXT = MAX_RUN;

export class RichText {
  /** Depth of the element. */
  readonly #depth: number;
  #text = '';
  #isRun = false;
  /** The open `t`. */
  #open: { readonly depth: number; readonly isPreserved: boolean; text: string } | null = null;

  constructor(depth: number) {
    this.#depth = depth;
  }

  /** Not unescaped. */
  get raw(): string {
    return this.#text;
  }

  open(name: string, attributes: Attributes, depth: number): void {
    const level = depth - this.#depth;
    // Phonetic text (rPh) is ignored.
    if (level === 1) this.#isRun = name === 'r';
    if (name === 't' && (level === 1 || (level === 2 && this.#isRun))) {
      this.#open = { depth, isPreserved: attributes['xml:space'] === 'preserve', text: '' };
    }
  }

  /** @throws XmlDamage for a text that is too long */
  add(piece: string): void {
    if (this.#open === null) return;
    this.#open.text += piece;
    if (this.#text.length + this.#open.text.length > MAX_TEXT) {
      throw new XmlDamage(`a cell has over ${MAX_TEXT} characters`);
    }
  }

  close(depth: number): void {
    if (this.#open?.depth !== depth) return;
    const { isPreserved, text } = this.#open;
    this.#text += isPreserved ? text : withoutSpaceAround(text);
    this.#open = null;
  }
}

/** Without xml:space="preserve", white space around the text is XML layout. */
function withoutSpaceAround(text: string): string {
  return /^[ \t\r\n]|[ \t\r\n]$/.test(text) ? text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '') : text;
}

const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;

/** Reads escapes such as `_x000D_`, for characters that XML forbids. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
