/** The locations of a tile as columns (capabilities §20), compared with the oracle's. */

import fc from 'fast-check';

import type { JsonObject } from '../../../src/domain/json/json.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import type { LocationColumns } from '../../../src/domain/tiles/location-columns.ts';
import type { Tile } from '../../../src/domain/tiles/tile.ts';
import { rangeOfTile } from '../../../src/domain/tiles/tile.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { referenceTile } from '../../domain/filter/reference-clusters.ts';
import { latitude, longitude } from '../../support/search-arbitraries.ts';
import type { StorageTopic } from './harness.ts';
import { anInsert, insertAll, seedMap } from './fixtures.ts';
import { change, expectResult, plan, World } from './search-world.ts';

const WORLD: Tile = { zoom: 0, x: 0, y: 0 };
const FIELDS = ['Name', 'Stars', '__proto__', 'Tags', 'missing'];
const LARGE = 1_000_000;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** By field. */
  readonly values: readonly (readonly [string, unknown])[];
}

interface Question {
  readonly tile: Tile;
  readonly limit: number;
  readonly fields?: readonly string[];
  readonly maxFieldBytes?: number;
}

async function readColumns(
  storage: Storage,
  mapId: string,
  { tile, limit, fields = FIELDS, maxFieldBytes = LARGE }: Question,
): Promise<LocationColumns | null> {
  const json = await storage.readColumns({ mapId, range: rangeOfTile(tile), limit, fields, maxFieldBytes });
  return json === null ? null : (JSON.parse(new TextDecoder().decode(json)) as LocationColumns);
}

function rowsOf({ ids, names, latitudes, longitudes, fields }: LocationColumns): readonly Row[] {
  const rows = ids.map((id, index) => ({
    ...{ id, name: names[index]!, latitude: latitudes[index]!, longitude: longitudes[index]! },
    values: FIELDS.flatMap((field, of) => {
      const column = fields[of]!;
      const at = column.at[index]!;
      return at === -1 ? [] : [[field, column.values[at]] as const];
    }),
  }));
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function expectedRow({ id, name, latitude: north, longitude: east, properties }: LocationRecord): Row {
  const values = FIELDS.flatMap((field) => {
    const own = new Map(Object.entries(properties)).get(field) ?? null;
    if (own === null) return [];
    const isPlain = typeof own !== 'object' && (typeof own !== 'number' || Math.abs(own) <= 2 ** 52);
    return [[field, isPlain ? own : JSON.stringify(own)] as const];
  });
  return { id, name, latitude: north, longitude: east, values };
}

async function check(world: World, map: MapRecord, tile: Tile): Promise<void> {
  const expected = world.locations
    .filter((location) => location.mapId === map.id)
    .filter((location) => {
      const { x, y } = referenceTile(location, tile.zoom);
      return x === tile.x && y === tile.y;
    })
    .map(expectedRow)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const found = await readColumns(world.storage, map.id, { tile, limit: expected.length });
  // As JSON, in which -0 is 0.
  const plain = (rows: readonly Row[] | null) => JSON.parse(JSON.stringify(rows)) as unknown;
  expectResult({ tile }, plain(found && rowsOf(found)), plain(expected));
  if (expected.length === 0) return;
  const less = await readColumns(world.storage, map.id, { tile, limit: expected.length - 1 });
  expectResult({ tile, limit: expected.length - 1 }, less, null);
}

const question = fc.record({ latitude, longitude, zoom: fc.nat({ max: 22 }) });

/** Stores locations with these properties at one point. */
async function seed(storage: Storage, all: readonly JsonObject[]): Promise<string> {
  const { id } = await seedMap(storage);
  const inserts = all.map((properties) =>
    anInsert(id, { location: { latitude: 10, longitude: 20, properties } }),
  );
  for (let start = 0; start < inserts.length; start += 500) {
    await insertAll(storage, id, inserts.slice(start, start + 500));
  }
  return id;
}

export const columns: StorageTopic = {
  name: 'columns of locations',
  cases: [
    {
      name: 'any tile has the oracle’s locations, also right after a change',
      run: ({ storage }) =>
        fc.assert(
          fc.asyncProperty(
            plan,
            fc.array(question, { minLength: 5, maxLength: 10 }),
            fc.array(change, { maxLength: 8 }),
            async (planned, questions, changes) => {
              const world = await World.of(storage, planned);
              const checkAll = async () => {
                const points = [
                  ...questions,
                  ...world.locations.map((each, index) => ({ ...each, zoom: index % 23 })),
                ];
                for (const map of world.maps) {
                  for (const point of points) await check(world, map, referenceTile(point, point.zoom));
                }
              };
              await checkAll();
              for (const each of changes) await world.change(each);
              await checkAll();
            },
          ),
          { numRuns: 8 },
        ),
    },
    {
      name: 'a tile with many locations has each once',
      async run({ storage }) {
        const map = await seed(
          storage,
          Array.from({ length: 1_205 }, (_, index) => ({ Name: `n ${index}`, Stars: index % 5 })),
        );
        const found = await readColumns(storage, map, { tile: WORLD, limit: 1_205 });
        expectResult('names', new Set(found?.fields[0]?.values).size, 1_205);
        expectResult('values', [...(found?.fields[1]?.values ?? [])].sort(), [0, 1, 2, 3, 4]);
        expectResult('ids', new Set(found?.ids).size, 1_205);
        expectResult('too many', await readColumns(storage, map, { tile: WORLD, limit: 1_204 }), null);
      },
    },
    {
      name: 'a field with too many bytes is left out, and equal values count once',
      async run({ storage }) {
        const map = await seed(storage, [
          { Name: 'x'.repeat(700), Tags: 'short' },
          { Name: 'y'.repeat(700), Tags: 'short' },
          { Stars: 'z'.repeat(900) },
          { Stars: 'z'.repeat(900) },
        ]);
        const found = await readColumns(storage, map, { tile: WORLD, limit: 10, maxFieldBytes: 1_000 });
        const shown = found?.fields.map((column) => column?.values.map((value) => String(value)[0]) ?? null);
        expectResult('fields', shown, [null, ['z'], [], ['s'], []]);
      },
    },
    {
      name: 'an unknown map has none',
      async run({ storage }) {
        const found = await readColumns(storage, 'x'.repeat(16), { tile: WORLD, limit: 10 });
        expectResult('ids', found?.ids, []);
      },
    },
  ],
};
