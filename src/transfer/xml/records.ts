/** Streams the records of an XML file as element trees. */

import { escapeAttribute } from './escape.ts';
import { XmlParser } from './parser.ts';
import type { XmlTag } from './parser.ts';
import type { XmlText } from './text.ts';

/** Maximum characters of a record's source; the rest is dropped. */
const MAX_RECORD_LENGTH = 1024 * 1024;
/** Maximum elements of a record, which take more memory than their source. */
const MAX_RECORD_ELEMENTS = 20_000;
/** Completes a sentence about a record that is not whole. */
export const TOO_LARGE = `exceeds ${MAX_RECORD_LENGTH} characters or ${MAX_RECORD_ELEMENTS} elements.`;

export interface XmlElement {
  /** The local name in the format's namespace; otherwise with a prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly nodes: readonly (XmlElement | string)[];
}

/** An element around a record. */
export interface XmlParent {
  readonly name: string;
  /** For the caller to set. */
  label: string | null;
}

export interface XmlRecord {
  readonly element: XmlElement;
  /** From the root. */
  readonly parents: readonly XmlParent[];
  /** False if the record is too large: then the element is cut off. */
  readonly isWhole: boolean;
  /** Its XML; null if it is too long. */
  readonly source: string | null;
  /** Approximate byte offset of its end. */
  readonly end: number;
}

export interface XmlRoot {
  readonly name: string;
  /** The start tag. */
  readonly source: string;
  /** Version of XML. */
  readonly version: string;
}

export interface XmlSchema {
  /**
   * The prefix for names of a namespace, which is empty for none: '' for the format's own namespace; null for unknown
   * namespaces, whose names keep the prefix of the file.
   */
  readonly prefixOf: (namespace: string) => string | null;
  readonly isRecord: (name: string, parent: string | undefined) => boolean;
  /** Called once, before the first record. May throw. */
  readonly onRoot: (root: XmlRoot) => void;
}

/**
 * Memory is bounded by one piece of the text and one record.
 *
 * @throws XmlError, or an error of the text, after all records before the damage
 */
export async function* readXmlRecords(
  texts: AsyncIterable<XmlText>,
  schema: XmlSchema,
): AsyncGenerator<XmlRecord, void, undefined> {
  const builder = new RecordBuilder(schema);
  for await (const text of texts) {
    const failure = builder.write(text);
    yield* builder.take();
    if (failure !== null) throw failure;
  }
  builder.end();
}

interface OpenElement extends XmlElement {
  readonly nodes: (XmlElement | string)[];
}

/** Maps prefixes of the file to the prefixes of names. */
type Scope = ReadonlyMap<string, string>;
/** Attributes that declare namespaces. */
type Declared = Readonly<Record<string, string>>;

class RecordBuilder {
  readonly #schema: XmlSchema;
  readonly #parser: XmlParser;
  readonly #parents: XmlParent[] = [];
  /** Scopes of the open elements that declare namespaces. */
  readonly #scopes: { readonly depth: number; readonly scope: Scope; readonly declared: Declared }[] = [];
  /** From the record's element to the innermost open one. */
  #open: OpenElement[] = [];
  #start: number | null = null;
  #isTooLong = false;
  #elements = 0;
  #records: XmlRecord[] = [];
  /** The piece being read, and the position of its first character. */
  #piece: XmlText = { text: '', start: 0, end: 0 };
  #pieceAt = 0;

