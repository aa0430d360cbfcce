/**
 * Every index, with the query that it serves. Made at each start; making one that is there does nothing. The folder's
 * README says why none of these queries needs a sort.
 */

import type { CreateIndexesOptions, IndexDirection } from 'mongodb';

export interface IndexDefinition {
  readonly collection:
    | 'owners'
    | 'tokens'
    | 'maps'
    | 'locations'
    | 'claims'
    | 'externalIds'
    | 'changes'
    | 'geocodes'
    | 'quotas'
    | 'webhooks'
    | 'leases';
  readonly name: string;
  readonly key: Readonly<Record<string, IndexDirection>>;
  readonly options?: Pick<CreateIndexesOptions, 'unique' | 'expireAfterSeconds' | 'partialFilterExpression'>;
  readonly serves: string;
}

export const INDEXES: readonly IndexDefinition[] = [
  {
    collection: 'owners',
    name: 'owners_by_name',
    key: { name: 1 },
    options: { unique: true },
    serves: 'findOwnerByName, findOrCreateOwner, listOwners: name equal, or all by name',
  },
  {
    collection: 'tokens',
    name: 'tokens_by_hash',
    key: { hash: 1 },
    options: { unique: true },
    serves: 'findTokenByHash: hash equal',
  },
  {
    collection: 'tokens',
    name: 'tokens_by_creation',
    key: { createdAt: 1, _id: 1 },
    serves: 'listTokens: all, by creation',
  },
  {
    collection: 'tokens',
    name: 'tokens_by_owner',
    key: { ownerId: 1, createdAt: 1, _id: 1 },
    serves: 'listTokens of an owner: owner equal, a range of times, by creation',
  },
  {
    collection: 'maps',
    name: 'maps_by_owner',
    key: { ownerId: 1, place: 1 },
    serves: 'listMaps, countMaps: owner equal, a range of places, by place',
  },
  {
    collection: 'maps',
    name: 'maps_with_provider_key',
    key: { place: 1 },
    options: { partialFilterExpression: { providerMapApiKey: { $type: 'string' } } },
    serves: 'listMapsWithKeys, first half: all that have the key',
  },
  {
    collection: 'maps',
    name: 'maps_with_geocoding_key',
    key: { createdAt: 1 },
    options: { partialFilterExpression: { geocodingApiKey: { $type: 'string' } } },
    serves: 'listMapsWithKeys, second half: all that have the key',
  },
  {
    collection: 'locations',
    name: 'locations_in_order',
    key: { mapId: 1, place: 1 },
    serves:
      'listLocations, hasLocations, locationAt, the end of a list: map equal, a range of places, by place',
  },
  {
    collection: 'locations',
    name: 'locations_by_sequence',
    key: { mapId: 1, sequence: 1 },
    serves: 'countLocations, settling: map equal, ranges of sequence numbers that were written just now',
  },
  {
    collection: 'locations',
    name: 'locations_by_cell',
    key: { mapId: 1, cell: 1 },
    serves: 'finding by a place on the globe, clusters: map equal, ranges of cells',
  },
  {
    collection: 'locations',
    name: 'locations_by_term',
    key: { mapId: 1, terms: 1 },
    serves: 'finding by a word or the value of a property: map equal, terms or their beginnings',
  },
  {
    collection: 'locations',
    name: 'locations_by_shape',
    key: { mapId: 1, shape: 1 },
    serves:
      'finding by which properties exist: map equal, shapes; and all shapes of a map: map equal, by shape',
  },
  {
    collection: 'locations',
    name: 'locations_changed',
    key: { mapId: 1, version: 1 },
    options: { partialFilterExpression: { version: { $gte: 1 } } },
    serves: 'listRevision: map equal, all that were ever changed',
  },
  {
    collection: 'locations',
    name: 'tombstones_by_age',
    key: { removeAfter: 1 },
    options: { expireAfterSeconds: 0, partialFilterExpression: { removeAfter: { $type: 'date' } } },
    serves: 'the server itself, which removes tombstones',
  },
  {
    collection: 'claims',
    name: 'claims_by_key',
    key: { mapId: 1, tokenId: 1, key: 1 },
    options: { unique: true },
    serves: 'findIdempotencyRecords, insertLocations: map and token equal, keys equal',
  },
  {
    collection: 'claims',
    name: 'claims_by_expiry',
    key: { expiresAt: 1 },
    // Not for the server's own clock: a claim is removed by the gateways, at the time that they say it is.
    serves: 'removeExpired: expired by a time',
  },
  {
    collection: 'externalIds',
    name: 'external_ids_by_id',
    key: { mapId: 1, externalId: 1 },
    options: { unique: true },
    serves: 'findLocationsByExternalIds, insertLocations, updateLocations: map equal, external ids equal',
  },
  {
    collection: 'changes',
    name: 'changes_by_place',
    key: { mapId: 1, last: 1 },
    options: { unique: true },
    serves: 'readChanges, lastChange: map equal, a range of places, by place; and removing what is too much',
  },
  {
    collection: 'changes',
    name: 'changes_by_age',
    key: { changedAt: 1 },
    serves: 'removeOldChanges: changed by a time',
  },
  {
    collection: 'geocodes',
    name: 'geocodes_by_expiry',
    key: { expiresAt: 1 },
    serves: 'removeExpired: expired by a time',
  },
  {
    collection: 'quotas',
    name: 'quotas_by_expiry',
    key: { expiresAt: 1 },
    serves: 'removeExpired: expired by a time',
  },
  {
    collection: 'webhooks',
    name: 'webhooks_by_id',
    key: { id: 1 },
    options: { unique: true },
    serves: 'updateWebhook, deleteWebhook: id equal; pageWebhooks: a range of ids, by id',
  },
  {
    collection: 'webhooks',
    name: 'webhooks_by_map',
    key: { mapId: 1 },
    serves: 'listWebhooks, insertWebhook, load, dump, snapshot: map equal',
  },
  {
    collection: 'webhooks',
    name: 'webhooks_enabled',
    key: { isEnabled: 1, id: 1 },
    serves: 'pageWebhooks of those that are enabled: enabled equal, a range of ids, by id',
  },
  {
    collection: 'leases',
    name: 'leases_by_end',
    key: { until: 1 },
    options: { expireAfterSeconds: 0 },
    serves: 'the server itself, which removes leases that are over',
  },
];
