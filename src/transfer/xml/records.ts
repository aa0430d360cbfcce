/** The records of an XML file, one by one: elements that are read as trees, whatever stands around them. */

import { escapeAttribute } from './escape.ts';
import { XmlParser } from './parser.ts';
import type { XmlTag } from './parser.ts';
import type { XmlText } from './text.ts';

/** Characters of a record's source. Of a longer one nothing more is kept. */
const MAX_RECORD_LENGTH = 1024 * 1024;
/** Elements of a record, which take more memory than their source. */
const MAX_RECORD_ELEMENTS = 20_000;
/** Of a record that is not whole, as the end of a sentence. */
export const TOO_LARGE = `is over ${MAX_RECORD_LENGTH} characters or ${MAX_RECORD_ELEMENTS} elements.`;

export interface XmlElement {
  /** In the file's own vocabulary the local name; else with a prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly nodes: readonly (XmlElement | string)[];
}

/** An element around a record. */
export interface XmlParent {
  readonly name: string;
  /** For the caller, who may set it. */
  label: string | null;
}

export interface XmlRecord {
  readonly element: XmlElement;
  /** From the root's on. */
  readonly parents: readonly XmlParent[];
  /** False where the record is too large: then the element holds its beginning. */
  readonly isWhole: boolean;
  /** As it stands in the file; null where it is too long. */
  readonly source: string | null;
  /** About how many bytes of the content end with it. */
  readonly end: number;
}

export interface XmlRoot {
  readonly name: string;
  /** Of the start tag: as it stands in the file. */
  readonly source: string;
  /** Of XML. */
  readonly version: string;
}

export interface XmlSchema {
  /**
   * What stands before the local names of a namespace: nothing for the file's own one. Null for namespaces that are not
   * known, whose names keep the prefix that they have in the file. The namespace is empty where there is none.
   */
  readonly prefixOf: (namespace: string) => string | null;
  /** Whether an element is a record; of the elements around it the innermost one is given. */
  readonly isRecord: (name: string, parent: string | undefined) => boolean;
  /** Called once, before any record was given. May throw. */
  readonly onRoot: (root: XmlRoot) => void;
}

/**
 * Memory is bounded by one piece of the text and one record.
 *
 * @throws XmlError, and what the text throws, after all records before the damage were given
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

/** Prefixes of the file, each with what stands before local names in its place. */
type Scope = ReadonlyMap<string, string>;
/** Attributes that declare namespaces. */
type Declared = Readonly<Record<string, string>>;

class RecordBuilder {
  readonly #schema: XmlSchema;
  readonly #parser: XmlParser;
  readonly #parents: XmlParent[] = [];
  /** Scopes of the elements that declare namespaces, each with the depth of its element. */
  readonly #scopes: { readonly depth: number; readonly scope: Scope; readonly declared: Declared }[] = [];
  /** From the record's own element to the innermost one that is open. */
  #open: OpenElement[] = [];
  #start: number | null = null;
  #isTooLong = false;
  #elements = 0;
  #records: XmlRecord[] = [];
  /** The piece under way, and the position of its first character. */
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

  /** @returns why the text cannot be read any further; null as long as it can */
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

  /** The records that were completed. */
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

  /** Ends the record's source where it gets too long. Its element stays as it is by then. */
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

  /** A prefix that nobody has declared stays as it is: many programs forget to. */
  #nameOf(written: string): string {
    const colon = written.indexOf(':');
    const prefix = colon === -1 ? '' : written.slice(0, colon);
    const known = this.#scopes.at(-1)?.scope.get(prefix);
    return known === undefined ? written : known + written.slice(colon + 1);
  }

  /** The record with what the elements between it and the root declare. */
  #withDeclarations(source: string, own: XmlElement['attributes']): string {
    const between = this.#scopes.filter(({ depth }) => depth > 1 && depth <= this.#parents.length);
    if (between.length === 0) return source;
    const declared: Declared = Object.assign({}, ...between.map((one) => one.declared)) as Declared;
    const missing = Object.entries(declared).filter(([name]) => !Object.hasOwn(own, name));
    const added = missing.map(([name, namespace]) => ` ${name}="${escapeAttribute(namespace)}"`).join('');
    return source.replace(/^<[^\s/>]+/, (tag) => tag + added);
  }
}

/** The children of an element that are elements. */
export function childrenOf({ nodes }: XmlElement): readonly XmlElement[] {
  return nodes.filter((node) => typeof node !== 'string');
}

/** The text of an element. Elements within it are markup that somebody forgot to escape, such as HTML. */
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

/** A text without the white space that indents it; null where nothing else is there. */
export function trimmedTextOf(element: XmlElement): string | null {
  const text = textOf(element).replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  return text === '' ? null : text;
}