  constructor(schema: XmlSchema) {
    this.#schema = schema;
    const scope = new Map([['', schema.prefixOf('') ?? ':']]);
    this.#scopes.push({ depth: 0, scope, declared: {} });
    this.#parser = new XmlParser({
      open: (tag) => this.#openTag(tag),
      close: (tag) => this.#closeTag(tag),
      text: (text) => this.#addText(text),
    });
  }

  /** @returns the error if the text cannot be read further */
  write(piece: XmlText): Error | null {
    this.#piece = piece;
    try {
      this.#parser.write(piece.text);
      this.#checkLength();
      return null;
    } catch (error) {
      return error as Error;
    } finally {
      this.#pieceAt += piece.text.length;
    }
  }

  /** Takes the completed records. */
  take(): readonly XmlRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** @throws XmlError */
  end(): void {
    this.#parser.end();
  }

  #openTag({ name: written, attributes, depth }: XmlTag): void {
    this.#declare(attributes, depth);
    const name = this.#nameOf(written);
    if (depth === 1) this.#schema.onRoot(this.#readRoot(name));
    const element: OpenElement = { name, attributes, nodes: [] };
    const parent = this.#open.at(-1);
    if (parent !== undefined) {
      this.#checkLength();
      this.#elements += 1;
      if (this.#isWhole) parent.nodes.push(element);
      this.#open.push(element);
    } else if (this.#schema.isRecord(name, this.#parents.at(-1)?.name)) {
      this.#open.push(element);
      this.#elements = 1;
      this.#start = this.#parser.tagStart;
      this.#isTooLong = this.#start === null;
      this.#parser.keepFrom(this.#start);
    } else {
      this.#parents.push({ name, label: null });
    }
  }

  #closeTag({ depth }: XmlTag): void {
    if (this.#scopes.at(-1)?.depth === depth) this.#scopes.pop();
    const element = this.#open.pop();
    if (element === undefined) this.#parents.pop();
    else if (this.#open.length === 0) this.#finish(element);
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (element === undefined) return;
    this.#checkLength();
    if (this.#isWhole) element.nodes.push(text);
  }

  #finish(element: XmlElement): void {
    this.#checkLength();
    const source =
      this.#isTooLong || this.#start === null
        ? null
        : this.#parser.source(this.#start, this.#parser.position);
    this.#records.push({
      element,
      parents: [...this.#parents],
      isWhole: this.#isWhole,
      source: source === null ? null : this.#withDeclarations(source, element.attributes),
      end: this.#bytesAt(this.#parser.position),
    });
    this.#start = null;
    this.#parser.keepFrom(null);
  }

  get #isWhole(): boolean {
    return !this.#isTooLong && this.#elements <= MAX_RECORD_ELEMENTS;
  }

  /** Cuts the record off if its source is too long. */
  #checkLength(): void {
    if (this.#start === null || this.#parser.position - this.#start <= MAX_RECORD_LENGTH) return;
    this.#isTooLong = true;
    this.#start = null;
    this.#parser.keepFrom(null);
  }

  #bytesAt(position: number): number {
    const { text, start, end } = this.#piece;
    const part = text.length === 0 ? 1 : Math.max(0, position - this.#pieceAt) / text.length;
    return Math.round(start + part * (end - start));
  }

  #readRoot(name: string): XmlRoot {
    const { tagStart, position, version } = this.#parser;
    const source = tagStart === null ? '' : this.#parser.source(tagStart, position);
    return { name, version, source: source.replace(/\s*\/>$/, '>') };
  }

  #declare(attributes: XmlTag['attributes'], depth: number): void {
    const names = Object.keys(attributes).filter((name) => name === 'xmlns' || name.startsWith('xmlns:'));
    if (names.length === 0) return;
    const declared = names.map((name): [string, string] => [name, attributes[name] ?? '']);
    const scope = new Map(this.#scopes.at(-1)?.scope);
    for (const [name, namespace] of declared) {
      const prefix = name.slice('xmlns:'.length);
      scope.set(prefix, this.#schema.prefixOf(namespace) ?? `${prefix}:`);
    }
    this.#scopes.push({ depth, scope, declared: Object.fromEntries(declared) });
  }

  /** Keeps an undeclared prefix, because many programs forget to declare it. */
  #nameOf(written: string): string {
    const colon = written.indexOf(':');
    const prefix = colon === -1 ? '' : written.slice(0, colon);
    const known = this.#scopes.at(-1)?.scope.get(prefix);
    return known === undefined ? written : known + written.slice(colon + 1);
  }

  /** Adds the namespace declarations of the elements between the root and the record. */
  #withDeclarations(source: string, own: XmlElement['attributes']): string {
    const between = this.#scopes.filter(({ depth }) => depth > 1 && depth <= this.#parents.length);
    if (between.length === 0) return source;
    const declared: Declared = Object.assign({}, ...between.map((one) => one.declared)) as Declared;
    const missing = Object.entries(declared).filter(([name]) => !Object.hasOwn(own, name));
    const added = missing.map(([name, namespace]) => ` ${name}="${escapeAttribute(namespace)}"`).join('');
    return source.replace(/^<[^\s/>]+/, (tag) => tag + added);
  }
}

/** The child elements. */
export function childrenOf({ nodes }: XmlElement): readonly XmlElement[] {
  return nodes.filter((node) => typeof node !== 'string');
}

/** The text of an element. Child elements count as unescaped markup, such as HTML. */
export function textOf({ nodes }: XmlElement): string {
  const [first, second] = nodes;
  if (second === undefined && typeof first === 'string') return first;
  return nodes.map((node) => (typeof node === 'string' ? node : markupOf(node))).join('');
}

function markupOf(element: XmlElement): string {
  const { name } = element;
  const attributes = Object.entries(element.attributes).map(
    ([key, value]) => ` ${key}="${escapeAttribute(value)}"`,
  );
  const tag = `<${name}${attributes.join('')}`;
  return element.nodes.length === 0 ? `${tag}/>` : `${tag}>${textOf(element)}</${name}>`;
}

/** The text without surrounding white space; null if nothing remains. */
export function trimmedTextOf(element: XmlElement): string | null {
  const text = textOf(element).replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  return text === '' ? null : text;
}
