/** P8: what is in a box. */

import type { Workload } from '../harness/bench.ts';
import { assertEqual } from '../harness/equality.ts';
import { rtreeOf } from '../harness/rtree.ts';
import { stopAfter } from '../harness/peers.ts';
import { headersOf } from '../harness/request.ts';
import { startOurs, startPeer } from '../harness/subject.ts';
import { measureAgainst } from './against.ts';
import { assertHundred, boxRequests } from './hits.ts';
import { distinctOf, loadOf, onServerCore, sizeNotes, someOf } from './page-load.ts';

const RTREE = 'Fastify by hand, R*Tree';

export const boxes: Workload = {
  id: 'P8',
  async run(bench) {
    const store = await bench.stores.large();
    const options = onServerCore(bench, store);
    bench.progress('the R*Tree is being made, and boxes of 100');
    const requests = boxRequests(store, distinctOf(bench));
    const ours = await startOurs(store.url, options);
    return stopAfter([ours], async () => {
      const env = { DATABASE: store.path, RTREE: rtreeOf(store) };
      const probed = { ...options, probe: requests[0]! };
      const rtree = await startPeer(RTREE, 'fastify-rtree', env, probed);
      return stopAfter([rtree], async () => {
        await assertHundred(ours, requests, store.readToken);
        await assertEqual([ours, rtree], someOf(requests, 200), headersOf(store.readToken), 'json');
        const load = loadOf(bench, 'P8', requests, store.readToken);
        const title = 'boxes with 100 hits, distinct, a page of 100 by GraphQL';
        const goal = { id: 'P8', title, reach: 0.8 };
        const result = await measureAgainst(bench, goal, [ours, rtree], RTREE, load);
        return { ...result, notes: sizeNotes(bench) };
      });
    });
  },
};
