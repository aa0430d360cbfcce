/**
 * Writers of one map that record their results, for tests in which the server fails meanwhile: acknowledged writes must
 * be stored, and each other one either stored or not.
 */

import { ServiceError } from '../../src/errors.ts';
import type { LocationRecord } from '../../src/domain/location.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { anUpdate, idsOf, insertOne, listPage, move, updateOne } from '../contract/storage/fixtures.ts';
import { AwaitedList } from './awaited-list.ts';

/** The possible states of a location, from the results of its writes. */
interface Known {
  readonly id: string;
  /** The possible names. */
  readonly names: Set<string>;
  mayBeDeleted: boolean;
}

/** Locations moved by only one mover, in list order. */
interface Row {
  readonly ids: readonly string[];
  /** The order if the last move, whose outcome is unknown, was made. */
  readonly perhaps: readonly string[] | null;
}

export class FailoverWriters {
  readonly #storage: Storage;
  readonly #mapId: string;
  /** Successful calls. */
  readonly done = new AwaitedList<string>();
  /** Calls with an unknown outcome. */
  readonly unknown = new AwaitedList<string>();
  /** Errors that no caller should see. */
  readonly wrong: unknown[] = [];
  /** Duration of the longest call, in milliseconds. */
  longestMs = 0;
  readonly #kept = new Map<string, Known>();
  readonly #deleted = new Set<string>();
  /** Keys of creations without a result. */
  readonly #keys: string[] = [];
  #row: Row = { ids: [], perhaps: null };
  #isOver = false;
  #next = 0;
  #running: Promise<unknown> = Promise.resolve();

  constructor(storage: Storage, mapId: string) {
    this.#storage = storage;
    this.#mapId = mapId;
  }

