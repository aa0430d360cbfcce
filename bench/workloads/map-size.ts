/** P14: searches of a map of a million locations against the same of one of ten thousand. */

import type { Bench, Workload } from '../harness/bench.ts';
import { circlesOf } from '../harness/search-areas.ts';
import { stopAfter } from '../harness/peers.ts';
import type { HttpRequest } from '../harness/request.ts';
import { formatNumber, ratioGoal, rowsOf } from '../harness/result.ts';
import { measureRounds } from '../harness/rounds.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import { startOurs } from '../harness/subject.ts';
import { assertHits, nearRequests, propertyRequests, searchRequests } from './search-requests.ts';
import { distinctOf, loadOf, onServerCore, sizeNotes } from './page-load.ts';

const TARGET = 0.6;
/** The small map has few distinct words: with a page cache, only cached responses would be measured. */
const WITHOUT_PAGE_CACHE = { PAGE_CACHE_BYTES: '0' };

const SEARCHES: Readonly<Record<string, (store: SqliteStore, size: number, bench: Bench) => HttpRequest[]>> =
  {
    near: (store, _size, bench) => nearRequests(store.mapId, circlesOf(store, distinctOf(bench))),
    search: searchRequests,
    'property eq': propertyRequests,
  };

export const mapSize: Workload = {
  id: 'P14',
  async run(bench) {
    const { largeMap, smallMap } = bench.options.sizes;
    const sizes = [largeMap, smallMap];
    const stores = [await bench.stores.large(), await bench.stores.small()];
    const subjects = await Promise.all(
      stores.map((store) => startOurs(store.url, onServerCore(bench, store), WITHOUT_PAGE_CACHE)),
    );
    return stopAfter(subjects, async () => {
      const contenders = [];
      for (const [search, requestsOf] of Object.entries(SEARCHES)) {
        for (const [index, subject] of subjects.entries()) {
          const { readToken } = stores[index]!;
          const size = sizes[index]!;
          const requests = requestsOf(stores[index]!, size, bench);
          await assertHits(subject, requests, readToken);
          const name = `${search}, ${formatNumber(size)}`;
          contenders.push({ name, subject, load: loadOf(bench, `P14-${name}`, requests, readToken) });
        }
      }
      const measured = await measureRounds(bench, contenders);
      return {
        id: 'P14',
        title: `P13’s pages, a map of ${formatNumber(largeMap)} against one of ${formatNumber(smallMap)}`,
        goals: Object.keys(SEARCHES).map((search, index) =>
          ratioGoal(`itself, ${search}`, measured[2 * index], measured[2 * index + 1], TARGET),
        ),
        rows: rowsOf(measured),
        notes: ['without a page cache (PAGE_CACHE_BYTES=0) in both', ...sizeNotes(bench)],
      };
    });
  },
};
