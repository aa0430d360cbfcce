/** Makes a filter of the reader's choices. */

import { searchOf } from '../shared/text.ts';
import type { BboxInput, LocationFilter, NearInput } from './generated/operations.ts';

export interface FilterChoices {
  readonly search: string;
  /** Name of the category field, or null if the map has none. */
  readonly categoryField: string | null;
  /** A known category or its label, which match exactly, or the beginning of one. */
  readonly category: string;
  readonly known: KnownCategories;
  readonly bbox: BboxInput | null;
  /** The field of opening hours, and a time in milliseconds since the epoch; null for any hours. */
  readonly openAt: { readonly field: string; readonly time: number } | null;
}

/** The label of each known category, which may be the category itself. */
export type KnownCategories = ReadonlyMap<string, string>;

/** Null matches all locations. */
export function filterOf(choices: FilterChoices): LocationFilter | null {
  const { search, categoryField, category, known, bbox, openAt } = choices;
  const parts: LocationFilter[] = [];
  const text = searchOf(search);
  if (text !== null) parts.push({ search: text });
  if (categoryField !== null && category.trim() !== '') {
    parts.push(categoryFilter(categoryField, category, known));
  }
  if (openAt !== null) {
    parts.push({ property: { name: openAt.field, openAt: new Date(openAt.time).toISOString() } });
  }
  if (bbox !== null) parts.push({ bbox });
  if (parts.length > 1) return { and: parts };
  return parts[0] ?? null;
}

/** Half the circumference of the Earth in metres: no location is farther. */
const EVERYWHERE = 20_037_508;

/** Adds a circle with all locations, whose center they can be ordered by. */
export function withCenter(filter: LocationFilter | null, center: Omit<NearInput, 'radius'>): LocationFilter {
  const near: LocationFilter = { near: { ...center, radius: EVERYWHERE } };
  return filter === null ? near : { and: [filter, near] };
}

/** The category that a text is or labels, or else the text. */
export function categoryValueOf(text: string, known: KnownCategories): string {
  const trimmed = text.trim();
  if (known.has(trimmed)) return trimmed;
  return [...known].find(([, label]) => label === trimmed)?.[0] ?? trimmed;
}

function categoryFilter(name: string, text: string, known: KnownCategories): LocationFilter {
  const value = categoryValueOf(text, known);
  if (known.has(value)) return { property: { name, eq: value } };
  const labelled = [...known].flatMap(([category, label]) =>
    foldedOf(label).startsWith(foldedOf(value)) ? [category] : [],
  );
  const byValue: LocationFilter = { property: { name, prefix: value } };
  if (labelled.length === 0) return byValue;
  return { or: [byValue, { property: { name, in: labelled.slice(0, MAX_VALUES) } }] };
}

/** Of the API's `in`. */
const MAX_VALUES = 100;

/** Without case and accents, as the API compares prefixes. */
function foldedOf(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
