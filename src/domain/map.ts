/** Maps, their field definitions, and the rules for both. */

import { badUserInput } from '../errors.ts';
import type { CategoryStyle } from './category-style.ts';
import type { GeocodingArea } from './geocoding-area.ts';
import type { PageLanguage } from './page-languages.ts';
import type { PageTheme } from './page-theme.ts';
import type { LogoInfo } from './logo.ts';
import type { MapMember } from './members.ts';
import { assertStorable, countCodePoints, isBlank } from './text.ts';

export const FIELD_TYPES = [
  'text',
  'date',
  'tag',
  'cta',
  'audio',
  'website',
  'phone',
  'address',
  'description',
  'image_link',
  'category',
  'placeName',
  'number',
  'openingHours',
] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

export interface FieldDefinition {
  readonly name: string;
  readonly type: FieldType;
  /** Whether its values are public. By default true. */
  readonly isPublic?: boolean;
}

/** A stored map. Its two keys are in the stored form of secrets.ts. */
export interface MapRecord {
  readonly id: string;
  /** The creator; once the creator is no longer an owner, the owner of longest standing. */
  readonly ownerId: string;
  /** In the order of joining. At least {@link ownerId}, as an owner. */
  readonly members: readonly MapMember[];
  readonly name: string;
  readonly isDeleted: boolean;
  readonly isPublished: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Last change of the map, not of its locations; initially the time of creation. */
  readonly updatedAt: number;
  readonly providerMapApiKey: string | null;
  readonly geocodingApiKey: string | null;
  /** Null for the whole world. */
  readonly geocoding: GeocodingArea | null;
  readonly fields: readonly FieldDefinition[];
  /** Of the map's pages; null for the reader's. */
  readonly language: PageLanguage | null;
  /** Of the map's opening hours, a name of the IANA database; null if unknown. */
  readonly timeZone: string | null;
  /** Null for the look of all pages. */
  readonly theme: PageTheme | null;
  readonly logo: LogoInfo | null;
  /** For values of the category field. */
  readonly categories: readonly CategoryStyle[];
  /** Other views than the owner's have other types (public-view.ts). */
  readonly view?: never;
}

export const DEFAULT_FIELDS: readonly FieldDefinition[] = [
  { name: 'Name', type: 'placeName' },
  { name: 'Address', type: 'address' },
];

const MAX_NAME_LENGTH = 256;
const MAX_KEY_LENGTH = 1024;

/** Omits default values, so that equal definitions are equal as JSON. */
export function plainFields(fields: readonly FieldInput[]): readonly FieldDefinition[] {
  return fields.map(({ name, type, isPublic }) => ({ name, type, ...(isPublic === false && { isPublic }) }));
}

/** A field definition of a caller. */
export interface FieldInput extends Pick<FieldDefinition, 'name' | 'type'> {
  /** By default true. */
  readonly isPublic?: boolean | null;
}

export function isFieldType(type: string): type is FieldType {
  return (FIELD_TYPES as readonly string[]).includes(type);
}

/** The field with a location's name: the first of type `placeName`, else the first called `name`, ignoring case. */
export function nameFieldOf(fields: readonly FieldInput[]): string | undefined {
  return fieldFor(fields, 'placeName', 'name');
}

/** The geocoded field: the first of type `address`, else the first called `address`, ignoring case. */
export function addressFieldOf(fields: readonly FieldInput[]): string | undefined {
  return fieldFor(fields, 'address', 'address');
}

/** The field with a location's category: the first of type `category`. */
export function categoryFieldOf(fields: readonly FieldInput[]): string | undefined {
  return fields.find(({ type }) => type === 'category')?.name;
}

function fieldFor(fields: readonly FieldInput[], type: FieldType, name: string): string | undefined {
  const byType = fields.find((field) => field.type === type);
  return (byType ?? fields.find((field) => field.name.toLowerCase() === name))?.name;
}

export function assertMapName(name: string): void {
  if (isBlank(name) || countCodePoints(name) > MAX_NAME_LENGTH) {
    throw badUserInput(`name must be 1 to ${MAX_NAME_LENGTH} characters and not blank.`);
  }
  assertStorable(name, 'name');
}

export function assertApiKey(key: string, label: string): void {
  if (isBlank(key) || countCodePoints(key) > MAX_KEY_LENGTH) {
    throw badUserInput(`${label} must be 1 to ${MAX_KEY_LENGTH} characters and not blank; null removes it.`);
  }
  assertStorable(key, label);
}

/**
 * @throws ServiceError BAD_USER_INPUT unless the names are unique and not blank, and include a name and an address field
 */
export function assertFieldDefinitions(fields: readonly FieldInput[], maxFields: number): void {
  if (fields.length > maxFields) {
    throw badUserInput(`fields has ${fields.length} definitions; at most ${maxFields} are allowed.`);
  }
  const names = new Map<string, number>();
  for (const [index, { name, type }] of fields.entries()) {
    assertFieldName(name, `fields[${index}].name`);
    if (!isFieldType(type)) {
      throw badUserInput(`fields[${index}].type is not a field type; allowed: ${FIELD_TYPES.join(', ')}.`);
    }
    const earlier = names.get(name);
    if (earlier !== undefined)
      throw badUserInput(`fields[${index}].name repeats that of fields[${earlier}]; names must be unique.`, {
        reason: 'fieldRepeated',
        name,
      });
    names.set(name, index);
  }
  if (nameFieldOf(fields) === undefined) {
    throw badUserInput('fields must include a name field: one of type placeName, or one called "Name".', {
      reason: 'fieldMissing',
      type: 'placeName',
    });
  }
  if (addressFieldOf(fields) === undefined) {
    throw badUserInput(
      'fields must include an address field: one of type address, or one called "Address".',
      {
        reason: 'fieldMissing',
        type: 'address',
      },
    );
  }
}

function assertFieldName(name: string, label: string): void {
  if (isBlank(name) || countCodePoints(name) > MAX_NAME_LENGTH) {
    throw badUserInput(`${label} must be 1 to ${MAX_NAME_LENGTH} characters and not blank.`);
  }
  assertStorable(name, label);
}
