/** Asking a map's document for places in its list and its log, and announcing writes to it, before locations are written. */

import { setTimeout as delay } from 'node:timers/promises';

import type { ServerSessionId } from 'mongodb';

import { storageUnavailable } from '../../errors.ts';
import type { MapUnavailable } from '../storage.ts';
import type { WriteIntent } from './write-intent.ts';
import { writeIntent } from './write-intent.ts';
import type { Database } from './database.ts';
import type { LocationDocument } from './documents.ts';
import { changeList } from './list-change.ts';
import type { OpenWrite } from './list-count.ts';
import { MapWriteBatcher } from './map-write-batcher.ts';
import type {
  IntentRecorded,
  RemovalsRecorded,
  Appended,
  Appending,
  ChangeRequest,
  FencedOff,
  ListRequest,
  Locked,
  NoOp,
  Overtaken,
} from './list-requests.ts';
import { LateWrites } from './late-writes.ts';
import type { OpenChanges } from './map-log.ts';
import { sequenceOf } from './stored-sort-key.ts';

/** The longest pause before a location that others write is asked for again. */
const LONGEST_PAUSE_MS = 30;
/** Longer than any call may take. */
const LONGEST_WAIT_MS = 60_000;

export class ListStates {
  readonly #lanes: MapWriteBatcher<ListRequest>;
  readonly #late: LateWrites;

  constructor(database: Database) {
    const changing = {
      collections: database.collections,
      mostChanges: database.mostChanges,
      recorded: this.recorded.bind(this),
      endTransaction: (session: ServerSessionId) => database.killSession(session),
    };
    this.#lanes = new MapWriteBatcher({
      change: (mapId, batch, done) => changeList(changing, mapId, batch, done),
      run: (work) => database.run(work),
    });
    this.#late = new LateWrites(database.lateWriteMs, (mapId, writeId) => {
      // What cannot be judged now is judged later: the next reader finds it still there.
      database.run(() => this.#judge(mapId, writeId)).catch(() => {});
    });
  }

  /**
   * Gives each location its sort key and its place in the log, and announces that it will be stored there. A sort key that
   * is given and then not used stays unused: no reader can tell.
   */
  append(mapId: string, locations: readonly Appending[]): Promise<Appended | MapUnavailable> {
    return new Promise((resolve, reject) => {
      this.#lanes.add(mapId, { kind: 'append', locations, resolve, reject });
    });
  }

  /**
   * Announces changes of locations that stay, and the orders that they get. `overtaken` where a largest number is given,
   * and the list has another by now.
   */
  recordChanges(
    mapId: string,
    wanted: Pick<ChangeRequest, 'changes' | 'orders' | 'largestNumber' | 'session'>,
  ): Promise<IntentRecorded | Overtaken | MapUnavailable> {
    return this.#unlocked(mapId, (asked) => this.#lanes.add(mapId, { kind: 'change', ...wanted, ...asked }));
  }

  /** Records that locations will be removed, in the order given, up to the first that others are writing. */
  recordRemovals(mapId: string, ids: readonly string[]): Promise<RemovalsRecorded | MapUnavailable> {
    return this.#unlocked(mapId, (asked) => this.#lanes.add(mapId, { kind: 'remove', ids, ...asked }));
  }

  /**
   * Announces that a location will be stored at a sort key that it was given before; `nothing` where its id is taken,
   * `fenced` where it must not be stored any more.
   */
  recordStoring(
    mapId: string,
    { _id, place }: LocationDocument,
    claimedUntil: number,
  ): Promise<IntentRecorded | NoOp | FencedOff | MapUnavailable> {
    const sequence = sequenceOf(place);
    return this.#unlocked(mapId, (asked) =>
      this.#lanes.add(mapId, { kind: 'store', id: _id, sequence, claimedUntil, ...asked }),
    );
  }

  /** The write that an entry of a map's document announces. @param parts callers that share it */
  recorded(mapId: string, write: Pick<OpenWrite, 'id' | 'since'>, parts = 1): WriteIntent {
    return writeIntent(write, parts, (unchanged) => this.#lanes.settle(mapId, write.id, unchanged));
  }

  /** Has those of a map's open writes settled that take too long. */
  noticeOpen(mapId: string, open: readonly Pick<OpenChanges, 'id'>[]): void {
    this.#late.notice(mapId, open);
  }

  /** Settles the writes that are done. Rejects where something could not be settled. */
  close(): Promise<void> {
    return this.#lanes.close();
  }

  /** Asks again until nobody else writes the locations. */
  async #unlocked<T extends { readonly kind: string }>(
    mapId: string,
    ask: (asked: { resolve: (answer: T | Locked) => void; reject: (error: unknown) => void }) => void,
  ): Promise<T> {
    const end = performance.now() + LONGEST_WAIT_MS;
    for (;;) {
      const answer = await new Promise<T | Locked>((resolve, reject) => {
        ask({ resolve, reject });
      });
      if (!isLocked(answer)) return answer;
      this.noticeOpen(mapId, answer.open);
      if (performance.now() > end) throw storageUnavailable();
      await delay(Math.random() * LONGEST_PAUSE_MS);
    }
  }

  #judge(mapId: string, writeId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#lanes.add(mapId, { kind: 'recover', writeId, resolve, reject });
    });
  }
}

function isLocked(answer: { readonly kind: string }): answer is Locked {
  return answer.kind === 'locked';
}
