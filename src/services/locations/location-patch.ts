/** Checks a patch, and applies it to a location. */

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
import type { LocationUpdate } from '../../storage/storage.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import type { Locate, Located } from './locate.ts';
import { isSamePoint, locatedBy, pointOf } from './locate.ts';

/** Absent members stay unchanged; so do null ones, unless stated otherwise. */
export interface LocationPatch {
  /** Fails for any other version of the location. */
  readonly ifVersion?: number | null;
  readonly fields?: JsonObject | null;
  /** By default `merge`. */
  readonly fieldsMode?: FieldsMode | null;
  /** Keys to remove. */
  readonly unset?: readonly string[] | null;
  readonly order?: string | null;
  /** Internal; see LocationInput. */
  readonly isOrderKept?: boolean;
  /** Null: geocode the address again. */
  readonly position?: GivenPoint | null;
  /** Null removes it. */
  readonly externalId?: string | null;
}

/** @throws ServiceError BAD_USER_INPUT for a patch that is wrong for every location */
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
 * @returns null if nothing changes
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
  const point = await pointAfter(request, current, properties, patch.position, locate);
  const located = point ?? pointOf(current);
  const { externalId = current.externalId } = patch;
  const order = (patch.order ?? current.order) === current.order ? null : (patch.order ?? null);
  const isSame =
    properties === current.properties &&
    order === null &&
    externalId === current.externalId &&
    isSamePoint(located, pointOf(current));
  if (isSame) return null;
  return {
    id: current.id,
    version: current.version,
    updatedAt: Math.max(clock(), current.updatedAt),
    order,
    values: { name, properties, externalId, ...located },
  };
}

/** Null if the point does not change. */
async function pointAfter(
  request: AuthorizedRequest,
  current: LocationRecord,
  properties: JsonObject,
  position: GivenPoint | null | undefined,
  locate: Locate,
): Promise<Located | null> {
  if (position !== null && position !== undefined) return locatedBy(locatePoint(position));
  const { fields } = request.map;
  const isMoved = !isSameJson(addressIn(properties, fields), addressIn(current.properties, fields));
  if (position === undefined && !isMoved) return null;
  return locate(request, readAddress(properties, fields));
}

function addressIn(properties: JsonObject, definitions: MapRecord['fields']): JsonValue {
  const key = addressFieldOf(definitions);
  return key !== undefined && Object.hasOwn(properties, key) ? (properties[key] ?? null) : null;
}
