/** Asking a map's document for places in its list, and announcing writes to it, before locations are written. */

import type { MapGone } from '../storage.ts';
import type { AnnouncedWrite } from './announced-write.ts';
import { announcedWrite } from './announced-write.ts';
import type { Database } from './database.ts';
import type { LocationDocument } from './documents.ts';
import { changeList } from './list-change.ts';
import type { OpenWrite } from './list-count.ts';
import { ListLanes } from './list-lanes.ts';
import type { Announced, Appended, ListRequest, Overtaken, Used, UseRequest } from './list-requests.ts';
import { sequenceOf } from './rank.ts';

export class ListStates {
  readonly #lanes: ListLanes<ListRequest>;

  constructor(database: Database) {
    this.#lanes = new ListLanes({
      change: (mapId, batch, done) =>
        changeList(database.collections, mapId, batch, done, (entry, parts) =>
          this.announced(mapId, entry, parts),
        ),
      run: (work) => database.run(work),
    });
  }

  /**
   * Gives each order (null: the end of the list as it is then) its sort key, and announces that locations will be stored
   * there. A sort key that is given and then not used stays unused: no reader can tell.
   */
  append(mapId: string, orders: readonly (string | null)[]): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#lanes.add(mapId, { kind: 'append', orders, resolve, reject });
    });
  }

  /** Tells the list of orders that locations get by a change. @returns why the map takes no part; null where it does */
  async useOrders(mapId: string, orders: readonly string[]): Promise<MapGone | null> {
    const used = await this.#use(mapId, { orders });
    return used.kind === 'used' || used.kind === 'overtaken' ? null : used;
  }

  /** The same, if the largest number of the list is still this one; `overtaken` where it is not. */
  async useOrdersAfter(
    mapId: string,
    orders: readonly string[],
    largestNumber: string | null,
  ): Promise<MapGone | Overtaken | null> {
    const used = await this.#use(mapId, { orders, largestNumber });
    return used.kind === 'used' ? null : used;
  }

  #use(mapId: string, use: Pick<UseRequest, 'orders' | 'largestNumber'>) {
    return new Promise<Used | Overtaken | MapGone>((resolve, reject) => {
      this.#lanes.add(mapId, { kind: 'use', ...use, resolve, reject });
    });
  }

  /** Announces that a location will be removed; `nothing` where there is none. */
  announceRemoval(mapId: string, id: string): Promise<Announced> {
    return new Promise((resolve, reject) => {
      this.#lanes.add(mapId, { kind: 'remove', id, resolve, reject });
    });
  }

  /** Announces that a location will be stored at a sort key that it was given before; `nothing` where its id is taken. */
  announceStoring(mapId: string, { _id, place }: LocationDocument): Promise<Announced> {
    return new Promise((resolve, reject) => {
      this.#lanes.add(mapId, { kind: 'store', id: _id, sequence: sequenceOf(place), resolve, reject });
    });
  }

  /** The write that an entry of a map's document announces. @param parts callers that share it */
  announced(mapId: string, entry: OpenWrite, parts = 1): AnnouncedWrite {
    return announcedWrite(entry, parts, () => this.#lanes.settle(mapId, entry.id));
  }

  /** Settles the writes that are done. Rejects where something could not be settled. */
  close(): Promise<void> {
    return this.#lanes.close();
  }
}
