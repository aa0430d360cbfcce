/** What a change of a location changed. */

import type { JsonValue } from '../../domain/json/json.ts';
import { isSameJson } from '../../domain/location-change.ts';
import type { LocationRecord } from '../../domain/location.ts';
import { pointOf } from '../locations/locate.ts';

export interface VersionChange {
  /** `properties.NAME`, `point`, `order` or `externalId`. */
  readonly path: string;
  /** Null where there was none. */
  readonly before: JsonValue;
  /** Null where there is none. */
  readonly after: JsonValue;
}

/** Properties in their order, those that were removed last. The name comes from a property, and is no change of its own. */
export function changesBetween(before: LocationRecord, after: LocationRecord): readonly VersionChange[] {
  const names = new Set([...Object.keys(after.properties), ...Object.keys(before.properties)]);
  const changes: VersionChange[] = [];
  for (const name of names) {
    const values = [valueOf(before, name), valueOf(after, name)] as const;
    if (isSame(...values)) continue;
    changes.push({ path: `properties.${name}`, before: values[0] ?? null, after: values[1] ?? null });
  }
  const others: readonly VersionChange[] = [
    { path: 'point', before: pointValue(before), after: pointValue(after) },
    { path: 'order', before: before.order, after: after.order },
    { path: 'externalId', before: before.externalId, after: after.externalId },
  ];
  return [...changes, ...others.filter((change) => !isSameJson(change.before, change.after))];
}

/** Undefined where the location has no such property. */
function valueOf({ properties }: LocationRecord, name: string): JsonValue | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function isSame(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return before === undefined || after === undefined ? before === after : isSameJson(before, after);
}

/** The point with how it was found. */
function pointValue(location: LocationRecord): JsonValue {
  const { geocoding, ...point } = pointOf(location);
  return { ...point, ...geocoding };
}

/** Whether two states of a location differ in nothing that a change could have changed. */
export function isSameState(a: LocationRecord, b: LocationRecord): boolean {
  return a.name === b.name && changesBetween(a, b).length === 0;
}
