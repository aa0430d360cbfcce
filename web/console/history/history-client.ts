/** Undoes, restores and purges on the server, and says what was left as it is, and why. */

import type { GraphqlClient } from '../../shared/graphql.ts';
import { chunksOf } from '../common/chunks.ts';
import type { NamedFragment } from '../generated/operations.ts';
import {
  NamesByExternalIdDocument,
  NamesOfDocument,
  PurgeLocationsDocument,
  RestoreLocationsDocument,
  UndoChangeDocument,
} from '../generated/operations.ts';
import type { LeftLocation } from './left-locations.ts';
import { MAX_EXPLAINED, reasonOf } from './left-locations.ts';

export interface Undone {
  /** Number of locations that were reverted. */
  readonly reverted: number;
  /** Number of locations that were left as they are. */
  readonly leftCount: number;
  /** Most of them, in full. */
  readonly left: readonly LeftLocation[];
}

export interface Restored extends Undone {
  /** The calls in the map's history, in their order. */
  readonly historyIds: readonly string[];
  readonly restoredIds: readonly string[];
}

/** A location by its id, and whether it is in the trash. */
export interface KnownLocation extends NamedFragment {
  readonly isDeleted: boolean;
}

export class HistoryClient {
  readonly #request: GraphqlClient;
  readonly #mapId: string;

  constructor({ request }: { readonly request: GraphqlClient }, mapId: string) {
    this.#request = request;
    this.#mapId = mapId;
  }

  /** @param historyIds calls, in their order */
  async undo(historyIds: readonly string[], { dryRun = false } = {}): Promise<Undone> {
    let reverted = 0;
    let leftCount = 0;
    const left: LeftLocation[] = [];
    for (const historyId of historyIds.toReversed()) {
      const input = { mapId: this.#mapId, historyId, dryRun };
      const { undoChange } = await this.#request(UndoChangeDocument, { input });
      if (undoChange === null) continue;
      reverted += undoChange.reverted;
      leftCount += undoChange.leftCount;
      left.push(...undoChange.left);
    }
    return { reverted, leftCount, left };
  }

  /** Restores locations from the trash. */
  async restore(ids: readonly string[]): Promise<Restored> {
    const restoredIds: string[] = [];
    const left: LeftLocation[] = [];
    const historyIds: string[] = [];
    for (const chunk of chunksOf(ids)) {
      const input = { mapId: this.#mapId, ids: [...chunk] };
      const { restoreLocations } = await this.#request(RestoreLocationsDocument, { input });
      for (const { id, error } of restoreLocations?.results ?? []) {
        if (error === null) restoredIds.push(id);
        else left.push({ id, code: error.code });
      }
      if (restoreLocations?.historyId) historyIds.push(restoreLocations.historyId);
    }
    return { reverted: restoredIds.length, leftCount: left.length, left, historyIds, restoredIds };
  }

  /** Deletes locations in the trash for ever. @returns the ids of those that were there */
  async purge(ids: readonly string[]): Promise<readonly string[]> {
    const purged: string[] = [];
    for (const chunk of chunksOf(ids)) {
      const input = { mapId: this.#mapId, ids: [...chunk] };
      const { purgeLocations } = await this.#request(PurgeLocationsDocument, { input });
      purged.push(...(purgeLocations?.purgedIds ?? []));
    }
    return purged;
  }

  /** Locations that exist or are in the trash, by id. @param ids at most 100 */
  async find(ids: readonly string[]): Promise<ReadonlyMap<string, KnownLocation>> {
    if (ids.length === 0) return new Map();
    const { map } = await this.#request(NamesOfDocument, { id: this.#mapId, ids: [...ids] });
    const existing = (map?.locations?.nodes ?? []).map((one) => ({ ...one, isDeleted: false }));
    const deleted = (map?.trash?.nodes ?? []).map(({ location }) => ({ ...location, isDeleted: true }));
    return new Map([...deleted, ...existing].map((one) => [one.id, one]));
  }

  /** Why locations were left, for the first of them: a sentence each, with the tag `name`. */
  async explain(left: readonly LeftLocation[]): Promise<readonly string[]> {
    const first = left.slice(0, MAX_EXPLAINED);
    const known = await this.find(first.map(({ id }) => id));
    const externalIds = first.flatMap(({ id, code }) => {
      const externalId = known.get(id)?.externalId ?? null;
      return code === 'EXTERNAL_ID_TAKEN' && known.get(id)?.isDeleted === true && externalId !== null
        ? [externalId]
        : [];
    });
    const holders = await this.#findHolders([...new Set(externalIds)]);
    return first.map(({ id, code }) => {
      const location = known.get(id) ?? null;
      return reasonOf(code, location, holders.get(location?.externalId ?? '') ?? null);
    });
  }

  async #findHolders(externalIds: readonly string[]): Promise<ReadonlyMap<string, NamedFragment>> {
    if (externalIds.length === 0) return new Map();
    const variables = { id: this.#mapId, externalIds: [...externalIds] };
    const { map } = await this.#request(NamesByExternalIdDocument, variables);
    return new Map((map?.locations?.nodes ?? []).map((one) => [one.externalId ?? '', one]));
  }
}
