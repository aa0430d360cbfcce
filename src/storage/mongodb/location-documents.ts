/** Locations to documents and back. */

import type { JsonObject } from '../../domain/json.ts';
import type { OrderedSortKey } from '../../domain/list-end.ts';
import type { LocationRecord, NewLocation } from '../../domain/location.ts';
import type { LocationDocument, TombstoneDocument } from './documents.ts';
import { fromRank, toRank } from './rank.ts';

export function toDocument(
  location: NewLocation,
  sortKey: OrderedSortKey,
  claimedUntil: number | undefined,
): LocationDocument {
  return {
    _id: location.id,
    mapId: location.mapId,
    place: toRank(sortKey),
    sequence: sortKey.sequence,
    order: sortKey.order,
    name: location.name,
    placeId: location.placeId,
    latitude: location.latitude,
    longitude: location.longitude,
    properties: JSON.stringify(location.properties),
    createdAt: new Date(location.createdAt),
    provider: location.geocoding.provider,
    precision: location.geocoding.precision,
    claimedUntil: claimedUntil === undefined ? undefined : new Date(claimedUntil),
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
    createdAt: document.createdAt.getTime(),
    geocoding: { provider: document.provider, precision: document.precision },
    order: document.order,
    ...fromRank(document.place),
  };
}

export function isLive(document: LocationDocument | TombstoneDocument): document is LocationDocument {
  return 'place' in document;
}
