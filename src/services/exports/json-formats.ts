/** A whole map as GeoJSON and as NDJSON. The store writes each location's JSON itself. */

import type { TemplatePart } from '../../domain/location-template.ts';
import { createTemplate } from '../../domain/location-template.ts';
import type { PageRequest } from '../../domain/paging.ts';
import type { SortKey } from '../../domain/sort-key.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WalkedBatch } from './walk.ts';
import type { MapWriter } from './writer.ts';

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

export const GEOJSON_WRITER: MapWriter = jsonWriter({
  parts: FEATURE,
  head: '{"type":"FeatureCollection","features":[\n',
  separator: ',\n',
  tail: '\n]}\n',
});

/** Each line ends with a line feed. */
export const NDJSON_WRITER: MapWriter = jsonWriter({ parts: LINE, head: '', separator: '\n', tail: '\n' });

interface JsonFrame {
  readonly parts: readonly TemplatePart[];
  readonly head: string;
  readonly separator: string;
  readonly tail: string;
}

function jsonWriter({ parts, head, separator, tail }: JsonFrame): MapWriter {
  const template = createTemplate(parts, separator);
  const read = async (storage: Storage, mapId: string, page: PageRequest<SortKey>): Promise<WalkedBatch> => {
    const { json, count, last } = await storage.listLocationsJson(mapId, page, template);
    return { text: json.bytes, count, last };
  };
  return { head, separator, tail, read };
}
