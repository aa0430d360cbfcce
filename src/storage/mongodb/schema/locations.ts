/** Keys of locations: idempotency keys and external ids. Locations themselves are in ../locations/location-records.ts. */

import type { LocationDocument } from '../locations/location-records.ts';

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
