/** Mutants with wrong lists, pages and counts. */

import type { SortKey } from '../../../src/domain/list/sort-key.ts';
import { compareOrderKeys } from '../../../src/domain/list/order.ts';
import type { Mutant } from './mutant.ts';
import { sortedBy, wholeList } from './mutant.ts';

type Position = SortKey & { readonly id?: string; readonly createdAt?: number };

const moved = (position: SortKey | null, by: number): SortKey | null =>
  position && { ...position, sequence: position.sequence + by };
const byKey = (a: SortKey, b: SortKey) => compareOrderKeys(a.orderKey, b.orderKey);
const bySequence = (a: SortKey, b: SortKey) => a.sequence - b.sequence;
const isText = ({ orderKey }: SortKey) => orderKey.startsWith('3');
const text = ({ orderKey }: SortKey) => orderKey.slice(1);
const rank = (a: SortKey, b: SortKey) => Number(isText(a)) - Number(isText(b));

/** The value of a key as a double, by the key's own definition. */
function double({ orderKey }: SortKey): number {
  if (orderKey === '1') return 0;
  const negative = orderKey.startsWith('0');
  const exponent = negative ? 999 - Number(orderKey.slice(1, 4)) : Number(orderKey.slice(1, 4));
  const digits = negative
    ? [...orderKey.slice(4, -1)].map((digit) => 9 - Number(digit)).join('')
    : orderKey.slice(4);
  return Number(`${negative ? '-' : ''}0.${digits}e${exponent - 500}`);
}

