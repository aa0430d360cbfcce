/**
 * Fills a store with a backup. The store is marked first, so that nobody serves it until it is whole. What was begun and
 * not completed is begun again by the next restore.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { isKeyCounting } from '../../domain/idempotency.ts';
import type { Storage, StoredItem } from '../../storage/storage.ts';
import { loadItems } from '../store/load-items.ts';
import type { StoreCounts } from '../store/store-digests.ts';
import { RESTORE_MARK, STORE_ID } from '../store/store-marks.ts';
import type { CheckedBackup } from './check.ts';
import { distinctExternalIds } from './external-ids.ts';
import { BackupFileError } from './format.ts';
import { readBackup } from './read.ts';
import type { RestoreMark } from './restore-mark.ts';
import { readRestoreMark, writeRestoreMark } from './restore-mark.ts';
import type { Revocations } from './revoked-tokens.ts';
import { keepRevocations, readRevocations, revokedListsOf } from './revoked-tokens.ts';

export interface RestoreOptions {
  /** Whether a store that holds data is emptied. Otherwise it is refused. */
  readonly replace: boolean;
  /**
   * Milliseconds until every process that serves the store has found the mark, and what it had under way has ended.
   * Within this time a restore that lives also gives a sign of it.
   */
  readonly noticeMs: number;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Called when the store is marked, so that from then on it has been changed. */
  readonly onBegun?: () => void;
  /** Called after each batch of items, with the counts so far. */
  readonly onProgress?: (counts: StoreCounts) => void;
}

export type RestoreResult =
  | {
      readonly kind: 'restored';
      readonly counts: StoreCounts;
      /** Locations of the backup that have lost their external id, since another one had it by then. */
      readonly withoutExternalId: number;
    }
  /** The store was not changed. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Another restore has taken the store. */
export class OvertakenRestoreError extends Error {
  constructor() {
    super('Another restore of the same store has begun meanwhile; this one has stopped.');
  }
}

/**
 * @param target is opened by this caller alone, without a guard
 * @throws BackupFileError where the file is not as it was checked any more, OvertakenRestoreError, ServiceError: the store
 *   is then not served, and is to be restored again
 */
export async function restoreBackup(
  backup: CheckedBackup,
  target: Storage,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const { noticeMs, clock = Date.now, onBegun = () => {}, onProgress = () => {} } = options;
  const earlier = await readRestoreMark(target);
  const refusal = await whyRefuse(target, earlier, options);
  if (refusal !== null) return { kind: 'refused', reason: refusal };

  const mark = new LivingMark(target, earlier?.revokedLists ?? 0, noticeMs);
  await mark.set();
  onBegun();
  await mark.waitUntilNoticed();
  const revocations = await readRevocations(target, mark.revokedLists);
  await mark.setRevokedLists(await keepRevocations(target, revocations));
  await target.removeAll([STORE_ID, RESTORE_MARK, ...revokedListsOf(mark.revokedLists)]);

  const externalIds = distinctExternalIds(target);
  const counts = await loadItems(itemsOf(backup, revocations, clock()), target, {
    onProgress,
    async prepare(batch) {
      await mark.assertOurs();
      return externalIds.inBatch(batch);
    },
  });
  for (const list of revokedListsOf(mark.revokedLists)) await target.removeMeta(list);
  await mark.complete(new Date(clock()).toISOString());
  return { kind: 'restored', counts, withoutExternalId: externalIds.removed() };
}

/** @returns null where it may be filled */
async function whyRefuse(
  target: Storage,
  earlier: RestoreMark | null,
  { replace, noticeMs }: RestoreOptions,
): Promise<string | null> {
  if (earlier?.completedAt === null) {
    await delay(noticeMs);
    // One that lives has shown it by now, or is complete.
    const lives = JSON.stringify(await readRestoreMark(target)) !== JSON.stringify(earlier);
    return lives ? 'Another restore of the store is under way.' : null;
  }
  if (replace || (await target.isEmpty())) return null;
  return 'The store holds data. A restore needs an empty one, or --replace, which removes all that it holds.';
}

/** So often a restore that waits shows that it lives. */
const WAITS = 4;

/** The mark of this restore. */
class LivingMark {
  readonly #target: Storage;
  readonly #noticeMs: number;
  #mark: RestoreMark;
  #beatAt = 0;

  constructor(target: Storage, revokedLists: number, noticeMs: number) {
    this.#target = target;
    this.#noticeMs = noticeMs;
    this.#mark = { id: randomUUID(), beat: 0, revokedLists, completedAt: null };
  }

  get revokedLists(): number {
    return this.#mark.revokedLists;
  }

  set(): Promise<void> {
    this.#beatAt = performance.now();
    return writeRestoreMark(this.#target, this.#mark);
  }

  async waitUntilNoticed(): Promise<void> {
    for (let wait = 0; wait < WAITS; wait += 1) {
      await delay(this.#noticeMs / WAITS);
      await this.assertOurs();
    }
  }

  async setRevokedLists(revokedLists: number): Promise<void> {
    this.#mark = { ...this.#mark, revokedLists };
    await this.set();
  }

  /** Also shows now and then that this restore lives. @throws OvertakenRestoreError */
  async assertOurs(): Promise<void> {
    const stored = await readRestoreMark(this.#target);
    if (stored?.id !== this.#mark.id) throw new OvertakenRestoreError();
    if (performance.now() - this.#beatAt < this.#noticeMs / WAITS / 2) return;
    this.#mark = { ...this.#mark, beat: this.#mark.beat + 1 };
    await this.set();
  }

  async complete(completedAt: string): Promise<void> {
    await this.assertOurs();
    this.#mark = { ...this.#mark, revokedLists: 0, completedAt };
    await this.set();
  }
}

/** The items as they are to be stored. */
async function* itemsOf(
  { open, sha256, ends }: CheckedBackup,
  revocations: Revocations,
  now: number,
): AsyncGenerator<StoredItem> {
  for await (const part of readBackup(open)) {
    if (part.kind === 'end' && part.sha256 !== sha256) {
      throw new BackupFileError('was changed while it was read.');
    }
    if (part.kind !== 'item') continue;
    const { item } = part;
    if (item.kind === 'map') yield { ...item, end: ends.get(item.map.id) ?? item.end };
    else if (item.kind === 'token') {
      const revokedAt = item.token.revokedAt ?? revocations.get(item.token.id) ?? null;
      yield { kind: 'token', token: { ...item.token, revokedAt } };
    } else if (item.kind !== 'idempotency' || isKeyCounting(item.expiresAt, now)) yield item;
  }
}
