/** Mutants with wrong reads, lists or updates of maps. */

import type { MapRecord } from '../../../src/domain/map.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';
import { wholeList } from './mutant.ts';

const KEPT = { evenIfDeleted: true };

function changingList(
  good: Storage,
  change: (maps: readonly MapRecord[]) => readonly MapRecord[],
): Pick<Storage, 'listMaps'> {
  return { listMaps: async (query) => change(await good.listMaps(query)) };
}

export const maps: readonly Mutant[] = [
  {
    name: 'unknown maps have no entry',
    topic: 'maps',
    breaks: (good) => ({ getMaps: async (ids) => (await good.getMaps(ids)).filter((map) => map !== null) }),
  },
  {
    name: 'maps are returned in order of id, not of the request',
    topic: 'maps',
    breaks: (good) => ({ getMaps: (ids) => good.getMaps(ids.toSorted()) }),
  },
  {
    name: 'deleted maps are not returned',
    topic: 'maps',
    breaks: (good) => ({
      getMaps: async (ids) => (await good.getMaps(ids)).map((map) => (map?.isDeleted ? null : map)),
    }),
  },
  {
    name: 'deleted maps are not listed',
    topic: 'maps',
    breaks: (good) => changingList(good, (list) => list.filter(({ isDeleted }) => !isDeleted)),
  },
  {
    name: 'maps of every owner are listed',
    topic: 'maps',
    breaks: (good) => ({
      listMaps: async (query) => {
        const lists = [];
        for (const { id } of await good.listOwners())
          lists.push(await good.listMaps({ ...query, ownerId: id }));
        return lists.flat().slice(0, query.limit);
      },
    }),
  },
  {
    name: 'maps of every owner are counted',
    topic: 'maps',
    breaks: (good) => ({
      countMaps: async (query) => {
        let count = 0;
        for (const { id } of await good.listOwners())
          count += await good.countMaps({ ...query, ownerId: id });
        return count;
      },
    }),
  },
  {
    name: 'a list limited to one map holds all',
    topic: 'maps',
    breaks: (good) => ({ listMaps: (query) => good.listMaps({ ...query, mapId: null }) }),
  },
  {
    name: 'a count limited to one map counts all',
    topic: 'maps',
    breaks: (good) => ({ countMaps: ({ ownerId }) => good.countMaps({ ownerId, mapId: null }) }),
  },
  {
    name: 'maps of equal times are listed by descending id',
    topic: 'maps',
    breaks: (good) =>
      changingList(good, (list) =>
        list.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? 1 : -1)),
      ),
  },
  {
    name: 'maps are listed newest first',
    topic: 'maps',
    breaks: (good) => changingList(good, (list) => list.toReversed()),
  },
  {
    name: 'a page of maps excludes all maps of its bound’s time',
    topic: 'maps',
    breaks: (good) => ({
      listMaps: (query) => good.listMaps({ ...query, after: query.after && { ...query.after, id: '~' } }),
    }),
  },
  {
    name: 'an update resets members that it does not name',
    topic: 'maps',
    breaks: (good) => ({
      updateMap: (id, patch, options) => good.updateMap(id, { isPublished: false, ...patch }, options),
    }),
  },
  {
    name: 'an update ignores null',
    topic: 'maps',
    breaks: (good) => ({
      updateMap: (id, patch, options) => {
        const remaining = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null));
        return good.updateMap(id, remaining, options);
      },
    }),
  },
  {
    name: 'an update ignores false',
    topic: 'maps',
    breaks: (good) => ({
      updateMap: (id, patch, options) => {
        const remaining = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== false));
        return good.updateMap(id, remaining, options);
      },
    }),
  },
  {
    name: 'an update treats undefined as null',
    topic: 'maps',
    breaks: (good) => ({
      updateMap: (id, patch, options) => {
        const isNamed = 'providerMapApiKey' in patch && patch.providerMapApiKey === undefined;
        return good.updateMap(id, isNamed ? { ...patch, providerMapApiKey: null } : patch, options);
      },
    }),
  },
  {
    name: 'an update returns the former map',
    topic: 'maps',
    breaks: (good) => ({
      updateMap: async (id, patch, options) => {
        const [before] = await good.getMaps([id]);
        const response = await good.updateMap(id, patch, options);
        return response.kind === 'updated' && before ? { ...response, map: before } : response;
      },
    }),
  },
  {
    name: 'a deleted map is updated without evenIfDeleted',
    topic: 'maps',
    breaks: (good) => ({ updateMap: (id, patch) => good.updateMap(id, patch, KEPT) }),
  },
  {
    name: 'a deleted map is never updated',
    topic: 'maps',
    breaks: (good) => ({ updateMap: (id, patch) => good.updateMap(id, patch, { evenIfDeleted: false }) }),
  },
  {
    name: 'an update writes back the members that it has read',
    topic: 'maps',
    breaks: (good) => ({
      updateMap: async (id, patch, options) => {
        const [map] = await good.getMaps([id]);
        if (!map) return good.updateMap(id, patch, options);
        const { name, isPublished, isDeleted, providerMapApiKey, geocodingApiKey } = map;
        const refused = await good.updateMap(id, {}, options);
        if (refused.kind !== 'updated') return refused;
        const whole = { name, isPublished, isDeleted, providerMapApiKey, geocodingApiKey, ...patch };
        return good.updateMap(id, whole, options);
      },
    }),
  },
  {
    name: 'any update of a map without a file removes its logo',
    topic: 'maps',
    breaks: (good) => ({
      updateMap: async (id, patch, options) => {
        const result = await good.updateMap(id, patch, options);
        const [map] = await good.getMaps([id]);
        if (result.kind === 'updated' && options.logo === undefined && map) {
          await good.updateMap(id, { logo: null }, KEPT);
          await good.updateMap(id, { logo: map.logo }, KEPT);
        }
        return result;
      },
    }),
  },
  {
    name: 'the file of a removed logo stays',
    topic: 'maps',
    breaks: (good) => ({
      updateMap: async (id, patch, options) => {
        const [map] = patch.logo === null ? await good.getMaps([id]) : [];
        const file = map?.logo ? await good.getLogo(id, map.logo.hash) : null;
        const result = await good.updateMap(id, patch, options);
        if (file === null || result.kind !== 'updated') return result;
        await good.updateMap(id, { logo: result.map.logo }, { ...options, logo: file });
        return result;
      },
    }),
  },
  {
    name: 'every map has the same logo',
    topic: 'maps',
    breaks: (good) => ({
      getLogo: async () => {
        for await (const item of good.dump(0)) if (item.kind === 'logo') return item.logo;
        return null;
      },
    }),
  },
  {
    name: 'deleting a map removes its locations',
    topic: 'maps',
    breaks: (good) => ({
      updateMap: async (id, patch, options) => {
        if (patch.isDeleted) {
          for (const location of await wholeList(good, id)) await good.deleteLocation(id, location.id);
        }
        return good.updateMap(id, patch, options);
      },
    }),
  },
  {
    name: 'the list of published maps keeps those that are no longer published, or deleted',
    topic: 'maps',
    breaks: (good) => {
      const listed = new Set<string>();
      return {
        listPublishedMaps: async ({ after, limit }) => {
          for (const { id } of await good.listPublishedMaps({ after: null, limit: 1_000 })) listed.add(id);
          const ids = [...listed].toSorted().filter((id) => after === null || id > after);
          return ids.slice(0, limit).map((id) => ({ id, changedAt: 0 }));
        },
      };
    },
  },
  {
    name: 'the list of published maps includes the map after which it starts',
    topic: 'maps',
    breaks: (good) => ({
      listPublishedMaps: async ({ after, limit }) => {
        const page = await good.listPublishedMaps({ after, limit });
        return after === null ? page : [{ id: after, changedAt: 0 }, ...page].slice(0, limit);
      },
    }),
  },
  {
    name: 'published maps have the time of their creation',
    topic: 'maps',
    breaks: (good) => ({
      listPublishedMaps: async (page) => {
        const entries = await good.listPublishedMaps(page);
        const maps = await good.getMaps(entries.map(({ id }) => id));
        return entries.map((entry, index) => ({ ...entry, changedAt: maps[index]!.createdAt }));
      },
    }),
  },
  {
    name: 'published maps have the time of their own last change, not of their locations',
    topic: 'maps',
    breaks: (good) => ({
      listPublishedMaps: async (page) => {
        const entries = await good.listPublishedMaps(page);
        const maps = await good.getMaps(entries.map(({ id }) => id));
        return entries.map((entry, index) => ({ ...entry, changedAt: maps[index]!.updatedAt }));
      },
    }),
  },
  {
    name: 'the iteration over maps with keys ends after 500',
    topic: 'maps',
    breaks: (good) => ({
      async *listMapsWithKeys() {
        let count = 0;
        for await (const map of good.listMapsWithKeys()) {
          if ((count += 1) > 500) return;
          yield map;
        }
      },
    }),
  },
  {
    name: 'the iteration over maps with keys ignores geocoding keys',
    topic: 'maps',
    breaks: (good) => ({
      async *listMapsWithKeys() {
        for await (const map of good.listMapsWithKeys()) if (map.providerMapApiKey !== null) yield map;
      },
    }),
  },
  {
    name: 'the iteration over maps with keys skips deleted ones',
    topic: 'maps',
    breaks: (good) => ({
      async *listMapsWithKeys() {
        for await (const map of good.listMapsWithKeys()) if (!map.isDeleted) yield map;
      },
    }),
  },
  {
    name: 'keys are changed whatever their former value',
    topic: 'maps',
    breaks: (good) => ({
      changeMapKeys: async (changes) => {
        for (const { mapId, name, to } of changes) {
          await good.updateMap(mapId, { [name]: to }, { evenIfDeleted: true });
        }
        return changes.length;
      },
    }),
  },
  {
    name: 'keys of deleted maps are not changed',
    topic: 'maps',
    breaks: (good) => ({
      changeMapKeys: async (changes) => {
        const maps = await good.getMaps(changes.map(({ mapId }) => mapId));
        return good.changeMapKeys(changes.filter((_, index) => maps[index]?.isDeleted !== true));
      },
    }),
  },
  {
    name: 'field definitions are sorted',
    topic: 'maps',
    breaks: (good) => ({
      insertMap: (map) =>
        good.insertMap({ ...map, fields: map.fields.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }),
    }),
  },
];
