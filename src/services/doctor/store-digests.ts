/** Digests of what a store holds. A copy is compared with its source by them. */

import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';

import { canonicalJson } from '../../domain/json/canonical-json.ts';
import type { Storage, StoredItem } from '../../storage/storage.ts';

export interface StoreCounts {
  readonly maps: number;
  readonly locations: number;
}

/** The digests of a store. Memory grows by 32 bytes for each map, not with the locations. */
export interface StoreDigests {
  /** By the map's id. A map's digest covers all that belongs to the map. */
  readonly ofMaps: ReadonlyMap<string, string>;
  /** Of owners, tokens, kept geocodes and the store's own values. */
  readonly ofTheRest: string;
  readonly counts: StoreCounts;
}

/**
 * Reads the whole store, one item at a time.
 *
 * @param expiringAfter milliseconds since the epoch; what expires before is ignored
 * @param ignoredMetaKeys keys of the store's own values that are left out
 */
export async function digestStore(
  storage: Storage,
  expiringAfter: number,
  ignoredMetaKeys: readonly string[],
): Promise<StoreDigests> {
  const ofMaps = new Map<string, string>();
  const rest = createHash('sha256');
  let locations = 0;
  let current: { readonly mapId: string; readonly hash: Hash } | null = null;
  const finishMap = () => {
    if (current !== null) ofMaps.set(current.mapId, current.hash.digest('base64'));
    current = null;
  };
  // A dump gives a map, then everything that belongs to it, then the next map.
  for await (const item of storage.dump(expiringAfter)) {
    if (item.kind === 'meta' && ignoredMetaKeys.includes(item.key)) continue;
    if (item.kind === 'map') {
      finishMap();
      current = { mapId: item.map.id, hash: createHash('sha256') };
    }
    if (item.kind === 'location') locations += 1;
    const hash = belongsToMap(item) && current !== null ? current.hash : rest;
    hash.update(textOf(item)).update('\n');
  }
  finishMap();
  return { ofMaps, ofTheRest: rest.digest('base64'), counts: { maps: ofMaps.size, locations } };
}

/** The ids of the maps that differ, including those that are only in one of the stores. */
export function differingMaps(first: StoreDigests, second: StoreDigests): readonly string[] {
  const ids = new Set([...first.ofMaps.keys(), ...second.ofMaps.keys()]);
  return [...ids].filter((id) => first.ofMaps.get(id) !== second.ofMaps.get(id));
}

/** One digest of everything. */
export function combine({ ofMaps, ofTheRest }: StoreDigests): string {
  const hash = createHash('sha256');
  // The rest comes first, under a name that no map has. Copies made by earlier releases have stored this digest, so it
  // must not change.
  const parts = [['', ofTheRest] as const, ...[...ofMaps].sort(([a], [b]) => (a < b ? -1 : 1))];
  for (const [name, digest] of parts) hash.update(`${name} ${digest}\n`);
  return hash.digest('base64');
}

function belongsToMap({ kind }: StoredItem): boolean {
  return kind === 'map' || kind === 'location' || kind === 'idempotency' || kind === 'webhook';
}

/**
 * Equal for equal items, whichever adapter gave them. The order of the keys in a location's properties matters. A token's
 * last use, and how far a webhook has delivered, with its version, are left out: a store that is only read stays the same.
 */
function textOf(item: StoredItem): string {
  if (item.kind === 'token') {
    const { name, lastUsedAt: _lastUsedAt, ...token } = item.token;
    // Without a name as before there were names: earlier copies have stored their digests.
    return canonicalJson({ kind: item.kind, token: name === null ? token : { ...token, name } });
  }
  if (item.kind === 'webhook') {
    const { delivery: _delivery, version: _version, ...webhook } = item.webhook;
    return canonicalJson({ kind: item.kind, webhook });
  }
  if (item.kind !== 'location') return canonicalJson(item);
  const { properties, ...location } = item.location;
  return `${canonicalJson(location)} ${JSON.stringify(properties)}`;
}
