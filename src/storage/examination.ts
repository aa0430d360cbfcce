/** Read-only examination of a store. Changes nothing, and migrates nothing. */

import type { MapRecord } from '../domain/map.ts';

export type CheckName =
  'complete' | 'integrity' | 'orphans' | 'orders' | 'totals' | 'indexes' | 'duplicates' | 'history' | 'keys';

/** A problem. */
export interface Finding {
  readonly check: CheckName;
  /** Full sentences. Contains ids, never user data. */
  readonly message: string;
  /** Full sentences. */
  readonly remedy: string;
}

/** Thrown by what reads a damaged store. */
export class DamagedStoreError extends Error {
  constructor(readonly finding: Finding) {
    super(finding.message);
  }
}

/** A check that could not run; the others did. */
export interface Unlooked {
  readonly check: CheckName;
  readonly unlooked: string;
}

/** A store opened for examination: one snapshot of it, where the store offers snapshots. */
export interface Examination {
  /**
   * One of the store's own values.
   *
   * @throws DamagedStoreError
   */
  getMeta(key: string): Promise<string | null>;
  /**
   * Every map with a provider or geocoding key, including deleted maps.
   *
   * @throws DamagedStoreError
   */
  listMapsWithKeys(): AsyncIterable<Pick<MapRecord, 'id' | 'providerMapApiKey' | 'geocodingApiKey'>>;
  /**
   * Every webhook that has a secret, with its sealed secrets.
   *
   * @throws DamagedStoreError
   */
  listWebhookSecrets(): AsyncIterable<{ readonly id: string; readonly secrets: readonly string[] }>;
  findings(): AsyncIterable<Finding | Unlooked>;
  /** @throws ServiceError when the store changed during the examination, so that its findings are void */
  assertUnchanged(): void;
  close(): Promise<void>;
}

/** Counts items with the same problem, and keeps the names of the first few. */
export class Wrongs {
  count = 0;
  readonly #some: string[] = [];

  add(name: string): void {
    this.count += 1;
    if (this.#some.length < SHOWN) this.#some.push(name);
  }

  /** For example `2 locations (a, b)`; null for none. */
  describe(thing: string): string | null {
    if (this.count === 0) return null;
    const more = this.count > this.#some.length ? ', …' : '';
    return `${this.count} ${thing}${this.count === 1 ? '' : 's'} (${this.#some.join(', ')}${more})`;
  }

  /** A finding about the items, described as by {@link describe}; empty for none. */
  report(
    thing: string,
    { check, message, remedy }: Pick<Finding, 'check' | 'remedy'> & { message: (some: string) => string },
  ): readonly Finding[] {
    const some = this.describe(thing);
    return some === null ? [] : [{ check, message: message(some), remedy }];
  }
}

const SHOWN = 3;

/** Why a store of an earlier version cannot be examined. */
export function olderVersion(version: number, newest: number): string {
  return `The database has version ${version}. The next start migrates it to version ${newest}; run the check again after that.`;
}

/** A restore rebuilds everything derived from the records. */
export const REBUILD =
  'Stop the servers, make a backup (map-locations backup), and restore it with --replace. This rebuilds derived data and drops orphaned records.';
export const RESTORE_LAST =
  'Restore the last backup from before the damage (map-locations restore --replace).';
