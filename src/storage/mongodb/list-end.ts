/**
 * Giving out places at the end of a map's list. What the map knows of its end is one small part of its document,
 * changed by compare-and-set, so any number of processes give out sequences and numbers without two alike. Requests of
 * one process that wait for the same map share one change.
 */

import { setTimeout as delay } from 'node:timers/promises';

import type { OrderKey } from '../../domain/order.ts';
import {
  compareOrderKeys,
  encodeOrder,
  isNumberKey,
  largerNumber,
  nextWholeNumber,
} from '../../domain/order.ts';
import type { SortKey } from '../../domain/sort-key.ts';
import type { MapGone } from '../storage.ts';
import type { Collections } from './database.ts';
import type { ListEndDocument } from './documents.ts';
import { fromPlace } from './place.ts';

export interface GivenPlace extends SortKey {
  readonly order: string;
}

type Outcome = { readonly kind: 'given'; readonly places: readonly GivenPlace[] } | MapGone;

interface Waiting {
  readonly orders: readonly (string | null)[];
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads what the primary has now, also where the majority has not acknowledged it yet: the change that follows finds out
 * whether it was the last, and is itself acknowledged only together with it.
 */
const READ_FOR_CHANGE = {
  projection: { isDeleted: 1, end: 1 },
  readConcern: { level: 'local' },
} as const;

/** A pause between two tries, so that processes in step do not disturb one another for ever. */
const LONGEST_PAUSE_MS = 10;

export class ListEnds {
  readonly #collections: Collections;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #busy = new Set<string>();

  constructor(collections: Collections) {
    this.#collections = collections;
  }

  /**
   * Gives each order (null: the end of the list as it is then) its place. A place that is given and then not used
   * stays unused: no reader can tell.
   */
  give(mapId: string, orders: readonly (string | null)[]): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(mapId) ?? [];
      waiting.push({ orders, resolve, reject });
      this.#waiting.set(mapId, waiting);
      if (!this.#busy.has(mapId)) void this.#work(mapId);
    });
  }

  async #work(mapId: string): Promise<void> {
    this.#busy.add(mapId);
    for (let batch = this.#take(mapId); batch.length > 0; batch = this.#take(mapId)) {
      try {
        const outcome = await this.#change(
          mapId,
          batch.flatMap(({ orders }) => orders),
        );
        share(batch, outcome);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#busy.delete(mapId);
  }

  #take(mapId: string): Waiting[] {
    const batch = this.#waiting.get(mapId) ?? [];
    this.#waiting.delete(mapId);
    return batch;
  }

  async #change(mapId: string, orders: readonly (string | null)[]): Promise<Outcome> {
    const { maps } = this.#collections;
    for (;;) {
      const map = await maps.findOne({ _id: { $eq: mapId } }, READ_FOR_CHANGE);
      if (map === null) return { kind: 'map-missing' };
      if (map.isDeleted) return { kind: 'map-deleted' };
      const lastText = map.end.hasTexts ? await this.#lastText(mapId) : null;
      const { end, places } = giveFrom(map.end, lastText, orders);
      const { matchedCount } = await maps.updateOne(
        { _id: { $eq: mapId }, isDeleted: false, 'end.version': map.end.version },
        { $set: { end } },
      );
      if (matchedCount === 1) return { kind: 'given', places };
      await delay(Math.random() * LONGEST_PAUSE_MS);
    }
  }

  /** The order of the list's last location where that is a text. */
  async #lastText(mapId: string): Promise<string | null> {
    const last = await this.#collections.locations.findOne(
      { mapId: { $eq: mapId }, place: { $gte: '' } },
      { sort: { place: -1 }, hint: 'locations_in_order', projection: { place: 1 } },
    );
    if (last === null || !('place' in last)) return null;
    const { orderKey } = fromPlace(last.place);
    return isNumberKey(orderKey) ? null : orderKey.slice(1);
  }
}

function share(batch: readonly Waiting[], outcome: Outcome): void {
  let next = 0;
  for (const { orders, resolve } of batch) {
    if (outcome.kind === 'given') {
      resolve({ kind: 'given', places: outcome.places.slice(next, next + orders.length) });
      next += orders.length;
    } else {
      resolve(outcome);
    }
  }
}

function giveFrom(end: ListEndDocument, lastText: string | null, orders: readonly (string | null)[]) {
  let { sequence, largestNumber, hasTexts } = end;
  let last = lastText;
  const places = orders.map((given): GivenPlace => {
    const order = given ?? last ?? nextWholeNumber(largestNumber);
    const orderKey = encodeOrder(order);
    sequence += 1;
    largestNumber = largerNumber(largestNumber, order);
    if (!isNumberKey(orderKey)) {
      hasTexts = true;
      last = laterText(last, order, orderKey);
    }
    return { order, orderKey, sequence };
  });
  return { places, end: { version: end.version + 1, sequence, largestNumber, hasTexts } };
}

function laterText(last: string | null, order: string, orderKey: OrderKey): string {
  return last !== null && compareOrderKeys(encodeOrder(last), orderKey) > 0 ? last : order;
}
