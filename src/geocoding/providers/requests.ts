/** What the requests of several providers have in common: addresses, points and areas as their parameters. */

import { toPlainDecimal } from '../../domain/coordinates.ts';
import type { Point } from '../../domain/filter/distance.ts';
import type { GeocodingArea } from '../../domain/geocoding-area.ts';
import { addressRefused } from '../resilience/failures.ts';
import type { Lookup, Provider, Question } from './provider.ts';

/** The point to prefer results near: that of the query, else the centre of the bounds. */
export function preferredPoint(lookup: Lookup): Point | null {
  if (lookup.kind === 'suggest' && lookup.near !== null) return lookup.near;
  const bounds = lookup.area?.bounds ?? null;
  if (bounds === null) return null;
  const { south, west, north, east } = bounds;
  const middle = (west + (west > east ? east + 360 : east)) / 2;
  return { latitude: (south + north) / 2, longitude: middle > 180 ? middle - 360 : middle };
}

/** The parameters `lat` and `lon`; null leaves them out. */
export function latLon(point: Point | null) {
  return {
    lat: point === null ? null : toPlainDecimal(point.latitude),
    lon: point === null ? null : toPlainDecimal(point.longitude),
  };
}

/** `48.5,-2.25` */
export function pointText({ latitude, longitude }: Point): string {
  return `${toPlainDecimal(latitude)},${toPlainDecimal(longitude)}`;
}

/** The text of a forward query or of suggestions. */
export function textOf(lookup: Exclude<Question, { readonly kind: 'reverse' }>): string {
  return lookup.kind === 'forward' ? lookup.address : lookup.text;
}

/**
 * @param base origin and path prefix, with or without a trailing slash
 * @param parameters null and undefined leave one out; an array repeats it
 */
export function endpoint(
  base: string,
  path: string,
  parameters: Readonly<Record<string, string | readonly string[] | null | undefined>>,
): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const text of typeof value === 'string' ? [value] : (value ?? [])) search.append(name, text);
  }
  url.search = search.toString();
  return url;
}

/** The language without script and region, for providers that know only those: `pt` for `pt-BR`. */
export function baseLanguage(area: GeocodingArea | null): string | null {
  return area?.language?.split('-', 1)[0] ?? null;
}

/** Lower-case codes, separated by commas; null for all countries. */
export function countryList(area: GeocodingArea | null): string | null {
  return area === null || area.countries.length === 0 ? null : area.countries.join(',').toLowerCase();
}

/** `west,south,east,north`; null without bounds, and for bounds across the antimeridian, which no provider takes. */
export function boundsText(area: GeocodingArea | null): string | null {
  const bounds = area?.bounds ?? null;
  if (bounds === null || bounds.west > bounds.east) return null;
  return [bounds.west, bounds.south, bounds.east, bounds.north].map(toPlainDecimal).join(',');
}

/** Google's limit (https://developers.google.com/maps/url-encoding); most servers accept about as much. */
const MAX_URL_LENGTH = 16_384;

/** @throws ServiceError BAD_USER_INPUT if the address makes the URL too long */
export function assertShortEnough(provider: Provider, lookup: Lookup): void {
  if (provider.request(lookup).url.href.length > MAX_URL_LENGTH) {
    throw addressRefused(provider.title, 'it is too long');
  }
}
