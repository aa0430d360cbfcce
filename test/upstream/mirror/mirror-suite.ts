/** Mirrors of maps, on a store of any kind. */

import type { JsonObject, JsonValue } from '../../../src/domain/json/json.ts';
import { JsonText } from '../../../src/domain/json/json-text.ts';
import type { MirrorOptions, MirrorResult, RejectedLocation } from '../../../src/upstream/mirror/mirror.ts';
import { ServiceError } from '../../../src/errors.ts';
import { mirrorMap } from '../../../src/upstream/mirror/mirror.ts';
import { operatorFor } from '../../../src/services/operator.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { Upstream, UpstreamLocation, UpstreamMap } from '../../../src/upstream/upstream.ts';
import { historyOf } from '../../contract/storage/history.ts';
import { createFakeGeocoder } from '../../support/fake-geocoder.ts';
import { servicesOver } from '../../support/services.ts';

/** An upstream map, in memory. */
interface RemoteMap {
  readonly upstream: Upstream;
  map: UpstreamMap;
  list: UpstreamLocation[];
  /** Pages that can be read before the next one fails; null for all. */
  failsAfter: number | null;
  /** Whether pages have links. */
  hasLinks: boolean;
  readonly tokens: Set<string>;
  /** Called after each page that was read. */
  onPage: () => void;
  /** Ids of the locations that were requested individually. */
  readonly asked: string[];
  /** The error of every such request; null if it succeeds. */
  failure: ServiceError | null;
  /** Whether the map is deleted once its list has been read. */
  goes: boolean;
}

const MAP: UpstreamMap = {
  id: 'them',
  name: 'Theirs',
  isDeleted: false,
  isPublished: false,
  createdAt: 0,
  providerMapApiKey: 'secret',
  geocodingApiKey: 'secret',
  fields: [
    { name: 'Title', type: 'placeName' },
    { name: 'Where', type: 'address' },
  ],
};

function position(id: string, more: JsonObject = {}): UpstreamLocation {
  return {
    id,
    name: `Name of ${id}`,
    placeId: `place:${id}`,
    latitude: id.length,
    longitude: -1.25,
    properties: { Title: `Name of ${id}`, Where: 'There 1', ...more },
    order: null,
  };
}

const positions = (count: number, prefix = 'p') =>
  Array.from({ length: count }, (_, n) => position(`${prefix}${n}`));

function remoteMap(): RemoteMap {
  const refuse = () => Promise.reject(new Error('A mirror only reads.'));
  let pages = 0;
  let maps = 0;
  const it: RemoteMap = {
    map: MAP,
    list: [],
    failsAfter: null,
    hasLinks: true,
    tokens: new Set(),
    onPage: () => {},
    asked: [],
    failure: null,
    goes: false,
    upstream: {
      getMap: ({ token }) => {
        it.tokens.add(token);
        pages = 0;
        maps += 1;
        if (it.goes && maps > 2) return Promise.reject(new ServiceError('MAP_NOT_FOUND', 'Gone.'));
        return Promise.resolve(it.map);
      },
      listLocations: (_call, _mapId, query, limit) => {
        if (pages === it.failsAfter) return Promise.reject(new Error('The list was cut off.'));
        pages += 1;
        const start = Number(query.replace('at=', '') || 0);
        const isMore = it.hasLinks && start + limit < it.list.length;
        const locations = it.list.slice(start, start + limit);
        it.onPage();
        return Promise.resolve({ locations, next: isMore ? `at=${start + limit}` : null });
      },
      getLocation: (_call, _mapId, id) => {
        it.asked.push(id);
        if (it.failure !== null) return Promise.reject(it.failure);
        const found = it.list.find((location) => location.id === id);
        return found === undefined
          ? Promise.reject(new ServiceError('LOCATION_NOT_FOUND', 'None.'))
          : Promise.resolve(found);
      },
      createLocation: refuse,
      deleteLocation: refuse,
      ping: refuse,
      close: () => {},
    },
  };
  return it;
}

