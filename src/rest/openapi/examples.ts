/** Example requests and responses of /v0. */

import { ERRORS } from '../../errors.ts';
import type { V0ErrorCode } from '../status.ts';
import type { Example } from './openapi.ts';

export const MAP_ID = '4k8ce1gq0tv2x9zr';
export const LOCATION_ID = `${MAP_ID}_7m3pd5a0w2yh`;

export const FIELDS = { Name: 'A Brasileira', Address: 'Rua Garrett 122, Lisboa', Seats: 60 };

export const LOCATION = {
  name: 'A Brasileira',
  id: LOCATION_ID,
  placeId: 'geonames:2267057',
  latLngLiteral: { lat: '38.72509', lng: '-9.1498' },
  properties: FIELDS,
};

export function mapExample(mapProvider: string): Record<string, unknown> {
  return {
    id: MAP_ID,
    name: 'Cafés',
    isDeleted: false,
    createdAt: '2026-01-31T12:00:00.005Z',
    isPublished: true,
    [`${mapProvider}MapApiKey`]: 'a-provider-key',
    geocodingApiKey: 'a-geocoding-key',
    fields: [
      { name: 'Name', type: 'placeName' },
      { name: 'Address', type: 'address' },
      { name: 'Seats', type: 'number' },
    ],
  };
}

/** An example message for each code. */
export const MESSAGES: Readonly<Record<V0ErrorCode, string>> = {
  BAD_USER_INPUT: 'limit must be a whole number from 1 to 100, in digits.',
  NOT_FOUND: 'There is no such path.',
  METHOD_NOT_ALLOWED: 'This path allows GET, HEAD, DELETE, OPTIONS.',
  UNSUPPORTED_MEDIA_TYPE: 'Content-Type must be application/json.',
  UNAUTHENTICATED: 'The token is not valid: it is unknown, expired or revoked.',
  FORBIDDEN: 'This token may only read; a token of scope write is required.',
  MAP_NOT_FOUND: 'There is no such map, or it is not yours.',
  LOCATION_NOT_FOUND: 'There is no such location in this map.',
  MAP_DELETED: 'The map is deleted; restoring it makes it usable again.',
  CONFLICT: 'This idempotency key was used with another body in the last 24 hours.',
  ADDRESS_NOT_FOUND: 'Google does not know this address; check its spelling, or add its town and country.',
  GEOCODER_REFUSED:
    "Google refused the request (REQUEST_DENIED): check the map's geocodingApiKey and its permissions.",
  PAYLOAD_TOO_LARGE: 'The body exceeds the size limit.',
  RATE_LIMITED: 'Over 6000 requests a minute; wait and try again.',
  GEOCODER_UNAVAILABLE: 'Google is unavailable: it did not respond in time.',
  STORAGE_UNAVAILABLE: 'The database cannot be reached at the moment.',
  OVERLOADED: 'The server is overloaded; try again later.',
  ISSUER_UNAVAILABLE: 'The keys of the token issuer cannot be fetched at the moment.',
  INTERNAL_SERVER_ERROR: 'Internal server error (request 8f7c2d1e-5b0a-4e6f-9c3d-2a1b0c9d8e7f).',
};

export function errorExamples(codes: readonly V0ErrorCode[]): Record<string, Example> {
  return Object.fromEntries(
    codes.map((code) => [
      code,
      { summary: ERRORS[code].when, value: { error: ERRORS[code].error, message: MESSAGES[code] } },
    ]),
  );
}
