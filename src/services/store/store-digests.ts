/** Digests of a store's content, by which a copy is compared with its source. */

import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';

import { canonicalJson } from '../../domain/json/canonical-json.ts';
import type { Storage, StoredItem } from '../../storage/storage.ts';

export interface StoreCounts {
  readonly maps: number;
  readonly locations: number;
}

/** Memory grows by 32 bytes per map, not with the locations. */
export interface StoreDigests {
  /** By map id. Covers everything that belongs to the map. */
  readonly ofMaps: ReadonlyMap<string, string>;
  /** Of owners, accounts, tokens, cached geocodes and meta values. */
  readonly ofTheRest: string;
  readonly counts: StoreCounts;
}

/**
 * Reads the whole store, one item at a time.
 *
 * @param expiringAfter milliseconds since the epoch; items that expire earlier are ignored
 * @param ignoredMetaKeys keys of ignored meta values
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
  // A dump yields each map followed by everything that belongs to it.
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

/** Ids of maps that differ, or that only one of the stores has. */
export function differingMaps(first: StoreDigests, second: StoreDigests): readonly string[] {
  const ids = new Set([...first.ofMaps.keys(), ...second.ofMaps.keys()]);
  return [...ids].filter((id) => first.ofMaps.get(id) !== second.ofMaps.get(id));
}

/** One digest of everything. */
export function combine({ ofMaps, ofTheRest }: StoreDigests): string {
  const hash = createHash('sha256');
  // The empty name, for the rest, sorts before all map ids. Stored copies have this digest, so it must not change.
  const parts = [['', ofTheRest] as const, ...[...ofMaps].sort(([a], [b]) => (a < b ? -1 : 1))];
  for (const [name, digest] of parts) hash.update(`${name} ${digest}\n`);
  return hash.digest('base64');
}

const OF_MAPS: ReadonlySet<StoredItem['kind']> = new Set([
  ...([
    'map',
    'logo',
    'location',
    'idempotency',
    'webhook',
    'invitation',
    'history',
    'changes',
    'version',
  ] as const),
]);

function belongsToMap({ kind }: StoredItem): boolean {
  return OF_MAPS.has(kind);
}

/**
 * Equal for equal items of all adapters. The order of keys in a location's properties counts. Omits the last use of a
 * token, and the delivery state and version of a webhook, which change without a write by a client.
 */
function textOf(item: StoredItem): string {
  if (item.kind === 'token') {
    const { name, kind, lastUsedAt: _lastUsedAt, ...token } = item.token;
    // Tokens without a name and a kind keep the digest that earlier releases have stored of copies.
    const added = { ...(name !== null && { name }), ...(kind === 'link' && { kind }) };
    return canonicalJson({ kind: item.kind, token: { ...token, ...added } });
  }
  if (item.kind === 'owner') {
    const { displayName, ...owner } = item.owner;
    // As for tokens.
    return canonicalJson({
      kind: item.kind,
      owner: displayName === null ? owner : { ...owner, displayName },
    });
  }
  if (item.kind === 'webhook') {
    const { delivery: _delivery, version: _version, ...webhook } = item.webhook;
    return canonicalJson({ kind: item.kind, webhook });
  }
  if (item.kind !== 'location') return canonicalJson(item);
  const { properties, ...location } = item.location;
  return `${canonicalJson(location)} ${JSON.stringify(properties)}`;
}
