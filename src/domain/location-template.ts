/**
 * What a client wants of each location of a page, as JSON text with gaps for the location's values. A store that can
 * fill the gaps itself need not turn a page into objects on its way from the disk to the client.
 */

import { toPlainDecimal } from './coordinates.ts';
import type { LocationRecord } from './location.ts';

/** Values of a location, each as one JSON value; `lat` and `lng` are the coordinates in strings. */
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
] as const;
export type LocationValue = (typeof LOCATION_VALUES)[number];

export interface LocationTemplate {
  /** Stands for the template: equal keys, equal templates. */
  readonly key: string;
  /** The JSON of one location: pieces of text, and values between them. */
  readonly parts: readonly TemplatePart[];
}

export type TemplatePart = { readonly text: string } | { readonly value: LocationValue };

/** @param parts adjacent texts are allowed; they are joined */
export function createTemplate(parts: readonly TemplatePart[]): LocationTemplate {
  const joined = joinTexts(parts);
  return { key: JSON.stringify(joined), parts: joined };
}

/** The same pieces, with adjacent texts joined into one. */
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

/** What a template needs of a location that was read. */
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
};

function timeJson(milliseconds: number): string {
  return `"${new Date(milliseconds).toISOString()}"`;
}
