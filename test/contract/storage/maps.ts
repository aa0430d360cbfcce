/** Maps: read, listed, counted and updated. */

import { FIELD_TYPES } from '../../../src/domain/map.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import type { MapsQuery, Storage } from '../../../src/storage/storage.ts';
import {
  aLogo,
  aMap,
  append,
  collect,
  idsOf,
  listPage,
  NOW,
  seedMap,
  seedOwner,
  setLogo,
} from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

const KEPT = { evenIfDeleted: true };

async function list(
  storage: Storage,
  ownerId: string,
  query: Partial<MapsQuery> = {},
): Promise<readonly MapRecord[]> {
  return storage.listMaps({
    ownerId,
    mapId: null,
    limit: 1000,
    fromEnd: false,
    after: null,
    before: null,
    ...query,
  });
}

/** Nine maps in list order: three at each of three times. */
async function seedList(storage: Storage, ownerId: string): Promise<readonly MapRecord[]> {
  const maps: MapRecord[] = [];
  for (const [group, createdAt] of [5, NOW, NOW + 1].entries()) {
    for (const letter of ['0', 'a', 'z']) {
      maps.push(
        aMap(ownerId, { createdAt, id: `${letter}${group}`.padEnd(16, '0'), name: `${group}${letter}` }),
      );
    }
  }
  for (const index of [4, 8, 0, 2, 6, 1, 3, 7, 5]) await storage.insertMap(maps[index]!);
  return maps;
}

