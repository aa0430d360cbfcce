/** Reads the XML of a workbook in chunks and bounded memory. */

import { SaxesParser } from 'saxes';

import { decodeText } from '../text/decode.ts';
import { TextDamage } from '../text/lines.ts';
import { ArchiveDamage } from '../zip/reader.ts';

/** The XML cannot be read further. The message completes a sentence. */
export class XmlDamage extends Error {}

/** Attributes by prefixed name. The object has no prototype. */
export type Attributes = Readonly<Record<string, string | undefined>>;

export interface XmlHandler {
  /**
   * @param name without a prefix
   * @param depth 1 for the root
   */
  readonly open: (name: string, attributes: Attributes, depth: number) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string, depth: number) => void;
}

const MAX_DEPTH = 64;
/** Maximum characters between two tags and in one tag, which the parser buffers. */
export const MAX_RUN = 1024 * 1024;

/**
 * Yields after every chunk of the file.
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

/** Reads a whole part. */
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
  /** Upper bound of the characters since the last event. */
  #buffered = 0;
  /** Number of events. */
  #events = 0;

  constructor({ open, text, close }: XmlHandler) {
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new XmlDamage(`its XML is invalid (${error.message})`);
    });
    parser.on('doctype', () => {
      throw new XmlDamage('its XML has a document type (DOCTYPE), which is not allowed');
    });
    parser.on('opentag', ({ name, attributes }) => {
      this.#events += 1;
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH) throw new XmlDamage(`its XML is nested over ${MAX_DEPTH} levels deep`);
      open(localName(name), attributes as Attributes, this.#depth);
    });
    const onText = (piece: string) => {
      this.#events += 1;
      text?.(piece);
    };
    parser.on('text', onText);
    parser.on('cdata', onText);
    parser.on('closetag', ({ name }) => {
      this.#events += 1;
      close?.(localName(name), this.#depth);
      this.#depth -= 1;
    });
  }

  write(text: string): void {
    const before = this.#events;
    this.#parser.write(text);
    this.#buffered = this.#events === before ? this.#buffered + text.length : text.length;
    if (this.#buffered > MAX_RUN) {
      throw new XmlDamage(`its XML has over ${MAX_RUN} characters between two tags, or in one tag`);
    }
  }

  end(): void {
    this.#parser.close();
  }
}
