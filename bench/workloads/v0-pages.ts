/** P1 and P2: pages of 100 through /v0. */

import type { Bench, Workload } from '../harness/bench.ts';
import { assertEqual } from '../harness/equality.ts';
import { v0Page } from '../harness/pages.ts';
import { FASTIFY, FASTIFY_SCHEMA, startCeiling, startOnSqlite, stopAfter } from '../harness/peers.ts';
import type { HttpRequest } from '../harness/request.ts';
import { headersOf } from '../harness/request.ts';
import type { WorkloadResult } from '../harness/result.ts';
import type { RatioWorkload } from './ratio-workload.ts';
import { measureRatio } from './ratio-workload.ts';
import { loadOf, onServerCore, pageStartsOf, sampleOf, startMapWriter } from './page-load.ts';

interface Variant extends RatioWorkload {
  readonly isChanging: boolean;
}

const VARIANTS: readonly Variant[] = [
  { id: 'P1', title: '/v0 pages of 100, distinct, of a changing map', target: 1.8, isChanging: true },
  { id: 'P2', title: 'the same page of /v0, unchanged', target: 5, isChanging: false },
];

export const v0Pages: readonly Workload[] = VARIANTS.map((variant) => ({
  id: variant.id,
  run: (bench) => run(bench, variant),
}));

async function run(bench: Bench, variant: Variant): Promise<WorkloadResult> {
  const { id, isChanging } = variant;
  const store = await bench.stores.pages();
  const headers = headersOf(store.readToken);
  const subjects = await startOnSqlite(store.path, [FASTIFY, FASTIFY_SCHEMA], onServerCore(bench, store));
  return stopAfter(subjects, async () => {
    const [ours] = subjects;
    const starts = await pageStartsOf(ours!, store);
    const pages: HttpRequest[] = starts.map((start) => v0Page(store.mapId, start));
    const first = { path: `/v0/map/${store.mapId}/locations?limit=100` };
    const last = v0Page(store.mapId, { order: String(bench.options.sizes.map - 49) });
    await assertEqual(subjects, [first, last, ...sampleOf(pages)], headers, 'bytes');

    const ceiling = await startCeiling(bench, ours!, pages[0]!, headers);
    const writers = isChanging ? [await startMapWriter(bench, store, bench.options.sizes.map)] : [];
    return stopAfter([ceiling, ...writers], async () => {
      const load = loadOf(bench, id, isChanging ? pages : [pages[0]!], store.readToken);
      return measureRatio(bench, variant, [...subjects, ceiling], FASTIFY, load);
    });
  });
}
