/** Reads the end of one map's log for all who have caught up: a change is read once, however many are told. */

import { setTimeout as delay } from 'node:timers/promises';

import type { ChangeOffset } from '../../storage/changes.ts';
import { mapUnavailableError } from '../maps/map-service.ts';
import { ChangesPage } from './changes-page.ts';
import type { Follower, LogEnd } from './follower.ts';
import type { MapLog } from './map-log.ts';

/** Changes that are read at once. */
const PAGE_SIZE = 100;
/** Milliseconds that a page waits for readers who do not take the page before it. */
const PATIENCE_MS = 50;
/** Milliseconds between two looks at whether all have taken a page. */
const LOOK_MS = 5;

export class Tail implements LogEnd {
  readonly log: MapLog;
  readonly #joined = new Set<Follower>();
  readonly #onLeave: () => void;
  #place: ChangeOffset;
  #isAsked = false;
  #isReading = false;
  #hasClosed = false;

  /**
   * @param place from which it reads
   * @param onLeave called when a follower has left
   */
  constructor(log: MapLog, place: ChangeOffset, onLeave: () => void) {
    this.log = log;
    this.#place = place;
    this.#onLeave = onLeave;
  }

  get place(): ChangeOffset {
    return this.#place;
  }

  join(follower: Follower): void {
    this.#joined.add(follower);
  }

  leave(follower: Follower): void {
    this.#joined.delete(follower);
    this.#onLeave();
  }

  /** There may be something to read. */
  look(): void {
    this.#isAsked = true;
    if (!this.#isReading) void this.#readAll();
  }

  close(): void {
    this.#hasClosed = true;
    this.log.close();
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#isAsked && !this.#hasClosed) await this.#read();
    } catch (error) {
      // Reading fails only where the log was closed meanwhile.
      if (!this.#hasClosed) throw error;
    } finally {
      this.#isReading = false;
    }
  }

  async #read(): Promise<void> {
    this.#isAsked = false;
    const read = await this.log.readChanges(this.#place, PAGE_SIZE);
    if (read.kind === 'too-old') return this.#beginAnew();
    if (read.kind !== 'changes') {
      for (const follower of this.#joined) follower.stop(mapUnavailableError(read));
      return;
    }
    const last = read.changes.at(-1);
    if (last === undefined) return;
    this.#place = last;
    const page = new ChangesPage(this.log, read.changes);
    for (const follower of this.#joined) follower.give(page);
    this.#isAsked = true;
    await this.#untilTaken();
  }

  /** The log was begun anew, or was cut while nobody could read it. */
  async #beginAnew(): Promise<void> {
    const last = await this.log.lastChange();
    if (last.kind === 'place') this.#place = last.place;
    for (const follower of this.#joined) follower.fallBehind();
    this.#isAsked = true;
  }

  /**
   * Waits until all have told what they were given. So nobody falls behind because this process is slow, but those alone
   * who do not take what is sent to them. These have a little time.
   */
  async #untilTaken(): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    const isAwaited = (follower: Follower) =>
      follower.isWorking || (follower.isBlocked && performance.now() < until);
    while (!this.#hasClosed && [...this.#joined].some(isAwaited)) await delay(LOOK_MS);
    for (const follower of this.#joined) if (follower.isBlocked) follower.letGo();
  }
}
