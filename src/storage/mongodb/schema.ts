/**
 * The collections: their documents and indexes. Times are Dates, which people and TTL indexes can read. An optional field is
 * absent where it has no value. Locations have their own file, location-records.ts.
 */

import type { GeocodingCount } from '../../domain/filter/geocoding-groups.ts';
import type { CategoryStyle } from '../../domain/category-style.ts';
import type { GeocodingArea } from '../../domain/geocoding-area.ts';
import type { Collection, CreateIndexesOptions, Document, IndexDirection, ServerSessionId } from 'mongodb';

import type { Actor } from '../../domain/actor.ts';
import type { ChangeKind } from '../../domain/change.ts';
import type { PageLanguage } from '../../domain/page-languages.ts';
import type { LogoInfo, LogoType } from '../../domain/logo.ts';
import type { PageTheme } from '../../domain/page-theme.ts';
import type { FieldDefinition } from '../../domain/map.ts';
import type { MapRole } from '../../domain/role.ts';
import type { ChangeOffset } from '../changes.ts';
import type { SecretPurpose, TokenScope } from '../storage.ts';
import type { LocationDocument, LocationState, StoredLocation } from './locations/location-records.ts';

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

export interface OwnerDocument {
  readonly _id: string;
  readonly name: string;
  readonly displayName?: string;
  readonly createdAt: Date;
}

export interface AccountDocument {
  /** The owner's id. */
  readonly _id: string;
  readonly passwordHash?: string;
  readonly isDisabled: boolean;
  readonly createdAt: Date;
}

export interface OneTimeSecretDocument {
  /** SHA-256. */
  readonly _id: string;
  readonly purpose: SecretPurpose;
  readonly ownerId?: string;
  readonly data?: string;
  readonly expiresAt: Date;
}

export interface SessionDocument {
  readonly _id: string;
  readonly hash: string;
  readonly ownerId: string;
  /** Copied from the owner, as in a token. */
  readonly ownerName: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly userAgent?: string;
  /** Sealed. */
  readonly idToken?: string;
}

export interface SignInAttemptsDocument {
  /** What the attempts count for. */
  readonly _id: string;
  readonly attempts: readonly { readonly id: string; readonly until: Date }[];
  /** When the last of them expires. */
  readonly expiresAt: Date;
}

export interface TokenDocument {
  readonly _id: string;
  /** Absent for a token. */
  readonly kind?: 'link';
  readonly hash: string;
  readonly ownerId: string;
  /** Copied from the owner, since every request needs it; renaming an owner changes the copies. */
  readonly ownerName: string;
  readonly name?: string;
  readonly scope: TokenScope;
  readonly mapId?: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  readonly lastUsedAt?: Date;
}

/** The end of a map's list (domain/list/list-end.ts). */
export interface ListEndDocument {
  /**
   * Changes with every write to `end`, `count` and `log`, which compare it first. A string that never repeats; the first
   * release stored a number.
   */
  readonly version: string | number;
  /** The last sequence number assigned. */
  readonly sequence: number;
  /** The largest number ever used as an order. */
  readonly largestNumber: string | null;
  /** Whether a text was ever used as an order. If not, an append need not read the last location. */
  readonly hasTexts: boolean;
}

/** A write in progress, with the sequence numbers that it may insert, delete or regroup, both ends included. */
export interface OpenWrite {
  readonly id: string;
  readonly since: Date;
  readonly from: number;
  readonly to: number;
}

/** See writes/count.ts. */
export interface ListCount {
  /** By how the locations were geocoded. Before version 9, one number. */
  readonly settled: readonly GeocodingCount[];
  readonly open: readonly OpenWrite[];
}

/** The changes of one write, or of several writes of one batch, that are not yet in `changes`. */
export interface OpenChanges {
  /** The write's id. */
  readonly id: string;
  /** The number of the first change. */
  readonly first: number;
  /** In the format of change-entries.ts. */
  readonly entries: readonly string[];
  readonly since: Date;
  /** For created locations: when the last of their idempotency keys expires. */
  readonly claimedUntil?: Date;
  /** The session of the transaction that writes them, if there is one. */
  readonly session?: ServerSessionId;
  /** Absent if none of the changes has a call. */
  readonly calls?: readonly OpenCalls[];
}

/** The calls of changes that share an actor and an operation: a batch of creates has many of them. */
export interface OpenCalls {
  readonly actor: Actor;
  readonly operation: string;
  /** For each call: the index of its first change in `entries`, the number of its changes, and its id. */
  readonly runs: readonly string[];
}

/** See writes/map-log.ts. */
export interface MapLog {
  /** Differs in every copy of a map. */
  readonly id: string;
  /** The last number assigned. */
  readonly last: number;
  /** The write that `last` was assigned to; empty before the first. */
  readonly lastWrite: string;
  /** When `last` was assigned; absent before the first change, and until the next one in a map of an earlier release. */
  readonly lastAt?: Date;
  /** The offset of the change before the first of `open`; null when `open` is empty. */
  readonly before: ChangeOffset | null;
  readonly open: readonly OpenChanges[];
}

export interface MoverDocument {
  /** Identifies the call that holds the lease. */
  readonly id: string;
  /** By the server's clock. */
  readonly until: Date;
}

export interface MemberDocument {
  readonly ownerId: string;
  readonly role: MapRole;
  readonly since: Date;
}

