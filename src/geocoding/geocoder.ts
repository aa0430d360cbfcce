/** The geocoder port. */

import type { Attribution } from '../domain/attribution.ts';
import type { Point } from '../domain/filter/distance.ts';
import { distanceBetween } from '../domain/filter/distance.ts';
import type { GeocodingArea } from '../domain/geocoding-area.ts';
import { ServiceError } from '../errors.ts';
import type { TraceContext } from '../lib/trace-context.ts';

/** How precisely a point locates the address, from a building to an administrative region. */
export type GeocodingPrecision = (typeof GEOCODING_PRECISIONS)[number];

export const GEOCODING_PRECISIONS = ['rooftop', 'interpolated', 'street', 'locality', 'region'] as const;

/** What all queries have. */
export interface QueryContext {
  /** The map's own provider key, in plain text; null if it has none. Never logged. */
  readonly apiKey: string | null;
  /** Aborted when the caller disconnects or its deadline passes. */
  readonly signal?: AbortSignal;
  /** Milliseconds from now that the caller can wait. The geocoder's own timeout also applies. */
  readonly timeoutMs?: number;
  /** The map of the location. Without it, a result that may be cached only per map is not cached. */
  readonly mapId?: string;
  /** For the log. */
  readonly requestId?: string | undefined;
  /** Forwarded to remote providers. */
  readonly trace?: TraceContext | undefined;
  /** Id of the caller's token, for its daily quota; never the secret. */
  readonly tokenId?: string;
  /** Null or absent for the whole world. */
  readonly area?: GeocodingArea | null;
}

export interface GeocodingQuery extends QueryContext {
  /** The address as the caller wrote it: not blank, no NUL, no lone surrogates. */
  readonly address: string;
}

export interface ReverseQuery extends QueryContext {
  readonly point: Point;
}

export interface SuggestionQuery extends QueryContext {
  /** The start of an address, at least 3 characters. */
  readonly text: string;
  /** Suggestions near this point come first; null for no preference. */
  readonly near: Point | null;
}

/** A point that a geocoder found. */
export interface GeocodedPoint {
  /** The provider's identifier of the place, prefixed unless it is globally unique. */
  readonly placeId: string;
  /** Degrees, -90 to 90, WGS 84. */
  readonly latitude: number;
  /** Degrees, -180 to 180, WGS 84. */
  readonly longitude: number;
  /** Name of the provider, e.g. `offline`. */
  readonly provider: string;
  readonly precision: GeocodingPrecision;
}

export interface GeocodingResult extends GeocodedPoint {
  /** The provider's spelling of the address, to be stored; null if it gives none, or its terms forbid storing it. */
  readonly label: string | null;
  /** Whether another candidate of the same precision is more than a kilometre away. */
  readonly isAmbiguous: boolean;
}

const AMBIGUOUS_METRES = 1_000;

/** A place that the address may mean. */
export interface GeocodingCandidate extends GeocodedPoint {
  /** The provider's spelling of the address; null if it gives none, or its terms forbid keeping it. */
  readonly formattedAddress: string | null;
}

export const MAX_CANDIDATES = 5;

/** The address of a point. */
export interface AddressParts {
  readonly houseNumber: string | null;
  readonly street: string | null;
  readonly postcode: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
  /** ISO 3166-1 alpha-2, in upper case. */
  readonly countryCode: string | null;
}

export interface ReverseResult extends AddressParts {
  readonly label: string | null;
  /** Metres from the point of the query. */
  readonly distance: number;
  readonly provider: string;
}

/** An address that begins with, or resembles, what was typed. */
export interface Suggestion {
  /** The first part of the address: the street with its number, or a name. */
  readonly label: string;
  /** The rest, such as town and country; null if the label is the whole address. */
  readonly description: string | null;
  readonly latitude: number;
  readonly longitude: number;
}

export const MAX_SUGGESTIONS = 5;

export interface Geocoder {
  /**
   * Resolves one address to one point.
   *
   * @throws ServiceError `ADDRESS_NOT_FOUND`; `GEOCODER_REFUSED` if the provider rejects the key; `RATE_LIMITED` over a
   *   quota; `GEOCODER_UNAVAILABLE` after a timeout or failure; `BAD_USER_INPUT` if the provider rejects the address,
   *   e.g. as too long. The signal's reason if it is aborted.
   */
  geocode(query: GeocodingQuery): Promise<GeocodingResult>;
  /**
   * The places that an address may mean, 1 to {@link MAX_CANDIDATES}, likeliest first. {@link geocode} returns the first
   * one for as long as it is cached. Absent if the geocoder finds only one.
   *
   * @throws as {@link geocode}
   */
  candidates?(query: GeocodingQuery): Promise<readonly GeocodingCandidate[]>;
  /**
   * The address nearest to a point; null if there is none within a kilometre (offline: a town within 50 km). Absent if
   * the geocoder cannot find any.
   *
   * @throws as {@link geocode}, except `ADDRESS_NOT_FOUND`
   */
  reverse?(query: ReverseQuery): Promise<ReverseResult | null>;
  /**
   * At most {@link MAX_SUGGESTIONS}, likeliest first; empty if there are none.
   *
   * @throws as {@link geocode}, except `ADDRESS_NOT_FOUND`; `SUGGESTIONS_UNAVAILABLE` if no provider has them
   */
  suggest?(query: SuggestionQuery): Promise<readonly Suggestion[]>;
  /** Why many addresses may not be geocoded at once, as a message for clients; null or absent if they may. */
  readonly refusesBulk?: string | null;
  /**
   * What must be shown with points, by the provider's name in them; absent for nothing. Of all providers, not only those
   * in use, since points outlast the settings.
   */
  readonly attributions?: ReadonlyMap<string, readonly Attribution[]>;
  /** How many addresses one caller, e.g. an import, should geocode concurrently; absent for no limit. */
  readonly concurrency?: number;
}

export function suggestionsUnavailable(
  message = 'None of the geocoders in use may suggest addresses while one is typed.',
): ServiceError {
  return new ServiceError('SUGGESTIONS_UNAVAILABLE', message);
}

/** The result of candidates: the best one, and whether another is meant as likely. */
export function resultOf([best, ...others]: readonly [
  GeocodingCandidate,
  ...GeocodingCandidate[],
]): GeocodingResult {
  const { placeId, latitude, longitude, provider, precision, formattedAddress } = best;
  const isAmbiguous = others.some(
    (other) => other.precision === precision && distanceBetween(best, other) > AMBIGUOUS_METRES,
  );
  return { placeId, latitude, longitude, provider, precision, label: formattedAddress, isAmbiguous };
}

/** The candidates of any geocoder. */
export async function candidatesOf(
  geocoder: Geocoder,
  query: GeocodingQuery,
): Promise<readonly GeocodingCandidate[]> {
  return (await geocoder.candidates?.(query)) ?? [toCandidate(await geocoder.geocode(query))];
}

function toCandidate({ label, isAmbiguous: _, ...point }: GeocodingResult): GeocodingCandidate {
  return { ...point, formattedAddress: label };
}
