/** P3 and P4: other GraphQL servers with our schema. */

import type { Bench, Workload } from '../harness/bench.ts';
import { assertEqual } from '../harness/equality.ts';
import type { PageStart } from '../harness/pages.ts';
import { APOLLO, MERCURIUS, startCeiling, startOnSqlite, stopAfter, YOGA } from '../harness/peers.ts';
import type { HttpRequest } from '../harness/request.ts';
import { headersOf } from '../harness/request.ts';
import type { WorkloadResult } from '../harness/result.ts';
import type { RatioWorkload } from './ratio-workload.ts';
import { measureRatio } from './ratio-workload.ts';
import { allFieldsPage, mapById } from './graphql-operations.ts';
import { graphqlProbe, loadOf, pageStartsOf, sampleOf, startMapWriter } from './page-load.ts';

interface Variant extends RatioWorkload {
  readonly isChanging: boolean;
  requests(mapId: string, starts: readonly PageStart[]): HttpRequest[];
}

const VARIANTS: readonly Variant[] = [
  {
    id: 'P3',
    title: 'GraphQL page of 100, all fields, distinct pages of a changing map',
    target: 1.5,
    isChanging: true,
    requests: (mapId, starts) => starts.map((start) => allFieldsPage(mapId, start)),
  },
  {
    id: 'P4',
    title: 'GraphQL map by id, three fields',
    target: 0.8,
    isChanging: false,
    requests: (mapId) => [mapById(mapId)],
  },
];

export const graphqlWorkloads: readonly Workload[] = VARIANTS.map((variant) => ({
  id: variant.id,
  run: (bench) => run(bench, variant),
}));

async function run(bench: Bench, variant: Variant): Promise<WorkloadResult> {
  const { id, isChanging } = variant;
  const store = await bench.stores.pages();
  const headers = headersOf(store.readToken);
  const subjects = await startOnSqlite(store.path, [MERCURIUS, APOLLO, YOGA], graphqlProbe(bench, store));
  return stopAfter(subjects, async () => {
    const [ours] = subjects;
    const starts = await pageStartsOf(ours!, store);
    const requests = variant.requests(store.mapId, starts);
    const withFirstPage = isChanging ? [allFieldsPage(store.mapId, { after: null })] : [];
    const checked = [...withFirstPage, ...sampleOf(requests)];
    // Twice, because the second execution may be compiled.
    await assertEqual(subjects, [...checked, ...checked], headers, 'json');

    const ceiling = await startCeiling(bench, ours!, requests[0]!, headers);
    const writers = isChanging ? [await startMapWriter(bench, store, bench.options.sizes.map)] : [];
    return stopAfter([ceiling, ...writers], async () => {
      const load = loadOf(bench, id, requests, store.readToken);
      return measureRatio(bench, variant, [...subjects, ceiling], MERCURIUS, load);
    });
  });
}
