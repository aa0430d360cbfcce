/** P5: a page costs the same at the start and the end of a large map. */

import type { Workload } from '../harness/bench.ts';
import { distinctPages, PAGE_SIZE, v0Page } from '../harness/pages.ts';
import { startOnSqlite, stopAfter } from '../harness/peers.ts';
import { formatNumber, ratioGoal, rowsOf } from '../harness/result.ts';
import { measureRounds } from '../harness/rounds.ts';
import { loadOf, onServerCore, sizeNotes } from './page-load.ts';

/** Distinct pages at each end, so that a response cache does not help. */
const PAGES = 10_000;

export const depth: Workload = {
  id: 'P5',
  async run(bench) {
    const { largeMap } = bench.options.sizes;
    const store = await bench.stores.large();
    const subjects = await startOnSqlite(store.path, [], onServerCore(bench, store));
    return stopAfter(subjects, async () => {
      const [subject] = subjects;
      // The import numbered the locations from 1.
      const load = (name: string, firstOrder: number) => {
        const starts = Array.from({ length: PAGES + PAGE_SIZE - 1 }, (_, index) => ({
          order: String(firstOrder + index),
          after: null,
        }));
        const requests = distinctPages(starts, PAGES).map((start) => v0Page(store.mapId, start));
        return loadOf(bench, name, requests, store.readToken);
      };
      const lastPage = formatNumber(largeMap / PAGE_SIZE);
      const measured = await measureRounds(bench, [
        { name: 'around page 1', subject: subject!, load: load('first-pages', 1) },
        {
          name: `around page ${lastPage}`,
          subject: subject!,
          load: load('last-pages', largeMap - PAGES - PAGE_SIZE + 1),
        },
      ]);
      const [first, last] = measured;
      return {
        id: 'P5',
        title: `page ${lastPage} of /v0 against page 1, one map of ${formatNumber(largeMap)}`,
        goals: [ratioGoal('itself', last, first, 0.9)],
        rows: rowsOf(measured),
        notes: sizeNotes(bench),
      };
    });
  },
};