export const maps: StorageTopic = {
  name: 'maps',
  cases: [
    {
      name: 'a map is returned as stored',
      async run({ storage }) {
        const owner = await seedOwner(storage);
        const map = aMap(owner.id, {
          name: "Ñandú's 😀 $map.\u{10ffff}",
          isPublished: true,
          createdAt: 1,
          providerMapApiKey: "sealed:'1",
          geocodingApiKey: 'sealed:2',
          fields: FIELD_TYPES.map((type) => ({ name: `${type}.$ü`, type })),
          language: 'pt-BR',
          timeZone: 'America/Sao_Paulo',
          logo: { type: 'image/webp', hash: 'ab', bytes: 7 },
          theme: { accent: '#ff0088', font: 'rounded', appearance: 'dark', poweredBy: false },
          categories: [{ value: "$a.'ü", label: null, color: '#000000', icon: 'cafe' }],
        });
        const deleted = aMap(owner.id, { isDeleted: true, fields: [{ name: '__proto__', type: 'text' }] });
        await storage.insertMap(map);
        await storage.insertMap(deleted);
        expect(await storage.getMaps([map.id, deleted.id])).toEqual([map, deleted]);
      },
    },
    {
      name: 'each requested id has an entry, in the order of the request',
      async run({ storage }) {
        const a = await seedMap(storage);
        const b = await seedMap(storage);
        expect(await storage.getMaps([b.id, 'unknown', a.id, b.id, ''])).toEqual([b, null, a, b, null]);
        expect(await storage.getMaps([])).toEqual([]);
      },
    },
    {
      name: 'an owner’s maps are listed by time and then by id, including deleted ones',
      async run({ storage }) {
        const owner = await seedOwner(storage);
        const seeded = await seedList(storage, owner.id);
        await storage.updateMap(seeded[3]!.id, { isDeleted: true }, { evenIfDeleted: true });
        expect(idsOf(await list(storage, owner.id))).toEqual(idsOf(seeded));
        expect((await list(storage, owner.id))[3]?.isDeleted).toBe(true);
        expect(await storage.countMaps({ ownerId: owner.id, mapId: null })).toBe(9);
      },
    },
    {
      name: 'pages of maps exclude their bounds, and ascend from either end',
      async run({ storage }) {
        const owner = await seedOwner(storage);
        const seeded = await seedList(storage, owner.id);
        const ids = idsOf(seeded);
        const bounds = [null, ...seeded];
        for (const [low, after] of bounds.entries()) {
          for (const [high, before] of bounds.entries()) {
            const between = ids.slice(low, before === null ? undefined : high - 1);
            const expected = high > 0 && high <= low ? [] : between;
            const range = { after, before };
            expect(idsOf(await list(storage, owner.id, range))).toEqual(expected);
            expect(idsOf(await list(storage, owner.id, { ...range, limit: 2 }))).toEqual(
              expected.slice(0, 2),
            );
            const fromEnd = await list(storage, owner.id, { ...range, limit: 2, fromEnd: true });
            expect(idsOf(fromEnd)).toEqual(expected.slice(-2));
          }
        }
      },
    },
    {
      name: "another owner's maps are neither listed nor counted",
      async run({ storage }) {
        const [one, two] = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        const mine = await seedMap(storage, { ownerId: one.id });
        const theirs = await seedMap(storage, { ownerId: two.id });
        expect(await list(storage, one.id)).toEqual([mine]);
        expect(await list(storage, two.id, { fromEnd: true, limit: 5 })).toEqual([theirs]);
        expect(await list(storage, 'nobody')).toEqual([]);
        expect(await storage.countMaps({ ownerId: one.id, mapId: null })).toBe(1);
        expect(await storage.countMaps({ ownerId: 'nobody', mapId: null })).toBe(0);
      },
    },
    {
      name: 'a list limited to one map holds only that map, if the owner has it',
      async run({ storage }) {
        const [one, two] = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        const a = await seedMap(storage, { ownerId: one.id });
        await seedMap(storage, { ownerId: one.id });
        const theirs = await seedMap(storage, { ownerId: two.id });
        expect(await list(storage, one.id, { mapId: a.id })).toEqual([a]);
        expect(await list(storage, one.id, { mapId: a.id, after: a })).toEqual([]);
        expect(await list(storage, one.id, { mapId: theirs.id })).toEqual([]);
        expect(await list(storage, one.id, { mapId: 'unknown' })).toEqual([]);
        expect(await storage.countMaps({ ownerId: one.id, mapId: a.id })).toBe(1);
        expect(await storage.countMaps({ ownerId: one.id, mapId: theirs.id })).toBe(0);
      },
    },
    {
      name: 'an update changes only the named members',
      async run({ storage }) {
        const original = await seedMap(storage, {
          isPublished: true,
          providerMapApiKey: 'p',
          geocodingApiKey: 'g',
        });
        const bystander = await seedMap(storage, { isPublished: true, providerMapApiKey: 'p' });
        const patches: Partial<MapRecord>[] = [
          { name: 'Another name' },
          { isPublished: false },
          { providerMapApiKey: null },
          { geocodingApiKey: 'g2' },
          { geocoding: { countries: ['DE', 'FR'], bounds: null, language: 'de' } },
          {
            geocoding: {
              countries: [],
              bounds: { south: 1e-7, west: 170, north: 2, east: -170 },
              language: null,
            },
          },
          { geocoding: null },
          { language: 'ja', timeZone: 'Asia/Tokyo' },
          { theme: { accent: null, font: 'serif', appearance: 'auto', poweredBy: true }, timeZone: null },
          { categories: [{ value: 'a', label: 'A', color: null, icon: null }] },
          { language: null, theme: null, categories: [] },
          { isDeleted: true },
          { isDeleted: false, isPublished: true, name: 'x', providerMapApiKey: 'p2', geocodingApiKey: null },
          {},
        ];
        let expected = original;
        for (const patch of patches) {
          expected = { ...expected, ...patch };
          const response = await storage.updateMap(original.id, patch, { evenIfDeleted: true });
          expect(response).toEqual({ kind: 'updated', map: expected });
          expect(await storage.getMaps([original.id, bystander.id])).toEqual([expected, bystander]);
        }
      },
    },
    {
      name: 'an undefined member of an update changes nothing',
      async run({ storage }) {
        const map = await seedMap(storage, { providerMapApiKey: 'p', isPublished: true });
        const patch = { name: undefined, providerMapApiKey: undefined, isPublished: undefined };
        const response = await storage.updateMap(map.id, patch, { evenIfDeleted: false });
        expect(response).toEqual({ kind: 'updated', map });
      },
    },
    {
      name: 'a deleted map is updated only with evenIfDeleted',
      async run({ storage }) {
        const map = await seedMap(storage, { isDeleted: true });
        const refused = await storage.updateMap(map.id, { name: 'x' }, { evenIfDeleted: false });
        expect(refused).toEqual({ kind: 'map-deleted' });
        expect(await storage.getMaps([map.id])).toEqual([map]);
        const restored = await storage.updateMap(map.id, { isDeleted: false }, { evenIfDeleted: true });
        expect(restored).toEqual({ kind: 'updated', map: { ...map, isDeleted: false } });
      },
    },
    {
      name: 'an unknown map cannot be updated',
      async run({ storage }) {
        for (const evenIfDeleted of [true, false]) {
          const response = await storage.updateMap('zzzzzzzzzzzzzzzz', { name: 'x' }, { evenIfDeleted });
          expect(response).toEqual({ kind: 'map-missing' });
        }
        expect(await storage.getMaps(['zzzzzzzzzzzzzzzz'])).toEqual([null]);
        expect(await storage.isEmpty()).toBe(true);
      },
    },
    {
      name: 'an update leaves locations and numbers unchanged',
      async run({ storage }) {
        const map = await seedMap(storage);
        const first = await append(storage, map.id);
        await storage.updateMap(map.id, { name: 'x', isPublished: true }, { evenIfDeleted: false });
        await storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: false });
        await storage.updateMap(map.id, { isDeleted: false }, { evenIfDeleted: true });
        const second = await append(storage, map.id);
        expect([second.order, second.sequence]).toEqual(['2', 2]);
        expect(await listPage(storage, map.id)).toEqual([first, second]);
      },
    },
    {
      name: 'a logo is stored with its map, replaced and removed',
      async run({ storage }) {
        const [map, other] = [await seedMap(storage), await seedMap(storage)];
        const none = [await storage.getLogo(map.id, 'ab'), await storage.getLogo('unknown', 'ab')];
        expect(none).toEqual([null, null]);
        await setLogo(storage, aLogo(other.id));
        // As large as a logo can be.
        const large = aLogo(map.id, Buffer.alloc(256 * 1024, 0xfe).toString('base64'));
        const info = { type: large.type, hash: large.hash, bytes: 4 };
        expect(await setLogo(storage, large)).toEqual({ ...map, logo: info });
        expect(await storage.getLogo(map.id, large.hash)).toEqual(large);
        expect(await storage.getMaps([map.id])).toEqual([{ ...map, logo: info }]);

        const another = { ...aLogo(map.id, 'YW5vdGhlcg=='), type: 'image/svg+xml' } as const;
        await setLogo(storage, another);
        await storage.updateMap(map.id, { name: 'B' }, { evenIfDeleted: false });
        expect(await storage.getLogo(map.id, another.hash)).toEqual(another);
        expect(await storage.getLogo(map.id, large.hash)).toBeNull();

        await storage.updateMap(map.id, { logo: null }, { evenIfDeleted: false });
        expect(await storage.getLogo(map.id, another.hash)).toBeNull();
        expect(await storage.getMaps([map.id])).toEqual([{ ...map, name: 'B' }]);
        expect(await storage.getLogo(other.id, aLogo(other.id).hash)).toEqual(aLogo(other.id));
      },
    },
    {
      name: 'the logo of a deleted map stays as it is',
      async run({ storage }) {
        const map = await seedMap(storage);
        await setLogo(storage, aLogo(map.id));
        await storage.updateMap(map.id, { isDeleted: true }, { evenIfDeleted: false });
        const logo = aLogo(map.id, 'YW5vdGhlcg==');
        const patch = { logo: { type: logo.type, hash: logo.hash, bytes: 7 } };
        const refused = await storage.updateMap(map.id, patch, { evenIfDeleted: false, logo });
        expect(refused).toEqual({ kind: 'map-deleted' });
        expect(await storage.updateMap(map.id, { logo: null }, { evenIfDeleted: false })).toEqual(refused);
        expect(await storage.getLogo(map.id, aLogo(map.id).hash)).toEqual(aLogo(map.id));
        const unknown = { evenIfDeleted: true, logo: { ...logo, mapId: 'unknown' } };
        expect(await storage.updateMap('unknown', patch, unknown)).toEqual({ kind: 'map-missing' });
        expect(await storage.getLogo('unknown', logo.hash)).toBeNull();
      },
    },
    {
      name: 'a map names a stored logo whatever changes of it run at once',
      async run({ storage }) {
        const map = await seedMap(storage);
        const logos = ['YQ==', 'Yg==', 'Yw=='].map((content) => aLogo(map.id, content));
        for (let round = 0; round < 10; round += 1) {
          await Promise.all([
            ...logos.map((logo) => setLogo(storage, logo)),
            storage.updateMap(map.id, { logo: null }, { evenIfDeleted: false }),
            ...logos.map((logo) => setLogo(storage, logo)),
          ]);
          const [found] = await storage.getMaps([map.id]);
          const named = found?.logo?.hash;
          const stored = named === undefined ? undefined : await storage.getLogo(map.id, named);
          expect(stored).toEqual(logos.find(({ hash }) => hash === named));
        }
      },
    },
    {
      name: 'concurrent updates of different members all persist',
      async run({ storage }) {
        const map = await seedMap(storage);
        const patch = { name: 'x', isPublished: true, providerMapApiKey: 'p', geocodingApiKey: 'g' };
        await Promise.all(
          Object.entries(patch).map(([key, value]) =>
            storage.updateMap(map.id, { [key]: value }, { evenIfDeleted: false }),
          ),
        );
        expect(await storage.getMaps([map.id])).toEqual([{ ...map, ...patch }]);
      },
    },
    {
      name: 'published maps that are not deleted are listed by id, in pages, whoever owns them',
      async run({ storage }) {
        expect(await storage.listPublishedMaps({ after: null, limit: 9 })).toEqual([]);
        const owners = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        const maps = Array.from({ length: 12 }, (_, index) =>
          aMap(owners[index % 2]!.id, { isPublished: index % 4 !== 3, isDeleted: index % 3 === 2 }),
        );
        for (const map of maps) await storage.insertMap(map);
        const listed = async (limit: number) => {
          const ids: string[] = [];
          // One page more than needed: a list that repeats itself ends, too.
          for (let pages = 0; pages <= maps.length; pages += 1) {
            const page = await storage.listPublishedMaps({ after: ids.at(-1) ?? null, limit });
            ids.push(...idsOf(page));
            if (page.length < limit) break;
          }
          return ids;
        };
        const expected = idsOf(maps.filter((map) => map.isPublished && !map.isDeleted)).toSorted();
        expect(expected.length).toBeGreaterThan(4);
        for (const limit of [1, 2, expected.length, 100]) expect(await listed(limit)).toEqual(expected);

        const [first, ...others] = expected;
        const hidden = maps.find(({ isPublished, isDeleted }) => !isPublished && !isDeleted)!;
        await storage.updateMap(first!, { isPublished: false }, KEPT);
        await storage.updateMap(hidden.id, { isPublished: true }, KEPT);
        expect(await listed(3)).toEqual([...others, hidden.id].toSorted());
        await storage.updateMap(hidden.id, { isDeleted: true }, KEPT);
        expect(await listed(3)).toEqual(others);
      },
    },
    {
      name: 'a published map is listed with the time of its last change, or of its locations',
      async run({ storage }) {
        const owner = await seedOwner(storage);
        const changedAt = async () =>
          (await storage.listPublishedMaps({ after: null, limit: 1 }))[0]?.changedAt;
        const map = await seedMap(storage, {
          ownerId: owner.id,
          isPublished: true,
          createdAt: 5,
          updatedAt: 5,
        });
        expect(await changedAt()).toBe(5);
        await storage.updateMap(map.id, { name: 'New', updatedAt: 7 }, KEPT);
        expect(await changedAt()).toBe(7);
        const before = Date.now();
        const { id } = await append(storage, map.id);
        const appendedAt = await changedAt();
        expect(appendedAt).toBeGreaterThanOrEqual(before);
        await storage.deleteLocation(map.id, id);
        expect(await changedAt()).toBeGreaterThanOrEqual(appendedAt!);
        const later = Date.now() + 60_000;
        await storage.updateMap(map.id, { updatedAt: later }, KEPT);
        expect(await changedAt()).toBe(later);
      },
    },
    {
      name: 'maps with keys can be updated during the iteration',
      async run({ storage }) {
        const owner = await seedOwner(storage);
        for (let index = 0; index < 20; index += 1) {
          await seedMap(storage, {
            ownerId: owner.id,
            geocodingApiKey: `key ${index}`,
            isDeleted: index % 2 === 0,
          });
        }
        let walked = 0;
        for await (const map of storage.listMapsWithKeys()) {
          walked += 1;
          await storage.updateMap(map.id, { geocodingApiKey: null }, { evenIfDeleted: true });
        }
        expect(walked).toBe(20);
        expect(await collect(storage.listMapsWithKeys())).toEqual([]);
      },
    },
    {
      name: 'the iteration visits each map with a key once, including deleted ones',
      async run({ storage }) {
        const owners = [await seedOwner(storage, 'one'), await seedOwner(storage, 'two')];
        const maps = Array.from({ length: 1050 }, (_, index) => {
          // Nearly all have one key or both.
          const kind = index % 50 === 3 ? 3 : index % 3;
          return aMap(owners[index % 2]!.id, {
            name: `map ${index}`,
            createdAt: NOW - (index % 7),
            isDeleted: index % 3 === 0,
            providerMapApiKey: kind === 0 || kind === 2 ? `provider ${index}` : null,
            geocodingApiKey: kind === 1 || kind === 2 ? `geocoding ${index}` : null,
          });
        });
        for (let index = 0; index < maps.length; index += 50) {
          await Promise.all(maps.slice(index, index + 50).map((map) => storage.insertMap(map)));
        }
        const expected = maps.filter((map) => map.providerMapApiKey !== null || map.geocodingApiKey !== null);
        const byName = (a: MapRecord, b: MapRecord) => (a.name < b.name ? -1 : 1);
        const walked = await collect(storage.listMapsWithKeys());
        expect(walked.sort(byName)).toEqual(expected.sort(byName));
      },
    },
    {
      name: 'only keys that are as read are changed, also of deleted maps',
      async run({ storage }) {
        const owner = await seedOwner(storage);
        const both = { providerMapApiKey: 'old', geocodingApiKey: 'old' };
        const one = await seedMap(storage, { ownerId: owner.id, ...both });
        const deleted = await seedMap(storage, { ownerId: owner.id, ...both, isDeleted: true });
        const other = await seedMap(storage, { ownerId: owner.id, geocodingApiKey: 'newer' });
        const change = (mapId: string, name: 'providerMapApiKey' | 'geocodingApiKey') => ({
          ...{ mapId, name, from: 'old', to: `new ${name}` },
        });
        // Cached by the store's reader.
        await storage.getMaps([one.id, deleted.id, other.id]);
        const count = await storage.changeMapKeys([
          change(one.id, 'geocodingApiKey'),
          change(deleted.id, 'providerMapApiKey'),
          change(deleted.id, 'geocodingApiKey'),
          change(other.id, 'providerMapApiKey'),
          change(other.id, 'geocodingApiKey'),
          change('none', 'geocodingApiKey'),
        ]);
        expect(count).toBe(3);
        expect(await storage.getMaps([one.id, deleted.id, other.id])).toEqual([
          { ...one, geocodingApiKey: 'new geocodingApiKey' },
          { ...deleted, providerMapApiKey: 'new providerMapApiKey', geocodingApiKey: 'new geocodingApiKey' },
          other,
        ]);
        expect(await storage.changeMapKeys([change(one.id, 'geocodingApiKey')])).toBe(0);
        expect(await storage.changeMapKeys([])).toBe(0);
      },
    },
    {
      name: 'changing a returned map fails or does not affect the store',
      async run({ storage }) {
        const map = await seedMap(storage);
        const changes: ((found: Writable) => void)[] = [
          (found) => (found.name = 'changed'),
          (found) => (found.fields.length = 0),
          (found) => (found.fields[0]!.name = 'changed'),
        ];
        for (const change of changes) {
          const [found] = await storage.getMaps([map.id]);
          attempt(() => change(found as unknown as Writable));
          expect(await storage.getMaps([map.id])).toEqual([map]);
        }
      },
    },
  ],
};

interface Writable {
  name: string;
  fields: { name: string }[];
}

/** A store may return frozen records, and the same ones repeatedly. */
function attempt(change: () => void): void {
  try {
    change();
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
  }
}
