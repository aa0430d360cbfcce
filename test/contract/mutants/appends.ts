/** Mutants that put a location without an order at the wrong position. */

import { largerNumber, nextWholeNumber } from '../../../src/domain/list/order.ts';
import type { LocationInsert, Storage } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';
import { changingOutcomes, insertingOneByOne, insertThrough, pause, wholeList } from './mutant.ts';

/** Gives locations without an order one of the mutant's choice. */
function appendingAt(
  good: Storage,
  choose: (mapId: string) => Promise<string | null>,
): Pick<Storage, 'insertLocations'> {
  return {
    insertLocations: insertingOneByOne(good, async (mapId, insert, now) => {
      const order = insert.order ?? (await choose(mapId));
      return insertThrough(good, mapId, { ...insert, order } satisfies LocationInsert, now);
    }),
  };
}

async function largestPresent(good: Storage, mapId: string): Promise<string | null> {
  let largest: string | null = null;
  for (const { order } of await wholeList(good, mapId)) largest = largerNumber(largest, order);
  return largest;
}

async function lastText(good: Storage, mapId: string): Promise<string | null> {
  const last = (await wholeList(good, mapId)).at(-1);
  return last?.orderKey.startsWith('3') ? last.order : null;
}

/** The good store, with the largest number ever used in each map. */
function rememberingLargest(good: Storage) {
  const largest = new Map<string, string | null>();
  const insertLocations = changingOutcomes(good, (outcome) => {
    if (outcome.kind !== 'inserted') return outcome;
    const { mapId, order } = outcome.location;
    largest.set(mapId, largerNumber(largest.get(mapId) ?? null, order));
    return outcome;
  });
  return { largest, store: { ...good, insertLocations } };
}

export const appends: readonly Mutant[] = [
  {
    name: 'an append follows the largest number present, not ever used',
    topic: 'appends',
    breaks: (good) =>
      appendingAt(
        good,
        async (mapId) => (await lastText(good, mapId)) ?? nextWholeNumber(await largestPresent(good, mapId)),
      ),
  },
  {
    name: 'an append counts the locations',
    topic: 'appends',
    breaks: (good) =>
      appendingAt(
        good,
        async (mapId) => (await lastText(good, mapId)) ?? String((await good.countLocations(mapId)) + 1),
      ),
  },
  {
    name: 'an append takes the order after the newest location',
    topic: 'appends',
    breaks: (good) =>
      appendingAt(good, async (mapId) => {
        const newest = (await wholeList(good, mapId)).toSorted((a, b) => b.sequence - a.sequence)[0];
        return newest === undefined || newest.orderKey.startsWith('3') ? null : nextWholeNumber(newest.order);
      }),
  },
  {
    name: 'an append adds 1 to a double',
    topic: 'appends',
    breaks: (good) =>
      appendingAt(good, async (mapId) => {
        const largest = await largestPresent(good, mapId);
        if ((await lastText(good, mapId)) !== null || largest === null) return null;
        return String(Math.floor(Number(largest)) + 1);
      }),
  },
  {
    name: 'an append cuts a fraction off towards zero',
    topic: 'appends',
    breaks: (good) =>
      appendingAt(good, async (mapId) => {
        const largest = await largestPresent(good, mapId);
        if ((await lastText(good, mapId)) !== null || !largest?.startsWith('-')) return null;
        return String(BigInt(largest.split('.')[0]!) + 1n);
      }),
  },
  {
    name: 'an append gets a number also while a text is last',
    topic: 'appends',
    breaks: (good) => {
      const { largest, store } = rememberingLargest(good);
      return appendingAt(store, async (mapId) => nextWholeNumber(largest.get(mapId) ?? null));
    },
  },
  {
    name: 'an append gets the first text, not the last',
    topic: 'appends',
    breaks: (good) =>
      appendingAt(good, async (mapId) => {
        const text = (await wholeList(good, mapId)).find(({ orderKey }) => orderKey.startsWith('3'));
        return text?.order ?? null;
      }),
  },
  {
    name: 'an append gets the same text also after that was deleted',
    topic: 'appends',
    breaks: (good) => {
      const texts = new Map<string, string>();
      return appendingAt(good, async (mapId) => {
        const text = (await lastText(good, mapId)) ?? texts.get(mapId) ?? null;
        if (text !== null) texts.set(mapId, text);
        return text;
      });
    },
  },
  {
    name: 'an append reads the end of the list before it writes, so that two share a position',
    topic: 'concurrency',
    breaks: (good) => {
      const { largest, store } = rememberingLargest(good);
      return appendingAt(store, async (mapId) => {
        const order = (await lastText(good, mapId)) ?? nextWholeNumber(largest.get(mapId) ?? null);
        await pause();
        return order;
      });
    },
  },
  {
    name: 'maps share one count',
    topic: 'appends',
    breaks: (good) => {
      let largest: string | null = null;
      return {
        insertLocations: insertingOneByOne(good, async (mapId, insert, now) => {
          const order = insert.order ?? (await lastText(good, mapId)) ?? nextWholeNumber(largest);
          largest = largerNumber(largest, order);
          return insertThrough(good, mapId, { ...insert, order }, now);
        }),
      };
    },
  },
  {
    name: 'the largest number ever used is forgotten when the store is closed',
    topic: 'reopening',
    persistent: true,
    breaks: (good) => {
      const { largest, store } = rememberingLargest(good);
      return appendingAt(store, async (mapId) => {
        const known = largest.get(mapId) ?? (await largestPresent(good, mapId));
        return (await lastText(good, mapId)) ?? nextWholeNumber(known);
      });
    },
  },
];
