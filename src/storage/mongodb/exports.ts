/** Parts of whole maps as text. */

import { toPlainDecimal } from '../../domain/coordinates.ts';
import type { LocationValue } from '../../domain/location-template.ts';
import { fillTemplate } from '../../domain/location-template.ts';
import type { LineSource } from '../../formats/export-format.ts';
import { writerOf } from '../../formats/writer-of.ts';
import type { Storage } from '../storage.ts';
import type { Database } from './database.ts';
import { findRaw, valuesOf } from './locations-json.ts';
import { fromRank } from './rank.ts';
import type { RawLocation } from './raw-location.ts';

export function exportCalls(database: Database): Pick<Storage, 'exportLocations'> {
  return {
    exportLocations: (mapId, page, format, scope) =>
      database.run(async (collections) => {
        const writer = writerOf(format);
        const range = { ...page, fromEnd: false, before: null };
        const values = writer.kind === 'json' ? valuesOf(writer.template) : VALUES_OF_LINES;
        const found = await findRaw(collections, mapId, range, values, database.pageReads);
        const textOf = (location: RawLocation) =>
          writer.kind === 'json'
            ? fillTemplate(writer.template, location)
            : writer.lineOf(toLineSource(location));
        const last = found.at(-1);
        return {
          bytes: Buffer.from(found.map(textOf).join('')),
          count: found.length,
          last: last === undefined ? null : fromRank(last.rank),
        };
      }, scope),
  };
}

const VALUES_OF_LINES: readonly LocationValue[] = [
  'id',
  'externalId',
  'order',
  'lat',
  'lng',
  'placeId',
  'properties',
];

function toLineSource({
  id,
  externalId,
  order,
  latitude,
  longitude,
  placeId,
  properties,
}: RawLocation): LineSource {
  const [lat, lng] = [toPlainDecimal(latitude), toPlainDecimal(longitude)];
  return { id, externalId, order, lat, lng, placeId, properties };
}
