/** Tracks what earlier rows of the file would have stored, which a dry run cannot learn from the store. */

import { externalIdTaken } from '../../domain/external-id.ts';
import type { FieldDefinition } from '../../domain/map.ts';
import { addressFieldOf } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import type { RowInput } from '../columns/row-mapper.ts';

type Outcome = 'created' | 'updated' | 'unchanged';

export interface EarlierRowsOptions {
  readonly fields: readonly FieldDefinition[];
  readonly isUpsert: boolean;
  /** A digest of a JSON value, without white space. Kept for each external id and part of a row. */
  readonly digestOf: (value: unknown) => string;
}

export class EarlierRows {
  readonly #options: EarlierRowsOptions;
  readonly #earlier = new Map<string, string>();

  constructor(options: EarlierRowsOptions) {
    this.#options = options;
  }

  /** @param result the outcome of the row alone */
  outcomeOf(input: EarlierInput, result: Outcome | ServiceError): Outcome | ServiceError {
    const { externalId = null } = input;
    if (externalId === null || result instanceof ServiceError) return result;
    const earlier = this.#earlier.get(externalId);
    if (earlier !== undefined && !this.#options.isUpsert) return externalIdTaken();
    // The location is unchanged until a row changes it.
    if (earlier === undefined && result === 'unchanged') return result;
    const digests = this.#digestsOf(input);
    const now = pack(earlier === undefined ? digests : after(unpack(earlier), digests));
    this.#earlier.set(externalId, now);
    if (earlier === undefined) return result;
    return now === earlier ? 'unchanged' : 'updated';
  }

  #digestsOf({ fields, order, position }: EarlierInput): RowDigests {
    const address = fields[addressFieldOf(this.#options.fields) ?? ''];
    return {
      fields: this.#digest(fields),
      address: this.#digest(address),
      order: this.#digest(order),
      position: this.#digest(position),
    };
  }

  #digest(value: unknown): string {
    return value === null || value === undefined ? '' : this.#options.digestOf(value);
  }
}

type EarlierInput = Pick<RowInput, 'fields'> & Partial<Pick<RowInput, 'externalId' | 'order' | 'position'>>;

/** Digests of the parts of a location after a row; empty if unknown. */
interface RowDigests {
  readonly fields: string;
  readonly address: string;
  readonly order: string;
  readonly position: string;
}

/** One string, because a file may have millions of external ids. */
function pack({ fields, address, order, position }: RowDigests): string {
  return [fields, address, order, position].join(' ');
}

function unpack(text: string): RowDigests {
  const [fields = '', address = '', order = '', position = ''] = text.split(' ');
  return { fields, address, order, position };
}

/** Without a point in the row, the same address keeps the position, and another one gets an unknown position. */
function after(earlier: RowDigests, digests: RowDigests): RowDigests {
  const kept = digests.address === earlier.address ? earlier.position : '';
  return { ...digests, order: digests.order || earlier.order, position: digests.position || kept };
}
