/**
 * The suite for every store: all promises of the port (src/storage/storage.ts) and the contract (§3 to §5). An adapter's
 * test calls {@link storageSuite}; mutants.test.ts tests the suite itself.
 */

import { itUnless } from '../support/skip.ts';
import { accounts } from './storage/accounts.ts';
import { appends } from './storage/appends.ts';
import { changeLog } from './storage/change-log.ts';
import { changeOrder } from './storage/change-order.ts';
import { clusters } from './storage/clusters.ts';
import { columns } from './storage/columns.ts';
import { concurrency } from './storage/concurrency.ts';
import { copies } from './storage/copies.ts';
import { counts } from './storage/counts.ts';
import { deletions } from './storage/deletions.ts';
import type { StorageAdapter, StorageTopic } from './storage/harness.ts';
import { casesFor, runCase } from './storage/harness.ts';
import { searchTopic } from './storage/search.ts';
import { geocodes } from './storage/geocodes.ts';
import { history } from './storage/history.ts';
import { historyModel } from './storage/history-model.ts';
import { invitations } from './storage/invitations.ts';
import { mapLinks } from './storage/map-links.ts';
import { jsonPages } from './storage/json-pages.ts';
import { keyedCalls } from './storage/keyed-calls.ts';
import { idempotency } from './storage/idempotency.ts';
import { locations } from './storage/locations.ts';
import { maps } from './storage/maps.ts';
import { members } from './storage/members.ts';
import { model } from './storage/model.ts';
import { orders } from './storage/orders.ts';
import { ownersAndTokens } from './storage/owners-and-tokens.ts';
import { paging } from './storage/paging.ts';
import { publicView } from './storage/public-view.ts';
import { reopening } from './storage/reopening.ts';
import { revisions } from './storage/revisions.ts';
import { store } from './storage/store.ts';
import { moves } from './storage/moves.ts';
import { movesModel } from './storage/moves-model.ts';
import { exports } from './storage/exports.ts';
import { externalIds } from './storage/external-ids.ts';
import { updates } from './storage/updates.ts';
import { webhooks } from './storage/webhooks.ts';

export type { StorageAdapter } from './storage/harness.ts';

export const STORAGE_TOPICS: readonly StorageTopic[] = [
  orders,
  appends,
  paging,
  jsonPages,
  exports,
  locations,
  updates,
  moves,
  externalIds,
  deletions,
  idempotency,
  keyedCalls,
  counts,
  revisions,
  changeLog,
  changeOrder,
  history,
  maps,
  members,
  invitations,
  mapLinks,
  ownersAndTokens,
  accounts,
  webhooks,
  store,
  copies,
  geocodes,
  searchTopic,
  clusters,
  columns,
  publicView,
  concurrency,
  reopening,
  model,
  movesModel,
  historyModel,
];

/** As slow as all others together, so they have their own test files. */
export const SEARCH_TOPICS: readonly StorageTopic[] = [searchTopic, clusters, columns, publicView];
/** The half with its own test file for a slow store. */
export const CLUSTER_TOPICS: readonly StorageTopic[] = [clusters, columns, publicView];
export const OTHER_TOPICS = STORAGE_TOPICS.filter((topic) => !SEARCH_TOPICS.includes(topic));

/** Registers every case of these topics with Jest. */
export function storageSuite(adapter: StorageAdapter, some: readonly StorageTopic[]): void {
  const { name, skip = {}, reasonToSkip } = adapter;
  assertSkipsExist(skip, casesFor(adapter, STORAGE_TOPICS));
  const topics = casesFor(adapter, some);
  describe(`storage contract: ${name}`, () => {
    for (const { name: topic, cases } of topics) {
      describe(topic, () => {
        for (const storageCase of cases) {
          const reason = skip[storageCase.name] ?? reasonToSkip?.(topic, storageCase);
          itUnless(reason, storageCase.name, () => runCase(adapter, storageCase));
        }
      });
    }
  });
}

/** A renamed case must not stay skipped under its old name. */
function assertSkipsExist(skip: Readonly<Record<string, string>>, topics: readonly StorageTopic[]): void {
  const names = new Set(topics.flatMap(({ cases }) => cases.map(({ name }) => name)));
  for (const [name, reason] of Object.entries(skip)) {
    if (!names.has(name)) throw new Error(`The skipped case "${name}" does not exist.`);
    if (reason.trim() === '') throw new Error(`The case "${name}" is skipped without a reason.`);
  }
}
