/** P12: the GraphQL endpoint against the same operation on the /v0 endpoint. */

import type { Workload } from '../harness/bench.ts';
import { assertEqual } from '../harness/equality.ts';
import { v0Page } from '../harness/pages.ts';
import { startOnSqlite, stopAfter } from '../harness/peers.ts';
import { headersOf } from '../harness/request.ts';
import { ratioGoal, rowsOf } from '../harness/result.ts';
import { measureRounds } from '../harness/rounds.ts';
import { pageAsV0 } from './graphql-operations.ts';
import { loadOf, onServerCore, pageStartsOf, sampleOf, startMapWriter } from './page-load.ts';

export const endpoints: Workload = {
  id: 'P12',
  async run(bench) {
    const store = await bench.stores.pages();
    const subjects = await startOnSqlite(store.path, [], onServerCore(bench, store));
    return stopAfter(subjects, async () => {
      const [subject] = subjects;
      const starts = await pageStartsOf(subject!, store);
      const overV0 = starts.map((start) => v0Page(store.mapId, start));
      const overGraphql = starts.map((start) => pageAsV0(store.mapId, start));
      const headers = headersOf(store.readToken);
      await assertEqual([subject!], [...sampleOf(overV0), ...sampleOf(overGraphql)], headers, 'json');
      const writer = await startMapWriter(bench, store, bench.options.sizes.map);
      return stopAfter([writer], async () => {
        const measured = await measureRounds(bench, [
          {
            name: 'GraphQL',
            subject: subject!,
            load: loadOf(bench, 'P12-graphql', overGraphql, store.readToken),
          },
          { name: '/v0', subject: subject!, load: loadOf(bench, 'P12-v0', overV0, store.readToken) },
        ]);
        const [throughGraphql, throughV0] = measured;
        return {
          id: 'P12',
          title: 'the GraphQL endpoint against the same operation on /v0, pages as in P1',
          goals: [ratioGoal('/v0', throughGraphql, throughV0, 0.6)],
          rows: rowsOf(measured),
          notes: [],
        };
      });
    });
  },
};
