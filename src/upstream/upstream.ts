/**
 * The port to another service that speaks /v0: exactly what that interface has. A gateway serves it, and a mirror reads
 * it.
 *
 * - A failure is a ServiceError. Where the upstream answered it, the error has the upstream's status and number for /v0.
 * - STORAGE_UNAVAILABLE is what no usable answer came for; then the outcome of a write is unknown.
 */

import type { FieldType } from '../domain/map.ts';
import type { JsonObject } from '../domain/json/json.ts';
import type { TraceContext } from '../geocoding/geocoder.ts';

/** A map as /v0 shows it. Null, or an empty list, stands for an optional member that the upstream leaves out. */
export interface UpstreamMap {
  readonly id: string;
  readonly name: string;
  readonly isDeleted: boolean | null;
  readonly isPublished: boolean | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number | null;
  readonly providerMapApiKey: string | null;
  readonly geocodingApiKey: string | null;
  readonly fields: readonly { readonly name: string; readonly type: FieldType }[];
}

export interface UpstreamLocation {
  readonly id: string;
  readonly name: string;
  readonly placeId: string;
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** An integer beyond ±(2^53 - 1) is a JsonText of its digits, wherever it stands. */
  readonly properties: JsonObject;
  /** Null where the upstream does not show it, as /v0 itself does not. */
  readonly order: string | null;
}

/** One page as the upstream answered it. */
export interface UpstreamPage {
  readonly locations: readonly UpstreamLocation[];
  /** Of the `Link` to the next page: its query without `limit`. Null without a `Link`. */
  readonly next: string | null;
}

export interface UpstreamNewLocation {
  readonly fields: JsonObject;
  /** Null appends it. */
  readonly order: string | null;
  readonly idempotencyKey: string | null;
}

/** The validators of one read: what the client has, and what the answer is. */
export interface Validators {
  /** The client's `If-None-Match`. */
  readonly ifNoneMatch: string | null;
  /** The answer's `ETag`, from when it came; null where the upstream gives none. */
  etag: string | null;
}

/** What goes with a call. */
export interface UpstreamCall {
  /** The caller's. It is sent, and kept nowhere. */
  readonly token: string;
  readonly requestId?: string | undefined;
  readonly trace?: TraceContext | undefined;
  /** Milliseconds that the caller still waits. */
  readonly leftMs?: number | undefined;
  /** Ends a read. A write goes on, since it may have been made. */
  readonly signal?: AbortSignal | undefined;
  /** For a read alone. */
  readonly validators?: Validators | undefined;
}

/** What the client has is still current, so there is no answer. */
export class NotModifiedError extends Error {
  /** @param next of a page, as {@link UpstreamPage.next} */
  constructor(readonly next: string | null = null) {
    super('The upstream has answered 304.');
  }
}

export interface Upstream {
  /** @throws ServiceError; NotModifiedError where the call has validators */
  getMap(call: UpstreamCall, mapId: string): Promise<UpstreamMap>;
  /**
   * @param query of /v0 without `limit`, percent-encoded
   * @param limit 1 to 100; the page has no more
   */
  listLocations(call: UpstreamCall, mapId: string, query: string, limit: number): Promise<UpstreamPage>;
  getLocation(call: UpstreamCall, mapId: string, id: string): Promise<UpstreamLocation>;
  /** Asked once, whatever comes of it. */
  createLocation(call: UpstreamCall, mapId: string, input: UpstreamNewLocation): Promise<UpstreamLocation>;
  /** Asked once, whatever comes of it. */
  deleteLocation(call: UpstreamCall, mapId: string, id: string): Promise<UpstreamLocation>;
  /** Resolves when the upstream answers anything; no token is needed. @throws ServiceError STORAGE_UNAVAILABLE */
  ping(): Promise<void>;
  /** Lets go of its connections. */
  close(): void;
}
