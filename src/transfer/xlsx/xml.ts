/** Reads the XML of a workbook piece by piece, in memory that no file can make grow. */

import { SaxesParser } from 'saxes';

import { decodeText } from '../text/decode.ts';
import { TextDamage } from '../text/lines.ts';
import { ArchiveDamage } from '../zip/reader.ts';

/** The XML cannot be read any further. The message is the end of a sentence. */
export class XmlDamage extends Error {}

/** Attributes by their names, with their prefixes. The object has no prototype. */
export type Attributes = Readonly<Record<string, string | undefined>>;

export interface XmlHandler {
  /**
   * @param name without a prefix
   * @param depth of the element; the root's is 1
   */
  readonly open: (name: string, attributes: Attributes, depth: number) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string, depth: number) => void;
}

const MAX_DEPTH = 64;
/** Characters between two tags, and in one tag. The parser keeps so many. */
export const MAX_RUN = 1024 * 1024;

/**
 * Gives control back after every piece of the file.
 *
 * @throws XmlDamage, TextDamage, ArchiveDamage
 */
export async function* readXml(
  chunks: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
): AsyncGenerator<void, void, undefined> {
  const parser = new BoundedParser(handler);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new XmlDamage('its XML is not UTF-8');
    }
  };
  for await (const chunk of decodeText(chunks, null)) {
    parser.write(decode(chunk));
    yield;
  }
  parser.write(decode());
  parser.end();
}

/** Reads all of a part that is small, or whose handler keeps little. */
export async function readWholeXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  for await (const _ of readXml(chunks, handler));
}

export function isDamage(error: unknown): error is Error {
  return error instanceof XmlDamage || error instanceof TextDamage || error instanceof ArchiveDamage;
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

class BoundedParser {
  readonly #parser = new SaxesParser({ position: false });
  #depth = 0;
  /** Characters since the parser last gave something, at most. */
  #held = 0;
  /** How many things it has given. */
  #given = 0;

  constructor({ open, text, close }: XmlHandler) {
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new XmlDamage(`its XML is damaged (${error.message})`);
    });
    parser.on('doctype', () => {
      throw new XmlDamage('its XML has a document type (DOCTYPE), which is not allowed');
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.#given += 1;
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH) throw new XmlDamage(`its XML is nested over ${MAX_DEPTH} levels deep`);
      open(localName(name), attributes as Attributes, this.#depth);
    });
    const give = (piece: string) => {
      this.#given += 1;
      text?.(piece);
    };
    parser.on('text', give);
    parser.on('cdata', give);
    parser.on('closetag', ({ name }) => {
      this.#given += 1;
      close?.(localName(name), this.#depth);
      this.#depth -= 1;
    });
  }

  write(text: string): void {
    const before = this.#given;
    this.#parser.write(text);
    this.#held = this.#given === before ? this.#held + text.length : text.length;
    if (this.#held > MAX_RUN) {
      throw new XmlDamage(`its XML has over ${MAX_RUN} characters between two tags, or in one tag`);
    }
  }

  end(): void {
    this.#parser.close();
  }
}
