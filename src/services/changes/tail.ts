/** Reads the end of a map's log for all subscribers that have caught up: each change is read once. */

import { setTimeout as delay } from 'node:timers/promises';

import type { ChangeOffset } from '../../storage/changes.ts';
import { mapUnavailableError } from '../caller.ts';
import type { Follower, LogEnd } from './follower.ts';
import type { MapLog } from './map-log.ts';
import { ChangesPage } from './map-log.ts';

/** Changes per read. */
const PAGE_SIZE = 100;
/** Milliseconds that a page waits for clients that have not received the one before. */
const SLOW_CLIENT_MS = 50;
/** Milliseconds between two checks whether all clients have received a page. */
const CHECK_MS = 5;

export class Tail implements LogEnd {
  readonly log: MapLog;
  readonly #joined = new Set<Follower>();
  readonly #onLeave: () => void;
  #place: ChangeOffset;
  #isPolled = false;
  #isReading = false;
  #hasClosed = false;

  /**
   * @param place offset to start after
   * @param onLeave called when a follower leaves
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

  /** Reads new changes, if there are any. */
  poll(): void {
    this.#isPolled = true;
    if (!this.#isReading) void this.#readAll();
  }

  close(): void {
    this.#hasClosed = true;
    this.log.close();
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#isPolled && !this.#hasClosed) await this.#read();
    } catch (error) {
      // Reads fail only once the log is closed.
      if (!this.#hasClosed) throw error;
    } finally {
      this.#isReading = false;
    }
  }

  async #read(): Promise<void> {
    this.#isPolled = false;
    const read = await this.log.readChanges(this.#place, PAGE_SIZE);
    if (read.kind === 'too-old') return this.#restart();
    if (read.kind !== 'changes') {
      for (const follower of this.#joined) follower.stop(mapUnavailableError(read));
      return;
    }
    const last = read.changes.at(-1);
    if (last === undefined) return;
    this.#place = last;
    const page = new ChangesPage(this.log, read.changes);
    for (const follower of this.#joined) follower.receive(page);
    this.#isPolled = true;
    await this.#untilSent();
  }

  /** The log was reset, or truncated while the store was unreachable. */
  async #restart(): Promise<void> {
    const last = await this.log.lastChange();
    if (last.kind === 'place') this.#place = last.place;
    for (const follower of this.#joined) follower.fallBehind();
    this.#isPolled = true;
  }

  /**
   * Waits until all followers have sent the page, so that they fall behind only if their client is slow, not if this
   * process is. Slow clients get a little time.
   */
  async #untilSent(): Promise<void> {
    const until = performance.now() + SLOW_CLIENT_MS;
    const isAwaited = (follower: Follower) =>
      follower.isWorking || (follower.isBlocked && performance.now() < until);
    while (!this.#hasClosed && [...this.#joined].some(isAwaited)) await delay(CHECK_MS);
    for (const follower of this.#joined) if (follower.isBlocked) follower.releasePage();
  }
}
