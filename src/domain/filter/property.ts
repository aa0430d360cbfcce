/** Tests of one property, by the type of its field in the map (capabilities §10). */

import { badUserInput, ServiceError } from '../../errors.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import type { FieldDefinition, FieldType } from '../map.ts';
import { decimalOf } from '../list/order.ts';
import { readOpeningHours, ZonedOpeningHours } from '../opening-hours.ts';
import { TimeZone } from '../time-zone.ts';
import { compareCodePoints } from '../text.ts';
import { readSpan } from './instant.ts';
import { normalizeText } from './search-text.ts';

/** Input of a client. Null means omitted, except for `eq`. */
export interface PropertyInput {
  readonly name: string;
  readonly eq?: unknown;
  readonly in?: readonly unknown[] | null;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly prefix?: string | null;
  readonly exists?: boolean | null;
  readonly openAt?: Date | null;
}

/** A field of a searched map. */
export interface SearchedField extends FieldDefinition {
  /** Of the map, for opening hours; absent if it has none. */
  readonly timeZone?: string;
}

type Scalar = string | number | boolean | null;
type Bound = string | number;

/** A valid test, not yet matched with a field's type. */
export type PropertyTest =
  | { readonly kind: 'oneOf'; readonly name: string; readonly values: readonly Scalar[] }
  | {
      readonly kind: 'range';
      readonly name: string;
      readonly from: Bound | null;
      readonly to: Bound | null;
      /** Name in error messages, e.g. `filter.property`. */
      readonly label: string;
    }
  | { readonly kind: 'prefix'; readonly name: string; readonly prefix: string }
  | { readonly kind: 'exists'; readonly name: string; readonly exists: boolean }
  | {
      readonly kind: 'openAt';
      readonly name: string;
      /** Milliseconds since the epoch. */
      readonly time: number;
      readonly label: string;
    };

const MAX_VALUES = 100;

/** @throws ServiceError BAD_USER_INPUT */
export function readPropertyTest(input: PropertyInput, label: string): PropertyTest {
  const { name, from = null, to = null, prefix = null, exists = null, openAt = null } = input;
  const isGiven = {
    eq: Object.hasOwn(input, 'eq') && input.eq !== undefined,
    in: (input.in ?? null) !== null,
    range: from !== null || to !== null,
    prefix: prefix !== null,
    exists: exists !== null,
    openAt: openAt !== null,
  };
  if (Object.values(isGiven).filter(Boolean).length !== 1) {
    throw badUserInput(
      `${label} must have exactly one of eq, in, prefix, exists and openAt, or from, to or both.`,
    );
  }
  if (isGiven.eq) return { kind: 'oneOf', name, values: [readScalar(input.eq, `${label}.eq`)] };
  if (isGiven.in) return { kind: 'oneOf', name, values: readValues(input.in ?? [], `${label}.in`) };
  if (isGiven.range) {
    return {
      kind: 'range',
      name,
      from: readBound(from, `${label}.from`),
      to: readBound(to, `${label}.to`),
      label,
    };
  }
  if (exists !== null) return { kind: 'exists', name, exists };
  if (openAt !== null) return { kind: 'openAt', name, time: openAt.getTime(), label };
  const normalized = normalizeText(prefix ?? '');
  if (normalized === '')
    throw badUserInput(`${label}.prefix must contain at least one character other than marks.`);
  return { kind: 'prefix', name, prefix: normalized };
}

function readValues(values: readonly unknown[], label: string): readonly Scalar[] {
  if (values.length < 1 || values.length > MAX_VALUES) {
    throw badUserInput(`${label} has ${values.length} values; 1 to ${MAX_VALUES} are allowed.`);
  }
  return values.map((value, index) => readScalar(value, `${label}[${index}]`));
}

function readScalar(value: unknown, label: string): Scalar {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw badUserInput(`${label} must be a string, a number, a boolean or null.`);
}

function readBound(value: unknown, label: string): Bound | null {
  const bound = readScalar(value, label);
  if (typeof bound === 'boolean') throw badUserInput(`${label} must be a number or a string.`);
  return bound;
}

export type PropertyMatcher = (properties: JsonObject) => boolean;

/** Field types with their own order; all others are `plain`. */
type FieldKind = Extract<FieldType, 'number' | 'date'> | 'plain';

export function kindOf(definitions: readonly FieldDefinition[], name: string): FieldKind {
  const type = definitions.find((field) => field.name === name)?.type;
  return type === 'number' || type === 'date' ? type : 'plain';
}

export function propertyMatcher(test: PropertyTest, definitions: readonly SearchedField[]): PropertyMatcher {
  const { name } = test;
  const matches =
    test.kind === 'openAt' ? openMatcher(test, definitions) : valueMatcher(test, kindOf(definitions, name));
  return (properties) => matches(Object.hasOwn(properties, name) ? properties[name] : undefined);
}

/** Undefined for a missing key. */
type ValueMatcher = (value: JsonValue | undefined) => boolean;

/** By the definition of `exists`. */
export function isThere(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}

type OpenAtTest = Extract<PropertyTest, { readonly kind: 'openAt' }>;

/** Texts whose state a matcher remembers: places of a map often have the same hours. */
const MAX_KNOWN_HOURS = 10_000;

