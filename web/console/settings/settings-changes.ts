/** The settings of a map as the form edits them. Only changed ones are sent, so that others' changes stay. */

import type { CategoryStyle } from '../../../src/domain/category-style.ts';
import type { FieldDefinition } from '../common/field-inputs.ts';
import type { KeysQuery, MapDetailsFragment, UpdateMapInput } from '../generated/operations.ts';

type StoredKeys = NonNullable<KeysQuery['map']>;
/** Texts of the inputs; empty for no key. */
export type Keys = Record<keyof StoredKeys, string>;

/** A field, and the name that it has in the stored map; empty for a new one. */
export type EditedField = FieldDefinition & { was: string };

type Theme = Pick<MapDetailsFragment['theme'], 'accent' | 'font' | 'appearance' | 'poweredBy'>;

/** The look of the map's page, its language, and the time zone. */
export interface PageSettings extends Theme {
  language: string | null;
  timeZone: string | null;
  /** A new logo as a data URL, or null for none; undefined keeps the stored one. */
  logo: string | null | undefined;
}

export type EditedCategory = { -readonly [Name in keyof CategoryStyle]: CategoryStyle[Name] };

export interface Settings {
  name: string;
  fields: EditedField[];
  page: PageSettings;
  categories: EditedCategory[];
  /** Null until loaded. */
  keys: Keys | null;
}

export function settingsOf(map: MapDetailsFragment, keys: Keys | null): Settings {
  const { accent, font, appearance, poweredBy } = map.theme;
  const { language, timeZone } = map;
  return {
    name: map.name,
    fields: map.fields.map(({ name, type, isPublic }) => ({ name, was: name, type, isPublic })),
    page: { language, timeZone, accent, font, appearance, poweredBy, logo: undefined },
    categories: map.categories.map(({ value, label, color, icon }) => ({ value, label, color, icon })),
    keys,
  };
}

export function keysOf({ providerMapApiKey, geocodingApiKey }: StoredKeys): Keys {
  return { providerMapApiKey: providerMapApiKey ?? '', geocodingApiKey: geocodingApiKey ?? '' };
}

export function changedSettings(stored: Settings, edited: Settings): Omit<UpdateMapInput, 'id'> {
  const { page } = edited;
  const theme = changesOf(stored.page, page, ['accent', 'font', 'appearance', 'poweredBy', 'logo']);
  const fields = edited.fields.map(plain);
  return {
    ...changesOf(stored, edited, ['name', 'categories']),
    ...(!isSame(fields, stored.fields.map(plain)) && { fields }),
    ...changesOf(stored.page, page, ['language', 'timeZone']),
    ...(Object.keys(theme).length > 0 && { theme }),
    ...changedKeys(stored.keys, edited.keys),
  };
}

/** The edited settings after they were saved: as they are stored, except for what was edited meanwhile. */
export function afterSaving(edited: Settings, sent: Settings, stored: Settings): Settings {
  return { ...merged(edited, sent, stored), page: merged(edited.page, sent.page, stored.page) };
}

function merged<T extends object>(edited: T, sent: T, stored: T): T {
  const names = Object.keys(edited) as (keyof T)[];
  const stays = names.filter((name) => !isSame(edited[name], sent[name]));
  return { ...stored, ...Object.fromEntries(stays.map((name) => [name, edited[name]])) };
}

function changesOf<T extends object, Name extends keyof T>(
  stored: T,
  edited: T,
  names: readonly Name[],
): Partial<Pick<T, Name>> {
  const changed = names.filter((name) => !isSame(stored[name], edited[name]));
  return Object.fromEntries(changed.map((name) => [name, edited[name]])) as Partial<Pick<T, Name>>;
}

/** An empty text removes the key. */
function changedKeys(stored: Keys | null, edited: Keys | null) {
  if (stored === null || edited === null) return {};
  const changes = changesOf(stored, edited, ['providerMapApiKey', 'geocodingApiKey']);
  return Object.fromEntries(Object.entries(changes).map(([name, key]) => [name, key || null]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const plain = ({ name, type, isPublic }: FieldDefinition) => ({ name, type, isPublic });

export function moveEntry<T>(entries: readonly T[], index: number, by: 1 | -1): T[] {
  const others = entries.toSpliced(index, 1);
  return others.toSpliced(index + by, 0, ...entries.slice(index, index + 1));
}
