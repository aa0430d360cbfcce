/** A new location: what is asked for, checked, and what is stored of it. */

import { assertExternalId } from '../../domain/external-id.ts';
import type { FieldLimits } from '../../domain/fields.ts';
import { assertFields, readNameAndAddress } from '../../domain/fields.ts';
import { newLocationId } from '../../domain/ids.ts';
import type { JsonObject } from '../../domain/json/json.ts';
import type { MapRecord } from '../../domain/map.ts';
import { assertAnyOrder, assertOrder } from '../../domain/list/order.ts';
import type { GivenPoint, LocatedPoint } from '../../domain/point.ts';
import { locatePoint } from '../../domain/point.ts';
import type { GeocodingResult } from '../../geocoding/geocoder.ts';
import type { LocationInsert } from '../../storage/storage.ts';
import type { Authorization } from '../authorization.ts';
import { assertIdempotencyKey, bodyDigest, IDEMPOTENCY_TTL_MS } from './idempotency.ts';

export interface LocationInput {
  /** Never from a client. An import, which may try again, gives the same id each time. By default a new one is made. */
  readonly id?: string;
  readonly fields: JsonObject;
  /** Null or absent appends the location to the list. */
  readonly order?: string | null;
  /** Never from a client: the order is one that a list had, so an append may have made it. */
  readonly isOrderKept?: boolean;
  readonly idempotencyKey?: string | null;
  /** The caller's own id of the location, unique in the map. */
  readonly externalId?: string | null;
  /** The given point; then no geocoder is asked. */
  readonly position?: GivenPoint | null;
}

/** An input that passed every rule and is still to be geocoded. */
export interface CheckedInput {
  readonly id: string;
  readonly fields: JsonObject;
  readonly order: string | null;
  readonly name: string;
  readonly address: string;
  readonly point: LocatedPoint | null;
  readonly externalId: string | null;
  readonly idempotency: { readonly key: string; readonly digest: string } | null;
}

/** An input whose members are all well formed. Whether it fits the map's fields is not looked at. */
export type WellFormedInput = Omit<CheckedInput, 'name' | 'address'>;

/** @throws ServiceError BAD_USER_INPUT */
export function checkInput(map: MapRecord, input: LocationInput, limits: FieldLimits): CheckedInput {
  return checkNames(map, checkForm(map.id, input, limits));
}

/** @throws ServiceError BAD_USER_INPUT where the map's name or address is missing */
export function checkNames(map: MapRecord, input: WellFormedInput): CheckedInput {
  return { ...input, ...readNameAndAddress(input.fields, map.fields) };
}

/** @throws ServiceError BAD_USER_INPUT */
export function checkForm(mapId: string, input: LocationInput, limits: FieldLimits): WellFormedInput {
  const {
    id = newLocationId(mapId),
    fields,
    order = null,
    idempotencyKey = null,
    position = null,
    externalId = null,
  } = input;
  assertFields(fields, limits);
  if (order !== null) (input.isOrderKept ? assertAnyOrder : assertOrder)(order, 'order');
  if (idempotencyKey !== null)
    assertIdempotencyKey(idempotencyKey, 'idempotencyKey (in /v0 the header Idempotency-Key)');
  if (externalId !== null) assertExternalId(externalId, 'externalId');
  const point = position === null ? null : locatePoint(position);
  const idempotency =
    idempotencyKey === null
      ? null
      : { key: idempotencyKey, digest: bodyDigest({ fields, order, point, externalId }) };
  return { id, fields, order, point, externalId, idempotency };
}

/** @param now milliseconds since the epoch */
export function toInsert(
  { caller, map }: Authorization,
  input: CheckedInput,
  located: GeocodingResult,
  now: number,
): LocationInsert {
  const { placeId, latitude, longitude, provider, precision } = located;
  const { id, fields, order, name, externalId, idempotency } = input;
  return {
    order,
    location: {
      id,
      mapId: map.id,
      name,
      placeId,
      latitude,
      longitude,
      properties: fields,
      externalId,
      createdAt: now,
      geocoding: { provider, precision },
    },
    idempotency:
      idempotency === null
        ? null
        : { ...idempotency, tokenId: caller.tokenId, expiresAt: now + IDEMPOTENCY_TTL_MS },
  };
}
