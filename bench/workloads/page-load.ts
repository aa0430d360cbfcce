/** Shared by the workloads that read pages: options, distinct pages, loads, the writer. */

import { join } from 'node:path';

import type { Bench } from '../harness/bench.ts';
import { DISTINCT } from '../harness/search-areas.ts';
import type { PageStart } from '../harness/pages.ts';
import { distinctPages, walkMap } from '../harness/pages.ts';
import type { HttpRequest } from '../harness/request.ts';
import { headersOf } from '../harness/request.ts';
import { formatNumber } from '../harness/result.ts';
import type { SqliteStore } from '../harness/filled-store.ts';
import type { Subject, SubjectOptions } from '../harness/subject.ts';
import type { Writer } from '../harness/writer.ts';
import { startWriter } from '../harness/writer.ts';
import { writeRequests } from '../harness/wrk.ts';

/** So many that none repeats within a round. */
export const DISTINCT_PAGES = 50_000;

const walks = new Map<string, Promise<PageStart[]>>();

/** Where the distinct pages start, in request order. */
export async function pageStartsOf(ours: Subject, store: SqliteStore): Promise<PageStart[]> {
  const walk = walks.get(store.path) ?? walkMap(ours, store.readToken, store.mapId);
  walks.set(store.path, walk);
  return distinctPages(await walk, DISTINCT_PAGES);
}

export function onServerCore(bench: Bench, store: SqliteStore): SubjectOptions {
  return optionsOf(bench, store, bench.cores.server);
}

export function optionsOf({ folder }: Bench, store: SqliteStore, core: number | 'any'): SubjectOptions {
  return { core, folder, probe: mapRequest(store.mapId), headers: headersOf(store.readToken) };
}

/** A request that every subject with /v0 supports. */
function mapRequest(mapId: string): HttpRequest {
  return { path: `/v0/map/${mapId}/locations?limit=1` };
}

export function graphqlProbe(bench: Bench, store: SqliteStore): SubjectOptions {
  const body = JSON.stringify({ query: '{ __typename }' });
  return { ...onServerCore(bench, store), probe: { path: '/graphql', body } };
}

export function startMapWriter(bench: Bench, store: SqliteStore, size: number): Promise<Writer> {
  const options = optionsOf(bench, store, bench.cores.generator);
  return startWriter({ ...store, mapIds: [store.mapId], size }, options);
}

/** Writes the requests to a file in the run's folder. */
export function loadOf(bench: Bench, name: string, requests: readonly HttpRequest[], token: string) {
  const file = join(bench.folder, `${name.replace(/[^A-Za-z0-9-]+/g, '-')}.txt`);
  writeRequests(file, requests);
  return { file, count: requests.length, headers: headersOf(token) };
}

/** Number of boxes, circles and viewports. */
export function distinctOf({ options }: Bench): number {
  return options.quick ? DISTINCT / 10 : DISTINCT;
}

/** The note of a quick run about its large map. */
export function sizeNotes({ options }: Bench): string[] {
  return options.quick ? [`a map of ${formatNumber(options.sizes.largeMap)} in place of 1,000,000`] : [];
}

/** An evenly spread sample, to check before a measurement. */
export function sampleOf<T>(items: readonly T[], count = 20): T[] {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_item, index) => index % step === 0).slice(0, count);
}
