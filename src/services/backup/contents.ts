/** The items of a backup: everything but caches and the store's own marks, with all references resolved. */

import type { MapRecord } from '../../domain/map.ts';
import { ServiceError } from '../../errors.ts';
import type { Storage, TokenRecord } from '../../storage/storage.ts';
import { SECRET_KEY_CHECK } from '../secrets/secret-key-marks.ts';
import { OWN_META } from '../store/store-marks.ts';
import type { BackupItem } from './format.ts';

export interface ContentOptions {
  /** Milliseconds since the epoch. Omits what has expired by then. */
  readonly now: number;
  /** Omits hashes of passwords, API keys of maps, secrets of webhooks and the mark of SECRET_KEY. */
  readonly withoutSecrets: boolean;
}

/**
 * Each map follows its members, each account its owner, and each token its owner and map. A snapshot that is not of one
 * moment may refer to owners and maps that were created while it was read: a map's members are added; such tokens and
 * accounts are omitted, since they are new as well. So are invitations without their creator, which no store accepts.
 * Sessions and links for signing in are in no snapshot.
 *
 * Memory grows with owners and maps, not with locations.
 *
 * @throws ServiceError CONFLICT for a map with an unknown member
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
      case 'account':
        if (!known.owners.has(item.account.ownerId)) break;
        yield withoutSecrets ? { ...item, account: { ...item.account, passwordHash: null } } : item;
        break;
      case 'map':
        for (const { ownerId } of item.map.members) {
          if (known.owners.has(ownerId)) continue;
          const owner = await storage.findOwner(ownerId);
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
      case 'invitation':
        if (known.owners.has(item.invitation.createdBy)) yield item;
        break;
      case 'token':
        if (hasReferences(item.token, known)) yield item;
        break;
      default:
        yield item;
    }
  }
}

/** Whether the token's owner and map are in the backup. */
function hasReferences(
  { ownerId, mapId }: TokenRecord,
  known: { readonly owners: ReadonlySet<string>; readonly maps: ReadonlySet<string> },
): boolean {
  return known.owners.has(ownerId) && (mapId === null || known.maps.has(mapId));
}

function orphaned(mapId: string): ServiceError {
  return new ServiceError(
    'CONFLICT',
    `A member of the map ${mapId} is missing among the owners, so it cannot be backed up; map-locations doctor says what to do.`,
  );
}

function withoutKeys(map: MapRecord): MapRecord {
  return { ...map, providerMapApiKey: null, geocodingApiKey: null };
}
