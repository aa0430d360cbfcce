/** What of a store is in a backup: everything but caches and what concerns the store itself, and whole in itself. */

import type { MapRecord } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import type { Storage, TokenRecord } from '../../storage/storage.ts';
import { SECRET_KEY_CHECK } from '../secrets/secret-key-marks.ts';
import { OWN_META } from '../store/store-marks.ts';
import type { BackupItem } from './format.ts';

export interface ContentOptions {
  /** Milliseconds since the epoch. What has expired by then is left out. */
  readonly now: number;
  /** Leaves out the maps' API keys, the secrets of webhooks, and the mark of SECRET_KEY. */
  readonly withoutSecrets: boolean;
}

/**
 * Each map after its owner, and each token after its owner and its map. A snapshot that is not of one moment may name
 * owners and maps that were made while it was read: a map's owner is added, and such a token, which is new too, left out.
 *
 * Memory grows with the number of owners and maps, by their ids, and not with the locations.
 *
 * @throws ServiceError CONFLICT for a map that belongs to no owner
 */
export async function* contentsOf(
  storage: Storage,
  { now, withoutSecrets }: ContentOptions,
): AsyncGenerator<BackupItem> {
  const known = { owners: new Set<string>(), maps: new Set<string>() };
  for await (const item of storage.snapshot(now)) {
    switch (item.kind) {
      case 'geocode':
        break;
      case 'meta':
        if (!OWN_META.includes(item.key) && !(withoutSecrets && item.key === SECRET_KEY_CHECK)) yield item;
        break;
      case 'owner':
        known.owners.add(item.owner.id);
        yield item;
        break;
      case 'map':
        if (!known.owners.has(item.map.ownerId)) {
          const owner = await storage.findOwner(item.map.ownerId);
          if (owner === null) throw orphaned(item.map.id);
          known.owners.add(owner.id);
          yield { kind: 'owner', owner };
        }
        known.maps.add(item.map.id);
        yield withoutSecrets ? { ...item, map: withoutKeys(item.map) } : item;
        break;
      case 'webhook':
        yield withoutSecrets
          ? { ...item, webhook: { ...item.webhook, secret: null, formerSecret: null } }
          : item;
        break;
      case 'token':
        if (isWhole(item.token, known)) yield item;
        break;
      default:
        yield item;
    }
  }
}

/** Of an owner and a map that are in the backup. */
function isWhole(
  { ownerId, mapId }: TokenRecord,
  known: { readonly owners: ReadonlySet<string>; readonly maps: ReadonlySet<string> },
): boolean {
  return known.owners.has(ownerId) && (mapId === null || known.maps.has(mapId));
}

function orphaned(mapId: string): ServiceError {
  return new ServiceError(
    'CONFLICT',
    `The map ${mapId} belongs to no owner, so that it cannot be in a backup; map-locations doctor says what to do.`,
  );
}

function withoutKeys(map: MapRecord): MapRecord {
  return { ...map, providerMapApiKey: null, geocodingApiKey: null };
}
