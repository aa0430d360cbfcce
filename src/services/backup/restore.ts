/**
 * Fills a store with a backup. The store is marked first, so that no process serves it until it is complete. The next
 * restore starts an interrupted one from the beginning.
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
import type { SavedLists, WithdrawnAccess } from './withdrawn-access.ts';
import {
  disableAccounts,
  keysOf,
  NO_LISTS,
  readWithdrawnAccess,
  saveWithdrawnAccess,
} from './withdrawn-access.ts';

export interface RestoreOptions {
  /** Whether to empty a store that holds data; otherwise it is refused. */
  readonly replace: boolean;
  /**
   * Milliseconds until every serving process has found the mark and finished its calls. A running restore updates its
   * mark more often than that.
   */
  readonly noticeMs: number;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Called once the store is marked, which is its first change. */
  readonly onBegun?: () => void;
  /** Called after each batch of items, with the counts so far. */
  readonly onProgress?: (counts: StoreCounts) => void;
}

export type RestoreResult =
  | {
      readonly kind: 'restored';
      readonly counts: StoreCounts;
      /** Locations that lost their external id because an earlier one has it. */
      readonly withoutExternalId: number;
    }
  /** Nothing was changed. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Another restore of the store has started. */
export class OvertakenRestoreError extends Error {
  constructor() {
    super('Another restore of the same store has started; this one has stopped.');
  }
}

/**
 * @param target opened without a guard
 * @throws BackupFileError if the file has changed since it was checked; OvertakenRestoreError, ServiceError. The store is
 *   not served until another restore completes
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

  const mark = new LivingMark(target, earlier ?? NO_LISTS, noticeMs);
  await mark.set();
  onBegun();
  await mark.waitUntilNoticed();
  const withdrawn = await readWithdrawnAccess(target, mark.lists);
  await mark.setLists(await saveWithdrawnAccess(target, withdrawn));
  await target.removeAll([STORE_ID, RESTORE_MARK, ...keysOf(mark.lists)]);

  const externalIds = distinctExternalIds(target);
  const counts = await loadItems(itemsOf(backup, withdrawn, clock()), target, {
    onProgress,
    async prepare(batch) {
      await mark.assertOurs();
      return externalIds.inBatch(batch);
    },
  });
  await mark.assertOurs();
  await disableAccounts(target, withdrawn.disabledAccounts, clock());
  for (const key of keysOf(mark.lists)) await target.removeMeta(key);
  await mark.complete(new Date(clock()).toISOString());
  return { kind: 'restored', counts, withoutExternalId: externalIds.removed() };
}

/** @returns why the store cannot be restored; null if it can */
async function whyRefuse(
  target: Storage,
  earlier: RestoreMark | null,
  { replace, noticeMs }: RestoreOptions,
): Promise<string | null> {
  if (earlier?.completedAt === null) {
    await delay(noticeMs);
    // A running restore has updated its mark by now, or has completed.
    const isRunning = JSON.stringify(await readRestoreMark(target)) !== JSON.stringify(earlier);
    return isRunning ? 'Another restore of the store is under way.' : null;
  }
  if (replace || (await target.isEmpty())) return null;
  return 'The store holds data. Restore into an empty store, or use --replace, which deletes all data first.';
}

/**
 * The mark of a store that is being restored. Until `completedAt` is set, the store is not served: no process starts to
 * serve it, and serving processes find the mark (guard.ts). A restore that crashes leaves it behind.
 */
interface RestoreMark extends SavedLists {
  /** New for every restore. */
  readonly id: string;
  /** Increases while the restore runs. */
  readonly beat: number;
  /** ISO 8601; null while the restore runs. */
  readonly completedAt: string | null;
}

async function readRestoreMark(storage: Storage): Promise<RestoreMark | null> {
  const text = await storage.getMeta(RESTORE_MARK);
  // Marks of earlier releases have no disabledLists.
  return text === null ? null : { ...NO_LISTS, ...(JSON.parse(text) as RestoreMark) };
}

function writeRestoreMark(storage: Storage, mark: RestoreMark): Promise<void> {
  return storage.setMeta(RESTORE_MARK, JSON.stringify(mark));
}

/** Updates of the mark within the notice time. */
const BEATS = 4;

/** The mark of this restore, updated while it runs. */
class LivingMark {
  readonly #target: Storage;
  readonly #noticeMs: number;
  #mark: RestoreMark;
  #beatAt = 0;

  constructor(target: Storage, { revokedLists, disabledLists }: SavedLists, noticeMs: number) {
    this.#target = target;
    this.#noticeMs = noticeMs;
    this.#mark = { id: randomUUID(), beat: 0, revokedLists, disabledLists, completedAt: null };
  }

  get lists(): SavedLists {
    return this.#mark;
  }

  set(): Promise<void> {
    this.#beatAt = performance.now();
    return writeRestoreMark(this.#target, this.#mark);
  }

  async waitUntilNoticed(): Promise<void> {
    for (let wait = 0; wait < BEATS; wait += 1) {
      await delay(this.#noticeMs / BEATS);
      await this.assertOurs();
    }
  }

  async setLists(lists: SavedLists): Promise<void> {
    this.#mark = { ...this.#mark, ...lists };
    await this.set();
  }

  /** Also updates the mark from time to time. @throws OvertakenRestoreError */
  async assertOurs(): Promise<void> {
    const stored = await readRestoreMark(this.#target);
    if (stored?.id !== this.#mark.id) throw new OvertakenRestoreError();
    if (performance.now() - this.#beatAt < this.#noticeMs / BEATS / 2) return;
    this.#mark = { ...this.#mark, beat: this.#mark.beat + 1 };
    await this.set();
  }

  async complete(completedAt: string): Promise<void> {
    await this.assertOurs();
    this.#mark = { ...this.#mark, ...NO_LISTS, completedAt };
    await this.set();
  }
}

/** The items as they are stored. */
async function* itemsOf(
  { open, sha256, ends }: CheckedBackup,
  { revocations }: WithdrawnAccess,
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
