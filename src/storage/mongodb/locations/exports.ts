/** Exports: the locations of a page as text in a file format. */

import { toPlainDecimal } from '../../../domain/coordinates.ts';
import type { JsonObject } from '../../../domain/json/json.ts';
import type { LocationValue } from '../../../domain/location-template.ts';
import { LOCATION_VALUES, fillTemplate } from '../../../domain/location-template.ts';
import { writerOf } from '../../../transfer/formats.ts';
import type { ExportWriter, LineSource } from '../../../transfer/writer.ts';
import type { ExportStorage } from '../../storage.ts';
import type { Database } from '../database.ts';
import { findRaw, valuesOf } from './json-pages.ts';
import { fromStoredSortKey } from './location-records.ts';
import type { RawLocation } from './raw-location.ts';

export function exportStore(database: Database): ExportStorage {
  return {
    exportLocations: (mapId, page, format, scope) =>
      database.run(async (collections) => {
        const writer = writerOf(format);
        const range = { ...page, fromEnd: false, before: null };
        const found = await findRaw(collections, mapId, range, valuesFor(writer), database.pageReads);
        const textOf = (location: RawLocation) => {
          switch (writer.kind) {
            case 'json':
              return fillTemplate(writer.template, location);
            case 'records':
              return writer.textOf(location, JSON.parse(location.properties) as JsonObject);
            case 'lines':
              return writer.lineOf(toLineSource(location, writer.hasNames === true));
          }
        };
        const last = found.at(-1);
        return {
          bytes: Buffer.from(found.map(textOf).join('')),
          count: found.length,
          last: last === undefined ? null : fromStoredSortKey(last.sortKey),
        };
      }, scope),
  };
}

function valuesFor(writer: ExportWriter): readonly LocationValue[] {
  switch (writer.kind) {
    case 'json':
      return valuesOf(writer.template);
    case 'records':
      return LOCATION_VALUES;
    case 'lines':
      return writer.hasNames === true ? [...VALUES_OF_LINES, 'name'] : VALUES_OF_LINES;
  }
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

/** Reads only projected fields: access to another one throws. */
function toLineSource(location: RawLocation, hasName: boolean): LineSource {
  const { id, externalId, order, latitude, longitude, placeId, properties } = location;
  const [lat, lng] = [toPlainDecimal(latitude), toPlainDecimal(longitude)];
  const name = hasName ? location.name : '';
  return { id, externalId, order, lat, lng, placeId, properties, name };
}
