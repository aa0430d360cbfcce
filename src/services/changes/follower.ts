/**
 * One subscriber of a map's log. It first reads the log by itself, at its own pace. Once it has caught up, it receives the
 * pages that are read for all subscribers. If it falls behind, it reads the log by itself again, so a slow subscriber
 * holds only the page it is sending.
 */

import { ServiceError } from '../../errors.ts';
import type { ChangeOffset } from '../../storage/changes.ts';
import { mapUnavailableError } from '../caller.ts';
import type { LocationChange, MapLog } from './map-log.ts';
import { ChangesPage, resyncAt } from './map-log.ts';

/** Changes per read of a subscriber that reads by itself. */
const READ_ALONE = 20;

/** The client of a subscription. */
export interface Reader {
  /** Whether it has not received everything that was sent. */
  isBlocked(): boolean;
}

/** The shared reader at the end of the log, for subscribers that have caught up. */
export interface LogEnd {
  readonly log: MapLog;
  /** Offset up to which it has read. */
  readonly place: ChangeOffset;
  /** The follower receives all further pages. */
  join(follower: Follower): void;
  /** Called once, whether the follower has joined or not. */
  leave(follower: Follower): void;
}

/** Too many changes wait for a subscriber that had caught up. */
export class SlowReaderError extends ServiceError {
  constructor(waiting: number) {
    super('RATE_LIMITED', `${waiting} changes wait to be read; subscribe again from the last cursor.`);
  }
}

const END = { done: true, value: undefined } as const;

export class Follower implements AsyncIterableIterator<LocationChange> {
  readonly #end: LogEnd;
  readonly #reader: Reader;
  readonly #maxWaiting: number;
  /** Offset of the last change taken from the log. */
  #place: ChangeOffset;
  /** The same, before the current page. */
  #before: ChangeOffset;
  #page: ChangesPage | null = null;
  /** Of the current page; those before `#next` are sent. */
  #changes: readonly LocationChange[] = [];
  #next = 0;
  #hasJoined = false;
  /** Whether it has missed shared pages and must read the log by itself. */
  #isBehind = false;
  /** Changes that arrived since it caught up and are not sent yet. */
  #waiting = 0;
  #wake: ((page: ChangesPage | null) => void) | null = null;
  #hasEnded = false;
  #error: { readonly thrown: unknown } | null = null;

  /**
   * @param place offset to start after
   * @param isNew whether to send `resync` first
   * @param maxWaiting changes that may wait once it has caught up
   */
  constructor(end: LogEnd, place: ChangeOffset, isNew: boolean, reader: Reader, maxWaiting: number) {
    this.#end = end;
    this.#place = place;
    this.#before = place;
    this.#reader = reader;
    this.#maxWaiting = maxWaiting;
    if (isNew) this.#changes = [resyncAt(end.log.mapId, place)];
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** @throws SlowReaderError; ServiceError MAP_DELETED, MAP_NOT_FOUND */
  async next(): Promise<IteratorResult<LocationChange, undefined>> {
    try {
      while (this.#next === this.#changes.length && !this.#hasEnded) await this.#advance();
    } catch (error) {
      this.stop(error);
    }
    const change = this.#changes[this.#next];
    if (this.#hasEnded || change === undefined) return this.#last();
    this.#next += 1;
    this.#waiting = Math.max(0, this.#waiting - 1);
    return { done: false, value: change };
  }

  return(): Promise<IteratorResult<LocationChange, undefined>> {
    this.stop(null);
    return Promise.resolve(END);
  }

  /** Whether it has changes to send, and its client can receive them. */
  get isWorking(): boolean {
    return this.#isBusy && !this.#reader.isBlocked();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether it waits for its client. */
  get isBlocked(): boolean {
    return this.#isBusy && this.#reader.isBlocked();
  }

  /** Receives a shared page, once it has joined. */
  receive(page: ChangesPage): void {
    const fresh = page.changes.length - page.firstAfter(this.#place);
    if (fresh === 0) return;
    this.#waiting += fresh;
    if (this.#waiting >= this.#maxWaiting) this.stop(new SlowReaderError(this.#waiting));
    else if (this.#wake === null) this.#isBehind = true;
    else this.#wakeUp(page);
  }

  /** Releases the page that its client does not receive. It reads those changes again later. */
  releasePage(): void {
    const page = this.#page;
    if (page === null || this.#next === this.#changes.length) return;
    const sent = page.changes[this.#next - 1];
    this.#place = sent ?? this.#before;
    this.#isBehind = true;
    this.#forget();
  }

  /** Makes it read by itself until it has caught up. */
  fallBehind(): void {
    this.#isBehind = true;
    this.#wakeUp(null);
  }

  /** @param error thrown by {@link next}; null for none */
  stop(error: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#error = error === null ? null : { thrown: error };
    this.#forget();
    this.#wakeUp(null);
    this.#end.leave(this);
  }

  get #isBusy(): boolean {
    return this.#wake === null && !this.#hasEnded;
  }

  #last(): IteratorResult<LocationChange, undefined> {
    const error = this.#error;
    this.#error = null;
    if (error !== null) throw error.thrown;
    return END;
  }

  async #advance(): Promise<void> {
    this.#forget();
    if (!this.#hasJoined || this.#isBehind) return this.#readAlone();
    const page = await new Promise<ChangesPage | null>((resolve) => {
      this.#wake = resolve;
    });
    if (page !== null) await this.#take(page);
  }

  #wakeUp(page: ChangesPage | null): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.(page);
  }

  async #readAlone(): Promise<void> {
    const { log, place: reached } = this.#end;
    if (hasReached(this.#place, reached)) return this.#join();
    const read = await log.readChanges(this.#place, READ_ALONE);
    if (read.kind === 'too-old') return this.#resync();
    if (read.kind !== 'changes') throw mapUnavailableError(read);
    if (read.changes.length > 0) return this.#take(new ChangesPage(log, read.changes));
    // The shared reader was at `reached` before this read, so there is nothing in between.
    if (this.#place.stamp === reached.stamp) this.#place = reached;
    // The log was reset; the shared reader will notice on its next poll.
    else this.#join();
  }

  /** Further pages come from the shared reader. */
  #join(): void {
    this.#isBehind = false;
    if (this.#hasJoined || this.#hasEnded) return;
    this.#hasJoined = true;
    this.#end.join(this);
  }

  async #take(page: ChangesPage): Promise<void> {
    const first = page.firstAfter(this.#place);
    const last = page.changes.at(-1);
    if (last === undefined || first === page.changes.length) return;
    const changes = await page.loaded;
    if (this.#hasEnded) return;
    this.#before = this.#place;
    this.#place = last;
    this.#page = page;
    this.#changes = changes;
    this.#next = first;
  }

  /** The log no longer has the changes after the offset. */
  async #resync(): Promise<void> {
    const last = await this.#end.log.lastChange();
    if (last.kind !== 'place') throw mapUnavailableError(last);
    this.#place = last.place;
    this.#waiting = 0;
    this.#changes = [resyncAt(this.#end.log.mapId, last.place)];
    this.#next = 0;
  }

  #forget(): void {
    this.#page = null;
    this.#changes = [];
    this.#next = 0;
  }
}

/** False for offsets of different logs, which cannot be compared. */
function hasReached(place: ChangeOffset, other: ChangeOffset): boolean {
  return place.stamp === other.stamp && place.number >= other.number;
}
