/** Writes a map as GeoJSON or NDJSON. A store can fill the templates itself. */

import { attributionText } from '../../domain/attribution.ts';
import type { TemplatePart } from '../../domain/location-template.ts';
import { createTemplate, fillTemplate } from '../../domain/location-template.ts';
import { publicSource } from '../../domain/public-view.ts';
import type { ExportWriter, WriterOptions } from '../writer.ts';

const COORDINATES: readonly TemplatePart[] = [{ value: 'longitude' }, { text: ',' }, { value: 'latitude' }];

const METADATA: readonly TemplatePart[] = [
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

/** Metadata are members of the Feature (RFC 7946), because the properties are the location's data. */
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
  ...METADATA,
];

/** A location as a Feature. */
export const FEATURE_TEMPLATE = createTemplate(FEATURE);

/** The members of /v0's Location in its order, then those that /v0 lacks. */
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
  ...METADATA,
];

const GEOJSON_WRITER: JsonWriter = {
  kind: 'json',
  head: '{"type":"FeatureCollection","features":[\n',
  lead: BETWEEN_FEATURES,
  template: createTemplate([{ text: BETWEEN_FEATURES }, ...FEATURE]),
  tail: '\n]}\n',
};

/** With the attributions as a foreign member (RFC 7946, section 6.1). */
export function geojsonWriter(options: WriterOptions): ExportWriter {
  const { attributions = [] } = options;
  const writer = inView(GEOJSON_WRITER, options);
  if (attributions.length === 0) return writer;
  const attribution = JSON.stringify(attributionText(attributions));
  return {
    ...writer,
    head: `{"type":"FeatureCollection","attribution":${attribution},"features":[\n`,
  };
}

export const NDJSON_WRITER: JsonWriter = {
  kind: 'json',
  head: '',
  lead: '',
  template: createTemplate([...LINE, { text: '\n' }]),
  tail: '',
};

/** Formats the public view here, because stores write only the full view. */
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
