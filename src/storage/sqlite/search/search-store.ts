/** Finding locations in SQLite: what reads little at once, and what may take long beside the event loop. */

import type { SearchStore } from '../../search.ts';
import { LIST_ORDER } from '../../../domain/filter/location-order.ts';
import { JsonText } from '../../../domain/json/json-text.ts';
import type { StorageScope } from '../../storage.ts';
import type { Connection } from '../connection.ts';
import type { LongReads } from '../threads/long-reads.ts';
import { runWithin } from '../threads/run-within.ts';
import { findClusters } from './clusters.ts';
import type { PageSearch } from './page-search.ts';
import { jsonSearch } from './page-search.ts';
import type { SearchPageBytes, HitRow } from './hit-rows.ts';
import { jsonAt, recordsAt, versionsAt } from './hit-rows.ts';
import { countMatchesInline, findHitsInline } from './inline-search.ts';
import type { ResumableScan } from './resumable-scan.ts';
import { runToCompletion } from './resumable-scan.ts';
import type { SEARCH_TASKS } from './tasks.ts';

/** @param timeoutMs that a search may take */
export function searchStore(connection: Connection, long: LongReads, timeoutMs: number): SearchStore {
  const runLong = <T>(task: keyof typeof SEARCH_TASKS, input: unknown, scope?: StorageScope) =>
    runWithin<T>({ timeoutMs }, long, { task, input }, scope, scope?.deadline?.searches);
  /** Finds a page, and reads what is to be told of it. Null where that may take long. */
  const inline = <T>(input: PageSearch, tell: (hits: readonly HitRow[]) => T): T | null =>
    connection.snapshot(() => {
      const hits = findHitsInline(connection, input);
      return hits === null ? null : tell(hits);
    });
  return {
    findLocations: async (search, page, scope) => {
      const input = { search, page };
      return (
        inline(input, (hits) => runToCompletion(recordsAt(connection, hits))) ??
        runLong('findPage', input, scope)
      );
    },
    findLocationsJson: async (search, page, template, scope) => {
      const { json, ...ends } =
        inline(jsonSearch(search, page, template), (hits) => jsonAt(connection, hits, page, template)) ??
        (await runLong<SearchPageBytes>('findJson', { search, page, template }, scope));
      return { ...ends, json: new JsonText(json) };
    },
    findVersions: async ({ map, filter }, limit, scope) => {
      const page = { limit, fromEnd: false, after: null, before: null };
      const input = { search: { maps: [map], filter, order: LIST_ORDER }, page };
      return (
        inline(input, (hits) => runToCompletion(versionsAt(connection, hits))) ??
        runLong('findVersions', input, scope)
      );
    },
    countMatches: async (search, scope) =>
      connection.snapshot(() => countMatchesInline(connection, search)) ??
      runLong('countMatches', search, scope),
    findClusters: async (query, scope) => {
      const quick = connection.snapshot(() => withinSteps(findClusters(connection, query), INLINE_STEPS));
      return quick === undefined ? runLong('findClusters', query, scope) : quick;
    },
  };
}

/** Each reads a thousand rows at most. */
const INLINE_STEPS = 3;

/** Undefined where it takes more steps than that. */
function withinSteps<T>(steps: ResumableScan<T>, most: number): T | undefined {
  for (let taken = 0; taken < most; taken += 1) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
  return undefined;
}
