/** Exports of a whole map as text: the same list in each format, whatever the size of its parts. */

import type { JsonObject } from '../../../src/domain/json/json.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MapFormat } from '../../../src/transfer/formats.ts';
import { MAP_FORMATS } from '../../../src/transfer/formats.ts';
import type { SortKey } from '../../../src/domain/list/sort-key.ts';
import type { ExportFormat } from '../../../src/transfer/formats.ts';
import type { ExportedLocations, Storage } from '../../../src/storage/storage.ts';
import { anInsert, anUpdate, insertOrders, NOW, seedMap, updatedOf, updateOne } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

const ORDERS = ['-1', '1', '2', '2', '2.0', '3', 'a', 'a', 'b', 'c', "it's", 'ü,"'];
const FIELDS = ['Name', 'Stars', 'a,b', '__proto__', 'absent'];

/** Values that a cell or a JSON text writes in a special way. */
const PROPERTIES: readonly JsonObject[] = [
  { Name: 'N', Stars: '5' },
  { Stars: 4.5, Name: `"it's", he said`, 'a,b': '=1+1' },
  { Name: 'two\r\nlines', Stars: '', more: ['ü', { deep: null }] },
  JSON.parse('{"Name":"\ufeffmark","__proto__":"own","absent":null,"\\u0001":true}') as JsonObject,
  { Name: '\ufeff', 'a,b': false, '7': 'first' },
  { Name: ']]> & <b>', Stars: '\u0001 \ufffe', note: '\uffff', sym: 'Flag' },
];

/** A location in the public view, with these public fields. */
function inPublic({ properties, ...location }: LocationRecord): LocationRecord {
  const shown = Object.keys(properties).filter((key) => FIELDS.includes(key));
  const members = shown.map((key) => `${JSON.stringify(key)}:${JSON.stringify(properties[key])}`);
  return { ...location, externalId: null, properties: JSON.parse(`{${members.join(',')}}`) as JsonObject };
}

type ExportKind = MapFormat | `public ${MapFormat}`;
const VIEWS = MAP_FORMATS.flatMap((format): ExportKind[] => [format, `public ${format}`]);

function formatOf(kind: ExportKind): ExportFormat {
  const isPublic = kind.startsWith('public ');
  return { format: plainFormat(kind), fields: FIELDS, isForSpreadsheet: false, isPublic };
}

function plainFormat(kind: ExportKind): MapFormat {
  return kind.replace(/^public /, '') as MapFormat;
}

/** Locations that differ in every written value, some of them updated. */
async function seedList(storage: Storage): Promise<{ mapId: string; list: readonly LocationRecord[] }> {
  const { id: mapId } = await seedMap(storage);
  const inserts = ORDERS.map((order, index) =>
    anInsert(mapId, {
      order,
      location: {
        name: `N "${index}"`,
        placeId: index % 2 === 0 ? `p,${index}` : '@p',
        latitude: index / 7,
        longitude: -1e-7 * index,
        properties: PROPERTIES[index % PROPERTIES.length],
        externalId: index % 3 === 0 ? null : `e "${index}"`,
        // Equal times, times within one second, and distant ones.
        createdAt: [NOW, NOW, NOW + 1, 7, NOW + 86_400_000][index % 5],
        geocoding: {
          provider: `p"${index}`,
          precision: 'rooftop',
          label: index % 2 === 0 ? null : 'A\n"B"',
          isAmbiguous: index % 2 === 0,
          isChecked: index % 3 === 0,
        },
      },
    }),
  );
  await storage.insertLocations(mapId, inserts, NOW);
  for (const at of [0, 5, 9]) {
    const [location] = (await wholeList(storage, mapId)).slice(at);
    // Also to the creation time of others.
    const update = { ...anUpdate(location!), updatedAt: at === 5 ? NOW : NOW + at };
    updatedOf(await updateOne(storage, mapId, update));
  }
  return { mapId, list: await wholeList(storage, mapId) };
}

function wholeList(storage: Storage, mapId: string): Promise<readonly LocationRecord[]> {
  return storage.listLocations(mapId, { limit: 1000, fromEnd: false, after: null, before: null });
}

