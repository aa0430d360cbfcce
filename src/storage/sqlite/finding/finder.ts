/** Finding locations in SQLite: what reads little at once, and what may take long beside the event loop. */

import type { LocationFinder } from '../../finding.ts';
import { LIST_ORDER } from '../../../domain/filter/location-order.ts';
import { JsonText } from '../../../domain/json-text.ts';
import type { StorageScope } from '../../storage.ts';
import type { Connection } from '../connection.ts';
import type { LongReads } from '../threads/long-reads.ts';
import { runWithin } from '../threads/run-within.ts';
import { findClusters } from './clusters.ts';
import type { PageSearch } from './find.ts';
import { jsonSearch } from './find.ts';
import type { FoundBytes, FoundPlace } from './found-page.ts';
import { jsonAt, recordsAt, versionsAt } from './found-page.ts';
import { countQuickly, findPlacesQuickly } from './quick.ts';
import type { Steps } from './steps.ts';
import { toTheEnd } from './steps.ts';
import type { FINDING_TASKS } from './tasks.ts';

/** @param timeoutMs that a search may take */
export function finderStatements(connection: Connection, long: LongReads, timeoutMs: number): LocationFinder {
  const runLong = <T>(task: keyof typeof FINDING_TASKS, input: unknown, scope?: StorageScope) =>
    runWithin<T>({ timeoutMs }, long, { task, input }, scope, scope?.deadline?.searches);
  /** Finds a page, and reads what is to be told of it. Null where that may take long. */
  const quickly = <T>(input: PageSearch, tell: (places: readonly FoundPlace[]) => T): T | null =>
    connection.snapshot(() => {
      const places = findPlacesQuickly(connection, input);
      return places === null ? null : tell(places);
    });
  return {
    findLocations: async (search, page, scope) => {
      const input = { search, page };
      return (
        quickly(input, (places) => toTheEnd(recordsAt(connection, places))) ??
        runLong('findPage', input, scope)
      );
    },
    findLocationsJson: async (search, page, template, scope) => {
      const { json, ...ends } =
        quickly(jsonSearch(search, page, template), (places) => jsonAt(connection, places, page, template)) ??
        (await runLong<FoundBytes>('findJson', { search, page, template }, scope));
      return { ...ends, json: new JsonText(json) };
    },
    findVersions: async ({ map, filter }, limit, scope) => {
      const page = { limit, fromEnd: false, after: null, before: null };
      const input = { search: { maps: [map], filter, order: LIST_ORDER }, page };
      return (
        quickly(input, (places) => toTheEnd(versionsAt(connection, places))) ??
        runLong('findVersions', input, scope)
      );
    },
    countFound: async (search, scope) =>
      connection.snapshot(() => countQuickly(connection, search)) ?? runLong('countFound', search, scope),
    findClusters: async (query, scope) => {
      const quick = connection.snapshot(() => withinSteps(findClusters(connection, query), QUICK_STEPS));
      return quick === undefined ? runLong('findClusters', query, scope) : quick;
    },
  };
}

/** Each reads a thousand rows at most. */
const QUICK_STEPS = 3;

/** Undefined where it takes more steps than that. */
function withinSteps<T>(steps: Steps<T>, most: number): T | undefined {
  for (let taken = 0; taken < most; taken += 1) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
  return undefined;
}
