/** P13: pages of what was found against pages of the list. */

import type { Workload } from '../harness/bench.ts';
import { circlesOf } from '../harness/hundred.ts';
import { distinctPages, startsOfImported } from '../harness/pages.ts';
import { stopAfter } from '../harness/peers.ts';
import type { WorkloadResult } from '../harness/result.ts';
import { ratioGoal, rowsOf } from '../harness/result.ts';
import { measureRounds } from '../harness/rounds.ts';
import { startOurs } from '../harness/subject.ts';
import { listedPage } from './graphql-operations.ts';
import { assertHundred, nearRequests, propertyRequests, searchRequests } from './hits.ts';
import { DISTINCT_PAGES, distinctOf, loadOf, onServerCore, sizeNotes } from './page-load.ts';

const REACH = 0.33;
const LIST = 'a page of the list';
/** Its ratio is shown, and there is no goal for it. */
const BY_DISTANCE = 'near, by distance';

export const finding: Workload = {
  id: 'P13',
  async run(bench) {
    const { largeMap } = bench.options.sizes;
    const store = await bench.stores.large();
    bench.progress('circles of 100 are being made');
    const circles = circlesOf(store, distinctOf(bench));
    const found = {
      near: nearRequests(store.mapId, circles),
      search: searchRequests(store, largeMap),
      'property eq': propertyRequests(store, largeMap),
      [BY_DISTANCE]: nearRequests(store.mapId, circles, { by: 'distance' }),
    };
    const listed = distinctPages(startsOfImported(store.mapId, largeMap), DISTINCT_PAGES).map((start) =>
      listedPage(store.mapId, start),
    );
    const ours = await startOurs(store.url, onServerCore(bench, store));
    return stopAfter([ours], async () => {
      await assertHundred(ours, listed, store.readToken, false);
      for (const requests of Object.values(found)) await assertHundred(ours, requests, store.readToken);
      const contenders = Object.entries({ [LIST]: listed, ...found }).map(([name, requests]) => ({
        name,
        subject: ours,
        load: loadOf(bench, `P13-${name}`, requests, store.readToken),
      }));
      const [list, ...pages] = await measureRounds(bench, contenders);
      const goals = pages
        .filter(({ name }) => name !== BY_DISTANCE)
        .map((page) => ratioGoal(`${page.name} against ${LIST}`, page, list, REACH));
      return {
        id: 'P13',
        title: 'what was found, 100 hits, distinct, by GraphQL',
        goals,
        rows: rowsOf([list!, ...pages]),
        notes: sizeNotes(bench),
      } satisfies WorkloadResult;
    });
  },
};
