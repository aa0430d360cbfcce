/** Writes KML and GPX for tests, without a store. */

import type { JsonObject } from '../../../src/domain/json/json.ts';
import type { MapFormat } from '../../../src/transfer/formats.ts';
import { writerOf } from '../../../src/transfer/formats.ts';
import type { LineSource, WriterOptions } from '../../../src/transfer/writer.ts';

export interface Written extends Partial<Omit<LineSource, 'properties'>> {
  readonly properties?: JsonObject;
}

export function write(
  format: MapFormat,
  locations: readonly Written[],
  options: Partial<WriterOptions> = {},
): string {
  const writer = writerOf({ format, fields: ['Name', 'Address'], isForSpreadsheet: false, ...options });
  if (writer.kind !== 'lines') throw new Error(`${format} is not written line by line.`);
  const { head, tail, lineOf } = writer;
  const lines = locations.map(({ properties = {}, ...given }, index) =>
    lineOf({
      id: `id${index}`,
      externalId: null,
      order: String(index + 1),
      lat: '1.5',
      lng: '-2.25',
      placeId: 'point:1.5,-2.25',
      name: 'N',
      properties: JSON.stringify(properties),
      ...given,
    }),
  );
  return head + lines.join('') + tail;
}
