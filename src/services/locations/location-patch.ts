/** Changes to a location: what is asked for, and what it makes of the location as it is. */

import { assertExternalId } from '../../domain/external-id.ts';
import type { FieldLimits } from '../../domain/fields.ts';
import { assertFields, readAddress, readNameAndAddress } from '../../domain/fields.ts';
import type { JsonObject, JsonValue } from '../../domain/json/json.ts';
import type { FieldsMode } from '../../domain/location-change.ts';
import { changeProperties, isSameJson } from '../../domain/location-change.ts';
import type { LocationRecord } from '../../domain/location.ts';
import type { MapRecord } from '../../domain/map.ts';
import { addressFieldOf } from '../../domain/map.ts';
import { assertAnyOrder, assertOrder } from '../../domain/list/order.ts';
import type { GivenPoint } from '../../domain/point.ts';
import { locatePoint } from '../../domain/point.ts';
import type { GeocodingResult } from '../../geocoding/geocoder.ts';
import type { LocationUpdate } from '../../storage/storage.ts';
import type { AuthorizedRequest, Locate } from './locate.ts';
import { locatedBy } from './locate.ts';

/** What is to be changed; what is absent, or null where nothing else is said, stays. */
export interface LocationPatch {
  /** Any other version of the location is left as it is. */
  readonly ifVersion?: number | null;
  readonly fields?: JsonObject | null;
  /** `merge` by default. */
  readonly fieldsMode?: FieldsMode | null;
  /** Keys to remove. */
  readonly unset?: readonly string[] | null;
  readonly order?: string | null;
  /** Never from a client; see LocationInput. */
  readonly isOrderKept?: boolean;
  /** The given point. Null: the address is geocoded anew. */
  readonly position?: GivenPoint | null;
  /** Null: it has none any more. */
  readonly externalId?: string | null;
}

/** @throws ServiceError BAD_USER_INPUT for what is wrong whatever the location is */
export function checkPatch(
  { fields, order, isOrderKept, position, externalId }: LocationPatch,
  limits: FieldLimits,
): void {
  if (fields) assertFields(fields, limits);
  if (typeof order === 'string') (isOrderKept ? assertAnyOrder : assertOrder)(order, 'order');
  if (position) locatePoint(position);
  if (typeof externalId === 'string') assertExternalId(externalId, 'externalId');
}

export interface PlanOptions {
  readonly locate: Locate;
  readonly clock: () => number;
  readonly fieldLimits: FieldLimits;
}

/**
 * @returns null where everything is as it was
 * @throws ServiceError BAD_USER_INPUT, and what the geocoder throws
 */
export async function planUpdate(
  request: AuthorizedRequest,
  current: LocationRecord,
  patch: LocationPatch,
  { locate, clock, fieldLimits }: PlanOptions,
): Promise<LocationUpdate | null> {
  const { map } = request;
  const properties = changeProperties(current.properties, {
    fields: patch.fields ?? null,
    mode: patch.fieldsMode ?? 'merge',
    unset: patch.unset ?? [],
  });
  let { name } = current;
  if (properties !== current.properties) {
    assertFields(properties, fieldLimits);
    ({ name } = readNameAndAddress(properties, map.fields));
  }
  const point = await newPoint(request, current, properties, patch.position, locate);
  const { placeId, latitude, longitude, geocoding } = point ?? current;
  const { externalId = current.externalId } = patch;
  const order = (patch.order ?? current.order) === current.order ? null : (patch.order ?? null);
  const isSame =
    properties === current.properties &&
    order === null &&
    externalId === current.externalId &&
    isSameJson({ placeId, latitude, longitude, ...geocoding }, pointOf(current));
  if (isSame) return null;
  return {
    id: current.id,
    version: current.version,
    updatedAt: Math.max(clock(), current.updatedAt),
    order,
    values: { name, placeId, latitude, longitude, properties, geocoding, externalId },
  };
}

/** Null where the location stays where it stands. */
async function newPoint(
  request: AuthorizedRequest,
  current: LocationRecord,
  properties: JsonObject,
  position: GivenPoint | null | undefined,
  locate: Locate,
) {
  if (position !== null && position !== undefined) return toPoint(locatedBy(locatePoint(position)));
  const { fields } = request.map;
  const isMoved = !isSameJson(addressIn(properties, fields), addressIn(current.properties, fields));
  if (position === undefined && !isMoved) return null;
  return toPoint(await locate(request, readAddress(properties, fields)));
}

function addressIn(properties: JsonObject, definitions: MapRecord['fields']): JsonValue {
  const key = addressFieldOf(definitions);
  return key !== undefined && Object.hasOwn(properties, key) ? (properties[key] ?? null) : null;
}

function toPoint({ placeId, latitude, longitude, provider, precision }: GeocodingResult) {
  return { placeId, latitude, longitude, geocoding: { provider, precision } };
}

function pointOf({ placeId, latitude, longitude, geocoding: { provider, precision } }: LocationRecord) {
  return { placeId, latitude, longitude, provider, precision };
}
