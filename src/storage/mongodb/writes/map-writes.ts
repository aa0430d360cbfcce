/**
 * Records write intents in map documents before locations are written: an intent has the write's sort keys and change
 * numbers. README.md explains the protocol.
 */

import { setTimeout as delay } from 'node:timers/promises';

import type { ServerSessionId } from 'mongodb';

import { storageUnavailable } from '../../../errors.ts';
import { createKeyedMutex } from '../../../lib/keyed-mutex.ts';
import type { MapUnavailable, WriteCall } from '../../storage.ts';
import type { Database } from '../database.ts';
import type { LocationDocument } from '../locations/location-records.ts';
import { sequenceOf } from '../locations/location-records.ts';
import type { Collections, OpenChanges, OpenWrite } from '../schema.ts';
import { applyBatch } from './apply-batch.ts';
import { MapWriteBatcher } from './batcher.ts';
import { LateWrites } from './late-writes.ts';
import type {
  Appended,
  ChangeRequest,
  DeletesRecorded,
  FencedOff,
  IntentRecorded,
  ListRequest,
  Locked,
  NewListEntry,
  NoOp,
  Overtaken,
} from './requests.ts';
import type { WriteIntent } from './write-intent.ts';
import { writeIntent } from './write-intent.ts';

/** The maximum pause before a request for a locked location is repeated. */
const MAX_PAUSE_MS = 30;
/** Far longer than a recovery takes. */
const SETTLE_MS = 10_000;
const SETTLE_PAUSE_MS = 20;
/** Longer than any call may take. */
const MAX_WAIT_MS = 60_000;

/** What a statement that writes locations needs. */
export interface Writer {
  readonly collections: Collections;
  readonly writes: MapWrites;
}

export class MapWrites {
  readonly #batcher: MapWriteBatcher<ListRequest>;
  readonly #late: LateWrites;
  /** Serializes this process's reservations by external id (reservations.ts). */
  readonly oneByOne = createKeyedMutex();

  constructor(database: Database) {
    const context = {
      collections: database.collections,
      mostChanges: database.mostChanges,
      intentOf: this.intentOf.bind(this),
      endTransaction: (session: ServerSessionId) => database.killSession(session),
    };
    this.#batcher = new MapWriteBatcher({
      apply: (mapId, batch, done) => applyBatch(context, mapId, batch, done),
      run: (work) => database.run(work),
    });
    this.#late = new LateWrites(database.lateWriteMs, (mapId, writeId) => {
      // After a failure, the next reader that meets the write tries again.
      database.run(() => this.#recover(mapId, writeId)).catch(() => {});
    });
  }

  /** Assigns sort keys to new locations. A sort key that is assigned and not used has no effect. */
  recordAppend(
    mapId: string,
    locations: readonly NewListEntry[],
    call: WriteCall | undefined,
  ): Promise<Appended | MapUnavailable> {
    return new Promise((resolve, reject) => {
      this.#batcher.add(mapId, { kind: 'append', locations, call, resolve, reject });
    });
  }

  /**
   * For updates, moves and restores. The orders count as used from here on.
   *
   * @returns `overtaken` if `largestNumber` is given and the list has another by now
   */
  recordChanges(
    mapId: string,
    wanted: Omit<ChangeRequest, 'kind' | 'resolve' | 'reject'>,
  ): Promise<IntentRecorded | Overtaken | MapUnavailable> {
    return this.#whenUnlocked(mapId, (pending) =>
      this.#batcher.add(mapId, { kind: 'change', ...wanted, ...pending }),
    );
  }

  /** Records deletes in the given order, up to the first location of another write. */
  recordDeletes(
    mapId: string,
    ids: readonly string[],
    call: WriteCall | undefined,
  ): Promise<DeletesRecorded | MapUnavailable> {
    return this.#whenUnlocked(mapId, (pending) =>
      this.#batcher.add(mapId, { kind: 'delete', ids, call, ...pending }),
    );
  }

  /**
   * For a location that has its sort key already, from an idempotency lock.
   *
   * @returns `no-op` if its id is taken, `fenced` if it must not be inserted any more
   */
  recordInsert(
    mapId: string,
    { _id, place }: LocationDocument,
    claimedUntil: number,
  ): Promise<IntentRecorded | NoOp | FencedOff | MapUnavailable> {
    const sequence = sequenceOf(place);
    return this.#whenUnlocked(mapId, (pending) =>
      this.#batcher.add(mapId, { kind: 'insert', id: _id, sequence, claimedUntil, ...pending }),
    );
  }

  /** The intent of an entry in a map's document. @param parts the number of callers that share it */
  intentOf(mapId: string, write: Pick<OpenWrite, 'id' | 'since'>, parts = 1): WriteIntent {
    return writeIntent(write, parts, (unchanged) => this.#batcher.finish(mapId, write.id, unchanged));
  }

  /** Recovers those of a map's open writes that take too long. @param open all of them */
  noticeOpen(mapId: string, open: readonly Pick<OpenChanges, 'id'>[]): void {
    this.#late.notice(mapId, open);
  }

  /**
   * Closes what was written before this call: its history can be read then. Waits for other processes, which close their
   * writes within a second; a write that is open for longer is recovered.
   */
  async settle(mapId: string): Promise<void> {
    let left: ReadonlySet<string> | null = null;
    for (const end = performance.now() + SETTLE_MS; ;) {
      const open = await new Promise<readonly OpenChanges[]>((resolve, reject) => {
        this.#batcher.add(mapId, { kind: 'settle', resolve, reject });
      });
      left = new Set(open.flatMap(({ id }) => (left === null || left.has(id) ? [id] : [])));
      if (left.size === 0) return;
      this.noticeOpen(mapId, open);
      if (performance.now() > end) throw storageUnavailable();
      await delay(SETTLE_PAUSE_MS);
    }
  }

  /** Closes all done writes. Rejects if one could not be closed. */
  close(): Promise<void> {
    return this.#batcher.close();
  }

  /** Repeats a request until no other write has its locations. */
  async #whenUnlocked<T extends { readonly kind: string }>(
    mapId: string,
    send: (pending: { resolve: (result: T | Locked) => void; reject: (error: unknown) => void }) => void,
  ): Promise<T> {
    const end = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const result = await new Promise<T | Locked>((resolve, reject) => {
        send({ resolve, reject });
      });
      if (!isLocked(result)) return result;
      this.noticeOpen(mapId, result.open);
      if (performance.now() > end) throw storageUnavailable();
      await delay(Math.random() * MAX_PAUSE_MS);
    }
  }

  #recover(mapId: string, writeId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#batcher.add(mapId, { kind: 'recover', writeId, resolve, reject });
    });
  }
}

function isLocked(result: { readonly kind: string }): result is Locked {
  return result.kind === 'locked';
}
