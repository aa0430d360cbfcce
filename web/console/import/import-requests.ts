/** Divides the rows of a file into requests. */

import type { RowInput } from '../../../src/transfer/columns/row-mapper.ts';
import { withValidPosition } from '../../../src/transfer/columns/valid-position.ts';
import type { ImportSource } from '../../../src/transfer/open-import.ts';
import type { FileRow } from '../../../src/transfer/reader.ts';
import { FileDamage } from '../../../src/transfer/text/damage.ts';
import { ServiceError } from '../../../src/errors.ts';
import { exactJson } from './exact-json.ts';

/** Maximum rows per request. A stop has to wait for the response. */
export const MAX_ROWS = 500;
/** Maximum rows per request that need geocoding, which may take a second each. */
const MAX_GEOCODED = 30;
/** Maximum JSON bytes of the rows: a quarter of the server's default limit. */
const MAX_BYTES = 256 * 1024;

export interface NumberedRow {
  readonly row: FileRow;
  /** Number of the row in the file, from 1. */
  readonly number: number;
  /** Input for a location, or why the row is invalid. */
  readonly input: RowInput | ServiceError;
}

/** Consecutive rows of the file. The valid ones are sent together. */
export interface RowRequest {
  readonly isUpsert: boolean;
  readonly rows: readonly NumberedRow[];
}

export interface RequestOptions {
  /** Whether a row updates the location with its external ID. */
  readonly isUpsert: boolean;
  readonly isDryRun: boolean;
  /** The known error of a row, by row number. */
  readonly known: (number: number) => ServiceError | undefined;
}

/** @throws FileDamage after yielding all rows before the damage */
export async function* requestsOf(
  { rows, readRow }: Pick<ImportSource, 'rows' | 'readRow'>,
  options: RequestOptions,
): AsyncGenerator<RowRequest, void, undefined> {
  let request = new PendingRequest(options);
  let number = 0;
  let damage: FileDamage | null = null;
  try {
    for await (const row of rows) {
      number += 1;
      const input = options.known(number) ?? withValidPosition(readRow(row));
      const bytes = input instanceof ServiceError ? 0 : bytesOf(input);
      if (!request.takes(input, bytes)) {
        yield request;
        request = new PendingRequest(options);
      }
      request.add({ row, number, input }, bytes);
    }
  } catch (error) {
    if (!(error instanceof FileDamage)) throw error;
    damage = error;
  }
  if (request.rows.length > 0) yield request;
  if (damage !== null) throw damage;
}

class PendingRequest implements RowRequest {
  isUpsert = false;
  readonly rows: NumberedRow[] = [];
  readonly #options: RequestOptions;
  readonly #externalIds = new Set<string>();
  #sent = 0;
  #geocoded = 0;
  #bytes = 0;

  constructor(options: RequestOptions) {
    this.#options = options;
  }

  takes(input: RowInput | ServiceError, bytes: number): boolean {
    if (this.rows.length >= MAX_ROWS) return false;
    if (input instanceof ServiceError || this.#sent === 0) return true;
    if (this.#isUpsertOf(input) !== this.isUpsert) return false;
    // External ids must be unique within an upsert.
    if (this.isUpsert && this.#externalIds.has(input.externalId ?? '')) return false;
    const isGeocoded = input.position === null && !this.#options.isDryRun;
    if (isGeocoded && this.#geocoded >= MAX_GEOCODED) return false;
    return this.#bytes + bytes <= MAX_BYTES;
  }

  add(row: NumberedRow, bytes: number): void {
    this.rows.push(row);
    const { input } = row;
    if (input instanceof ServiceError) return;
    this.isUpsert = this.#isUpsertOf(input);
    if (input.externalId !== null) this.#externalIds.add(input.externalId);
    if (input.position === null) this.#geocoded += 1;
    this.#bytes += bytes;
    this.#sent += 1;
  }

  /** A row without an external ID creates a location. */
  #isUpsertOf({ externalId }: RowInput): boolean {
    return this.#options.isUpsert && externalId !== null;
  }
}

function bytesOf(input: RowInput): number {
  return new TextEncoder().encode(exactJson(input)).length;
}
