/**
 * The collections and their indexes. schema/ has the documents of each noun, and locations/location-records.ts those of
 * locations. Times are Dates, which people and TTL indexes can read. An optional field is absent where it has no value.
 */

import type { Collection, CreateIndexesOptions, Document, IndexDirection } from 'mongodb';

import type { StoredLocation } from './locations/location-records.ts';
import type {
  AccountDocument,
  OneTimeSecretDocument,
  OwnerDocument,
  SessionDocument,
  SignInAttemptsDocument,
  TokenDocument,
} from './schema/accounts.ts';
import type { GeocodeDocument, QuotaDocument } from './schema/geocodes.ts';
import type { ChangesDocument, HistoryDocument, VersionDocument } from './schema/history.ts';
import type { ExternalIdDocument, IdempotencyLockDocument, KeyedCallDocument } from './schema/locations.ts';
import type { LogoDocument, MapDocument } from './schema/maps.ts';
import type { LeaseDocument, WebhookDocument } from './schema/webhooks.ts';

export type * from './schema/accounts.ts';
export type * from './schema/geocodes.ts';
export type * from './schema/history.ts';
export type * from './schema/locations.ts';
export type * from './schema/maps.ts';
export type * from './schema/webhooks.ts';

export interface Collections {
  readonly meta: Collection<MetaDocument>;
  readonly owners: Collection<OwnerDocument>;
  readonly accounts: Collection<AccountDocument>;
  readonly oneTimeSecrets: Collection<OneTimeSecretDocument>;
  readonly sessions: Collection<SessionDocument>;
  readonly signInAttempts: Collection<SignInAttemptsDocument>;
  readonly tokens: Collection<TokenDocument>;
  readonly maps: Collection<MapDocument>;
  readonly logos: Collection<LogoDocument>;
  readonly locations: Collection<StoredLocation>;
  readonly claims: Collection<IdempotencyLockDocument>;
  readonly keyedCalls: Collection<KeyedCallDocument>;
  readonly changes: Collection<ChangesDocument>;
  readonly history: Collection<HistoryDocument>;
  readonly versions: Collection<VersionDocument>;
  readonly externalIds: Collection<ExternalIdDocument>;
  readonly geocodes: Collection<GeocodeDocument>;
  readonly quotas: Collection<QuotaDocument>;
  readonly webhooks: Collection<WebhookDocument>;
  readonly leases: Collection<LeaseDocument>;
}

export interface MetaDocument {
  readonly _id: string;
  readonly value: string;
}

/** @param time milliseconds since the epoch */
export function toDate(time: number | null): Date | undefined {
  return time === null ? undefined : new Date(time);
}

export interface IndexDefinition {
  readonly collection: Exclude<keyof Collections, 'meta' | 'accounts' | 'logos'>;
  readonly name: string;
  readonly key: Readonly<Record<string, IndexDirection>>;
  readonly options?: Pick<CreateIndexesOptions, 'unique' | 'expireAfterSeconds' | 'partialFilterExpression'>;
}