export function mirrorSuite(name: string, open: () => Promise<Storage>): void {
  describe(`mirrors on ${name}`, () => {
    let storage: Storage;
    let remote: RemoteMap;
    let rejected: RejectedLocation[];
    const geocoder = createFakeGeocoder();
    beforeEach(async () => {
      storage = await open();
      remote = remoteMap();
      rejected = [];
    });
    afterEach(() => storage.close());

    const mirror = (
      options: Partial<MirrorOptions> = {},
      address = 'https://a.test',
    ): Promise<MirrorResult> =>
      mirrorMap(
        { services: servicesOver(storage, geocoder), storage },
        { upstream: remote.upstream, token: 't', address, mapId: 'them' },
        { owner: null, maxBulk: 1_000, onRejected: (location) => rejected.push(location), ...options },
      );
    const stored = (mapId: string) =>
      storage.listLocations(mapId, { limit: 10_000, fromEnd: false, after: null, before: null });
    const externalIds = async (mapId: string) => (await stored(mapId)).map(({ externalId }) => externalId);
    const versions = async (mapId: string) =>
      Object.fromEntries((await stored(mapId)).map(({ externalId, version }) => [externalId, version]));
    const COUNTS = { created: 0, updated: 0, unchanged: 0, rejected: 0, moved: 0, deleted: 0, own: 0 };

    it('copy order, points and fields, without geocoding', async () => {
      remote.list = positions(230);
      const result = await mirror({ owner: 'alice' });
      expect(result).toMatchObject({ ...COUNTS, created: 230, isNew: true, owner: { name: 'alice' } });
      const locations = await stored(result.id);
      expect(locations.map(({ externalId }) => externalId)).toEqual(remote.list.map(({ id }) => id));
      expect(locations[7]).toMatchObject({
        externalId: 'p7',
        name: 'Name of p7',
        placeId: 'place:p7',
        latitude: 2,
        longitude: -1.25,
        properties: remote.list[7]?.properties,
        version: 1,
      });
      const [map] = await storage.getMaps([result.id]);
      expect(map).toMatchObject({
        name: 'Theirs',
        fields: MAP.fields,
        isPublished: false,
        geocodingApiKey: null,
      });
      expect(geocoder.asked).toEqual([]);
      expect([...remote.tokens]).toEqual(['t']);
    });

    it('store integers that no double holds as strings of digits, and count their locations', async () => {
      const digits = '9007199254740993';
      const exact = new JsonText(digits) as unknown as string;
      let deep: JsonValue = [];
      for (let level = 0; level < 100_000; level += 1) deep = [deep];
      remote.list = [
        position('a', { id: exact, more: { ids: [1, exact, digits, null] } }),
        position('b', { id: digits }),
        position('c', { deep, id: exact }),
      ];
      const result = await mirror();
      expect(result).toMatchObject({ created: 2, rejected: 1, numbersAsText: 1 });
      const [a, b, ...more] = await stored(result.id);
      expect(JSON.stringify(a?.properties)).toBe(
        JSON.stringify({
          ...{ Title: 'Name of a', Where: 'There 1', id: digits },
          more: { ids: [1, digits, digits, null] },
        }),
      );
      expect(b?.properties).toMatchObject({ id: digits });
      expect(more).toEqual([]);
      expect(await mirror()).toMatchObject({ unchanged: 2, numbersAsText: 1 });
    });

    it('change nothing when repeated', async () => {
      remote.list = positions(120);
      const first = await mirror();
      const before = await stored(first.id);
      const [mapBefore] = await storage.getMaps([first.id]);
      const second = await mirror();
      expect(second).toEqual({ ...first, isNew: false, created: 0, unchanged: 120 });
      expect(await stored(first.id)).toEqual(before);
      expect((await storage.getMaps([first.id]))[0]).toEqual(mapBefore);
    });

    it('later give only changed locations a new version, and keep ids', async () => {
      remote.list = positions(10);
      const { id } = await mirror();
      const idsBefore = new Map((await stored(id)).map((location) => [location.externalId, location.id]));
      const old = (number: number) => remote.list[number] ?? position('none');
      // p2 has another field and p5 another point; p9 comes first; p7 is deleted; n1 is new.
      remote.list = [
        ...[old(9), old(0), old(1), position('p2', { Note: 'new' }), position('n1'), old(3), old(4)],
        ...[{ ...old(5), latitude: 80 }, old(6), old(8)],
      ];
      expect(await mirror()).toMatchObject({ created: 1, updated: 2, unchanged: 7, deleted: 1, moved: 2 });
      expect(await externalIds(id)).toEqual(remote.list.map((location) => location.id));
      const after = await stored(id);
      for (const location of after) {
        if (location.externalId !== 'n1') expect(location.id).toBe(idsBefore.get(location.externalId));
      }
      const { n1, ...others } = await versions(id);
      expect(n1).toBeDefined();
      expect(others).toEqual({ p9: 2, p0: 1, p1: 1, p2: 2, p3: 1, p4: 1, p5: 2, p6: 1, p8: 1 });
      const history = await historyOf(storage, id);
      expect(history.map(({ operation, counts }) => [operation, counts])).toEqual([
        ['mirror', { created: 1, updated: 2, moved: 2, deleted: 1 }],
        ['mirror', { created: 10, updated: 0, moved: 0, deleted: 0 }],
      ]);
    });

    it('follow any new order', async () => {
      remote.list = positions(40);
      const { id } = await mirror();
      remote.list = remote.list.toReversed();
      const { moved } = await mirror({ maxBulk: 7 });
      expect(moved).toBe(39);
      expect(await externalIds(id)).toEqual(remote.list.map((location) => location.id));
    });

    it('delete nothing unless the whole list was read', async () => {
      remote.list = positions(250);
      const { id } = await mirror();
      remote.list = remote.list.slice(100);
      remote.failsAfter = 1;
      await expect(mirror()).rejects.toThrow('was cut off');
      expect(await stored(id)).toHaveLength(250);
      remote.failsAfter = null;
      // A full page without a next link is not the end of the list.
      remote.hasLinks = false;
      await expect(mirror()).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
      expect(await stored(id)).toHaveLength(250);
      remote.hasLinks = true;
      expect(await mirror()).toMatchObject({ deleted: 100 });
      expect(await stored(id)).toHaveLength(150);
    });

    it('keep a location that moved forward while the list was read, in its current state', async () => {
      remote.list = positions(250);
      const { id } = await mirror();
      const idsBefore = new Map((await stored(id)).map((location) => [location.externalId, location.id]));
      remote.list = remote.list.filter((location) => location.id !== 'p7');
      remote.onPage = () => {
        remote.onPage = () => {};
        const moved = position('p240', { Note: 'new' });
        remote.list = [moved, ...remote.list.filter((location) => location.id !== 'p240')];
      };
      expect(await mirror()).toMatchObject({ deleted: 1, updated: 1, moved: 0 });
      expect([...remote.asked].sort()).toEqual(['p240', 'p7']);
      const kept = (await stored(id)).find(({ externalId }) => externalId === 'p240');
      expect(kept).toMatchObject({ id: idsBefore.get('p240'), properties: { Note: 'new' } });
      expect(await mirror()).toMatchObject({ deleted: 0, unchanged: 249, moved: 1 });
      expect(await externalIds(id)).toEqual(remote.list.map((location) => location.id));
    });

    it('delete nothing unless the upstream reports a location as missing', async () => {
      remote.list = positions(20);
      const { id } = await mirror();
      remote.list = [];
      remote.failure = new ServiceError('FORBIDDEN', 'Not with this token.');
      await expect(mirror()).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect(await stored(id)).toHaveLength(20);
    });

    it('delete nothing if the whole map is deleted meanwhile', async () => {
      remote.list = positions(20);
      const { id } = await mirror();
      remote.list = [];
      remote.goes = true;
      await expect(mirror()).rejects.toMatchObject({ code: 'MAP_NOT_FOUND' });
      expect(await stored(id)).toHaveLength(20);
    });

    it('delete nothing if interrupted', async () => {
      remote.list = positions(250);
      const { id } = await mirror();
      remote.list = remote.list.slice(150);
      const controller = new AbortController();
      const onProgress = () => controller.abort(new Error('stopped'));
      await expect(mirror({ signal: controller.signal, onProgress })).rejects.toThrow('stopped');
      expect(await stored(id)).toHaveLength(250);
    });

    it('report locations that cannot be stored, and store the rest', async () => {
      const long = 'x'.repeat(256);
      remote.list = [position('a'), position(long), position('no address', { Where: ' ' }), position('b')];
      expect(await mirror()).toMatchObject({ created: 2, rejected: 2 });
      expect(rejected.map(({ id, name, error }) => [id, name, error.message])).toEqual([
        [long, `Name of ${long}`, expect.stringMatching(/^externalId must be 1 to 255 characters/)],
        ['no address', 'Name of no address', expect.stringMatching(/address/i)],
      ]);
    });

    it('leave local locations alone', async () => {
      remote.list = positions(3);
      const { id, owner } = await mirror();
      const services = servicesOver(storage, geocoder);
      await services.locations.createLocation({ caller: operatorFor(owner) }, id, {
        fields: { Title: 'Mine', Where: 'Here' },
        position: { latitude: 1, longitude: 2 },
      });
      remote.list = remote.list.slice(1).toReversed();
      expect(await mirror()).toMatchObject({ deleted: 1, moved: 1, own: 1 });
      expect((await externalIds(id)).filter((externalId) => externalId !== null)).toEqual(['p2', 'p1']);
      expect(await externalIds(id)).toHaveLength(3);
    });

    it('are separate maps for other addresses or on request, and follow the map’s own members', async () => {
      const one = await mirror();
      const other = await mirror({ owner: 'bob' }, 'https://b.test');
      expect(other.id).not.toBe(one.id);
      await expect(mirror({ owner: 'bob' })).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        message: expect.stringContaining('belongs to another owner: mirror'),
      });
      remote.map = {
        ...MAP,
        name: 'Renamed',
        isPublished: true,
        fields: [...MAP.fields, { name: 'Phone', type: 'phone' }],
      };
      await mirror();
      const [map] = await storage.getMaps([one.id]);
      expect(map).toMatchObject({ name: 'Renamed', isPublished: true, fields: remote.map.fields });
    });

    it('keep locally hidden fields hidden', async () => {
      const { id, owner } = await mirror();
      const services = servicesOver(storage, geocoder);
      const hidden = [MAP.fields[0]!, { ...MAP.fields[1]!, isPublic: false }];
      await services.maps.updateMap({ caller: operatorFor(owner) }, id, { fields: hidden });
      await mirror();
      expect((await storage.getMaps([id]))[0]?.fields).toEqual(hidden);
    });

    it('keep opening hours, which the upstream shows as a text', async () => {
      const text = { name: 'Hours', type: 'text' } as const;
      remote.map = { ...MAP, fields: [...MAP.fields, text] };
      const { id, owner } = await mirror();
      const { maps } = servicesOver(storage, geocoder);
      const local = [...MAP.fields, { name: 'Hours', type: 'openingHours', isPublic: false }] as const;
      await maps.updateMap({ caller: operatorFor(owner) }, id, { fields: local, timeZone: 'Europe/Berlin' });
      await mirror();
      expect((await storage.getMaps([id]))[0]).toMatchObject({ fields: local, timeZone: 'Europe/Berlin' });
      remote.map = { ...MAP, fields: [...MAP.fields, { ...text, type: 'phone' }] };
      await mirror();
      const changed = [...MAP.fields, { name: 'Hours', type: 'phone', isPublic: false }];
      expect((await storage.getMaps([id]))[0]?.fields).toEqual(changed);
    });

    it('keep a field hidden that the upstream removes and adds again', async () => {
      const note = { name: 'Note', type: 'placeName' } as const;
      remote.map = { ...MAP, fields: [...MAP.fields, note] };
      const { id, owner } = await mirror();
      const hidden = [...MAP.fields, { ...note, isPublic: false }];
      const { maps } = servicesOver(storage, geocoder);
      await maps.updateMap({ caller: operatorFor(owner) }, id, { fields: hidden });
      const fields = async () => (await storage.getMaps([id]))[0]?.fields;
      const untitled = { name: 'Name', type: 'text' } as const;
      remote.map = { ...MAP, fields: [untitled, MAP.fields[1]!] };
      await mirror();
      // It is not the name field now.
      expect(await fields()).toEqual([...remote.map.fields, { name: 'Note', type: 'text', isPublic: false }]);
      remote.map = { ...MAP, fields: [...MAP.fields, note] };
      await mirror();
      expect(await fields()).toEqual(hidden);
    });

    it('are refused if a field of the upstream has a blank name, and then change nothing', async () => {
      const blank = {
        ...MAP,
        name: 'Renamed',
        fields: [...MAP.fields, { name: ' ', type: 'text' as const }],
      };
      remote.map = blank;
      const refused = {
        code: 'BAD_USER_INPUT',
        message: 'fields[2].name must be 1 to 256 characters and not blank.',
      };
      await expect(mirror()).rejects.toMatchObject(refused);
      remote.map = MAP;
      const { id } = await mirror();
      remote.map = blank;
      await expect(mirror()).rejects.toMatchObject(refused);
      expect((await storage.getMaps([id]))[0]).toMatchObject({ name: MAP.name, fields: MAP.fields });
    });

    it('are refused if the local map is deleted', async () => {
      const { id, owner } = await mirror();
      await servicesOver(storage).maps.deleteMap({ caller: operatorFor(owner) }, id);
      await expect(mirror()).rejects.toMatchObject({ code: 'MAP_DELETED' });
    });
  });
}