function openMatcher({ name, time }: OpenAtTest, definitions: readonly SearchedField[]): ValueMatcher {
  const field = openingHoursField(definitions, name);
  if (field?.timeZone === undefined) return () => false;
  const zone = new TimeZone(field.timeZone);
  const known = new Map<string, boolean>();
  return (text) => {
    if (typeof text !== 'string') return false;
    let isOpen = known.get(text);
    if (isOpen === undefined) {
      const hours = readOpeningHours(text);
      isOpen = hours !== null && new ZonedOpeningHours(hours, zone).isOpenAt(time);
      if (known.size < MAX_KNOWN_HOURS) known.set(text, isOpen);
    }
    return isOpen;
  };
}

function openingHoursField(definitions: readonly SearchedField[], name: string): SearchedField | undefined {
  return definitions.find((field) => field.name === name && field.type === 'openingHours');
}

/**
 * @param maps the fields of each searched map
 * @throws ServiceError BAD_USER_INPUT if no map can tell which locations are open
 */
export function assertOpenAt({ name, label }: OpenAtTest, maps: readonly (readonly SearchedField[])[]): void {
  const fields = maps.flatMap((definitions) => openingHoursField(definitions, name) ?? []);
  if (maps.length === 0 || fields.some(({ timeZone }) => timeZone !== undefined)) return;
  throw badUserInput(
    fields.length === 0
      ? `${label}.openAt needs a field of the type openingHours; ${label}.name names none.`
      : `${label}.openAt needs the time zone of the map, which has none.`,
  );
}

function valueMatcher(test: Exclude<PropertyTest, OpenAtTest>, kind: FieldKind): ValueMatcher {
  switch (test.kind) {
    case 'exists':
      return (value) => isThere(value) === test.exists;
    case 'prefix':
      return (value) => typeof value === 'string' && normalizeText(value).startsWith(test.prefix);
    case 'oneOf': {
      const values = new Set(test.values.map((value) => comparable(value, kind)));
      return (value) => value !== undefined && values.has(comparable(value, kind) as Scalar);
    }
    case 'range': {
      const range = readRange(test, kind);
      if (range instanceof ServiceError) return () => false;
      return (value) => value !== undefined && isInRange(value, range, kind);
    }
  }
}

/** Decimals in a number field become their nearest double. A Set does not distinguish 0 and -0. */
function comparable<T extends JsonValue>(value: T, kind: FieldKind): T | number {
  return kind === 'number' && typeof value === 'string' ? (decimalOf(value) ?? value) : value;
}

/** The bounds of a range in the field's own type. Inclusive; null means no bound. */
export type Range =
  | { readonly kind: 'numbers'; readonly from: number | null; readonly to: number | null }
  | { readonly kind: 'strings'; readonly from: string | null; readonly to: string | null }
  /** Milliseconds since the epoch. */
  | { readonly kind: 'instants'; readonly from: number | null; readonly to: number | null };

type RangeTest = Extract<PropertyTest, { readonly kind: 'range' }>;

/** Null for a bound of the wrong type: then nothing matches. */
export function rangeOf(test: RangeTest, definitions: readonly FieldDefinition[]): Range | null {
  const range = readRange(test, kindOf(definitions, test.name));
  return range instanceof ServiceError ? null : range;
}

/** @throws ServiceError BAD_USER_INPUT for a bound of the wrong type */
export function assertRange(test: RangeTest, definitions: readonly FieldDefinition[]): void {
  const range = readRange(test, kindOf(definitions, test.name));
  if (range instanceof ServiceError) throw range;
}

function readRange({ from, to, label }: RangeTest, kind: FieldKind): Range | ServiceError {
  if (kind === 'date') {
    const [first, last] = [from, to].map((bound) => (typeof bound === 'string' ? readSpan(bound) : null));
    if (from !== null && first === null) return notADate(`${label}.from`);
    if (to !== null && last === null) return notADate(`${label}.to`);
    return { kind: 'instants', from: first?.first ?? null, to: last?.last ?? null };
  }
  const [first, last] = [from, to].map((bound) => (bound === null ? null : comparable(bound, kind)));
  if (isNumberOrNull(first) && isNumberOrNull(last)) return { kind: 'numbers', from: first, to: last };
  if (kind === 'number') {
    const wrong = isNumberOrNull(first) ? 'to' : 'from';
    return badUserInput(`${label}.${wrong} must be a number, as ${label}.name names a number field.`);
  }
  if (isStringOrNull(from) && isStringOrNull(to)) return { kind: 'strings', from, to };
  return badUserInput(`${label}.to must be a ${typeof from}, as ${label}.from is.`);
}

function isStringOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function isNumberOrNull(value: unknown): value is number | null {
  return value === null || typeof value === 'number';
}

function isInRange(stored: JsonValue, range: Range, kind: FieldKind): boolean {
  const value = comparable(stored, kind);
  switch (range.kind) {
    case 'numbers':
      return typeof value === 'number' && isBetween(value, range, compareNumbers);
    case 'strings':
      return typeof value === 'string' && isBetween(value, range, compareCodePoints);
    case 'instants': {
      const span = typeof value === 'string' ? readSpan(value) : null;
      return span !== null && isBetween(span.first, range, compareNumbers);
    }
  }
}

/** Not by subtraction: both may be infinite, as the nearest double of many digits is. */
function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : Number(a > b);
}

function isBetween<T>(
  value: T,
  { from, to }: { readonly from: T | null; readonly to: T | null },
  compare: (a: T, b: T) => number,
): boolean {
  return (from === null || compare(value, from) >= 0) && (to === null || compare(value, to) <= 0);
}

function notADate(label: string): ServiceError {
  return badUserInput(`${label} must be a day, YYYY-MM-DD, or a time by RFC 3339.`);
}
