/**
 * Fills a store with a backup. The store is marked first, so that no process serves it until it is complete. The next
 * restore starts an interrupted one from the beginning.
 *
 * Revocations of tokens are stored as meta values before anything is removed, so that none is lost if a restore crashes.
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

  const mark = new LivingMark(target, earlier?.revokedLists ?? 0, noticeMs);
  await mark.set();
  onBegun();
  await mark.waitUntilNoticed();
  const revocations = await readRevocations(target, mark.revokedLists);
  await mark.setRevokedLists(await saveRevocations(target, revocations));
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
interface RestoreMark {
  /** New for every restore. */
  readonly id: string;
  /** Increases while the restore runs. */
  readonly beat: number;
  /** Number of meta values that hold revocations. */
  readonly revokedLists: number;
  /** ISO 8601; null while the restore runs. */
  readonly completedAt: string | null;
}

async function readRestoreMark(storage: Storage): Promise<RestoreMark | null> {
  const text = await storage.getMeta(RESTORE_MARK);
  return text === null ? null : (JSON.parse(text) as RestoreMark);
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
    for (let wait = 0; wait < BEATS; wait += 1) {
      await delay(this.#noticeMs / BEATS);
      await this.assertOurs();
    }
  }

  async setRevokedLists(revokedLists: number): Promise<void> {
    this.#mark = { ...this.#mark, revokedLists };
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
    this.#mark = { ...this.#mark, revokedLists: 0, completedAt };
    await this.set();
  }
}

/** The items as they are stored. */
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

/** Tokens per meta value; far below the maximum size of a MongoDB document. */
const TOKENS_PER_LIST = 10_000;

/** Times of revocation in milliseconds since the epoch, by token id. */
type Revocations = ReadonlyMap<string, number>;

function revokedListsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `restore-revoked-${index}`);
}

/** Those of the store's tokens, and those that an interrupted restore has saved. */
async function readRevocations(storage: Storage, savedLists: number): Promise<Revocations> {
  const revocations = new Map<string, number>();
  for (const key of revokedListsOf(savedLists)) {
    const entries = JSON.parse((await storage.getMeta(key)) ?? '[]') as [string, number][];
    for (const [id, revokedAt] of entries) revocations.set(id, revokedAt);
  }
  for (const { id, revokedAt } of await storage.listTokens()) {
    if (revokedAt !== null && !revocations.has(id)) revocations.set(id, revokedAt);
  }
  return revocations;
}

/** @returns the number of lists */
async function saveRevocations(storage: Storage, revocations: Revocations): Promise<number> {
  const entries = [...revocations];
  const count = Math.ceil(entries.length / TOKENS_PER_LIST);
  for (const [index, key] of revokedListsOf(count).entries()) {
    const part = entries.slice(index * TOKENS_PER_LIST, (index + 1) * TOKENS_PER_LIST);
    await storage.setMeta(key, JSON.stringify(part));
  }
  return count;
}
