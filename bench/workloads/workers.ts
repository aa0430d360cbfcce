/** P11: two workers against one. */

import type { Workload } from '../harness/bench.ts';
import { assertEqual } from '../harness/equality.ts';
import { stopAfter } from '../harness/peers.ts';
import { headersOf } from '../harness/request.ts';
import { ratioGoal, rowsOf } from '../harness/result.ts';
import { measureRounds } from '../harness/rounds.ts';
import { startOurs } from '../harness/subject.ts';
import { allFieldsPage } from './graphql-operations.ts';
import { loadOf, optionsOf, pageStartsOf, sampleOf, startMapWriter } from './page-load.ts';

const TITLE = 'P3’s workload, two workers against one, requests per CPU second';

export const workers: Workload = {
  id: 'P11',
  async run(bench) {
    const store = await bench.stores.pages();
    // On both cores, since two workers on one core would only take turns.
    const options = optionsOf(bench, store, 'any');
    const one = await startOurs(store.url, options, { WORKERS: '1' });
    const two = await startOurs(store.url, options, { WORKERS: '2' });
    return stopAfter([one, two], async () => {
      const starts = await pageStartsOf(one, store);
      const requests = starts.map((start) => allFieldsPage(store.mapId, start));
      await assertEqual([one, two], sampleOf(requests), headersOf(store.readToken), 'bytes');
      const load = loadOf(bench, 'P11', requests, store.readToken);
      const writer = await startMapWriter(bench, store, bench.options.sizes.map);
      return stopAfter([writer], async () => {
        const measured = await measureRounds(bench, [
          { name: 'one worker', subject: one, load },
          { name: 'two workers', subject: two, load },
        ]);
        const [single, double] = measured;
        return {
          id: 'P11',
          title: TITLE,
          goals: [ratioGoal('itself', double, single, 0.85, 'perCpuSecond')],
          rows: rowsOf(measured),
          notes: [],
        };
      });
    });
  },
};