/** The texts of a location as in §11, written in the plainest way. */
const TEXTS: Readonly<Record<MapFormat, (location: LocationRecord) => string>> = {
  geojson: ({ id, latitude, longitude, properties, name, placeId, order, ...rest }) => {
    const geometry = { type: 'Point', coordinates: ['lng', 'lat'] };
    const feature = { type: 'Feature', id, geometry, properties, name, placeId, order, ...changesOf(rest) };
    return `,\n${withPoint(feature, latitude, longitude)}`;
  },
  ndjson: ({ id, latitude, longitude, properties, name, placeId, order, ...rest }) => {
    const latLngLiteral = { lat: plain(latitude), lng: plain(longitude) };
    return `${JSON.stringify({ name, id, placeId, latLngLiteral, properties, order, ...changesOf(rest) })}\n`;
  },
  csv: (location) => {
    const quoted = cellsOf(location).map((cell) =>
      /[",\r\n]/.test(cell) || cell.startsWith('\ufeff') ? `"${cell.replaceAll('"', '""')}"` : cell,
    );
    return `${quoted.join(',')}\r\n`;
  },
  xlsx: (location) => {
    const texts: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
    const cells = cellsOf(location).map((cell, index) => {
      if (cell === '') return '';
      const field = location.properties[FIELDS[index - 6] ?? ''];
      const reference = `<c r="${'ABCDEFGHIJKLMNOP'.charAt(index)}"`;
      if (typeof field === 'boolean') return `${reference} t="b"><v>${field ? 1 : 0}</v></c>`;
      const isNumber = typeof field === 'number' || index === 3 || index === 4;
      // A number would lose the text of an order like 2.0.
      if (isNumber || (index === 2 && String(Number(cell)) === cell)) {
        return `${reference}><v>${Number(cell)}</v></c>`;
      }
      const escaped = cell
        .replace(/[&<>"]/g, (character) => texts[character] ?? '')
        // eslint-disable-next-line no-control-regex
        .replace(/[\0-\x08\x0b-\x1f\ufffe\uffff]/g, (character) => {
          const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
          return `_x${code}_`;
        });
      return `${reference} t="inlineStr"><is><t>${escaped}</t></is></c>`;
    });
    return `<row r="">${cells.join('')}</row>`;
  },
  kml: ({ id, name, externalId, order, latitude, longitude, placeId, properties }) => {
    const isNonEmpty = (key: string) =>
      typeof properties[key] === 'string' && properties[key] !== '' && !FORBIDDEN.test(properties[key]);
    const more = Object.keys(properties)
      .filter((key) => !FIELDS.includes(key) || !isNonEmpty(key))
      .map((key) => `${JSON.stringify(key)}:${JSON.stringify(properties[key])}`);
    const own = { id, externalId: externalId ?? '', order, lat: plain(latitude), lng: plain(longitude) };
    const fields = FIELDS.map((key): [string, string] => {
      const value = Object.hasOwn(properties, key) ? properties[key] : undefined;
      const isCell = typeof value !== 'string' || isNonEmpty(key);
      return [key, typeof value === 'object' || value === undefined || !isCell ? '' : String(value)];
    });
    const cells = [
      ...Object.entries({ ...own, placeId }),
      ...fields,
      ['more', more.length === 0 ? '' : withEscapes(`{${more.join(',')}}`)],
    ];
    const data = cells.map(
      ([key = '', value = '']) => `<Data name="${inXml(key)}"><value>${inXml(value)}</value></Data>`,
    );
    const point = `<Point><coordinates>${plain(longitude)},${plain(latitude)}</coordinates></Point>`;
    const content = `<name>${inXml(name)}</name><ExtendedData>${data.join('')}</ExtendedData>${point}`;
    return `<Placemark>${content}</Placemark>\n`;
  },
  gpx: ({ name, latitude, longitude, properties }) => {
    const lines = FIELDS.flatMap((key) => {
      const value = Object.hasOwn(properties, key) ? properties[key] : undefined;
      const text = value === undefined || typeof value === 'object' ? '' : String(value);
      return text === '' || text === name ? [] : [inXml(`${key}: ${allowed(text)}`)];
    });
    const desc = lines.length === 0 ? '' : `<desc>${lines.join('\n')}</desc>`;
    const sym = typeof properties.sym === 'string' ? `<sym>${properties.sym}</sym>` : '';
    const point = `lat="${plain(latitude)}" lon="${plain(longitude)}"`;
    return `<wpt ${point}><name>${inXml(name)}</name>${desc}${sym}</wpt>\n`;
  },
};

function allowed(text: string): string {
  return [...text].filter((character) => !FORBIDDEN.test(character)).join('');
}

/** The cells of a table row. */
function cellsOf({
  id,
  externalId,
  order,
  latitude,
  longitude,
  placeId,
  properties,
}: LocationRecord): string[] {
  const isNonEmpty = (name: string) => typeof properties[name] === 'string' && properties[name] !== '';
  const more = Object.keys(properties)
    .filter((name) => !FIELDS.includes(name) || !isNonEmpty(name))
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(properties[name])}`);
  const cells = FIELDS.map((name) => {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return value === undefined || typeof value === 'object' ? '' : String(value);
  });
  const own = [id, externalId ?? '', order, plain(latitude), plain(longitude), placeId];
  return [...own, ...cells, more.length === 0 ? '' : `{${more.join(',')}}`];
}

/** Characters that XML forbids. */
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

function inXml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll('\r', '&#13;');
}

function withEscapes(json: string): string {
  return json.replaceAll('\ufffe', '\\ufffe').replaceAll('\uffff', '\\uffff');
}

function changesOf({
  externalId,
  createdAt,
  updatedAt,
  geocoding: { provider, precision },
}: Pick<LocationRecord, 'externalId' | 'createdAt' | 'updatedAt' | 'geocoding'>) {
  const [created, updated] = [createdAt, updatedAt].map((time) => new Date(time).toISOString());
  return { externalId, createdAt: created, updatedAt: updated, geocoding: { provider, precision } };
}

/** JSON.stringify would write a small coordinate with an exponent. */
function withPoint(feature: object, latitude: number, longitude: number): string {
  const [lat, lng] = [plain(latitude), plain(longitude)];
  return JSON.stringify(feature).replace('["lng","lat"]', `[${lng},${lat}]`);
}

/** The shortest digits of the same number, without an exponent. */
function plain(value: number): string {
  const match = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(String(value));
  if (match === null) return String(value + 0);
  const [, sign = '', first = '', rest = '', exponent = ''] = match;
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`;
}

async function exported(
  storage: Storage,
  mapId: string,
  format: ExportKind,
  { limit, after = null }: { readonly limit: number; readonly after?: SortKey | null },
) {
  const found = await storage.exportLocations(mapId, { limit, after }, formatOf(format));
  const { bytes, count, last }: ExportedLocations = found;
  return { text: Buffer.from(bytes).toString(), count, last };
}

const keyOf = ({ orderKey, sequence }: SortKey): SortKey => ({ orderKey, sequence });

export const exports: StorageTopic = {
  name: 'whole maps',
  cases: [
    ...VIEWS.map((format) => ({
      name: `a part is the text of its locations, from any start: ${format}`,
      async run({ storage }: { readonly storage: Storage }) {
        const { mapId, list } = await seedList(storage);
        const isPublic = format.startsWith('public ');
        const texts = list.map((location) =>
          TEXTS[plainFormat(format)](isPublic ? inPublic(location) : location),
        );
        for (const limit of [1, 3, 100]) {
          for (let from = 0; from <= list.length; from += 1) {
            const after = from === 0 ? null : keyOf(list[from - 1]!);
            const part = list.slice(from, from + limit);
            expect(await exported(storage, mapId, format, { limit, after })).toEqual({
              text: texts.slice(from, from + limit).join(''),
              count: part.length,
              last: part.length === 0 ? null : keyOf(part.at(-1)!),
            });
          }
        }
      },
    })),
    {
      name: 'a part has only its map’s locations, and an unknown map has none',
      async run({ storage }) {
        const map = await seedMap(storage);
        const other = await seedMap(storage, { ownerId: map.ownerId });
        await insertOrders(storage, other.id, ['1']);
        const [first] = await insertOrders(storage, map.id, ['1', '2']);
        for (const format of VIEWS) {
          const none = { text: '', count: 0, last: null };
          const after = keyOf(first!);
          expect((await exported(storage, map.id, format, { limit: 10 })).count).toBe(2);
          expect((await exported(storage, map.id, format, { limit: 10, after })).count).toBe(1);
          expect(await exported(storage, 'abcdefghjkmnpqrs', format, { limit: 10 })).toEqual(none);
          expect(await exported(storage, 'abcdefghjkmnpqrs', format, { limit: 10, after })).toEqual(none);
        }
      },
    },
    {
      name: 'a part includes all earlier writes',
      async run({ storage }) {
        const map = await seedMap(storage);
        const [first] = await insertOrders(storage, map.id, ['1', '2']);
        for (let count = 1; count < 20; count += 1) {
          const found = await exported(storage, map.id, 'ndjson', { limit: 100, after: keyOf(first!) });
          expect(found.count).toBe(count);
          await insertOrders(storage, map.id, ['3']);
        }
      },
    },
  ],
};
