/**
 * The port to another service that speaks /v0, for gateways and mirrors.
 *
 * - Failures are ServiceErrors. Those that the upstream responded with have its status and number for /v0.
 * - STORAGE_UNAVAILABLE means that there was no usable response; the outcome of a write is then unknown.
 */

import type { FieldType } from '../domain/map.ts';
import type { JsonObject } from '../domain/json/json.ts';
import type { TraceContext } from '../lib/trace-context.ts';
import type { Validators } from '../services/scope.ts';

/** A map of /v0. Null, or an empty list, stands for an optional member that the upstream omits. */
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
  /** Integers beyond ±(2^53 - 1) are a JsonText of their digits, at any depth. */
  readonly properties: JsonObject;
  /** Not part of /v0; null if the upstream does not send it. */
  readonly order: string | null;
}

/** One page of a list. */
export interface UpstreamPage {
  readonly locations: readonly UpstreamLocation[];
  /** Query of the `Link` to the next page, without `limit`. Null without a `Link`. */
  readonly next: string | null;
}

export interface UpstreamNewLocation {
  readonly fields: JsonObject;
  /** Null appends it. */
  readonly order: string | null;
  readonly idempotencyKey: string | null;
}

/** Context of a call. */
export interface UpstreamCall {
  /** The caller's token. Sent, but never stored. */
  readonly token: string;
  readonly requestId?: string | undefined;
  readonly trace?: TraceContext | undefined;
  /** Milliseconds until the request's deadline. */
  readonly leftMs?: number | undefined;
  /** Aborts reads. Writes continue, since the upstream may have made them. */
  readonly signal?: AbortSignal | undefined;
  /** For reads only. */
  readonly validators?: Validators | undefined;
}

export interface Upstream {
  /** @throws ServiceError; NotModifiedError if the call has validators */
  getMap(call: UpstreamCall, mapId: string): Promise<UpstreamMap>;
  /**
   * @param query of /v0 without `limit`, percent-encoded
   * @param limit 1 to 100; the page has no more
   */
  listLocations(call: UpstreamCall, mapId: string, query: string, limit: number): Promise<UpstreamPage>;
  getLocation(call: UpstreamCall, mapId: string, id: string): Promise<UpstreamLocation>;
  /** Never retried. */
  createLocation(call: UpstreamCall, mapId: string, input: UpstreamNewLocation): Promise<UpstreamLocation>;
  /** Never retried. */
  deleteLocation(call: UpstreamCall, mapId: string, id: string): Promise<UpstreamLocation>;
  /** Resolves when the upstream responds; needs no token. @throws ServiceError STORAGE_UNAVAILABLE */
  ping(): Promise<void>;
  /** Closes its connections. */
  close(): void;
}
