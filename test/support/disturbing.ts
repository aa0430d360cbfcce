/** Writes to a map, for tests of reads that others must not disturb. */

import { dataOf } from './graphql.ts';
import { placeAt } from './published-map.ts';
import type { TestServer } from './server.ts';

/**
 * Each call creates a location and deletes the one before, and moves two of those given from both ends of the list to an end,
 * past readers in list order, and changes a field of one that the public does not see.
 *
 * @param ids at least three
 */
export function disturbing(server: TestServer, mapId: string, ids: readonly string[]): () => Promise<void> {
  let [writes, created] = [0, null as string | null];
  const write = async (mutation: string, type: string, input: object) =>
    dataOf(await server.graphql(`mutation ($input: ${type}!) { done: ${mutation} }`, { input }));
  return async () => {
    const [first, last] = [ids[writes % ids.length], ids[ids.length - 1 - (writes % ids.length)]];
    const moved = first === last ? [first] : [first, last];
    writes += 1;
    const toEnd = writes % 2 === 0;
    const target = toEnd ? { toEnd } : { toStart: true };
    await write('moveLocations(input: $input) { map { id } }', 'MoveLocationsInput', {
      ...{ mapId, ids: moved, ...target },
    });
    await write('updateLocation(input: $input) { map { id } }', 'UpdateLocationInput', {
      ...{ mapId, id: ids[(writes * 2) % ids.length], fields: { Note: `${writes}` } },
    });
    if (created !== null) {
      await write('deleteLocation(input: $input) { deletedId }', 'DeleteLocationInput', {
        mapId,
        id: created,
      });
    }
    const made = await write('createLocation(input: $input) { location { id } }', 'CreateLocationInput', {
      mapId,
      ...placeAt('new', 1, 1),
    });
    created = made.done.location.id;
  };
}
