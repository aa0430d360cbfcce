/** Looking through a store for what is wrong with it. Nothing is changed, not even brought to a newer version. */

import type { MapRecord } from '../domain/map.ts';

export type CheckName =
  'complete' | 'integrity' | 'orphans' | 'orders' | 'totals' | 'indexes' | 'duplicates' | 'keys';

/** Something that is wrong. */
export interface Finding {
  readonly check: CheckName;
  /** What is wrong, in whole sentences. It names ids, and never what people stored. */
  readonly message: string;
  /** What to do, in whole sentences. */
  readonly remedy: string;
}

/** Something that could not be looked at; the rest could. */
export interface Unlooked {
  readonly check: CheckName;
  readonly unlooked: string;
}

/** A store that is open to be looked at. Where the store can give one moment, all of it is of one. */
export interface Examination {
  /** One of the store's own small values. */
  getMeta(key: string): Promise<string | null>;
  /** Every map with a provider or geocoding key, deleted ones included. */
  listMapsWithKeys(): AsyncIterable<Pick<MapRecord, 'id' | 'providerMapApiKey' | 'geocodingApiKey'>>;
  /** Every webhook that has a secret, and what is stored of its secrets. */
  listWebhookSecrets(): AsyncIterable<{ readonly id: string; readonly secrets: readonly string[] }>;
  findings(): AsyncIterable<Finding | Unlooked>;
  /** @throws ServiceError where others have changed what was looked at meanwhile, so that nothing is known */
  assertUnchanged(): void;
  close(): Promise<void>;
}

/** Of things that are all wrong in one way: how many, and some of them. */
export class Wrongs {
  count = 0;
  readonly #some: string[] = [];

  add(name: string): void {
    this.count += 1;
    if (this.#some.length < SHOWN) this.#some.push(name);
  }

  /** Such as `2 locations (a, b)`; null where there are none. */
  describe(thing: string): string | null {
    if (this.count === 0) return null;
    const more = this.count > this.#some.length ? ', …' : '';
    return `${this.count} ${thing}${this.count === 1 ? '' : 's'} (${this.#some.join(', ')}${more})`;
  }
}

const SHOWN = 3;

/** Why a store of an earlier version is not looked at. */
export function olderVersion(version: number, newest: number): string {
  return `The database is of version ${version}. The next start brings it to version ${newest}; look again after that.`;
}

/** What a restore makes anew: everything but the rows themselves. */
export const REBUILD =
  'Stop the servers, make a backup (map-locations backup), and restore it with --replace: all that is derived is made anew, and what belongs to nobody is left out.';
export const RESTORE_LAST = 'Restore the last backup that was made before (map-locations restore --replace).';
