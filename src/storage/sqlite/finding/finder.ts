/** Finding locations in SQLite: what reads little at once, and what may take long beside the event loop. */

import type { LocationFinder } from '../../finding.ts';
import { LIST_ORDER } from '../../../domain/filter/location-order.ts';
import type { StorageScope } from '../../storage.ts';
import type { Connection } from '../connection.ts';
import type { LongReads } from '../threads/long-reads.ts';
import { runWithin } from '../threads/run-within.ts';
import { findClusters } from './clusters.ts';
import { countQuickly, findPageQuickly } from './quick.ts';
import type { Steps } from './steps.ts';
import type { FINDING_TASKS } from './tasks.ts';

export function finderStatements(connection: Connection, long: LongReads): LocationFinder {
  const runLong = <T>(task: keyof typeof FINDING_TASKS, input: unknown, scope?: StorageScope) =>
    runWithin<T>(connection, long, task, input, scope);
  const findLocations: LocationFinder['findLocations'] = async (search, page, scope) => {
    const input = { search, page };
    return connection.read(() => findPageQuickly(connection, input)) ?? runLong('findPage', input, scope);
  };
  return {
    findLocations,
    countFound: async (search, scope) =>
      connection.read(() => countQuickly(connection, search)) ?? runLong('countFound', search, scope),
    findVersions: async ({ map, filter }, limit, scope) => {
      const page = { limit, fromEnd: false, after: null, before: null };
      const found = await findLocations({ maps: [map], filter, order: LIST_ORDER }, page, scope);
      return found.map(({ location: { id, version } }) => ({ id, version }));
    },
    findClusters: async (query, scope) => {
      const quick = connection.read(() => withinSteps(findClusters(connection, query), QUICK_STEPS));
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