export interface InvitationDocument {
  readonly id: string;
  readonly hash: string;
  readonly role: MapRole;
  readonly note?: string;
  readonly maxUses: number;
  readonly uses: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface MapDocument {
  readonly _id: string;
  readonly ownerId: string;
  readonly members: readonly MemberDocument[];
  /** In the document, so that one statement counts a use and adds the member. */
  readonly invitations?: readonly InvitationDocument[];
  /** Time of creation and id: a member's maps are one range of one index. */
  readonly place: string;
  readonly name: string;
  readonly isDeleted: boolean;
  readonly isPublished: boolean;
  readonly createdAt: Date;
  /** Absent in a map of version 2 or older that has not changed since. */
  readonly updatedAt?: Date;
  readonly providerMapApiKey?: string;
  readonly geocodingApiKey?: string;
  /** Absent: the whole world. */
  readonly geocoding?: GeocodingArea;
  readonly fields: readonly FieldDefinition[];
  /** Absent: the reader's. */
  readonly language?: PageLanguage;
  readonly timeZone?: string;
  /** Absent: the look of all pages. */
  readonly theme?: PageTheme;
  readonly logo?: LogoInfo;
  /** Absent: none. */
  readonly categories?: readonly CategoryStyle[];
  readonly end: ListEndDocument;
  readonly count: ListCount;
  /** Absent before the first change. */
  readonly log?: MapLog;
  /** The lease of a move in progress (writes/move-lease.ts). */
  readonly mover?: MoverDocument;
}

/** The file of a logo. */
export interface LogoDocument {
  /** `mapId/hash` */
  readonly _id: string;
  readonly mapId: string;
  readonly type: LogoType;
  readonly hash: string;
  /** Base64. */
  readonly content: string;
}

/** Settled changes of one write, in order. A large write has several of these documents. */
export interface ChangesDocument {
  readonly mapId: string;
  /** The number of the last change in `entries`. */
  readonly last: number;
  readonly write: string;
  readonly changedAt: Date;
  /** In the format of change-entries.ts; empty for a number that was assigned and not used. */
  readonly entries: readonly string[];
}

/** A part of a call's history record: consecutive changes of one write (history/calls.ts). */
export interface HistoryDocument {
  /** The map's id, the call's id, and the number of the first change. */
  readonly _id: string;
  readonly mapId: string;
  readonly actor: Actor;
  readonly operation: string;
  /** Kinds without changes are absent. */
  readonly counts: Partial<Readonly<Record<ChangeKind, number>>>;
  /** Numbers in the map's log. */
  readonly first: number;
  readonly last: number;
  /** In a copy: the whole record, whose changes are not consecutive. Parts without counts have them. */
  readonly isSummary?: true;
}

/** The state of a location before a change (history/versions.ts). */
export interface VersionDocument {
  /** The location's id, the version, and the id of the call that replaced it. */
  readonly _id: string;
  readonly mapId: string;
  /** Absent: the location was deleted then. */
  readonly state?: LocationState;
  /** `call` of the location in this state. */
  readonly madeBy?: string;
}

/** An idempotency lock: the key of a create, with the location that it creates. */
export interface IdempotencyLockDocument {
  readonly mapId: string;
  readonly tokenId: string;
  readonly key: string;
  readonly digest: string;
  readonly location: LocationDocument;
  readonly expiresAt: Date;
}

/** A call under an idempotency key (keyed-calls.ts). */
export interface KeyedCallDocument {
  readonly mapId: string;
  readonly tokenId: string;
  readonly key: string;
  readonly digest: string;
  readonly callId: string;
  /** Absent: the call has not ended, or keeps no result. */
  readonly result?: string;
  readonly heldUntil: Date;
  readonly expiresAt: Date;
}

/** Reserves an external id for a location (writes/reservations.ts). */
export interface ExternalIdDocument {
  readonly mapId: string;
  readonly externalId: string;
  readonly locationId: string;
  readonly since: Date;
  /** Identifies this reservation among later ones of the same external id. */
  readonly attempt: string;
  /** The version with which the location gets the external id, if it is an update or a restore. */
  readonly version?: number;
}

export interface GeocodeDocument {
  readonly _id: string;
  readonly provider: string;
  readonly mapId?: string;
  /** Absent if the provider does not know the address. */
  readonly place?: {
    readonly placeId: string;
    readonly latitude: number;
    readonly longitude: number;
    readonly precision: string;
  };
  readonly storedAt: Date;
  readonly expiresAt?: Date;
}

export interface QuotaDocument {
  readonly _id: string;
  readonly count: number;
  readonly expiresAt: Date;
}

export interface WebhookDocument {
  /** The map's id and the slot (webhooks.ts). */
  readonly _id: string;
  readonly id: string;
  readonly mapId: string;
  /** From 0, unique in the map. */
  readonly slot: number;
  readonly url: string;
  readonly events: readonly ChangeKind[];
  readonly isEnabled: boolean;
  /** Absent after a restore from a backup without secrets. */
  readonly secret?: string;
  readonly formerSecret?: { readonly secret: string; readonly until: Date };
  readonly createdAt: Date;
  readonly version: number;
  readonly delivery: DeliveryDocument;
}

export interface DeliveryDocument {
  readonly place: ChangeOffset;
  readonly failures: number;
  readonly failingSince?: Date;
  readonly nextAttemptAt?: Date;
  readonly lastAttemptAt?: Date;
  readonly lastStatus?: number;
  readonly lastError?: string;
}

export interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  /** By the server's clock. */
  readonly until: Date;
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
