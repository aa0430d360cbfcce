/**
 * The JSON that a client wants of each location, as text with gaps for values. Stores that fill the gaps themselves need
 * not turn a page into objects on its way from disk to client.
 */

import { toPlainDecimal } from './coordinates.ts';
import type { LocationRecord } from './location.ts';

/** Values of a location, each one JSON value; `lat` and `lng` are strings. */
export const LOCATION_VALUES = [
  'id',
  'name',
  'placeId',
  'lat',
  'lng',
  'latitude',
  'longitude',
  'properties',
  'order',
  'externalId',
  'version',
  'createdAt',
  'updatedAt',
  'provider',
  'precision',
  'label',
  'isAmbiguous',
  'isChecked',
] as const;
export type LocationValue = (typeof LOCATION_VALUES)[number];

export interface LocationTemplate {
  /** Equal for equal templates. */
  readonly key: string;
  /** The JSON of one location: texts with values between them. */
  readonly parts: readonly TemplatePart[];
}

export type TemplatePart = { readonly text: string } | { readonly value: LocationValue };

/** @param parts adjacent texts are joined */
export function createTemplate(parts: readonly TemplatePart[]): LocationTemplate {
  const joined = joinTexts(parts);
  return { key: JSON.stringify(joined), parts: joined };
}

/** Joins adjacent texts. */
export function joinTexts<T extends object>(
  pieces: readonly (T | { readonly text: string })[],
): readonly (T | { readonly text: string })[] {
  const joined: (T | { readonly text: string })[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (isText(piece) && last !== undefined && isText(last)) {
      joined.splice(-1, 1, { text: last.text + piece.text });
    } else joined.push(piece);
  }
  return joined;
}

function isText(piece: object): piece is { readonly text: string } {
  return 'text' in piece;
}

/** The members of a location that templates use. */
export type TemplateSource = Omit<
  LocationRecord,
  'properties' | 'mapId' | 'sequence' | 'orderKey' | 'view'
> & {
  /** As JSON. */
  readonly properties: string;
};

/** @returns JSON */
export function fillTemplate({ parts }: LocationTemplate, location: TemplateSource): string {
  let json = '';
  for (const part of parts) json += 'text' in part ? part.text : VALUES[part.value](location);
  return json;
}

const VALUES: Readonly<Record<LocationValue, (location: TemplateSource) => string>> = {
  id: ({ id }) => JSON.stringify(id),
  name: ({ name }) => JSON.stringify(name),
  placeId: ({ placeId }) => JSON.stringify(placeId),
  lat: ({ latitude }) => `"${toPlainDecimal(latitude)}"`,
  lng: ({ longitude }) => `"${toPlainDecimal(longitude)}"`,
  latitude: ({ latitude }) => toPlainDecimal(latitude),
  longitude: ({ longitude }) => toPlainDecimal(longitude),
  properties: ({ properties }) => properties,
  order: ({ order }) => JSON.stringify(order),
  externalId: ({ externalId }) => JSON.stringify(externalId),
  version: ({ version }) => String(version),
  createdAt: ({ createdAt }) => timeJson(createdAt),
  updatedAt: ({ updatedAt }) => timeJson(updatedAt),
  provider: ({ geocoding }) => JSON.stringify(geocoding.provider),
  precision: ({ geocoding }) => JSON.stringify(geocoding.precision),
  label: ({ geocoding }) => JSON.stringify(geocoding.label),
  isAmbiguous: ({ geocoding }) => String(geocoding.isAmbiguous),
  isChecked: ({ geocoding }) => String(geocoding.isChecked),
};

function timeJson(milliseconds: number): string {
  return `"${new Date(milliseconds).toISOString()}"`;
}
