/** A whole map as GeoJSON and as NDJSON. A store can write each location's JSON itself. */

import type { TemplatePart } from '../../domain/location-template.ts';
import { createTemplate, fillTemplate } from '../../domain/location-template.ts';
import { publicSource } from '../../domain/public-view.ts';
import type { ExportWriter, WriterOptions } from '../writer.ts';

const COORDINATES: readonly TemplatePart[] = [{ value: 'longitude' }, { text: ',' }, { value: 'latitude' }];

const CHANGES: readonly TemplatePart[] = [
  { text: ',"createdAt":' },
  { value: 'createdAt' },
  { text: ',"updatedAt":' },
  { value: 'updatedAt' },
  { text: ',"geocoding":{"provider":' },
  { value: 'provider' },
  { text: ',"precision":' },
  { value: 'precision' },
  { text: '}}' },
];

export type JsonWriter = Extract<ExportWriter, { readonly kind: 'json' }>;

const BETWEEN_FEATURES = ',\n';

/** RFC 7946: what is not a location's own data are members of the Feature, not properties. */
const FEATURE: readonly TemplatePart[] = [
  { text: '{"type":"Feature","id":' },
  { value: 'id' },
  { text: ',"geometry":{"type":"Point","coordinates":[' },
  ...COORDINATES,
  { text: ']},"properties":' },
  { value: 'properties' },
  { text: ',"name":' },
  { value: 'name' },
  { text: ',"placeId":' },
  { value: 'placeId' },
  { text: ',"order":' },
  { value: 'order' },
  { text: ',"externalId":' },
  { value: 'externalId' },
  ...CHANGES,
];

/** The members of /v0's Location in their order, and then what /v0 does not tell. */
const LINE: readonly TemplatePart[] = [
  { text: '{"name":' },
  { value: 'name' },
  { text: ',"id":' },
  { value: 'id' },
  { text: ',"placeId":' },
  { value: 'placeId' },
  { text: ',"latLngLiteral":{"lat":' },
  { value: 'lat' },
  { text: ',"lng":' },
  { value: 'lng' },
  { text: '},"properties":' },
  { value: 'properties' },
  { text: ',"order":' },
  { value: 'order' },
  { text: ',"externalId":' },
  { value: 'externalId' },
  ...CHANGES,
];

export const GEOJSON_WRITER: JsonWriter = {
  kind: 'json',
  head: '{"type":"FeatureCollection","features":[\n',
  lead: BETWEEN_FEATURES,
  template: createTemplate([{ text: BETWEEN_FEATURES }, ...FEATURE]),
  tail: '\n]}\n',
};

/** Each line ends with a line feed. */
export const NDJSON_WRITER: JsonWriter = {
  kind: 'json',
  head: '',
  lead: '',
  template: createTemplate([...LINE, { text: '\n' }]),
  tail: '',
};

/** In the public view each location's text is made here, since no store writes that view itself. */
export function inView(writer: JsonWriter, { fields, isPublic = false }: WriterOptions): ExportWriter {
  if (!isPublic) return writer;
  const { template, head, lead, tail } = writer;
  const names = new Set(fields);
  return {
    kind: 'records',
    head,
    lead,
    tail,
    textOf: (location, properties) => fillTemplate(template, publicSource(location, properties, names)),
  };
}
