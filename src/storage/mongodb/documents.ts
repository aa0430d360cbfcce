/** The documents of each collection. Times are Dates, so that a person and a TTL index can read them. */

import type { ChangeKind } from '../../domain/change.ts';
import type { FieldDefinition } from '../../domain/map.ts';
import type { ChangeOffset } from '../changes.ts';
import type { TokenScope } from '../storage.ts';
import type { ListCount } from './list-count.ts';
import type { MapLog } from './map-log.ts';

export interface MetaDocument {
  readonly _id: string;
  readonly value: string;
}

export interface OwnerDocument {
  readonly _id: string;
  readonly name: string;
  readonly createdAt: Date;
}

export interface TokenDocument {
  readonly _id: string;
  readonly hash: string;
  readonly ownerId: string;
  /** A copy: an owner's name never changes, and every request needs it. */
  readonly ownerName: string;
  readonly name?: string;
  readonly scope: TokenScope;
  readonly mapId?: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  /** Absent until it is used. */
  readonly lastUsedAt?: Date;
}

/** What a map knows of its list's end (domain/list/list-end.ts). */
export interface ListEndDocument {
  /**
   * Another at every change of `end` or `count`, each of which is a compare-and-set on it (list-version.ts). The first
   * release that stored it stored a number.
   */
  readonly version: string | number;
  /** The last sequence number given out. */
  readonly sequence: number;
  /** The largest number ever used as an order. */
  readonly largestNumber: string | null;
  /** Whether a text was ever used as an order: until then the list's last location need not be looked at. */
  readonly hasTexts: boolean;
}

export interface MapDocument {
  readonly _id: string;
  readonly ownerId: string;
  /** Time of creation and id, so that an owner's list is one range of one index. */
  readonly place: string;
  readonly name: string;
  readonly isDeleted: boolean;
  readonly isPublished: boolean;
  readonly createdAt: Date;
  /** Absent in a map of version 2 or before that was never changed since: its time of creation. */
  readonly updatedAt?: Date;
  /** Absent where there is none, so that the partial indexes hold only maps with keys. */
  readonly providerMapApiKey?: string;
  readonly geocodingApiKey?: string;
  readonly fields: readonly FieldDefinition[];
  readonly end: ListEndDocument;
  /** The number of its locations; see list-count.ts. */
  readonly count: ListCount;
  /** What its log of changes knows; see map-log.ts. Absent before the first change. */
  readonly log?: MapLog;
  /** Who may move its locations; see move-lease.ts. Absent while nobody does. */
  readonly mover?: MoverDocument;
}

export interface MoverDocument {
  /** Of the call. */
  readonly id: string;
  /** Until when nobody else may, by the server's clock. */
  readonly until: Date;
}

export interface LocationDocument {
  readonly _id: string;
  readonly mapId: string;
  /** Its rank; see rank.ts. Absent in a tombstone. */
  readonly place: string;
  /** The sequence number of its rank, to be found by. Absent in a tombstone. */
  readonly sequence: number;
  readonly order: string;
  readonly name: string;
  readonly placeId: string;
  readonly latitude: number;
  readonly longitude: number;
  /** JSON text: any key is data there, none can be an operator, and it comes back to the byte. */
  readonly properties: string;
  readonly createdAt: Date;
  readonly provider: string;
  readonly precision: string;
  /** Absent where it has none. */
  readonly externalId?: string;
  /** Absent in a location that was never changed: 1. */
  readonly version?: number;
  /** Absent in a location that was never changed: its time of creation. */
  readonly updatedAt?: Date;
  /** Where it was stored under an idempotency key: until when the key counts. */
  readonly claimedUntil?: Date;
  /** The number of its last change in the map's log. Absent where that was before there were logs. */
  readonly change?: number;
  /** The number of a change that must not be made any more, nor any before it; see judge-changes.ts. */
  readonly fence?: number;
}

/** What is stored beside a location for it to be found by. Claims do not hold it, and reads leave it out. */
export interface IndexedLocation {
  readonly cell: number;
  /** Each once; up to some thousands. */
  readonly terms: readonly string[];
  /** Of domain/filter/shape.ts. */
  readonly shape: string;
}

/**
 * What is left of a deleted location while its idempotency key counts: it keeps the id taken, so that a retry that is
 * under way cannot store the location again.
 */
export interface TombstoneDocument {
  readonly _id: string;
  readonly mapId: string;
  readonly removeAfter: Date;
  /** Of a location that was never stored: the number of the change that was to create it. */
  readonly fence?: number;
}

/** Changes of a map that are settled, in their order: a part of what one write changed. */
export interface ChangesDocument {
  readonly mapId: string;
  /** The number of the last of them. */
  readonly last: number;
  readonly write: string;
  readonly changedAt: Date;
  /** Of change-entries.ts; an empty one was announced, and then not made. */
  readonly entries: readonly string[];
}

/** An idempotency key with the whole answer; storing it is what decides between requests at once. */
export interface ClaimDocument {
  readonly mapId: string;
  readonly tokenId: string;
  readonly key: string;
  readonly digest: string;
  readonly location: LocationDocument;
  readonly expiresAt: Date;
}

/**
 * Says which location may have an external id: whoever gives a location one has stored this before. It counts while the
 * location has the external id, and for a while after `since` (external-ids.ts).
 */
export interface ExternalIdDocument {
  readonly mapId: string;
  readonly externalId: string;
  readonly locationId: string;
  readonly since: Date;
  /** Another at each time that it is reserved. */
  readonly attempt: string;
}

/** What a geocoding provider said of an address. */
export interface GeocodeDocument {
  readonly _id: string;
  readonly provider: string;
  readonly mapId?: string;
  /** Absent where the provider knows no such address. */
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
  /** The map's id and the slot, so that no two have the same; see webhooks.ts. */
  readonly _id: string;
  readonly id: string;
  readonly mapId: string;
  /** One of its map's numbers for webhooks, from 0. */
  readonly slot: number;
  readonly url: string;
  readonly events: readonly ChangeKind[];
  readonly isEnabled: boolean;
  /** Absent where a backup has left it out. */
  readonly secret?: string;
  readonly formerSecret?: { readonly secret: string; readonly until: Date };
  readonly createdAt: Date;
  readonly version: number;
  readonly delivery: DeliveryDocument;
}

/** What there is none of is absent. */
export interface DeliveryDocument {
  readonly place: ChangeOffset;
  readonly failures: number;
  readonly failingSince?: Date;
  readonly nextAttemptAt?: Date;
  readonly lastAttemptAt?: Date;
  readonly lastStatus?: number;
  readonly lastError?: string;
}

/** A right that one process of all has at a time, by its name. */
export interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  /** By the server's clock. */
  readonly until: Date;
}