export const lists: readonly Mutant[] = [
  {
    name: 'a page drops its last location',
    topic: 'paging',
    breaks: (good) => ({
      listLocations: async (mapId, page) => (await good.listLocations(mapId, page)).slice(0, -1),
    }),
  },
  {
    name: 'a full page drops its last location',
    topic: 'paging',
    breaks: (good) => ({
      listLocations: async (mapId, page) => {
        const items = await good.listLocations(mapId, page);
        return items.length === page.limit ? items.slice(0, -1) : items;
      },
    }),
  },
  {
    name: 'the limit is one too many',
    topic: 'paging',
    breaks: (good) => ({
      listLocations: (mapId, page) => good.listLocations(mapId, { ...page, limit: page.limit + 1 }),
    }),
  },
  {
    name: 'the bound after includes its location',
    topic: 'paging',
    breaks: (good) => ({
      listLocations: (mapId, page) => good.listLocations(mapId, { ...page, after: moved(page.after, -1) }),
    }),
  },
  {
    name: 'the bound before includes its location',
    topic: 'paging',
    breaks: (good) => ({
      listLocations: (mapId, page) => good.listLocations(mapId, { ...page, before: moved(page.before, 1) }),
    }),
  },
  {
    name: 'the bound after excludes its whole order',
    topic: 'paging',
    breaks: (good) => ({
      listLocations: (mapId, page) =>
        good.listLocations(mapId, { ...page, after: page.after && moved(page.after, 1e9) }),
    }),
  },
  {
    name: 'an offset excludes the first location of its order',
    topic: 'paging',
    breaks: (good) => ({
      listLocations: async (mapId, page) => {
        const items = await good.listLocations(mapId, page);
        return page.after?.sequence === 0 && items[0]?.orderKey === page.after.orderKey
          ? items.slice(1)
          : items;
      },
    }),
  },
  {
    name: 'the bound before is ignored when there is a bound after',
    topic: 'paging',
    breaks: (good) => ({
      listLocations: (mapId, page) =>
        good.listLocations(mapId, page.after === null ? page : { ...page, before: null }),
    }),
  },
  {
    name: 'a page from the end descends',
    topic: 'paging',
    breaks: (good) => ({
      listLocations: async (mapId, page) => {
        const items = await good.listLocations(mapId, page);
        return page.fromEnd ? items.toReversed() : items;
      },
    }),
  },
  {
    name: 'a page from the end is taken from the start',
    topic: 'paging',
    breaks: (good) => ({
      listLocations: (mapId, page) => good.listLocations(mapId, { ...page, fromEnd: false }),
    }),
  },
  {
    name: 'a position of a deleted location is lost',
    topic: 'paging',
    breaks: (good) => ({
      listLocations: async (mapId, page) => {
        const { after } = page;
        const list = await wholeList(good, mapId);
        const isThere =
          after === null || after.sequence === 0 || list.some((item) => bySequence(item, after) === 0);
        return good.listLocations(mapId, isThere ? page : { ...page, after: null });
      },
    }),
  },
  {
    name: 'equal orders are listed newest first',
    topic: 'orders',
    breaks: (good) => sortedBy(good, (a, b) => byKey(a, b) || bySequence(b, a)),
  },
  {
    name: 'equal orders are listed by time of creation, then by id',
    topic: 'orders',
    breaks: (good) =>
      sortedBy(good, (a: Position, b: Position) => {
        const known = a.id !== undefined && b.id !== undefined;
        const byTime = known ? (a.createdAt ?? 0) - (b.createdAt ?? 0) || (a.id < b.id ? -1 : 1) : 0;
        return byKey(a, b) || byTime || bySequence(a, b);
      }),
  },
  {
    name: 'the list is in order of creation',
    topic: 'orders',
    breaks: (good) => sortedBy(good, bySequence),
  },
  {
    name: 'numbers are compared as doubles',
    topic: 'orders',
    breaks: (good) =>
      sortedBy(good, (a, b) => {
        const byValue = isText(a) || isText(b) ? byKey(a, b) : Math.sign(double(a) - double(b)) || 0;
        return byValue || bySequence(a, b);
      }),
  },
  {
    name: 'numbers are compared as texts',
    topic: 'orders',
    breaks: (good) =>
      sortedBy(good, (a, b) => {
        const [left, right] = [
          String(isText(a) ? text(a) : double(a)),
          String(isText(b) ? text(b) : double(b)),
        ];
        return rank(a, b) || (left < right ? -1 : Number(left > right)) || bySequence(a, b);
      }),
  },
  {
    name: 'texts are compared by UTF-16 units',
    topic: 'orders',
    breaks: (good) =>
      sortedBy(good, (a, b) => {
        const byUnit = a.orderKey < b.orderKey ? -1 : Number(a.orderKey > b.orderKey);
        return byUnit || bySequence(a, b);
      }),
  },
  {
    name: 'texts are compared by locale',
    topic: 'orders',
    breaks: (good) =>
      sortedBy(good, (a, b) => {
        const byText = isText(a) && isText(b) ? text(a).localeCompare(text(b)) : byKey(a, b);
        return byText || bySequence(a, b);
      }),
  },
  {
    name: 'texts come before numbers',
    topic: 'orders',
    breaks: (good) => sortedBy(good, (a, b) => -rank(a, b) || byKey(a, b) || bySequence(a, b)),
  },
  {
    name: 'hasMore ignores the bounds',
    topic: 'paging',
    breaks: (good) => ({ hasLocations: (mapId) => good.hasLocations(mapId, { after: null, before: null }) }),
  },
  {
    name: 'hasMore includes the location at the bound',
    topic: 'paging',
    breaks: (good) => ({
      hasLocations: (mapId, { after, before }) =>
        good.hasLocations(mapId, { after: moved(after, -1), before }),
    }),
  },
  {
    name: 'a location by its number is the next one',
    topic: 'paging',
    breaks: (good) => ({
      locationAt: (mapId, { skipped, fromEnd }) => good.locationAt(mapId, { skipped: skipped + 1, fromEnd }),
    }),
  },
  {
    name: 'a location by its number is only counted from the start',
    topic: 'paging',
    breaks: (good) => ({
      locationAt: (mapId, { skipped }) => good.locationAt(mapId, { skipped, fromEnd: false }),
    }),
  },
  {
    name: 'a count is one too many',
    topic: 'paging',
    breaks: (good) => ({ countLocations: async (mapId) => (await good.countLocations(mapId)) + 1 }),
  },
  {
    name: 'a count ignores deletions in paging',
    topic: 'paging',
    breaks: (good) => {
      let deleted = 0;
      return {
        countLocations: async (mapId) => (await good.countLocations(mapId)) + deleted,
        deleteLocation: async (mapId, id) => {
          const response = await good.deleteLocation(mapId, id);
          if (response.kind === 'deleted') deleted += 1;
          return response;
        },
      };
    },
  },
];
