/** Mutants that sort, page or count search hits wrongly. */

import { compareMaps } from '../../../src/domain/paging/cursor.ts';
import { EVERYTHING } from '../../../src/domain/filter/location-filter.ts';
import type { SearchSortKey, LocationOrder } from '../../../src/domain/filter/location-order.ts';
import { compareSearchKeys, SEQUENCE_ORDER } from '../../../src/domain/filter/location-order.ts';
import { compareCodePoints } from '../../../src/domain/text.ts';
import { compareSortKeys } from '../../../src/domain/list/sort-key.ts';
import type { SearchStore } from '../../../src/storage/search.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { unroundedDistance } from './search-filters.ts';
import { withFullScan } from './full-scan.ts';
import type { Mutant } from './mutant.ts';
import { wholeList } from './mutant.ts';

type Compare = (a: SearchSortKey, b: SearchSortKey) => number;

/** Another comparison for the orders that match `applies`. */
function sorting(
  name: string,
  applies: (order: LocationOrder) => boolean,
  compare: (order: LocationOrder) => Compare,
): Mutant {
  return {
    name,
    topic: 'search',
    breaks: (good) =>
      withFullScan(good, { compare: (order) => (applies(order) ? compare : compareSearchKeys)(order) }),
  };
}

const searching = (name: string, breaks: (good: Storage) => Partial<SearchStore>): Mutant => ({
  name,
  topic: 'search',
  breaks,
});

const isDescending = ({ direction }: LocationOrder) => direction === 'desc';
const isByList = ({ by }: LocationOrder) => by === 'list';
const isDescendingList = (order: LocationOrder) => isByList(order) && isDescending(order);
const isOther = (order: LocationOrder) => !isByList(order);

/** Whether both have the same value or none. */
const isTie = ({ value: a }: SearchSortKey, { value: b }: SearchSortKey) =>
  JSON.stringify(a) === JSON.stringify(b);

/** Among property values, only a missing one is a single number. */
const isMissing = ({ value }: SearchSortKey) => value.length === 1;

