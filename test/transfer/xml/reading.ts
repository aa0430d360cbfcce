/** Reads XML files for tests like an import, with their bytes cut anywhere. */

import type { FieldDefinition } from '../../../src/domain/map.ts';
import { ServiceError } from '../../../src/errors.ts';
import type { ImportFileOptions } from '../../../src/transfer/open-import.ts';
import { openImport } from '../../../src/transfer/open-import.ts';
import type { FileRow, RowContent } from '../../../src/transfer/reader.ts';
import type { RejectedFormat } from '../../../src/transfer/rejected-rows.ts';
import { FileDamage } from '../../../src/transfer/text/damage.ts';
import { inPieces } from '../csv/reading.ts';

export interface Read {
  readonly format: string;
  /** The name of each row, or why it is rejected. */
  readonly rows: readonly (Record<string, unknown> | string)[];
  readonly numbers: readonly number[];
  readonly ends: readonly number[];
  readonly contents: readonly RowContent[];
  readonly damage: FileDamage | null;
  readonly notes: readonly string[];
  readonly rejections: RejectedFormat;
}

export interface Options extends ImportFileOptions {
  readonly name?: string;
  readonly sizes?: readonly number[];
  readonly fields?: readonly FieldDefinition[];
}

/** @throws UnreadableFileError */
export async function read(input: string | Buffer, options: Options = {}): Promise<Read> {
  const { name = 'file', sizes, fields = [], ...rest } = options;
  const bytes = Buffer.from(input as string);
  const source = { name, size: null, read: null, stream: () => inPieces(bytes, sizes) };
  const file = await openImport(source, fields, rest);
  const found: FileRow[] = [];
  const rows: Read['rows'][number][] = [];
  let damage: FileDamage | null = null;
  try {
    for await (const row of file.rows) {
      found.push(row);
      rows.push(shown(file.readRow(row)));
    }
  } catch (error) {
    if (!(error instanceof FileDamage)) throw error;
    damage = error;
  }
  const contents = found.map((row) => file.contentOf(row));
  await file.close();
  const [numbers, ends] = [found.map(({ line }) => line), found.map(({ end }) => end)];
  const { format, rejections } = file;
  return {
    format,
    rows,
    numbers,
    ends,
    contents,
    damage,
    rejections,
    notes: file.report().notes.map(({ text }) => text),
  };
}

function shown(
  input: ServiceError | ReturnType<Awaited<ReturnType<typeof openImport>>['readRow']>,
): Record<string, unknown> | string {
  if (input instanceof ServiceError) return input.message;
  const { fields, position, order, externalId } = input;
  const { latitude, longitude, placeId = null } = position ?? {};
  return {
    ...fields,
    ...(position !== null && { '@': [latitude, longitude] }),
    ...(placeId !== null && { '@place': placeId }),
    ...(order !== null && { '@order': order }),
    ...(externalId !== null && { '@id': externalId }),
  };
}

/** The file of rejected rows, if an import rejects every row. */
export function rejectedFile({ rejections, contents, numbers }: Read): string {
  const { head, separator, tail, write } = rejections;
  const rows = contents.map((content, index) =>
    write({
      ...content,
      line: numbers[index] ?? 0,
      code: 'BAD_USER_INPUT',
      reason: 'No <good> & "so"\u0001.',
    }),
  );
  return head + rows.join(separator) + tail;
}

export const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error as Error);