/** Every start creates the missing ones. The README lists the queries of each. */
export const INDEXES: readonly IndexDefinition[] = [
  index('owners', 'owners_by_name', { name: 1 }, { unique: true }),
  index('oneTimeSecrets', 'one_time_secrets_by_owner', { ownerId: 1 }),
  index('oneTimeSecrets', 'one_time_secrets_by_expiry', { expiresAt: 1 }),
  index('sessions', 'sessions_by_hash', { hash: 1 }, { unique: true }),
  index('sessions', 'sessions_by_owner', { ownerId: 1, createdAt: 1, _id: 1 }),
  index('sessions', 'sessions_by_expiry', { expiresAt: 1 }),
  index('signInAttempts', 'sign_in_attempts_by_expiry', { expiresAt: 1 }),
  index('tokens', 'tokens_by_hash', { hash: 1 }, { unique: true }),
  index('tokens', 'tokens_by_creation', { createdAt: 1, _id: 1 }),
  index('tokens', 'tokens_by_owner', { ownerId: 1, createdAt: 1, _id: 1 }),
  index('tokens', 'links_by_map', { mapId: 1, createdAt: 1, _id: 1 }, where({ kind: { $eq: 'link' } })),
  index('maps', 'maps_by_member', { 'members.ownerId': 1, place: 1 }),
  index(
    'maps',
    'maps_published',
    { isPublished: 1, _id: 1 },
    where({ isPublished: { $eq: true }, isDeleted: { $eq: false } }),
  ),
  index('maps', 'maps_with_provider_key', { place: 1 }, where({ providerMapApiKey: { $type: 'string' } })),
  index('maps', 'maps_with_geocoding_key', { createdAt: 1 }, where({ geocodingApiKey: { $type: 'string' } })),
  index(
    'maps',
    'maps_by_invitation',
    { 'invitations.hash': 1 },
    where({ 'invitations.hash': { $exists: true } }),
  ),
  index(
    'maps',
    'maps_by_invitation_expiry',
    { 'invitations.expiresAt': 1 },
    where({ 'invitations.expiresAt': { $exists: true } }),
  ),
  index('locations', 'locations_in_order', { mapId: 1, place: 1 }),
  index('locations', 'locations_by_sequence', { mapId: 1, sequence: 1 }),
  index('locations', 'locations_by_cell', { mapId: 1, cell: 1 }),
  index('locations', 'locations_by_term', { mapId: 1, terms: 1 }),
  index('locations', 'locations_by_shape', { mapId: 1, shape: 1 }),
  index('locations', 'locations_by_geocoding', {
    mapId: 1,
    isChecked: 1,
    precision: 1,
    isAmbiguous: 1,
    provider: 1,
    place: 1,
  }),
  index('locations', 'locations_changed', { mapId: 1, version: 1 }, where({ version: { $gte: 1 } })),
  index(
    'locations',
    'locations_in_trash',
    { mapId: 1, 'trash.key': 1 },
    where({ 'trash.key': { $gte: '' } }),
  ),
  // For the server, which removes expired tombstones.
  index(
    'locations',
    'tombstones_by_age',
    { removeAfter: 1 },
    { expireAfterSeconds: 0, ...where({ removeAfter: { $type: 'date' } }) },
  ),
  index('claims', 'claims_by_key', { mapId: 1, tokenId: 1, key: 1 }, { unique: true }),
  // No TTL: removeExpired goes by the gateways' clock.
  index('claims', 'claims_by_expiry', { expiresAt: 1 }),
  index('keyedCalls', 'keyed_calls_by_key', { mapId: 1, tokenId: 1, key: 1 }, { unique: true }),
  index('keyedCalls', 'keyed_calls_by_expiry', { expiresAt: 1 }),
  index('externalIds', 'external_ids_by_id', { mapId: 1, externalId: 1 }, { unique: true }),
  index('changes', 'changes_by_place', { mapId: 1, last: 1 }, { unique: true }),
  index('changes', 'changes_by_age', { changedAt: 1 }),
  index('geocodes', 'geocodes_by_expiry', { expiresAt: 1 }),
  index('quotas', 'quotas_by_expiry', { expiresAt: 1 }),
  index('webhooks', 'webhooks_by_id', { id: 1 }, { unique: true }),
  index('webhooks', 'webhooks_by_map', { mapId: 1 }),
  index('webhooks', 'webhooks_enabled', { isEnabled: 1, id: 1 }),
  // For the server, which removes expired leases.
  index('leases', 'leases_by_end', { until: 1 }, { expireAfterSeconds: 0 }),
];

function index(
  collection: IndexDefinition['collection'],
  name: string,
  key: IndexDefinition['key'],
  options: IndexDefinition['options'] = {},
): IndexDefinition {
  return { collection, name, key, options };
}

function where(partialFilterExpression: Document): Pick<CreateIndexesOptions, 'partialFilterExpression'> {
  return { partialFilterExpression };
}