  start(count: number): void {
    const writers = Array.from({ length: count }, () => this.#work(() => this.#write()));
    this.#running = Promise.all([...writers, this.#moveAbout()]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  /** Repeats creations without a result, with the same keys. To be called when the server is back. */
  async repeat(): Promise<void> {
    for (const key of this.#keys.splice(0)) {
      const outcome = await insertOne(this.#storage, this.#mapId, { key });
      if (!('location' in outcome)) throw new Error(outcome.kind);
      this.#keep(outcome.location);
    }
  }

  /** Compares a list with all recorded results. */
  expectIn(list: readonly LocationRecord[]): void {
    const byId = new Map(list.map((location) => [location.id, location]));
    for (const { id, names, mayBeDeleted } of this.#kept.values()) {
      const location = byId.get(id);
      if (location === undefined && mayBeDeleted) continue;
      expect([...names]).toContain(location?.name);
    }
    expect(list.filter(({ id }) => this.#deleted.has(id))).toEqual([]);
    const known = new Set([...this.#kept.keys(), ...this.#row.ids]);
    expect(idsOf(list).filter((id) => !known.has(id))).toEqual([]);
    const { ids, perhaps } = this.#row;
    const row = idsOf(list).filter((id) => ids.includes(id));
    expect([ids, perhaps]).toContainEqual(row);
  }

  async #work(once: () => Promise<void>): Promise<void> {
    while (!this.#isOver) await once();
  }

  /** The life of one location: created, read, renamed twice and, every other time, deleted. */
  async #write(): Promise<void> {
    const number = (this.#next += 1);
    const key = `key ${number}`;
    const outcome = await this.#call('create', () => insertOne(this.#storage, this.#mapId, { key }));
    if (outcome === null) return void this.#keys.push(key);
    if (!('location' in outcome)) return this.#object(`a creation returned ${outcome.kind}`);
    const { id } = outcome.location;
    const known = this.#keep(outcome.location);
    for (const name of [`${number} once`, `${number} twice`]) await this.#rename(known, name);
    if (number % 2 === 0) await this.#remove(known);
    if (this.#deleted.has(id)) await this.#expectDeleted(id);
  }

  async #rename(known: Known, name: string): Promise<void> {
    const location = await this.#read(known);
    if (location === null) return;
    const outcome = await this.#call('update', () =>
      updateOne(this.#storage, this.#mapId, anUpdate(location, { name })),
    );
    if (outcome === null) return void known.names.add(name);
    // A move of its neighbours may have renumbered it meanwhile.
    if (outcome.kind === 'changed') return;
    if (outcome.kind !== 'updated') return this.#object(`an update returned ${outcome.kind}`);
    known.names.clear();
    known.names.add(name);
  }

  async #remove(known: Known): Promise<void> {
    const outcome = await this.#call('delete', () => this.#storage.deleteLocation(this.#mapId, known.id));
    if (outcome === null) {
      known.mayBeDeleted = true;
      return;
    }
    if (outcome.kind !== 'deleted') return this.#object(`a deletion returned ${outcome.kind}`);
    this.#kept.delete(known.id);
    this.#deleted.add(known.id);
  }

  /** An acknowledged write is visible at once. */
  async #read({ id, names }: Known): Promise<LocationRecord | null> {
    const found = await this.#call('read', () => this.#storage.getLocations(this.#mapId, [id]));
    if (found === null) return null;
    const [location = null] = found;
    if (location === null || !names.has(location.name)) {
      this.#object(`${id} reads as ${location?.name} instead of ${[...names].join(' or ')}`);
    }
    return location;
  }

  async #expectDeleted(id: string): Promise<void> {
    const found = await this.#call('read', () => this.#storage.getLocations(this.#mapId, [id]));
    if (found !== null && found[0] !== null) this.#object(`${id} is read after its deletion`);
  }

  async #moveAbout(): Promise<void> {
    const made = await Promise.all(Array.from({ length: 5 }, () => insertOne(this.#storage, this.#mapId)));
    const ids = made.flatMap((outcome) => ('location' in outcome ? [outcome.location.id] : []));
    this.#row = { ids: await this.#readRow(ids), perhaps: null };
    await this.#work(() => this.#moveFirst());
  }

  /** Moves the first of the row to its end. */
  async #moveFirst(): Promise<void> {
    if (this.#row.perhaps !== null) await this.#findOut();
    const [first, ...others] = this.#row.ids;
    if (first === undefined || this.#row.perhaps !== null) return;
    const moved = [...others, first];
    const outcome = await this.#call('move', () =>
      move(this.#storage, this.#mapId, [{ id: first }], { kind: 'after', id: others.at(-1)! }),
    );
    if (outcome === null) this.#row = { ids: this.#row.ids, perhaps: moved };
    else if (outcome.kind === 'moved') this.#row = { ids: moved, perhaps: null };
    else this.#object(`a move returned ${outcome.kind}`);
  }

  async #findOut(): Promise<void> {
    const { ids, perhaps } = this.#row;
    const row = await this.#call('list', () => this.#readRow(ids));
    if (row === null) return;
    // The move may still be made; the next move decides it.
    if (row.join() !== ids.join() && row.join() !== perhaps?.join())
      this.#object(`the row reads as ${row.join()}`);
    this.#row = { ids: row, perhaps: null };
  }

  async #readRow(ids: readonly string[]): Promise<readonly string[]> {
    return idsOf(await listPage(this.#storage, this.#mapId)).filter((id) => ids.includes(id));
  }

  #keep({ id, name }: LocationRecord): Known {
    const known: Known = { id, names: new Set([name]), mayBeDeleted: false };
    this.#kept.set(id, known);
    return known;
  }

  /** Null if the outcome is unknown. */
  async #call<T>(what: string, call: () => Promise<T>): Promise<T | null> {
    const begun = performance.now();
    try {
      const result = await call();
      this.done.add(what);
      return result;
    } catch (error) {
      // Callers see outages, and no other errors.
      if (!(error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE')) this.wrong.push(error);
      this.unknown.add(what);
      return null;
    } finally {
      this.longestMs = Math.max(this.longestMs, performance.now() - begun);
    }
  }

  #object(text: string): void {
    this.wrong.push(new Error(text));
  }
}
