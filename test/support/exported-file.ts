/** A map as a file of each format, made with only the writers. */

import type { LocationRecord } from '../../src/domain/location.ts';
import { toPlainDecimal } from '../../src/domain/coordinates.ts';
import { fillTemplate } from '../../src/domain/location-template.ts';
import type { FieldDefinition } from '../../src/domain/map.ts';
import type { MapFormat } from '../../src/transfer/formats.ts';
import { formatOf, writerOf } from '../../src/transfer/formats.ts';

export async function exportedFile(
  format: MapFormat,
  fields: readonly FieldDefinition[],
  count: number,
): Promise<Buffer> {
  const writer = writerOf({ format, fields: fields.map(({ name }) => name), isForSpreadsheet: false });
  const texts = Array.from({ length: count }, (_, index) => {
    const location = locationAt(index);
    const properties = JSON.stringify(location.properties);
    const [lat, lng] = [toPlainDecimal(location.latitude), toPlainDecimal(location.longitude)];
    const text =
      writer.kind === 'json'
        ? fillTemplate(writer.template, { ...location, properties })
        : writer.kind === 'records'
          ? writer.textOf(location, location.properties)
          : writer.lineOf({ ...location, lat, lng, properties });
    return index === 0 ? text.slice(writer.lead.length) : text;
  });
  const whole = Buffer.from(writer.head + texts.join('') + writer.tail);
  const { pack } = formatOf(format);
  if (pack === undefined) return whole;
  const pieces: Uint8Array[] = [];
  for await (const piece of pack(once(whole))) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function locationAt(index: number): LocationRecord {
  return {
    id: `map.${index}`,
    mapId: 'map',
    name: `Café ${index}`,
    placeId: `p${index}`,
    latitude: index / 3,
    longitude: -index / 7,
    properties: {
      Name: `Café ${index}`,
      Address: 'Rue "1", <Paris> & more',
      Note: index % 3 === 0 ? '' : 'a\nb',
      'not defined': [index, null],
    },
    order: String(index + 1),
    externalId: index % 2 === 0 ? null : `e-${index}`,
    version: 1,
    createdAt: 0,
    updatedAt: 0,
    geocoding: { provider: 'manual', precision: 'rooftop' },
    orderKey: Buffer.alloc(0),
    sequence: index,
  } as unknown as LocationRecord;
}
