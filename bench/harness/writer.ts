/**
 * Changes a map while it is read: five times a second, a second server of ours on the same store, on the generator's core,
 * creates a location somewhere in the list, or deletes it again.
 */

import { fieldsOf } from './locations.ts';
import { queryGraphql } from './request.ts';
import type { SubjectOptions } from './subject.ts';
import { startOurs } from './subject.ts';

const INTERVAL_MS = 200;

const CREATE = `mutation ($input: CreateLocationInput!) { createLocation(input: $input) { location { id } } }`;
const DELETE = `mutation ($input: DeleteLocationInput!) { deleteLocation(input: $input) { deletedId } }`;

export interface Writer {
  /** @throws Error of the first change that failed */
  stop(): Promise<void>;
}

export interface WrittenMaps {
  readonly url: string;
  readonly writeToken: string;
  readonly mapIds: readonly string[];
  /** Number of locations of each map. */
  readonly size: number;
}

export async function startWriter(maps: WrittenMaps, options: SubjectOptions): Promise<Writer> {
  const server = await startOurs(maps.url, options);
  const write = <T>(query: string, input: object) =>
    queryGraphql<T>(server.origin, maps.writeToken, query, { input });
  const changes = changeInTurn(maps, {
    create: async (mapId, order) => {
      const input = { mapId, order, fields: fieldsOf(1), position: { latitude: 51.5, longitude: -0.12 } };
      type Created = { createLocation: { location: { id: string } } };
      return (await write<Created>(CREATE, input)).createLocation.location.id;
    },
    remove: async (mapId, id) => void (await write(DELETE, { mapId, id })),
  });
  return {
    async stop() {
      try {
        await changes.stop();
      } finally {
        await server.stop();
      }
    },
  };
}

interface Change {
  create(mapId: string, order: string): Promise<string>;
  remove(mapId: string, id: string): Promise<void>;
}

/** Alternates between creating and deleting, map by map. Stopping deletes the last location. */
export function changeInTurn({ mapIds, size }: Pick<WrittenMaps, 'mapIds' | 'size'>, change: Change): Writer {
  let number = 0;
  let created: { readonly mapId: string; readonly id: string } | null = null;
  let failure: Error | null = null;
  let busy: Promise<void> = Promise.resolve();

  const next = async () => {
    if (created !== null) {
      await change.remove(created.mapId, created.id);
      created = null;
      return;
    }
    const mapId = mapIds[number % mapIds.length] ?? '';
    number += 1;
    // Between two whole numbers, so that the offsets of pages stay valid.
    const order = `${1 + ((number * 7919) % size)}.5`;
    created = { mapId, id: await change.create(mapId, order) };
  };
  const timer = setInterval(() => {
    busy = busy.then(next).catch((error: unknown) => {
      failure ??= error instanceof Error ? error : new Error(String(error));
    });
  }, INTERVAL_MS);

  return {
    async stop() {
      clearInterval(timer);
      await busy;
      if (created !== null) await next();
      if (failure !== null) throw failure;
    },
  };
}
