/** A streaming XML parser: saxes in bounded memory, without document types, with the positions of tags. */

import { SaxesParser } from 'saxes';

const MAX_DEPTH = 64;
/** Maximum characters of a text, comment or tag, which saxes buffers. */
const MAX_TOKEN = 16 * 1024 * 1024;
/** Maximum characters kept after the last `<`. Tags of records are shorter. */
const MAX_KEPT = 1024 * 1024;

/** The document cannot be read further. The message completes a sentence. */
export class XmlError extends Error {}

export interface XmlTag {
  /** With its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** 1 for the root. */
  readonly depth: number;
  readonly isSelfClosing: boolean;
}

/** Called when the parser is just after the tag or text. A text may come in several calls. */
export interface XmlHandlers {
  readonly open: (tag: XmlTag) => void;
  readonly close: (tag: XmlTag) => void;
  readonly text: (text: string) => void;
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Messages of saxes, reworded. */
const REASONS: Readonly<Record<string, string>> = {
  'unexpected end.': 'it ends before it is complete',
  'document must contain a root element.': 'it is empty',
};

export class XmlParser {
  readonly #saxes: SaxesParser<{ xmlns: false }>;
  #depth = 0;
  /** Characters written so far. */
  #written = 0;
  /** The end of the written source. */
  #kept = '';
  /** Start of the source to keep; null for none. */
  #keepFrom: number | null = null;
  /** End of the last tag or text. */
  #tokenAt = 0;

  /** @param version the version of XML if the document does not declare one */
  constructor({ open, close, text }: XmlHandlers, version = '1.0') {
    const saxes = new SaxesParser({ xmlns: false, defaultXMLVersion: version === '1.1' ? '1.1' : '1.0' });
    this.#saxes = saxes;
    // Without a prototype: else names such as `constructor` would be entities.
    saxes.ENTITIES = Object.assign(Object.create(null) as Record<string, string>, ENTITIES);
    saxes.on('error', ({ message }) => this.#fail(message.replace(/^\d+:\d+: /, '')));
    saxes.on('doctype', () => {
      throw new XmlError(`it has a document type (<!DOCTYPE …>), which is not allowed (line ${saxes.line})`);
    });
    const pass = () => (this.#tokenAt = saxes.position);
    saxes.on('opentag', ({ name, attributes, isSelfClosing }) => {
      pass();
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH) this.#fail(`the elements are nested more than ${MAX_DEPTH} deep`);
      open({ name, attributes, isSelfClosing, depth: this.#depth });
    });
    saxes.on('closetag', ({ name, attributes, isSelfClosing }) => {
      pass();
      // Saxes closes the open element before it reports a mismatched end tag.
      if (!isSelfClosing && !this.#isClosing(name)) this.#fail(`<${name}> is not closed`);
      close({ name, attributes, isSelfClosing, depth: this.#depth });
      this.#depth -= 1;
    });
    const take = (piece: string) => {
      pass();
      text(piece);
    };
    saxes.on('text', take);
    saxes.on('cdata', take);
    saxes.on('comment', pass);
    saxes.on('processinginstruction', pass);
  }

  /** Characters parsed so far. */
  get position(): number {
    return this.#saxes.position;
  }

  /** From the XML declaration. */
  get version(): string {
    return this.#saxes.xmlDecl.version ?? '1.0';
  }

  /** Start of the last tag; null if it is too long. A tag contains no other `<`. */
  get tagStart(): number | null {
    const at = this.#kept.lastIndexOf('<', this.position - this.#keptFrom - 1);
    return at === -1 ? null : this.#keptFrom + at;
  }

  /** Keeps the source from a position on; null stops. */
  keepFrom(position: number | null): void {
    this.#keepFrom = position;
  }

  /** The kept source between two positions. */
  source(from: number, to: number): string {
    return this.#kept.slice(from - this.#keptFrom, to - this.#keptFrom);
  }

  /** @throws XmlError; errors of the handlers */
  write(piece: string): void {
    this.#kept += piece;
    this.#written += piece.length;
    this.#saxes.write(piece);
    if (this.position - this.#tokenAt > MAX_TOKEN) {
      this.#fail(`a text, comment or tag is over ${MAX_TOKEN} characters`);
    }
    const at = this.#keepFrom === null ? this.#kept.lastIndexOf('<') : this.#keepFrom - this.#keptFrom;
    const isTooLong = this.#keepFrom === null && this.#kept.length - at > MAX_KEPT;
    this.#kept = at < 0 || isTooLong ? '' : this.#kept.slice(at);
  }

  /** @throws XmlError if the document is incomplete */
  end(): void {
    this.#saxes.close();
  }

  get #keptFrom(): number {
    return this.#written - this.#kept.length;
  }

  #isClosing(name: string): boolean {
    const start = this.tagStart;
    return start === null || this.source(start + 2, this.position - 1).trimEnd() === name;
  }

  #fail(problem: string): never {
    const reason = REASONS[problem] ?? this.#describe(problem.replace(/\.$/, ''));
    throw new XmlError(`${reason} (line ${this.#saxes.line})`);
  }

  #describe(problem: string): string {
    if (problem.startsWith('unclosed tag')) return 'it ends before it is complete';
    if (problem !== 'undefined entity') return problem;
    const before = this.#kept.slice(0, this.position - this.#keptFrom);
    const [entity = ''] = /&[^&;<]{0,40};?$/.exec(before) ?? [];
    return `the entity ${entity} is not defined; XML defines only &amp; &lt; &gt; &quot; and &apos;`;
  }
}
