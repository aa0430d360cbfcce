/** P8: pages of the locations in a box. */

import type { Workload } from '../harness/bench.ts';
import { assertEqual } from '../harness/equality.ts';
import { FASTIFY_SEARCH, startSearchPeer, stopAfter } from '../harness/peers.ts';
import { headersOf } from '../harness/request.ts';
import { startOurs } from '../harness/subject.ts';
import { measureRatio } from './ratio-workload.ts';
import { assertHits, boxRequests } from './search-requests.ts';
import { distinctOf, loadOf, onServerCore, sizeNotes, sampleOf } from './page-load.ts';

export const boxes: Workload = {
  id: 'P8',
  async run(bench) {
    const store = await bench.stores.large();
    const options = onServerCore(bench, store);
    bench.progress('creating the peer’s indexes and boxes with 100 hits');
    const requests = boxRequests(store, distinctOf(bench));
    const ours = await startOurs(store.url, options);
    return stopAfter([ours], async () => {
      const peer = await startSearchPeer(store, options, requests[0]!);
      return stopAfter([peer], async () => {
        await assertHits(ours, requests, store.readToken);
        await assertEqual([ours, peer], sampleOf(requests, 200), headersOf(store.readToken), 'json');
        const load = loadOf(bench, 'P8', requests, store.readToken);
        const title = 'boxes with 100 hits, distinct, a page of 100 by GraphQL';
        const goal = { id: 'P8', title, target: 0.8 };
        const result = await measureRatio(bench, goal, [ours, peer], FASTIFY_SEARCH, load);
        return { ...result, notes: sizeNotes(bench) };
      });
    });
  },
};
