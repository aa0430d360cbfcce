/** The store's searches: inline where they read little, otherwise as long reads. */

import type { SearchStore } from '../../search.ts';
import { LIST_ORDER } from '../../../domain/filter/location-order.ts';
import { JsonText } from '../../../domain/json/json-text.ts';
import type { StorageScope } from '../../storage.ts';
import type { Database } from '../database.ts';
import type { LongReads, ResumableScan } from '../threads/long-reads.ts';
import { runToCompletion, runWithin } from '../threads/long-reads.ts';
import { findClusters } from './clusters.ts';
import { readColumns } from './columns.ts';
import { countMatchesInline } from './counts.ts';
import type { PageSearch } from './pages.ts';
import { findHitsInline, jsonSearch } from './pages.ts';
import type { SearchPageBytes, HitRow } from './hit-rows.ts';
import { jsonAt, recordsAt, versionsAt } from './hit-rows.ts';
import type { TaskName } from '../threads/tasks.ts';

/** @param timeoutMs time limit of a search */
export function searchStore(database: Database, long: LongReads, timeoutMs: number): SearchStore {
  const runLong = <T>(task: TaskName, input: unknown, scope?: StorageScope) =>
    runWithin<T>({ timeoutMs }, long, { task, input }, scope, scope?.deadline?.searches);
  /** Runs a page search inline; null where it may read much. */
  const inline = <T>(input: PageSearch, render: (hits: readonly HitRow[]) => T): T | null =>
    database.snapshot(() => {
      const hits = findHitsInline(database, input);
      return hits === null ? null : render(hits);
    });
  /** Runs a search inline, and in a thread where it takes more than a few steps. */
  const inSteps = async <T>(steps: ResumableScan<T>, run: () => Promise<T>): Promise<T> => {
    const found = database.snapshot(() => withinSteps(steps, INLINE_STEPS));
    // Null is a result.
    if (found !== undefined) return found;
    return run();
  };
  return {
    findLocations: async (search, page, scope) => {
      const input = { search, page };
      return (
        inline(input, (hits) => runToCompletion(recordsAt(database, hits))) ??
        runLong('findPage', input, scope)
      );
    },
    findLocationsJson: async (search, page, template, scope) => {
      const { json, ...ends } =
        inline(jsonSearch(search, page, template), (hits) => jsonAt(database, hits, page, template)) ??
        (await runLong<SearchPageBytes>('findJson', { search, page, template }, scope));
      return { ...ends, json: new JsonText(json) };
    },
    findVersions: async ({ map, filter }, limit, scope) => {
      const page = { limit, fromEnd: false, after: null, before: null };
      const input = { search: { maps: [map], filter, order: LIST_ORDER }, page };
      return (
        inline(input, (hits) => runToCompletion(versionsAt(database, hits))) ??
        runLong('findVersions', input, scope)
      );
    },
    countMatches: async (search, scope) =>
      database.snapshot(() => countMatchesInline(database, search)) ?? runLong('countMatches', search, scope),
    findClusters: async (query, scope) =>
      inSteps(findClusters(database, query), () => runLong('findClusters', query, scope)),
    readColumns: async (query, scope) =>
      inSteps(readColumns(database, query), () => runLong('readColumns', query, scope)),
  };
}

/** Each step reads at most a thousand rows. */
const INLINE_STEPS = 3;

/** Undefined where it takes more steps. */
function withinSteps<T>(steps: ResumableScan<T>, maxSteps: number): T | undefined {
  for (let taken = 0; taken < maxSteps; taken += 1) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
  return undefined;
}
