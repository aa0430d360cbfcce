/** Opens XML files whose records are rows. Each format says which elements are records. */

import { ServiceError } from '../../errors.ts';
import type { Message } from '../message.ts';
import { message, untranslated } from '../message.ts';
import type { FileRow, OpenFile, RowUnit, RowValues } from '../reader.ts';
import type { RejectedFormat } from '../rejected-rows.ts';
import { FileDamage, notText, UnreadableFileError } from '../text/damage.ts';
import { TextDamage } from '../text/lines.ts';
import { startingWith } from '../text/peek.ts';
import { XmlError } from './parser.ts';
import type { XmlRecord, XmlRoot, XmlSchema } from './records.ts';
import { readXmlRecords } from './records.ts';
import { readXmlText } from './text.ts';

export interface XmlRow extends FileRow {
  /** An error if it cannot become a location. */
  readonly values: RowValues | ServiceError;
  /** Its source, with any elements that an import needs around it. Null if it is too long. */
  readonly text: string | null;
}

export interface XmlFormat extends Omit<XmlSchema, 'onRoot'> {
  /** Local name of the root element. */
  readonly root: string;
  readonly label: string;
  readonly unit: RowUnit;
  /**
   * @param number the number of the row, from 1
   * @returns null for a record that is no row
   */
  readonly rowOf: (record: XmlRecord, number: number) => Pick<XmlRow, 'values' | 'text'> | null;
  readonly rejections: (root: XmlRoot) => RejectedFormat;
  readonly notes: () => readonly Message[];
}

/** @throws UnreadableFileError */
export async function openXmlFile(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string | null,
  format: XmlFormat,
): Promise<OpenFile<XmlRow>> {
  const read: { root?: XmlRoot } = {};
  const onRoot = (found: XmlRoot) => {
    if (found.name !== format.root) {
      const { label, root } = format;
      const name = found.name.slice(0, 60);
      const text = `The file is not ${label}: its root element is ${JSON.stringify(name)}, not "${root}".`;
      throw new UnreadableFileError([message('notRoot', text, { format: label, name, root })]);
    }
    read.root = found;
  };
  const texts = readXmlText(chunks, encoding);
  const rows = readRows(readXmlRecords(texts, { ...format, onRoot }), format);
  const close = async () => {
    await rows.return();
    await texts.return();
  };
  try {
    const first = await rows.next();
    return {
      columns: null,
      unit: format.unit,
      rows: startingWith(first, rows),
      valuesOf: ({ values }) => {
        if (values instanceof ServiceError) throw values;
        return values;
      },
      contentOf: ({ text }) => ({ text }),
      rejections: format.rejections(read.root ?? noRoot(format)),
      notes: format.notes,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** For a file that ends before its root element. */
function noRoot({ root }: XmlFormat): XmlRoot {
  return { name: root, source: `<${root}>`, version: '1.0' };
}

async function* readRows(
  records: AsyncGenerator<XmlRecord, void>,
  format: XmlFormat,
): AsyncGenerator<XmlRow, void, undefined> {
  let count = 0;
  try {
    for await (const record of records) {
      const row = format.rowOf(record, count + 1);
      if (row === null) continue;
      count += 1;
      yield { line: count, end: record.end, ...row };
    }
  } catch (error) {
    throw failureOf(error, count, format.label);
  }
}

function failureOf(error: unknown, count: number, label: string): unknown {
  if (!(error instanceof XmlError) && !(error instanceof TextDamage)) return error;
  const isEncoding = error instanceof TextDamage && error.isEncoding;
  const reason = error instanceof TextDamage ? error.detail : untranslated(error.message);
  if (count > 0) return new FileDamage(count + 1, reason, { isEncoding });
  const text = `The file cannot be read as ${label}: ${reason.text}.`;
  const problem = isEncoding ? notText(reason) : message('cannotReadAs', text, { format: label, reason });
  return new UnreadableFileError([problem], { isEncoding });
}
