/** Tests of the storage suite: broken adapters, and a run that names the case that detects each. */

import { openSqliteStorage } from '../../src/storage/sqlite/storage.ts';
import { accountMutants } from './mutants/accounts.ts';
import { appends } from './mutants/appends.ts';
import { changeLogMutants } from './mutants/change-log.ts';
import { changes } from './mutants/changes.ts';
import { clusterMutants } from './mutants/clusters.ts';
import { columnMutants } from './mutants/columns.ts';
import { countMutants } from './mutants/counts.ts';
import { exportMutants } from './mutants/exports.ts';
import { historyMutants } from './mutants/history.ts';
import { searchJsonMutants } from './mutants/search-json.ts';
import { searchFilterMutants } from './mutants/search-filters.ts';
import { searchPageMutants } from './mutants/search-pages.ts';
import { searchWriteMutants } from './mutants/search-writes.ts';
import { idempotency } from './mutants/idempotency.ts';
import { invitationMutants } from './mutants/invitations.ts';
import { mapLinkMutants } from './mutants/map-links.ts';
import { jsonPageMutants } from './mutants/json-pages.ts';
import { keyedCallMutants } from './mutants/keyed-calls.ts';
import { lists } from './mutants/lists.ts';
import { maps } from './mutants/maps.ts';
import { memberMutants } from './mutants/members.ts';
import { moveMutants } from './mutants/moves.ts';
import type { Mutant } from './mutants/mutant.ts';
import { mutate } from './mutants/mutant.ts';
import { records } from './mutants/records.ts';
import { revisionMutants } from './mutants/revisions.ts';
import { store } from './mutants/store.ts';
import { webhookMutants } from './mutants/webhooks.ts';
import { STORAGE_TOPICS } from './storage-suite.ts';
import type { StorageAdapter, StorageCase } from './storage/harness.ts';
import { casesFor, runCase } from './storage/harness.ts';

export const MUTANTS: readonly Mutant[] = [
  ...lists,
  ...jsonPageMutants,
  ...exportMutants,
  ...searchJsonMutants,
  ...records,
  ...changes,
  ...moveMutants,
  ...appends,
  ...idempotency,
  ...keyedCallMutants,
  ...countMutants,
  ...revisionMutants,
  ...changeLogMutants,
  ...historyMutants,
  ...maps,
  ...memberMutants,
  ...invitationMutants,
  ...mapLinkMutants,
  ...store,
  ...webhookMutants,
  ...accountMutants,
  ...searchFilterMutants,
  ...searchPageMutants,
  ...searchWriteMutants,
  ...clusterMutants,
  ...columnMutants,
];

/** A failing case with its failure. */
export interface Failure {
  readonly topic: string;
  readonly case: string;
  readonly message: string;
}

/** The adapter that mutants are based on. */
export const IN_MEMORY: StorageAdapter = {
  name: 'sqlite, in memory',
  open: ({ mostChanges }) => openSqliteStorage('sqlite::memory:', { timeoutMs: 5000, mostChanges }),
};

export function mutantAdapter(mutant: Mutant, good: StorageAdapter): StorageAdapter {
  const { reopen } = good;
  return {
    name: mutant.name,
    open: async (options) => mutate(mutant, await good.open(options)),
    reopen: reopen && (async (storage) => mutate(mutant, await reopen(storage))),
  };
}

/**
 * Runs the suite, the named topic first, until a case fails.
 *
 * @param options.onlyThat leaves the other topics out
 * @param options.without leaves these cases out
 * @returns the first failure; null where every case passes
 */
export async function firstFailure(
  adapter: StorageAdapter,
  firstTopic?: string,
  { onlyThat = false, without = [] }: { onlyThat?: boolean; without?: readonly StorageCase[] } = {},
): Promise<Failure | null> {
  const topics = casesFor(adapter, STORAGE_TOPICS);
  if (firstTopic !== undefined && !topics.some(({ name }) => name === firstTopic)) {
    throw new Error(`The suite has no topic "${firstTopic}".`);
  }
  const isFirst = ({ name }: { readonly name: string }) => name === firstTopic;
  const inTurn = topics.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
  for (const topic of onlyThat ? inTurn.filter(isFirst) : inTurn) {
    for (const storageCase of topic.cases) {
      if (without.includes(storageCase)) continue;
      const message = await failureOf(adapter, storageCase);
      if (message !== null) return { topic: topic.name, case: storageCase.name, message };
    }
  }
  return null;
}

async function failureOf(adapter: StorageAdapter, storageCase: StorageCase): Promise<string | null> {
  try {
    await runCase(adapter, storageCase);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
