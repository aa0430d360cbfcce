/**
 * One subscriber's way through a map's log. What came before it read the log by itself, at its own pace. When it has
 * caught up, it is given the pages that are read for all. One that falls behind goes back to the log, which keeps the
 * changes: so a slow one holds no memory but for what it is being told.
 */

import { ServiceError } from '../../errors.ts';
import type { ChangeOffset } from '../../storage/changes.ts';
import { mapUnavailableError } from '../maps/map-service.ts';
import { ChangesPage } from './changes-page.ts';
import type { LocationChange } from './location-change.ts';
import { resyncAt } from './location-change.ts';
import type { MapLog } from './map-log.ts';

/** Changes that a subscriber reads at once where it reads alone. */
const READ_ALONE = 20;

/** Who is told. */
export interface Reader {
  /** Whether it has not yet taken all that was sent to it. */
  isBlocked(): boolean;
}

/** The reader that stands at the log's end, for all who have caught up. */
export interface LogEnd {
  readonly log: MapLog;
  /** How far it has read. */
  readonly place: ChangeOffset;
  /** From now on the follower is given what is read. */
  join(follower: Follower): void;
  /** Called once, whether it has joined or not. */
  leave(follower: Follower): void;
}

/** A subscriber who had caught up has left too many changes waiting since. */
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
  /** How far it has taken changes out of the log. */
  #place: ChangeOffset;
  /** The same before it took its page. */
  #before: ChangeOffset;
  #page: ChangesPage | null = null;
  /** Of the page, in part told already. */
  #changes: readonly LocationChange[] = [];
  #next = 0;
  #hasJoined = false;
  /** True where changes were read for all that it has to read by itself. */
  #isBehind = false;
  /** Changes that came after it had caught up and that it was not told yet. */
  #waiting = 0;
  #wake: ((page: ChangesPage | null) => void) | null = null;
  #hasEnded = false;
  #error: { readonly thrown: unknown } | null = null;

  /**
   * @param place from which it goes on
   * @param isNew true where it has not read the map before that place: it is told to
   * @param maxWaiting how many changes may wait when it has caught up
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

  /** @throws SlowReaderError; MAP_DELETED or MAP_NOT_FOUND when the map is gone */
  async next(): Promise<IteratorResult<LocationChange, undefined>> {
    try {
      while (this.#next === this.#changes.length && !this.#hasEnded) await this.#goOn();
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

  /** True while it has something to tell, and its reader could take it. */
  get isWorking(): boolean {
    return this.#isBusy && !this.#reader.isBlocked();
  }

  /** True while it waits for its reader. */
  get isBlocked(): boolean {
    return this.#isBusy && this.#reader.isBlocked();
  }

  /** Gives it what was read for all. To be called when it has joined. */
  give(page: ChangesPage): void {
    const news = page.changes.length - page.firstAfter(this.#place);
    if (news === 0) return;
    this.#waiting += news;
    if (this.#waiting >= this.#maxWaiting) this.stop(new SlowReaderError(this.#waiting));
    else if (this.#wake === null) this.#isBehind = true;
    else this.#wakeUp(page);
  }

  /** Lets go of what its reader does not take. It reads that again when the reader has. */
  letGo(): void {
    const page = this.#page;
    if (page === null || this.#next === this.#changes.length) return;
    const told = page.changes[this.#next - 1];
    // Before the page's first change it stands where the one before it was told.
    this.#place = told ?? this.#before;
    this.#isBehind = true;
    this.#forget();
  }

  /** It has to read by itself from now on, until it has caught up. */
  fallBehind(): void {
    this.#isBehind = true;
    this.#wakeUp(null);
  }

  /** @param error with which it ends; null for none */
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

  async #goOn(): Promise<void> {
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
    if (read.kind === 'too-old') return this.#beginAnew();
    if (read.kind !== 'changes') throw mapUnavailableError(read);
    if (read.changes.length > 0) return this.#take(new ChangesPage(log, read.changes));
    // Nothing stands between the two places: whoever reads for all had come so far before this read.
    if (this.#place.stamp === reached.stamp) this.#place = reached;
    // The log was begun anew, and whoever reads for all will find that soon, too.
    else this.#join();
  }

  /** What it has not taken will be given to it. */
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

  /** The log does not go back so far. */
  async #beginAnew(): Promise<void> {
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

/** False for places of two logs, which cannot be compared. */
function hasReached(place: ChangeOffset, other: ChangeOffset): boolean {
  return place.stamp === other.stamp && place.number >= other.number;
}
