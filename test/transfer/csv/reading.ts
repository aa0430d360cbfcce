/** Reads CSV files for tests, with their bytes cut anywhere. */

import fc from 'fast-check';

import { FileDamage } from '../../../src/transfer/text/damage.ts';
import type { TableRow } from '../../../src/transfer/table.ts';
import type { CsvOptions } from '../../../src/transfer/csv/table.ts';
import { openCsv } from '../../../src/transfer/csv/table.ts';
import { anyCharacter } from '../../support/any-character.ts';

export interface Read {
  readonly columns: readonly string[];
  readonly delimiter: string;
  readonly rows: TableRow[];
  readonly damage: FileDamage | null;
}

/** Yields the bytes in pieces of the given sizes, repeatedly. */
export async function* inPieces(bytes: Buffer, sizes: readonly number[] = [bytes.length || 1]) {
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

export async function read(
  input: string | Buffer,
  sizes?: readonly number[],
  options?: CsvOptions,
): Promise<Read> {
  const { columns, delimiter, rows: reading } = await openCsv(inPieces(Buffer.from(input), sizes), options);
  const rows: TableRow[] = [];
  try {
    for await (const row of reading) rows.push(row);
  } catch (error) {
    if (error instanceof FileDamage) return { columns, delimiter, rows, damage: error };
    throw error;
  }
  return { columns, delimiter, rows, damage: null };
}

export const cellsOf = ({ rows }: Read) => rows.map(({ cells }) => cells);
export const linesOf = ({ rows }: Read) => rows.map(({ line }) => line);

export function quoteCell(cell: string, always: boolean): string {
  return always || /[",\r\n\ufeff]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Any character except NUL, often one with a meaning to the parser. */
export const cell = fc
  .string({
    unit: fc.oneof(
      {
        weight: 2,
        arbitrary: fc.constantFrom('"', ',', '\n', '\r', '\r\n', ' ', ';', '\t', '\ufeff', '€', '😀'),
      },
      { weight: 1, arbitrary: anyCharacter },
    ),
    maxLength: 8,
  })
  .map((text) => text.replaceAll('\0', ''));
