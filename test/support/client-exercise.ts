/** Calls every method of the client once. It runs in Node and in browsers, so it imports only the client. */

import type { Location, LocationChange, MapClient } from '../../src/client/index.ts';
import { createClient, MapLocationsError } from '../../src/client/index.ts';

export interface Surroundings {
  readonly url: string;
  /** The same service, behind a relay that can cut connections. */
  readonly cuttableUrl: string;
  /** A POST to this URL cuts the connections. */
  readonly cutUrl: string;
  readonly token: string;
  readonly mapId: string;
}

export async function exercise({ url, cuttableUrl, cutUrl, token, mapId }: Surroundings) {
  const map = createClient({ url, token }).map(mapId);
  const changes = createClient({ url: cuttableUrl, token: async () => token })
    .map(mapId)
    .subscribe();
  const received = [await next(changes)];

  const created = await map.create({ fields: { Name: 'One', Address: 'A' }, externalId: 'one' });
  const other = await map.create({
    fields: { Name: 'Two', Address: 'B' },
    position: { latitude: 1, longitude: 2 },
  });
  const updated = await map.update(created.id, { fields: { Name: 'First' }, ifVersion: created.version });
  received.push(await next(changes), await next(changes), await next(changes));

  await fetch(cutUrl, { method: 'POST' });
  const moved = await map.move([other.id], { before: created.id });
  received.push(await next(changes));

  const listed: string[] = [];
  for await (const { name } of map.locations({ orderBy: { by: 'list', direction: 'desc' } }))
    listed.push(name);
  const found = await map.find({ search: 'first' });
  const deleted = await map.delete(created.id);
  received.push(await next(changes));
  await changes.return();

  const numbers: Readonly<Record<string, number>> = { [created.id]: 1, [other.id]: 2 };
  return {
    created: [created.name, created.externalId],
    updated: [updated.name, updated.version],
    moved: moved.map(nameOf),
    listed,
    found: found.map(nameOf),
    deleted: deleted.name,
    received: received.map(({ kind, locationId }) => [
      kind,
      locationId === null ? null : numbers[locationId],
    ]),
    refused: await codeOf(map.delete(created.id)),
    wrongToken: await codeOf(createClient({ url, token: 'wrong' }).map(mapId).find({})),
    noServer: await codeOf(createClient({ url: 'http://127.0.0.1:1' }).map(mapId).update('', {})),
  };
}

const nameOf = ({ name }: Location): string => name;

async function next(changes: AsyncIterator<LocationChange>): Promise<LocationChange> {
  const { done, value } = await changes.next();
  if (done === true) throw new Error('The changes ended.');
  return value;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'OK';
  } catch (error) {
    return error instanceof MapLocationsError ? error.code : String(error);
  }
}

/** What the types must reject. It is never called. */
export function misuse(map: MapClient) {
  return [
    // @ts-expect-error -- the fields are required
    () => map.create({}),
    // @ts-expect-error -- an id is a text
    () => map.update(1, {}),
    // @ts-expect-error -- there is no such order
    () => map.locations({ orderBy: { by: 'size' } }),
    // @ts-expect-error -- a token is a text, or a function that returns one
    () => createClient({ url: '', token: 1 }),
    // @ts-expect-error -- a location has no such property
    async () => (await map.find({})).map(({ lat }) => lat),
    // @ts-expect-error -- a list may have ended
    async () => (await map.locations().next()).value.name,
  ];
}
