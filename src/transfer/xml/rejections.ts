/** Writes rejected XML records unchanged, each with an element for the reason. */

import { ERRORS } from '../../errors.ts';
import type { RowUnit } from '../reader.ts';
import type { RejectedFormat, RejectedRow } from '../rejected-rows.ts';
import { escapeText, withoutForbidden } from './escape.ts';
import { XmlParser } from './parser.ts';
import type { XmlTag } from './parser.ts';
import type { XmlRoot } from './records.ts';

export interface RejectedRecords {
  readonly extension: string;
  readonly unit: RowUnit;
  /** Local names of records. */
  readonly records: ReadonlySet<string>;
  /** Local name of the child of a record that contains the reason. */
  readonly container: string;
  /** Local names of the children that follow the container. */
  readonly after: ReadonlySet<string>;
  /** @param prefix the prefix of the record's name, with its colon */
  readonly markupOf: (reason: string, prefix: string) => string;
  /** Replaces a record that is too long. */
  readonly instead: string;
  /** Local name of an element around all records; null for the root. */
  readonly around: string | null;
}

export function xmlRejections(root: XmlRoot, shape: RejectedRecords): RejectedFormat {
  const [, rootName = '', prefix = ''] = /^<(([^\s:/>]+:)?[^\s/>]+)/.exec(root.source) ?? [];
  const around = shape.around === null ? '' : `<${prefix}${shape.around}>`;
  return {
    extension: shape.extension,
    head: `<?xml version="${root.version}" encoding="UTF-8"?>\n${root.source}${around}\n`,
    separator: '',
    tail: `${around.replace('<', '</')}</${rootName}>\n`,
    write: (row) => {
      const text = 'text' in row ? row.text : null;
      return `${withReason(text ?? shape.instead, reasonText(shape.unit, row), shape, root.version)}\n`;
    },
  };
}

function reasonText(unit: RowUnit, { line, code, reason }: RejectedRow): string {
  return escapeText(withoutForbidden(`${unit} ${line}: ${code}: ${reason}`));
}

const REASON_TEXT = /^(?:Placemark|waypoint) [1-9][0-9]*: ([A-Z_]+): /;

/** True if an import wrote the text into a file of rejected records. */
export function isReason(text: string): boolean {
  const code = REASON_TEXT.exec(text)?.[1];
  return code !== undefined && Object.hasOwn(ERRORS, code);
}

/** Where to insert the reason. */
interface InsertionPoint {
  readonly at: number;
  readonly prefix: string;
  /** The name of a self-closing element to open for it. */
  readonly opens: string | null;
  readonly hasContainer: boolean;
}

function withReason(source: string, reason: string, shape: RejectedRecords, version: string): string {
  const { at, prefix, opens, hasContainer } = findInsertionPoint(source, shape, version);
  const { container, markupOf } = shape;
  const markup = markupOf(reason, prefix);
  const added = hasContainer ? markup : `<${prefix}${container}>${markup}</${prefix}${container}>`;
  if (opens === null) return source.slice(0, at) + added + source.slice(at);
  const open = source.slice(0, at).replace(/\s*\/>$/, '>');
  return `${open}${added}</${opens}>${source.slice(at)}`;
}

function findInsertionPoint(
  source: string,
  { records, container, after }: RejectedRecords,
  version: string,
): InsertionPoint {
  const found: {
    record?: { readonly depth: number; readonly prefix: string };
    within?: Omit<InsertionPoint, 'prefix'>;
    before?: Omit<InsertionPoint, 'prefix'>;
    end?: Omit<InsertionPoint, 'prefix'>;
  } = {};
  const startOf = () => ({ at: parser.tagStart ?? 0, opens: null });
  const endOf = ({ name, isSelfClosing }: XmlTag) =>
    isSelfClosing ? { at: parser.position, opens: name } : startOf();
  const parser: XmlParser = new XmlParser(
    {
      open({ name, depth }) {
        const local = localOf(name);
        if (found.record === undefined) {
          if (records.has(local)) found.record = { depth, prefix: name.slice(0, -local.length) };
        } else if (depth === found.record.depth + 1 && after.has(local)) {
          found.before ??= { ...startOf(), hasContainer: false };
        }
      },
      close(tag) {
        const depth = found.record?.depth ?? 0;
        if (tag.depth === depth + 1 && localOf(tag.name) === container) {
          found.within ??= { ...endOf(tag), hasContainer: true };
        } else if (tag.depth === depth) found.end ??= { ...endOf(tag), hasContainer: false };
      },
      text: () => undefined,
    },
    version,
  );
  parser.keepFrom(0);
  parser.write(source);
  const point = found.within ?? found.before ?? found.end;
  if (point === undefined) throw new Error('The source of a record has no record element.');
  return { ...point, prefix: found.record?.prefix ?? '' };
}

function localOf(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