export const searchPageMutants: readonly Mutant[] = [
  sorting(
    'missing values come first in descending order',
    (order) => order.by === 'property' && isDescending(order),
    (order) => (a, b) => Number(isMissing(b)) - Number(isMissing(a)) || compareSearchKeys(order)(a, b),
  ),
  sorting('ties are sorted by creation', isOther, (order) => (a, b) => {
    if (!isTie(a, b)) return compareSearchKeys(order)(a, b);
    return compareMaps(a.map, b.map) || a.sortKey.sequence - b.sortKey.sequence;
  }),
  sorting(
    'ties are sorted by the descending list in descending order',
    (order) => isOther(order) && isDescending(order),
    (order) => (a, b) => (isTie(a, b) ? -1 : 1) * compareSearchKeys(order)(a, b),
  ),
  sorting(
    'the descending list has equal orders ascending',
    isDescendingList,
    () => (a, b) =>
      compareMaps(b.map, a.map) ||
      compareCodePoints(b.sortKey.orderKey, a.sortKey.orderKey) ||
      a.sortKey.sequence - b.sortKey.sequence,
  ),
  sorting(
    'the descending list has the maps ascending',
    isDescendingList,
    () => (a, b) => compareMaps(a.map, b.map) || compareSortKeys(b.sortKey, a.sortKey),
  ),
  sorting(
    'the maps are in order of their ids',
    isByList,
    (order) => (a, b) =>
      (isDescending(order) ? -1 : 1) * compareCodePoints(a.map.id, b.map.id) ||
      compareSearchKeys(order)(a, b),
  ),
  sorting(
    'the order of creation is that of the list',
    ({ by }) => by === 'sequence',
    ({ direction }) => compareSearchKeys({ by: 'list', direction }),
  ),
  sorting(
    'the descending order of creation is ascending',
    ({ by }) => by === 'sequence',
    () => compareSearchKeys(SEQUENCE_ORDER),
  ),
  sorting(
    'names are sorted case-sensitively',
    ({ by }) => by === 'name',
    (order) => (a, b) =>
      (isDescending(order) ? -1 : 1) * compareCodePoints(String(a.value[1]), String(b.value[1])) ||
      compareSearchKeys(order)(a, b),
  ),
  searching('distances are sorted before rounding', (good) =>
    withFullScan(good, {
      sortValue: (order, location) =>
        order.by === 'distance' ? [unroundedDistance(order.center, location)] : null,
    }),
  ),
  searching('a page from the end misses the hit before its cursor', (good) => ({
    async findLocations(search, page, scope) {
      if (!page.fromEnd || page.before === null) return good.findLocations(search, page, scope);
      const found = await good.findLocations(search, { ...page, limit: page.limit + 1 }, scope);
      return found.slice(0, -1);
    },
  })),
  searching('a search page from the end is taken from the start', (good) => ({
    findLocations: (search, page, scope) => good.findLocations(search, { ...page, fromEnd: false }, scope),
  })),
  searching('a search page ends with its map', (good) => ({
    async findLocations(search, page, scope) {
      const found = await good.findLocations(search, page, scope);
      const own = (page.fromEnd ? found.at(-1) : found[0])?.location.mapId;
      return isByList(search.order) ? found.filter(({ location }) => location.mapId === own) : found;
    },
  })),
  searching('a cursor of a removed location is the start', (good) => ({
    async findLocations(search, page, scope) {
      const { after } = page;
      if (after === null) return good.findLocations(search, page, scope);
      const list = await wholeList(good, after.map.id);
      const isThere = list.some(({ sequence }) => sequence === after.sortKey.sequence);
      return good.findLocations(search, isThere ? page : { ...page, after: null }, scope);
    },
  })),
  searching('a search in one map matches another map of its owner', (good) => ({
    async findLocations(search, page, scope) {
      const found = await good.findLocations(search, page, scope);
      const { ownerId } = (await good.getMaps(search.maps.map(({ id }) => id)))[0] ?? {};
      if (ownerId === undefined || search.filter.kind !== 'ids') return found;
      const all = { ownerId, mapId: null, limit: 100, fromEnd: false, after: null, before: null };
      const maps = await good.listMaps(all);
      return good.findLocations({ ...search, maps }, page, scope);
    },
  })),
  searching('matches are counted up to a hundred', (good) => ({
    countMatches: async (search, scope) => Math.min(100, await good.countMatches(search, scope)),
  })),
  searching('a count applies only the first of several filters', (good) => ({
    countMatches: ({ maps, filter }, scope) => {
      const first = filter.kind === 'and' ? (filter.filters[0] ?? filter) : filter;
      return good.countMatches({ maps, filter: first }, scope);
    },
  })),
  searching('a count covers only the first of several maps', (good) => ({
    countMatches: (search, scope) => good.countMatches({ ...search, maps: search.maps.slice(0, 1) }, scope),
  })),
  searching('found versions ignore the filter', (good) => ({
    findVersions: ({ map }, limit, scope) => good.findVersions({ map, filter: EVERYTHING }, limit, scope),
  })),
  searching('found versions are always 1', (good) => ({
    findVersions: async (search, limit, scope) =>
      (await good.findVersions(search, limit, scope)).map((found) => ({ ...found, version: 1 })),
  })),
  {
    name: 'a deletion by version ignores the version',
    topic: 'search',
    breaks: (good) => ({
      deleteVersions: (mapId, locations) =>
        good.deleteLocations(
          mapId,
          locations.map(({ id }) => id),
        ),
    }),
  },
  searching('a search continues after its caller disconnects', (good) => ({
    findLocations: (search, page, { signal: _, ...scope } = {}) => good.findLocations(search, page, scope),
  })),
  searching('a count continues after its timeout', (good) => ({
    countMatches: (search, { deadline: _, ...scope } = {}) => good.countMatches(search, scope),
  })),
];
