/** Mutants with wrong JSON pages. */

import { JsonText } from '../../../src/domain/json/json-text.ts';
import type { LocationsJson, Storage } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';

type Read = Storage['listLocationsJson'];

const topic = 'pages as JSON';
const changing = (
  good: Storage,
  change: (page: LocationsJson) => LocationsJson,
): { listLocationsJson: Read } => ({
  listLocationsJson: async (...given) => change(await good.listLocationsJson(...given)),
});
const changingText = (good: Storage, change: (text: string) => string) =>
  changing(good, (page) => ({ ...page, json: new JsonText(change(page.json.text)) }));

export const jsonPageMutants: readonly Mutant[] = [
  {
    name: 'a control character is not escaped',
    topic,
    breaks: (good) => changingText(good, (text) => text.replace(String.raw`\u0001`, '\u0001')),
  },
  {
    name: 'a character is escaped needlessly',
    topic,
    breaks: (good) => changingText(good, (text) => text.replace('ü', String.raw`\u00fc`)),
  },
  {
    name: 'milliseconds are left out',
    topic,
    breaks: (good) => changingText(good, (text) => text.replaceAll(/\.\d{3}Z"/g, 'Z"')),
  },
  {
    name: 'the provider is read only with the precision',
    topic,
    breaks: (good) => ({
      listLocationsJson: async (mapId, page, template) => {
        const values = template.parts.flatMap((part) => ('value' in part ? [part.value] : []));
        if (values.includes('provider') && !values.includes('precision'))
          throw new TypeError('No precision.');
        return good.listLocationsJson(mapId, page, template);
      },
    }),
  },
  {
    name: 'coordinates have 15 digits',
    topic,
    breaks: (good) =>
      changingText(good, (text) =>
        text.replaceAll(/-?\d+\.\d{15,}/g, (digits) => String(Number(Number(digits).toPrecision(15)))),
      ),
  },
  {
    name: 'a small coordinate has an exponent',
    topic,
    breaks: (good) => changingText(good, (text) => text.replace('"0.0000001"', '"1e-7"')),
  },
  {
    name: 'a page from the end is read backwards',
    topic,
    breaks: (good) => ({
      listLocationsJson: async (mapId, page, template) => {
        const found = await good.listLocationsJson(mapId, page, template);
        if (!page.fromEnd) return found;
        const items = JSON.parse(found.json.text) as unknown[];
        return { ...found, json: new JsonText(JSON.stringify(items.reverse())) };
      },
    }),
  },
  {
    name: 'the last location of a page is returned as the next',
    topic,
    breaks: (good) =>
      changing(good, (page) => ({
        ...page,
        next: page.next && page.last && { ...page.last, order: page.next.order },
      })),
  },
  {
    name: 'a full page always has a next location',
    topic,
    breaks: (good) => ({
      listLocationsJson: async (mapId, page, template) => {
        const found = await good.listLocationsJson(mapId, page, template);
        const isFull = found.count === page.limit && found.last !== null;
        return {
          ...found,
          next: found.next ?? (isFull ? { ...found.last, order: '1' } : null),
        };
      },
    }),
  },
  {
    name: 'no page has a next location',
    topic,
    breaks: (good) => changing(good, (page) => ({ ...page, next: null })),
  },
  {
    name: 'first and last of equal orders are swapped',
    topic,
    breaks: (good) =>
      changing(good, (page) =>
        page.first?.orderKey === page.last?.orderKey ? { ...page, first: page.last, last: page.first } : page,
      ),
  },
  {
    name: 'an empty page is no array',
    topic,
    breaks: (good) => changingText(good, (text) => (text === '[]' ? '' : text)),
  },
  {
    name: 'a page is cached after a write',
    topic,
    breaks: (good) => {
      const cache = new Map<string, Promise<LocationsJson>>();
      return {
        listLocationsJson: (mapId, page, template) => {
          const key = JSON.stringify([mapId, page, template.key]);
          const page1 = cache.get(key) ?? good.listLocationsJson(mapId, page, template);
          cache.set(key, page1);
          return page1;
        },
      };
    },
  },
];
