/** Reads XML in pieces, by saxes: within bounds, and without document types. Tags come with the places they stand at. */

import { SaxesParser } from 'saxes';

const MAX_DEPTH = 64;
/** Characters of one text, comment or tag, which saxes keeps in memory until it ends. */
const MAX_TOKEN = 16 * 1024 * 1024;
/** Characters behind the last `<` that are kept. A longer tag is no record's. */
const MAX_KEPT = 1024 * 1024;

/** Why the document cannot be read any further, as the end of a sentence. */
export class XmlError extends Error {}

export interface XmlTag {
  /** As it stands in the file, with its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** That of the root is 1. */
  readonly depth: number;
  readonly isSelfClosing: boolean;
}

/** Called while the parser stands right behind the tag or the text. A text may come in several calls. */
export interface XmlHandlers {
  readonly open: (tag: XmlTag) => void;
  readonly close: (tag: XmlTag) => void;
  readonly text: (text: string) => void;
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** What saxes calls by names of its own. */
const REASONS: Readonly<Record<string, string>> = {
  'unexpected end.': 'it ends before it is complete',
  'document must contain a root element.': 'it is empty',
};

export class XmlParser {
  readonly #saxes: SaxesParser<{ xmlns: false }>;
  #depth = 0;
  /** Characters that were written. */
  #written = 0;
  /** The last of them, as many as may be wanted. */
  #kept = '';
  /** Where the source is wanted from; null for nowhere. */
  #wantedFrom: number | null = null;
  /** Where the last tag or text ended. */
  #tokenAt = 0;

  /** @param version of XML, where the document itself does not declare it */
  constructor({ open, close, text }: XmlHandlers, version = '1.0') {
    const saxes = new SaxesParser({ xmlns: false, defaultXMLVersion: version === '1.1' ? '1.1' : '1.0' });
    this.#saxes = saxes;
    // Else names such as `constructor` would be entities too.
    saxes.ENTITIES = Object.assign(Object.create(null) as Record<string, string>, ENTITIES);
    saxes.on('error', ({ message }) => this.#fail(message.replace(/^\d+:\d+: /, '')));
    saxes.on('doctype', () => {
      throw new XmlError(`it has a document type (<!DOCTYPE …>), which is refused (line ${saxes.line})`);
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
      // Saxes closes what is open before it says that something else was to be closed.
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

  /** Characters that were passed. */
  get position(): number {
    return this.#saxes.position;
  }

  /** That of the XML declaration. */
  get version(): string {
    return this.#saxes.xmlDecl.version ?? '1.0';
  }

  /** Where the tag that was just passed begins; null where it is too long. No `<` stands within a tag. */
  get tagStart(): number | null {
    const at = this.#kept.lastIndexOf('<', this.position - this.#keptFrom - 1);
    return at === -1 ? null : this.#keptFrom + at;
  }

  /** From there on the source is kept; null ends that. */
  keepFrom(position: number | null): void {
    this.#wantedFrom = position;
  }

  /** The source between two places that was kept. */
  source(from: number, to: number): string {
    return this.#kept.slice(from - this.#keptFrom, to - this.#keptFrom);
  }

  /** @throws XmlError, and what the handlers throw */
  write(piece: string): void {
    this.#kept += piece;
    this.#written += piece.length;
    this.#saxes.write(piece);
    if (this.position - this.#tokenAt > MAX_TOKEN) {
      this.#fail(`a text, comment or tag is over ${MAX_TOKEN} characters`);
    }
    const at = this.#wantedFrom === null ? this.#kept.lastIndexOf('<') : this.#wantedFrom - this.#keptFrom;
    const isTooLong = this.#wantedFrom === null && this.#kept.length - at > MAX_KEPT;
    this.#kept = at < 0 || isTooLong ? '' : this.#kept.slice(at);
  }

  /** @throws XmlError where the document is not complete */
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
    return `the entity ${entity} is not defined; XML knows &amp; &lt; &gt; &quot; and &apos; alone`;
  }
}
