/** Locations to documents and back. */

import type { JsonObject } from '../../domain/json/json.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { LocationDocument, TombstoneDocument } from './documents.ts';
import { fromStoredSortKey, toStoredSortKey } from './stored-sort-key.ts';

export interface StoredWith {
  /** Until when the key counts under which it is stored, milliseconds since the epoch; undefined without a key. */
  readonly claimedUntil?: number | undefined;
  /** The number of the change that creates it; undefined in a copy. */
  readonly change?: number;
}

export function toDocument(
  location: LocationRecord,
  { claimedUntil, change }: StoredWith = {},
): LocationDocument {
  return {
    _id: location.id,
    mapId: location.mapId,
    place: toStoredSortKey(location),
    sequence: location.sequence,
    order: location.order,
    name: location.name,
    placeId: location.placeId,
    latitude: location.latitude,
    longitude: location.longitude,
    properties: JSON.stringify(location.properties),
    createdAt: new Date(location.createdAt),
    provider: location.geocoding.provider,
    precision: location.geocoding.precision,
    externalId: location.externalId ?? undefined,
    version: location.version === 1 ? undefined : location.version,
    updatedAt: location.version === 1 ? undefined : new Date(location.updatedAt),
    claimedUntil: claimedUntil === undefined ? undefined : new Date(claimedUntil),
    change,
  };
}

export function toLocation(document: LocationDocument): LocationRecord {
  return {
    id: document._id,
    mapId: document.mapId,
    name: document.name,
    placeId: document.placeId,
    latitude: document.latitude,
    longitude: document.longitude,
    properties: JSON.parse(document.properties) as JsonObject,
    externalId: document.externalId ?? null,
    version: document.version ?? 1,
    createdAt: document.createdAt.getTime(),
    updatedAt: (document.updatedAt ?? document.createdAt).getTime(),
    geocoding: { provider: document.provider, precision: document.precision },
    order: document.order,
    ...fromStoredSortKey(document.place),
  };
}

/** What is in the place of a location that was never stored, and must not be. */
export function isFence(document: TombstoneDocument): boolean {
  return document.fence !== undefined;
}

export function isLive(document: LocationDocument | TombstoneDocument): document is LocationDocument {
  return 'place' in document;
}
